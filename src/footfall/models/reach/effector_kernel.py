"""Where blends of reaches put the hand, compiled."""

from __future__ import annotations

import numba as nb
import numpy as np

from footfall.geometry.kernel_cache import kernel
from footfall.geometry.kernels import quaternion_at, rotate
from footfall.models.movements.blend_kernel import blend_pose

ROWS = nb.types.Array(nb.float64, 2, "C", readonly=True)
CLOCKS = nb.types.Array(nb.float64, 3, "C", readonly=True)
SPANS = nb.types.Array(nb.int64, 2, "C", readonly=True)
NUMBERS = nb.types.Array(nb.float64, 1, "C", readonly=True)
INDICES = nb.types.Array(nb.int64, 1, "C", readonly=True)


@kernel()
def effector(parents, offsets, root, rotations, joint, point):  # type: ignore[no-untyped-def]
    """A point of a joint in the world: from the joint up to the root, no other joint is looked at."""
    x, y, z = point[0], point[1], point[2]
    j = joint
    while j > 0:
        q, o = rotations[j], offsets[j]
        x, y, z = rotate(quaternion_at(q, 0), (x, y, z))
        x, y, z = x + o[0], y + o[1], z + o[2]
        j = parents[j]
    q = rotations[0]
    x, y, z = rotate(quaternion_at(q, 0), (x, y, z))
    return x + root[0], y + root[1], z + root[2]


@kernel(
    nb.void(ROWS, SPANS, CLOCKS, INDICES, ROWS, INDICES, ROWS, ROWS, nb.float64, nb.float64[:, ::1]),
)
def blended_effectors(  # type: ignore[no-untyped-def]
    rows, spans, clocks, parents, offsets, joints, points, weights, generic, found
):
    """For rows of weights: where the mean of some points of joints is at a generic time."""
    root, rotations = np.empty(3), np.empty((parents.size, 4))
    for k in range(weights.shape[0]):
        blend_pose(rows, spans, clocks, weights[k], generic, root, rotations)
        found[k, :] = 0.0
        for e in range(joints.size):
            x, y, z = effector(parents, offsets, root, rotations, joints[e], points[e])
            found[k, 0] += x / joints.size
            found[k, 1] += y / joints.size
            found[k, 2] += z / joints.size
