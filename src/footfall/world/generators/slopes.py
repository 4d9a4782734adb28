"""Slopes at random."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float


def random_slopes(
    rng: np.random.Generator, shape: tuple[int, ...], steepest: Float[np.ndarray, "*n"] | float
) -> Float[np.ndarray, "*n 2"]:
    """Rises a metre along x and z, of planes that lean any way by up to an angle."""
    lean, way = steepest * rng.uniform(0.0, 1.0, shape), rng.uniform(0.0, 2.0 * np.pi, shape)
    return np.tan(lean)[..., None] * np.stack([np.cos(way), np.sin(way)], axis=-1)
