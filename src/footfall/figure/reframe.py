"""Joint frames turned so that the rest pose is the pose of no rotation.

Formats that state a rest pose by rotations (SmartBody's pre-rotations, glTF nodes, Acclaim axes) are
loaded this way: then a BVH or GLB made from them rests as a standing person in every viewer.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from footfall.figure.feet import FootPoints
from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat

if TYPE_CHECKING:
    from jaxtyping import Float


def reframe_skeleton(skeleton: Skeleton) -> Skeleton:
    """The same figure with world-aligned joint frames at rest."""
    turns = skeleton.rest_orientations
    feet = None
    if skeleton.feet is not None:
        feet = {
            side: FootPoints(
                *(quat.rotate(turns[skeleton.joint(f"{side}_foot")], getattr(p, n)) for n in _POINTS)
            )
            for side, p in skeleton.feet.items()
        }
    return replace(
        skeleton,
        offsets=_turned(skeleton, skeleton.offsets),
        rest=quat.identity(len(skeleton)),
        end_offsets=quat.rotate(turns[skeleton.end_parents], skeleton.end_offsets),
        feet=feet,
    )


_POINTS = ("heel", "subtalar", "ball", "toe")


def _turned(
    skeleton: Skeleton, local: Float[np.ndarray, "*frames joints 3"]
) -> Float[np.ndarray, "*frames joints 3"]:
    """Vectors in parents' frames as the rest pose shows them; the root's own is left alone."""
    out = np.array(local, dtype=float)
    above = skeleton.rest_orientations[skeleton.parents[1:]]
    out[..., 1:, :] = quat.rotate(above, out[..., 1:, :])
    return out


def reframe(motion: Motion) -> Motion:
    """The same motion on the reframed skeleton: every world position is unchanged."""
    skeleton = motion.skeleton
    turns = skeleton.rest_orientations
    above = np.concatenate([quat.identity(1), turns[skeleton.parents[1:]]])
    rotations = quat.multiply(quat.multiply(above, motion.rotations), quat.conjugate(turns))
    moved = None if motion.translations is None else _turned(skeleton, motion.translations)
    return replace(motion, skeleton=reframe_skeleton(skeleton), rotations=rotations, translations=moved)
