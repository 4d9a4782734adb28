"""Whether a limb passes through the body: capsules about a figure's bones, and how deep they overlap.

Radii are those of lean people, so that what touches lightly in the flesh does not count. Parts that meet in a
joint are not compared, nor are thighs with the belly that they press in a squat.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from jaxtyping import Float, Int

from footfall.errors import RequestError
from footfall.figure.frozen import frozen_array
from footfall.figure.kinematics import attached
from footfall.figure.motion import Motion
from footfall.figure.naming import FINGERS
from footfall.figure.roles import SIDES
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat
from footfall.geometry.ground import FORWARD, LEFT, UP

Points = Float[np.ndarray, "*batch 3"]

# Radii as shares of leg length (thigh and shank: 0.86 m of a person of 1.75 m)
PELVIS, LOWER_TRUNK, CHEST, NECK, HEAD = 0.108, 0.108, 0.112, 0.055, 0.100
UPPER_ARM, FOREARM, HAND = 0.049, 0.040, 0.034
THIGH, CALF, ANKLE, FOOT = 0.072, 0.055, 0.039, 0.039
# Lengths as shares of leg length
CHEST_HALF = 0.060  # of the line across, without its rounded ends
CHEST_DROP = 0.060  # of that line under the shoulders
PALM = 0.095  # from the wrist to the knuckles
SKULL = (0.080, 0.160)  # over the head joint: the ends of the skull's line
SKULL_FORWARD = 0.022
CALF_SHARE = 0.55  # of the shank, from the knee

TRUNK = ("pelvis", "lower_trunk", "chest", "neck", "head")
ARM, LEG = ("upper_arm", "forearm", "hand"), ("thigh", "shank", "foot")
CHUNK = 256  # frames at a time, so that intermediate arrays stay in the cache


@dataclass(frozen=True, eq=False)
class SelfContact:
    """How deep each pair of body parts overlaps at its deepest, over the frames of a motion."""

    pairs: tuple[tuple[str, str], ...]
    depths: Float[np.ndarray, "pairs"]  # m; negative is clearance
    frames: Int[np.ndarray, "pairs"]  # in which they are that deep

    def __post_init__(self) -> None:
        object.__setattr__(self, "depths", frozen_array(self.depths, "depths", shape=(len(self.pairs),)))
        frames = np.array(self.frames, dtype=np.int64)
        frames.flags.writeable = False
        object.__setattr__(self, "frames", frames)

    @property
    def depth_max_m(self) -> float:
        return float(self.depths.max())

    @property
    def pair(self) -> tuple[str, str]:
        """The two parts that overlap most, or come nearest to each other."""
        return self.pairs[int(self.depths.argmax())]

    @property
    def frame(self) -> int:
        return int(self.frames[self.depths.argmax()])

    def depth_of(self, first: str, second: str) -> float:
        """The deepest overlap of two parts, in either order."""
        for pair, depth in zip(self.pairs, self.depths, strict=True):
            if set(pair) == {first, second}:
                return float(depth)
        raise RequestError(f"{first!r} and {second!r} are not compared; see `pairs` for what is")


@dataclass(frozen=True, eq=False)
class Capsule:
    """All places within a radius of a line; its ends are fixed to joints."""

    part: str
    joints: tuple[int, int]
    ends: Float[np.ndarray, "2 3"]  # world places in the rest pose, the root at the origin
    radius: float  # m


def self_contact(motion: Motion) -> SelfContact:
    """The deepest overlap of every pair of parts that are not neighbours, over all frames."""
    if motion.root.ndim != 2 or not len(motion):
        raise RequestError(f"self contact needs one motion with frames, not one of shape {motion.root.shape[:-1]}")
    capsules = list(body(motion.skeleton))
    index = [
        (i, j)
        for i, j in combinations(range(len(capsules)), 2)
        if compared(capsules[i].part, capsules[j].part)
    ]
    if not index:
        raise RequestError("no two parts of this figure can be compared; at least two limbs must be known")
    depths = _depths(motion, capsules, np.array(index))
    frames = depths.argmax(axis=0)
    return _by_parts(capsules, index, depths[frames, np.arange(len(index))], frames)
