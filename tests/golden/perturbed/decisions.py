"""`footfall.geometry.decisions` with inputs that are off by up to 1e-9, relative where they exceed 1."""

from __future__ import annotations

import numpy as np

import footfall.geometry.decisions as exact
from footfall.geometry.decisions import (  # noqa: F401
    DECIMALS,
    HUGE,
    LARGEST,
    MARGIN,
    PRECISION,
    SLACK,
    rounded,
    tie_break,
)

OFF = 1e-9
ENDLESS = 1e12  # so large numbers, infinite ones too, stay as they are


def moved(values, way=0):  # type: ignore[no-untyped-def]
    """Numbers off by a share of `OFF` that depends on the number, its place in the array and `way`."""
    values = np.asarray(values, dtype=float)
    known = np.where(np.abs(values) < ENDLESS, values, 0.0)
    places = np.arange(values.size).reshape(values.shape)
    share = np.modf(np.abs(known) * 7919.731 + 0.618034 * (places + way) + 0.1)[0]
    return values + OFF * (2.0 * share - 1.0) * np.maximum(np.abs(known), 1.0)


def clearly_less(a, b, margin=MARGIN):  # type: ignore[no-untyped-def]
    return exact.clearly_less(moved(a, 1), moved(b, 2), margin)


def first_least(costs, margin=MARGIN, axis=None):  # type: ignore[no-untyped-def]
    return exact.first_least(moved(costs), margin, axis)


def first_greatest(values, margin=MARGIN, axis=None):  # type: ignore[no-untyped-def]
    return exact.first_greatest(moved(values), margin, axis)


def order_of(costs, margin=MARGIN):  # type: ignore[no-untyped-def]
    return exact.order_of(moved(costs), margin)


def signed_by_largest(axes):  # type: ignore[no-untyped-def]
    found = exact.signed_by_largest(moved(axes))
    return np.asarray(axes, dtype=float) * np.where(np.sum(found * axes, axis=-1, keepdims=True) < 0.0, -1, 1)


def shortest_turn(angle):  # type: ignore[no-untyped-def]
    turns = (exact.shortest_turn(moved(angle)) - angle) / (2.0 * np.pi)
    return angle + 2.0 * np.pi * np.rint(turns)


def cell_of(position, size):  # type: ignore[no-untyped-def]
    return exact.cell_of(moved(position), size)


def cells_up_to(position, size):  # type: ignore[no-untyped-def]
    return exact.cells_up_to(moved(position), size)


def nearest_cell(position, size):  # type: ignore[no-untyped-def]
    return exact.nearest_cell(moved(position), size)
