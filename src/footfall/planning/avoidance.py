"""Many characters that keep out of each other's way, of walls and of what moves.

After van den Berg, Guy, Lin and Manocha, "Reciprocal n-Body Collision Avoidance" (2011): each character takes
half of the effort that two need to stay clear of each other for some seconds, so that nobody has to be told
what the other will do. Of what moves regardless it takes all. Walls are kept clear of, not walked round: that
is what paths are for. What differs here:

- a character can be told how fast it can change its velocity and heading, and chooses from what it can reach;
- where not everything can be kept the least breach still leaves a choice, which goes to what was wished;
- a last look takes away what would become an overlap (`contact_kernel`);
- who is not free veers to one side, and of those who hold each other fast the lowest in rank steps back: so
  mirror images and arches come apart.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np
from jaxtyping import Float

from footfall.errors import NO_NUMBER, RequestError
from footfall.figure.frozen import frozen_array
from footfall.planning.wall_segments import WallSegments
from footfall.validation import one_of

LARGEST = 1e6  # m, m/s: what is beyond is not there, or stands
SHORTEST = 1e-4  # s of a step
SIDES = {"right": 1.0, "left": -1.0}
MOST_NEIGHBOURS = 100


class MovingObstacles(NamedTuple):
    """Discs that move regardless of anybody; one whose numbers are none is not there."""

    positions: Float[np.ndarray, "m 2"]  # x, z
    velocities: Float[np.ndarray, "m 2"]
    radii: Float[np.ndarray, "m"] | float  # m


@dataclass(frozen=True, eq=False)
class Avoidance:
    """How wide and fast characters are and how far they look ahead; then `velocities`, step by step.

    A number stands for all characters, an array has one for each. Places and velocities are (x, z). It keeps
    nothing between steps: the same question has the same answer.
    """

    radii: Float[np.ndarray, "n"]  # m
    speeds: Float[np.ndarray, "n"] | float = 1.8  # m/s, the fastest
    walls: Float[np.ndarray, "walls 2 2"] = field(default_factory=lambda: np.zeros((0, 2, 2)))  # both ends
    acceleration: Float[np.ndarray, "n"] | float = np.inf  # m/s^2, in any direction
    turning: Float[np.ndarray, "n"] | float = np.inf  # rad/s
    horizon: float = 2.0  # s for which characters and moving obstacles are kept clear of
    wall_horizon: float = 0.5  # s for which walls are
    neighbours: int = 10  # as many of the nearest characters count
    keep: Literal["left", "right"] = "right"  # the side to which one gives way
    veer: float = 0.3  # rad to that side at most, where there is no way ahead
    seed: int = 0  # of ranks, and of the part of that angle which each one takes
    _traits: Float[np.ndarray, "n 6"] = field(init=False, repr=False)  # as the kernel's columns
    _walls: WallSegments = field(init=False, repr=False)

    def __post_init__(self) -> None:
        radii = frozen_array(self.radii, "radii")
        if radii.ndim != 1 or not len(radii):
            raise RequestError(
                f"radii must be a list with one number for each character, not of shape {radii.shape}"
            )
        count = len(radii)
        if isinstance(self.neighbours, bool) or not isinstance(self.neighbours, int | np.integer):
            raise RequestError(f"neighbours must be a whole number, not {self.neighbours!r}")
        if not 0 <= self.neighbours <= MOST_NEIGHBOURS:
            raise RequestError(f"neighbours must be 0 to {MOST_NEIGHBOURS}, not {self.neighbours}")
        one_of(self.keep, tuple(SIDES), "keep")
        for name, most in (("horizon", 60.0), ("wall_horizon", 60.0), ("veer", 0.5 * np.pi)):
            value = _each(getattr(self, name), name, 1, most, zero=name == "veer")
            object.__setattr__(self, name, float(value[0]))
        traits = np.empty((count, 6))
        traits[:, 0] = _each(radii, "radii", count, 1e3)
        traits[:, 1] = _each(self.speeds, "speeds", count, 1e3)
        traits[:, 2] = _each(self.acceleration, "acceleration", count, np.inf)
        traits[:, 3] = _each(self.turning, "turning", count, np.inf)
        parts, traits[:, 5] = _drawn(self.seed, count)
        traits[:, 4] = SIDES[self.keep] * self.veer * parts
        traits.flags.writeable = False
        near = float((traits[:, 0] + self.wall_horizon * traits[:, 1]).max())
        object.__setattr__(self, "radii", radii)
        object.__setattr__(self, "_traits", traits)
        object.__setattr__(self, "_walls", WallSegments.of(self.walls, near))

    def __len__(self) -> int:
        return len(self.radii)

    def __repr__(self) -> str:
        return (
            f"Avoidance({len(self)} characters, {len(self._walls.lines)} walls, horizon={self.horizon:g} s)"
        )

    def velocities(
        self,
        positions: Float[np.ndarray, "n 2"],
        velocities: Float[np.ndarray, "n 2"],
        preferred: Float[np.ndarray, "n 2"],
        dt: float,
        obstacles: MovingObstacles | None = None,
    ) -> Float[np.ndarray, "n 2"]:
        """The velocities to have for the next `dt` seconds, nearest to the preferred ones.

        Numbers never make it fail: who has no place minds nobody and is minded by nobody, and a velocity or
        wish that is no number is none. Only arrays of other shapes than the characters' are refused.
        """
        from footfall.planning.avoidance_kernel import steer

        count = len(self)
        places, wishes = _rows(positions, "positions", count), _rows(preferred, "preferred", count)
        bodies = np.concatenate([np.zeros((count, 5)), _discs(obstacles)])
        bodies[:count, :2], bodies[:count, 2:4] = places, _rows(velocities, "velocities", count)
        present = (np.abs(places) < LARGEST).all(axis=1)
        for numbers in (bodies[:, 2:4], wishes):
            numbers[~(np.abs(numbers) < LARGEST).all(axis=1)] = 0.0
        step = min(max(float(dt), SHORTEST), self.horizon) if dt > 0.0 else SHORTEST
        settings = np.array([self.horizon, max(self.wall_horizon, step), step, SIDES[self.keep]])
        out = np.empty((count, 2))
        steer(
            bodies, wishes, self._traits, places, present, self._walls.arrays, self.neighbours, settings, out
        )  # fmt: skip
        return out


def _each(
    values: object, name: str, count: int, most: float, *, zero: bool = False
) -> Float[np.ndarray, "n"]:
    """One positive number for each, of one for all or as many."""
    try:
        array = np.asarray(values, dtype=float)
    except NO_NUMBER:
        raise RequestError(f"{name} must be numbers, not {values!r:.60}") from None
    if array.shape not in ((), (count,)):
        raise RequestError(f"{name} must be one number or {count}, not of shape {array.shape}")
    fits = (array >= 0.0 if zero else array > 0.0) & (array <= most)
    if not fits.all():
        wrong = np.atleast_1d(array)[~np.atleast_1d(fits)][0]
        limit = "" if most == np.inf else f" and at most {most:g}"
        raise RequestError(f"{name} must be {'0 or more' if zero else 'more than 0'}{limit}, not {wrong:g}")
    return np.broadcast_to(array, (count,))


def _drawn(seed: object, count: int) -> tuple[Float[np.ndarray, "n"], Float[np.ndarray, "n"]]:
    """Parts of the veer, a half to all of it, and ranks; more characters leave the first as they are."""
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise RequestError(f"seed must be a whole number, 0 or more, not {seed!r}")
    drawn = np.random.default_rng(int(seed)).random((count, 2))
    return 0.5 + 0.5 * drawn[:, 0], drawn[:, 1]


def _rows(values: Float[np.ndarray, "n 2"], name: str, count: int) -> Float[np.ndarray, "n 2"]:
    array = np.array(values, dtype=float, order="C")
    if array.shape != (count, 2):
        raise RequestError(f"{name} must have shape ({count}, 2), not {array.shape}")
    return array


def _discs(obstacles: MovingObstacles | None) -> Float[np.ndarray, "m 5"]:
    """Place, velocity and radius of those obstacles that are there."""
    if obstacles is None:
        return np.zeros((0, 5))
    positions = np.asarray(obstacles.positions, dtype=float)
    discs = np.empty((len(positions), 5))
    try:
        discs[:, :2], discs[:, 2:4], discs[:, 4] = positions, obstacles.velocities, obstacles.radii
    except ValueError:
        raise RequestError("obstacles need positions (m, 2), velocities (m, 2) and radii (m)") from None
    there = (np.abs(discs[:, [0, 1, 4]]) < LARGEST).all(axis=1) & (discs[:, 4] >= 0.0)
    return discs[there]
