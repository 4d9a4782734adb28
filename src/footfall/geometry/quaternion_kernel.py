"""The functions of `quaternion`, compiled: arrays (rows, 4) or (rows, 3); one row serves all rows."""

from __future__ import annotations

import numba as nb

from footfall.geometry import kernels
from footfall.geometry.kernel_cache import kernel
from footfall.geometry.kernels import put_quaternion, put_vector, quaternion_at, vector_at

_ROWS = nb.types.Array(nb.float64, 2, "C", readonly=True)
_OUT = nb.float64[:, ::1]


@kernel()
def _row(rows, i):  # type: ignore[no-untyped-def]
    return rows[i if len(rows) > 1 else 0]


@kernel(nb.void(_ROWS, _ROWS, _OUT))
def multiply(a, b, out):  # type: ignore[no-untyped-def]
    for i in range(len(out)):
        one, other = quaternion_at(_row(a, i), 0), quaternion_at(_row(b, i), 0)
        put_quaternion(out[i], 0, kernels.multiply(one, other))


@kernel(nb.void(_ROWS, _ROWS, _OUT))
def rotate(q, v, out):  # type: ignore[no-untyped-def]
    for i in range(len(out)):
        put_vector(out[i], 0, kernels.rotate(quaternion_at(_row(q, i), 0), vector_at(_row(v, i), 0)))


@kernel(nb.void(_ROWS, _OUT))
def exp(v, out):  # type: ignore[no-untyped-def]
    for i in range(len(out)):
        put_quaternion(out[i], 0, kernels.exp(vector_at(v[i], 0)))


@kernel(nb.void(_ROWS, _OUT))
def log(q, out):  # type: ignore[no-untyped-def]
    for i in range(len(out)):
        put_vector(out[i], 0, kernels.log(quaternion_at(q[i], 0)))


@kernel(nb.void(_ROWS, _ROWS, _ROWS, _OUT))
def slerp(a, b, t, out):  # type: ignore[no-untyped-def]
    for i in range(len(out)):
        one, other = quaternion_at(_row(a, i), 0), quaternion_at(_row(b, i), 0)
        put_quaternion(out[i], 0, kernels.slerp(one, other, _row(t, i)[0]))


@kernel(nb.void(_ROWS, _ROWS, _OUT))
def between(a, b, out):  # type: ignore[no-untyped-def]
    for i in range(len(out)):
        put_quaternion(out[i], 0, kernels.between(vector_at(_row(a, i), 0), vector_at(_row(b, i), 0)))
