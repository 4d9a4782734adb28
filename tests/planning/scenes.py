"""Seeded scenes of tasks in the seeded rooms, with every position moved a little where that is asked for.

Half of the rooms stand as they come, turned anyhow. The others stand along the axes and have round numbers,
as people write them: there many choices tie. A scene leads to and fro, so that its plan has several legs.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from footfall.models.stepspace.model import StepSpace
from footfall.planning.footsteps.planned_walk import NoStepsError
from footfall.planning.footsteps.scene_plan import plan_scene
from footfall.world.obstacle import Obstacle
from footfall.world.scene import Scene, Start, Task
from footfall.world.shapes.cylinder import Cylinder
from tests.planning.rooms import CHAMBER, Room, room_of
from tests.planning.worlds import blocks_terrain

ROUND = 0.05  # m
ROUNDING, SAME = 1e-12, 1e-6  # m by which positions are moved; by which footholds may differ
POST = Cylinder(0.08, 1.0)


@dataclass
class Moved:
    """Moves each position that it is given by another vector, at most so far along each axis."""

    far: float = 0.0
    seed: int = 0
    rng: np.random.Generator = field(init=False)

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(self.seed)

    def __call__(self, position: object) -> np.ndarray:
        position = np.array(position, dtype=float)
        return position + self.far * self.rng.uniform(-1.0, 1.0, position.shape)


@dataclass(frozen=True, eq=False)
class Outcome:
    """What came of one scene: the reason why it was refused, or feet and footholds."""

    refused: str = ""
    feet: str = ""
    places: np.ndarray = field(default_factory=lambda: np.zeros((0, 4)))
    room: float = np.inf

    def difference(self, other: Outcome) -> str:
        """What is not the same, in words; nothing where all is."""
        if bool(self.refused) != bool(other.refused):
            return f"refused or not: {self.refused or other.refused}"
        if self.feet != other.feet:
            return f"{len(self.feet)} and {len(other.feet)} footholds, or other feet"
        away = float(np.abs(self.places - other.places).max(initial=0.0))
        return f"footholds {away:.1e} apart" if away > SAME else ""


def scene_of(seed: int, far: float = 0.0, jitter: int = 0) -> Scene:
    """To the goal of a room, to a post beside it where there is one, and back to the start."""
    room = room_of(seed)
    if seed % 8 >= 4:
        _make_round(room)
    return _scene(room, Moved(far, jitter), seed % 3 == 1)


def passage_scene(seed: int, wide: float, far: float = 0.0, jitter: int = 0) -> Scene:
    """Through a passage between two chambers, as long as a doorway or as a corridor, and back."""
    rng = np.random.default_rng(seed)
    half, long = 0.5 * CHAMBER, float(rng.uniform(0.1, 1.5))
    room = Room(seed, "passages", turned=float(rng.uniform(-np.pi, np.pi)), narrowest=wide)
    aside = float(rng.uniform(-0.4, 0.4))
    room.rectangles = [
        (-half, -half, half, half),
        (aside - 0.5 * wide, half, aside + 0.5 * wide, half + long),
        (-half, half + long, half, half + long + CHAMBER),
    ]
    room.start = (float(rng.uniform(-0.3, 0.3)), float(rng.uniform(-0.3, 0.3)))
    room.facing = float(rng.uniform(-np.pi, np.pi))
    room.goal = (float(rng.uniform(-0.3, 0.3)), 0.0, half + long + half + float(rng.uniform(-0.3, 0.3)))
    room.heading = float(rng.uniform(-np.pi, np.pi))
    return _scene(room, Moved(far, jitter), post=False)


def outcome(scene: Scene, steps: StepSpace) -> Outcome:
    try:
        walk = plan_scene(scene, steps).walk
    except NoStepsError as error:
        return Outcome(str(error))
    prints = walk.plan.placements
    places = np.array([[*one.position, one.heading] for one in prints])
    return Outcome("", "".join(one.foot[0] for one in prints), places, walk.room.least)


def _scene(room: Room, moved: Moved, post: bool) -> Scene:
    start, goal = room.request["start"], room.request["goal"]
    obstacles = [Obstacle(one.shape, moved(one.position), one.orientation) for one in room.walls]
    heading = {} if room.heading is None else {"heading": room.heading + room.turned}
    tasks = [Task("go_to", tuple(moved(goal)), heading)]
    if post:
        aside = room.world((room.goal[0] + 0.45, room.goal[1] + 0.5, room.goal[2] + 0.45))
        obstacles.append(Obstacle(POST, moved(aside), name="post"))
        tasks.append(Task("go_to", "post"))
    tasks.append(Task("go_to", tuple(moved(start))))
    blocks = [(size, tuple(moved(at))) for size, at in room.blocks]
    return Scene(
        terrain=blocks_terrain(blocks, room.turned) if blocks else None,
        obstacles=tuple(obstacles),
        start=Start(tuple(moved(start)), room.facing + room.turned),
        tasks=tuple(tasks),
    )


def _make_round(room: Room) -> None:
    """Along the axes, all numbers multiples of 5 cm, headings of an eighth of a turn."""
    quarter = 0.25 * np.pi
    room.turned = 0.0
    room.facing = quarter * round(room.facing / quarter)
    room.heading = None if room.heading is None else quarter * round(room.heading / quarter)
    if not room.blocks:  # stairs and stones keep their measures
        room.rectangles = [tuple(_round(side) for side in one) for one in room.rectangles]  # type: ignore[misc]
        room.goal = (_round(room.goal[0]), room.goal[1], _round(room.goal[2]))
    room.start = (_round(room.start[0]), _round(room.start[1]))


def _round(x: float) -> float:
    return ROUND * round(x / ROUND)
