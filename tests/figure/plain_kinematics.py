"""Forward kinematics in NumPy, joint by joint over all frames: what the compiled one is judged by."""

from __future__ import annotations

import numpy as np

from footfall.figure.tree import Tree
from tests.geometry.plain_quaternion import plain_multiply, plain_rotate


def plain_forward(
    tree: Tree,
    offsets: np.ndarray,
    root: np.ndarray,
    rotations: np.ndarray,
    translations: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """World positions (..., joints, 3) and orientations (..., joints, 4)."""
    local = np.broadcast_to(offsets if translations is None else translations, (*rotations.shape[:-1], 3))
    positions, orientations = np.empty(local.shape), np.empty(rotations.shape)
    positions[..., 0, :], orientations[..., 0, :] = root, rotations[..., 0, :]
    for j, parent in enumerate(tree.parents[1:], start=1):
        above = orientations[..., parent, :]
        orientations[..., j, :] = plain_multiply(above, rotations[..., j, :])
        positions[..., j, :] = positions[..., parent, :] + plain_rotate(above, local[..., j, :])
    return positions, orientations
