"""`footfall plan`: footsteps through a scene."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
from cyclopts import Parameter

from footfall.cli.checked import between, check_target
from footfall.cli.opened_model import opened_model
from footfall.cli.output import emit, remark
from footfall.cli.progress import progress_bar
from footfall.cli.step import built_in_steps
from footfall.errors import RequestError
from footfall.formats.save import ENDINGS, save_motion, written_whole
from footfall.formats.scene_file import load_scene
from footfall.world.foot_plan import FootPlan

if TYPE_CHECKING:
    from footfall.planning.footsteps.scene_plan import PlannedScene
    from footfall.planning.footsteps.walker_body import BodySize
    from footfall.planning.path import Path as Way
    from footfall.planning.walk_map import WalkMap
    from footfall.world.scene import Scene

PICTURES = (".png", ".svg", ".pdf", ".jpg")
SIZES = (0.1, 2.0)  # m, of a body


def plan(
    scene: Annotated[Path, Parameter(help="The scene (.json): ground, obstacles, start, where to go.")],
    /,
    *,
    output: Annotated[Path, Parameter(name=["-o", "--output"], help="The foot plan to write (.json).")],
    model: Annotated[
        Path, Parameter(help="The step space whose steps are planned (.ffmodel); or the virtual actor's.")
    ] = Path("default"),
    motion: Annotated[
        Path | None, Parameter(help="Also write the walk itself: .bvh, .glb, .amass.npz or .ffm.")
    ] = None,
    picture: Annotated[
        Path | None, Parameter(help="Also draw map, path and footprints from above (.png, .svg, .pdf).")
    ] = None,
    width: Annotated[float | None, Parameter(help="Metres across the shoulders; 0.50 by default.")] = None,
    depth: Annotated[float | None, Parameter(help="Metres through the chest; 0.28 by default.")] = None,
    json: Annotated[bool, Parameter(negative="", help="One JSON object.")] = False,
) -> int:
    """Plans footsteps to every place that the scene's tasks lead to, and walks them to see that they hold.

    Example: footfall plan room.json -o steps.json --motion walk.glb --picture map.png

    where room.json says, in metres:

    {"version": 1,
    "obstacles": [{"shape": "box", "size": [1.2, 0.8, 0.7], "position": [0, 0.4, 3], "name": "table"}],
    "start": {"position": [0, 0, 0], "heading_deg": 0},
    "tasks": [{"go_to": [2, 1], "heading_deg": 90}, {"go_to": "table"}]}

    Feet lie on no edge, and the body (a stadium as wide as the shoulders and as deep as the chest) touches
    nothing: it turns sideways where it must. Where there is no way, that is said, with the nearest place that
    can be reached. A plan is walked by: footfall step default steps.json -o walk.glb
    """
    from footfall.models.stepspace.model import StepSpace
    from footfall.planning.footsteps.scene_plan import plan_scene
    from footfall.planning.footsteps.walker_body import BodySize

    check_target(output, (".json",))
    check_target(motion, ENDINGS)
    check_target(picture, PICTURES)
    usual = BodySize()
    body = BodySize(
        between("--width", width, *SIZES, "m") or usual.width,
        between("--depth", depth, *SIZES, "m") or usual.depth,
    )
    wanted = load_scene(scene)
    steps = opened_model(model, StepSpace, built_in_steps)
    try:
        with progress_bar("planning footsteps") as progress:
            found = plan_scene(wanted, steps, body=body, progress=progress)
    except RequestError as error:
        raise RequestError(f"{scene}: {error}") from None
    with ExitStack() as files:
        files.enter_context(written_whole(output)).write(found.walk.plan.encode())
        if motion is not None:
            save_motion(found.walk.motion, motion)
    if picture is not None:
        _draw(wanted, found, picture, body)
    made = found.walk.motion.certificate()
    for sentence in made.clamped:
        remark(f"{output}: {sentence}")
    values: dict[str, object] = made.as_dict() | {
        "file": str(output),
        "motion": None if motion is None else str(motion),
        "picture": None if picture is None else str(picture),
        "seconds": found.walk.motion.seconds,
        "room_m": found.walk.room.least,
        "goals": [
            {"position": place.tolist(), "heading_deg": float(np.degrees(heading))}
            for place, heading in found.goals
        ],
        "steps": steps_of(found.walk.plan),
    }
    emit(values, json=json, text=lambda: [*_lines(found, output), *str(made).splitlines()])
    return 0


def steps_of(plan: FootPlan) -> list[dict[str, object]]:
    """As a plan's file says them."""
    from json import loads

    steps: list[dict[str, object]] = loads(plan.encode())["steps"]
    return steps


def _lines(found: PlannedScene, output: Path) -> Iterator[str]:
    walk = found.walk
    room = f"{100.0 * walk.room.least:.0f} cm" if walk.room.least < 0.5 else "over 50 cm"
    yield f"{output}: {len(walk.plan) - 2} steps, {walk.motion.seconds:.1f} s; the body has {room} of room"
    for place, heading in found.goals:
        x, y, z = place
        yield f"stands at ({x:.2f}, {y:.2f}, {z:.2f}), facing {np.degrees(heading):.0f} degrees"


def _draw(scene: Scene, found: PlannedScene, picture: Path, body: BodySize) -> None:
    """From above. On ground that is not level its levels are drawn, else the clearances of a map."""
    from footfall.picture.plan_map import save_plan_map
    from footfall.planning.walk_map import WalkMap

    room, last = found.walk.room, found.goals[-1]
    world = WalkMap.of_scene(scene, around=[place for place, _ in found.goals])
    save_plan_map(
        picture,
        world if scene.terrain is None else None,
        scene.placed(),
        terrain=scene.terrain,
        path=_path(world, scene, found, body),
        plan=found.walk.plan,
        trunk=(room.places, room.facings),
        start=scene.start.position,
        goal=last[0],
        skeleton=found.walk.motion.skeleton,
    )


def _path(world: WalkMap, scene: Scene, found: PlannedScene, body: BodySize) -> Way | None:
    """The path of a body as thin as a chest is deep, where the steps lead to one place and there is one."""
    from footfall.planning.route import NoPathError, plan_path

    if len(found.goals) > 1:
        return None
    try:
        return plan_path(world, scene.start.position, found.goals[0][0], radius=0.5 * body.depth)
    except NoPathError:
        return None
