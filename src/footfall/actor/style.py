"""What makes people differ: tempo, width of step, arm swing, sway, bounce, lean, lift, toe-out.

All are factors near 1 but for lean and toe-out, which are angles. A seed draws one person.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from footfall.actor.asked import number
from footfall.actor.seeded import checked_seed

# beyond these limbs meet, or ankles leave their limits
RANGES = {
    "tempo": (0.8, 1.25),
    "width": (0.7, 1.5),
    "arm_swing": (0.0, 1.7),
    "sway": (0.3, 1.7),
    "bounce": (0.0, 1.5),
    "lift": (0.6, 1.5),
    "lean": (-0.15, 0.25),
    "toe_out": (-0.02, 0.30),
}


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
            low, high = RANGES[name]
            object.__setattr__(self, name, number(f"style {name}", getattr(self, name), low, high))

    @classmethod
    def of(cls, seed: int) -> Style:
        """One person: everything a few percent off the average, arms and width more."""
        rng = np.random.default_rng([checked_seed(seed), 1])
        tempo, width, arms, sway, bounce, lift = (
            float(np.exp(np.clip(spread * rng.standard_normal(), -2.0 * spread, 2.0 * spread)))
            for spread in (0.03, 0.12, 0.15, 0.12, 0.06, 0.08)
        )
        lean, toes = np.clip(rng.standard_normal(2), -2.0, 2.0)
        return cls(tempo, width, arms, sway, bounce, lift, 0.02 * float(lean), 0.09 + 0.035 * float(toes))
