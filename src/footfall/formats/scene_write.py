"""Writing scenes: as a document. What a file cannot say is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from footfall.errors import RequestError
from footfall.formats.scene_document import (
    VERSION,
    Place,
    SceneDocument,
    StatedCourse,
    StatedKey,
    StatedObject,
    StatedObstacle,
    StatedStart,
    check_source,
    option_in_file,
    radians,
)
from footfall.geometry.ground import turn
from footfall.world.obstacle import Course, Obstacle
from footfall.world.scene import Scene, SceneObject, Task
from footfall.world.shapes.fields import FieldError
from footfall.world.shapes.named import OBJECTS, OBSTACLES, Names, measures_of
from footfall.world.shapes.shape import Shape

UPRIGHT = 1e-9  # of a quaternion's x and z


def write_scene(scene: Scene, folder: Path) -> bytes:
    """The content of a scene's file that is to lie in a folder."""
    if scene.terrain is not None and scene.terrain_source is None:
        raise RequestError(
            "the terrain needs a terrain_source, the file or generator that a scene file names"
        )
    if scene.terrain_source is not None:
        check_source(scene.terrain_source, folder)
    document = SceneDocument(
        VERSION,
        scene.terrain_source,
        [_stated_obstacle(thing, i) for i, thing in enumerate(scene.obstacles)],
        [_stated_object(thing, i) for i, thing in enumerate(scene.objects)],
        StatedStart(_triple(scene.start.position), _degrees(scene.start.heading) or None),
        [_stated_task(task) for task in scene.tasks],
    )
    return msgspec.json.format(msgspec.json.encode(document), indent=1) + b"\n"


def _stated_obstacle(thing: Obstacle, index: int) -> StatedObstacle:
    if np.abs(thing.orientation[[1, 3]]).max() > UPRIGHT:
        raise FieldError(f"obstacles[{index}].orientation", "must be upright: a scene file has headings only")
    shape, measures = _measures(thing.shape, OBSTACLES, f"obstacles[{index}]")
    course = None if thing.course is None else _stated_course(thing.course)
    return StatedObstacle(
        shape=shape,
        **measures,
        position=_triple(thing.position),
        heading_deg=_degrees_of_turn(thing.orientation) or None,
        name=thing.name,
        course=course,
    )


def _stated_course(course: Course) -> StatedCourse:
    headings = [None] * len(course.times) if course.headings is None else map(_degrees, course.headings)
    return StatedCourse(
        [
            StatedKey(float(time), _triple(position), heading)
            for time, position, heading in zip(course.times, course.positions, headings, strict=True)
        ],
        course.repeat,
    )


def _stated_object(thing: SceneObject, index: int) -> StatedObject:
    shape, measures = _measures(thing.shape, OBJECTS, f"objects[{index}]")
    return StatedObject(
        thing.name, shape, _triple(thing.position), **measures, heading_deg=_degrees(thing.heading) or None
    )


def _measures(shape: Shape, names: Names, where: str) -> tuple[str, dict[str, Any]]:
    try:
        return measures_of(shape, names)
    except FieldError as error:
        raise FieldError(f"{where}.{error.field}", error.problem) from None


def _stated_task(task: Task) -> dict[str, Any]:
    options = {
        option_in_file(name): _degrees(float(value)) if name == "heading" else value
        for name, value in task.options.items()
    }
    return {task.verb: task.target, **options}


def _triple(position: np.ndarray) -> Place:
    x, y, z = (float(v) for v in position)
    return x, y, z


def _degrees(heading: float) -> float:
    return _first_that(lambda degrees: radians(degrees) == heading, float(np.degrees(heading)))


def _degrees_of_turn(orientation: np.ndarray) -> float:
    degrees = float(np.degrees(2.0 * np.arctan2(orientation[2], orientation[0])))
    return _first_that(lambda d: np.array_equal(turn(radians(d)), orientation), degrees)


def _first_that(comes_back: Callable[[float], bool], degrees: float) -> float:
    """Of numbers as good as `degrees`, the shortest that reads as what was written."""
    candidates = [round(degrees, digits) for digits in (0, 3, 6, 9, 12)]
    beside = [degrees, np.nextafter(degrees, np.inf), np.nextafter(degrees, -np.inf)]
    return next((float(d) for d in (*candidates, *beside) if comes_back(d)), degrees)
