"""What reaches: a point of the palm, fixed in the hand's frame, where something that is grasped would be."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.errors import SkeletonError
from footfall.figure.skeleton import Skeleton
from footfall.ik.hand import hand_of

ON_THE_PALM = 0.9  # of the way from the wrist to the knuckles: where a hand takes things first (ik.grasp)


def palm_point(skeleton: Skeleton, side: str) -> Float[np.ndarray, "3"]:
    """In the hand's frame; the hand's joint itself where there are no fingers to tell a palm."""
    try:
        hand = hand_of(skeleton, side)
    except SkeletonError:
        skeleton.joint(f"{side}_hand")
        return np.zeros(3)
    return ON_THE_PALM * hand.palm_length * hand.along
