"""What all selectors are made of: the steps of the left foot, their S_low, and the metric of S_high."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Protocol, Self

import numpy as np
from jaxtyping import Float, Int

from footfall.errors import RequestError
from footfall.figure.frozen import frozen_array
from footfall.geometry import ground
from footfall.geometry.decisions import first_least
from footfall.models.stepspace.candidates import BlendCandidates, LowSpace
from footfall.models.stepspace.selection import (
    ANGLES,
    PAPER_METRIC,
    MetricWeights,
    Selection,
    StepQuery,
)

AT_ONCE = 64  # queries


class Steps(Protocol):
    """What a table of steps tells selectors."""

    @property
    def high(self) -> Float[np.ndarray, "n 10"]: ...

    @property
    def rises(self) -> Float[np.ndarray, "n 2"]: ...  # of both placements over the support, m

    @property
    def ways(self) -> Int[np.ndarray, "n"]: ...  # 1 forward, -1 backward, 0 aside


@dataclass(frozen=True, eq=False)
class OverSteps:
    """Steps as rows of S_high. B(T) is needed by those selectors that say so, and not read by others."""

    high: Float[np.ndarray, "n 10"]
    space: LowSpace
    candidates: BlendCandidates | None = None
    metric: MetricWeights = PAPER_METRIC
    rises: Float[np.ndarray, "n 2"] | None = None  # m; None is level ground, as in the paper
    name: ClassVar[str] = ""
    needs_candidates: ClassVar[bool] = False  # whether it chooses from B(T)

    def __post_init__(self) -> None:
        high = frozen_array(self.high, "steps in S_high", shape=(10,))
        if high.shape != (len(self.space.low), 10):
            raise RequestError(
                f"{len(self.space.low)} steps in S_low need as many rows of S_high: {high.shape}"
            )
        if self.needs_candidates and (
            self.candidates is None or len(self.candidates) != len(self.space.corners)
        ):
            raise RequestError("this selector needs blend candidates for every tetrahedron")
        object.__setattr__(self, "high", high)

    @classmethod
    def make(
        cls,
        steps: Steps,
        space: LowSpace,
        candidates: BlendCandidates | None = None,
        metric: MetricWeights | None = None,
    ) -> Self:
        """One over a table of steps, with its own knobs as they are."""
        return cls(steps.high, space, candidates, metric or PAPER_METRIC, steps.rises)

    @cached_property
    def _rows(self) -> Float[np.ndarray, "n 12"]:
        """S_high with long rests cut to the cap, then the rises."""
        own = np.zeros((len(self.high), 2)) if self.rises is None else self.rises
        return np.concatenate([self.metric.capped(self.high), own], axis=1)

    @cached_property
    def _roots(self) -> Float[np.ndarray, "12"]:
        return np.sqrt(np.append(self.metric.each, [self.metric.rise] * 2))

    def away(self, query: StepQuery) -> Float[np.ndarray, "n 12"]:
        """Weighted differences of all steps from a query: S_high, then the rises."""
        from footfall.models.stepspace.selectors.fit_kernel import put_away

        row = np.concatenate([self.metric.capped(query.high), query.rises])
        away = np.empty(self._rows.shape)
        put_away(self._rows, row, self._roots, ANGLES.start, ANGLES.stop, away)
        return away

    def nearest(self, rows: Float[np.ndarray, "queries 12"]) -> Float[np.ndarray, "queries"]:
        """How far the nearest step is from each of many queries: S_high, then the rises."""
        asked = np.concatenate([self.metric.capped(rows[:, :10]), rows[:, 10:]], axis=1)
        open_ = np.isnan(asked)
        weights = np.where(open_, 0.0, self._roots**2)
        asked[open_] = 0.0
        out = np.empty(len(rows))
        for k in range(0, len(rows), AT_ONCE):
            part = slice(k, k + AT_ONCE)
            away = self._rows - asked[part, None]
            away[..., ANGLES] = ground.wrap(away[..., ANGLES])
            out[part] = np.sqrt((np.square(away) @ weights[part, :, None])[..., 0].min(axis=1))
        return out

    def far(self, query: StepQuery) -> Float[np.ndarray, "n"]:
        """d_w of eq. 3, and how much higher or lower steps lead."""
        return np.linalg.norm(self.away(query), axis=1)

    def alone(self, query: StepQuery) -> Selection:
        """Outside the hull: the nearest step ([stepping] 7), laid on the support foot's heading."""
        nearest = int(first_least(self.far(query)))  # of mirror images the first, however it rounds
        return Selection(np.array([nearest]), np.ones(1), "support", inside=False, other=True)

    def select(self, query: StepQuery) -> Selection:
        raise NotImplementedError
