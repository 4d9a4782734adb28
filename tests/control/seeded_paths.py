"""Seeded paths over bumps, and how a character that follows one is judged."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float

from footfall.analysis.facing import root_headings
from footfall.character import Character
from footfall.control.gait import GaitController
from footfall.control.path_steering import PathController
from footfall.figure.contacts import Contacts
from footfall.figure.motion import Motion
from footfall.formats.terrain_source import open_terrain
from footfall.geometry.ground import wrap
from footfall.models.ring.graph import RingGraph
from footfall.planning.path import Path
from footfall.planning.route import NoPathError, plan_path
from footfall.planning.walk_map import WalkMap
from footfall.world.obstacle import Obstacle
from footfall.world.shapes.box import Box
from footfall.world.shapes.cylinder import Cylinder
from footfall.world.terrain import Terrain

EDGE = 1.5  # m from the border of the ground that paths keep
LEGS, LEG, BEND = 5, (2.0, 4.0), 1.2  # of a smooth path: how many, m each, rad at most from one to the next
CUTS = 4  # times its corners are cut
THINGS, RADIUS, FARTHEST = (6, 11), 0.3, 7.0  # obstacles; m of the body; m from start to goal at least
FPS = 60.0
JUDGED, BESIDE = 2, 0.03  # frames, and m of the path, from one that the judge looks at to the next
SLOWEST, MORE = 0.3, 40.0  # m/s and s: who takes longer has not come

Place = Float[np.ndarray, "2"]
Frame = tuple[Float[np.ndarray, "3"], Float[np.ndarray, "joints 4"], Bool[np.ndarray, "4"], bool]


@dataclass(frozen=True, eq=False)
class Course:
    """A path to be followed, and how one stands at its ends."""

    terrain: Terrain
    path: Path
    start: float  # rad: the heading at the start,
    goal: float  # and the one that is asked for at the goal
    obstacles: tuple[Obstacle, ...] = ()


@dataclass(frozen=True, eq=False)
class Followed:
    """What became of it. All is told of the hips as they are, sway and all: nothing is smoothed."""

    motion: Motion
    off: float  # m from the path in plan, at most
    away: float  # m from the goal in plan
    turned: float  # rad that the hips are turned from the heading that was asked for
    resting: bool
    arrived: bool
    stops: int  # on the way
    remarks: tuple[str, ...]


def bumps(seed: int) -> Terrain:
    return open_terrain(f"bumps:{seed}")


def smooth_course(seed: int, terrain: Terrain) -> Course:
    """Straight legs that turn at random, their corners cut round."""
    rng = np.random.default_rng(seed)
    low, high = _corners(terrain)
    points, heading = [rng.uniform(low, high)], rng.uniform(-np.pi, np.pi)
    while len(points) <= LEGS:
        turned = heading + rng.uniform(-BEND, BEND)
        place = points[-1] + rng.uniform(*LEG) * np.array([np.sin(turned), np.cos(turned)])
        if (place > low).all() and (place < high).all():
            points.append(place)
            heading = turned
        else:  # at the border one turns away as sharply as need be
            heading = rng.uniform(-np.pi, np.pi) if rng.random() < 0.3 else heading + 0.5
    line = np.array(points)
    for _ in range(CUTS):
        first, second = 0.75 * line[:-1] + 0.25 * line[1:], 0.25 * line[:-1] + 0.75 * line[1:]
        line = np.concatenate([line[:1], np.stack([first, second], axis=1).reshape(-1, 2), line[-1:]])
    levels = terrain.height(line[:, 0], line[:, 1])
    path = Path(np.stack([line[:, 0], levels, line[:, 1]], axis=-1))
    return Course(terrain, path, rng.uniform(-np.pi, np.pi), rng.uniform(-np.pi, np.pi))


def obstacle_course(seed: int, terrain: Terrain) -> Course:
    """Pillars and walls strewn over the ground, and a planned path between them."""
    rng = np.random.default_rng(seed)
    low, high = _corners(terrain)
    while True:
        things = tuple(_thing(rng, low, high, terrain) for _ in range(rng.integers(*THINGS)))
        world = WalkMap.of(terrain, things, area=(low - RADIUS, high + RADIUS))
        start, goal = rng.uniform(low, high), rng.uniform(low, high)
        if np.hypot(*(goal - start)) < FARTHEST:
            continue
        try:
            path = plan_path(world, start, goal, radius=RADIUS)
        except NoPathError:
            continue
        return Course(terrain, path, rng.uniform(-np.pi, np.pi), rng.uniform(-np.pi, np.pi), things)


def follow(course: Course, gaits: RingGraph) -> Followed:
    """Walks a course to its end, or until it has taken far too long."""
    path, (x, z) = course.path, course.path.points[0, [0, 2]]
    gait = GaitController(gaits, place=(x, z), heading=course.start)
    steering = PathController(gait, path, heading=course.goal)
    walker = Character(gaits.skeleton, [steering, gait], world=course.terrain)
    frames: list[Frame] = []
    while not steering.arrived and len(frames) < FPS * (path.length / SLOWEST + MORE):
        pose = walker.step(1.0 / FPS)
        frames.append((pose.root, pose.rotations, gait.contacts, gait.walker.ring.resting))
    root, rotations, touching, resting = (np.array(part) for part in zip(*frames, strict=True))
    motion = Motion(gaits.skeleton, root, rotations, FPS, contacts=Contacts(touching[:, :2], touching[:, 2:]))
    return Followed(
        motion,
        off_path(root, path),
        float(np.hypot(*(root[-1] - path.points[-1])[[0, 2]])),
        abs(float(wrap(root_headings(motion)[-1] - course.goal))),
        bool(resting[-1]) and not gait.walker.stepping,
        steering.arrived,
        int(np.count_nonzero(resting[1:] & ~resting[:-1])),
        tuple(gait.remarks),
    )


def off_path(places: Float[np.ndarray, "frames 3"], path: Path) -> float:
    """The Fréchet distance in plan: both are gone along, none goes back, and they are never farther apart.

    So a way that leaves a part of the path out is as far off as that part is. Told of points every few
    centimetres of both, which is never too little.
    """
    trail = places[np.append(np.arange(0, len(places) - 1, JUDGED), len(places) - 1)][:, [0, 2]]
    line = path.point(np.linspace(0.0, path.length, int(path.length / BESIDE) + 2))[:, [0, 2]]
    apart = np.hypot(*(trail[:, None] - line).transpose(2, 0, 1))
    reached = np.maximum.accumulate(apart[0]).tolist()
    for row in apart[1:].tolist():
        corner, reached[0] = reached[0], max(reached[0], row[0])
        for j in range(1, len(row)):
            before = min(corner, reached[j], reached[j - 1])
            corner, reached[j] = reached[j], max(row[j], before)
    return float(reached[-1])


def _thing(rng: np.random.Generator, low: Place, high: Place, terrain: Terrain) -> Obstacle:
    """A pillar or a wall."""
    x, z = rng.uniform(low, high)
    y = float(terrain.height(np.array(x), np.array(z)))
    if rng.random() < 0.5:
        return Obstacle.upright(Cylinder(rng.uniform(0.15, 0.6), 2.5), np.array([x, y + 1.0, z]), 0.0)
    wall = Box(np.array([rng.uniform(1.5, 4.0), 2.5, rng.uniform(0.1, 0.4)]))
    return Obstacle.upright(wall, np.array([x, y + 1.0, z]), rng.uniform(-np.pi, np.pi))


def _corners(terrain: Terrain) -> tuple[Place, Place]:
    low, high = terrain.bounds  # type: ignore[attr-defined]
    return low[[0, 2]] + EDGE, high[[0, 2]] - EDGE
