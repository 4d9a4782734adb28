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
        return _ribbon(np.concatenate([pixels, pixels[:1]]) if self.closed else pixels, self.width)


def _fan(pixels: Float[np.ndarray, "n 3"]) -> tuple[Float[np.ndarray, "v 3"], Int[np.ndarray, "t 3"]]:
    rim = np.arange(len(pixels))
    triangles = np.stack([np.full_like(rim, len(pixels)), rim, np.roll(rim, -1)], axis=1)
    return np.concatenate([pixels, pixels.mean(axis=0, keepdims=True)]), triangles


def _ribbon(
    pixels: Float[np.ndarray, "n 3"], width: float
) -> tuple[Float[np.ndarray, "v 3"], Int[np.ndarray, "t 3"]]:
    """A rectangle for each piece, longer by half its width at both ends so that bends have no gaps."""
    start, end = pixels[:-1], pixels[1:]
    along = (end - start)[:, :2]
    length = np.linalg.norm(along, axis=1, keepdims=True)
    along = 0.5 * width * np.divide(along, length, out=np.zeros_like(along), where=length > 1e-9)
    ahead = np.concatenate([along, np.zeros_like(length)], axis=1)
    aside = np.concatenate([-along[:, 1:], along[:, :1], np.zeros_like(length)], axis=1)
    corners = [start - ahead - aside, start - ahead + aside, end + ahead + aside, end + ahead - aside]
    first = 4 * np.arange(len(start))[:, None]
    triangles = np.concatenate([first + np.array(half) for half in ((0, 1, 2), (0, 2, 3))])
    return np.stack(corners, axis=1).reshape(-1, 3), triangles
