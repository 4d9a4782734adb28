"""Rotations as files of models keep them: rotation vectors in single precision."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, Float32

from footfall.geometry import quaternion as quat

STILL = 5e-7  # rad: a joint that turns by no more never moves; float32 holds turns to 2e-7
HALF_TURN = np.pi * (1.0 + 1e-6)  # rad: no rotation vector is longer
INWARD = 1.0 - 2e-7  # takes a vector that rounding made longer than a half turn back


def rotation_vectors(rotations: Float[np.ndarray, "*n 4"]) -> Float32[np.ndarray, "*n 3"]:
    """In single precision and, for what was read from a file, the vectors that were in it."""
    vectors = quat.log(rotations).astype(np.float32)
    length = np.linalg.norm(vectors.astype(np.float64), axis=-1, keepdims=True)
    # beyond a half turn the short way is the other way round: the vector would come back as its opposite
    return np.where(length > np.pi, vectors * INWARD, vectors).astype(np.float32)
