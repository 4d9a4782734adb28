"""Which way is up in a file, and the turn that makes it Y.

A file's rest pose and its world can disagree: some exporters keep Y-up bones and turn only the root. So
the two are judged apart, by where the head is from the feet.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from footfall.figure import kinematics
from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.formats.take import Take
from footfall.formats.units import checked_up
from footfall.geometry import quaternion as quat

if TYPE_CHECKING:
    from jaxtyping import Float

# From z up to y up: x stays, z becomes y, and what faced -y faces +z
Z_TO_Y = np.array([np.sqrt(0.5), -np.sqrt(0.5), 0.0, 0.0])
SAMPLES = 32
CLEARLY = 1.5  # how much longer the z part must be to call a file z-up


def world_turn(up: str) -> Float[np.ndarray, "4"]:
    return Z_TO_Y if up == "z" else quat.identity()


def up_of(upward: Float[np.ndarray, "3"]) -> str:
    """'z' where a feet-to-head vector points along +z, else 'y', which most files are."""
    return "z" if upward[2] > CLEARLY * abs(upward[1]) else "y"


def upward(skeleton: Skeleton, positions: Float[np.ndarray, "*frames joints 3"]) -> Float[np.ndarray, "3"]:
    """The mean vector from the feet to the head, else the spread of the joints along each axis."""
    feet = [skeleton.roles[r] for r in ("left_foot", "right_foot") if skeleton.has(r)]
    top = next((skeleton.roles[r] for r in ("head", "neck", "chest", "hips") if skeleton.has(r)), None)
    if feet and top is not None:
        lift = positions[..., top, :] - positions[..., feet, :].mean(axis=-2)
        return lift.reshape(-1, 3).mean(axis=0)
    if positions.size == 0:
        return np.array([0.0, 1.0, 0.0])
    return np.ptp(positions, axis=-2).reshape(-1, 3).mean(axis=0)


def sample_positions(take: Take, skeleton: Skeleton) -> Float[np.ndarray, "samples joints 3"]:
    """World positions in a few frames spread over the take."""
    frames = np.unique(np.linspace(0, max(len(take.root) - 1, 0), SAMPLES).astype(int)[: len(take.root)])
    moved = None if take.translations is None else take.translations[frames]
    return kinematics.forward(
        skeleton.tree, skeleton.offsets, take.root[frames], take.rotations[frames], moved
    )[0]


def turned_to(motion: Motion, up: str) -> Motion:
    """The motion told in axes where `up` is up; for a saver whose reader expects them."""
    if checked_up(up) == "y":
        return motion
    back, turn = Z_TO_Y, quat.conjugate(Z_TO_Y)
    skeleton = motion.skeleton
    conjugated = quat.multiply(quat.multiply(turn, motion.rotations), back)
    moved = None if motion.translations is None else quat.rotate(turn, motion.translations)
    # feet are left behind: a BVH cannot hold them
    bones = replace(
        skeleton,
        offsets=quat.rotate(turn, skeleton.offsets),
        end_offsets=quat.rotate(turn, skeleton.end_offsets),
        rest=quat.multiply(quat.multiply(turn, skeleton.rest), back),
        feet=None,
    )
    return replace(
        motion, skeleton=bones, root=quat.rotate(turn, motion.root), rotations=conjugated, translations=moved
    )
