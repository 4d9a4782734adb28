"""One foot on the ground: it strikes, lies flat, rolls off, and the point it rolls about never moves.

A foot that touches with its toes up rolls about the heel, one with its heel up about the toe joint, the toes
flat on the ground. Pitches carry the sign, so the same few lines land on the heel or on the ball, and leave
from the toe (forwards) or from the heel (backwards).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Float

from footfall.figure.skeleton import Skeleton
from footfall.geometry import easing, ground
from footfall.geometry import quaternion as quat
from footfall.geometry.ground import LEFT, UP

Times = Float[np.ndarray, "n"]
TERMS = 4  # bubbles of a curve


def bubbles(u: Times) -> Float[np.ndarray, "n terms"]:
    """u^2 (1 - u)^2 times 1, s, s^2 ...: zero with zero rate at both ends."""
    u = np.clip(u, 0.0, 1.0)
    side = 2.0 * u - 1.0
    return (16.0 * u * u * (1.0 - u) ** 2)[:, None] * side[:, None] ** np.arange(TERMS)


@dataclass(frozen=True, eq=False)
class Stance:
    """Where and when one foot stands. Pitches are of the sole against the ground, toes up positive."""

    foot: str
    place: Float[np.ndarray, "3"]  # of the subtalar
    heading: float
    strike: float  # s
    flat: float
    lift: float  # the sole is flat until here
    off: float
    strike_pitch: float = 0.0  # positive: heel first; negative: ball first
    strike_rate: float = 0.0  # rad/s
    off_pitch: float = 0.0  # negative: toes last; positive: heel last
    off_rate: float = 0.0
    roll: Float[np.ndarray, "terms"] = field(
        default_factory=lambda: np.zeros(TERMS)
    )  # bubbles of rolling off
    normal: Float[np.ndarray, "3"] = field(default_factory=lambda: UP)
    gait: str = "walk"  # how the step that ends here is taken: a row of the curves

    @property
    def level(self) -> float:
        return float(self.place[1])

    @property
    def is_level(self) -> bool:
        return float(self.normal[1]) == 1.0

    @property
    def middle(self) -> float:
        """Halfway through the stance."""
        return 0.5 * (self.strike + self.off)

    def pitch(self, t: Times) -> Times:
        """Rolls in to flat, stays, rolls off; its rate is continuous."""
        rolling_in = max(self.flat - self.strike, 1e-9)
        rolling_off = max(self.off - self.lift, 1e-9)
        onto = easing.hermite(
            (t - self.strike) / rolling_in, self.strike_pitch, 0.0, self.strike_rate * rolling_in, 0.0
        )
        u = (t - self.lift) / rolling_off
        away = easing.hermite(u, 0.0, self.off_pitch, 0.0, self.off_rate * rolling_off)
        away = away + bubbles(u) @ self.roll
        # never across flat: the foot would roll about its other end
        away = np.minimum(away, 0.0) if self.off_pitch < 0.0 else np.maximum(away, 0.0)
        return np.where(t < self.flat, onto, np.where(t > self.lift, away, 0.0))

    def on_heel(self, t: Times) -> Bool[np.ndarray, "n"]:
        """The heel touches: while flat, and while the foot rolls with its toes up."""
        before = self.strike_pitch > 0.0
        after = self.off_pitch > 0.0
        return np.where(t < self.flat, before, np.where(t >= self.lift, after, True)) & self.touches(t)

    def on_toe(self, t: Times) -> Bool[np.ndarray, "n"]:
        before = self.strike_pitch < 0.0
        after = self.off_pitch < 0.0
        return np.where(t < self.flat, before, np.where(t >= self.lift, after, True)) & self.touches(t)

    def touches(self, t: Times) -> Bool[np.ndarray, "n"]:
        return (t >= self.strike) & (t < self.off)

    def turn(self, pitch: Times) -> Float[np.ndarray, "n 4"]:
        """The foot's world orientation at a pitch against its ground."""
        return quat.multiply(self.level_turn, quat.exp(-pitch[:, None] * LEFT))

    @cached_property
    def level_turn(self) -> Float[np.ndarray, "4"]:
        """Of the foot that lies flat on its ground."""
        if self.is_level:
            return ground.turn(self.heading)
        return quat.multiply(quat.between(UP, self.normal), ground.turn(self.heading))


@dataclass(frozen=True, eq=False)
class Sole:
    """The points of one foot about which it rolls, in the foot joint's frame."""

    heel: Float[np.ndarray, "3"]
    subtalar: Float[np.ndarray, "3"]
    ball: Float[np.ndarray, "3"]
    toe_joint: Float[np.ndarray, "3"]
    tip: Float[np.ndarray, "3"]  # from the toe joint, in the toe's frame

    @classmethod
    def of(cls, skeleton: Skeleton, side: str) -> Sole:
        points = skeleton.foot_points(side)
        joint = skeleton.offsets[skeleton.joint(f"{side}_toe")]
        return cls(points.heel, points.subtalar, points.ball, joint, points.toe - joint)

    def ankle(self, stance: Stance, pitch: Times) -> Float[np.ndarray, "n 3"]:
        """Where the ankle is when the foot is pitched about the point that stands."""
        level = stance.level_turn
        pivot = np.where((pitch > 0.0)[:, None], self.heel, self.toe_joint)
        held = stance.place + quat.rotate(level, pivot - self.subtalar)
        return held - quat.rotate(stance.turn(pitch), pivot)

    def ankle_rate(self, stance: Stance, pitch: float, rate: float) -> Float[np.ndarray, "3"]:
        """How fast the ankle moves when a foot at a pitch rolls at a rate: -w x (R pivot)."""
        turn = stance.turn(np.array([pitch]))[0]
        pivot = quat.rotate(turn, self.heel if pitch > 0.0 else self.toe_joint)
        spin = quat.rotate(turn, -rate * LEFT)
        return -quat.cross(spin, pivot)

    def bend(self, pitch: Times) -> Times:
        """The toe's turn against the foot when it lies flat while the heel is up; extension positive."""
        return np.maximum(-pitch, 0.0)

    def points(
        self, ankle: Float[np.ndarray, "n 3"], turn: Float[np.ndarray, "n 4"], bend: Times
    ) -> Float[np.ndarray, "n 4 3"]:
        """Heel, subtalar, ball and toe tip in the world."""
        tip = self.toe_joint + quat.rotate(quat.exp(-bend[:, None] * LEFT), self.tip)
        fixed = [np.broadcast_to(p, tip.shape) for p in (self.heel, self.subtalar, self.ball)]
        return np.stack([ankle + quat.rotate(turn, p) for p in (*fixed, tip)], axis=1)
