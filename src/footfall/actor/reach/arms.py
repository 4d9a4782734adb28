"""Arms that end exactly where they should: two-link arms whose wrists keep their bend.

What touches (a finger tip, the palm) is fixed in the hand's frame, and so in the forearm's while the wrist
keeps its bend: upper arm, and forearm with all that follows, are two links that end in the touching point.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from jaxtyping import Bool, Float

from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat
from footfall.ik.two_link import arm_of, solve_two_link


def solve_arm(
    skeleton: Skeleton,
    side: str,
    chest: tuple[Float[np.ndarray, "n 3"], Float[np.ndarray, "n 4"]],
    turns: Mapping[str, Float[np.ndarray, "n 4"]],
    point: Float[np.ndarray, "3"],
    target: Float[np.ndarray, "n 3"],
) -> tuple[dict[str, Float[np.ndarray, "n 4"]], Bool[np.ndarray, "n"]]:
    """Local rotations of upper arm and forearm that bring `point` (in the hand's frame) to `target`.

    `chest` is where the chest's joint is and how it is turned; `turns` are the arm's local rotations before:
    the elbow goes on bending in their plane. Also whether the target was near enough.
    """
    roles = [f"{side}_{part}" for part in ("clavicle", "upper_arm", "forearm", "hand")]
    place, turn = chest
    places, worlds = [], []
    for role in roles:
        place = place + quat.rotate(turn, skeleton.offsets[skeleton.joint(role)])
        turn = quat.multiply(turn, turns[role])
        places.append(place)
        worlds.append(turn)
    tip = place + quat.rotate(turn, point)
    positions = np.stack([places[1], places[2], tip], axis=-2)
    first, second, reached = solve_two_link(arm_of(skeleton, side), positions, worlds[1], target)
    upper, forearm = quat.multiply(first, worlds[1]), quat.multiply(second, worlds[2])
    solved = {
        roles[1]: quat.multiply(quat.conjugate(worlds[0]), upper),
        roles[2]: quat.multiply(quat.conjugate(upper), forearm),
    }
    return solved, reached
