"""A scene acted out: its tasks one after another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from footfall.acting.going import go_to
from footfall.acting.handling import pick_up, put_down
from footfall.acting.report import ActedScene, TaskError, TaskReport
from footfall.acting.sitting import sit
from footfall.acting.stage import Stage
from footfall.acting.touching import touch
from footfall.analysis.reference import Reference
from footfall.errors import RequestError
from footfall.models.reach.model import ReachLibrary
from footfall.models.stepspace.model import StepSpace
from footfall.planning.footsteps.planned_walk import NoStepsError
from footfall.world.scene import Scene, Task
from footfall.world.shapes.placed import Placed

Progress = Callable[[str, float], None]

FPS = 60.0
LOOKS = 1.5  # s that a look lasts, where nothing is said
ENDS = 0.5  # s after the last task
EXACT = 1e-3  # m: a hand or a thing that is farther off has missed
THERE = 0.05  # m: feet that are farther off are not there


def act(
    scene: Scene,
    steps: StepSpace | None = None,
    reach: ReachLibrary | None = None,
    *,
    fps: float = FPS,
    seed: int = 0,
    progress: Progress | None = None,
) -> ActedScene:
    """Does what a scene's tasks say, one after another, and keeps every frame.

    A task that cannot be done is told in a sentence, and the next one is begun. Without models the virtual
    actor's are taken.
    """
    if not scene.tasks:
        raise RequestError('the scene has no tasks; one is {"go_to": [x, z]}')
    if steps is None:
        from footfall.models.stepspace.default import default_step_space

        steps = default_step_space()
    if reach is None:
        from footfall.models.reach.default import default_reach

        reach = default_reach()
    stage = Stage(scene, steps, reach, fps=fps, seed=seed)
    reports = []
    for k, task in enumerate(scene.tasks):
        if progress is not None:
            progress(f"tasks[{k}].{task.verb}", k / len(scene.tasks))
        reports.append(_done(stage, task))
    stage.run(ENDS)
    return _acted(stage, tuple(reports))


def _done(stage: Stage, task: Task) -> TaskReport:
    began = stage.time
    says, error, done = "", None, True
    try:
        error, says = _do(stage, task)
        done = not says
    except (TaskError, NoStepsError) as why:
        says, done = str(why), False
    return TaskReport(task.verb, done, stage.time - began, error, says)


def _do(stage: Stage, task: Task) -> tuple[float | None, str]:
    """What was missed, m, and what there is to say: nothing where all went well."""
    options = task.options
    heading = options.get("heading")
    facing = None if heading is None else float(heading)
    hand = options.get("hand")
    if task.verb in ("go_to", "carry_to"):
        if task.verb == "carry_to" and not stage.grab.held:
            raise TaskError("no hand holds anything to carry")
        return _told(go_to(stage, _target(stage, task), facing), THERE, "it stands")
    if task.verb == "wait":
        stage.run(float(task.target))  # type: ignore[arg-type]
        return None, ""
    if task.verb == "look_at":
        return None, _look(stage, task)
    if task.verb == "touch":
        return touch(stage, _target(stage, task), hand)
    if task.verb == "pick_up":
        return _told(pick_up(stage, str(task.target), hand), EXACT, "the hand is")
    if task.verb == "put_down":
        return _told(put_down(stage, task.target, hand), EXACT, "it was left")  # type: ignore[arg-type]
    error = sit(stage, _target(stage, task), facing)
    stage.run(float(options.get("seconds", 0.0)))
    return _told(error, THERE, "it sits")


def _told(error: float, bar: float, what: str) -> tuple[float, str]:
    return error, "" if error <= bar else f"{what} {error:.3f} m from where it should"


def _look(stage: Stage, task: Task) -> str:
    """Turns eyes, head and trunk to something for a while."""
    target = _target(stage, task)
    point = target.position if isinstance(target, Placed) else target
    stage.gaze.command(look_at=tuple(np.asarray(point, dtype=float)))
    seconds = float(task.options.get("seconds", LOOKS))
    stage.run(seconds)
    says = stage.gaze.status.says
    stage.gaze.command(look_at=None)
    return "" if says != "as far as it goes" else "it turned as far as it could, and does not see it"


def _target(stage: Stage, task: Task) -> object:
    """A place, or the thing of that name where it is now."""
    if not isinstance(task.target, str):
        return task.target
    if task.target in stage.things.by_name:
        return stage.things[task.target].placed
    return next(one.at(stage.time) for one in stage.scene.obstacles if one.name == task.target)


def _acted(stage: Stage, reports: tuple[TaskReport, ...]) -> ActedScene:
    motion = stage.recording.motion()
    made = ActedScene(
        motion.skeleton,
        motion.root,
        motion.rotations,
        motion.fps,
        contacts=motion.contacts,
        ground=stage.terrain,
        clamped=tuple(f"{r.task}: {r.says}" for r in reports if r.says),
        reference=_reference(stage),
        tasks=reports,
        objects=stage.recording.tracks(),
    )
    return replace(made, made=(made.root, made.rotations))


def _reference(stage: Stage) -> Reference:
    """How hard people accelerate who walk and who reach."""
    walks = stage.steps.reference
    reaches = Reference.of([m for one in stage.library.sets for m in one.motions])
    peaks = {role: max(walks.peaks.get(role, 0.0), reaches.peaks.get(role, 0.0)) for role in walks.peaks}
    return replace(walks, peaks=peaks)
