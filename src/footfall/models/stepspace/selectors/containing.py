"""The containing tetrahedron's own corners: foot places alone decide ([stepping] 4.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from footfall.models.stepspace.selection import Selection, StepQuery
from footfall.models.stepspace.selectors.over_steps import OverSteps


@dataclass(frozen=True, eq=False)
class Containing(OverSteps):
    """Barycentric weights in the tetrahedron that contains the query."""

    name: ClassVar[str] = "containing"

    def select(self, query: StepQuery) -> Selection:
        found, weights = self.space.containing(query.low)
        if found < 0:
            return self.alone(query)
        return Selection(self.space.corners[found], weights, "low", inside=True)
