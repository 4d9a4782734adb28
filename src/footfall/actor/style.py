"""What makes people differ: tempo, width of step, arm swing, sway, bounce, lean, lift, toe-out.

All are factors near 1 but for the leans, which are angles. A seed draws one person.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from footfall.errors import RequestError

RANGE = (0.0, 3.0)  # of the factors
ANGLES = (-0.3, 0.6)  # rad, of lean and toe-out


@dataclass(frozen=True)
class Style:
    """How one person moves, beside the average."""

    tempo: float = 1.0  # of the step rate at a given speed: brisk people take shorter steps
    width: float = 1.0  # between the feet
    arm_swing: float = 1.0
    sway: float = 1.0  # of the hips over the feet
    bounce: float = 1.0  # of the hips' rise and fall
    lift: float = 1.0  # of the swinging foot
    lean: float = 0.0  # rad, the trunk forwards
    toe_out: float = 0.09  # rad

    def __post_init__(self) -> None:
        for name in (f.name for f in fields(self)):
            value = getattr(self, name)
            low, high = ANGLES if name in ("lean", "toe_out") else RANGE
            if not (isinstance(value, (int, float)) and low <= value <= high):
                raise RequestError(f"style {name} must be a number from {low} to {high}, not {value}")

    @classmethod
    def of(cls, seed: int) -> Style:
        """One person: everything a few percent off the average, arms and width more."""
        rng = np.random.default_rng([seed, 1])
        tempo, width, arms, sway, bounce, lift = (
            float(np.exp(np.clip(spread * rng.standard_normal(), -2.0 * spread, 2.0 * spread)))
            for spread in (0.03, 0.12, 0.15, 0.12, 0.06, 0.08)
        )
        lean, toes = np.clip(rng.standard_normal(2), -2.0, 2.0)
        return cls(tempo, width, arms, sway, bounce, lift, 0.02 * float(lean), 0.09 + 0.035 * float(toes))
