"""The same spheres against the same ground, spread over several frames ([rings] 4.4)."""

from __future__ import annotations

import numpy as np
from jaxtyping import Bool, Float

from footfall.errors import RequestError
from footfall.world.terrain import Terrain, as_points


class SlicedTouch:
    """Which spheres touch a terrain, found in `slices` parts of about the same cost.

    The first, breadth-first step is taken at once; each `advance` then takes the second step for every F-th
    sphere, so that spheres over the ground and in it, cheap ones and dear ones, are mixed in every part.
    """

    def __init__(
        self,
        terrain: Terrain,
        centres: Float[np.ndarray, "n 3"],
        radius: Float[np.ndarray, "n"] | float,
        slices: int,
    ):
        if not isinstance(slices, (int, np.integer)) or slices < 1:
            raise RequestError(f"there must be at least one slice, a whole number, not {slices!r}")
        self._centres = np.array(as_points(centres, "centres")).reshape(-1, 3)
        self._radii = np.array(np.broadcast_to(np.asarray(radius, float), len(self._centres)))
        self._near = terrain.near(*boundary_sphere(self._centres, self._radii))
        self._touching = np.zeros(len(self._centres), dtype=bool)
        self._slices, self._taken = slices, 0

    @property
    def done(self) -> bool:
        return self._taken >= self._slices

    def advance(self) -> bool:
        """Takes the next part; returns whether all are taken."""
        if not self.done:
            part = slice(self._taken, None, self._slices)
            self._touching[part] = self._near.touching(self._centres[part], self._radii[part])
            self._taken += 1
        return self.done

    def finish(self) -> Bool[np.ndarray, "n"]:
        """Takes whatever is left and tells which spheres touch."""
        while not self.advance():
            pass
        return self._touching.copy()


def boundary_sphere(
    centres: Float[np.ndarray, "n 3"], radii: Float[np.ndarray, "n"]
) -> tuple[Float[np.ndarray, "3"], float]:
    """A sphere round all spheres that are ones, about the middle of their box."""
    sound = np.isfinite(centres).all(axis=-1) & np.isfinite(radii)
    centres, radii = centres[sound], radii[sound]
    if not len(centres):
        return np.zeros(3), 0.0
    middle = 0.5 * (centres.min(axis=0) + centres.max(axis=0))
    return middle, float(np.sqrt(np.sum((centres - middle) ** 2, axis=-1).max()) + np.max(radii))
