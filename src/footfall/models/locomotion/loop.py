"""A loop of steps on the clocks that all loops share: the body's phase, and a clock for each foot.

The left foot strikes at phase 0, the right one at 0.5: so a left step is blended with left steps only ([body]
4.1). Steps of the two feet may last differently; the clock is made so by a sine, and runs smoothly.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.errors import RequestError
from footfall.figure.contacts import SIDES
from footfall.figure.skeleton import Skeleton
from footfall.figure.sole import Sole
from footfall.geometry import easing
from footfall.geometry import quaternion as quat
from footfall.models.locomotion import foot_clock as clock
from footfall.models.locomotion.closing import ClosedCycle, closed
from footfall.models.locomotion.cycle import Cycle, FootTimes

FRAMES = 120
LIMP = 0.8  # steps of a cycle may differ in time so much: of four tenths of it or so
STRIKES = (0.0, 0.5)  # phases, left and right
ANKLE, YAW, PITCH, ROLL = slice(0, 3), 3, 4, 5  # channels of a foot


@dataclass(frozen=True, eq=False)
class Loop:
    """One example."""

    name: str
    skeleton: Skeleton
    parameters: Float[np.ndarray, "3"]  # speed, turn rate, side speed
    seconds: float  # of a cycle
    limp: float  # seconds a phase are seconds (1 + limp sin(2 pi phase))
    events: Float[np.ndarray, "2 3"]  # phases after each foot's strike: flat, heel off, off
    rotations: Float[np.ndarray, "frames joints 4"]  # the root's against the heading
    root: Float[np.ndarray, "frames 3"]  # against the way, its height over the ground
    feet: Float[np.ndarray, "2 frames 6"]  # by each foot's clock: ankle, yaw, pitch, roll
    toes: Float[np.ndarray, "2 frames 4"]  # by each foot's clock: the toe joint's rotation


def loop_of(cycle: Cycle, name: str) -> Loop:
    """A cycle of a clip as a loop."""
    made = closed(cycle)
    begin = cycle.first / cycle.motion.fps
    strikes = [foot.strike - begin for foot in cycle.feet]
    between = (strikes[1] - strikes[0]) % made.seconds / made.seconds
    limp = np.pi * (between - 0.5)
    if abs(limp) > LIMP:
        raise RequestError(f"its steps are too unlike: the right foot strikes after {between:.0%} of a cycle")
    clocked = _Clocked(made, strikes[0], limp)
    events = np.stack([clocked.events(foot, at) for foot, at in zip(cycle.feet, STRIKES, strict=True)])
    feet = [clocked.foot(side, row) for side, row in zip(SIDES, events, strict=True)]
    phases = np.arange(FRAMES) / FRAMES
    rotations, root = clocked.body(phases)
    return Loop(
        name,
        made.skeleton,
        made.way.parameters,
        made.seconds,
        float(limp),
        events,
        rotations,
        root,
        np.stack([foot for foot, _ in feet]),
        np.stack([toe for _, toe in feet]),
    )


@dataclass(frozen=True, eq=False)
class _Clocked:
    """A closed cycle, read by phases."""

    cycle: ClosedCycle
    begin: float  # s at which the left foot strikes
    limp: float

    def times(self, phases: Float[np.ndarray, "n"]) -> Float[np.ndarray, "n"]:
        uneven = self.limp * (1.0 - np.cos(2 * np.pi * phases)) / (2 * np.pi)
        return (self.begin + self.cycle.seconds * (phases + uneven)) % self.cycle.seconds

    def events(self, foot: FootTimes, strike: float) -> Float[np.ndarray, "3"]:
        """The phases after its strike, itself at a phase, when a foot lies flat, its heel rises, it leaves"""
        phases = strike + np.linspace(0.0, 1.0, 1001)
        seconds = self.cycle.seconds * (phases - self.limp * np.cos(2 * np.pi * phases) / (2 * np.pi))
        after = np.array([foot.flat, foot.heel_off, foot.off]) - foot.strike
        return clock.sound_events(*(np.interp(after, seconds - seconds[0], phases) - strike))

    def read(self, values: Float[np.ndarray, "frames n"], times: Float[np.ndarray, "m"]) -> np.ndarray:
        from scipy.interpolate import CubicSpline

        ends = values.copy()
        ends[-1] = ends[0]
        return CubicSpline(self.cycle.times, ends, bc_type="periodic")(times)

    def turns(self, rotations: Float[np.ndarray, "frames n 4"], times: Float[np.ndarray, "m"]) -> np.ndarray:
        mean = quat.normalize(rotations.mean(axis=0))
        away = quat.log(quat.multiply(quat.conjugate(mean), rotations))
        read = self.read(away.reshape(len(away), -1), times)
        return quat.multiply(mean, quat.exp(read.reshape(len(times), -1, 3)))

    def body(self, phases: Float[np.ndarray, "n"]) -> tuple[np.ndarray, np.ndarray]:
        times = self.times(phases)
        return self.turns(self.cycle.rotations, times), self.read(self.cycle.root, times)

    def foot(self, side: str, events: Float[np.ndarray, "3"]) -> tuple[np.ndarray, np.ndarray]:
        hands = np.arange(FRAMES) / FRAMES
        times = self.times(STRIKES[SIDES.index(side)] + clock.phase_at(hands, events))
        channels = self.read(self.cycle.foot(side), times)
        channels[:, YAW:] = clock.laid_flat(channels[:, YAW:], hands)
        skeleton = self.cycle.skeleton
        channels = on_the_ground(channels, hands, Sole.of(skeleton, side))
        toe = quat.identity(FRAMES)
        if skeleton.has(f"{side}_toe"):
            own = self.cycle.rotations[:, [skeleton.joint(f"{side}_toe")]]
            toe = self.turns(own, times)[:, 0]
        return channels, toe


def on_the_ground(
    channels: Float[np.ndarray, "n 6"], hands: Float[np.ndarray, "n"], sole: Sole
) -> Float[np.ndarray, "n 6"]:
    """A foot that is as high as its standing heel or toe wants it, and swings from such a height to such."""
    made = channels.copy()
    stands = hands <= clock.OFF
    height = standing_height(channels[:, PITCH], sole)
    last = int(np.flatnonzero(stands)[-1])
    leaves, comes = height[[last, 0]] - channels[[last, 0], 1]  # at its end a swing is as at the next strike
    swing = (hands - clock.OFF) / (1.0 - clock.OFF)
    missing = leaves * easing.ease_out(2.0 * swing) + comes * easing.smooth(2.0 * swing - 1.0)
    made[:, 1] = np.where(stands, height, channels[:, 1] + missing)
    return made


def standing_height(pitch: Float[np.ndarray, "n"], sole: Sole) -> Float[np.ndarray, "n"]:
    """Of the ankle over the ground, of a foot on its heel (toe up: negative pitch) or its toe joint."""
    tilt = np.stack([pitch, 0.0 * pitch, 0.0 * pitch], axis=-1)
    turns = quat.multiply(quat.exp(tilt), sole.lying)
    toe_over = quat.rotate(sole.lying, sole.toe_joint - sole.subtalar)[1]
    heel = -quat.rotate(turns, np.broadcast_to(sole.heel, tilt.shape))[:, 1]
    toe = toe_over - quat.rotate(turns, np.broadcast_to(sole.toe_joint, tilt.shape))[:, 1]
    return np.where(pitch < 0.0, heel, toe)
