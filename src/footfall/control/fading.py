"""How much of a layer is felt: weights that ease in and out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.control.pace import Pace
from footfall.control.transition import Transition, slowest
from footfall.errors import RequestError
from footfall.figure.pose import Pose
from footfall.figure.skeleton import Skeleton
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


class FadedLayer:
    """A layer that is not felt as a whole: its weight, and a pose between the one before it and its own.

    Between two turns a pose goes the short way. Where that changes sides, as with a body that turns round
    over one that does not, what was shown is eased out.
    """

    def __init__(self, skeleton: Skeleton) -> None:
        self.fade = Fade()
        self._skeleton, self._transition = skeleton, Transition(skeleton)
        self._between: Float[np.ndarray, "joints 4"] | None = None  # turns, the short way
        self._pace = Pace(skeleton)
        self._shown = Pose.at_rest(skeleton)
        self._at_once = False  # what somebody wants in no time
        self._own: Pose | None = None  # the layer's, in the last frame

    def to(self, weight: float, seconds: float) -> None:
        """See `Fade.to`; in no time it jumps."""
        self.fade.to(weight, seconds)
        self._at_once = seconds == 0.0

    def felt(self, before: Pose, after: Pose, seconds: float) -> Pose:
        """What the layer makes of a pose so many seconds later, as far as it is felt."""
        if before.rotations.shape != after.rotations.shape:
            self.fade.advance(seconds)
            return after if self.fade.weight > 0.0 else before
        far = slowest(self._skeleton, before, after) if self.fade.moves else 0.0
        weight = self.fade.advance(seconds, far)
        put = self._own is not None and self._pace.elsewhere(self._own, after, seconds)
        at_once, self._at_once, self._own = put or self._at_once, False, after
        if 0.0 < weight < 1.0:
            pose, between = mixed(before, after, weight), _short(before, after)
            if self._between is not None and ((between * self._between).sum(axis=1) < 0.0).any():
                self._transition.begin(self._shown, pose, SECONDS)
            self._between = between
        else:
            pose, self._between = after if weight > 0.0 else before, None
        if at_once:
            self._transition.end()
            self._shown = self._pace.jumped(before, pose)
        else:
            self._shown = self._pace.held(before, self._transition.smoothed(pose, seconds), seconds)
        return self._shown

    @property
    def over(self) -> bool:
        """Whether the layer is felt as a whole again, and stays so."""
        return (
            self.fade.weight >= 1.0
            and self.fade.end >= 1.0
            and not (self._transition.active or self._pace.lags)
        )


def _short(before: Pose, after: Pose) -> Float[np.ndarray, "joints 4"]:
    """What turns one pose's joints into another's, the short way."""
    between = quat.multiply(quat.conjugate(before.rotations), after.rotations)
    return between * np.where(between[:, :1] < 0.0, -1.0, 1.0)
