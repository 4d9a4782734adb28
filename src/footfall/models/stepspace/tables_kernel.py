"""The tables of `frame_tables` as kernels know them, and rows of arrays as tuples of numbers."""

from __future__ import annotations

import numba as nb
from numba import types

from footfall.models.stepspace.frame_tables import FigureTable, FramesTable, StepsTable
from footfall.models.stepspace.turns_kernel import TURN, VECTOR


def _numbers(axes: int) -> types.Array:
    return types.Array(types.float64, axes, "C", readonly=True)


def _indices(axes: int) -> types.Array:
    return types.Array(types.int64, axes, "C", readonly=True)


_FIGURE = {
    "reference": _numbers(2),
    "offsets": _numbers(2),
    "above": _indices(2),
    "chain": _indices(2),
    "joints": _indices(2),
    "hinge": _numbers(2),
    "reach": _numbers(1),
    "sole": _numbers(3),
    "lying": _numbers(2),
    "toe_rest": _numbers(2),
}
_STEPS = {
    "starts": _numbers(1),
    "times": _numbers(2),
    "body": _numbers(3),
    "body_slopes": _numbers(3),
    "feet_times": _numbers(3),
    "feet": _numbers(3),
    "feet_slopes": _numbers(3),
    "give": _numbers(3),
    "give_slopes": _numbers(3),
    "came": _numbers(3),
    "lies": _numbers(1),
    "lifts": _numbers(2),
    "events": _indices(3),
    "swings": _indices(1),
    "prints": _indices(2),
    "places": _numbers(2),
    "turns": _numbers(2),
    "stands": _indices(1),
}
_FRAMES = {
    "root": types.float64[:, ::1],
    "rotations": types.float64[:, :, ::1],
    "ways": types.float64[:, :, ::1],
    "legs": types.float64[:, :, ::1],
    "down": types.float64[::1],
    "heels": types.boolean[:, ::1],
    "toes": types.boolean[:, ::1],
}
FIGURE = types.NamedTuple([_FIGURE[name] for name in FigureTable._fields], FigureTable)
STEPS = types.NamedTuple([_STEPS[name] for name in StepsTable._fields], StepsTable)
FRAMES = types.NamedTuple([_FRAMES[name] for name in FramesTable._fields], FramesTable)
Q, V = types.UniTuple(types.float64, 4), types.UniTuple(types.float64, 3)
ROW = types.float64[::1]
INT, NUMBER, FLAG = types.int64, types.float64, types.boolean


@nb.njit([f"{VECTOR}(Array(float64, 2, 'C', readonly=True), int64)"], cache=True, nogil=True)
def vector_of(table, row):  # type: ignore[no-untyped-def]
    return table[row, 0], table[row, 1], table[row, 2]


@nb.njit([f"{TURN}(Array(float64, 2, 'C', readonly=True), int64)"], cache=True, nogil=True)
def turn_of(table, row):  # type: ignore[no-untyped-def]
    return table[row, 0], table[row, 1], table[row, 2], table[row, 3]


@nb.njit(f"{TURN}(float64[:, :, ::1], int64, int64, int64)", cache=True, nogil=True)
def turn_in(table, a, b, column):  # type: ignore[no-untyped-def]
    return table[a, b, column], table[a, b, column + 1], table[a, b, column + 2], table[a, b, column + 3]


@nb.njit(f"{VECTOR}(float64[:, :, ::1], int64, int64, int64)", cache=True, nogil=True)
def vector_in(table, a, b, column):  # type: ignore[no-untyped-def]
    return table[a, b, column], table[a, b, column + 1], table[a, b, column + 2]


@nb.njit(f"void(float64[:, :, ::1], int64, int64, int64, {TURN})", cache=True, nogil=True)
def put_turn(table, a, b, column, turn):  # type: ignore[no-untyped-def]
    for k in range(4):
        table[a, b, column + k] = turn[k]


@nb.njit(f"void(float64[:, :, ::1], int64, int64, int64, {VECTOR})", cache=True, nogil=True)
def put_vector(table, a, b, column, vector):  # type: ignore[no-untyped-def]
    for k in range(3):
        table[a, b, column + k] = vector[k]
