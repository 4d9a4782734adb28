"""Scenes as documents, whole and broken, for the tests of scene files."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from footfall.formats.scene_file import load_scene

load_words = partial(load_scene, terrain_loader=None)  # without the terrain that a file names

FULL: dict[str, Any] = {
    "version": 1,
    "terrain": "ground/hills.obj",
    "obstacles": [
        {"shape": "box", "size": [1, 2, 0.5], "position": [1, 1, 2], "heading_deg": 30},
        {"shape": "cylinder", "radius": 0.3, "height": 1.7, "position": [0, 0.85, 4], "name": "post"},
        {"shape": "capsule", "radius": 0.2, "height": 1.8, "position": [3, 0.9, 0], "heading_deg": -90.5},
        {"shape": "sphere", "radius": 0.5, "position": [-2, 0.5, 1]},
        {
            "shape": "polygon",
            "corners": [[0, 0], [2, 0], [1, 0.5], [1, 2]],
            "height": 0.4,
            "position": [5, 0.2, 5],
        },
        {
            "shape": "cylinder",
            "radius": 0.25,
            "height": 1.8,
            "name": "guard",
            "course": {
                "keys": [
                    {"time": 0, "position": [0, 0.9, 0], "heading_deg": 0},
                    {"time": 2.5, "position": [4, 0.9, 0], "heading_deg": 90},
                    {"time": 5, "position": [0, 0.9, 0], "heading_deg": 360},
                ],
                "repeat": True,
            },
        },
        {
            "shape": "sphere",
            "radius": 0.1,
            "position": [9, 9, 9],
            "course": {"keys": [{"time": 1, "position": [0, 0.1, 0]}, {"time": 2, "position": [0, 0.1, 3]}]},
        },
    ],
    "objects": [
        {"name": "ball", "shape": "sphere", "radius": 0.12, "position": [2, 1, 2]},
        {"name": "box", "shape": "box", "size": [0.2, 0.3, 0.4], "position": [2, 1, 3], "heading_deg": 45},
        {"name": "bottle", "shape": "capsule", "radius": 0.04, "length": 0.3, "position": [2, 1.15, 3]},
    ],
    "start": {"position": [0, 0, -3], "heading_deg": 12.5},
    "tasks": [
        {"go_to": [2, 1.5]},
        {"go_to": [2, 0, 1.5], "heading_deg": 77.7},
        {"look_at": "guard", "seconds": 1.5},
        {"pick_up": "ball", "hand": "right"},
        {"carry_to": [0, 0]},
        {"put_down": [0, 0.12, 0.4], "hand": "right"},
        {"touch": [1, 1, 1]},
        {"sit": [3, 0.4, 3], "heading_deg": 180, "seconds": 4},
        {"wait": 2},
    ],
}


def written(folder: Path, document: object) -> Path:
    file = folder / "scene.json"
    file.write_text(document if isinstance(document, str) else json.dumps(document))
    return file


def alike(a: object, b: object, near: float = 0.0) -> bool:
    """Equal in every field, all the way down; numbers within `near`."""
    if is_dataclass(a):
        return type(a) is type(b) and all(
            alike(getattr(a, f.name), getattr(b, f.name), near) for f in fields(a)
        )
    if isinstance(a, tuple | list):
        assert isinstance(b, tuple | list)
        return type(a) is type(b) and len(a) == len(b) and all(map(alike, a, b, [near] * len(a)))
    if hasattr(a, "keys"):
        return list(a) == list(b) and all(alike(a[k], b[k], near) for k in a)  # type: ignore[call-overload, index]
    if isinstance(a, np.ndarray):
        assert isinstance(b, np.ndarray)
        return a.shape == b.shape and bool(np.all(np.abs(a - b) <= near))
    if isinstance(a, float):
        return isinstance(b, float) and abs(a - b) <= near
    return a == b


def bad(**changes: Any) -> dict[str, Any]:
    return {"version": 1, **changes}


def obstacle(**changes: Any) -> dict[str, Any]:
    whole = {"shape": "cylinder", "radius": 1, "height": 2, "position": [0, 0, 0], **changes}
    return bad(
        obstacles=[
            {"shape": "sphere", "radius": 1, "position": [0, 0, 0]},
            {k: v for k, v in whole.items() if v != ...},
        ]
    )


def thing(**changes: Any) -> dict[str, Any]:
    whole = {"name": "ball", "shape": "sphere", "radius": 0.1, "position": [0, 0, 0], **changes}
    return bad(objects=[{k: v for k, v in whole.items() if v != ...}])


def course(*keys: dict[str, Any], **more: Any) -> dict[str, Any]:
    return obstacle(course={"keys": list(keys), **more})


def task(**stated: Any) -> dict[str, Any]:
    return {**thing(), "tasks": [{"wait": 1}, stated]}
