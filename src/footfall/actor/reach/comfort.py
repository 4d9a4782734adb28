"""What a reach costs: effort of every number of a bearing, balance, joint limits, and room for the arms.

All are residuals of one least-squares problem. Eases are what people put up with; they were set so that
captured reaches (ten of one person: floor to overhead, ahead, across, beside and behind) come out alike in
where hips, shoulder and elbow are, in lean and twist. Limits are one-sided and stiff.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Float

from footfall.actor.reach.bearing import ARM, BODY, ELBOW, GIRDLE, HAND, Borne, Rows
from footfall.actor.reach.room import overlaps
from footfall.actor.reach.station import Station
from footfall.figure.roles import SIDES
from footfall.geometry import quaternion as quat
from footfall.geometry.ground import FORWARD, UP, wrap

Residuals = Float[np.ndarray, "n m"]

AIM = 0.0116  # of leg length; what is left the arm closes exactly
KEEP = 0.023  # of leg length: a hand that lies on the thigh stays there
EASE_SHIFT = np.array([0.07, 0.16, 0.14])  # of leg length
EASE_HIPS = np.radians([18.0, 60.0, 13.0])
EASE_SEATED = np.radians([18.0, 12.0, 8.0])  # the seat holds the hips
EASE_SPINE = np.radians([21.0, 33.0, 21.0])
EASE_ARM = np.radians([70.0, 25.0, 90.0, 70.0, 90.0, 120.0, 50.0, 12.0, 45.0])
EASE_FREE_ARM = np.radians([8.0, 8.0, 60.0, 25.0, 35.0, 45.0, 20.0, 10.0, 15.0])
# degrees that the numbers keep to, inside of the joints' limits: hips, spine, and one arm
LEAST = (
    np.array([-15.0, -60.0, -20.0]),
    np.array([-25.0, -45.0, -35.0]),
    np.array([-25.0, -5.0, -170.0, -40.0, -60.0, -15.0, -70.0, -15.0, -55.0]),
)
MOST = (
    np.array([65.0, 60.0, 20.0]),
    np.array([75.0, 45.0, 35.0]),
    np.array([25.0, 38.0, 40.0, 150.0, 5.0, 110.0, 70.0, 25.0, 55.0]),
)
GIRDLE_MOST, WRIST_MOST = np.radians([22.0, 40.0]), np.radians([17.0, 55.0])
LIMIT = np.radians(0.7)
HANGING = np.radians(45.0)  # a free upper arm away from hanging
SPARE, STRAIGHT = np.radians(-2.0), np.radians(6.5)  # nobody stretches elbows fully: 20 degrees are kept
# the chest turns after the target by this share, with the reaching shoulder leading
FOLLOWS, SHOULDER_LEADS, FACING = 0.6, np.radians(37.0), np.radians(33.0)
BEHIND = np.radians(-120.0)  # targets farther across than this are reached round the hand's own side
STRETCHED, STRETCH_LIMIT = 0.988, 0.0015  # of the legs
DORSIFLEXED = np.sin(np.radians(33.0))  # of the shank over the foot
ARM_BACK = np.sin(np.radians(33.0))
HIP_BENT = -np.cos(np.radians(109.0))  # of the thigh against the pelvis
BALANCE, EDGE = 0.06, 0.004  # of leg length: mass over the middle of the feet, and not beyond ...
SUPPORT = np.array([0.10, 0.075])  # ... this far to the side, and ahead
SEATED_SUPPORT = np.array([0.20, 0.45])
CROWDED = 0.006  # of leg length, that an arm is inside of the body or the floor
BELOW = 0.002  # ... and a finger tip under the floor
FINGER = 0.010  # of leg length, half as thick


@dataclass(frozen=True, eq=False)
class Comfort:
    """The residuals of bearings on one station, for targets of one hand or both."""

    station: Station
    points: Float[np.ndarray, "2 3"]  # what touches, in the hands' frames
    targets: Float[np.ndarray, "2 3"]  # where that is wanted, or lies at rest
    reaching: Bool[np.ndarray, "2"]
    tips: Mapping[int, Float[np.ndarray, "tips 3"]]  # of the fingers of reaching hands, in their frames
    rest: Float[np.ndarray, "27"]  # the bearing of one who is at ease here
    firmness: float = 1.0  # of targets and limits

    def residuals(self, rows: Rows, bodies: Borne) -> Residuals:
        parts = [
            self.firmness / (AIM * self._leg) * self.misses(bodies),
            self._lifted(bodies) / (KEEP * self._leg),
            (rows - self.rest) / self._ease,
            self.firmness / LIMIT * self.strain(rows),
            self._legs(bodies),
            self._balance(bodies),
            self._hanging(bodies),
            self._turning(bodies),
            self._elbows(rows),
            self._behind(bodies),
            overlaps(bodies, self._leg) / (CROWDED * self._leg),
            self.below_floor(bodies) / (BELOW * self._leg),
        ]
        return np.concatenate([part.reshape(len(rows), -1) for part in parts], axis=1)

    def below_floor(self, bodies: Borne) -> Residuals:
        """How deep the fingers of reaching hands are under the floor, m."""
        depths = [np.zeros((len(bodies.wrist), 0))]
        for i, tips in self.tips.items():
            heights = bodies.wrist[:, i, 1, None] + bodies.hand[:, i, 1] @ tips.T
            # the tip that touches a target on the floor may be as low
            depths.append(np.maximum(min(FINGER * self._leg, self.targets[i, 1]) - heights, 0.0))
        return np.concatenate(depths, axis=1)

    @property
    def _leg(self) -> float:
        return self.station.leg

    def misses(self, bodies: Borne) -> Float[np.ndarray, "n hands 3"]:
        """From the targets to what touches."""
        return (bodies.touching(self.points) - self.targets)[:, self.reaching]

    def _lifted(self, bodies: Borne) -> Residuals:
        """Free hands of one who sits, away from where they lie."""
        away = bodies.touching(self.points) - self.targets
        return away[:, ~self.reaching & (self.station.seat is not None)]

    @cached_property
    def _ease(self) -> Float[np.ndarray, "27"]:
        hips = EASE_HIPS if self.station.seat is None else EASE_SEATED
        arms = [EASE_ARM if reaches else EASE_FREE_ARM for reaches in self.reaching]
        return np.concatenate([self._leg * EASE_SHIFT, hips, EASE_SPINE, *arms])

    @cached_property
    def _range(self) -> tuple[Float[np.ndarray, "24"], Float[np.ndarray, "24"]]:
        return np.radians(np.concatenate([*LEAST, LEAST[-1]])), np.radians(np.concatenate([*MOST, MOST[-1]]))

    def strain(self, rows: Rows) -> Residuals:
        """Turns beyond what joints keep to, rad; no joint can be all the way to the side and up at once."""
        turns = rows[:, 3:]
        arms = rows[:, BODY:].reshape(len(rows), 2, ARM)
        girdles = _beyond(arms[..., GIRDLE], GIRDLE_MOST)
        wrists = _beyond(arms[..., HAND][..., 1:], WRIST_MOST)
        return np.concatenate([turns - np.clip(turns, *self._range), girdles, wrists], axis=1)

    @cached_property
    def _toes(self) -> Float[np.ndarray, "2 3"]:
        return np.stack([quat.rotate(self.station.feet[side].level_turn, FORWARD) for side in SIDES])

    def _legs(self, bodies: Borne) -> Residuals:
        """Not too straight, no shank farther over its foot than the ankle allows, no hip bent too far."""
        straight = np.maximum(bodies.stretch - STRETCHED, 0.0) / STRETCH_LIMIT
        shank = bodies.knee - bodies.ankle
        length = np.linalg.norm(shank, axis=-1)
        lean = np.maximum(np.sum(shank * self._toes, axis=-1) / length - DORSIFLEXED, 0.0) / LIMIT
        thigh = bodies.knee - bodies.hip
        raised = np.sum(thigh * bodies.hips[:, None, :, 1], axis=-1) / np.linalg.norm(thigh, axis=-1)
        return np.concatenate([straight, lean, np.maximum(raised - HIP_BENT, 0.0) / LIMIT], axis=-1)

    def _balance(self, bodies: Borne) -> Residuals:
        away = (bodies.mass - self.station.root)[:, [0, 2]] / self._leg
        beyond = self.imbalance(bodies) / EDGE
        return beyond if self.station.seat is not None else np.concatenate([away / BALANCE, beyond], axis=-1)

    def imbalance(self, bodies: Borne) -> Float[np.ndarray, "n 2"]:
        """How far the mass is outside of what carries it, shares of leg length."""
        away = (bodies.mass - self.station.root)[:, [0, 2]] / self._leg
        room = SUPPORT if self.station.seat is None else SEATED_SUPPORT
        return away - np.clip(away, -room, room)

    def _hanging(self, bodies: Borne) -> Residuals:
        """A free arm hangs, whichever way the trunk leans; that of one who sits lies on the thigh."""
        if self.station.seat is not None:
            return np.zeros((len(bodies.mass), 0))
        along = bodies.elbow - bodies.shoulder
        away = along / np.linalg.norm(along, axis=-1, keepdims=True) + UP
        return (away / HANGING)[:, ~self.reaching]

    def _turning(self, bodies: Borne) -> Residuals:
        across = bodies.chest[:, :, 0]
        turned = np.arctan2(-across[:, 2], across[:, 0])
        return wrap(turned - self.facing)[:, None] / FACING

    @cached_property
    def facing(self) -> float:
        """Which way the chest turns for the targets."""
        return float(np.mean([self._facing(int(i)) for i in np.flatnonzero(self.reaching)]))

    def _facing(self, i: int) -> float:
        away = self.targets[i] - self.station.root
        sign = 1.0 if i == 0 else -1.0
        heading = sign * np.arctan2(away[0], away[2])
        if heading < BEHIND:
            heading += 2.0 * np.pi
        return sign * (FOLLOWS * heading - SHOULDER_LEADS)

    def _behind(self, bodies: Borne) -> Residuals:
        """Upper arms that go back too far behind the chest."""
        along = bodies.elbow - bodies.shoulder
        ahead = np.sum(along * bodies.chest[:, None, :, 2], axis=-1) / np.linalg.norm(along, axis=-1)
        return self.firmness * np.maximum(-ahead - ARM_BACK, 0.0) / LIMIT

    def _elbows(self, rows: Rows) -> Residuals:
        bend = rows[:, BODY:].reshape(len(rows), 2, ARM)[..., ELBOW]
        return (np.maximum(SPARE - bend, 0.0) / STRAIGHT)[:, self.reaching]


def _beyond(turns: Float[np.ndarray, "*n 2"], most: Float[np.ndarray, "2"]) -> Float[np.ndarray, "*n"]:
    """How far turns about two axes are outside of an ellipse, rad."""
    return np.maximum(np.linalg.norm(turns / most, axis=-1) - 1.0, 0.0) * most[0]
