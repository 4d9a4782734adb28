"""Where the soles are: the world places of a motion's foot points and contact points, frame by frame."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.figure.feet import FootPoints
from footfall.figure.kinematics import attached
from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat

SOLE = ("heel", "subtalar", "ball", "toe")


def toe_point_on_toe(skeleton: Skeleton, side: str, points: FootPoints) -> Float[np.ndarray, "3"]:
    """The tip of the toe in the toe joint's frame: where the straight toe of the rest pose has it."""
    toe = skeleton.joint(f"{side}_toe")
    return quat.rotate(quat.conjugate(skeleton.rest[toe]), points.toe - skeleton.offsets[toe])


def sole_places(motion: Motion, side: str) -> Float[np.ndarray, "frames 4 3"]:
    """Heel, subtalar, ball and toe tip in the world; the tip turns with the toe joint where there is one."""
    skeleton = motion.skeleton
    points = skeleton.foot_points(side)
    foot = skeleton.joint(f"{side}_foot")
    carriers, local = [foot] * 4, [points.heel, points.subtalar, points.ball, points.toe]
    # a toe straight below the ankle has no direction of its own (some exporters): it stays with the foot
    if skeleton.has(f"{side}_toe") and skeleton.parents[skeleton.joint(f"{side}_toe")] == foot:
        carriers[3] = skeleton.joint(f"{side}_toe")
        local[3] = toe_point_on_toe(skeleton, side, points)
    return attached(motion.positions, motion.orientations, carriers, np.stack(local))


def toe_places(motion: Motion, side: str) -> Float[np.ndarray, "frames 3"]:
    """The point about which the foot rolls when only the toe touches: the toe joint, else the ball."""
    skeleton = motion.skeleton
    if skeleton.has(f"{side}_toe"):
        return motion.of(f"{side}_toe")
    return sole_places(motion, side)[..., 2, :]
