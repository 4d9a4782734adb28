"""Full-body inverse kinematics: hands, feet or any points brought to places and turns, the rest as it was.

Goals have levels: those of level 0 are kept first, those of the next as far as these allow, and what all of
them leave open is used to be near a pose one would rather have. Joints stay within their limits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType

import numpy as np
from jaxtyping import Bool, Float, Int

from footfall.errors import NO_NUMBER, RequestError
from footfall.figure.joint_limits import limits_of
from footfall.figure.pose import Pose
from footfall.figure.skeleton import Skeleton
from footfall.ik.two_link import leg_of

# by how much each part of the body gives way, by role without its side; what is not named is stiff
LOOSENESS: Mapping[str, float] = MappingProxyType(
    {
        "hips": 0.3,
        "spine": 0.35,
        "chest": 0.35,
        "clavicle": 0.35,
        "upper_arm": 1.0,
        "forearm": 1.0,
        "hand": 0.6,
        "thigh": 0.8,
        "shank": 0.9,
        "foot": 0.7,
    }
)
ROOT = 0.25  # m that the root moves as easily as a joint turns by a radian
A_RADIAN = 0.2  # m: what a turn that is missed counts as
DAMPING, FARTHEST, SHARPEST, MOST_TURN = 0.004, 0.15, np.radians(5.0), 0.35
CLOSE = 1e-4  # m, rad
# Squared damping per squared error: in live poses of all of it, else of what one round asks for. With 2 and 3
# a difference of 1e-12 m in the input stays below 1e-8 m for 6 s of impossible goals; with 1 it grows to
# 0.01 m, with 0 to 0.4 m.
ERROR_DAMPING = 3.0
ROUNDS = 40
STIFF = 1e-3
ORIGIN = np.zeros(3)
ORIGIN.flags.writeable = False
IN_ORDER: list[int] = []  # goals that come by their levels


@dataclass(frozen=True, eq=False)
class Goal:
    """Where a point of a joint should be, how the joint should be turned in the world, or both."""

    joint: int
    position: Float[np.ndarray, "3"] | None = None
    orientation: Float[np.ndarray, "4"] | None = None
    point: Float[np.ndarray, "3"] = field(default_factory=lambda: ORIGIN)  # in the joint's frame
    level: int = 0

    def __post_init__(self) -> None:
        if self.position is None and self.orientation is None:
            raise RequestError("a goal needs a position or an orientation")


@dataclass(frozen=True, eq=False)
class Solved:
    """The pose that was found, and what each goal still misses: m or rad, whichever is more."""

    pose: Pose
    missed: Float[np.ndarray, "goals"]
    rounds: int


class FullBodyIK:
    """For one figure. `looseness` tells by how much parts give way, by role or part (`LOOSENESS`).

    >>> ik = FullBodyIK(skeleton)
    >>> hand = Goal(skeleton.joint("right_hand"), position=target, level=1)
    >>> feet = [Goal(skeleton.joint(f"{side}_foot"), here[side], turned[side]) for side in ("left", "right")]
    >>> solved = ik.solve(pose, [*feet, hand])
    """

    def __init__(
        self, skeleton: Skeleton, *, looseness: Mapping[str, float] = LOOSENESS, root: float = ROOT
    ) -> None:
        self.skeleton, self.root = skeleton, _give_way("the root", root)
        limits = limits_of(skeleton)
        self._limits = (limits.before, limits.after, limits.twist, limits.swing, limits.sign)
        self.loose = _loose(skeleton, looseness)
        self.joints: Int[np.ndarray, "k"] = np.flatnonzero(self.loose > 0.0)
        if not len(self.joints):
            raise RequestError("no joint gives way: all of them have a looseness of 0")
        self._count = len(skeleton)
        self._own_loose = np.ascontiguousarray(self.loose[self.joints])
        self._parents = np.array(skeleton.parents, dtype=np.int64)
        self._legs = _legs(skeleton)
        self._offsets = np.ascontiguousarray(skeleton.offsets, dtype=float)
        self._above: Bool[np.ndarray, "joints k"] = np.array(
            [
                [bool(j in skeleton.tree.ancestors(joint)) for j in self.joints]
                for joint in range(len(skeleton))
            ]
        )

    def placed(self, pose: Pose) -> tuple[Float[np.ndarray, "joints 3"], Float[np.ndarray, "joints 4"]]:
        """World places and orientations of all joints, quickly."""
        from footfall.ik.effectors_kernel import place_joints

        places, turns = np.empty((self._count, 3)), np.empty((self._count, 4))
        root, rotations = np.ascontiguousarray(pose.root), np.ascontiguousarray(pose.rotations)
        place_joints(self._parents, self._offsets, root, rotations, places, turns)
        return places, turns

    def solve(
        self,
        pose: Pose,
        goals: Sequence[Goal],
        *,
        rather: Pose | None = None,
        rounds: int = ROUNDS,
        sharpest: float = SHARPEST,
        live: bool = False,
    ) -> Solved:
        """From a pose to one that meets its goals, as near as they allow to `rather` (the pose itself, else).

        With one round it is a small step that way: joints turn by `sharpest` at most towards `rather`.
        `live` is for poses that are solved frame after frame, each begun with the last result: what joints at
        their limits do not do is not left to others, and differences of rounding do not grow.
        """
        from footfall.ik.full_body_kernel import move_body

        order = _by_level(goals)
        wished = pose if rather is None else rather
        root, rotations = np.array(pose.root, dtype=float), np.array(pose.rotations, dtype=float)
        count = len(goals)
        missed, settings = np.zeros(count), _settings(sharpest, live)
        carriers, levels = np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64)
        points, places = np.empty((count, 3)), np.zeros((count, 3))
        turns, wants = np.zeros((count, 4)), np.zeros((count, 2))
        for row, goal in enumerate(goals if order is IN_ORDER else [goals[k] for k in order]):
            carriers[row], levels[row], points[row] = goal.joint, goal.level, goal.point
            if goal.position is not None:
                places[row], wants[row, 0] = goal.position, 1.0
            if goal.orientation is not None:
                turns[row], wants[row, 1] = goal.orientation, A_RADIAN
        done = move_body(
            self._parents,
            self._offsets,
            self._limits,
            self.joints,
            self._own_loose,
            self.root,
            self._above[carriers],
            carriers,
            points,
            places,
            turns,
            wants,
            levels,
            np.ascontiguousarray(wished.rotations, dtype=float),
            np.ascontiguousarray(wished.root, dtype=float),
            settings,
            rounds,
            root,
            rotations,
            missed,
        )
        if order is not IN_ORDER:
            missed[order] = missed.copy()
        return Solved(Pose.sound(root, rotations), missed, int(done))

    def planted(self, pose: Pose, goals: Sequence[Goal]) -> tuple[Pose, float]:
        """A pose with feet put exactly where goals have them, by their legs alone; the most one misses, m.

        Legs in closed form: what rounds leave over, where a leg is at its limits, they do not.
        """
        from footfall.ik.effectors_kernel import place_joints
        from footfall.ik.limb_kernel import put_limb

        places, turns = np.empty((len(self.skeleton), 3)), np.empty((len(self.skeleton), 4))
        rotations = np.array(pose.rotations, dtype=float)
        place_joints(self._parents, self._offsets, np.array(pose.root, dtype=float), rotations, places, turns)
        worst = 0.0
        for goal in goals:
            limb = self._legs.get(goal.joint)
            if limb is None or goal.position is None or goal.orientation is None:
                raise RequestError("only feet that are told a place and a turn are planted")
            missed = put_limb(
                self._parents,
                self._offsets,
                limb[0],
                limb[1],
                np.ascontiguousarray(goal.position, dtype=float),
                np.ascontiguousarray(goal.orientation, dtype=float),
                rotations,
                places,
                turns,
            )
            worst = max(worst, missed)
        return Pose.sound(pose.root, rotations), worst


@lru_cache(maxsize=64)
def _settings(sharpest: float, live: bool) -> Float[np.ndarray, "7"]:
    return np.array([DAMPING, FARTHEST, sharpest, MOST_TURN, CLOSE, ERROR_DAMPING, float(live)])


def _by_level(goals: Sequence[Goal]) -> list[int]:
    """The order of goals by their levels; `IN_ORDER` where they come so."""
    last = -np.inf
    for goal in goals:
        if goal.level < last:
            return sorted(range(len(goals)), key=lambda k: goals[k].level)
        last = goal.level
    return IN_ORDER


def _legs(skeleton: Skeleton) -> dict[int, tuple[Int[np.ndarray, "3"], Float[np.ndarray, "3"]]]:
    """By foot: the joints of its leg, and the axis of its knee."""
    found = {}
    for side in skeleton.sides:
        if skeleton.has(f"{side}_thigh", f"{side}_shank", f"{side}_foot"):
            leg = leg_of(skeleton, side)
            found[leg.end] = np.array([leg.upper, leg.middle, leg.end], dtype=np.int64), np.array(leg.axis)
    return found


def _give_way(what: str, value: object) -> float:
    try:
        found = float(value)  # type: ignore[arg-type]
    except NO_NUMBER:
        found = np.nan
    if not 0.0 <= found < np.inf:
        raise RequestError(f"the looseness of {what} must be a finite number of 0 or more, not {value!r:.40}")
    return found


def _loose(skeleton: Skeleton, looseness: Mapping[str, float]) -> Float[np.ndarray, "joints"]:
    """By joint. Joints of the spine between hips and chest have roles of their own or none: all are spine."""
    if not isinstance(looseness, Mapping):
        raise RequestError(f"looseness must be a mapping from roles to numbers, not {looseness!r:.40}")
    looseness = {role: _give_way(str(role), value) for role, value in looseness.items()}
    found = np.zeros(len(skeleton))
    if skeleton.has("hips", "chest"):
        spine = skeleton.tree.path(skeleton.joint("hips"), skeleton.joint("chest"))[1:-1]
        found[spine] = looseness.get("spine", 0.0)
    for role, joint in skeleton.roles.items():
        side, _, part = role.partition("_")
        given = looseness.get(role, looseness.get(part if side in skeleton.sides else role))
        if given is not None:
            found[joint] = given
    return found
