"""Hands brought to their places by inverse kinematics, feet kept before all else ([body] 5.2).

What blending makes is the pose that the body would rather have; hands are moved to where they should be on
top of that, by the whole body: legs, trunk and the arms that reach.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np
from jaxtyping import Float

from footfall.figure.roles import SIDES
from footfall.figure.skeleton import Skeleton
from footfall.ik.full_body import LOOSENESS, FullBodyIK, Goal

FEET, HANDS, TURNS = 0, 1, 2  # levels: feet first, then where hands are, then how they are turned
ARM = ("clavicle", "upper_arm", "forearm", "hand")
ROOT = {"standing": 0.15, "sitting": 0.0}  # m that the root moves as easily as a joint turns by a radian
STIFFER = {  # of one who sits: the seat bears the hips, the trunk does the rest
    "sitting": {"hips": 0.0, "thigh": 0.3, "shank": 0.3, "foot": 0.3},
    "standing": {},
}
AN_UPDATE = np.radians(5.0)  # by how much joints turn towards the blended pose, [body] 5.2
SUM_OF_ROUNDS = 2.7  # what the shares of that come to which six rounds of one update take


@lru_cache(maxsize=16)
def reach_ik(skeleton: Skeleton, sides: tuple[str, ...], posture: str) -> FullBodyIK:
    """For arms that reach; an arm that does not is left as it is."""
    own: dict[str, float] = dict(LOOSENESS) | STIFFER[posture]
    for side in SIDES:
        if side not in sides:
            own |= {f"{side}_{part}": 0.0 for part in ARM}
    return FullBodyIK(skeleton, looseness=own, root=ROOT[posture])


def foot_goals(
    skeleton: Skeleton, places: Float[np.ndarray, "joints 3"], turns: Float[np.ndarray, "joints 4"]
) -> list[Goal]:
    """Feet as they are."""
    joints = [skeleton.joint(f"{side}_foot") for side in skeleton.sides]
    return [Goal(j, places[j], turns[j], level=FEET) for j in joints]


def hand_goals(
    skeleton: Skeleton,
    places: Mapping[str, Float[np.ndarray, "3"]],
    points: Mapping[str, Float[np.ndarray, "3"]],
    turns: Mapping[str, Float[np.ndarray, "4"]],
) -> list[Goal]:
    """Points of hands at places; where a hand has a turn too, that comes after the place."""
    goals = []
    for side, place in places.items():
        joint = skeleton.joint(f"{side}_hand")
        goals.append(Goal(joint, place, point=points[side], level=HANDS))
        if side in turns:
            goals.append(Goal(joint, orientation=turns[side], level=TURNS))
    return goals


def missed_by(solved: Sequence[float], goals: Sequence[Goal]) -> dict[int, float]:
    """By the joints of hands, how far each is from its place, m."""
    return {g.joint: float(m) for g, m in zip(goals, solved, strict=True) if g.level == HANDS}
