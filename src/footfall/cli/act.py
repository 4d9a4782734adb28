"""`footfall act`: a scene acted out, task by task."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from footfall.cli.checked import check_target
from footfall.cli.opened_model import opened_model
from footfall.cli.output import emit, remark
from footfall.cli.progress import progress_bar
from footfall.cli.step import built_in_steps
from footfall.errors import RequestError
from footfall.formats.save import ENDINGS, save_motion
from footfall.formats.scene_file import load_scene

if TYPE_CHECKING:
    from footfall.acting.report import ActedScene
    from footfall.models.reach.model import ReachLibrary

PICTURES = (".png", ".svg", ".pdf", ".jpg", ".gif")


def act(
    scene: Annotated[Path, Parameter(help="The scene (.json): ground, obstacles, objects, start, tasks.")],
    /,
    *,
    output: Annotated[
        Path, Parameter(name=["-o", "--output"], help="The motion to write: .bvh, .glb, .amass.npz or .ffm.")
    ],
    steps: Annotated[
        Path, Parameter(help="The step space that walks (.ffmodel); or the virtual actor's.")
    ] = Path("default"),
    reach: Annotated[
        Path, Parameter(help="The reach library that hands follow (.ffmodel); or the virtual actor's.")
    ] = Path("default"),
    picture: Annotated[
        Path | None, Parameter(help="Also draw it: the figure over time (.png) or moving (.gif).")
    ] = None,
    seed: Annotated[int, Parameter(help="Of glances aside: the same one gives the same motion.")] = 0,
    json: Annotated[bool, Parameter(negative="", help="One JSON object.")] = False,
) -> int:
    """Acts a scene: the figure goes, looks, touches, picks up, carries, puts down, sits and waits.

    Example: footfall act room.json -o fetch.glb --picture fetch.gif

    where room.json says, in metres:

    {"version": 1,
    "obstacles": [{"shape": "box", "size": [1.2, 0.75, 0.6], "position": [0, 0.375, 2.5], "name": "table"}],
    "objects": [{"name": "ball", "shape": "sphere", "radius": 0.04, "position": [-0.2, 0.79, 2.35]}],
    "start": {"position": [0, 0, 0], "heading_deg": 0},
    "tasks": [{"look_at": "ball"}, {"pick_up": "ball", "hand": "right"}, {"carry_to": [2, 1]},
    {"put_down": [0.3, 0.79, 2.4]}]}

    Feet stand exactly, hands take things exactly, and the body keeps clear of what stands about. A task that
    cannot be done is told in a sentence, and the next one is begun; then the exit status is 1.
    """
    from footfall.acting.act import act as acted
    from footfall.models.reach.model import ReachLibrary
    from footfall.models.stepspace.model import StepSpace

    check_target(output, ENDINGS)
    check_target(picture, PICTURES)
    if seed < 0:
        raise RequestError(f"--seed must be 0 or more, not {seed}")
    wanted = load_scene(scene)
    if not wanted.tasks:
        raise RequestError(f'{scene}: tasks: there are none; one is {{"go_to": [x, z]}}')
    walks = opened_model(steps, StepSpace, built_in_steps)
    reaches = opened_model(reach, ReachLibrary, built_in_reach)
    try:
        with progress_bar("acting") as progress:
            made = acted(wanted, walks, reaches, seed=seed, progress=progress)
    except RequestError as error:
        raise RequestError(f"{scene}: {error}") from None
    save_motion(made, output)
    if picture is not None:
        from footfall.picture.acted import save_acted

        save_acted(wanted, made, picture)
    certificate = made.certificate()
    for k, task in enumerate(made.tasks):
        if task.says:
            remark(f"{scene}: tasks[{k}].{task.task}: {task.says}")
    values: dict[str, object] = certificate.as_dict() | {
        "file": str(output),
        "picture": None if picture is None else str(picture),
        "seconds": made.seconds,
        "tasks": [task.row() for task in made.tasks],
        "objects": {track.name: track.positions[-1].tolist() for track in made.objects},
        "foot_points": {side: made.skeleton.foot_points(side).as_lists() for side in made.skeleton.sides},
    }
    emit(values, json=json, text=lambda: [*_lines(made, output), *str(certificate).splitlines()])
    return 0 if made.done else 1


def _lines(made: ActedScene, output: Path) -> Iterator[str]:
    yield f"{output}: {made.seconds:.1f} s"
    for task in made.tasks:
        missed = "" if task.error is None else f", {1000.0 * task.error:.2f} mm off"
        yield f"  {task.task}: {'done' if task.done else 'not done'} in {task.seconds:.1f} s{missed}"


def built_in_reach() -> ReachLibrary:
    """The reaches of the virtual actor, which are built where they never were."""
    from footfall.models.reach.default import default_reach

    with progress_bar("building the default reach library, once") as progress:
        return default_reach(progress)
