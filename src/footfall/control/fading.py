"""How much of a layer is felt: weights that ease in and out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.errors import RequestError
from footfall.figure.pose import Pose
from footfall.geometry import quaternion as quat
from footfall.geometry.easing import smoother
from footfall.world.terrain import is_number

SECONDS = 0.4  # that a layer takes to come or go
LONGEST = 60.0  # s
STEEPEST = 1.875  # the largest rate of `smoother`, per unit of its time


@dataclass
class Fade:
    """A weight from 0 to 1 on its way to another; it moves with rate and acceleration 0 at both ends."""

    start: float = 1.0
    end: float = 1.0
    seconds: float = 0.0
    elapsed: float = 0.0

    @property
    def weight(self) -> float:
        if self.elapsed >= self.seconds:
            return self.end
        return self.start + (self.end - self.start) * float(smoother(self.elapsed / self.seconds))

    def to(self, weight: float, seconds: float = SECONDS) -> None:
        """Begins to move, from where it is."""
        if not is_number(weight) or not 0.0 <= weight <= 1.0:
            raise RequestError(f"a weight is a number from 0 to 1, not {weight!r:.40}")
        checked_seconds(seconds)
        if weight == self.end and self.elapsed < self.seconds:
            return  # it is under way already
        self.start, self.end = self.weight, float(weight)
        self.seconds, self.elapsed = float(seconds), 0.0

    def advance(self, dt: float, slowest: float = 0.0) -> float:
        """The weight so many seconds later; a whole change of it takes `slowest` seconds or more."""
        takes = STEEPEST * slowest * abs(self.end - self.start)
        if takes > self.seconds > 0.0:
            dt *= self.seconds / takes
        self.elapsed = min(self.elapsed + dt, self.seconds)
        return self.weight

    @property
    def moves(self) -> bool:
        return self.elapsed < self.seconds


def checked_seconds(seconds: float) -> float:
    """How long a fade takes; what is no such time is refused."""
    if not is_number(seconds) or not 0.0 <= seconds <= LONGEST:
        raise RequestError(f"a fade takes 0 to {LONGEST:g} s, not {seconds!r:.40}")
    return float(seconds)


def mixed(before: Pose, after: Pose, weight: Float[np.ndarray, "joints"] | float) -> Pose:
    """From one pose to another by a weight, or one for each joint; the root goes with the first joint's."""
    whole = float(np.asarray(weight, dtype=float).reshape(-1)[0])
    root = before.root + whole * (after.root - before.root)
    return Pose(root, quat.slerp(before.rotations, after.rotations, weight), before.translations)
