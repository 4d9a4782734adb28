"""Weights from a linear program: any steps, exact in S_low, the least weighted distance in S_high.

Of all convex weights that meet the query's place in S_low those with the least sum of w_i d_w(i). At most
four of them are not zero; of steps that are as near, as twins are, a small share of the distance by index
decides. Unlike B(T) it looks at every step, and unlike eq. 3 a step counts as much as it weighs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from jaxtyping import Float

from footfall.geometry.decisions import clearly_less, tie_break
from footfall.models.stepspace.selection import Selection, StepQuery
from footfall.models.stepspace.selectors.over_steps import OverSteps

TIES = 1e-5  # of a step's distance, by index


@dataclass(frozen=True, eq=False)
class Program(OverSteps):
    """The linear program's four steps; those of the containing tetrahedron are where it starts."""

    name: ClassVar[str] = "program"

    def select(self, query: StepQuery) -> Selection:
        from footfall.models.stepspace.selectors.program_kernel import least_cost

        place = query.low
        found, weights = self.space.containing(place)
        if found < 0:
            return self.alone(query)
        own = self.space.corners[found]
        steps, shares = own.copy(), np.zeros(4)
        if least_cost(self.space.low, self.far(query) * self._dearer, place, steps, shares) < 0:
            return Selection(own, weights, "low", inside=True)
        order = np.argsort(steps)
        # others are in use by chance, where a place is a step's
        order = order[clearly_less(0.0, shares[order])]
        steps, shares = steps[order], shares[order]
        other = not set(steps.tolist()) <= set(own.tolist())
        return Selection(steps, shares / shares.sum(), "low", inside=True, other=other)

    @cached_property
    def _dearer(self) -> Float[np.ndarray, "n"]:
        steps = np.arange(len(self.high))
        return 1.0 + TIES * tie_break(steps, np.zeros_like(steps))
