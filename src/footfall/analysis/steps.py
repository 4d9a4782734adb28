"""Steps: a swing of one foot from one plant to its next, the other foot supporting, with its parameters.

A step runs from the middle of one double support to the middle of the next ([movements] 7). Its ten
parameters of S_high ([stepping] 4.1), the seven of the general step ([movements] 7) and the speeds of
locomotion ([body] 3) are all measured here, in our axes: x to the left, z forward.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from jaxtyping import Float

from footfall.analysis.facing import locomotion, root_headings, trunk_headings
from footfall.analysis.plants import Plant
from footfall.figure.motion import Motion
from footfall.geometry import ground
from footfall.geometry import quaternion as quat

FORWARD_WITHIN = np.radians(45.0)
BACKWARD_BEYOND = np.radians(135.0)
CROSSED = 0.02  # m by which the left foot must be right of the right one
SUPPORTED = 0.16  # of a swing: runs have 0.23 and more, the feet of a jump leave and land within 0.10


@dataclass(frozen=True, eq=False)
class Step:
    """One step. Times are frames; places and angles are as the papers define them, in our axes."""

    foot: str  # the swing foot
    origin: Plant  # where it stood
    target: Plant  # where it comes to stand
    support: Plant  # of the other foot
    keytimes: tuple[int, int, int, int]  # start, toe-off, heel-strike, end
    kind: str  # forward, backward, side or cross
    high: Float[np.ndarray, "10"]  # x1, z1, x2, z2, theta1, theta2, t_stance1, t_stance2, t_swing, t_support
    general: Float[np.ndarray, "7"]  # feet vector at start, at end (root's frame), turn
    velocity: tuple[float, float, float]  # m/s forward, rad/s, m/s to the left
    clearance: float  # m: how high the toe rises over the higher of its two plants

    @property
    def length(self) -> float:
        """Step length: from the support foot to where this foot lands, along the ground."""
        return float(np.linalg.norm((self.target.position - self.support.position)[[0, 2]]))

    @property
    def travel(self) -> Float[np.ndarray, "3"]:
        """From this foot's plant to its next (a stride), measured at the toe."""
        return self.target.toe - self.origin.toe

    @property
    def rise(self) -> float:
        return float(self.target.level - self.origin.level)


HIGH_NAMES = ("x1", "z1", "x2", "z2", "theta1", "theta2", "stance1", "stance2", "swing", "support")


def detect_steps(motion: Motion, plants: tuple[Plant, ...]) -> tuple[Step, ...]:
    """All steps in the order in which their feet lift. A jump, where nothing supports, is no step."""
    if not motion.skeleton.has("hips") or len(motion) < 3:
        return ()
    headings = root_headings(motion), trunk_headings(motion)
    steps = []
    for foot, other in (("left", "right"), ("right", "left")):
        own = [p for p in plants if p.foot == foot]
        others = [p for p in plants if p.foot == other]
        for origin, target in pairwise(own):
            support = _support(origin, target, others)
            if support is not None:
                steps.append(_step(motion, headings, origin, target, support))
    return tuple(sorted(steps, key=lambda s: s.keytimes[1]))


def _support(origin: Plant, target: Plant, others: list[Plant]) -> Plant | None:
    """The other foot's plant that shares most of the swing; None where the body jumps."""

    def shared(plant: Plant) -> int:
        return min(plant.end, target.start) - max(plant.start, origin.end)

    # plants of one foot follow each other: those that reach into the swing lie side by side
    first = bisect_right(others, origin.end, key=lambda p: p.end)
    last = bisect_left(others, target.start, key=lambda p: p.start)
    best = max(others[first:last], key=shared, default=None)
    enough = max(SUPPORTED * (target.start - origin.end), 1)
    return best if best is not None and shared(best) >= enough else None


def _step(
    motion: Motion,
    headings: tuple[Float[np.ndarray, "frames"], Float[np.ndarray, "frames"]],
    origin: Plant,
    target: Plant,
    support: Plant,
) -> Step:
    facing, trunk = headings
    keytimes = _keytimes(origin, target, support, len(motion))
    start, off, strike, end = keytimes
    return Step(
        foot=origin.foot,
        origin=origin,
        target=target,
        support=support,
        keytimes=keytimes,
        kind=_kind(origin, target, support, float(trunk[(off + strike) // 2])),
        high=_high(origin, target, support, motion.fps),
        general=_general(origin, target, support, facing[start], facing[end]),
        velocity=locomotion(motion, facing, start, end),
        clearance=_clearance(motion, origin, target),
    )


def _keytimes(origin: Plant, target: Plant, support: Plant, frames: int) -> tuple[int, int, int, int]:
    """Middle of the double support before, toe-off, heel-strike, middle of the double support after.

    In a run the feet never stand together: a step then lasts from toe-off to heel-strike.
    """
    off, strike = origin.end, target.start
    start = (max(origin.start, support.start) + off) // 2
    end = (strike + min(target.end, support.end)) // 2
    return max(min(start, off), 0), off, strike, min(max(end, strike), frames - 1)


def _local(place: Float[np.ndarray, "3"], frame: Plant, heading: float) -> Float[np.ndarray, "3"]:
    return quat.rotate(ground.turn(-heading), place - frame.position)


def _high(origin: Plant, target: Plant, support: Plant, fps: float) -> Float[np.ndarray, "10"]:
    """In the support foot's frame: origin at its subtalar, z along it ([stepping] 4.1)."""
    first = _local(origin.position, support, support.heading)
    second = _local(target.position, support, support.heading)
    turns = [float(ground.wrap(p.heading - support.heading)) for p in (origin, target)]
    stances = [(p.end - p.start) / fps for p in (origin, target)]
    swing, supported = (target.start - origin.end) / fps, (support.end - support.start) / fps
    return np.array([first[0], first[2], second[0], second[2], *turns, *stances, swing, supported])


def _general(
    origin: Plant, target: Plant, support: Plant, start_heading: float, end_heading: float
) -> Float[np.ndarray, "7"]:
    """From the fixed foot to the moving one in the root's frame at start and end, and the turn between."""
    before = _local(origin.position, support, start_heading)
    after = _local(target.position, support, end_heading)
    return np.array([*before, *after, end_heading - start_heading])


def _kind(origin: Plant, target: Plant, support: Plant, trunk: float) -> str:
    """From where the foot travels against the trunk; a side step that begins or ends crossed is a cross."""
    travel = quat.rotate(ground.turn(-trunk), target.toe - origin.toe)
    away = abs(float(ground.heading_of(travel)))
    if away < FORWARD_WITHIN:
        return "forward"
    if away > BACKWARD_BEYOND:
        return "backward"
    left_is = 1.0 if origin.foot == "left" else -1.0
    crossed = any(
        left_is * quat.rotate(ground.turn(-trunk), p.position - support.position)[0] < -CROSSED
        for p in (origin, target)
    )
    return "cross" if crossed else "side"


def _clearance(motion: Motion, origin: Plant, target: Plant) -> float:
    """How far the toe rises over the higher of its two plants."""
    from footfall.figure.soles import toe_places

    path = toe_places(motion, origin.foot)[origin.end : target.start + 1, 1]
    return float(path.max(initial=-np.inf) - max(origin.toe[1], target.toe[1])) if len(path) else 0.0
