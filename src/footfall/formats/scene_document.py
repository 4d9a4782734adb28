"""Scenes as files: what stands in one.

    {"version": 1, "terrain": "hills.obj",
     "obstacles": [{"shape": "box", "size": [1, 2, 1], "position": [x, y, z], "heading_deg": 0},
                   {"shape": "cylinder", "radius": 0.2, "height": 1, "name": "guard",
                    "course": {"keys": [{"time": 0, "position": [x, y, z], "heading_deg": 0}, ...],
                               "repeat": true}},
                   {"shape": "polygon", "corners": [[x, z], ...], "height": 1, "position": [x, y, z]}, ...],
     "objects": [{"name": "ball", "shape": "sphere", "radius": 0.1, "position": [x, y, z]}, ...],
     "start": {"position": [x, y, z], "heading_deg": 0},
     "tasks": [{"go_to": [x, z]}, {"pick_up": "ball", "hand": "right"}, ...]}

A position is that of a shape's middle; the height of a capsule, and its length, is that of the whole. An
obstacle with a course needs no position. The terrain is a file in the scene's folder or below, or a generator
such as `bumps:7`; nothing else on the disk can be named.
"""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import numpy as np

from footfall.world.shapes.fields import FieldError, told

VERSION = 1
LONGEST_SOURCE = 500  # characters

Place = tuple[float, float, float]


class _Strict(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    pass


class StatedKey(_Strict):
    time: float
    position: Place
    heading_deg: float | None = None


class StatedCourse(_Strict):
    keys: list[StatedKey]
    repeat: bool = False


class StatedObstacle(_Strict):
    shape: str
    size: Place | None = None
    radius: float | None = None
    height: float | None = None
    corners: list[tuple[float, float]] | None = None
    position: Place | None = None
    heading_deg: float | None = None
    name: str = ""
    course: StatedCourse | None = None


class StatedObject(_Strict):
    name: str
    shape: str
    position: Place
    size: Place | None = None
    radius: float | None = None
    length: float | None = None
    heading_deg: float | None = None


class StatedStart(_Strict):
    position: Place = (0.0, 0.0, 0.0)
    heading_deg: float | None = None


class SceneDocument(msgspec.Struct, forbid_unknown_fields=True):
    version: int
    terrain: str | None = None
    obstacles: list[StatedObstacle] = []
    objects: list[StatedObject] = []
    start: StatedStart = msgspec.field(default_factory=StatedStart)
    tasks: list[dict[str, msgspec.Raw]] = []  # unread: what a value may be depends on the verb


def option_in_file(option: str) -> str:
    """What a file calls an option of a task."""
    return "heading_deg" if option == "heading" else option


def radians(degrees: float | None) -> float:
    """Of a heading, which is 0 where it is not stated."""
    return float(np.radians(degrees or 0.0))


def check_source(text: str, folder: Path) -> None:
    """Refuses a terrain that is not in the scene's folder or below: a scene may come from anywhere."""
    parts = re.split(r"[/\\]", text)
    plain = text.isprintable() and 0 < len(text) <= LONGEST_SOURCE
    # a single letter before a colon is a drive, a word a generator
    if plain and parts[0] not in ("", "~") and ".." not in parts and not re.match(r"[A-Za-z]:", text):
        try:
            if (folder / text).resolve().is_relative_to(folder.resolve()):
                return
        except (OSError, RuntimeError, ValueError):  # loops and names that no disk has
            pass
    raise FieldError("terrain", f"must lie in the scene's folder or below it, which {told(text)} does not")
