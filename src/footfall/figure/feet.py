"""Foot points: heel, subtalar, ball and toe tip, fixed in the foot joint's frame.

Skeletons seldom have a sole. By default these points come from the skeleton alone: the subtalar lies
straight below the ankle of the standing rest pose at the depth of the sole, heel and toe tip where
anthropometry puts them. `calibrate_feet` measures them from clips.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from footfall.figure.frozen import frozen_array
from footfall.geometry import quaternion as quat
from footfall.geometry.ground import FORWARD

if TYPE_CHECKING:
    from jaxtyping import Float

    from footfall.figure.skeleton import Skeleton

# Shares of leg length (thigh + shank), after Winter's segment table
ANKLE_HEIGHT = 0.08
HEEL_BEHIND_ANKLE = 0.07
BALL_BEFORE_ANKLE = 0.16
TOES_BEFORE_BALL = 0.08
# A skeleton's own sole is believed when it lies this deep under the ankle
SOLE_DEPTH_RANGE = (0.06, 0.14)
# Legs that lean outwards more than this at rest carry their soles tilted; others stand on flat soles
ASTRIDE = np.deg2rad(10.0)
LEAST_FOOT = 0.03  # of leg length from ankle to toe, along the sole, for the toe to show the way forward


@dataclass(frozen=True, eq=False)
class FootPoints:
    """Four points of one sole in the foot joint's frame, metres, the toe straight as in the rest pose."""

    heel: Float[np.ndarray, "3"]
    subtalar: Float[np.ndarray, "3"]
    ball: Float[np.ndarray, "3"]
    toe: Float[np.ndarray, "3"]

    def __post_init__(self) -> None:
        for name in ("heel", "subtalar", "ball", "toe"):
            object.__setattr__(
                self, name, frozen_array(getattr(self, name), f"foot point {name}", shape=(3,))
            )

    def as_lists(self) -> dict[str, list[float]]:
        return {n: [float(x) for x in getattr(self, n)] for n in ("heel", "subtalar", "ball", "toe")}


def default_foot_points(skeleton: Skeleton, side: str) -> FootPoints:
    """Foot points from the rest pose and leg length."""
    foot = skeleton.joint(f"{side}_foot")
    ankle, turn = skeleton.rest_positions[foot], skeleton.rest_orientations[foot]
    leg = skeleton.leg_length(side)
    down, forward = _sole_axes(skeleton, side)
    below = sorted(skeleton.tree.descendants(foot))
    ends = skeleton.rest_ends[[p == foot or p in below for p in skeleton.end_parents]]
    carried = np.concatenate([skeleton.rest_positions[below], ends]) - ankle
    drops, reaches = carried @ down, carried @ forward
    depth = float(drops.max(initial=0.0))
    if not SOLE_DEPTH_RANGE[0] * leg <= depth <= SOLE_DEPTH_RANGE[1] * leg:
        depth = ANKLE_HEIGHT * leg
    ball = BALL_BEFORE_ANKLE * leg
    if skeleton.has(f"{side}_toe"):
        toe_joint = skeleton.rest_positions[skeleton.joint(f"{side}_toe")] - ankle
        ball = max(float(toe_joint @ forward), 0.5 * ball)
    own_tip = float(reaches.max(initial=0.0))
    believed = own_tip > ball + 0.25 * TOES_BEFORE_BALL * leg
    tip = own_tip if believed else ball + TOES_BEFORE_BALL * leg
    reach = {"heel": -HEEL_BEHIND_ANKLE * leg, "subtalar": 0.0, "ball": ball, "toe": tip}
    to_foot = quat.conjugate(turn)
    return FootPoints(**{n: quat.rotate(to_foot, down * depth + forward * r) for n, r in reach.items()})


def _sole_axes(skeleton: Skeleton, side: str) -> tuple[Float[np.ndarray, "3"], Float[np.ndarray, "3"]]:
    """Down and forward of a foot at rest; legs that rest astride (CMU) carry their soles tilted with them."""
    hip = skeleton.rest_positions[skeleton.joint(f"{side}_thigh")]
    leg = skeleton.rest_positions[skeleton.joint(f"{side}_foot")] - hip
    lean = np.arctan2(leg[0], -leg[1])
    astride = quat.from_axis_angle(FORWARD, lean if abs(lean) > ASTRIDE else 0.0)
    down = quat.rotate(astride, np.array([0.0, -1.0, 0.0]))
    forward = FORWARD.copy()
    if skeleton.has(f"{side}_toe"):
        toe = skeleton.rest_positions[skeleton.joint(f"{side}_toe")]
        along = toe - skeleton.rest_positions[skeleton.joint(f"{side}_foot")]
        along = along - (along @ down) * down
        # a toe all but straight below the ankle tells no direction
        if np.linalg.norm(along) > LEAST_FOOT * skeleton.leg_length(side):
            forward = along / np.linalg.norm(along)
    return down, forward
