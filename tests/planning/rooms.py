"""Seeded rooms in which footsteps are planned: corridors with turns and dead ends, stairs, stepping stones.

A room is cut out of one solid block: rectangles one after another, turned as a whole. All that is not in one
of them is wall. Its ground is a floor, or blocks: stairs up to a landing, or stones over a pit.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from jaxtyping import Float

from footfall.geometry.ground import turn
from footfall.geometry.quaternion import rotate
from footfall.models.stepspace.model import StepSpace
from footfall.planning.footsteps.planner import FootPlanner
from footfall.world.plane import FlatTerrain
from footfall.world.shapes.box import Box
from footfall.world.shapes.placed import Placed
from footfall.world.terrain import Terrain
from tests.planning.worlds import Blocks, blocks_terrain

KINDS = ("corridors", "dead ends", "stairs", "stones")
WALL = 0.4  # m round the room
HIGH = 2.6  # m of walls over the highest ground
CHAMBER = 1.6  # m
Rectangle = tuple[float, float, float, float]  # low x, z, high x, z


@dataclass
class Room:
    """What a planner is asked for. `open` tells whether the rectangles lead to the goal."""

    seed: int
    kind: str
    turned: float
    rectangles: list[Rectangle] = field(default_factory=list)
    blocks: Blocks = field(default_factory=list)
    start: tuple[float, float] = (0.0, 0.0)
    facing: float = 0.0
    goal: tuple[float, float, float] = (0.0, 0.0, 0.0)
    heading: float | None = None
    narrowest: float = np.inf
    open: bool = True

    def world(self, place: tuple[float, float, float]) -> Float[np.ndarray, "3"]:
        return rotate(turn(self.turned), np.array(place))

    @property
    def top(self) -> float:
        return max([0.0, *(size[1] / 2 + at[1] for size, at in self.blocks)])

    @property
    def terrain(self) -> Terrain:
        if not self.blocks:
            return FlatTerrain()
        return blocks_terrain(self.blocks, self.turned)

    @property
    def walls(self) -> list[Placed]:
        """All that is no rectangle, in boxes."""
        edges = np.round(self.rectangles, 6)
        low, high = edges[:, :2].min(axis=0) - WALL, edges[:, 2:].max(axis=0) + WALL
        xs = np.unique([low[0], high[0], *edges[:, 0], *edges[:, 2]])
        zs = np.unique([low[1], high[1], *edges[:, 1], *edges[:, 3]])
        found = []
        bottom, top = -1.5, self.top + HIGH
        for west, east in pairwise(xs):
            x, begin = 0.5 * (west + east), None
            for south, north in pairwise(zs):
                z = 0.5 * (south + north)
                free = any(r[0] < x < r[2] and r[1] < z < r[3] for r in self.rectangles)
                if not free and begin is None:
                    begin = south
                if begin is not None and (free or north == zs[-1]):
                    end = south if free else north
                    size = (east - west, top - bottom, end - begin)
                    at = self.world((x, 0.5 * (top + bottom), 0.5 * (begin + end)))
                    found.append(Placed.upright(Box(np.array(size)), at, self.turned))
                    begin = None
        return found

    def planner(self, steps: StepSpace) -> FootPlanner:
        return FootPlanner(steps, self.terrain, self.walls)

    @property
    def request(self) -> dict[str, object]:
        """What the planner's `plan` takes."""
        start = self.world((self.start[0], 0.0, self.start[1]))
        goal = self.world(self.goal)
        heading = None if self.heading is None else self.heading + self.turned
        return {
            "start": (start[0], 0.0, start[2]),
            "goal": tuple(goal),
            "facing": self.facing + self.turned,
            "heading": heading,
        }


def room_of(seed: int) -> Room:
    """Of four kinds in turn."""
    rng = np.random.default_rng(seed)
    kind = KINDS[seed % len(KINDS)]
    room = Room(seed, kind, turned=float(rng.uniform(-np.pi, np.pi)))
    room.facing = float(rng.uniform(-np.pi, np.pi))
    room.rectangles.append((-CHAMBER / 2, -CHAMBER / 2, CHAMBER / 2, CHAMBER / 2))
    room.start = (float(rng.uniform(-0.3, 0.3)), float(rng.uniform(-0.3, 0.3)))
    if kind == "corridors":
        _corridors(room, rng, int(rng.integers(2, 5)))
    elif kind == "dead ends":
        _dead_ends(room, rng)
    elif kind == "stairs":
        _stairs(room, rng)
    else:
        _stones(room, rng)
    return room


def _width(rng: np.random.Generator) -> float:
    return float(rng.uniform(0.40, 1.2)) if rng.random() < 0.6 else float(rng.uniform(0.40, 0.6))


