"""What is asked of a step, which steps are blended for it, and how near they are to it in S_high.

Selectors are exchangeable: each takes a query and gives steps with weights that sum to 1. In frame "low" the
steps are laid on each other in S_low's frame (support foot's subtalar, first placement), and the weights meet
S_low of the query exactly; in frame "support" they are laid on the support foot's own heading.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, Protocol

import numpy as np
from jaxtyping import Float, Int

from footfall.errors import RequestError
from footfall.geometry import ground
from footfall.geometry.decisions import first_greatest
from footfall.models.stepspace.low_space import low_axis, low_of, low_places, turned

ANGLES = slice(4, 6)  # theta1, theta2
STANCES = (6, 7, 9)  # stance1, stance2, support


@dataclass(frozen=True)
class MetricWeights:
    """Weights of squared differences in S_high ([stepping] 6); rests longer than the cap are alike."""

    spatial: float = 1.0  # 1/m^2
    angular: float = 0.25  # 1/rad^2
    temporal: float = 0.02  # 1/s^2
    rise: float = 1.0  # 1/m^2, beyond the paper: how much higher or lower the prints lie
    longest_stance: float = 1.0  # s

    def __post_init__(self) -> None:
        weights = (self.spatial, self.angular, self.temporal, self.rise, self.longest_stance)
        if not all(np.isfinite(w) and w >= 0 for w in weights) or not any(weights[:3]):
            raise RequestError(f"weights of S_high must be 0 or more and not all 0, not {weights}")

    @property
    def each(self) -> Float[np.ndarray, "10"]:
        return np.repeat([self.spatial, self.angular, self.temporal], [4, 2, 4])

    def capped(self, high: Float[np.ndarray, "*n 10"]) -> Float[np.ndarray, "*n 10"]:
        """Rows with their rests cut to the cap; what is not asked (NaN) stays so."""
        rows = np.array(high, dtype=float)
        rows[..., STANCES] = np.minimum(rows[..., STANCES], self.longest_stance)
        return rows


PAPER_METRIC = MetricWeights()


@dataclass(frozen=True, eq=False)
class StepQuery:
    """The ten numbers of S_high asked for; NaN is not asked. The four places are always needed."""

    high: Float[np.ndarray, "10"]
    rises: Float[np.ndarray, "2"] = field(default_factory=lambda: np.zeros(2))  # over the support print, m

    def __post_init__(self) -> None:
        high = np.array(self.high, dtype=float)
        rises = np.array(self.rises, dtype=float)
        if rises.shape != (2,) or not np.isfinite(rises).all():
            raise RequestError("a step's rises are two finite numbers, in metres")
        rises.flags.writeable = False
        object.__setattr__(self, "rises", rises)
        if high.shape != (10,) or not np.isfinite(high[:4]).all() or np.isinf(high).any():
            raise RequestError(
                "a step is asked for by ten numbers; x1, z1, x2, z2 are needed, others may be NaN"
            )
        high.flags.writeable = False
        object.__setattr__(self, "high", high)

    @cached_property
    def low(self) -> Float[np.ndarray, "3"]:
        return low_of(self.high)


@dataclass(frozen=True, eq=False)
class Selection:
    """Steps to blend and their weights, none negative, in sum 1."""

    steps: Int[np.ndarray, "k"]
    weights: Float[np.ndarray, "k"]
    frame: Literal["low", "support"]
    inside: bool  # whether the query lies in the hull of S_low
    other: bool = False  # other steps than the corners of the containing tetrahedron
    runs: bool = False  # whether the steps are run: then they are those of the running table


class Selector(Protocol):
    """Chooses the steps to blend for a query; the same query gives the same steps."""

    @property
    def name(self) -> str: ...

    def select(self, query: StepQuery) -> Selection: ...


def distances(
    high: Float[np.ndarray, "n 10"], query: StepQuery, metric: MetricWeights
) -> Float[np.ndarray, "n"]:
    """d_w of eq. 3: weighted Euclidean, angles the short way round; what is not asked does not count."""
    return np.sqrt(np.square(differences(high, query, metric)) @ metric.each)


def differences(
    high: Float[np.ndarray, "n 10"], query: StepQuery, metric: MetricWeights
) -> Float[np.ndarray, "n 10"]:
    away = metric.capped(high) - metric.capped(query.high)
    away[..., ANGLES] = ground.wrap(away[..., ANGLES])
    return np.where(np.isnan(away), 0.0, away)


def blended_high(
    high: Float[np.ndarray, "n 10"],
    steps: Int[np.ndarray, "k"],
    weights: Float[np.ndarray, "k"],
    frame: Literal["low", "support"],
) -> Float[np.ndarray, "10"]:
    """S_high of the blend: places linear in the frame, angles relative to the heaviest step's.

    In frame "low" the support foot's heading is blended too, and with it the places as that foot sees them.
    """
    rows = np.asarray(high)[steps]
    row = weights @ rows
    row[ANGLES] = _blended_angles(rows[:, ANGLES], weights)
    if frame == "low":
        axis = _blended_angles(low_axis(rows)[:, None], weights)[0]
        row[:4] = turned(weights @ low_places(rows), axis)
    return row


def _blended_angles(
    angles: Float[np.ndarray, "k d"], weights: Float[np.ndarray, "k"]
) -> Float[np.ndarray, "d"]:
    heaviest = angles[first_greatest(weights)]
    return ground.wrap(heaviest + weights @ ground.wrap(angles - heaviest))
