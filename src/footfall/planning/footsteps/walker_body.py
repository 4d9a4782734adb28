"""What a body is to a foot planner: a stadium across the trunk over two soles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Float

from footfall.analysis.facing import trunk_headings
from footfall.figure.motion import Motion
from footfall.planning.footsteps import body_layout as layout
from footfall.planning.footsteps.footing import WIDE, SoleSize
from footfall.planning.footsteps.moves import WIDTH
from footfall.planning.limits import WalkLimits
from footfall.world.foot_plan import FootPlacement, FootPlan
from footfall.world.limit_ranges import check_ranges

if TYPE_CHECKING:
    from footfall.models.stepspace.model import StepSpace

SPARE = 0.01  # m that soles keep from edges and things
ASIDE = 0.25  # m of the steps in which it is measured where the trunk goes
RANGES = {"width": (0.1, 2.0), "depth": (0.1, 2.0)}

Prints = Float[np.ndarray, "2 4"]  # left and right: x, y, z, facing of the trunk


@dataclass(frozen=True)
class BodySize:
    """The trunk from above: a stadium, as wide as the shoulders and as deep as the chest."""

    width: float = 0.50  # m
    depth: float = 0.28  # m

    def __post_init__(self) -> None:
        check_ranges(self, RANGES)

    @property
    def half(self) -> float:
        """m from the middle to the ends of the line that has the stadium round it."""
        return max(0.5 * (self.width - self.depth), 0.0)

    @property
    def radius(self) -> float:
        return 0.5 * min(self.depth, self.width)


@dataclass(frozen=True)
class WalkerBody:
    """A body over the feet of one step space's figure."""

    size: BodySize
    sole: SoleSize
    toe_out: float  # rad
    ahead: float  # m from the ankles to the trunk's middle
    step: float  # m up or down from one foot to the other

    @classmethod
    def of(cls, steps: StepSpace, size: BodySize, limits: WalkLimits) -> WalkerBody:
        step = min(limits.step, steps.choosing.reach.highest)
        sole = SoleSize.of(steps.skeleton)
        return cls(size, sole, steps.toe_out, _trunk_ahead(steps), step)

    def numbers(self, margin: float, limits: WalkLimits) -> Float[np.ndarray, "numbers"]:
        """For the kernels, with a margin round the trunk."""
        own = np.zeros(layout.NUMBERS_OF_BODY)
        own[layout.TRUNK_AHEAD], own[layout.HALF] = self.ahead, self.size.half
        own[layout.RADIUS] = self.size.radius + margin
        own[layout.BACK], own[layout.FRONT] = self.sole.back, self.sole.ahead
        own[layout.SOLE] = own[layout.EDGE] = WIDE + SPARE
        own[layout.TOE_OUT], own[layout.STEP] = self.toe_out, self.step
        own[layout.SLOPE] = np.tan(limits.slope)
        return own

    def stand(self, place: Float[np.ndarray, "3"], facing: float) -> Prints:
        """Where both feet are when the trunk's middle is over a place."""
        ahead = np.array([np.sin(facing), 0.0, np.cos(facing)])
        left = np.array([np.cos(facing), 0.0, -np.sin(facing)])
        feet = [place - self.ahead * ahead + 0.5 * WIDTH * side * left for side in (1.0, -1.0)]
        return np.array([[*foot, facing] for foot in feet])


def trunk_places(motion: Motion) -> tuple[Float[np.ndarray, "frames 2"], Float[np.ndarray, "frames"]]:
    """x and z of the trunk's middle, half way between hips and neck, and where it faces."""
    middle = motion.of("hips")
    if motion.skeleton.has("neck"):
        middle = 0.5 * (middle + motion.of("neck"))
    return middle[:, [0, 2]], trunk_headings(motion)


def _trunk_ahead(steps: StepSpace) -> float:
    """Measured in side steps, in which the trunk goes to and fro least: the middle of how far it goes."""
    x, out = 0.5 * WIDTH, steps.toe_out
    prints = [("left", x, out), ("right", -x, -out)]
    for k in range(1, 4):
        prints += [("left", x + ASIDE * k, out), ("right", ASIDE * k - x, -out)]
    plan = FootPlan(tuple(FootPlacement(foot, np.array([at, 0.0, 0.0]), toes) for foot, at, toes in prints))
    along = trunk_places(steps.follow(plan))[0][:, 1]
    return float(0.5 * (along.min() + along.max()))
