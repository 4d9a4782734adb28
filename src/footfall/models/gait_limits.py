"""What a gait can do: what a planner may ask of it."""

from __future__ import annotations

from dataclasses import dataclass, fields

from footfall.errors import RequestError
from footfall.world.terrain import is_number


@dataclass(frozen=True)
class GaitLimits:
    """On level ground. A gait states its own; whoever steers never asks for more."""

    slowest: float  # m/s, while it goes
    fastest: float  # m/s
    turn_rate: float  # rad/s, either way
    acceleration: float  # m/s^2
    braking: float  # m/s^2
    step_seconds: float  # from strike to strike
    stopping: float  # m it goes on once it is told to stand
    tightest: float = 0.0  # m: radius of the tightest curve, however slowly it goes

    def __post_init__(self) -> None:
        for one in fields(self):
            value = getattr(self, one.name)
            if not is_number(value) or not 0.0 <= value < float("inf"):
                raise RequestError(f"the limit {one.name} must be a number of 0 or more, not {value!r:.40}")
        if not 0.0 < self.slowest <= self.fastest:
            raise RequestError(
                f"a gait goes from its slowest to its fastest, not from {self.slowest} to {self.fastest} m/s"
            )

    def radius(self, speed: float) -> float:
        """m: of the tightest curve at a speed."""
        return max(speed / max(self.turn_rate, 1e-9), self.tightest)

    @property
    def longest(self) -> float:
        """m: of its longest step."""
        return self.step_length(self.fastest)

    def step_length(self, speed: float) -> float:
        """m: at a speed."""
        return speed * self.step_seconds
