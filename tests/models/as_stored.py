"""What a model file gives back: whole numbers as they were, others rounded to the stored precision."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from footfall.geometry.decisions import PRECISION


def assert_as_stored(again: object, saved: object) -> None:
    """Arrays, numbers or mappings to numbers."""
    if isinstance(saved, Mapping):
        assert isinstance(again, Mapping)
        assert list(again) == list(saved)
        again, saved = list(again.values()), list(saved.values())
    a, b = np.asarray(again), np.asarray(saved)
    assert a.shape == b.shape
    if b.dtype.kind == "f":
        assert_allclose(a, b, rtol=0.0, atol=PRECISION)
    else:
        assert_array_equal(a, b)
