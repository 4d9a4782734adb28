"""Where a path turns more sharply than a gait can walk: there one stops, turns on the spot and goes on.

What lies between is walked along a smoother line, which cuts corners as far as the gait needs and no farther
than one may be from the path.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float

from footfall.geometry.decisions import SLACK, clearly_less, first_greatest
from footfall.geometry.ground import wrap
from footfall.models.gait_limits import GaitLimits
from footfall.planning.path import Path

EVERY = 0.05  # m along a path at which it is looked at
SMOOTHS = 0.65  # of the tightest curve's radius: over so much each way a corner is spread
STRAYS = 0.18  # m from the path at most where a corner is cut
SHORTEST = 0.4  # m between two stops
ALIKE = 0.95  # of the worst: as bad
CLOSE = 1e-3  # m: points so near to each other are one


@dataclass(frozen=True, eq=False)
class Stretch:
    """A part of a path that is walked without a stop, and the smoother line that is walked."""

    path: Path
    begins: float  # m along the whole path
    reach: float  # m over which corners are spread, each way

    @cached_property
    def places(self) -> Float[np.ndarray, "places"]:
        """Lengths along the stretch at which line and path are known."""
        return np.linspace(0.0, self.path.length, int(np.ceil(self.path.length / EVERY - SLACK)) + 1)

    @cached_property
    def line(self) -> Float[np.ndarray, "places 3"]:
        """The mean of the path around each place.

        Beyond an end the path is taken to go on as its image through that end: so the line has the same ends
        and does not bend there, for one comes from standing and goes to standing.
        """
        points, length = self.path.points, self.path.length
        reach = min(self.reach, length)
        if not length:
            return points.copy()
        along = self.path.along
        longer = np.concatenate([2.0 * points[0] - points[:0:-1], points, 2.0 * points[-1] - points[-2::-1]])
        lengths = np.concatenate([-along[:0:-1], along, 2.0 * length - along[-2::-1]])
        first, last = (_summed(lengths, longer, self.places + side * reach) for side in (-1.0, 1.0))
        return (last - first) / (2.0 * reach)

    @cached_property
    def strays(self) -> Float[np.ndarray, "places"]:
        """m, in plan, of the line from the path."""
        return np.hypot(*(self.line - self.path.point(self.places))[:, [0, 2]].T)

    @cached_property
    def bends(self) -> Float[np.ndarray, "places"]:
        """rad/m by which the line turns; none at its ends."""
        legs = np.diff(self.line[:, [0, 2]], axis=0)
        lengths = np.hypot(*legs.T)
        turns = np.abs(wrap(np.diff(np.arctan2(legs[:, 0], legs[:, 1]))))
        bends = np.zeros(len(self.places))
        bends[1:-1] = turns / np.maximum(0.5 * (lengths[1:] + lengths[:-1]), 1e-9)
        return bends


def stretches_of(path: Path, limits: GaitLimits) -> tuple[Stretch, ...]:
    """The path in parts that the gait can walk; from each to the next it turns on the spot."""
    radius = limits.radius(limits.slowest)
    return tuple(_cut(Stretch(path, 0.0, SMOOTHS * radius), radius))


def _cut(stretch: Stretch, radius: float) -> list[Stretch]:
    """The stretch itself where it can be walked, else what it is cut into at its worst corner."""
    length = stretch.path.length
    worst = np.maximum(stretch.bends * radius, stretch.strays / STRAYS)
    inside = clearly_less(SHORTEST, stretch.places) & clearly_less(stretch.places, length - SHORTEST)
    if not inside.any() or not clearly_less(1.0, worst[inside]).any():
        return [stretch]
    at = float(stretch.places[_middle_of_worst(np.where(inside, worst, 0.0))])
    return [
        one
        for first, last in ((0.0, at), (at, length))
        for one in _cut(
            Stretch(_part(stretch.path, first, last), stretch.begins + first, stretch.reach), radius
        )
    ]


def _summed(
    along: Float[np.ndarray, "n"], points: Float[np.ndarray, "n 3"], s: Float[np.ndarray, "places"]
) -> Float[np.ndarray, "places 3"]:
    """The integral of a line of straight legs from its beginning to each s, exactly."""
    legs = 0.5 * np.diff(along)[:, None] * (points[1:] + points[:-1])
    whole = np.concatenate([np.zeros((1, 3)), np.cumsum(legs, axis=0)])
    leg = np.clip(np.searchsorted(along, s, side="right") - 1, 0, len(along) - 2)
    there = np.stack([np.interp(s, along, axis) for axis in points.T], axis=-1)
    return whole[leg] + 0.5 * (s - along[leg])[:, None] * (points[leg] + there)


def _middle_of_worst(worst: Float[np.ndarray, "places"]) -> int:
    """The worst place; of an arc that is as bad all along its middle."""
    at = int(first_greatest(worst))
    end = at
    while end + 1 < len(worst) and not clearly_less(worst[end + 1], ALIKE * worst[at]):
        end += 1
    return (at + end) // 2


def _part(path: Path, first: float, last: float) -> Path:
    """A path from one length along it to another."""
    inner = path.points[(path.along > first + CLOSE) & (path.along < last - CLOSE)]
    return Path(np.vstack([path.point(first), inner, path.point(last)]))
