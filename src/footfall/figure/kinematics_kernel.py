"""Forward kinematics of many frames, compiled; `tests/figure/plain_kinematics.py` is its NumPy reference."""

from __future__ import annotations

import numba as nb

from footfall.geometry.kernel_cache import kernel
from footfall.geometry.kernels import (
    add,
    multiply,
    put_quaternion,
    put_vector,
    quaternion_at,
    rotate,
    vector_at,
)

_INDICES = nb.types.Array(nb.int64, 1, "C", readonly=True)
_ROWS = nb.types.Array(nb.float64, 2, "C", readonly=True)
_FRAMES = nb.types.Array(nb.float64, 3, "C", readonly=True)


@kernel(nb.void(_INDICES, _FRAMES, _ROWS, _FRAMES, nb.float64[:, :, ::1], nb.float64[:, :, ::1]))
def forward_frames(parents, offsets, root, rotations, positions, orientations):  # type: ignore[no-untyped-def]
    """World positions (frames, joints, 3) and orientations of all joints.

    `offsets` are those of every frame (1, joints, 3), or of each (frames, joints, 3).
    """
    for f in range(len(rotations)):
        local = offsets[f if len(offsets) > 1 else 0]
        put_vector(positions[f, 0], 0, root[f])
        put_quaternion(orientations[f, 0], 0, rotations[f, 0])
        for j in range(1, parents.size):
            parent = quaternion_at(orientations[f, parents[j]], 0)
            position = add(vector_at(positions[f, parents[j]], 0), rotate(parent, vector_at(local[j], 0)))
            put_vector(positions[f, j], 0, position)
            put_quaternion(orientations[f, j], 0, multiply(parent, quaternion_at(rotations[f, j], 0)))
