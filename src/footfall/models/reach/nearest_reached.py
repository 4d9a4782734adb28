"""The place nearest to one out of reach that hands get to, with feet where they stand.

Inverse kinematics that is asked for more than a body can do never comes to rest: round after round it goes
beyond, and comes back. Here hands go towards the place in short steps, each from the pose before, and only as
long as they come nearer and feet stay.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.figure import kinematics
from footfall.figure.pose import Pose
from footfall.geometry.decisions import clearly_less
from footfall.models.reach.bring import FEET, foot_goals, hand_goals, reach_ik
from footfall.models.reach.reach_set import APEX, ReachSet

STEP, SHORTEST = 0.1, 1e-3  # m of a step: at first, and where the search ends
WORTH = 0.25  # of a step, by which it must come nearer
STAYS = 1e-3  # m that a foot may miss its place
ROUNDS = 40  # of inverse kinematics for each step
TIMES = 3  # that the search begins: nearer to the place other examples are blended

Hands = Float[np.ndarray, "hands 3"]


def nearest_reached(own: ReachSet, position: Float[np.ndarray, "3"]) -> Float[np.ndarray, "3"]:
    """Where the palm (of two the middle) can be that is nearest to a position.

    Args:
        own: The reaches of a hand, or of both.
        position: Where the palm should be, in the figure's frame, m.

    Returns:
        The nearest place found; the position itself, to a millimetre, where it can be reached.
    """
    best = _approached(own, position, position)
    for _ in range(TIMES - 1):
        found = _approached(own, best, position)
        if not clearly_less(_away(found, position), _away(best, position)):
            break
        best = found
    return best


def palms_of(
    own: ReachSet, root: Float[np.ndarray, "frames 3"], rotations: Float[np.ndarray, "frames joints 4"]
) -> Float[np.ndarray, "frames hands 3"]:
    """Where palms are in each frame."""
    skeleton = own.skeleton
    world = kinematics.forward(skeleton.tree, skeleton.offsets, root, rotations)
    return kinematics.attached(*world, own.hand_joints, own.palms)


def _approached(
    own: ReachSet, example: Float[np.ndarray, "3"], position: Float[np.ndarray, "3"]
) -> Float[np.ndarray, "3"]:
    """Where hands come to that go towards a position from the blended reach to another."""
    roots, rotations = own.tables.blend(own.scheme(example), np.array([0.0, APEX]))
    ik = reach_ik(own.skeleton, own.sides, own.posture)
    feet = foot_goals(own.skeleton, *ik.placed(Pose(roots[0], rotations[0])))
    rather = Pose(roots[1], rotations[1])
    points = dict(zip(own.sides, own.palms, strict=True))

    def solved(pose: Pose, hands: Hands | None) -> tuple[Pose, bool]:
        goals = list(feet)
        if hands is not None:
            goals += hand_goals(own.skeleton, dict(zip(own.sides, hands, strict=True)), points, {})
        found = ik.solve(pose, goals, rather=rather, rounds=ROUNDS)
        missed = [m for m, goal in zip(found.missed, goals, strict=True) if goal.level == FEET]
        return found.pose, max(missed) <= STAYS

    def hands_of(pose: Pose) -> Hands:
        return palms_of(own, pose.root[None], pose.rotations[None])[0]

    pose, _ = solved(rather, None)
    hands, step = hands_of(pose), STEP
    while step > SHORTEST:
        here = hands.mean(axis=0)
        away = _away(here, position)
        if away <= SHORTEST:
            break
        far = min(step, away)
        tried, stays = solved(pose, hands + far / away * (position - here))
        there = hands_of(tried)
        if stays and clearly_less(_away(there.mean(axis=0), position), away - WORTH * far):
            pose, hands = tried, there
        else:
            step *= 0.5
    return np.asarray(hands.mean(axis=0))


def _away(one: Float[np.ndarray, "3"], other: Float[np.ndarray, "3"]) -> float:
    return float(np.linalg.norm(one - other))
