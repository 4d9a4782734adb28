"""Candidates judged by the blended result, which the paper names as the next thing to try ([stepping] 7).

Eq. 3 asks how near each of four steps is to the query. Here the question is how near their blend is, with the
weights they would have. `JudgedListed` looks through B(T); `JudgedAround` through all tetrahedra of the
nearest steps in S_high that contain the query, be T inside them or not.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
from jaxtyping import Float, Int

from footfall.geometry.decisions import order_of
from footfall.models.stepspace.candidates import BlendCandidates, LowSpace
from footfall.models.stepspace.low_space import low_axis, low_places
from footfall.models.stepspace.selection import (
    PAPER_METRIC,
    MetricWeights,
    Selection,
    StepQuery,
)
from footfall.models.stepspace.selectors.over_steps import OverSteps, Steps

SPREAD = 0.1  # of the blended steps' own distance: of like blends, the one of like steps
AROUND = 30  # steps: 27,405 tetrahedra


@dataclass(frozen=True, eq=False)
class _Judged(OverSteps):
    """What both share: the steps as the kernel wants them."""

    spread: float = SPREAD

    @cached_property
    def traits(self) -> Float[np.ndarray, "n 11"]:
        rows = self.metric.capped(self.high)
        return np.ascontiguousarray(np.c_[low_places(rows), low_axis(rows), rows[:, 4:]])

    def asked(self, query: StepQuery) -> tuple[Float[np.ndarray, "10"], Float[np.ndarray, "10"]]:
        """The query's numbers and their weights; what is not asked has none."""
        wanted = self.metric.capped(query.high)
        known = np.isfinite(wanted)
        return np.where(known, wanted, 0.0), np.where(known, self.metric.each, 0.0)


@dataclass(frozen=True, eq=False)
class JudgedListed(_Judged):
    """The best blend among B(T) of the containing tetrahedron T."""

    name: ClassVar[str] = "judged"
    needs_candidates: ClassVar[bool] = True

    def select(self, query: StepQuery) -> Selection:
        from footfall.models.stepspace.selectors.judged_kernel import best_listed

        assert self.candidates is not None
        found, weights = self.space.containing(query.low)
        if found < 0:
            return self.alone(query)
        quads = self.candidates.of(found).astype(np.int32)
        away = np.square(self.far(query))
        best = best_listed(
            self.space.low, self.traits, quads, query.low, away, self.spread, *self.asked(query), weights
        )
        return Selection(quads[best], weights, "low", inside=True, other=best > 0)


@dataclass(frozen=True, eq=False)
class JudgedAround(_Judged):
    """The best blend among all tetrahedra around the query of the steps nearest to it in S_high."""

    way: Int[np.ndarray, "n"] | None = None  # 1 forward, -1 backward, 0 aside: the first two are not mixed
    around: int = AROUND
    name: ClassVar[str] = "judged_around"

    @classmethod
    def make(
        cls,
        steps: Steps,
        space: LowSpace,
        candidates: BlendCandidates | None = None,
        metric: MetricWeights | None = None,
    ) -> Self:
        return cls(steps.high, space, candidates, metric or PAPER_METRIC, steps.rises, way=steps.ways)

    def select(self, query: StepQuery) -> Selection:
        from footfall.models.stepspace.selectors.judged_kernel import best_around

        found, weights = self.space.containing(query.low)
        if found < 0:
            return self.alone(query)
        own = self.space.corners[found]
        away = np.square(self.far(query))
        near = order_of(away)[: self.around]
        # T's own corners are in: so there always is an answer
        near = np.union1d(near, own).astype(np.int32)
        chosen, shares = own.copy(), weights
        best_around(
            self.space.low,
            self.traits,
            self.ways,
            near,
            query.low,
            away,
            self.spread,
            *self.asked(query),
            chosen,
            shares,
        )
        return Selection(chosen, shares, "low", inside=True, other=bool((chosen != own).any()))

    @cached_property
    def ways(self) -> Int[np.ndarray, "n"]:
        if self.way is None:
            return np.zeros(len(self.high), dtype=np.int8)
        return np.ascontiguousarray(self.way, dtype=np.int8)
