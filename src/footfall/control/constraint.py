"""Points of the body kept where they are told, whatever the layers before did ([body] 7)."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite

import numpy as np
from jaxtyping import Float

from footfall.control.correction import Correction
from footfall.control.tick import Tick
from footfall.control.told_numbers import finite_numbers
from footfall.control.transition import PEAK
from footfall.errors import RequestError
from footfall.figure.pose import Pose
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat
from footfall.geometry.easing import smooth
from footfall.ik.full_body import LOOSENESS, FullBodyIK, Goal

EASES = 0.3  # s in which a hold begins, and ends
ROUNDS = 12
# rad that a joint turns in one round towards the pose of the layers before: 5 degrees a frame ([body] 5.2).
# More would win over goals out of reach, whose steps are small, and would make the body shake.
SHARPEST = np.radians(5.0) / 4.7
REMARKS = 20
MISSES = 0.001  # m, rad: what is missed by more is said
SPARE = 1.12  # the last layer may go so much faster than those before, on which it stands
STANDING = -1  # the level of feet that are not held
LONGEST = 0.9  # s in which a hold begins that nobody reaches
FASTEST, TURN = 1.0, 2.0  # m/s, rad/s: so fast a hold brings a point to its place, or turns it


@dataclass(eq=False)
class _Hold:
    """One point: where it is held, and how far the hold has begun."""

    joint: int
    position: Float[np.ndarray, "3"] | None
    orientation: Float[np.ndarray, "4"] | None
    point: Float[np.ndarray, "3"]
    level: int
    begun: float = 0.0  # of the way from where the body has it to where it is held
    ends: bool = False
    lasts: float = EASES  # s in which the hold begins, and ends: longer where it is far from the body's place


@dataclass(frozen=True)
class ConstraintStatus:
    """What is held, and by how much it is missed now, m or rad."""

    missed: Mapping[str, float] = field(default_factory=dict)


class ConstraintController:
    """The last layer: `hold` keeps a joint, `release` lets it go, both eased.

    >>> keep = ConstraintController(skeleton)
    >>> keep.hold("left_hand", position=(0.3, 0.9, 0.4))
    >>> walker = Character(skeleton, [gait, gaze, keep])

    The rest of the body is as near as can be to what the layers before made of it. Unless `feet` is False,
    feet stay as these have them, and before all else.
    """

    name = "constraint"

    def __init__(
        self,
        skeleton: Skeleton,
        *,
        looseness: Mapping[str, float] = LOOSENESS,
        root: float = 0.1,
        feet: bool = True,
    ) -> None:
        self.skeleton = skeleton
        self._feet = [skeleton.joint(f"{side}_foot") for side in skeleton.sides] if feet else []
        self.ik = FullBodyIK(skeleton, looseness=looseness, root=root)
        self.remarks: deque[str] = deque(maxlen=REMARKS)
        self._holds: dict[str, _Hold] = {}
        self._turned: Float[np.ndarray, "joints 4"] | None = None  # what was added in the last frame
        self._moved = np.zeros(3)
        self._correction = Correction(skeleton, spare=SPARE)
        from footfall.ik.added_turns_kernel import turn_on, turns_between

        self._turn_on, self._turns_between = turn_on, turns_between
        self.status = ConstraintStatus()

    def __repr__(self) -> str:
        return f"ConstraintController({', '.join(self._holds) or 'holds nothing'})"

    def hold(
        self,
        role: str,
        *,
        position: object = None,
        orientation: object = None,
        point: object = (0.0, 0.0, 0.0),
        level: int = 0,
    ) -> None:
        """Keeps a point of a joint at a place, or its turn, or both; told again, the place is new.

        It begins in `EASES` seconds, or more where the place is far away; so does another place.
        """
        if not self.skeleton.has(role):
            raise RequestError(f"the figure has no {role!r:.40} to hold")
        if position is None and orientation is None:
            raise RequestError("to hold something needs a position or an orientation")
        if isinstance(level, bool) or not isinstance(level, (int, np.integer)):
            raise RequestError(f"a level is a whole number, 0 first, not {level!r:.40}")
        before = self._holds.get(role)
        self._holds[role] = _Hold(
            self.skeleton.joint(role),
            None if position is None else finite_numbers(position, "position", 3),
            None if orientation is None else quat.normalize(finite_numbers(orientation, "orientation", 4)),
            finite_numbers(point, "point", 3),
            int(level),
            0.0 if before is None else before.begun,
        )

    def follow(
        self, role: str, position: Float[np.ndarray, "3"], orientation: Float[np.ndarray, "4"]
    ) -> None:
        """The same for a place that is new in every frame, of numbers that are known to be sound."""
        held = self._holds.get(role)
        if held is None or held.ends:
            self.hold(role, position=position, orientation=orientation)
        else:
            held.position, held.orientation = position, orientation

    def release(self, role: str) -> None:
        """Lets a joint go; nothing where it is not held."""
        if role in self._holds:
            self._holds[role].ends = True

    def update(self, tick: Tick) -> Pose:
        """The pose with all that is held in its place. Never raises."""
        self._ease(tick.dt)
        if not self._holds:
            self._turned, self.status = None, ConstraintStatus()
            return self._correction.eased(tick.pose, tick.pose, tick.dt)
        try:
            return self._correction.eased(tick.pose, self._held(tick.pose), tick.dt)
        except (ValueError, FloatingPointError, np.linalg.LinAlgError) as error:
            if (said := f"nothing is held: {error}") not in self.remarks:
                self.remarks.append(said)
            if not isfinite(tick.pose.root.sum() + tick.pose.rotations.sum()):
                return tick.pose
            return self._correction.eased(tick.pose, tick.pose, tick.dt)

    def _ease(self, dt: float) -> None:
        for role in tuple(self._holds):
            hold = self._holds[role]
            hold.begun = min(max(hold.begun + (-dt if hold.ends else dt) / hold.lasts, 0.0), 1.0)
            if hold.ends and hold.begun <= 0.0:
                del self._holds[role]

    def _held(self, pose: Pose) -> Pose:
        places, turns = self.ik.placed(pose)
        roles, goals = list(self._holds), [self._goal(hold, places, turns) for hold in self._holds.values()]
        told = {hold.joint for hold in self._holds.values()}
        feet = [Goal(j, places[j], turns[j], level=STANDING) for j in self._feet if j not in told]
        goals += feet
        start = pose
        if self._turned is not None:  # what was added a moment ago is about what is needed now
            rotations = np.empty(pose.rotations.shape)
            self._turn_on(pose.rotations, self._turned, rotations)
            start = Pose.sound(pose.root + self._moved, rotations)
        solved = self.ik.solve(start, goals, rather=pose, rounds=ROUNDS, sharpest=SHARPEST, live=True)
        stands, _ = self.ik.planted(solved.pose, feet)
        if not isfinite(stands.root.sum() + stands.rotations.sum()):
            self._turned = None  # the next frame begins anew
            raise ValueError("the solver found no numbers")
        self._turned, self._moved = np.empty(pose.rotations.shape), stands.root - pose.root
        self._turns_between(pose.rotations, stands.rotations, self._turned)
        self.status = ConstraintStatus(dict(zip(roles, solved.missed.tolist(), strict=False)))
        for role, missed in self.status.missed.items():
            said = f"{role} is not where it is held"
            if missed > MISSES and self._holds[role].begun >= 1.0 and said not in self.remarks:
                self.remarks.append(said)
        return stands

    def _goal(
        self, hold: _Hold, places: Float[np.ndarray, "joints 3"], turns: Float[np.ndarray, "joints 4"]
    ) -> Goal:
        """Where a point should be now: on its way from where the layers before have it ([body] 5.2)."""
        if hold.begun >= 1.0:
            return Goal(hold.joint, hold.position, hold.orientation, hold.point, hold.level)
        share = float(smooth(hold.begun))
        position = orientation = None
        hold.lasts = EASES
        if hold.position is not None:
            here = places[hold.joint] + quat.rotate(turns[hold.joint], hold.point)
            position = here + share * (hold.position - here)
            hold.lasts = max(
                hold.lasts, min(PEAK * float(np.linalg.norm(hold.position - here)) / FASTEST, LONGEST)
            )
        if hold.orientation is not None:
            orientation = quat.slerp(turns[hold.joint], hold.orientation, share)
            angle = float(quat.angle_between(turns[hold.joint], hold.orientation))
            hold.lasts = max(hold.lasts, PEAK * angle / TURN)
        return Goal(hold.joint, position, orientation, hold.point, hold.level)
