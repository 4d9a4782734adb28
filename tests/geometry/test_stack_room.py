"""Room on the stack: arrays like others, apart from each other, that cost no allocation."""

from __future__ import annotations

import numba as nb
import numpy as np
import pytest
from numpy.testing import assert_array_equal

from footfall.geometry.stack_room import doubles, longs, singles, truths

COUNT = 37


@nb.njit
def filled(values, whole, flags, out, turned):  # type: ignore[no-untyped-def]
    """All kinds at once, written in full, then read back: none lies in another's place."""
    a, b, c, d = doubles(COUNT), singles(COUNT), longs(COUNT), truths(COUNT)
    again = doubles(COUNT)
    for k in range(COUNT):
        a[k], b[k], c[k], d[k], again[k] = values[k], values[k] + 1.0, whole[k], flags[k], -values[k]
    for k in range(COUNT):
        out[0, k], out[1, k], out[2, k], out[3, k], out[4, k] = a[k], b[k], c[k], d[k], again[k]
    rows = a[:36].reshape((12, 3))
    turned[:] = rows.T @ rows
    return a.size + b.size + c.size + d.size


def test_what_is_written_is_read() -> None:
    rng = np.random.default_rng(1)
    values, whole, flags = (
        rng.normal(size=COUNT),
        rng.integers(-(2**60), 2**60, COUNT),
        rng.random(COUNT) > 0.5,
    )
    whole[::2] = rng.integers(-(2**50), 2**50, whole[::2].size)
    out, turned = np.empty((5, COUNT)), np.empty((3, 3))
    assert filled(values, whole, flags, out, turned) == 4 * COUNT
    assert_array_equal(out[0], values)
    assert_array_equal(out[1], (values + 1.0).astype(np.float32))
    assert_array_equal(out[2], whole.astype(float))
    assert_array_equal(out[3], flags)
    assert_array_equal(out[4], -values)
    np.testing.assert_allclose(turned, values[:36].reshape(12, 3).T @ values[:36].reshape(12, 3), rtol=1e-12)


@nb.njit
def deep(n):  # type: ignore[no-untyped-def]
    """Every call has room of its own; a loop's turns share it."""
    room = doubles(8)
    for k in range(8):
        room[k] = n
    below = deep(n - 1) if n > 0 else 0.0
    return below + room.sum()


def test_every_call_has_its_own() -> None:
    assert deep(100) == 8.0 * sum(range(101))


@nb.njit
def often(turns):  # type: ignore[no-untyped-def]
    total = 0.0
    for k in range(turns):
        room = doubles(4096)  # 32 kB: a million of these would not fit on any stack
        room[k % 4096] = k
        total += room[k % 4096]
    return total


def test_a_loop_does_not_use_up_the_stack() -> None:
    assert often(1_000_000) == sum(range(1_000_000))


def test_nothing_is_allocated() -> None:
    often(10)
    (code,) = often.inspect_llvm().values()
    assert "alloca" in code
    assert "NRT_MemInfo_alloc" not in code


def test_a_size_that_is_no_constant_is_refused() -> None:
    @nb.njit
    def wrong(n):  # type: ignore[no-untyped-def]
        return doubles(n).size

    with pytest.raises(nb.core.errors.TypingError, match="constant"):
        wrong(3)
