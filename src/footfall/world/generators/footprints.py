"""Footprints in plan: what they cover, and plans of alternating feet. Places are x, z of subtalars."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.world.foot_plan import FootPlacement, FootPlan
from footfall.world.generators.limits import StepLimits

FEET = ("left", "right")


def side_of(count: int, first: int = 0) -> Float[np.ndarray, "count"]:
    """+1 for the left feet of a plan and -1 for the right ones, from its `first` placement on."""
    return np.where((first + np.arange(count)) % 2 == 0, 1.0, -1.0)


def towards(heading: Float[np.ndarray, "*n"] | float) -> Float[np.ndarray, "*n 2"]:
    """The direction x, z of a heading."""
    return np.stack([np.sin(heading), np.cos(heading)], axis=-1)


def left_of(heading: Float[np.ndarray, "*n"] | float) -> Float[np.ndarray, "*n 2"]:
    """The direction x, z to the left of a heading."""
    return np.stack([np.cos(heading), -np.sin(heading)], axis=-1)


def foot_corners(
    places: Float[np.ndarray, "n 2"],
    heading: Float[np.ndarray, "n"],
    limits: StepLimits,
    clear: float = 0.0,
) -> Float[np.ndarray, "n 4 2"]:
    """The corners of feet, `clear` metres farther out: heel right, heel left, toe left, toe right."""
    heel, toe = -limits.behind - clear, limits.ahead + clear
    along = np.array([heel, heel, toe, toe])[:, None]
    left = (0.5 * limits.foot_width + clear) * np.array([-1.0, 1.0, 1.0, -1.0])[:, None]
    return places[:, None] + along * towards(heading)[:, None] + left * left_of(heading)[:, None]


def alternating(
    places: Float[np.ndarray, "n 2"], heights: Float[np.ndarray, "n"], heading: Float[np.ndarray, "n"]
) -> FootPlan:
    """A plan whose first placement is the left foot's."""
    positions = np.stack([places[:, 0], heights, places[:, 1]], axis=-1)
    return FootPlan.of_steps(
        [FootPlacement(FEET[k % 2], p, float(heading[k])) for k, p in enumerate(positions)]
    )
