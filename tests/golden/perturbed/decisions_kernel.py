"""`footfall.geometry.decisions_kernel` with inputs that are off by up to 1e-9, relative over 1."""

from __future__ import annotations

import numpy as np

from footfall.geometry.decisions import MARGIN
from footfall.geometry.decisions_kernel import cell_of as _cell_of
from footfall.geometry.decisions_kernel import clearly_less as _clearly_less
from footfall.geometry.decisions_kernel import first_least as _first_least
from footfall.geometry.decisions_kernel import nearest_cell as _nearest_cell
from footfall.geometry.decisions_kernel import rounded as _rounded
from footfall.geometry.decisions_kernel import shortest_turn as _shortest_turn
from footfall.geometry.kernel_cache import kernel

OFF = 1e-9
ENDLESS = 1e12  # so large numbers, infinite ones too, stay as they are


@kernel()
def moved(value, way):  # type: ignore[no-untyped-def]
    """A number off by a share of `OFF` that depends on the number and on `way`."""
    known = value if abs(value) < ENDLESS else 0.0
    share = abs(known) * 7919.731 + 0.618034 * way + 0.1
    return value + OFF * (2.0 * (share - np.floor(share)) - 1.0) * max(abs(known), 1.0)


@kernel()
def clearly_less(a, b, margin=MARGIN):  # type: ignore[no-untyped-def]
    return _clearly_less(moved(a, 1), moved(b, 2), margin)


@kernel()
def first_least(costs, margin=MARGIN):  # type: ignore[no-untyped-def]
    other = np.empty(costs.size)
    for k in range(costs.size):
        other[k] = moved(costs[k], k)
    return _first_least(other, margin)


@kernel()
def shortest_turn(angle):  # type: ignore[no-untyped-def]
    turns = (_shortest_turn(moved(angle, 0)) - angle) / (2.0 * np.pi)
    return angle + 2.0 * np.pi * np.floor(turns + 0.5)


@kernel()
def rounded(value, step=MARGIN):  # type: ignore[no-untyped-def]
    return _rounded(moved(value, 0), step)


@kernel()
def cell_of(position, size):  # type: ignore[no-untyped-def]
    return _cell_of(moved(position, 0), size)


@kernel()
def nearest_cell(position, size):  # type: ignore[no-untyped-def]
    return _nearest_cell(moved(position, 0), size)
