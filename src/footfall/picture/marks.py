"""Flat marks on the ground: filled outlines, and lines of one width in pixels however they are seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from footfall.picture.camera import Camera

Colour = tuple[float, float, float]


@dataclass(frozen=True, eq=False)
class Mark:
    """An outline or a line in the world; what is filled is filled from its middle."""

    points: Float[np.ndarray, "n 3"]
    colour: Colour
    width: float = 0.0  # shown pixels; 0 fills the outline
    closed: bool = False

    def moved(self, shift: Float[np.ndarray, "3"] | float) -> Mark:
        return Mark(self.points + shift, self.colour, self.width, self.closed)

    def shape(self, camera: Camera) -> tuple[Float[np.ndarray, "v 3"], Int[np.ndarray, "t 3"]]:
        """Corners in pixels and depth, and triangles."""
        pixels = camera.project(self.points)
        if self.width <= 0.0:
            return _fan(pixels)
        line = np.concatenate([pixels, pixels[:1]]) if self.closed else pixels
        return _ribbon(line, self.width, ground_slope(camera))


def ground_slope(camera: Camera) -> float:
    """Metres by which level ground recedes a pixel down the picture (negative); 0 where it is edge on."""
    if abs(camera.forward[1]) < 1e-3:
        return 0.0
    return float(camera.up[1] / camera.forward[1]) / camera.scale


def _fan(pixels: Float[np.ndarray, "n 3"]) -> tuple[Float[np.ndarray, "v 3"], Int[np.ndarray, "t 3"]]:
    rim = np.arange(len(pixels))
    triangles = np.stack([np.full_like(rim, len(pixels)), rim, np.roll(rim, -1)], axis=1)
    return np.concatenate([pixels, pixels.mean(axis=0, keepdims=True)]), triangles


def _ribbon(
    pixels: Float[np.ndarray, "n 3"], width: float, slope: float
) -> tuple[Float[np.ndarray, "v 3"], Int[np.ndarray, "t 3"]]:
    """A rectangle for each piece, longer by half its width at both ends so that bends have no gaps.

    Its edges lie as deep as the ground there, or a flat view would swallow half of the line.
    """
    start, end = pixels[:-1], pixels[1:]
    along = (end - start)[:, :2]
    length = np.linalg.norm(along, axis=1, keepdims=True)
    along = 0.5 * width * np.divide(along, length, out=np.zeros_like(along), where=length > 1e-9)
    ahead, aside = (
        np.stack([right, down, slope * down], axis=1)
        for right, down in ((along[:, 0], along[:, 1]), (-along[:, 1], along[:, 0]))
    )
    corners = [start - ahead - aside, start - ahead + aside, end + ahead + aside, end + ahead - aside]
    first = 4 * np.arange(len(start))[:, None]
    triangles = np.concatenate([first + np.array(half) for half in ((0, 1, 2), (0, 2, 3))])
    return np.stack(corners, axis=1).reshape(-1, 3), triangles
