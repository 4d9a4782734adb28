"""The paper's own choice: of B(T) the tetrahedron whose steps lie nearest to the query in S_high, eq. 3."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from footfall.geometry.decisions import first_least
from footfall.models.stepspace.selection import Selection, StepQuery
from footfall.models.stepspace.selectors.over_steps import OverSteps


@dataclass(frozen=True, eq=False)
class Paper(OverSteps):
    """Steps are judged one by one, whatever weights they are going to have ([stepping] 5.1)."""

    upper: float = 0.0  # w_u, [stepping] 6
    name: ClassVar[str] = "paper"
    needs_candidates: ClassVar[bool] = True

    def select(self, query: StepQuery) -> Selection:
        assert self.candidates is not None
        found, weights = self.space.containing(query.low)
        if found < 0:
            return self.alone(query)
        quads = self.candidates.of(found)
        judged = self.far(query)[quads].sum(axis=1)  # [stepping] eq. 3
        if self.upper > 0.0:
            judged = judged + self.upper * self.candidates.upper_error(quads)
        best = int(first_least(judged))
        if best > 0:  # the first is the containing one, whose weights are known
            weights = self.space.convex(quads[best], query.low)
        return Selection(quads[best].astype(int), weights, "low", inside=True, other=best > 0)
