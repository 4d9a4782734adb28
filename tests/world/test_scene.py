"""Scenes: names that are given once, tasks that name what is there."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.errors import RequestError
from footfall.world.obstacle import Course, Obstacle
from footfall.world.scene import VERBS, Scene, SceneObject, Start, Task
from footfall.world.shapes.box import Box
from footfall.world.shapes.sphere import Sphere

BALL = SceneObject("ball", Sphere(0.1), np.array([1.0, 1.0, 0.0]), 0.5)
CRATE = SceneObject("crate", Box(np.ones(3)), np.array([4.0, 0.5, 0.0]))
COURSE = Course(np.array([0.0, 1.0]), np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]]))
WALL = Obstacle(Box(np.array([3.0, 2.0, 0.2])), np.array([0.0, 1.0, 5.0]), course=COURSE, name="wall")
CHAIR = Obstacle(Box(np.full(3, 0.5)), np.zeros(3))


def test_an_empty_scene() -> None:
    scene = Scene()
    assert scene.terrain is None
    assert (scene.obstacles, scene.objects, scene.tasks) == ((), (), ())
    assert_array_equal(scene.start.position, np.zeros(3))
    assert scene.start.heading == 0.0
    assert scene.placed() == []


def test_everything_at_a_time() -> None:
    scene = Scene(obstacles=(WALL, CHAIR), objects=(BALL,))
    assert [type(p.shape).__name__ for p in scene.placed()] == ["Box", "Box", "Sphere"]
    assert_allclose(scene.placed(0.5)[0].position, [0.0, 0.0, 0.5])
    assert_allclose(scene.placed(0.5)[2].orientation, [np.cos(0.25), 0, np.sin(0.25), 0])
    assert scene.named("ball") is BALL
    with pytest.raises(RequestError, match="'wall' is no object of the scene; there is ball"):
        scene.named("wall")


@pytest.mark.parametrize(
    ("task", "target"),
    [
        (Task("go_to", [1, 2]), (1.0, 2.0)),
        (Task("go_to", np.array([1, 2, 3]), {"heading": 1}), (1.0, 2.0, 3.0)),  # type: ignore[arg-type]
        (Task("go_to", "wall"), "wall"),
        (Task("look_at", "ball", {"seconds": 2}), "ball"),
        (Task("touch", (1.0, 2.0, 3.0), {"hand": "left"}), (1.0, 2.0, 3.0)),
        (Task("pick_up", "ball", {"hand": "both"}), "ball"),
        (Task("carry_to", (0, 0)), (0.0, 0.0)),
        (Task("put_down", (0, 1, 0), {"hand": "right"}), (0.0, 1.0, 0.0)),
        (Task("sit", "wall", {"seconds": 0.0, "heading": -1.0}), "wall"),
        (Task("wait", 3), 3.0),
    ],
)
def test_tasks(task: Task, target: object) -> None:
    assert task.target == target
    assert type(task.target) is type(target)
    scene = Scene(obstacles=(WALL,), objects=(BALL,), tasks=(task,))
    assert scene.tasks == (task,)
    with pytest.raises(TypeError):
        task.options["hand"] = "left"  # type: ignore[index]


def test_every_verb_is_tested() -> None:
    assert set(VERBS) == {"go_to", "look_at", "touch", "pick_up", "carry_to", "put_down", "sit", "wait"}


@pytest.mark.parametrize(
    ("make", "refused"),
    [
        (lambda: Task("jump", 1), "verb must be one of go_to, look_at, .*, wait, not 'jump'"),
        (lambda: Task("go_to", 1.0), r"go_to needs a place \[x, z\] or \[x, y, z\], or a name, not 1"),
        (lambda: Task("go_to", (1.0,)), "go_to needs .* not a list of 1"),
        (lambda: Task("go_to", (1.0, np.nan)), "go_to must be a finite number"),
        (lambda: Task("go_to", (1.0, "2")), "go_to must be a number, not '2'"),  # type: ignore[arg-type]
        (lambda: Task("go_to", (1.0, 1e9)), "go_to must be within"),
        (lambda: Task("look_at", (1.0, 2.0)), "look_at needs a point"),
        (lambda: Task("pick_up", (1.0, 2.0, 3.0)), "pick_up needs the name of an object"),
        (lambda: Task("put_down", "ball"), "put_down needs a point .* not 'ball'"),
        (lambda: Task("wait", -1.0), "wait must not be negative"),
        (lambda: Task("wait", "long"), "wait must be a number"),
        (lambda: Task("wait", None), "wait must be a number, not nothing"),  # type: ignore[arg-type]
        (lambda: Task("pick_up", "ball", {"hand": "third"}), "hand must be one of left, right, both"),
        (lambda: Task("pick_up", "ball", {"hand": 2.0}), "hand must be one of left, right, both, not 2"),
        (lambda: Task("pick_up", "ball", {"speed": 2.0}), "speed is no option of pick_up, which knows hand"),
        (lambda: Task("wait", 1.0, {"hand": "left"}), "hand is no option of wait, which knows no options"),
        (lambda: Task("look_at", "ball", {"seconds": -2.0}), "seconds must not be negative"),
        (lambda: Task("go_to", (0, 0), {"heading": np.inf}), "heading must be a finite"),
        (lambda: SceneObject("", Sphere(1), np.zeros(3)), "name must be a text that is not empty"),
        (lambda: SceneObject("a", Sphere(1), np.zeros(2)), "position must be 3 numbers"),
        (lambda: Start(np.zeros(3), np.nan), "heading must be a finite number"),
        (
            lambda: Scene(objects=(BALL, BALL)),
            r"objects\[1\].name must be given once, but 'ball' is the name of 2",
        ),
        (lambda: Scene(objects=(SceneObject("x" * 201, Sphere(1), np.zeros(3)),)), "at most 200 characters"),
        (
            lambda: Scene(objects=(SceneObject("wall", Sphere(1), np.zeros(3)),), obstacles=(WALL,)),
            r"obstacles\[0\].name must be given once",
        ),
        (
            lambda: Scene(objects=(CRATE, BALL), tasks=(Task("wait", 1), Task("pick_up", "bal"))),
            r"tasks\[1\].pick_up names 'bal', which is not there; there is ball, crate",
        ),
        (
            lambda: Scene(obstacles=(WALL,), tasks=(Task("pick_up", "wall"),)),
            "names 'wall', which is not there; there is nothing with a name",
        ),
    ],
)
def test_what_cannot_be_is_refused(make: object, refused: str) -> None:
    with pytest.raises(RequestError, match=refused):
        make()  # type: ignore[operator]


def test_obstacles_without_names_are_many() -> None:
    assert len(Scene(obstacles=(CHAIR, CHAIR, WALL)).obstacles) == 3
