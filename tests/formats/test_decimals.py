"""Numbers as text, digit by digit as printf writes them; blocks of frames as all frames at once."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_array_equal

import footfall as ff
from footfall.formats.bvh_write import BLOCK, _Unwrapped
from footfall.formats.decimals import LARGEST, decimal_rows
from tests.figure.figures import humanoid, smooth_motion


def printed(table: np.ndarray) -> bytes:
    return "".join(" ".join(format(value, ".9f") for value in row) + "\n" for row in table.tolist()).encode()


@settings(max_examples=200, deadline=None)
@given(arrays(float, st.tuples(st.integers(1, 5), st.integers(1, 7)), elements=st.floats(-1e7, 1e7)))
def test_numbers_are_as_printf_has_them(table: np.ndarray) -> None:
    assert decimal_rows(table) == printed(table)


def test_what_lies_between_two_texts() -> None:
    """Halves of the last digit are exact in a double where they are odd numbers of 1/1024."""
    halves = np.arange(-2049, 2050, 2) / 1024.0
    near = np.concatenate([np.nextafter(halves, -np.inf), halves, np.nextafter(halves, np.inf)])
    rng = np.random.default_rng(0)
    sizes = 10.0 ** rng.uniform(-12, 5.99, 20_000) * rng.choice([-1.0, 1.0], 20_000)
    digits = np.round(sizes, 9) + rng.choice([-5e-10, 0.0, 5e-10], 20_000)
    edges = np.array([0.0, -0.0, 1e-10, -1e-10, 5e-10, -5e-10, 0.9999999995, 999998.9999999999, -999998.9999])
    for values in (near, halves + 511.0, halves + 524287.0, sizes, digits, edges):
        table = values.reshape(1, -1)
        assert np.abs(table).max() < LARGEST
        assert decimal_rows(table) == printed(table)
        assert decimal_rows(table.T) == printed(table.T)


@pytest.mark.parametrize("value", [999999.0, 999999.9999999999, -1e6, 1e300, np.inf, np.nan])
def test_what_is_too_large_is_written_all_the_same(value: float) -> None:
    table = np.array([[0.5, value], [-2.25, 3.0]])
    assert decimal_rows(table) == printed(table)


@pytest.mark.parametrize("size", [1, 2, 7, 100])
def test_angles_are_unwrapped_as_all_at_once(size: int) -> None:
    rng = np.random.default_rng(1)
    angles = np.cumsum(rng.normal(scale=2.0, size=(100, 3, 3)), axis=0)
    angles = np.where(rng.random(angles.shape) < 0.05, np.pi, np.mod(angles + np.pi, 2 * np.pi) - np.pi)
    angles[::7] = -np.pi
    unwrap = _Unwrapped()
    blocks = [unwrap(angles[start : start + size]) for start in range(0, len(angles), size)]
    assert_array_equal(np.concatenate(blocks), np.unwrap(angles, axis=0))


@pytest.mark.parametrize("ending", [".bvh", ".glb", ".amass.npz"])
def test_a_long_motion_is_not_in_memory_twice(ending: str, tmp_path: Path) -> None:
    """Peak of what saving needs beside the motion: less than the motion, and the same however long it is."""
    short = smooth_motion(humanoid(), frames=50)
    ff.save_motion(short, tmp_path / f"a{ending}")  # what is made once
    peaks = []
    for count in (8 * BLOCK, 16 * BLOCK):
        frames = np.arange(count) % len(short)
        long = ff.Motion(short.skeleton, short.root[frames], short.rotations[frames], short.fps)
        tracemalloc.start()
        ff.save_motion(long, tmp_path / f"a{ending}")
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    # rotation vectors of all joints are one array in an archive; of a GLB one joint is made after the other
    more = 8 * BLOCK * 8
    growing = {".bvh": 20 * more, ".glb": 20 * more, ".amass.npz": (156 + 20) * more}[ending]
    assert peaks[1] - peaks[0] < growing < 8 * more * len(short.skeleton)
