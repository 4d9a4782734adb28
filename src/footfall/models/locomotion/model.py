"""`Locomotion`: loops of steps in a space of speed, turn rate and side speed ([body] 4.1)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from os import PathLike

import numpy as np
from jaxtyping import Float

from footfall.analysis.reference import Reference
from footfall.figure.skeleton import Skeleton
from footfall.models.gait_limits import GaitLimits
from footfall.models.locomotion.packed import PackedLocomotion, pack
from footfall.models.locomotion.tables import LocomotionTables
from footfall.models.synthesized import Synthesized
from footfall.weights.barycentric import Barycentric
from footfall.weights.space import Space

NAMES, UNITS = ("speed", "turn_rate", "side_speed"), ("m/s", "rad/s", "m/s")
SCALES = np.array([1.0, 0.6, 1.0])  # m/s that one unit of each is worth: between loops, and to the hull
FPS = 60.0


@dataclass(frozen=True, eq=False, repr=False)
class Locomotion:
    """A figure's ways to go. Every command within the hull of its loops is obeyed exactly in the mean.

    >>> model = build_locomotion(clips)
    >>> walk = model.synthesize(speed=1.2, turn_rate=0.3, side_speed=0.0, seconds=4.0)
    """

    tables: LocomotionTables
    reference: Reference

    def __repr__(self) -> str:
        low, high = self.space.bounds
        return f"Locomotion({len(self)} loops, {low[0]:.1f} to {high[0]:.1f} m/s)"

    def __len__(self) -> int:
        return len(self.tables)

    @property
    def skeleton(self) -> Skeleton:
        return self.tables.skeleton

    @property
    def names(self) -> tuple[str, ...]:
        return self.tables.names

    @cached_property
    def space(self) -> Space:
        return Space(NAMES, UNITS, self.tables.points, SCALES)

    @cached_property
    def scheme(self) -> Barycentric:
        """Tetrahedra between the loops; the paper defines them by hand."""
        return Barycentric(self.space.to_metric(self.tables.points))

    @cached_property
    def packed(self) -> PackedLocomotion:
        """For compiled code: barycentric coordinates straight from speed, turn rate, side speed and 1."""
        scheme = self.scheme
        slopes, offsets = scheme.maps
        centre, axes, spread = scheme.hull.frame
        into = axes / spread[:, None] * SCALES  # parameters to the scheme's own axes
        moved = offsets - slopes @ (axes @ centre / spread)
        coordinates = np.concatenate([slopes @ into, moved[..., None]], axis=-1)
        missing = 4 - scheme.simplices.shape[1]  # corners that flat examples lack: they weigh nothing
        simplices = np.pad(scheme.simplices, ((0, 0), (0, missing)), mode="edge")
        return pack(self.tables, simplices, np.pad(coordinates, ((0, 0), (0, missing), (0, 0))))

    @cached_property
    def limits(self) -> GaitLimits:
        """What it can do, for whoever plans."""
        from footfall.models.locomotion.limits import limits_of

        return limits_of(self)

    def weights(self, *, speed: float, turn_rate: float, side_speed: float) -> Float[np.ndarray, "loops"]:
        """Shares of the loops for a command; what is outside their hull is brought to it."""
        asked = self.space.vector(speed=speed, turn_rate=turn_rate, side_speed=side_speed)
        return self.shares(self.scheme(self.space.to_metric(asked)))

    def shares(self, corners: Float[np.ndarray, "*n loops"]) -> Float[np.ndarray, "*n loops"]:
        """Blending adds displacements and durations up: shares that make velocities a convex combination.

        With barycentric coordinates b of a command and durations T, shares b / T lead to exactly its mean
        velocity: sum(w T p) / sum(w T) = sum(b p).
        """
        made = corners / self.tables.seconds
        return made / made.sum(axis=-1, keepdims=True)

    def synthesize(
        self,
        *,
        speed: float,
        turn_rate: float = 0.0,
        side_speed: float = 0.0,
        seconds: float = 4.0,
        fps: float = FPS,
    ) -> Synthesized:
        """So many seconds of going on like this, feet locked on level ground; outside the hull, clamped."""
        from footfall.models.locomotion.playing import played

        asked = self.space.vector(speed=speed, turn_rate=turn_rate, side_speed=side_speed)
        return played(self, asked, seconds, fps)

    def save(self, path: str | PathLike[str]) -> None:
        from footfall.models.locomotion.store import save_locomotion

        save_locomotion(self, path)
