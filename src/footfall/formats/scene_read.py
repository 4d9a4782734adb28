"""Reading scenes: from bytes to a document, and from that to a scene. Every problem names the field."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from footfall.errors import FootfallError, LoadError
from footfall.formats.scene_document import (
    VERSION,
    SceneDocument,
    StatedCourse,
    StatedObject,
    StatedObstacle,
    check_source,
    option_in_file,
    radians,
)
from footfall.world.obstacle import Course, Obstacle
from footfall.world.scene import VERBS, Scene, SceneObject, Start, Task
from footfall.world.shapes.fields import FieldError, number, told
from footfall.world.shapes.named import OBJECTS, OBSTACLES, shape_named
from footfall.world.small_file import read_small
from footfall.world.terrain import Terrain

MOST_BYTES = 4 << 20
MOST = {"obstacles": 10_000, "objects": 1_000, "tasks": 10_000, "corners": 10_000, "keys": 20_000}

TerrainLoader = Callable[[str, Path], Terrain]


def read_document(file: Path) -> SceneDocument:
    content = read_small(file, MOST_BYTES, "a scene")
    try:
        document = msgspec.json.decode(content, type=SceneDocument)
    except (ValueError, msgspec.MsgspecError) as error:
        raise _named(error) from None
    except RecursionError:
        raise LoadError("is no scene: its lists are too deep") from None
    if document.version != VERSION:
        raise LoadError(f"version: expected {VERSION}, found {document.version}")
    counts = {
        "obstacles": len(document.obstacles),
        "objects": len(document.objects),
        "tasks": len(document.tasks),
        "corners": sum(len(o.corners or ()) for o in document.obstacles),
        "keys": sum(len(o.course.keys) for o in document.obstacles if o.course),
    }
    for name, count in counts.items():
        if count > MOST[name]:
            raise LoadError(f"{name}: a scene has at most {MOST[name]}, not {count}")
    return document


def _named(error: Exception) -> LoadError:
    """What went wrong before anything was understood; of a wrong type the place comes first."""
    found = re.fullmatch(r"(.*) - at `\$\.?(.+)`", str(error), re.DOTALL)
    return LoadError(f"{found[2]}: {found[1]}" if found else f"is no scene: {error}")


@contextmanager
def _at(where: str, **called: str) -> Iterator[None]:
    """Problems of fields are those of the file's fields at `where`, which may be called differently there."""
    try:
        yield
    except FieldError as error:
        raise LoadError(f"{where}{called.get(error.field, error.field)}: {error.problem}") from None


def scene_of(document: SceneDocument, folder: Path, terrain_loader: TerrainLoader | None) -> Scene:
    obstacles = [_obstacle(stated, f"obstacles[{i}].") for i, stated in enumerate(document.obstacles)]
    objects = [_object(stated, f"objects[{i}].") for i, stated in enumerate(document.objects)]
    tasks = [_task(stated, f"tasks[{i}]") for i, stated in enumerate(document.tasks)]
    with _at("start."):
        start = Start(np.array(document.start.position), radians(document.start.heading_deg))
    with _at(""):
        scene = Scene(None, document.terrain, tuple(obstacles), tuple(objects), start, tuple(tasks))
    if document.terrain is None:
        return scene
    with _at(""):
        check_source(document.terrain, folder)
    if terrain_loader is None:
        return scene
    try:
        return replace(scene, terrain=terrain_loader(document.terrain, folder))
    except FootfallError as error:
        raise LoadError(f"terrain: {error}") from None


def _obstacle(stated: StatedObstacle, where: str) -> Obstacle:
    measures = {name: getattr(stated, name) for name in ("size", "radius", "height", "corners")}
    course = None if stated.course is None else _course(stated.course, f"{where}course.")
    with _at(where):
        shape = shape_named(stated.shape, measures, OBSTACLES)
        if stated.position is None and course is None:
            raise FieldError("position", "must be given where there is no course")
        position = course.positions[0] if stated.position is None and course else stated.position
        return Obstacle.upright(
            shape, np.array(position), radians(stated.heading_deg), course=course, name=stated.name
        )


def _course(stated: StatedCourse, where: str) -> Course:
    headings = [key.heading_deg for key in stated.keys]
    given = [heading for heading in headings if heading is not None]
    with _at(where, times="keys", positions="keys", headings="keys"):
        if given and len(given) < len(headings):
            lacking = headings.index(None)
            raise FieldError(f"keys[{lacking}].heading_deg", "must be given for all keys or for none")
        return Course(
            np.array([key.time for key in stated.keys]),
            np.array([key.position for key in stated.keys]).reshape(-1, 3),
            np.array([radians(heading) for heading in given]) if given else None,
            stated.repeat,
        )


def _object(stated: StatedObject, where: str) -> SceneObject:
    measures = {name: getattr(stated, name) for name in ("size", "radius", "length")}
    with _at(where):
        shape = shape_named(stated.shape, measures, OBJECTS)
        return SceneObject(stated.name, shape, np.array(stated.position), radians(stated.heading_deg))


def _task(stated: dict[str, msgspec.Raw], where: str) -> Task:
    """One verb with its target, and options."""
    verbs = [word for word in stated if word in VERBS]
    if not verbs:
        said = f"{told(next(iter(stated)))} is no verb" if stated else "it says nothing"
        raise LoadError(f"{where}: {said}; known are {', '.join(VERBS)}")
    if len(verbs) > 1:
        raise LoadError(f"{where}: a task has one verb, not both {verbs[0]} and {verbs[1]}")
    verb = verbs[0]
    known = [option_in_file(option) for option in VERBS[verb].options]
    options: dict[str, str | float] = {}
    for word, value in stated.items():
        if word == verb:
            continue
        if word not in known:
            possible = f"known are {', '.join(known)}" if known else "it has none"
            raise LoadError(f"{where}: {told(word)} is no option of {verb}; {possible}")
        options[word] = _value(value, f"{where}.{word}")
    with _at(f"{where}."):
        if "heading_deg" in options:
            options["heading"] = radians(number(options.pop("heading_deg"), "heading_deg"))
        return Task(verb, _value(stated[verb], f"{where}.{verb}"), options)


def _value(raw: msgspec.Raw, where: str) -> Any:
    try:
        return msgspec.json.decode(raw, type=str | float | list[float])
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise LoadError(f"{where}: must be a number, a text or a list of numbers") from None
