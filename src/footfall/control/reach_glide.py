"""From one target to another without going back: along an arc round the body, with minimum jerk.

The paper interpolates poses between targets, and calls the result passable. Here the place that the hand is
led to moves, and the body follows by blending for that place. A hand that changes sides does not go through
the trunk: its way is bent outwards, where it would come nearer to the body than its two ends are.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from jaxtyping import Float

from footfall.geometry.decisions import MARGIN

Vector = Float[np.ndarray, "3"]

SHORTEST, LONGEST = 0.35, 2.0  # s
FARTHEST_OUT = 0.45  # m from the body's axis: no way is bent farther out
MOST = 1.5  # of what is lacking: what lies off the middle of the way needs more of the arc
SHORT = 0.02  # m: what is shorter has no arc
TRUNK = 0.15  # m: what passes so near to the axis goes through the trunk
AHEAD = np.array([0.7, 1.0])  # to the hand's side, and ahead: where the way round the trunk is
SIGNS = {"left": 1.0, "right": -1.0}
ARC = np.array([0.0, 0.0, 0.0, 64.0, -192.0, 192.0, -64.0])  # (4 u (1 - u))^3: at rest at both its ends
POWERS = np.arange(7)
NOTHING = np.zeros(3)
NOTHING.flags.writeable = False


def arc_between(start: Vector, end: Vector, hand: str) -> Vector:
    """How far out the middle of a way goes; places are in the figure's frame, its axis at x = z = 0.

    Away from the axis; what would go through the trunk goes round it ahead, or on the hand's own side.
    """
    a, b = start[[0, 2]], end[[0, 2]]
    chord = b - a
    length = float(np.linalg.norm(chord))
    if length < SHORT:
        return np.zeros(3)
    share = float(np.clip(-(a @ chord) / length**2, 0.0, 1.0))
    nearest = a + share * chord
    away = float(np.linalg.norm(nearest))
    wanted = min((1.0 - share) * float(np.linalg.norm(a)) + share * float(np.linalg.norm(b)), FARTHEST_OUT)
    if away < TRUNK:
        across = np.array([-chord[1], chord[0]]) / length
        outwards = across if across @ (AHEAD * [SIGNS[hand], 1.0]) >= -MARGIN else -across
        lacks = wanted - float(nearest @ outwards)
    else:
        outwards, lacks = nearest / away, wanted - away
    if lacks <= 0.0:
        return np.zeros(3)
    out = lacks * min(1.0 / max((4.0 * share * (1.0 - share)) ** 3, 1e-9), MOST)
    # an end that is nearest needs no arc
    out *= min(1.0, 6.0 * min(share, 1.0 - share))
    return np.array([out * outwards[0], 0.0, out * outwards[1]])


def way_between(start: Vector, end: Vector, hand: str) -> float:
    """The length of the way from one place to another, m, about."""
    arc = arc_between(start, end, hand)
    return float(np.sqrt(np.sum((end - start) ** 2) + 4.0 * np.sum(arc**2)))


@dataclass(eq=False)
class Glide:
    """What is left between where the hand is led to and its target: from a start it fades to nothing.

    A polynomial of the fifth degree, so that rate and acceleration go on from what they were, and an arc.
    """

    seconds: float = 0.0
    gone: float = 0.0
    terms: Float[np.ndarray, "7 3"] = field(default_factory=lambda: np.zeros((7, 3)))  # over the share

    @property
    def left(self) -> float:
        return max(self.seconds - self.gone, 0.0)

    @property
    def active(self) -> bool:
        return self.gone < self.seconds

    def advance(self, seconds: float) -> None:
        self.gone = min(self.gone + seconds, self.seconds)

    @property
    def away(self) -> Vector:
        """What is left."""
        return self.now()[0] if self.active else NOTHING

    def away_in(self, seconds: float) -> Vector:
        """What will be left in some seconds."""
        if self.gone + seconds >= self.seconds:
            return NOTHING
        return ((self.gone + seconds) / self.seconds) ** POWERS @ self.terms

    def now(self) -> tuple[Vector, Vector, Vector]:
        """What is left, its rate and its acceleration (a second)."""
        if not self.active:
            return np.zeros(3), np.zeros(3), np.zeros(3)
        u, T = self.gone / self.seconds, self.seconds
        powers = u**POWERS
        first = POWERS * np.concatenate([[0.0], powers[:-1]])
        second = POWERS * (POWERS - 1) * np.concatenate([[0.0, 0.0], powers[:-2]])
        return powers @ self.terms, first @ self.terms / T, second @ self.terms / T**2

    def begin(
        self, start: Vector, end: Vector, hand: str, seconds: float, kick: Vector | float = 0.0
    ) -> None:
        """From one place to another in some seconds; at first as fast as it is now, and `kick` more (m/s)."""
        _, rate, acceleration = self.now()
        rate = rate + kick
        T = min(max(seconds, SHORTEST), LONGEST)
        p, v, a = start - end, rate * T, acceleration * T * T
        fades = [
            p,
            v,
            0.5 * a,
            -10.0 * p - 6.0 * v - 1.5 * a,
            15.0 * p + 8.0 * v + 1.5 * a,
            -6.0 * p - 3.0 * v - 0.5 * a,
            np.zeros(3),
        ]
        self.terms = np.array(fades) + ARC[:, None] * arc_between(start, end, hand)
        self.seconds, self.gone = T, 0.0
