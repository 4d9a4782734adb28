"""Types of the arrays that the kernels of planning take; all are only read."""

from __future__ import annotations

from numba import types


def read_only(dtype: types.Type, axes: int) -> types.Array:
    return types.Array(dtype, axes, "C", readonly=True)


NUMBERS, ROWS = read_only(types.float64, 1), read_only(types.float64, 2)
INDICES, INDEX_ROWS = read_only(types.int64, 1), read_only(types.int64, 2)
NODES = read_only(types.int32, 1)
LINKS = read_only(types.int32, 2)  # the neighbouring surfaces in eight directions; -1 where there is none
PASSAGE = read_only(types.float32, 2)
KINDS = read_only(types.uint8, 1)
GRID = (NUMBERS, INDICES)  # place and size of cells, how many
OUTLINES = (ROWS, INDICES, ROWS)  # bounds, starts, corners
