"""What a foot planner is asked for, and what it gives: a plan that was walked, or why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float

from footfall.models.stepspace.model import FollowedPlan
from footfall.planning.footsteps.walked import TrunkRoom
from footfall.planning.route import NoPathError
from footfall.world.foot_plan import FootPlan

Place = Float[np.ndarray, "3"]


class NoStepsError(NoPathError):
    """There is no foot plan. `nearest` is the nearest place that can be reached, if it is known."""


@dataclass(frozen=True, eq=False)
class PlannedWalk:
    """A foot plan and the motion that walks it."""

    plan: FootPlan
    motion: FollowedPlan
    room: TrunkRoom  # of the trunk, as it walks

    @cached_property
    def ratio(self) -> float:
        """How hard the motion accelerates, beside the captured steps."""
        found = self.motion.certificate().acceleration_ratio
        return np.inf if found is None else float(found)

    def __repr__(self) -> str:
        steps, seconds = len(self.plan) - 2, self.motion.seconds
        return f"PlannedWalk({steps} steps, {seconds:.1f} s, {100.0 * self.room.least:.0f} cm of room)"


@dataclass(frozen=True, eq=False)
class Request:
    """Where a walk begins and ends."""

    start: Place
    goal: Place
    facing: float  # rad, at first
    heading: float | None  # rad, at last
