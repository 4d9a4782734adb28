"""Pseudo-examples: known weights at more places, so that a blend has the parameters it was asked for.

[movements] 4. The blend that a scheme makes for parameters p really has other parameters a(p), for blending
is not linear. Where e(p) = |p - a(p)| (maximum norm) is largest in the examples' hull, search the p' whose
blend has the parameters wanted, and let the scheme know its weights there. A pseudo-example is parameters and
weights only. Works for any scheme, and for any model that can measure what a row of weights gives.

Differs from the print in the search: on |p_hat - a(p)| in the maximum norm plain steepest descent zigzags
along the edges between components and stalls far from 0.01 mm. A Gauss-Newton step shrinks all components in
the same proportion, so it leads down in the maximum norm too, and near the goal each step squares the error.
The plain gradient is taken only where the Jacobian is singular.

A pseudo-example very near to another point would be a needle that mends nothing around it: none is set nearer
than `APART` of the examples' usual distance.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.errors import RequestError
from footfall.figure.frozen import frozen_array
from footfall.weights.cardinal_rbf import CardinalRBF
from footfall.weights.scheme import SchemeBuilder, WeightScheme
from footfall.weights.space import Space

Measure = Callable[[Float[np.ndarray, "q examples"]], Float[np.ndarray, "q dims"]]
Progress = Callable[[str, float], None]  # what is done now, and the share that is done

SAMPLES = 4000  # places in the hull at which the error is looked for
STARTS = 6  # of the worst of them, climbs begin
CLIMBS = 12  # steps of a climb at most
DESCENTS = 30  # steps of a descent at most
PRECISE = 1e-10  # metric; a descent that came so far is done
HELPS = 0.1  # a descent must come below this share of the error it began with
APART = 0.1  # of the examples' usual distance: no pseudo-example is set nearer to a point
GIVEN_UP = 0.5  # of the usual distance: around a place that could not be bettered no other is tried
ATTEMPTS = 3  # times that the next worst places are looked for, where none of the worst can be bettered
SAME = 1e-6  # worst errors that differ by a smaller share are the same
DIFFERENCE = 1e-4  # metric; half the step of a difference quotient
HALVINGS = 0.5 ** np.arange(8)  # lengths tried along a direction
ROWS = 1024  # rows of weights measured in one call


@dataclass(frozen=True, eq=False)
class Refinement:
    """A refined scheme and how it became so. Places and errors are in the metric.

    Additions at the end that only raised the worst error are not in the scheme; `errors` still tells them.
    """

    scheme: WeightScheme
    points: Float[np.ndarray, "added dims"]  # the pseudo-examples in the scheme
    weights: Float[np.ndarray, "added examples"]
    residuals: Float[np.ndarray, " added"]  # error at each pseudo-example
    errors: Float[np.ndarray, " 1+tried"]  # worst found before, and after each addition
    skipped: Float[np.ndarray, "skipped dims"]  # places where no better weights were found

    @property
    def before(self) -> float:
        return float(self.errors[0])

    @property
    def after(self) -> float:
        return float(self.errors[len(self.points)])


def refine(
    points: Float[np.ndarray, "examples dims"],
    measure: Measure,
    *,
    build: SchemeBuilder = CardinalRBF,
    most: int = 10,
    threshold: float = 0.0,
    space: Space | None = None,
    samples: int = SAMPLES,
    seed: int = 0,
    progress: Progress | None = None,
) -> Refinement:
    """Add pseudo-examples where the error is largest, until there are `most` or it is under `threshold`.

    `points` are the examples' parameters and `measure` tells those of blends, both in the metric. Errors are
    looked for in the hull of the points, or in that of `space` where given.
    """
    if samples < 1 or most < 0 or not threshold >= 0:
        raise RequestError(
            f"refine needs samples, not {samples}; most ({most}) and threshold ({threshold}) >= 0"
        )
    real = frozen_array(points, "points", shape=(None, None))
    state = _State(build(real, np.eye(len(real))), real, np.eye(len(real)))
    volume = space or Space(tuple(f"p{k}" for k in range(real.shape[1])), ("1",) * real.shape[1], real)
    search = _Search(measure, volume, volume.to_metric(volume.sample(samples, seed)), _usual_distance(real))
    states, errors, residuals, skipped = [state], list[float](), list[float](), list[np.ndarray]()
    while True:
        worst, candidates = search.worst_places(state, skipped)
        errors.append(worst)
        added = len(states) - 1
        if progress is not None:
            progress(f"{added} pseudo-examples, worst error {worst:.4f}", min(added / max(most, 1), 1.0))
        if added >= most or worst <= max(threshold, PRECISE):
            break
        grown = _grown(search, state, candidates, build, skipped)
        if grown is None:
            break
        state, residual = grown
        states.append(state)
        residuals.append(residual)
    kept = _last_best(errors)
    return Refinement(
        scheme=states[kept].scheme,
        points=frozen_array(states[kept].points[len(real) :], "points"),
        weights=frozen_array(states[kept].weights[len(real) :], "weights"),
        residuals=frozen_array(residuals[:kept], "residuals"),
        errors=_told(errors),
        skipped=frozen_array(np.reshape(skipped, (-1, real.shape[1])), "skipped"),
    )


@dataclass(frozen=True, eq=False)
class _State:
    """A scheme and what it was built from."""

    scheme: WeightScheme
    points: np.ndarray
    weights: np.ndarray


@dataclass(frozen=True, eq=False)
class _Search:
    """Looks for the largest error in the volume, and for the place whose blend has wanted parameters."""

    measure: Measure
    volume: Space
    places: Float[np.ndarray, "samples dims"]  # spread over the volume
    usual: float  # metric; distance from an example to the nearest other

    def measured(self, weights: np.ndarray, dims: int) -> np.ndarray:
        """The real parameters of blends; what is not finite stays so and counts as an endless error."""
        parts = []
        for start in range(0, len(weights), ROWS):
            part = np.asarray(self.measure(weights[start : start + ROWS]), dtype=float)
            if part.shape != (min(ROWS, len(weights) - start), dims):
                raise RequestError(f"a measure must give {dims} parameters a row, not shape {part.shape}")
            parts.append(part)
        return np.concatenate(parts) if parts else np.zeros((0, dims))

    def misses(self, scheme: WeightScheme, places: np.ndarray, wanted: np.ndarray) -> np.ndarray:
        return self.measured(scheme(places), places.shape[1]) - wanted

    def jacobians(self, scheme: WeightScheme, places: np.ndarray) -> Float[np.ndarray, "q dims dims"]:
        """Derivative of the real parameters (rows) by the asked ones (columns), by central differences.

        Along the weights' own slopes, so that only the measure is differenced where the scheme knows them.
        """
        count, dims = places.shape
        along = DIFFERENCE * _slopes(scheme, places).swapaxes(1, 2)  # (q, dims, examples)
        weights = scheme(places)[:, None]
        rows = np.stack([weights + along, weights - along]).reshape(-1, scheme.examples)
        ahead, behind = self.measured(rows, dims).reshape(2, count, dims, dims)
        return ((ahead - behind) / (2.0 * DIFFERENCE)).swapaxes(1, 2)

    def worst_places(self, state: _State, skipped: list[np.ndarray]) -> tuple[float, np.ndarray]:
        """The largest error found anywhere, and the peaks a pseudo-example may be set at, worst first."""
        errors = _sizes(self.misses(state.scheme, self.places, self.places))
        free = self._free(self.places, state, skipped)
        gap = 0.5 * self.usual
        anywhere = _spread_out(self.places, errors, gap)
        possible = _spread_out(self.places, np.where(free, errors, -1.0), gap)
        chosen = np.union1d(anywhere, possible)
        starts = self.places[chosen]
        peaks, heights = self._climbed(state.scheme, starts, errors[chosen])
        worst = max(float(errors.max()), float(heights.max(initial=0.0)))
        reached = self._free(peaks, state, skipped)
        peaks = np.where(reached[:, None], peaks, starts)
        order = np.argsort(-np.where(reached, heights, errors[chosen]), kind="stable")
        return worst, peaks[order[(reached | free[chosen])[order]]]

    def _free(self, places: np.ndarray, state: _State, skipped: list[np.ndarray]) -> np.ndarray:
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
            found = _sizes(self.misses(scheme, tried, tried)).reshape(steps.shape[:2])
            best = found.argmax(axis=1)
            higher = found[each, best] > heights
            places[higher] = tried.reshape(*steps.shape)[each, best][higher]
            heights[higher] = found[each, best][higher]
            reach = np.where(higher, 1.5 * reach * HALVINGS[best], reach * HALVINGS[4])
            if (reach < 1e-4 * self.usual).all():
                break
        return places, heights

    def _upward(self, scheme: WeightScheme, places: np.ndarray) -> np.ndarray:
        """Unit directions in which the largest component of the error grows fastest."""
        missed = self.misses(scheme, places, places)
        each, largest = np.arange(len(places)), np.abs(missed).argmax(axis=1)
        slopes = self.jacobians(scheme, places)[each, largest]
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
        first = float(_sizes(self.misses(scheme, wanted[None], wanted))[0])
        if not np.isfinite(first):
            return None
        place, left = self._descended(scheme, wanted, wanted)
        if not left < HELPS * first:
            nearest = _sizes(self.misses(scheme, self.places, wanted)).argmin()
            place, left = self._descended(scheme, wanted, self.places[nearest])
        return (place, left) if left < HELPS * first else None

    def _descended(
        self, scheme: WeightScheme, wanted: np.ndarray, place: np.ndarray
    ) -> tuple[np.ndarray, float]:
        missed = self.misses(scheme, place[None], wanted)[0]
        for _ in range(DESCENTS):
            if _sizes(missed) <= PRECISE or not np.isfinite(missed).all():
                break
            step = self._downward(self.jacobians(scheme, place[None])[0], missed)
            tried = place + HALVINGS[:, None] * step
            found = self.misses(scheme, tried, wanted)
            best = int(_sizes(found).argmin())
            if not _sizes(found[best]) < _sizes(missed):
                break
            place, missed = tried[best], found[best]
        return place, float(_sizes(missed))

    def _downward(self, jacobian: np.ndarray, missed: np.ndarray) -> np.ndarray:
        """A Gauss-Newton step; where it does not exist, down the gradient of the largest component."""
        if not np.isfinite(jacobian).all():
            return np.zeros_like(missed)
        step, _, rank, _ = np.linalg.lstsq(jacobian, -missed, rcond=1e-6)
        if rank < len(missed):
            largest = int(np.abs(missed).argmax())
            slope = jacobian[largest]
            step = -missed[largest] * slope / max(float(slope @ slope), 1e-12)
        return step * min(1.0, self.usual / max(float(np.linalg.norm(step)), 1e-300))


def _grown(
    search: _Search, state: _State, candidates: np.ndarray, build: SchemeBuilder, skipped: list[np.ndarray]
) -> tuple[_State, float] | None:
    """The state with a pseudo-example at the worst place that can be bettered; others are marked."""
    for _ in range(ATTEMPTS):
        for wanted in candidates:
            grown = _with(search, state, wanted, build)
            if grown is not None:
                return grown
            skipped.append(wanted)
        _, candidates = search.worst_places(state, skipped)
    return None


def _with(
    search: _Search, state: _State, wanted: np.ndarray, build: SchemeBuilder
) -> tuple[_State, float] | None:
    """The state with a pseudo-example for the wanted parameters, and the error that it still has."""
    settled = search.settled(state.scheme, wanted)
    if settled is None:
        return None
    place, left = settled
    points = np.vstack([state.points, wanted])
    weights = np.vstack([state.weights, state.scheme(place[None])])
    try:
        return _State(build(points, weights), points, weights), left
    except RequestError:  # the scheme cannot be exact at this place too
        return None


def _slopes(scheme: WeightScheme, places: np.ndarray) -> Float[np.ndarray, "q examples dims"]:
    """The scheme's own derivative where it has one."""
    known = getattr(scheme, "jacobian", None)
    if known is not None:
        return known(places)
    along = DIFFERENCE * np.eye(places.shape[1])
    change = scheme(places[:, None] + along) - scheme(places[:, None] - along)
    return (change / (2.0 * DIFFERENCE)).swapaxes(1, 2)


