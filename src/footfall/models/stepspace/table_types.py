"""Types of the tables that kernels take: a figure's constants, a plan's joined steps; see `frame_tables`."""

from __future__ import annotations

from numba import types

NUMBER, INDEX = types.float64, types.int64


def read_only(dtype: types.Type, axes: int) -> types.Array:
    return types.Array(dtype, axes, "C", readonly=True)


FIGURE = (read_only(NUMBER, 2), read_only(NUMBER, 2), read_only(INDEX, 3))
STEPS = (
    *(read_only(NUMBER, axes) for axes in (2, 3, 3, 3, 3, 2)),
    read_only(INDEX, 2),
    read_only(NUMBER, 2),
)
