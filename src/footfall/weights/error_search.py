"""Where blends are farthest from what was asked of them, and which blend is what was asked ([movements] 4).

Steepest ascent of the error in the examples' hull finds the one; a descent of it in the maximum norm, by
steps of Gauss and Newton, the other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.geometry.decisions import clearly_less, first_greatest, first_least, nearest_cell, order_of
from footfall.weights.blends import Blends, sizes
from footfall.weights.scheme import WeightScheme
from footfall.weights.space import Space

STARTS = 6  # of the worst of them, climbs begin
CLIMBS = 12  # steps of a climb at most
DESCENTS = 30  # steps of a descent at most
PRECISE = 1e-10  # metric; a descent that came so far is done
HELPS = 0.1  # a descent must come below this share of the error it began with
APART = 0.1  # of the examples' usual distance: no pseudo-example is set nearer to a point
GIVEN_UP = 0.5  # of the usual distance: around a place that could not be bettered no other is tried
GRID = 1.0 / 64.0  # of the usual distance: a thousand times what 1e-9 of the error moves the end of a climb
ALIKE = 1e-7  # of the largest error: what differs by less is as large (more would end climbs early)
HALVINGS = 0.5 ** np.arange(8)  # lengths tried along a direction


@dataclass(frozen=True, eq=False)
class State:
    """A scheme and what it was built from."""

    scheme: WeightScheme
    points: np.ndarray
    weights: np.ndarray


@dataclass(frozen=True, eq=False)
class ErrorSearch:
    """Looks for the largest error in the volume, and for the place whose blend has wanted parameters."""

    blends: Blends
    volume: Space
    places: Float[np.ndarray, "samples dims"]  # spread over the volume
    usual: float  # metric; distance from an example to the nearest other

    def worst_places(self, state: State, skipped: list[np.ndarray]) -> tuple[float, np.ndarray]:
        """The largest error found anywhere, and the peaks a pseudo-example may be set at, worst first."""
        errors = sizes(self.blends.misses(state.scheme, self.places, self.places))
        free = self._free(self.places, state, skipped)
        gap = 0.5 * self.usual
        anywhere = _spread_out(self.places, errors, gap)
        possible = _spread_out(self.places, np.where(free, errors, -1.0), gap)
        chosen = np.union1d(anywhere, possible)
        starts = self.places[chosen]
        peaks, heights = self._climbed(state.scheme, starts, errors[chosen])
        worst = max(float(errors.max()), float(heights.max(initial=0.0)))
        peaks = self._snapped(peaks)
        heights = sizes(self.blends.misses(state.scheme, peaks, peaks))
        reached = self._free(peaks, state, skipped)
        peaks = np.where(reached[:, None], peaks, starts)
        found = np.where(reached, heights, errors[chosen])
        order = order_of(-found, _margin(found))
        return worst, peaks[order[(reached | free[chosen])[order]]]

    def _snapped(self, peaks: np.ndarray) -> np.ndarray:
        """Peaks on a grid: where the error is flat, its last digits move the end of a climb."""
        grid = GRID * self.usual
        return self._bounded(grid * nearest_cell(peaks, grid))

    def _free(self, places: np.ndarray, state: State, skipped: list[np.ndarray]) -> np.ndarray:
        free = _apart(places, state.points) >= APART * self.usual
        return free & (_apart(places, np.array(skipped)) >= GIVEN_UP * self.usual) if skipped else free

    def _climbed(
        self, scheme: WeightScheme, places: np.ndarray, heights: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Steepest ascent of the error, all starts at once, bounded by the volume."""
        places, heights = places.copy(), heights.copy()
        reach = np.full(len(places), 0.5 * self.usual)
        each = np.arange(len(places))
        for _ in range(CLIMBS):
            upward = self._upward(scheme, places)
            steps = (reach[:, None] * HALVINGS[:4])[..., None] * upward[:, None]
            tried = self._bounded((places[:, None] + steps).reshape(-1, places.shape[1]))
            found = sizes(self.blends.misses(scheme, tried, tried)).reshape(steps.shape[:2])
            # at the volume's edge steps of several lengths end at one place
            margin = _margin(heights)
            best = first_greatest(found, margin, axis=1)
            higher = clearly_less(heights, found[each, best], margin)
            places[higher] = tried.reshape(*steps.shape)[each, best][higher]
            heights[higher] = found[each, best][higher]
            reach = np.where(higher, 1.5 * reach * HALVINGS[best], reach * HALVINGS[4])
            if (reach < 1e-4 * self.usual).all():
                break
        return places, heights

    def _upward(self, scheme: WeightScheme, places: np.ndarray) -> np.ndarray:
        """Unit directions in which the largest component of the error grows fastest."""
        missed = self.blends.misses(scheme, places, places)
        each, largest = np.arange(len(places)), first_greatest(np.abs(missed), _margin(missed), axis=1)
        slopes = self.blends.jacobians(scheme, places)[each, largest]
        slopes[each, largest] -= 1.0  # what is asked moves along
        slopes *= np.sign(missed[each, largest])[:, None]
        lengths = np.linalg.norm(slopes, axis=1, keepdims=True)
        usable = np.isfinite(lengths) & (lengths > 0)
        return np.divide(slopes, lengths, out=np.zeros_like(slopes), where=usable)

    def _bounded(self, places: np.ndarray) -> np.ndarray:
        return self.volume.to_metric(self.volume.nearest(self.volume.from_metric(places)))

    def settled(self, scheme: WeightScheme, wanted: np.ndarray) -> tuple[np.ndarray, float] | None:
        """The place whose blend has the wanted parameters and the error left; None where it hardly helps.

        A descent that is caught by a ripple of the weights begins again at the sample that comes nearest.
        """
        first = float(sizes(self.blends.misses(scheme, wanted[None], wanted))[0])
        if not np.isfinite(first):
            return None
        place, left = self._descended(scheme, wanted, wanted)
        if not left < HELPS * first:
            found = sizes(self.blends.misses(scheme, self.places, wanted))
            nearest = first_least(found, _margin(found))
            place, left = self._descended(scheme, wanted, self.places[nearest])
        return (place, left) if left < HELPS * first else None

    def _descended(
        self, scheme: WeightScheme, wanted: np.ndarray, place: np.ndarray
    ) -> tuple[np.ndarray, float]:
        missed = self.blends.misses(scheme, place[None], wanted)[0]
        for _ in range(DESCENTS):
            if sizes(missed) <= PRECISE or not np.isfinite(missed).all():
                break
            step = self._downward(self.blends.jacobians(scheme, place[None])[0], missed)
            tried = place + HALVINGS[:, None] * step
            found = self.blends.misses(scheme, tried, wanted)
            margin = _margin(missed)
            best = int(first_least(sizes(found), margin))
            if not clearly_less(sizes(found[best]), sizes(missed), margin):
                break
            place, missed = tried[best], found[best]
        return place, float(sizes(missed))

    def _downward(self, jacobian: np.ndarray, missed: np.ndarray) -> np.ndarray:
        """A Gauss-Newton step; where it does not exist, down the gradient of the largest component."""
        if not np.isfinite(jacobian).all():
            return np.zeros_like(missed)
        step, _, rank, _ = np.linalg.lstsq(jacobian, -missed, rcond=1e-6)
        if rank < len(missed):
            largest = int(first_greatest(np.abs(missed), _margin(missed)))
            slope = jacobian[largest]
            step = -missed[largest] * slope / max(float(slope @ slope), 1e-12)
        return step * min(1.0, self.usual / max(float(np.linalg.norm(step)), 1e-300))


def _margin(errors: np.ndarray) -> float:
    """By how much errors must differ to be told apart."""
    return ALIKE * float(np.abs(errors).max(initial=0.0, where=np.isfinite(errors)))


def _apart(places: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Distance from each place to the nearest of the others."""
    from scipy.spatial import KDTree

    return KDTree(others).query(places)[0]


def _spread_out(places: np.ndarray, errors: np.ndarray, gap: float) -> np.ndarray:
    """Indices of the worst places, no two of them within the gap; a negative error is not asked for."""
    order = order_of(-errors, _margin(errors))
    order = order[errors[order] >= 0]
    taken: list[int] = []
    while len(order) and len(taken) < STARTS:
        taken.append(int(order[0]))
        order = order[clearly_less(gap, np.linalg.norm(places[order] - places[order[0]], axis=1))]
    return np.array(taken, dtype=int)
