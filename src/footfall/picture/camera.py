"""An orthographic camera: every figure of a strip keeps its size, and lengths can be compared."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.errors import RequestError
from footfall.geometry.ground import UP
from footfall.geometry.quaternion import cross

# Where the camera stands, as an angle from the figure's front towards its right, and how high, in degrees
VIEWS = {
    "front": (0.0, 8.0),
    "side": (90.0, 8.0),
    "three-quarter": (50.0, 21.0),
    "back": (180.0, 8.0),
    "top": (90.0, 89.0),
    "map": (90.0, 89.0),  # from above without the figures, for what they leave on the ground
}


@dataclass(frozen=True, eq=False)
class Camera:
    """Axes of the picture in the world; `scale` is pixels a metre, `centre` the world point in its middle."""

    right: Float[np.ndarray, "3"]
    up: Float[np.ndarray, "3"]
    forward: Float[np.ndarray, "3"]
    centre: Float[np.ndarray, "3"]
    scale: float
    size: tuple[int, int]  # width, height in pixels

    @classmethod
    def looking(cls, view: str, heading: float) -> Camera:
        """A camera for a named view of something that faces `heading`; frame it with `framing`."""
        if view not in VIEWS:
            raise RequestError(f"view {view!r} is unknown; use {', '.join(VIEWS)}")
        azimuth, elevation = np.radians(VIEWS[view])
        # the figure's right is -90 degrees from its heading
        place = heading - azimuth
        level = np.array([np.sin(place), 0.0, np.cos(place)])
        forward = -(np.cos(elevation) * level + np.sin(elevation) * UP)
        right = cross(forward, UP)
        right = right / np.linalg.norm(right)
        return cls(right, cross(right, forward), forward, np.zeros(3), 1.0, (1, 1))

    def extremes(self, points: Float[np.ndarray, "*n 3"]) -> Float[np.ndarray, "2 3"]:
        """Two points that need as much room in a picture, and lie as deep, as all of these."""
        x, y, depth = (
            points[..., 0] * axis[0] + points[..., 1] * axis[1] + points[..., 2] * axis[2]
            for axis in (self.right, self.up, self.forward)
        )
        return np.array(
            [
                pick(x) * self.right + pick(y) * self.up + depth.mean() * self.forward
                for pick in (np.min, np.max)
            ]
        )

    def framing(
        self,
        points: Float[np.ndarray, "*n 3"],
        *,
        scale: float | None = None,
        width: int = 0,
        margin: float = 0.15,
    ) -> Camera:
        """The same view with all points in the picture: at a scale, or at a width in pixels."""
        flat = points.reshape(-1, 3)
        x, y = flat @ self.right, flat @ self.up
        low = np.array([x.min(), y.min()]) - margin
        high = np.array([x.max(), y.max()]) + margin
        scale = width / float(high[0] - low[0]) if scale is None else scale
        middle = 0.5 * (low + high)
        depth = float((flat @ self.forward).mean())
        centre = middle[0] * self.right + middle[1] * self.up + depth * self.forward
        # a millionth of a pixel is rounding: no row or column for it
        size = tuple(max(int(np.ceil(s - 1e-6)), 1) for s in (high - low) * scale)
        return Camera(self.right, self.up, self.forward, centre, scale, (size[0], size[1]))

    def enlarged(self, factor: int) -> Camera:
        """The same picture with more pixels."""
        w, h = self.size
        return Camera(
            self.right, self.up, self.forward, self.centre, self.scale * factor, (w * factor, h * factor)
        )

    def project(self, points: Float[np.ndarray, "*n 3"]) -> Float[np.ndarray, "*n 3"]:
        """Pixels right and down from the upper left corner, and depth in metres (larger is farther)."""
        local = points - self.centre
        x = 0.5 * self.size[0] + self.scale * (local @ self.right)
        y = 0.5 * self.size[1] - self.scale * (local @ self.up)
        return np.stack([x, y, local @ self.forward], axis=-1)

    def places(self, depth: Float[np.ndarray, "h w"]) -> Float[np.ndarray, "h w 3"]:
        """The world points that pixels show at these depths; what shows nothing has none."""
        h, w = depth.shape
        start, across, down, forward = self.pixel_rays()
        plane = start + np.arange(w)[:, None] * across + np.arange(h)[:, None, None] * down
        return plane + np.where(np.isfinite(depth), depth, np.nan)[..., None] * forward

    def depths_of_level(self, height: float) -> Float[np.ndarray, "h"]:
        """The depth of a horizontal plane in each row of pixels; it is the same all along a row."""
        start, _, down, forward = self.pixel_rays()[:, 1]
        return (height - start - np.arange(self.size[1]) * down) / forward

    def pixel_rays(self) -> Float[np.ndarray, "4 3"]:
        """The point that pixel (0, 0) shows at depth 0, and by how much it moves per pixel to the right,
        per pixel down and per metre of depth."""
        w, h = self.size
        across, down = self.right / self.scale, -self.up / self.scale
        start = self.centre + (0.5 - 0.5 * w) * across + (0.5 - 0.5 * h) * down
        return np.stack([start, across, down, self.forward])
