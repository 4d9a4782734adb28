"""Footprints: the outline of a sole where a foot rests, or where a plan wants it, at its own level."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from footfall.analysis.plants import Plant
from footfall.figure.skeleton import Skeleton
from footfall.geometry import ground
from footfall.picture.marks import Colour, Mark
from footfall.world.foot_plan import FootPlan

# The rim of a left sole from the heel round by the outer side: shares of its length forward and outward
RIM = np.array(
    [
        (0.00, 0.00), (0.03, 0.08), (0.13, 0.125), (0.30, 0.115), (0.50, 0.14), (0.66, 0.185), (0.80, 0.175),
        (0.92, 0.115), (0.985, 0.03), (1.00, -0.04), (0.985, -0.11), (0.92, -0.16), (0.80, -0.18),
        (0.68, -0.17), (0.50, -0.105), (0.30, -0.095), (0.13, -0.115), (0.03, -0.08),
    ]
)  # fmt: skip
FINE = 3  # points drawn for one of the rim's
INK: dict[str, Colour] = {"left": (0.13, 0.36, 0.74), "right": (0.83, 0.40, 0.06)}
FILL: dict[str, Colour] = {"left": (0.62, 0.75, 0.92), "right": (0.97, 0.77, 0.58)}
PLANNED: Colour = (0.50, 0.12, 0.55)
OUTLINE, PLANNED_OUTLINE = 1.6, 2.4  # pixels
STONE: Colour = (0.80, 0.79, 0.75)


@dataclass(frozen=True, eq=False)
class Footprint:
    """One sole on the ground."""

    foot: str
    outline: Float[np.ndarray, "n 3"]
    start: int | None = None  # frames in which it is stood on; a planned one has none
    end: int | None = None

    @property
    def planned(self) -> bool:
        return self.start is None

    @property
    def level(self) -> float:
        return float(self.outline[0, 1])

    def at_level(self, level: float) -> Footprint:
        outline = self.outline.copy()
        outline[:, 1] = level
        return self.laid(outline)

    def laid(self, outline: Float[np.ndarray, "n 3"]) -> Footprint:
        """The same print along another outline."""
        return Footprint(self.foot, outline, self.start, self.end)

    def stood_on(self, frame: int) -> bool:
        return self.start is not None and self.end is not None and self.start <= frame < self.end

    def marks(self) -> list[Mark]:
        if self.planned:
            return [Mark(self.outline, PLANNED, PLANNED_OUTLINE, closed=True)]
        return [Mark(self.outline, FILL[self.foot]), Mark(self.outline, INK[self.foot], OUTLINE, closed=True)]


def sole_outline(skeleton: Skeleton, side: str) -> Float[np.ndarray, "n 2"]:
    """Metres to the left and forward from the subtalar, round a sole as long as the foot points say."""
    from scipy.interpolate import CubicSpline

    points = skeleton.foot_points(side)
    along = points.toe - points.heel
    length = float(np.linalg.norm(along))
    behind = float((points.subtalar - points.heel) @ along) / length
    turns = np.arange(len(RIM) + 1)
    rim = CubicSpline(turns, np.concatenate([RIM, RIM[:1]]), bc_type="periodic")(
        np.arange(FINE * len(RIM)) / FINE
    )
    outward = 1.0 if side == "left" else -1.0
    return np.stack([outward * length * rim[:, 1], length * rim[:, 0] - behind], axis=1)


def footprint(
    skeleton: Skeleton,
    side: str,
    position: Float[np.ndarray, "3"],
    heading: float,
    frames: tuple[int | None, int | None] = (None, None),
) -> Footprint:
    """The sole of one foot with its subtalar at a place, level with it."""
    left, forward = sole_outline(skeleton, side).T
    axes = ground.direction_of(heading + 0.5 * np.pi), ground.direction_of(heading)
    return Footprint(side, position + left[:, None] * axes[0] + forward[:, None] * axes[1], *frames)


def found_footprints(skeleton: Skeleton, plants: Iterable[Plant]) -> list[Footprint]:
    """Where feet rested, at the level at which each rested."""
    return [
        footprint(
            skeleton, p.foot, np.array([p.position[0], p.level, p.position[2]]), p.heading, (p.start, p.end)
        )
        for p in plants
    ]


def planned_footprints(skeleton: Skeleton, plan: FootPlan) -> list[Footprint]:
    """Where a plan wants feet; one without a heading looks the way that foot goes."""
    found = []
    for i, placement in enumerate(plan.placements):
        if placement.foot in skeleton.sides:
            heading = placement.heading
            heading = _travel(plan, i) if heading is None else heading
            found.append(footprint(skeleton, placement.foot, placement.position, heading))
    return found


def _travel(plan: FootPlan, index: int) -> float:
    """From the same foot's last placement to this one; the first looks where its next one is."""
    here = plan.placements[index]
    own = [k for k, p in enumerate(plan.placements) if p.foot == here.foot]
    at = own.index(index)
    first, last = (own[at - 1], index) if at else (index, own[min(1, len(own) - 1)])
    return float(ground.heading_of(plan.placements[last].position - plan.placements[first].position))


def stone(
    print_: Footprint, floor: float
) -> tuple[Float[np.ndarray, "v 3"], Float[np.ndarray, "v 3"], Int[np.ndarray, "t 3"]]:
    """Vertices, normals and triangles of what a raised footprint stands on: its outline down to the floor."""
    top = print_.outline
    count = len(top)
    foot = top.copy()
    foot[:, 1] = floor
    middle = top.mean(axis=0)
    outward = (top - middle) * [1.0, 0.0, 1.0]
    outward /= np.linalg.norm(outward, axis=1, keepdims=True)
    rim, following = np.arange(count), np.roll(np.arange(count), -1)
    walls = np.concatenate(
        [np.stack([rim, following, count + rim], 1), np.stack([following, count + following, count + rim], 1)]
    )
    lid = np.stack([2 * count + rim, 2 * count + following, np.full(count, 3 * count)], 1)
    vertices = np.concatenate([top, foot, top, middle[None]])
    normals = np.concatenate([outward, outward, np.tile(ground.UP, (count + 1, 1))])
    return vertices, normals, np.concatenate([walls, lid])
