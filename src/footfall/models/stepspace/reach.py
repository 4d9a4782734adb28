"""What a next step can reach: the hull of captured steps in S_low, cut where the feet stand now.

With the support foot and the swing foot's first print known, S_low leaves two numbers open: where the foot
lands. What was captured there is a convex area on the ground. A print outside of it may still be met, by
stretching the nearest steps; one that no leg reaches is refused, and the nearest that can be is named.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float

from footfall.errors import RequestError
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import first_least
from footfall.models.stepspace.low_space import low_axis, low_of
from footfall.models.stepspace.planned import PlannedSteps
from footfall.weights.hull import Hull

FARTHEST = 1.45  # times a leg's length from one print to the other, or what was captured and a little more,
A_LITTLE = 0.15  # m
HIGHEST = 0.45  # times a leg's length that one print may be over the other
ROUNDED = 0.01  # m, as prints are named
INNER = 0.08  # m inside its ends at which the hull is cut at most

Polygon = Float[np.ndarray, "corners 2"]


@dataclass(frozen=True, eq=False)
class Reach:
    """The hull of S_low of the left foot's steps; the right foot's is its mirror image."""

    low: Float[np.ndarray, "n 3"]
    leg: float  # m
    captured: float | None = None  # m from one foot to the other, at most, run ones too; None: of these

    @cached_property
    def hull(self) -> Hull:
        return Hull(self.low)

    @cached_property
    def farthest(self) -> float:
        """m from the support print to where the swing foot lands."""
        captured = self.captured
        if captured is None:
            captured = float(np.hypot(self.low[:, 1], self.low[:, 2]).max())
        return max(FARTHEST * self.leg, captured + A_LITTLE)

    @property
    def highest(self) -> float:
        return HIGHEST * self.leg

    def section(self, x1: float) -> Polygon:
        """Where feet landed whose first print was `x1` from the support: x2, z2 in order around the area."""
        from scipy.spatial import ConvexHull, QhullError

        facets = self.hull.facets
        if facets is None:
            return np.zeros((0, 2))
        first, last = float(self.low[:, 0].min()), float(self.low[:, 0].max())
        # near its ends the hull is thin: who stands a little narrower lands as the narrow ones do
        inner = min(INNER, 0.45 * (last - first))
        corners = self.low[facets[0]] - [np.clip(x1, first + inner, last - inner), 0.0, 0.0]
        starts, ends = corners, np.roll(corners, 1, axis=1)
        crosses = (starts[..., 0] < 0.0) != (ends[..., 0] < 0.0)
        a, b = starts[crosses], ends[crosses]
        share = a[:, :1] / (a[:, :1] - b[:, :1])
        points = (a + share * (b - a))[:, 1:]
        try:
            return points[ConvexHull(points).vertices]
        except (QhullError, ValueError):
            return points

    def outside(self, low: Float[np.ndarray, "3"]) -> tuple[float, Float[np.ndarray, "2"]]:
        """How far a step is outside what was captured, m in S_low, and the nearest x2, z2 that was."""
        far = float(np.linalg.norm(self.hull.nearest(low) - low))
        polygon = self.section(float(low[0]))
        return far, _from_polygon(polygon, low[1:])[1] if far > 0.0 and len(polygon) else low[1:]


def _from_polygon(polygon: Polygon, place: Float[np.ndarray, "2"]) -> tuple[float, Float[np.ndarray, "2"]]:
    """Distance of a place from a convex polygon (corners counterclockwise), and its nearest point."""
    a, b = polygon, np.roll(polygon, -1, axis=0)
    along, away = b - a, place - a
    if len(polygon) > 2 and (along[:, 0] * away[:, 1] - along[:, 1] * away[:, 0] >= -1e-12).all():
        return 0.0, place
    share = np.clip(np.sum(along * away, axis=1) / np.maximum(np.sum(along**2, axis=1), 1e-18), 0.0, 1.0)
    nearest = a + share[:, None] * along
    far = np.linalg.norm(nearest - place, axis=1)
    best = int(first_least(far))
    return float(far[best]), nearest[best]


def refuse_start(reach: Reach, planned: PlannedSteps) -> None:
    """Raises for feet that start too far apart."""
    origin, support = planned.places[planned.prints[0, [0, 2]]]
    starts = origin - support
    if np.hypot(starts[0], starts[2]) > reach.farthest:
        apart = float(np.hypot(starts[0], starts[2]))
        raise RequestError(
            f"steps[1]: the feet start {apart:.2f} m apart; {reach.farthest:.2f} m can be stood over"
        )


def unreachable(reach: Reach, planned: PlannedSteps) -> tuple[int, str] | None:
    """The first step that no leg reaches, and why."""
    target, support = (planned.places[planned.prints[:, k]] for k in (1, 2))
    away = target - support
    apart = np.hypot(away[:, 0], away[:, 2])
    bad = np.flatnonzero((apart > reach.farthest) | (np.abs(away[:, 1]) > reach.highest))
    if not len(bad):
        return None
    k = int(bad[0])
    if apart[k] > reach.farthest:
        return k, f"it is {apart[k]:.2f} m from the other foot's, and {reach.farthest:.2f} m are possible"
    over = f"{abs(away[k, 1]):.2f} m {'over' if away[k, 1] > 0 else 'under'}"
    return k, f"it is {over} the other foot's, and {reach.highest:.2f} m are possible"


def nearest_inside(
    reach: Reach, planned: PlannedSteps, step: int, query: Float[np.ndarray, "10"]
) -> Float[np.ndarray, "3"]:
    """The print nearest to a step's target that was captured like that, in the world."""
    target, support = planned.places[planned.prints[step, [1, 2]]]
    far, nearest = reach.outside(low_of(query))
    place = _LowFrame.of(planned, step, query).world(nearest) if far > 0.0 else np.array(target)
    highest = reach.highest - ROUNDED
    rise = np.clip(target[1] - support[1], -highest, highest)
    return np.array([place[0], support[1] + rise, place[2]])


def area_of(
    reach: Reach, planned: PlannedSteps, step: int, query: Float[np.ndarray, "10"]
) -> Float[np.ndarray, "corners 3"]:
    """The corners of the area in which a swing foot may land, in the world, as high as the support print."""
    frame = _LowFrame.of(planned, step, query)
    polygon = reach.section(float(low_of(query)[0]))
    return np.array([frame.world(corner) for corner in polygon]).reshape(-1, 3)


@dataclass(frozen=True, eq=False)
class _LowFrame:
    """S_low's frame of one step in the world."""

    place: Float[np.ndarray, "3"]  # of the support print
    heading: float
    axis: float  # of S_low in the support foot's frame, of the step as one of the left foot
    side: float  # 1 left, -1 right: x is mirrored

    @classmethod
    def of(cls, planned: PlannedSteps, step: int, query: Float[np.ndarray, "10"]) -> _LowFrame:
        support = planned.prints[step, 2]
        side = -1.0 if planned.feet[step] else 1.0
        return cls(planned.places[support], float(planned.headings[support]), float(low_axis(query)), side)

    def world(self, place: Float[np.ndarray, "2"]) -> Float[np.ndarray, "3"]:
        local = quat.rotate(ground.turn(self.axis), np.array([place[0], 0.0, place[1]]))
        local[0] *= self.side
        return self.place + quat.rotate(ground.turn(self.heading), local)
