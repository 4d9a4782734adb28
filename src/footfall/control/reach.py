"""Reaching: a layer that brings hands to places, on whatever pose the layers before it give ([body] 5)."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from math import atan2, isfinite
from operator import attrgetter
from types import MappingProxyType

import numpy as np
from jaxtyping import Float

from footfall.control.correction import Correction
from footfall.control.pace import Tempo
from footfall.control.reach_arm import ReachingArm
from footfall.control.reach_bringing import Bringing
from footfall.control.reach_frame import Frame, length_of
from footfall.control.reach_wishes import read_wishes
from footfall.control.tick import Tick, sound_seconds
from footfall.errors import FootfallError, RequestError
from footfall.figure.pose import Pose
from footfall.figure.roles import SIDES
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat
from footfall.ik.full_body import FullBodyIK, Goal
from footfall.models.reach.bring import FEET, HANDS, TURNS, missed_by, reach_ik
from footfall.models.reach.model import ReachLibrary
from footfall.models.reach.reach_set import POSTURES
from footfall.validation import one_of

REMARKS = 20
SPARE = 1.1  # times as fast as people hardly ever exceed: reaches slow down before
THERE = 1e-3  # m: a hand so near is on its target
ORDER = ("to", "on", "back", "rest")  # of two hands, the stage that is told


@dataclass(frozen=True)
class HandStatus:
    """What one hand is doing: its stage (rest, to, on, back), what it misses its target by, and when it is
    there.
    """

    stage: str
    missed: float  # m from the target now; 0 at rest
    arrived: bool
    seconds_to_arrive: float
    says: str  # in words


class ReachController:
    """Brings either hand, or both, to places in the world and back again.

    >>> reaching = ReachController(library)
    >>> figure = Character(library.skeleton, [idle, reaching])
    >>> reaching.reach((0.2, 1.1, 0.5), hand="left")

    A target may be told again at any time: one that moves is followed, to another the hand goes over without
    a rest between. Feet stay as the layers before have them. `posture` is "standing" or "sitting", as these
    layers have the figure.
    """

    name = "reach"

    def __init__(
        self, model: ReachLibrary, skeleton: Skeleton | None = None, *, posture: str = "standing"
    ) -> None:
        if not isinstance(model, ReachLibrary):
            raise RequestError(f"a reach needs a ReachLibrary, not {type(model).__name__}")
        if skeleton is not None and not model.skeleton.same_bones(skeleton):
            raise RequestError("the reach library is of another figure: retarget its clips first")
        self.model, self.skeleton = model, model.skeleton
        self.remarks: deque[str] = deque(maxlen=REMARKS)
        self._arms: dict[tuple[str, str], ReachingArm] = {}
        self._active: dict[str, ReachingArm] = {}
        self._bringing = Bringing()
        self._correction, self._tempo = Correction(model.skeleton, spare=SPARE), Tempo()
        self._thighs = [self.skeleton.joint(f"{side}_thigh") for side in SIDES]
        self._hips = self.skeleton.joint("hips")
        self._feet = [self.skeleton.joint(f"{side}_foot") for side in self.skeleton.sides]
        first = model.sets[0].examples[0].motion
        self._ankle = float(first.positions[0, self._feet, 1].mean())  # m over the ground
        self._missed: dict[str, float] = dict.fromkeys(SIDES, 0.0)
        self.posture = posture

    def __repr__(self) -> str:
        told = ", ".join(f"{side} {status.says}" for side, status in self.status.items())
        return f"ReachController({self.posture}: {told})"

    @property
    def posture(self) -> str:
        return self._posture

    @posture.setter
    def posture(self, posture: str) -> None:
        if posture not in POSTURES:
            raise RequestError(f"a posture is {' or '.join(POSTURES)}, not {posture!r:.40}")
        if not any(f"{side}_{posture}" in self.model.by_name for side in SIDES):
            raise RequestError(f"the model has no reaches {posture}; it has {', '.join(self.model.by_name)}")
        self._posture = posture

    # what it is asked

    def reach(
        self,
        target: object,
        *,
        hand: str = "right",
        orientation: object = None,
        point: object = None,
    ) -> None:
        """A place in the world for the palm of a hand, or places for both: {"left": ..., "right": ...}.

        `orientation` is how the hand should be turned in the world (w, x, y, z), `point` another point of the
        hand than the palm, in its frame; for both hands each a mapping too.
        """
        wishes = read_wishes(target, hand=hand, orientation=orientation, point=point)
        arms = {side: self._arm(side) for side in wishes}
        for side, wish in wishes.items():  # all of them are sound
            arms[side].reach(wish.place, wish.turn, wish.point)
            self._active[side] = arms[side]

    def let_go(self, hand: str | None = None) -> None:
        """Back to rest: one hand, or both where none is named."""
        if hand is not None:
            one_of(hand, SIDES, "hand")
        for side, arm in self._active.items():
            if hand in (None, side):
                arm.let_go()

    back = let_go

    def _arm(self, side: str) -> ReachingArm:
        key = side, self.posture
        if key not in self._arms:
            self._arms[key] = ReachingArm(self.model.set_of(*key))
        before = self._active.get(side)
        if before is not None and before is not self._arms[key] and before.busy:
            raise RequestError(f"the {side} hand is still reaching {before.set.posture}: let it go first")
        return self._arms[key]

    # what it knows of itself

    @property
    def active(self) -> list[str]:
        """Hands that reach, are there or go back."""
        return [side for side, arm in self._active.items() if arm.stage != "rest"]

    @property
    def status(self) -> Mapping[str, HandStatus]:
        """By hand."""
        return MappingProxyType({side: self._status(side) for side in SIDES})

    def _status(self, side: str) -> HandStatus:
        arm = self._active.get(side)
        if arm is None or arm.stage == "rest":
            return HandStatus("rest", 0.0, False, 0.0, "at rest")
        missed = self._missed[side]
        arrived = arm.on_target and missed <= THERE
        says = {"to": "on its way", "back": "on its way back", "on": "on the target"}[arm.stage]
        if arm.on_target and not arrived:
            says = f"as near as it comes, {missed:.3f} m away"
        return HandStatus(arm.stage, missed, arrived, arm.seconds_to_arrive, says)

    @property
    def stage(self) -> str:
        """Of the busier hand."""
        return min((s.stage for s in self.status.values()), key=ORDER.index)

    @property
    def arrived(self) -> bool:
        """Whether every hand that reaches is on its target."""
        asked = [s for s in self.status.values() if s.stage in ("to", "on")]
        return bool(asked) and all(s.arrived for s in asked)

    @property
    def missed(self) -> float:
        """The most that a hand is from its target, m."""
        return max(s.missed for s in self.status.values())

    @property
    def seconds_to_arrive(self) -> float:
        return max(s.seconds_to_arrive for s in self.status.values())

    # time

    def update(self, tick: Tick) -> Pose:
        """The pose with hands on their ways. Never raises."""
        pose = tick.pose
        if not self._active and self._bringing.at_rest:
            return self._correction.eased(pose, pose, tick.dt)
        if pose.rotations.shape != (len(self.skeleton), 4) or pose.translations is not None:
            self._remark("the pose that came in is of another figure: it was passed on")
            return pose
        if not isfinite(float(pose.root.sum()) + float(pose.rotations.sum())):
            self._remark("the pose that came in is not made of numbers: it was passed on")
            return pose
        try:
            seconds = sound_seconds(tick.dt)
            made = self._reached(pose, self._tempo.rate * seconds)
            if not isfinite(float(made.root.sum()) + float(made.rotations.sum())):
                self._bringing = Bringing()  # the next frame begins anew
                raise ValueError("the solver found no numbers")
            shown = self._correction.eased(pose, made, seconds)
            self._tempo.after(self._correction.haste, seconds)
            return shown
        except (
            FootfallError,
            ValueError,
            FloatingPointError,
            ArithmeticError,
            np.linalg.LinAlgError,
        ) as error:
            self._remark(f"nothing is reached: {error}")
            return self._correction.eased(pose, pose, sound_seconds(tick.dt))

    def _reached(self, pose: Pose, seconds: float) -> Pose:
        sides = tuple(side for side in SIDES if side in self._active)
        ik = reach_ik(self.skeleton, sides or SIDES, self.posture)
        places, turns = ik.placed(pose)
        frame = self._frame(places)
        root, rotations = np.ascontiguousarray(pose.root), np.ascontiguousarray(pose.rotations)
        for side in sides:
            arm = self._active[side]
            arm.advance(seconds, frame)
            if arm.busy:
                arm.lay(root, rotations, frame)
            else:
                del self._active[side]
                self._missed[side] = 0.0
        arms = [self._active[side] for side in SIDES if side in self._active]
        if not arms:
            return self._bringing.let_go(pose, seconds)
        rather = _joined(arms)
        return self._brought(ik, rather, places, turns, arms)

    def _frame(self, places: Float[np.ndarray, "joints 3"]) -> Frame:
        """On the ground under the hips, heading across the hip line."""
        left, right = (places[joint].tolist() for joint in self._thighs)
        hips = places[self._hips].tolist()
        level = sum(float(places[joint, 1]) for joint in self._feet) / len(self._feet) - self._ankle
        heading = atan2(right[2] - left[2], left[0] - right[0])
        return Frame(np.array([hips[0], level, hips[2]]), heading)

    def _brought(
        self,
        ik: FullBodyIK,
        rather: Pose,
        places: Float[np.ndarray, "joints 3"],
        turns: Float[np.ndarray, "joints 4"],
        arms: list[ReachingArm],
    ) -> Pose:
        """Hands where they should be, feet where they were."""
        goals = [Goal(joint, places[joint], turns[joint], level=FEET) for joint in self._feet]
        asked = self._turns(rather, ik, arms)
        for arm in arms:
            goals.append(Goal(arm.joint, arm.aim, point=arm.point, level=HANDS))
            if arm.side in asked:
                goals.append(Goal(arm.joint, orientation=asked[arm.side], level=TURNS))
        # of two hands, first where both are, then how they are turned
        goals.sort(key=attrgetter("level"))
        solved = self._bringing.bring(ik, rather, goals)
        missed = missed_by(solved.missed.tolist(), goals)
        for arm in arms:
            self._tell(arm, missed[arm.joint])
        return solved.pose

    def _turns(self, rather: Pose, ik: FullBodyIK, arms: list[ReachingArm]) -> dict[str, np.ndarray]:
        """How hands should be turned now: on their way from what blending gives."""
        asked = [arm for arm in arms if arm.turn is not None]
        if not asked:
            return {}
        _, turns = ik.placed(rather)
        return {
            arm.side: quat.slerp(turns[arm.joint], arm.turn, arm.extent)  # type: ignore[arg-type]
            for arm in asked
        }

    def _tell(self, arm: ReachingArm, missed: float) -> None:
        """What is missed of the target, not of the way there; said once the hand should be there."""
        assert arm.target is not None
        # the solver tells the distance to the aim; the target may be farther, where the aim was cut short
        self._missed[arm.side] = missed + length_of(arm.target - arm.aim)
        if arm.on_target and self._missed[arm.side] > THERE and not arm.said:
            arm.said = True
            self.remarks.append(
                f"the {arm.side} hand cannot reach its target: it stays {self._missed[arm.side]:.3f} m away"
            )

    def _remark(self, words: str) -> None:
        if words not in self.remarks:
            self.remarks.append(words)


def _joined(arms: list[ReachingArm]) -> Pose:
    """One pose of two arms': each has its own arm, and a share of the body as far as it is out."""
    first = arms[0]
    if len(arms) == 1:
        return Pose.sound(first.root.copy(), first.rotations.copy())
    from footfall.control.reach_kernel import mix_poses

    second = arms[1]
    total = first.extent + second.extent
    share = 0.5 if total < 1e-9 else second.extent / total
    shares = np.where(first.of_arm > 0.0, 0.0, np.where(second.of_arm > 0.0, 1.0, share))
    root, rotations = np.empty(3), np.empty_like(first.rotations)
    mix_poses(first.root, first.rotations, second.root, second.rotations, shares, share, root, rotations)
    return Pose.sound(root, rotations)