def _sizes(missed: np.ndarray) -> np.ndarray:
    """Maximum norms."""
    return np.where(np.isfinite(missed), np.abs(missed), np.inf).max(axis=-1)


def _apart(places: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Distance from each place to the nearest of the others."""
    from scipy.spatial import KDTree

    return KDTree(others).query(places)[0]


def _spread_out(places: np.ndarray, errors: np.ndarray, gap: float) -> np.ndarray:
    """Indices of the worst places, no two of them within the gap; a negative error is not asked for."""
    order = np.argsort(-errors, kind="stable")
    order = order[errors[order] >= 0]
    taken: list[int] = []
    while len(order) and len(taken) < STARTS:
        taken.append(int(order[0]))
        order = order[np.linalg.norm(places[order] - places[order[0]], axis=1) > gap]
    return np.array(taken, dtype=int)


def _usual_distance(points: np.ndarray) -> float:
    from scipy.spatial import KDTree

    return float(np.median(KDTree(points).query(points, k=2)[0][:, 1]))


def _last_best(errors: list[float]) -> int:
    """How many additions to keep: never a worse state; the latest of equals, for it is better elsewhere."""
    told = np.array(errors)
    return int(np.flatnonzero(told <= told.min() * (1.0 + SAME))[-1])


def _told(errors: list[float]) -> np.ndarray:
    told = np.array(errors)
    told.flags.writeable = False
    return told
