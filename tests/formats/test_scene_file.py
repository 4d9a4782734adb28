"""Scenes as files: they come back as they were."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from footfall.formats.scene_file import save_scene
from footfall.world.obstacle import Course, Obstacle
from footfall.world.scene import Scene, SceneObject, Start, Task
from footfall.world.shapes.box import Box
from footfall.world.shapes.capsule import Capsule
from footfall.world.shapes.cylinder import Cylinder
from footfall.world.shapes.polygon import Polygon
from footfall.world.shapes.sphere import Sphere
from tests.formats.scene_documents import (
    FULL,
    alike,
    load_words,
    written,
)


def test_what_a_file_says(tmp_path: Path) -> None:
    scene = load_words(written(tmp_path, FULL))
    assert scene.terrain is None
    assert scene.terrain_source == "ground/hills.obj"
    assert [type(o.shape) for o in scene.obstacles] == [
        Box,
        Cylinder,
        Capsule,
        Sphere,
        Polygon,
        Cylinder,
        Sphere,
    ]
    assert [o.name for o in scene.obstacles] == ["", "post", "", "", "", "guard", ""]
    capsule = scene.obstacles[2]
    assert (capsule.shape.radius, capsule.shape.length) == (0.2, 1.8)  # type: ignore[attr-defined]
    assert_allclose(capsule.orientation, [np.cos(np.radians(45.25)), 0, -np.sin(np.radians(45.25)), 0])
    assert_allclose(scene.obstacles[4].shape.corners, [[0, 0], [2, 0], [1, 0.5], [1, 2]])  # type: ignore[attr-defined]
    guard = scene.obstacles[5]
    assert_allclose(guard.position, [0, 0.9, 0])  # of the first key
    assert_allclose(guard.at(1.25).position, [2, 0.9, 0])
    assert_allclose(guard.at(6.25).position, [2, 0.9, 0])
    rolling = scene.obstacles[6]
    assert rolling.course is not None
    assert rolling.course.headings is None
    assert_allclose(rolling.position, [9, 9, 9])
    assert_allclose(rolling.velocity(1.5), [0, 0, 3])
    assert [o.name for o in scene.objects] == ["ball", "box", "bottle"]
    assert scene.objects[2].shape.length == 0.3  # type: ignore[attr-defined]
    assert scene.objects[1].heading == np.radians(45)
    assert_allclose(scene.start.position, [0, 0, -3])
    assert scene.start.heading == np.radians(12.5)
    assert scene.tasks[1] == Task("go_to", (2.0, 0.0, 1.5), {"heading": np.radians(77.7)})
    assert scene.tasks[3] == Task("pick_up", "ball", {"hand": "right"})
    assert scene.tasks[8] == Task("wait", 2.0)


def test_a_file_comes_back_bit_for_bit(tmp_path: Path) -> None:
    """Loaded, saved and loaded: equal in every field; saved again: the same bytes."""
    scene = load_words(written(tmp_path, FULL))
    save_scene(scene, tmp_path / "again.json")
    again = load_words(tmp_path / "again.json")
    assert alike(scene, again)
    save_scene(again, tmp_path / "third.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "third.json").read_bytes()
    # what was left out stays out, and what was written by hand stays readable
    stated = json.loads((tmp_path / "again.json").read_text())
    assert stated["obstacles"][0] == FULL["obstacles"][0]
    assert stated["objects"] == FULL["objects"]
    assert stated["tasks"] == FULL["tasks"]
    assert stated["start"] == FULL["start"]


def test_the_smallest_file(tmp_path: Path) -> None:
    assert alike(load_words(written(tmp_path, {"version": 1})), Scene())
    assert alike(load_words(written(tmp_path, {"version": 1, "terrain": None, "start": {}})), Scene())


angles = st.floats(-10, 10)
coordinates = st.floats(-1e4, 1e4).map(lambda v: round(v, 6))
points = st.tuples(coordinates, coordinates, coordinates).map(np.array)
sizes = st.floats(1e-3, 1e3)
shapes = st.one_of(
    sizes.map(Sphere),
    st.tuples(sizes, sizes, sizes).map(lambda s: Box(np.array(s))),
    st.tuples(sizes, sizes).map(lambda s: Capsule(s[0], 2 * s[0] + s[1])),
)
more_shapes = st.one_of(
    shapes,
    st.tuples(sizes, sizes).map(lambda s: Cylinder(*s)),
    st.tuples(sizes, sizes).map(lambda s: Polygon(s[0] * np.array([[0, 0], [3, 0], [1, 1], [0, 3.5]]), s[1])),
)


@st.composite
def courses(draw: Any) -> Course:
    count = draw(st.integers(1, 4))
    times = np.cumsum([draw(st.floats(0.01, 5)) for _ in range(count)])
    headings = [draw(angles) for _ in range(count)] if draw(st.booleans()) else None
    return Course(
        times, [draw(points) for _ in range(count)], headings, repeat=count > 1 and draw(st.booleans())
    )  # type: ignore[arg-type]


@st.composite
def scenes(draw: Any) -> Scene:
    names = draw(st.lists(st.text(min_size=1, max_size=20), unique=True, max_size=4))
    objects = [SceneObject(n, draw(shapes), draw(points), draw(angles)) for n in names]
    obstacles = [
        Obstacle.upright(draw(more_shapes), draw(points), draw(angles), draw(st.none() | courses()))
        for _ in range(draw(st.integers(0, 3)))
    ]
    tasks = [Task("pick_up", n, {"hand": "left"}) for n in names] + [
        Task("go_to", draw(points), {"heading": draw(angles)})
    ]
    start = Start(draw(points), draw(angles))
    source = draw(st.none() | st.sampled_from(["bumps:7", "a/b/hills.obj", "flat"]))
    return Scene(None, source, obstacles, objects, start, tasks)  # type: ignore[arg-type]


@settings(max_examples=60, deadline=None)
@given(scenes())
def test_any_scene_comes_back(tmp_path_factory: pytest.TempPathFactory, scene: Scene) -> None:
    """All but the last bit of an angle, which is stored in degrees; from the second time on every bit."""
    file = tmp_path_factory.getbasetemp() / "any.json"
    save_scene(scene, file)
    again = load_words(file)
    assert alike(scene, again, near=4e-15)
    save_scene(again, file)
    assert alike(again, load_words(file))
