"""Scenes acted: hands and feet exact, things where they should be, nothing touched, reasons in a sentence."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from footfall.acting.act import act
from footfall.acting.report import ActedScene
from footfall.errors import RequestError
from footfall.figure.capsules import body_capsules
from footfall.geometry import quaternion as quat
from footfall.world.body_room import body_room
from footfall.world.obstacle import Obstacle
from footfall.world.scene import Scene, SceneObject, Start, Task
from footfall.world.shapes.box import Box
from footfall.world.shapes.cylinder import Cylinder
from footfall.world.shapes.sphere import Sphere

TABLE = Obstacle(Box((1.2, 0.75, 0.6)), np.array([0.0, 0.375, 1.6]), name="table")
STOOL = Obstacle(Box((0.5, 0.45, 0.5)), np.array([-1.6, 0.225, 0.4]), name="stool")
PILLAR = Obstacle(Cylinder(0.25, 2.0), np.array([0.0, 1.0, 0.75]), name="pillar")
BALL = SceneObject("ball", Sphere(0.04), np.array([-0.2, 0.79, 1.45]))
CRATE = SceneObject("crate", Box((0.4, 0.25, 0.3)), np.array([0.3, 0.875, 1.55]))


@cache
def fetched() -> tuple[Scene, ActedScene]:
    scene = Scene(
        obstacles=(TABLE, PILLAR),
        objects=(BALL,),
        tasks=(
            Task("look_at", "ball", {"seconds": 0.5}),
            Task("pick_up", "ball"),
            Task("carry_to", (1.0, 0.0)),
            Task("put_down", (0.4, 0.79, 1.45)),
            Task("wait", 0.5),
        ),
    )
    return scene, act(scene)


class TestFetching:
    def test_every_task_is_done(self) -> None:
        _, made = fetched()
        assert [task.task for task in made.tasks] == ["look_at", "pick_up", "carry_to", "put_down", "wait"]
        assert all(task.done for task in made.tasks), made.clamped
        assert made.done
        assert sum(task.seconds for task in made.tasks) <= made.seconds

    def test_hands_and_things_are_exact(self) -> None:
        _, made = fetched()
        errors = {task.task: task.error for task in made.tasks}
        assert errors["pick_up"] is not None
        assert errors["pick_up"] < 1e-3
        assert errors["put_down"] is not None
        assert errors["put_down"] < 1e-3
        ends = made.object_named("ball").positions
        np.testing.assert_allclose(ends[0], BALL.position, atol=1e-12)
        np.testing.assert_allclose(ends[-1], [0.4, 0.79, 1.45], atol=1e-3)

    def test_the_ball_goes_with_the_hand_while_it_is_held(self) -> None:
        _, made = fetched()
        track = made.object_named("ball").positions
        hand = made.skeleton.joint("right_hand")
        local = quat.rotate(quat.conjugate(made.orientations[:, hand]), track - made.positions[:, hand])
        moved = np.linalg.norm(np.diff(track, axis=0), axis=-1) > 1e-5
        held = np.flatnonzero(moved)
        assert len(held) > 300
        assert np.ptp(local[held[5] : held[-5]], axis=0).max() < 1e-6

    def test_the_ball_is_in_the_hand_from_the_frame_it_moves(self) -> None:
        """It never jumps: from frame to frame it goes no farther than a hand does."""
        _, made = fetched()
        steps = np.linalg.norm(np.diff(made.object_named("ball").positions, axis=0), axis=-1)
        assert steps.max() < 0.06

    def test_no_capsule_of_the_body_is_in_an_obstacle(self) -> None:
        scene, made = fetched()
        things = [one.at(0.0) for one in scene.obstacles]
        room = body_room(body_capsules(made.skeleton), made.positions, made.orientations, things)
        assert room.min() > 0.0

    def test_feet_stand(self) -> None:
        _, made = fetched()
        told = made.certificate()
        assert told.slide_max_m < 1e-4
        assert told.penetration_max_m < 2e-3
        assert told.contacts == "given"

    def test_the_same_scene_gives_the_same_motion(self) -> None:
        scene, made = fetched()
        short = Scene(obstacles=scene.obstacles, objects=scene.objects, tasks=scene.tasks[:2])
        again = act(short)
        count = len(again) - 30  # its own end differs
        np.testing.assert_array_equal(made.rotations[:count], again.rotations[:count])
        np.testing.assert_array_equal(made.root[:count], again.root[:count])


class TestOtherTasks:
    def test_two_hands_carry_a_box(self) -> None:
        scene = Scene(
            obstacles=(TABLE,),
            objects=(CRATE,),
            tasks=(Task("pick_up", "crate"), Task("put_down", (-0.2, 0.875, 1.55))),
        )
        made = act(scene)
        assert made.done, made.clamped
        np.testing.assert_allclose(made.object_named("crate").positions[-1], [-0.2, 0.875, 1.55], atol=1e-3)
        held = made.object_named("crate").positions[:, 1] > 0.9
        wide = np.linalg.norm(made.of("left_hand") - made.of("right_hand"), axis=-1)[held]
        assert np.ptp(wide) < 5e-3  # both palms stay on its sides

    def test_one_sits_touches_something_from_there_and_gets_up(self) -> None:
        scene = Scene(
            obstacles=(STOOL,),
            objects=(SceneObject("bell", Sphere(0.05), np.array([-1.6, 0.95, 1.25])),),
            start=Start(np.array([-0.6, 0.0, 1.2]), 0.0),
            tasks=(
                Task("sit", "stool", {"heading": 0.0, "seconds": 0.3}),
                Task("touch", "bell"),
                Task("go_to", (0.0, 1.0)),
            ),
        )
        made = act(scene)
        assert made.done, made.clamped
        hips = made.of("hips")[:, 1]
        sat = round((made.tasks[0].seconds - 0.1) * made.fps)
        assert hips[sat] < 0.6
        touched = sat + round(0.5 * made.tasks[1].seconds * made.fps)
        assert hips[touched] < 0.6  # it did not get up for that
        assert made.tasks[1].error is not None
        assert made.tasks[1].error < 1e-3
        assert hips[-1] > 0.85
        np.testing.assert_allclose(made.root[-1][[0, 2]], [0.0, 1.0], atol=0.06)

    def test_what_is_out_of_reach_is_touched_as_nearly_as_can_be_and_said(self) -> None:
        made = act(Scene(tasks=(Task("touch", (0.0, 2.9, 0.6)), Task("wait", 0.2))))
        assert not made.tasks[0].done
        assert "nearest point is touched" in made.tasks[0].says
        assert made.tasks[1].done
        assert made.of("right_hand")[:, 1].max() > 1.8  # it did stretch


class TestReasons:
    def test_a_full_hand(self) -> None:
        cup = SceneObject("cup", Sphere(0.035), np.array([0.1, 0.785, 1.45]))
        scene = Scene(
            obstacles=(TABLE,),
            objects=(BALL, cup),
            tasks=(Task("pick_up", "ball", {"hand": "right"}), Task("pick_up", "cup", {"hand": "right"})),
        )
        made = act(scene)
        assert [task.done for task in made.tasks] == [True, False]
        assert made.tasks[1].says == "the right hand is full: it holds 'ball'"

    def test_nothing_to_put_down_and_nothing_to_carry(self) -> None:
        made = act(Scene(tasks=(Task("put_down", (0.0, 0.5, 0.5)), Task("carry_to", (1.0, 1.0)))))
        assert [task.says for task in made.tasks] == [
            "no hand holds anything",
            "no hand holds anything to carry",
        ]

    def test_a_place_inside_an_obstacle(self) -> None:
        scene = Scene(
            obstacles=(TABLE,),
            objects=(BALL,),
            tasks=(Task("pick_up", "ball"), Task("put_down", (0.0, 0.3, 1.6)), Task("go_to", (0.0, 1.6))),
        )
        made = act(scene)
        assert [task.done for task in made.tasks] == [True, False, False]
        assert "inside something that reaches up to 0.75 m" in made.tasks[1].says
        assert "\n" not in made.tasks[2].says
        assert made.object_named("ball").positions[-1][1] > 0.8  # it is still in the hand

    def test_a_thing_too_wide_to_carry(self) -> None:
        piano = SceneObject("piano", Box((1.5, 1.0, 0.9)), np.array([0.0, 0.5, 2.0]))
        made = act(Scene(objects=(piano,), tasks=(Task("pick_up", "piano"),)))
        assert not made.done
        assert made.tasks[0].says.count(".") <= 3
        assert "0.75 m at most" in made.tasks[0].says

    def test_no_tasks(self) -> None:
        with pytest.raises(RequestError, match="no tasks"):
            act(Scene())
