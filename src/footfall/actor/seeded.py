"""Chance that can be repeated: a random stream from a seed, or a refusal."""

from __future__ import annotations

import numpy as np

from footfall.errors import RequestError


def checked_seed(seed: int) -> int:
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise RequestError(f"seed must be a whole number from 0, not {seed!r:.40}")
    return int(seed)


def seeded(seed: int, *stream: int) -> np.random.Generator:
    """The random stream of a seed; numbered streams of one seed have nothing in common."""
    return np.random.default_rng([checked_seed(seed), *stream])
