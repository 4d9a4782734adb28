"""The nearest steps in S_high, laid on the support foot's heading; outside the hull as well as inside.

Their weights fall to zero with the distance at which a step would drop out of the k, so they change smoothly
([body] 5.2). Then they are changed, as little as it takes, so that the blend comes nearer to the query. What
remains of the foot places is left to the feet's own solution: S_low is not met exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from jaxtyping import Float

from footfall.errors import RequestError
from footfall.geometry.decisions import clearly_less, order_of
from footfall.models.stepspace.selection import Selection, StepQuery
from footfall.models.stepspace.selectors.fitted import fitted_weights
from footfall.models.stepspace.selectors.over_steps import OverSteps

NEAREST = 16  # of 8, 12 and 16 the best on clips left out
SHARPNESS = 2.0  # power of 1/d - 1/d_(k+1)
CHANGE = 0.01  # m^2; how dear a change of weights is beside the squared distance in S_high


@dataclass(frozen=True, eq=False)
class Nearest(OverSteps):
    """The k nearest in S_high."""

    count: int = NEAREST
    sharpness: float = SHARPNESS
    change: float | None = CHANGE  # None: weights stay as the distances make them
    name: ClassVar[str] = "nearest"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1 <= self.count <= 64 or (self.change is not None and not self.change > 0):
            raise RequestError("the nearest selector needs 1 to 64 steps, and a price of change above 0")

    def select(self, query: StepQuery) -> Selection:
        away = self.away(query)
        far = np.linalg.norm(away, axis=1)
        order = order_of(far)[: self.count + 1]
        steps = order[: self.count]
        weights = fading_weights(far[order], self.count, self.sharpness)
        if self.change is not None and len(steps) > 1:
            weights = corrected(weights, away[steps], self.change)
        found = self.space.locate(query.low)
        kept = clearly_less(0.0, weights)
        weights = weights[kept] / weights[kept].sum()
        return Selection(steps[kept], weights, "support", inside=found >= 0, other=True)


def fading_weights(far: Float[np.ndarray, "k+1"], count: int, sharpness: float) -> Float[np.ndarray, "k"]:
    """(1/d - 1/d_(k+1)) to a power, in sum 1; the k + 1st weighs nothing, a step at the query all."""
    near = far[:count]
    touching = ~clearly_less(0.0, near)
    if touching[0]:
        raw = touching.astype(float)
    else:
        last = 1.0 / far[count] if len(far) > count else 0.0
        raw = np.maximum(near[0] / near - near[0] * last, 0.0) ** sharpness
        if raw.sum() == 0.0:
            raw = np.ones(len(near))
    return raw / raw.sum()


def corrected(
    weights: Float[np.ndarray, "k"], away: Float[np.ndarray, "k 10"], change: float
) -> Float[np.ndarray, "k"]:
    """Least |blend - query|^2 + change |w - weights|^2 over convex w."""
    steps, shares = fitted_weights(away, change, -change * weights)
    found = np.zeros(len(weights))
    found[steps] = shares
    return found
