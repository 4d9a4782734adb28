"""Seeded rooms in which something is fetched: round obstacles to it, taken, carried, and put down elsewhere.

Judged on the finished motion: hands on their places, the thing where it should be, and every capsule of the
body clear of every obstacle in every frame.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from time import perf_counter

import numpy as np
from movements import Row

from footfall.acting.act import act
from footfall.acting.report import ActedScene
from footfall.figure.capsules import body_capsules
from footfall.models.reach.default import default_reach
from footfall.models.stepspace.default import default_step_space
from footfall.world.body_room import body_room
from footfall.world.obstacle import Obstacle
from footfall.world.scene import Scene, SceneObject, Start, Task
from footfall.world.shapes.box import Box
from footfall.world.shapes.capsule import Capsule
from footfall.world.shapes.cylinder import Cylinder
from footfall.world.shapes.distance import distance
from footfall.world.shapes.placed import Placed
from footfall.world.shapes.shape import Shape
from footfall.world.shapes.sphere import Sphere

ROOMS = 100
WIDE = 3.0  # m from the middle of a room to its ends
APART = 1.1  # m between the things that stand about, so that one can go between them
TOPS = (0.35, 0.55, 0.75, 0.9, 1.05)  # m: heights of what things lie on
TRIES = 400


@dataclass(frozen=True)
class RoomFigures:
    """One room: what became of it."""

    seed: int
    done: bool
    says: str
    hand: float  # m that a hand missed its place by
    left: float  # m that the thing was left from its place
    room: float  # m from the body to the nearest obstacle
    ratio: float
    seconds: float  # of the motion
    took: float  # s to make it


def room(seed: int) -> Scene:
    """A start, two stands for things with a thing on one of them, and obstacles between."""
    rng = np.random.default_rng(seed)
    obstacles: list[Obstacle] = []

    def free(shape: Shape, height: float, apart: float) -> Placed | None:
        for _ in range(TRIES):
            x, z = rng.uniform(-WIDE, WIDE, 2)
            there = Placed.upright(shape, np.array([x, height, z]), rng.uniform(-np.pi, np.pi))
            if all(distance(there, one.at(0.0)) > apart for one in obstacles):
                return there
        return None

    def stand() -> float:
        top = float(rng.choice(TOPS))
        size = (rng.uniform(0.5, 1.2), top, rng.uniform(0.35, 0.6))
        there = free(Box(size), 0.5 * top, APART)
        assert there is not None
        obstacles.append(Obstacle(there.shape, there.position, there.orientation))
        return top

    tops = [stand(), stand()]
    for _ in range(int(rng.integers(3, 7))):
        high = float(rng.uniform(0.4, 2.0))
        shape: Shape = (
            Box((rng.uniform(0.2, 1.5), high, rng.uniform(0.2, 0.6)))
            if rng.random() < 0.6
            else Cylinder(float(rng.uniform(0.1, 0.4)), high)
        )
        there = free(shape, 0.5 * high, APART)
        if there is not None:
            obstacles.append(Obstacle(there.shape, there.position, there.orientation))
    begin = free(Cylinder(0.35, 1.0), 0.5, 0.1)
    assert begin is not None
    thing, up = _thing(rng)
    places = [_on(obstacles[k].at(0.0), tops[k], up, rng) for k in range(2)]
    return Scene(
        obstacles=tuple(obstacles),
        objects=(SceneObject("thing", thing, places[0], rng.uniform(-np.pi, np.pi)),),
        start=Start(begin.position * [1.0, 0.0, 1.0], rng.uniform(-np.pi, np.pi)),
        tasks=(
            Task("look_at", "thing", {"seconds": 0.5}),
            Task("pick_up", "thing"),
            Task("put_down", tuple(places[1])),
        ),
    )


def _thing(rng: np.random.Generator) -> tuple[Shape, float]:
    """Something to hold, and how high its middle is when it lies."""
    kind = rng.integers(3)
    if kind == 0:
        radius = float(rng.uniform(0.025, 0.05))
        return Sphere(radius), radius
    if kind == 1:
        size = rng.uniform([0.04, 0.05, 0.04], [0.07, 0.16, 0.09])
        return Box(tuple(size)), 0.5 * float(size[1])
    radius, length = float(rng.uniform(0.018, 0.035)), float(rng.uniform(0.1, 0.2))
    return Capsule(radius, length), 0.5 * length + radius


def _on(table: Placed, top: float, up: float, rng: np.random.Generator) -> np.ndarray:
    """A place on a table within a hand's breadth of one of its long edges."""
    half = 0.5 * np.asarray(table.shape.size)  # type: ignore[attr-defined]
    along = rng.uniform(-0.7, 0.7) * half[0]
    across = np.sign(rng.uniform(-1.0, 1.0)) * (half[2] - rng.uniform(0.08, min(0.2, half[2])))
    place = table.to_world(np.array([along, 0.0, across]))
    return np.array([place[0], top + up, place[2]])


@cache
def models():  # type: ignore[no-untyped-def]
    return default_step_space(), default_reach()


def judged(seed: int) -> RoomFigures:
    scene = room(seed)
    begun = perf_counter()
    made = act(scene, *models())
    took = perf_counter() - begun
    says = "; ".join(f"{task.task}: {task.says}" for task in made.tasks if task.says)
    errors = {task.task: task.error for task in made.tasks}
    return RoomFigures(
        seed,
        made.done,
        says,
        errors.get("pick_up") or 0.0,
        errors.get("put_down") or 0.0,
        clearance(made, [one.at(0.0) for one in scene.obstacles]),
        made.certificate().acceleration_ratio or 0.0,
        made.seconds,
        took,
    )


def clearance(made: ActedScene, obstacles: Sequence[Placed]) -> float:
    """The least room of any capsule of the body in any frame, m."""
    capsules = body_capsules(made.skeleton)
    return float(body_room(capsules, made.positions, made.orientations, obstacles).min())


def room_rows(found: Sequence[RoomFigures]) -> Iterator[Row]:
    done = [one for one in found if one.done]
    yield Row(f"rooms done of {len(found)}", len(done), "", least=0.98 * len(found))
    yield Row("  a hand from its place, worst", 1e3 * max(one.hand for one in done), "mm", most=1.0)
    yield Row("  a thing from its place, worst", 1e3 * max(one.left for one in done), "mm", most=1.0)
    yield Row("  a body from an obstacle, least", 1e3 * min(one.room for one in done), "mm", least=0.0)
    yield Row("  acceleration ratio, worst", max(one.ratio for one in done), "", most=None)
    yield Row("  seconds of motion, mean", float(np.mean([one.seconds for one in done])), "s")
    yield Row("  seconds to make it, mean", float(np.mean([one.took for one in done])), "s")
