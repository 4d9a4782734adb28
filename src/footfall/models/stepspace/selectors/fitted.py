"""Weights fitted in S_high: of all convex blends of steps the one nearest to the query, made of near steps.

Between `nearest`, which looks at distances first, and a plain fit, which would blend far steps of opposite
errors: the sum of squared distance of the blend, of a share of the blended steps' own, and of a little ridge
is least. All steps take part, so nothing jumps where a step becomes the k-th nearest. Laid on the support
foot's heading; what remains of the foot places is left to the feet's own solution.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from jaxtyping import Float, Int

from footfall.errors import RequestError
from footfall.models.stepspace.selection import Selection, StepQuery
from footfall.models.stepspace.selectors.over_steps import OverSteps

OWN = 0.1  # of the blended steps' own squared distances
RIDGE = 0.01  # m^2; about 7 steps are blended, 5 without


@dataclass(frozen=True, eq=False)
class Fitted(OverSteps):
    """The best convex fit in S_high; it answers outside the hull of S_low as well."""

    own: float = OWN
    ridge: float = RIDGE
    name: ClassVar[str] = "fitted"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (self.own >= 0.0 and self.ridge > 0.0):
            raise RequestError("the fitted selector needs a share of 0 or more and a ridge above 0")

    def select(self, query: StepQuery) -> Selection:
        away = self.away(query)
        dear = 0.5 * self.own * np.square(away).sum(axis=1)
        steps, weights = fitted_weights(away, self.ridge, dear)
        return Selection(steps, weights, "support", inside=self.space.locate(query.low) >= 0, other=True)


def fitted_weights(
    away: Float[np.ndarray, "n d"], ridge: float, dear: Float[np.ndarray, "n"]
) -> tuple[Int[np.ndarray, "k"], Float[np.ndarray, "k"]]:
    """Steps in increasing order, and their convex weights with the least sum (`fit_kernel`)."""
    from footfall.models.stepspace.selectors.fit_kernel import MOST, fit

    used, weights = np.zeros(MOST, dtype=np.int64), np.zeros(MOST)
    count = fit(np.ascontiguousarray(away), ridge, dear, used, weights)
    order = np.argsort(used[:count])
    shares = np.maximum(weights[order], 0.0)
    return used[order], shares / shares.sum()
