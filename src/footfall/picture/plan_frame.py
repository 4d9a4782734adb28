"""What part of the world a plan map shows, and which way round: seen from above, as in the map of a strip.

The picture lies along walls and ways, not along the world's axes, where that makes it smaller; its longer
side goes across, and one walks from the left to the right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.geometry.ground import UP, direction_of, heading_of
from footfall.picture.camera import Camera
from footfall.picture.figures import path_heading

AROUND = 0.7  # m shown beyond the way ...
BEYOND = 0.12  # m, ... and beyond obstacles
FLATTEST = 0.2  # of a picture's width: its height at least
FARTHEST = 3.0  # m from the way: obstacles are shown as far as that
SMALLER = 0.99  # of the area that the world's axes need: along walls it must need less than this ...
MUCH_SMALLER = 0.85  # ... and along a way alone, which may be as straight as it likes

Points = Float[np.ndarray, "n 3"]
PLAN = np.array([1.0, 0.0, 1.0])


@dataclass(frozen=True, eq=False)
class PlanFrame:
    """A rectangle of the ground. Pictures are told in metres to the right and up."""

    heading: float  # rad, of what is right in the picture
    low: Float[np.ndarray, "2"]
    high: Float[np.ndarray, "2"]

    @classmethod
    def of(cls, way: Points, things: Sequence[Points], area: Points) -> PlanFrame:
        """Round a way and the things near it; without a way round all things, else round an area."""
        near = [thing for thing in things if not len(way) or _apart(thing, way) <= FARTHEST]
        held = np.concatenate([way, *near])
        held = held if len(held) else area
        turned = cls(_heading(held, way, SMALLER if near else MUCH_SMALLER), np.zeros(2), np.zeros(2))
        ends, corners = turned.picture(way), turned.picture(np.concatenate([np.zeros((0, 3)), *near]))
        if len(way):
            corners = np.clip(corners, ends.min(axis=0) - FARTHEST, ends.max(axis=0) + FARTHEST)
        if not len(ends) and not len(corners):
            corners = turned.picture(area)
        parts = [(ends, AROUND), (corners, BEYOND)]
        low = np.min([points.min(axis=0) - room for points, room in parts if len(points)], axis=0)
        high = np.max([points.max(axis=0) + room for points, room in parts if len(points)], axis=0)
        more = np.array([0.0, 0.5 * max(FLATTEST * (high[0] - low[0]) - (high[1] - low[1]), 0.0)])
        return cls(turned.heading, low - more, high + more)

    @property
    def axes(self) -> tuple[Float[np.ndarray, "3"], Float[np.ndarray, "3"]]:
        """What is right and what is up in the picture."""
        return direction_of(self.heading), direction_of(self.heading + 0.5 * np.pi)

    @property
    def size(self) -> Float[np.ndarray, "2"]:
        """m, width and height."""
        return self.high - self.low

    def picture(self, places: Float[np.ndarray, "*n 3"]) -> Float[np.ndarray, "*n 2"]:
        """Metres to the right and up."""
        return np.stack([places @ axis for axis in self.axes], axis=-1)

    def world(self, places: Float[np.ndarray, "*n 2"]) -> Float[np.ndarray, "*n 3"]:
        """The places of points of the picture, at level 0."""
        right, up = self.axes
        return places[..., :1] * right + places[..., 1:] * up

    def camera(self, scale: float) -> Camera:
        """Straight from above, with so many pixels a metre."""
        width, height = (max(int(np.ceil(s)), 1) for s in self.size * scale)
        middle = self.low + 0.5 * np.array([width, -height]) / scale + [0.0, self.size[1]]
        return Camera(*self.axes, -UP, self.world(middle), scale, (width, height))


def _apart(thing: Points, way: Points) -> float:
    """How far the boxes round two ground plans are from each other along the axis where they are farthest."""
    low, high = thing.min(axis=0), thing.max(axis=0)
    gap = np.maximum(way.min(axis=0) - high, low - way.max(axis=0)) * PLAN
    return float(gap.max(initial=0.0))


def _heading(held: Points, way: Points, smaller: float) -> float:
    heading = _tightest(held, smaller)
    spread = PlanFrame(heading, np.zeros(2), np.zeros(2)).picture(held)
    wide, tall = np.ptp(spread, axis=0)
    if tall > wide + 1e-9:
        heading += 0.5 * np.pi
    if len(way) > 1 and (way[-1] - way[0]) @ direction_of(heading) < -1e-9:
        heading += np.pi
    return float(heading)


def _tightest(held: Points, smaller: float) -> float:
    """The heading of a side of the smallest rectangle round places; 0 where the world's axes do as well."""
    from scipy.spatial import ConvexHull, QhullError

    plan = held[:, [0, 2]]
    try:
        rim = held[ConvexHull(plan).vertices]
    except (QhullError, ValueError):  # all in a line, or too few
        return path_heading(held * PLAN) if np.ptp(plan, axis=0).max(initial=0.0) > 1e-6 else 0.0
    sides = heading_of((np.roll(rim, -1, axis=0) - rim) * PLAN)
    headings = np.concatenate([[0.0], sides])
    areas = [np.ptp(PlanFrame(h, np.zeros(2), np.zeros(2)).picture(rim), axis=0).prod() for h in headings]
    best = int(np.argmin(areas))
    return float(headings[best]) if areas[best] < smaller * areas[0] else 0.0
