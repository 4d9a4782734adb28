"""A place nearby to which a step or two lead: what to ask of locomotion until one is there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.geometry.ground import wrap

SOON = 2.5  # 1/s: how fast what is left should become less
AHEAD = 0.17  # s: how long locomotion goes on as it did
MOST = np.array([0.7, 1.1, 0.5])  # m/s, rad/s, m/s: on the way to a place nearby
NEAR, FACES = 0.008, 0.015  # m, rad: there
FARTHEST = 5.0  # m: what is farther is no step


@dataclass(frozen=True)
class StepGoal:
    """Where to stand, in the world."""

    x: float
    z: float
    heading: float

    @classmethod
    def from_here(
        cls, place: Float[np.ndarray, "2"], heading: float, aside: float, ahead: float, turn: float
    ) -> StepGoal:
        length = max(float(np.hypot(aside, ahead)) / FARTHEST, 1.0)
        aside, ahead = aside / length, ahead / length
        c, s = np.cos(heading), np.sin(heading)
        return cls(
            float(place[0] + c * aside + s * ahead),
            float(place[1] + c * ahead - s * aside),
            heading + float(wrap(turn)),
        )

    def wish(
        self, place: Float[np.ndarray, "2"], heading: float, velocity: Float[np.ndarray, "3"]
    ) -> Float[np.ndarray, "3"] | None:
        """Speed, turn rate and side speed to ask for now; None where it is there, or soon will be."""
        c, s = np.cos(heading), np.sin(heading)
        dx, dz = self.x - place[0], self.z - place[1]
        left = np.array([s * dx + c * dz, self.heading - heading, c * dx - s * dz]) - AHEAD * velocity
        if np.hypot(left[0], left[2]) < NEAR and abs(left[1]) < FACES:
            return None
        return np.clip(SOON * left, -MOST, MOST)
