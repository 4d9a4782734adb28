"""`footfall step`: a foot plan followed, every footprint met exactly."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from footfall.cli.checked import LONGEST, between, check_target, save_both
from footfall.cli.opened_model import opened_model
from footfall.cli.output import emit, remark, remark_notes
from footfall.cli.progress import progress_bar
from footfall.cli.reading import ACTOR, Reading
from footfall.errors import LoadError, RequestError
from footfall.formats.load import Source, read_bytes, recognise
from footfall.formats.save import ENDINGS
from footfall.formats.terrain_source import open_terrain
from footfall.world.foot_plan import FootPlan

if TYPE_CHECKING:
    from footfall.models.stepspace.model import FollowedPlan, StepSpace

FARTHEST = 3.0  # m: no leg goes farther


def step(
    model: Annotated[
        Path, Parameter(help="A step space (.ffmodel); or default, built from the virtual actor.")
    ],
    plan: Annotated[
        Path,
        Parameter(help="The footprints (.json); or a motion of any format, whose footprints are followed."),
    ],
    /,
    *,
    output: Annotated[
        Path, Parameter(name=["-o", "--output"], help="The file to write: .bvh, .glb, .amass.npz or .ffm.")
    ],
    fps: Annotated[float | None, Parameter(help="Frame rate of the result; 60 by default.")] = None,
    moving: Annotated[
        bool, Parameter(negative="", help="Begins and ends in the middle of walking: else in a stand.")
    ] = False,
    selector: Annotated[
        str | None, Parameter(help="How captured steps are chosen; paper is the paper's own way.")
    ] = None,
    stretch: Annotated[
        float | None,
        Parameter(
            help="Metres by which nearest steps are stretched to a print outside what was captured, 0.25 by "
            "default; farther out the one nearest step is bent to it."
        ),
    ] = None,
    terrain: Annotated[
        str | None,
        Parameter(
            help="The ground: a mesh file, flat[:LEVEL], or bumps:7 and the like; else prints lie level."
        ),
    ] = None,
    skeleton: Annotated[
        Path | None, Parameter(help="Skeleton file of an .amc or .skm motion; else the only one beside it.")
    ] = None,
    footprints: Annotated[
        Path | None,
        Parameter(name="--plan", help="Also write the plan that was followed (.json): a motion's, to edit."),
    ] = None,
    json: Annotated[bool, Parameter(negative="", help="One JSON object.")] = False,
) -> int:
    """Steps on every footprint of a plan: captured steps blended, feet placed exactly.

    Example: footfall step default plan.json -o stones.glb

    where plan.json says, in metres:

    {"version": 1, "steps": [
    {"foot": "left", "position": [0.1, 0, 0]},
    {"foot": "right", "position": [-0.1, 0, 0]},
    {"foot": "left", "position": [0.12, 0, 0.5], "heading_deg": 10},
    {"foot": "right", "position": [-0.05, 0, 1.0], "swing": 0.45, "stance": 0.7}]}

    The first two are where the feet start. A position is where the point under the ankle (the subtalar)
    rests, which may be higher or lower than others; heading, swing and stance (s) may be left out. Errors
    and --json count footprints from 0: the first step goes to steps[2].
    """
    from footfall.models.stepspace.model import FPS, SELECTOR, STRETCH, StepSpace
    from footfall.models.stepspace.wishes import RATES

    check_target(output, ENDINGS)
    check_target(footprints, (".json",))
    rate = between("--fps", fps, *RATES, "Hz")
    metres = between("--stretch", stretch, 0.0, FARTHEST, "m")
    _check_selector(selector)
    ground = None if terrain is None else open_terrain(terrain)
    wanted = _plan(plan, skeleton)
    space = opened_model(model, StepSpace, built_in_steps)
    try:
        followed = space.follow(
            wanted,
            fps=rate or FPS,
            from_stand=not moving,
            to_stand=not moving,
            selector=selector or SELECTOR,
            terrain=ground,
            stretch=STRETCH if metres is None else metres,
        )
    except RequestError as error:
        raise RequestError(f"{plan}: {error}") from None
    found = followed.certificate()
    save_both(followed, output, wanted, footprints)
    for sentence in found.clamped:
        remark(f"{output}: {sentence}")
    outside = _outside(followed)
    bones = followed.skeleton
    values: dict[str, object] = found.as_dict() | {
        "file": str(output),
        "plan": None if footprints is None else str(footprints),
        "steps": len(followed.selections),
        "outside": outside,
        "foot_points": {side: bones.foot_points(side).as_lists() for side in bones.sides},
    }
    emit(values, json=json, text=lambda: [*_lines(followed, output, outside), *str(found).splitlines()])
    return 0


def _check_selector(name: str | None) -> None:
    """Before a model is built for it."""
    from footfall.models.stepspace.selectors import SELECTORS

    if name is not None and name not in SELECTORS:
        raise RequestError(f"--selector must be one of {', '.join(SELECTORS)}, not {name[:LONGEST]!r}")


def _plan(path: Path, skeleton: Path | None) -> FootPlan:
    """A plan's file, or the footprints of a motion."""
    if not _is_motion(path):
        if skeleton is not None:
            raise RequestError(f"--skeleton is for a motion: {path} is a foot plan")
        return FootPlan.load(path)
    from footfall.analysis.extract_plan import extract_plan

    capture = Reading(skeleton=skeleton).load(path)
    remark_notes(capture.file, capture.notes)
    try:
        plan = extract_plan(capture.motion)
    except RequestError as error:
        raise RequestError(f"{path}: {error}") from None
    remark(f"{path}: a motion; its {len(plan)} footprints are the plan")
    return plan


def _is_motion(path: Path) -> bool:
    """By content. What is no file is read only once, as a plan: a pipe gives its bytes only once."""
    try:
        there = path.is_file()
    except OSError:  # a name that no system has
        there = False
    if not there:
        return str(path).startswith(ACTOR)
    try:
        recognise(Source(path, read_bytes(path)))
    except LoadError:
        return False
    return True


def built_in_steps() -> StepSpace:
    """The step space of the virtual actor, which is built where it never was."""
    from footfall.models.stepspace.default import default_step_space

    with progress_bar("building the default step space, once") as progress:
        return default_step_space(progress=progress)


def _outside(followed: FollowedPlan) -> list[int]:
    """Footprints whose steps lie outside what was captured, as numbers in the plan."""
    return [k + 2 for k, selection in enumerate(followed.selections) if not selection.inside]


def _lines(followed: FollowedPlan, output: Path, outside: list[int]) -> Iterator[str]:
    frames = f"{len(followed)} frames at {followed.fps:g} Hz, {followed.seconds:.1f} s"
    yield f"{output}: {len(followed.selections)} steps, {frames}"
    if outside:
        named = ", ".join(f"steps[{k}]" for k in outside)
        yield f"outside what was captured: {named}"
