"""A cycle's steady way: the constant speed, side speed and turn rate that lead from its beginning to its end.

Locomotion is told against a point that goes this way, which the paper leaves open: the root's own velocity
rises and falls with every step. Over a whole cycle the two are the same, so speeds are exact ([body] 4.1).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.geometry import ground
from footfall.geometry import quaternion as quat

AHEAD = 0.2  # rad: who goes so nearly ahead (or back) and does not turn faces where he goes
STRAIGHT = 0.2  # rad/s


@dataclass(frozen=True, eq=False)
class SteadyWay:
    """A point that begins at a place and heading and goes on with constant velocity in its own frame."""

    place: Float[np.ndarray, "3"]  # on the ground
    heading: float
    velocity: Float[np.ndarray, "3"]  # m/s: to the left, up (none), ahead
    turn_rate: float  # rad/s

    @property
    def parameters(self) -> Float[np.ndarray, "3"]:
        """Speed, turn rate and side speed: p of [body] 4.1."""
        return np.array([self.velocity[2], self.turn_rate, self.velocity[0]])

    def at(self, times: Float[np.ndarray, "n"]) -> tuple[Float[np.ndarray, "n 3"], Float[np.ndarray, "n"]]:
        """Places and headings so many seconds after the beginning."""
        return (
            self.place
            + quat.rotate(ground.turn(self.heading), travelled(self.velocity, self.turn_rate, times)),
            self.heading + self.turn_rate * times,
        )


def travelled(
    velocity: Float[np.ndarray, "3"], turn_rate: float, times: Float[np.ndarray, "n"]
) -> Float[np.ndarray, "n 3"]:
    """How far a point comes that keeps a velocity in its own turning frame, seen from where it began."""
    along, across = _arc(turn_rate * times)
    x, z = velocity[0], velocity[2]
    return np.stack([x * along + z * across, 0.0 * along, z * along - x * across], axis=-1) * times[:, None]


def _arc(angles: Float[np.ndarray, "n"]) -> tuple[Float[np.ndarray, "n"], Float[np.ndarray, "n"]]:
    """sin(a) / a and (1 - cos a) / a."""
    along = np.sinc(angles / np.pi)
    half = np.sinc(0.5 * angles / np.pi)
    return along, 0.5 * angles * half * half


def steady_way(
    root: Float[np.ndarray, "frames 3"],
    headings: Float[np.ndarray, "frames"],
    times: Float[np.ndarray, "frames"],
) -> SteadyWay:
    """Of a body whose last frame is its first, a cycle later; times begin at 0."""
    seconds = float(times[-1])
    turn_rate = float(headings[-1] - headings[0]) / seconds
    heading = float((headings[:-1] - turn_rate * times[:-1]).mean())
    way = _through(root, times, heading, turn_rate)
    aside = float(np.arctan2(way.velocity[0], way.velocity[2]))
    back = abs(aside) > 0.5 * np.pi
    off = float(ground.wrap(aside - np.pi)) if back else aside
    if abs(off) < AHEAD and abs(turn_rate) < STRAIGHT:
        way = _through(root, times, heading + off, turn_rate)
    return way


def _through(
    root: Float[np.ndarray, "frames 3"], times: Float[np.ndarray, "frames"], heading: float, turn_rate: float
) -> SteadyWay:
    """The way from the root's first place to its last, moved beneath the middle of all its places."""
    floor = np.array([1.0, 0.0, 1.0])
    away = quat.rotate(ground.turn(-heading), (root[-1] - root[0]) * floor)
    seconds = times[-1:]
    unit = [travelled(np.array(v), turn_rate, seconds)[0] for v in ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0))]
    x, z = np.linalg.solve(np.array([[unit[0][0], unit[1][0]], [unit[0][2], unit[1][2]]]), away[[0, 2]])
    way = SteadyWay(root[0] * floor, heading, np.array([x, 0.0, z]), turn_rate)
    places, headings = way.at(times[:-1])
    middle = quat.rotate(ground.turn(-headings), (root[:-1] - places) * floor).mean(axis=0)
    return SteadyWay(
        way.place + quat.rotate(ground.turn(heading), middle),
        heading,
        way.velocity + turn_rate * np.array([middle[2], 0.0, -middle[0]]),
        turn_rate,
    )
