"""The foot plan of a scene: from where its character starts to every place that its tasks go to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.errors import RequestError
from footfall.geometry.ground import wrap
from footfall.models.stepspace.model import StepSpace
from footfall.planning.footsteps.in_front import stand_before
from footfall.planning.footsteps.planned_walk import NoStepsError, PlannedWalk
from footfall.planning.footsteps.planner import USUAL, USUAL_LIMITS, FootPlanner
from footfall.planning.footsteps.walker_body import BodySize
from footfall.planning.limits import WalkLimits
from footfall.world.plane import FlatTerrain
from footfall.world.scene import Scene, Task
from footfall.world.shapes.placed import Placed

GOING = ("go_to", "carry_to")  # verbs that lead somewhere
BESIDE = ("touch", "pick_up", "sit")  # and those that are done at a thing

Progress = Callable[[str, float], None]


@dataclass(frozen=True, eq=False)
class PlannedScene:
    """All walks of a scene, one after another, as one."""

    planner: FootPlanner
    walk: PlannedWalk
    goals: tuple[tuple[Float[np.ndarray, "3"], float], ...]  # where it stands after each, and how it faces
    legs: tuple[PlannedWalk, ...]


def plan_scene(
    scene: Scene,
    steps: StepSpace,
    *,
    body: BodySize = USUAL,
    limits: WalkLimits = USUAL_LIMITS,
    fps: float = 60.0,
    time: float = 0.0,
    progress: Progress | None = None,
) -> PlannedScene:
    """Footsteps to every place that the tasks of a scene lead to, with obstacles where they are at a time.

    A place is stood on; in front of a thing that is named one stands near it and faces it.
    """
    targets = [(k, task) for k, task in enumerate(scene.tasks) if _leads(task)]
    if not targets:
        raise RequestError('the scene has no task that leads anywhere, such as {"go_to": [x, z]}')
    around = [np.asarray(t.target, dtype=float) for _, t in targets if not isinstance(t.target, str)]
    terrain = FlatTerrain() if scene.terrain is None else scene.terrain
    planner = FootPlanner(
        steps,
        terrain,
        scene.placed(time),
        body=body,
        limits=limits,
        around=[scene.start.position, *around],
    )
    here: Float[np.ndarray, "3"] = np.asarray(scene.start.position, dtype=float)
    facing = float(scene.start.heading)
    legs: list[PlannedWalk] = []
    goals = []
    for done, (k, task) in enumerate(targets):
        if progress is not None:
            progress(f"tasks[{k}]", done / len(targets))
        try:
            goal, heading = _goal(planner, scene, task, here, time)
            legs.append(planner.plan(here, goal, facing=facing, heading=heading, fps=fps))
        except NoStepsError as error:
            raise NoStepsError(f"tasks[{k}].{task.verb}: {error}", error.nearest) from None
        here, facing = stood_after(planner, legs[-1])
        goals.append((here, facing))
    walk = legs[0] if len(legs) == 1 else planner.joined(legs, fps=fps)
    return PlannedScene(planner, walk, tuple(goals), tuple(legs))


def _leads(task: Task) -> bool:
    return task.verb in GOING or (task.verb in BESIDE and isinstance(task.target, str))


def _goal(
    planner: FootPlanner, scene: Scene, task: Task, here: Float[np.ndarray, "3"], time: float
) -> tuple[object, float | None]:
    heading = task.options.get("heading")
    asked = None if heading is None else float(heading)
    if not isinstance(task.target, str):
        return task.target, asked
    found = stand_before(planner, _thing(scene, task.target, time), here)
    if found is None:
        raise NoStepsError(f"there is no place to stand in front of {task.target!r}")
    return tuple(found[0]), found[1] if asked is None else asked


def _thing(scene: Scene, name: str, time: float) -> Placed:
    for obstacle in scene.obstacles:
        if obstacle.name == name:
            return obstacle.at(time)
    return scene.named(name).placed


def stood_after(planner: FootPlanner, walk: PlannedWalk) -> tuple[Float[np.ndarray, "3"], float]:
    """Where the trunk stands after a walk, exactly, and how it faces."""
    last = {p.foot: p for p in walk.plan.placements[-2:]}
    out = planner.walker.toe_out
    facing = float(last["left"].heading - out)  # type: ignore[operator]
    middle = 0.5 * (last["left"].position + last["right"].position)
    ahead = np.array([np.sin(facing), 0.0, np.cos(facing)])
    return middle + planner.walker.ahead * ahead, float(wrap(facing))
