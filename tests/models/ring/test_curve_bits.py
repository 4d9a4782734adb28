"""Curves in few bytes: off by half a quantum, the same again when written again, and as the module says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from footfall.errors import LoadError, SaveError
from footfall.formats.stored import Arrays, StoredArrays
from footfall.models.ring.curve_bits import LARGEST, curve_arrays, read_curves

QUANTUM = 1e-4


def read(arrays: Arrays, shape: tuple[int, int, int]) -> np.ndarray:
    return read_curves(StoredArrays(arrays), "x", QUANTUM, shape)


@given(
    st.integers(0, 2**32 - 1),
    st.tuples(st.integers(1, 5), st.integers(3, 12), st.integers(0, 6)),
    st.sampled_from([0.0, 1e-5, 1e-3, 1.0, QUANTUM * LARGEST]),
)
def test_there_and_back(seed: int, shape: tuple[int, int, int], size: float) -> None:
    rng = np.random.default_rng(seed)
    curves = size * rng.uniform(-1.0, 1.0, shape) * rng.integers(0, 2, shape[-1])
    arrays = curve_arrays("x", curves, QUANTUM)
    back = read(arrays, shape)
    assert back.shape == shape
    assert np.abs(back - curves).max(initial=0.0) <= 0.5 * QUANTUM * (1.0 + 1e-9) + 1e-15 * size
    again = curve_arrays("x", back, QUANTUM)
    assert list(again) == list(arrays)
    for name in arrays:
        assert_array_equal(again[name], arrays[name])


def by_hand(arrays: Arrays, curves: int, samples: int, channels: int) -> np.ndarray:
    """Read bit by bit: all beginnings, all first steps, all bends; curve by curve, channel by channel."""
    bits = "".join(f"{byte:08b}" for byte in arrays["x.bits"])
    widths = arrays["x.widths"].tolist()
    levels, at = [], 0
    for level, count in enumerate((1, 1, samples - 2)):
        rows = np.zeros((curves, count, channels), dtype=object)
        for place in np.ndindex(rows.shape):
            width = widths[level][place[-1]]
            own = bits[at : at + width][::-1]  # the lowest bit comes first
            rows[place] = int(own, 2) - 2 ** (width - 1) if width else 0
            at += width
        levels.append(rows)
    assert set(bits[at:]) <= {"0"}
    assert len(bits) - at < 8
    out = np.zeros((curves, samples, channels), dtype=object)
    for k in range(samples):
        if k == 0:
            out[:, 0] = levels[0][:, 0]
        elif k == 1:
            out[:, 1] = out[:, 0] + levels[1][:, 0]
        else:
            out[:, k] = 2 * out[:, k - 1] - out[:, k - 2] + levels[2][:, k - 2]
    return out


def test_bits_are_where_they_are_said_to_be() -> None:
    rng = np.random.default_rng(0)
    whole = np.cumsum(rng.integers(-50, 50, (4, 9, 3)), axis=1) * np.array([1, 0, 300])
    arrays = curve_arrays("x", whole * QUANTUM, QUANTUM)
    assert_array_equal(by_hand(arrays, 4, 9, 3).astype(int), whole)


def test_smooth_curves_take_few_bits_and_still_ones_none() -> None:
    turns = np.linspace(0.0, 2.0 * np.pi, 61)
    smooth = np.stack([np.sin(turns + k) for k in range(20)])[..., None]
    arrays = curve_arrays("x", smooth, QUANTUM)
    # second differences are at most the squared step of the argument: 110 quanta, 8 bits with a sign
    assert arrays["x.widths"][:, 0].tolist() == [15, 12, 8]
    assert arrays["x.bits"].nbytes == -(-20 * (15 + 12 + 59 * 8) // 8)
    still = curve_arrays("x", np.zeros((20, 61, 2)), QUANTUM)
    assert still["x.bits"].size == 0
    assert not read(still, (20, 61, 2)).any()


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1.1 * QUANTUM * LARGEST, 1e300])
def test_what_is_no_number_is_not_written(bad: float) -> None:
    curves = np.zeros((2, 5, 3))
    curves[1, 2, 0] = bad
    with pytest.raises(SaveError, match="x must be finite numbers of at most 26843"):
        curve_arrays("x", curves, QUANTUM)


def test_lies_are_refused() -> None:
    shape = (2, 5, 3)
    arrays = curve_arrays("x", np.random.default_rng(1).normal(size=shape), QUANTUM)
    widths, bits = arrays["x.widths"], arrays["x.bits"]
    for wrong in (bits[:-1], np.append(bits, bits[:1])):
        with pytest.raises(LoadError, match=r"'x.bits' as uint8"):
            read(arrays | {"x.bits": wrong}, shape)
    for wrong in (widths[:2], widths[:, :2], widths.astype(np.int8)):
        with pytest.raises(LoadError, match=r"'x.widths' as uint8"):
            read(arrays | {"x.widths": wrong}, shape)
    with pytest.raises(LoadError, match="at most 32 bits a number"):
        read(arrays | {"x.widths": np.full((3, 3), 33, np.uint8)}, shape)
    full = np.full(2 * 5 * 3 * 4, 255, np.uint8)
    with pytest.raises(LoadError, match="numbers of at most 26843"):
        read({"x.widths": np.full((3, 3), 32, np.uint8), "x.bits": full}, shape)
