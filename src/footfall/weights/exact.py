"""The weights whose blend is what was asked for, found when it is asked ([movements] 4).

The paper searches beforehand and keeps pseudo-examples, for its search took too long at run time. In many
dimensions pseudo-examples without number would be needed; a few steps of Gauss and Newton from the scheme's
own weights take some milliseconds and leave nothing.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.weights.blends import Blends, Measure, sizes
from footfall.weights.scheme import WeightScheme

ROUNDS = 6
PRECISE = 1e-7  # metric
LONGEST = 0.1  # metric: of one step
BOUND = 1.5  # no example has more weight than this, with either sign
SHARES = (1.0, 0.5, 0.25)  # of a step that are tried


def exact_weights(
    scheme: WeightScheme,
    measure: Measure,
    wanted: Float[np.ndarray, "q dims"],
    *,
    precise: float = PRECISE,
) -> tuple[Float[np.ndarray, "q examples"], Float[np.ndarray, "q"]]:
    """Weights for wanted parameters, and by how much their blends miss them; never worse than the scheme's.

    `wanted` and what `measure` tells are in the metric; a miss up to `precise` is none.
    """
    blends = Blends(measure)
    places = np.array(wanted, dtype=float)
    weights = scheme(places)
    missed = blends.measured(weights, places.shape[1]) - wanted
    for _ in range(ROUNDS):
        open_ = np.flatnonzero(sizes(missed) > precise)
        if not len(open_):
            break
        step = _steps(blends.jacobians(scheme, places[open_]), missed[open_])
        moved = np.zeros(len(open_), dtype=bool)
        for share in SHARES:
            left = np.flatnonzero(~moved)
            rows = open_[left]
            tried = places[rows] + share * step[left]
            found = scheme(tried)
            error = blends.measured(found, places.shape[1]) - wanted[rows]
            better = (sizes(error) < sizes(missed[rows])) & (np.abs(found).max(axis=-1) <= BOUND)
            places[rows[better]], weights[rows[better]] = tried[better], found[better]
            missed[rows[better]] = error[better]
            moved[left[better]] = True
        if not moved.any():
            break
    return weights, sizes(missed)


def _steps(
    jacobians: Float[np.ndarray, "q dims dims"], missed: Float[np.ndarray, "q dims"]
) -> Float[np.ndarray, "q dims"]:
    """Steps of Gauss and Newton, none longer than is sensible."""
    usable = np.isfinite(jacobians).all(axis=(1, 2)) & np.isfinite(missed).all(axis=1)
    step = np.zeros(missed.shape)
    inverse = np.linalg.pinv(jacobians[usable], rcond=1e-6)
    step[usable] = -np.einsum("qij,qj->qi", inverse, missed[usable])
    length = np.linalg.norm(step, axis=-1, keepdims=True)
    return step * np.minimum(1.0, LONGEST / np.maximum(length, 1e-300))
