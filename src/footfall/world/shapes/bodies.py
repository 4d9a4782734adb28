"""Placed shapes as the kernels want them: a few arrays for any number of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from footfall.geometry import quaternion as quat
from footfall.world.shapes.core import Core


@dataclass(frozen=True, eq=False)
class Bodies:
    """The cores of shapes one after another, and where each stands."""

    points: Float[np.ndarray, "points 3"]  # of all pieces, relative to their body's middle, unturned
    starts: Int[np.ndarray, "pieces+1"]  # where each piece's points begin
    spheres: Float[np.ndarray, "pieces 4"]  # round each piece: centre, radius
    firsts: Int[np.ndarray, "bodies+1"]  # where each body's pieces begin
    places: Float[np.ndarray, "bodies 10"]  # middle, orientation, disc, ball, reach

    @classmethod
    def of(cls, parts: Sequence[tuple[Core, Float[np.ndarray, "3"], Float[np.ndarray, "4"]]]) -> Bodies:
        """Of cores with positions and orientations; none is fine."""
        places = np.empty((len(parts), 10))
        for row, (core, position, orientation) in zip(places, parts, strict=True):
            row[:3] = position
            if core.middle.any():
                row[:3] += quat.rotate(orientation, core.middle)
            row[3:7] = orientation
            row[7:] = core.disc, core.ball, core.reach
        places.flags.writeable = False
        cores = [core for core, _, _ in parts]
        if len(cores) == 1:  # nothing to copy
            core = cores[0]
            return cls(core.points, core.starts, core.spheres, core.ends, places)
        return cls(
            np.concatenate([np.zeros((0, 3)), *(core.points for core in cores)]),
            _running([n for core in cores for n in np.diff(core.starts)]),
            np.concatenate([np.zeros((0, 4)), *(core.spheres for core in cores)]),
            _running([len(core.spheres) for core in cores]),
            places,
        )

    def __len__(self) -> int:
        return len(self.places)

    @property
    def arrays(self) -> tuple[np.ndarray, ...]:
        return self.points, self.starts, self.spheres, self.firsts, self.places


def _running(counts: Sequence[int]) -> Int[np.ndarray, "n+1"]:
    """Where each begins if they lie one after another."""
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