def _corridors(room: Room, rng: np.random.Generator, count: int) -> None:
    """One after another, each across the last, to a chamber at the end."""
    x, z, along = 0.0, CHAMBER / 2, 1  # the first leads along +z
    way, before = 1.0, CHAMBER
    for k in range(count):
        wide, long = _width(rng), float(rng.uniform(1.2, 2.4))
        room.narrowest = min(room.narrowest, wide)
        half = 0.5 * wide
        # it begins where the last one's far side is, so that they meet in a corner
        back = 0.0 if k == 0 else 0.5 * before
        if along == 1:
            low, high = sorted((z - way * back, z + way * long))
            room.rectangles.append((x - half, low, x + half, high))
            z += way * long
        else:
            low, high = sorted((x - way * back, x + way * long))
            room.rectangles.append((low, z - half, high, z + half))
            x += way * long
        if k < count - 1:
            along, before = 1 - along, wide
            way = 1.0 if along == 1 or rng.random() < 0.5 else -1.0
    half = 0.5 * CHAMBER
    if along == 1:
        z += way * half
    else:
        x += way * half
    room.rectangles.append((x - half, z - half, x + half, z + half))
    room.goal = (x + float(rng.uniform(-0.3, 0.3)), 0.0, z + float(rng.uniform(-0.3, 0.3)))
    room.heading = float(rng.uniform(-np.pi, np.pi)) if rng.random() < 0.8 else None


def _dead_ends(room: Room, rng: np.random.Generator) -> None:
    """Corridors with blind ones beside them; in every third room a goal that no body can get to."""
    _corridors(room, rng, 2)
    half = CHAMBER / 2
    for side in (-1.0, 1.0):
        wide, long = float(rng.uniform(0.5, 0.9)), float(rng.uniform(0.8, 1.6))
        at = float(rng.uniform(-half + 0.5 * wide, half - 0.5 * wide))
        low, high = sorted((side * half, side * (half + long)))
        room.rectangles.append((low, at - 0.5 * wide, high, at + 0.5 * wide))
    if room.seed % 3 == 0:  # too narrow for any body
        room.open = False
        first = room.rectangles[1]
        middle, gap = 0.5 * (first[0] + first[2]), float(rng.uniform(0.1, 0.24))
        room.rectangles[1] = (middle - 0.5 * gap, first[1], middle + 0.5 * gap, first[3])
        room.narrowest = gap


def _floor(blocks: Blocks, rectangle: Rectangle, top: float) -> None:
    west, south, east, north = rectangle
    bottom = -1.2
    size = (east - west, top - bottom, north - south)
    blocks.append((size, (0.5 * (west + east), 0.5 * (top + bottom), 0.5 * (south + north))))


def _stairs(room: Room, rng: np.random.Generator) -> None:
    """A flight up or down, wide enough to face it, to a landing."""
    wide, count = float(rng.uniform(0.8, 1.2)), int(rng.integers(3, 7))
    rise = float(rng.uniform(0.10, 0.18)) * (1.0 if rng.random() < 0.5 else -1.0)
    tread = float(rng.uniform(0.30, 0.38))
    half, z = CHAMBER / 2, CHAMBER / 2
    room.narrowest = wide
    _floor(room.blocks, (-half - WALL, -half - WALL, half + WALL, half), 0.0)
    for k in range(count):
        _floor(room.blocks, (-half, z, half, z + tread), rise * (k + 1))
        z += tread
    room.rectangles.append((-0.5 * wide, half, 0.5 * wide, z))
    level = rise * count
    _floor(room.blocks, (-half - WALL, z, half + WALL, z + CHAMBER + WALL), level)
    room.rectangles.append((-half, z, half, z + CHAMBER))
    room.goal = (float(rng.uniform(-0.3, 0.3)), level, z + half + float(rng.uniform(-0.2, 0.3)))
    room.heading = float(rng.uniform(-np.pi, np.pi)) if rng.random() < 0.8 else None


def _stones(room: Room, rng: np.random.Generator) -> None:
    """Over a pit, from one floor to the other."""
    wide, long = float(rng.uniform(0.9, 1.2)), float(rng.uniform(1.5, 3.0))
    half, z = CHAMBER / 2, CHAMBER / 2
    room.narrowest = wide
    _floor(room.blocks, (-half - WALL, -half - WALL, half + WALL, half), 0.0)
    end = half + long
    while z < end - 0.2:
        z += float(rng.uniform(0.06, 0.14))
        deep, x = float(rng.uniform(0.34, 0.45)), -0.5 * wide
        while x < 0.5 * wide - 0.3:
            broad = float(rng.uniform(0.32, 0.5))
            level = float(rng.uniform(-0.04, 0.04))
            ahead = float(rng.uniform(-0.03, 0.03))
            _floor(room.blocks, (x, z + ahead, x + broad, z + ahead + deep), level)
            x += broad + float(rng.uniform(0.04, 0.12))
        z += deep
    z += float(rng.uniform(0.08, 0.14))
    room.rectangles.append((-0.5 * wide, half, 0.5 * wide, z))
    _floor(room.blocks, (-half - WALL, z, half + WALL, z + CHAMBER + WALL), 0.0)
    room.rectangles.append((-half, z, half, z + CHAMBER))
    room.goal = (float(rng.uniform(-0.3, 0.3)), 0.0, z + half + float(rng.uniform(-0.2, 0.3)))
    room.heading = float(rng.uniform(-np.pi, np.pi)) if rng.random() < 0.8 else None
