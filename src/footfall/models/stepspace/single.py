"""One step by its numbers in S_high: the plan of three prints it stands for, in the support foot's frame."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from jaxtyping import Float

from footfall.figure.contacts import SIDES
from footfall.geometry import ground
from footfall.geometry.decisions import MARGIN, first_least
from footfall.models.stepspace.selection import ANGLES, PAPER_METRIC
from footfall.models.stepspace.step_table import OPPOSITE
from footfall.validation import one_of
from footfall.weights.space import Space
from footfall.world.foot_plan import FootPlacement, FootPlan

PLACED = 6  # numbers of S_high that say where and how prints lie; the others are times
USUAL = 1e-6  # weight of being like most steps, where what is asked leaves several


def single_step(spaces: Mapping[str, Space], foot: str, parameters: Mapping[str, float]) -> FootPlan:
    """The support print at the origin, facing +Z, and the swing foot's two prints beside it.

    What is not asked of them is the nearest captured step's; times that are not asked are left open.
    """
    one_of(foot, SIDES, "foot")
    space = spaces[foot]
    nothing = dict.fromkeys(space.names, 0.0)
    given = space.vector(**(nothing | dict(parameters)))
    asked = np.array([name in parameters for name in space.names])
    x1, z1, x2, z2, theta1, theta2 = np.where(asked, given, _nearest(space.points, given, asked))[:PLACED]
    stance1, stance2, swing, stance = (
        float(value) if known else None for value, known in zip(given[PLACED:], asked[PLACED:], strict=True)
    )
    return FootPlan(
        (
            FootPlacement(foot, np.array([x1, 0.0, z1]), float(theta1), stance=stance1),
            FootPlacement(OPPOSITE[foot], np.zeros(3), 0.0, stance=stance),
            FootPlacement(foot, np.array([x2, 0.0, z2]), float(theta2), swing=swing, stance=stance2),
        )
    )


def _nearest(
    high: Float[np.ndarray, "n 10"], given: Float[np.ndarray, "10"], asked: np.ndarray
) -> Float[np.ndarray, "10"]:
    """The captured step nearest to what is asked; of several, the one most like all steps."""
    weights = PAPER_METRIC.each
    away = _apart(high, given) @ np.where(asked, weights, 0.0)
    away += USUAL * (_apart(high, np.median(high, axis=0)) @ weights)
    return high[int(first_least(away, USUAL * MARGIN))]


def _apart(high: Float[np.ndarray, "n 10"], row: Float[np.ndarray, "10"]) -> Float[np.ndarray, "n 10"]:
    """Squared differences, angles the short way round."""
    away = high - row
    away[:, ANGLES] = ground.wrap(away[:, ANGLES])
    return np.square(away)
