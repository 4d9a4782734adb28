"""What a walker can do, and how it therefore stands and strides."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from footfall.errors import RequestError
from footfall.world.limit_ranges import check_ranges

CLEAR = 0.01  # m that a foot keeps from an edge
SURE = 0.001  # m by which the stride exceeds what it must be, so that rounding cannot make it too short
KEEP = 0.995  # of the longest step is used, so that rounding cannot exceed it
HEEL = 0.06 / 0.27  # of the foot's length lies behind the subtalar
USUAL, NARROW = 1.8, 1.1  # foot widths between the feet of a walker: as a rule, and at least
RANGES = {  # m, slope in radians
    "rise": (0.01, 1.0),
    "length": (0.05, 2.0),
    "slope": (0.01, 1.0),
    "foot_length": (0.05, 0.6),
    "foot_width": (0.02, 0.3),
}


@dataclass(frozen=True)
class StepLimits:
    """The largest steps, the steepest ground, and the foot they are made with."""

    rise: float = 0.18  # m, height between consecutive footholds
    length: float = 0.70  # m, horizontally from foot to other foot
    slope: float = float(np.radians(15.0))  # rad, of the ground under a foot
    foot_length: float = 0.27  # m
    foot_width: float = 0.10  # m

    def __post_init__(self) -> None:
        check_ranges(self, RANGES)
        if self.foot_width > self.foot_length:
            raise RequestError(
                f"foot_width can be {self.foot_length} m, the foot's length, at most, not {self.foot_width}"
            )
        if self.length < 1.25 * self.foot_width:
            raise RequestError(
                f"with feet {self.foot_width} m wide, length must be {1.25 * self.foot_width:.3f} m or more, "
                f"not {self.length}"
            )

    @property
    def behind(self) -> float:
        """From the subtalar back to the heel, m."""
        return HEEL * self.foot_length

    @property
    def ahead(self) -> float:
        """From the subtalar to the tip of the toes, m."""
        return self.foot_length - self.behind

    @property
    def room(self) -> float:
        """What a foot needs between two edges across the walk, m."""
        return self.foot_length + 2.0 * CLEAR


@dataclass(frozen=True)
class Stance:
    """How a walker keeps its limits on straight ground."""

    apart: float  # m between the lines on which the two feet are set
    stride: float  # m, how far ahead of one foot the other is set at most
    cruise: float  # m, how far it is set as a rule


def stance_for(limits: StepLimits, kind: str, room: float) -> Stance:
    """A stance whose stride is at least `room`, as ground of a kind demands; the feet closer if need be."""
    room += SURE
    narrow, usual = NARROW * limits.foot_width, USUAL * limits.foot_width
    least = float(np.hypot(room / KEEP, narrow))
    if limits.length < least:
        raise RequestError(
            f"for a foot of {limits.foot_length} by {limits.foot_width} m {kind} must have steps of "
            f"{least:.3f} m at least: length is {limits.length} m"
        )
    beside = float(np.sqrt(limits.length**2 - (room / KEEP) ** 2))
    apart = max(narrow, min(usual, beside))
    stride = KEEP * float(np.sqrt(limits.length**2 - apart**2))
    return Stance(apart, stride, max(room, 0.85 * stride))


def free_stance(limits: StepLimits) -> Stance:
    """Where there are no edges to keep clear of."""
    return stance_for(limits, "ground", 0.4 * limits.length)
