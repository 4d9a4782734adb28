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
from footfall.geometry.decisions import MARGIN
from footfall.weights.blends import Blends, Measure
from footfall.weights.cardinal_rbf import CardinalRBF
from footfall.weights.error_search import ErrorSearch, State
from footfall.weights.scheme import SchemeBuilder, WeightScheme
from footfall.weights.space import Space

Progress = Callable[[str, float], None]  # what is done now, and the share that is done

SAMPLES = 4000  # places in the hull at which the error is looked for
ATTEMPTS = 3  # times that the next worst places are looked for, where none of the worst can be bettered
SAME = 1e-6  # worst errors that differ by a smaller share are the same


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

    None is added where the error is within the margin of decisions: rounding would choose the place.

    `points` are the examples' parameters and `measure` tells those of blends, both in the metric. Errors are
    looked for in the hull of the points, or in that of `space` where given.
    """
    if samples < 1 or most < 0 or not threshold >= 0:
        raise RequestError(
            f"refine needs samples, not {samples}; most ({most}) and threshold ({threshold}) >= 0"
        )
    real = frozen_array(points, "points", shape=(None, None))
    state = State(build(real, np.eye(len(real))), real, np.eye(len(real)))
    volume = space or Space(tuple(f"p{k}" for k in range(real.shape[1])), ("1",) * real.shape[1], real)
    places = volume.to_metric(volume.sample(samples, seed))
    search = ErrorSearch(Blends(measure), volume, places, _usual_distance(real))
    states, errors, residuals, skipped = [state], list[float](), list[float](), list[np.ndarray]()
    while True:
        worst, candidates = search.worst_places(state, skipped)
        errors.append(worst)
        added = len(states) - 1
        if progress is not None:
            progress(f"{added} pseudo-examples, worst error {worst:.4f}", min(added / max(most, 1), 1.0))
        if added >= most or worst <= max(threshold, MARGIN):
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


def _grown(
    search: ErrorSearch, state: State, candidates: np.ndarray, build: SchemeBuilder, skipped: list[np.ndarray]
) -> tuple[State, float] | None:
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
    search: ErrorSearch, state: State, wanted: np.ndarray, build: SchemeBuilder
) -> tuple[State, float] | None:
    """The state with a pseudo-example for the wanted parameters, and the error that it still has."""
    settled = search.settled(state.scheme, wanted)
    if settled is None:
        return None
    place, left = settled
    points = np.vstack([state.points, wanted])
    weights = np.vstack([state.weights, state.scheme(place[None])])
    try:
        return State(build(points, weights), points, weights), left
    except RequestError:  # the scheme cannot be exact at this place too
        return None


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
