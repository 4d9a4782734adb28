"""Forward kinematics (compiled) and the Jacobian (NumPy), over any leading axes.

Positions and orientations are in the world; a joint's rotation and translation are in its parent's frame.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from footfall.figure.tree import Tree
from footfall.geometry import quaternion as quat

if TYPE_CHECKING:
    from jaxtyping import Float, Int


def forward(
    tree: Tree,
    offsets: Float[np.ndarray, "joints 3"],
    root: Float[np.ndarray, "*batch 3"],
    rotations: Float[np.ndarray, "*batch joints 4"],
    translations: Float[np.ndarray, "*batch joints 3"] | None = None,
) -> tuple[Float[np.ndarray, "*batch joints 3"], Float[np.ndarray, "*batch joints 4"]]:
    """World positions and orientations of all joints.

    `translations`, where given, stand in for the offsets of all joints but the root.
    """
    from footfall.figure.kinematics_kernel import forward_frames

    *batch, joints, _ = rotations.shape
    frames = math.prod(batch)
    root = np.broadcast_to(root, (*batch, 3)).reshape(frames, 3)
    local = np.reshape(offsets if translations is None else translations, (-1, joints, 3))
    turns = rotations.reshape(frames, joints, 4)
    positions, orientations = np.empty((frames, joints, 3)), np.empty((frames, joints, 4))
    given = (np.ascontiguousarray(array, dtype=float) for array in (local, root, turns))
    forward_frames(tree.parent_array, *given, positions, orientations)
    return positions.reshape(*batch, joints, 3), orientations.reshape(*batch, joints, 4)


def attached(
    positions: Float[np.ndarray, "*batch joints 3"],
    orientations: Float[np.ndarray, "*batch joints 4"],
    joints: Int[np.ndarray, "points"] | list[int],
    points: Float[np.ndarray, "points 3"],
) -> Float[np.ndarray, "*batch points 3"]:
    """World places of points fixed in joints' frames (end sites, foot points)."""
    index = np.asarray(joints, dtype=int)
    return positions[..., index, :] + quat.rotate(orientations[..., index, :], np.asarray(points))


def to_local(
    tree: Tree, orientations: Float[np.ndarray, "*batch joints 4"]
) -> Float[np.ndarray, "*batch joints 4"]:
    """Joint rotations in their parents' frames from world orientations: what `forward` undoes."""
    rotations = np.array(orientations, dtype=float)
    children = [j for j, p in enumerate(tree.parents) if p >= 0]
    above = [tree.parents[j] for j in children]
    rotations[..., children, :] = quat.multiply(
        quat.conjugate(orientations[..., above, :]), orientations[..., children, :]
    )
    return rotations


def jacobian(
    tree: Tree,
    positions: Float[np.ndarray, "*batch joints 3"],
    joint: int,
    point: Float[np.ndarray, "*batch 3"] | None = None,
) -> Float[np.ndarray, "*batch 3 columns"]:
    """How a world point carried by `joint` moves with the root and with each joint's turn.

    The first three columns are the root's translation; then three columns a joint, [m / rad], for a small
    world-frame turn of that joint: orientation <- exp(turn) orientation, everything below it following.
    `point` is a world position; by default the joint's own.
    """
    target = positions[..., joint, :] if point is None else np.asarray(point, dtype=float)
    batch = positions.shape[:-2]
    out = np.zeros((*batch, 3, 3 + 3 * len(tree)))
    out[..., :, :3] = np.eye(3)
    for above in tree.ancestors(joint):
        arm = target - positions[..., above, :]
        # turn x arm, as a matrix on turn
        block = out[..., :, 3 + 3 * above : 6 + 3 * above]
        block[..., 0, 1], block[..., 0, 2] = arm[..., 2], -arm[..., 1]
        block[..., 1, 0], block[..., 1, 2] = -arm[..., 2], arm[..., 0]
        block[..., 2, 0], block[..., 2, 1] = arm[..., 1], -arm[..., 0]
    return out
