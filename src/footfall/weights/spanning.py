"""A sparse set that spans many points: which of a long capture's movements are worth keeping as examples.

[movements] left the choice of examples to hand. Here: first the hull's extreme points, for nothing lies
beyond them, then always the point that is farthest from all chosen so far. What is nearer to a chosen point
than the spacing is a near-duplicate and never chosen. The choice depends on where the points are, not on
their order.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float, Int

from footfall.errors import RequestError
from footfall.figure.frozen import frozen_array
from footfall.geometry.decisions import MARGIN, clearly_less, first_greatest, nearest_cell
from footfall.weights.hull import Hull


def spanning_set(
    points: Float[np.ndarray, "n d"],
    count: int | None = None,
    spacing: float | None = None,
    keep: Sequence[int] = (),
) -> Int[np.ndarray, " chosen"]:
    """Indices of the chosen points, in the order they were chosen; `points` are in the metric.

    Goes on until `count` are chosen, or until no point is farther than `spacing` from a chosen one; at least
    one of the two is given. `keep` are chosen first, whatever they are. The extreme points come before the
    others, farthest first too, unless they are more than `count` leaves room for: then all are alike.
    """
    places = frozen_array(points, "points", shape=(None, None))
    if places.ndim != 2 or 0 in places.shape:
        raise RequestError(f"a spanning set needs rows of parameters, not an array of shape {places.shape}")
    chosen = _kept(keep, len(places))
    most = _most(count, spacing, len(places), len(chosen))
    least = 0.0 if spacing is None else float(spacing)
    corners = Hull(places).corners
    outer = np.arange(len(places)) if corners is None else corners
    if not chosen:
        chosen.append(_outermost(places, outer))
    if len({*chosen, *outer.tolist()}) <= most:
        _farthest_first(places, chosen, outer, most, least)
    _farthest_first(places, chosen, np.arange(len(places)), most, least)
    return np.array(chosen, dtype=int)


def _farthest_first(
    places: np.ndarray, chosen: list[int], among: np.ndarray, most: int, least: float
) -> None:
    """Choose on among some of the points, always the one farthest from all chosen; ties by parameters."""
    candidates = _by_parameters(places, among)
    away = np.full(len(candidates), np.inf)
    for index in chosen:
        away = np.minimum(away, np.linalg.norm(places[candidates] - places[index], axis=1))
    while len(chosen) < most:
        farthest = int(first_greatest(away))
        if not clearly_less(least, float(away[farthest])):
            break
        index = int(candidates[farthest])
        chosen.append(index)
        away = np.minimum(away, np.linalg.norm(places[candidates] - places[index], axis=1))


def _outermost(places: np.ndarray, among: np.ndarray) -> int:
    """One end of the pair that is farthest apart, the one with the smaller parameters; the other is next."""
    from scipy.spatial.distance import cdist

    candidates = _by_parameters(places, among)
    reach = [
        cdist(places[candidates[k : k + 512]], places[candidates]).max(axis=1)
        for k in range(0, len(candidates), 512)
    ]
    return int(candidates[first_greatest(np.concatenate(reach))])


def _by_parameters(places: np.ndarray, among: np.ndarray) -> np.ndarray:
    """Some of the points by their first parameters, of equal ones by the second, and so on."""
    return among[np.lexsort(nearest_cell(places[among], MARGIN).T[::-1])]


def _kept(keep: Sequence[int], count: int) -> list[int]:
    kept = list(dict.fromkeys(int(index) for index in keep))
    outside = [index for index in kept if not 0 <= index < count]
    if outside:
        raise RequestError(f"point {outside[0]} cannot be kept: points are 0 to {count - 1}")
    return kept


def _most(count: int | None, spacing: float | None, points: int, kept: int) -> int:
    if count is None and spacing is None:
        raise RequestError("a spanning set needs a count of points, a spacing in metres, or both")
    if spacing is not None and not (np.isfinite(spacing) and spacing >= 0):
        raise RequestError(f"spacing must be a length of 0 or more metres, not {spacing}")
    if count is None:
        return points
    if not max(kept, 1) <= count <= points:
        raise RequestError(
            f"count must be from {max(kept, 1)} (those kept) to {points} (all points), not {count}"
        )
    return int(count)
