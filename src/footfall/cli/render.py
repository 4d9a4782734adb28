"""`footfall render`: a picture of a motion."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from footfall.cli.checked import check_target
from footfall.cli.output import emit, remark_notes
from footfall.cli.reading import DEFAULT, Reading
from footfall.errors import RequestError
from footfall.figure.motion import Motion
from footfall.formats.scene_file import load_scene
from footfall.formats.terrain_source import open_terrain
from footfall.world.foot_plan import FootPlan
from footfall.world.obstacle import Obstacle
from footfall.world.plane import FlatTerrain
from footfall.world.shapes.placed import Placed
from footfall.world.terrain import Ground

PICTURES = (".png", ".svg", ".pdf", ".jpg")


def render(
    motion: Annotated[
        Path, Parameter(help="The motion file to show; or actor:walk, performed without a file.")
    ],
    /,
    *,
    output: Annotated[
        Path, Parameter(name=["-o", "--output"], help="A strip (.png, .svg, .pdf) or a clip (.gif).")
    ],
    view: Annotated[
        str, Parameter(help="three-quarter, side, front, back, top, map; several with commas; or all.")
    ] = "all",
    plan: Annotated[
        Path | None, Parameter(help="A foot plan, whose footprints are drawn as outlines of their own.")
    ] = None,
    terrain: Annotated[
        str | None, Parameter(help="The ground: a mesh file, flat[:LEVEL], or bumps:7 and the like.")
    ] = None,
    scene: Annotated[
        Path | None, Parameter(help="A scene (.json): its ground, and the obstacles and objects in it.")
    ] = None,
    figures: Annotated[int, Parameter(help="How many times the figure is shown in a strip.")] = 9,
    start: Annotated[float | None, Parameter(help="First second to show.")] = None,
    end: Annotated[float | None, Parameter(help="Last second to show.")] = None,
    json: Annotated[bool, Parameter(negative="", help="One JSON object.")] = False,
    reading: Reading = DEFAULT,
) -> int:
    """Draws the figure along its path with its footprints, a map and its contacts, or a GIF.

    Needs the extra 'plot'. Soles are measured from the clip unless the file brings its own.

    Example: footfall render walk.bvh -o walk.png
    """
    from footfall.picture.clip import save_clip
    from footfall.picture.strip import ALL_VIEWS, save_strip

    check_target(output, (".gif", *PICTURES))
    if terrain is not None and scene is not None:
        raise RequestError("--terrain and --scene both tell the ground; give one of them")
    capture = reading.load(motion)
    remark_notes(capture.file, capture.notes)
    wanted = None if plan is None else FootPlan.load(plan)
    ground, things = _surroundings(terrain, scene)
    shown = prepared(capture.motion)
    if start is not None or end is not None:
        shown = shown.between(start, end)
    views = ALL_VIEWS if view == "all" else tuple(v.strip() for v in view.split(","))
    clock = start or 0.0
    if output.suffix.lower() == ".gif":
        save_clip(shown, output, view=views[0], plan=wanted, terrain=ground, obstacles=things, clock=clock)
    else:
        save_strip(
            shown,
            output,
            views=views,
            figures=figures,
            title=motion.name,
            plan=wanted,
            terrain=ground,
            obstacles=things,
            clock=clock,
        )
    emit({"file": str(output)}, json=json, text=lambda: [str(output)])
    return 0


def _surroundings(
    terrain: str | None, scene: Path | None
) -> tuple[Ground | None, tuple[Obstacle | Placed, ...]]:
    """The ground, and all that stands and lies on it."""
    if scene is None:
        return None if terrain is None else open_terrain(terrain), ()
    found = load_scene(scene)
    ground = FlatTerrain() if found.terrain is None else found.terrain
    return ground, (*found.obstacles, *(thing.placed for thing in found.objects))


def prepared(motion: Motion) -> Motion:
    """With contacts found from the whole clip, before any part is cut out, and soles measured from it."""
    from footfall.adapt.calibrate_feet import calibrate_feet
    from footfall.analysis.contacts import detect_contacts

    if not motion.skeleton.sides or not len(motion):
        return motion
    if motion.contacts is None:
        motion = replace(motion, contacts=detect_contacts(motion))
    if motion.skeleton.feet is None:
        motion = replace(motion, skeleton=calibrate_feet(motion.skeleton, [motion]))
    return motion
