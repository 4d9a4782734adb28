"""What a reach costs: effort of each number of a bearing, balance, joint limits, and room for the limbs.

All are residuals of a least-squares problem, in units of what people put up with: 1 is as much as one accepts
for a target at arm's length. Limits are one-sided and stiff. Weights were set against captured reaches
(docs: pelvis height, lean, twist and elbow at the apex); see tests/actor/test_reach_pose.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Float

from footfall.actor.bearing import ARM, BODY, COUNT, ELBOW, Borne, Rows
from footfall.actor.station import Station
from footfall.figure.roles import SIDES

Residuals = Float[np.ndarray, "n m"]

AIM = 0.010  # m: the arm is closed exactly afterwards
# what each number of the body may be, about half of its range: hips' shift (shares of leg length), hips'
# turn, spine
EASE_SHIFT = np.array([0.07, 0.16, 0.14])
EASE_HIPS = np.radians([18.0, 60.0, 13.0])
EASE_SPINE = np.radians([21.0, 33.0, 21.0])
EASE_ARM = np.radians([70.0, 25.0, 90.0, 70.0, 90.0, 120.0, 50.0, 12.0, 45.0])
EASE_FREE_ARM = np.radians([8.0, 8.0, 35.0, 22.0, 35.0, 45.0, 20.0, 10.0, 15.0])
# degrees that the numbers keep to, inside of the joints' limits
LEAST_HIPS, MOST_HIPS = np.array([-15.0, -60.0, -20.0]), np.array([65.0, 60.0, 20.0])
LEAST_SPINE, MOST_SPINE = np.array([-25.0, -45.0, -35.0]), np.array([75.0, 45.0, 35.0])
LEAST_ARM = np.array([-25.0, -8.0, -170.0, -40.0, -60.0, -15.0, -70.0, -15.0, -55.0])
MOST_ARM = np.array([25.0, 38.0, 45.0, 150.0, 60.0, 110.0, 70.0, 25.0, 55.0])
LIMIT = np.radians(0.7)
HANGING = np.radians(36.0)  # of a free upper arm away from hanging
STRETCHED, STRETCH_LIMIT = 0.988, 0.0015  # of the legs
DORSIFLEXED = np.sin(np.radians(34.0))
FOLLOW, AHEAD, FACING = 0.6, np.radians(37.0), np.radians(33.0)
BEHIND = np.radians(-120.0)
SPARE, STRAIGHT = np.radians(-2.0), np.radians(6.5)
BALANCE = 0.08  # of leg length: people keep their mass over the middle of their feet
EDGE = 0.004


@dataclass(frozen=True, eq=False)
class Comfort:
    """The residuals of bearings on one station, for targets of some hands."""

    station: Station
    points: Float[np.ndarray, "2 3"]  # what touches, in the hands' frames
    targets: Float[np.ndarray, "2 3"]
    reaching: Bool[np.ndarray, "2"]
    rest: Float[np.ndarray, "27"]

    def residuals(self, rows: Rows, bodies: Borne) -> Residuals:
        parts = [
            self._misses(bodies),
            self._effort(rows),
            self._limits(rows),
            self._legs(bodies),
            self._balance(bodies),
            self._hanging(bodies),
            self._facing(bodies),
            self._elbows(rows),
            self._crowding(bodies),
        ]
        return np.concatenate([part.reshape(len(rows), -1) for part in parts], axis=1)

    def _misses(self, bodies: Borne) -> Residuals:
        return ((bodies.touching(self.points) - self.targets) / AIM)[:, self.reaching]

    def _effort(self, rows: Rows) -> Residuals:
        leg = self.station.skeleton.leg_length()
        arms = [EASE_ARM if reaches else EASE_FREE_ARM for reaches in self.reaching]
        return (rows - self.rest) / np.concatenate([leg * EASE_SHIFT, EASE_HIPS, EASE_SPINE, *arms])

    def _limits(self, rows: Rows) -> Residuals:
        least, most = (np.radians(np.concatenate(p)) for p in (
            (LEAST_HIPS, LEAST_SPINE, LEAST_ARM, LEAST_ARM), (MOST_HIPS, MOST_SPINE, MOST_ARM, MOST_ARM)
        ))
        turns = rows[:, 3:]
        return (turns - np.clip(turns, least, most)) / LIMIT

    def _legs(self, bodies: Borne) -> Residuals:
        """Not too straight, and no shank leans farther over its foot than the ankle allows."""
        straight = np.maximum(bodies.stretch - STRETCHED, 0.0) / STRETCH_LIMIT
        shank = bodies.knee - bodies.ankle
        shank = shank / np.linalg.norm(shank, axis=-1, keepdims=True)
        ahead = np.stack([self.station.feet[s].level_turn for s in SIDES])
        forwards = np.stack([2 * (ahead[:, 1] * ahead[:, 3] + ahead[:, 0] * ahead[:, 2]),
                             2 * (ahead[:, 2] * ahead[:, 3] - ahead[:, 0] * ahead[:, 1]),
                             1 - 2 * (ahead[:, 1] ** 2 + ahead[:, 2] ** 2)], axis=-1)
        lean = np.maximum(np.sum(shank * forwards, axis=-1) - DORSIFLEXED, 0.0) / LIMIT
        return np.concatenate([straight, lean], axis=-1)

    def _balance(self, bodies: Borne) -> Residuals:
        leg = self.station.skeleton.leg_length()
        away = (bodies.mass - self._over)[:, [0, 2]]
        if self.station.seat is not None:
            room = leg * np.array([0.20, 0.45])
            return (away - np.clip(away, -room, room)) / (EDGE * leg)
        room = leg * np.array([0.10, 0.075])
        beyond = (away - np.clip(away, -room, room)) / (EDGE * leg)
        return np.concatenate([away / (BALANCE * leg), beyond], axis=-1)

    @property
    def _over(self) -> Float[np.ndarray, "3"]:
        return self.station.root

    def _hanging(self, bodies: Borne) -> Residuals:
        """A free arm hangs, whichever way the trunk leans."""
        along = bodies.elbow - bodies.shoulder
        level = along[..., [0, 2]] / np.linalg.norm(along, axis=-1, keepdims=True)
        return (level / HANGING)[:, ~self.reaching]

    def _facing(self, bodies: Borne) -> Residuals:
        across = bodies.chest[:, :, 0]
        turned = np.arctan2(-across[:, 2], across[:, 0])
        return self.facing_weight * np.sin(0.5 * (turned - self.facing))[:, None] * 2.0 / FACING

    @cached_property
    def facing(self) -> float:
        """Which way the chest turns for the targets."""
        return float(np.mean([self._facing_for(i) for i in np.flatnonzero(self.reaching)]))

    @cached_property
    def facing_weight(self) -> float:
        return 1.0

    def _facing_for(self, i: int) -> float:
        away = self.targets[i] - self.station.root
        sign = 1.0 if i == 0 else -1.0
        # unwrapped so that a hand reaches backwards on its own side
        heading = sign * np.arctan2(away[0], away[2])
        heading = heading + 2.0 * np.pi if heading < BEHIND else heading
        return sign * (FOLLOW * heading - AHEAD)

    def _elbows(self, rows: Rows) -> Residuals:
        bend = rows[:, BODY:].reshape(len(rows), 2, ARM)[..., ELBOW]
        return (np.maximum(SPARE - bend, 0.0) / STRAIGHT)[:, self.reaching]

    def _crowding(self, bodies: Borne) -> Residuals:
        from footfall.actor.room import overlaps

        return overlaps(bodies, self.station.skeleton.leg_length())


assert COUNT == BODY + 2 * ARM
