"""The plain layers of a stack: offset, idle, animation, grab, and weights that ease."""

from __future__ import annotations

import numpy as np
import pytest

import footfall as ff
from footfall.control.animation import AnimationController, part_shares
from footfall.control.fading import Fade, mixed
from footfall.control.grab import GrabController, HeldThing
from footfall.control.idle import IdleController
from footfall.control.playing import Playing, closed
from footfall.control.tick import Controller, Tick
from footfall.control.world_offset import WorldOffset
from footfall.errors import RequestError
from footfall.figure.motion import Motion
from footfall.figure.pose import Pose
from footfall.geometry import quaternion as quat
from footfall.ik.grasp import close_hand
from footfall.ik.palm_placement import PalmPlacement
from footfall.world.shapes.placed import Placed
from footfall.world.shapes.sphere import Sphere

PERSON = ff.VirtualActor().skeleton
DT = 1.0 / 60.0


@pytest.fixture(scope="module")
def standing() -> Motion:
    return ff.VirtualActor().idle(4.0).motion


def bowing() -> Motion:
    """Two seconds in which the trunk bends and comes up again."""
    count = 121
    angle = 0.5 * np.sin(np.pi * np.linspace(0.0, 1.0, count)) ** 2
    rotations = np.repeat(np.array(PERSON.rest)[None], count, axis=0)
    chest = PERSON.joint("chest")
    rotations[:, chest] = quat.multiply(
        rotations[:, chest], quat.exp(angle[:, None] * np.array([1.0, 0.0, 0.0]))
    )
    root = np.repeat(Pose.at_rest(PERSON).root[None], count, axis=0)
    return Motion(PERSON, root, rotations, 60.0)


class TestFades:
    def test_they_ease_without_a_kink(self) -> None:
        fade = Fade(0.0, 0.0)
        fade.to(1.0, 1.0)
        values = [fade.weight] + [fade.advance(0.01) for _ in range(120)]
        rates = np.diff(values) / 0.01
        assert values[0] == 0.0
        assert values[-1] == 1.0
        assert (rates >= 0.0).all()
        assert rates.max() == pytest.approx(15.0 / 8.0, rel=0.01)
        assert np.abs(np.diff(rates)).max() / 0.01 < 6.0  # of smoother: 10 / sqrt(3)

    def test_a_turn_back_begins_where_it_is(self) -> None:
        fade = Fade(0.0, 0.0)
        fade.to(1.0, 1.0)
        fade.advance(0.4)
        there = fade.weight
        fade.to(0.0, 1.0)
        assert fade.weight == there
        fade.advance(0.1)
        fade.to(0.0, 1.0)  # told again, it is under way already
        assert fade.weight < there

    @pytest.mark.parametrize("weight", [np.nan, -0.1, 1.1, "x"])
    def test_what_is_no_weight_is_refused(self, weight: object) -> None:
        with pytest.raises(RequestError, match="weight"):
            Fade().to(weight)  # type: ignore[arg-type]

    def test_a_stack_feels_a_layer_by_its_weight(self, standing: Motion) -> None:
        class Lifted:
            name = "lifted"

            def update(self, tick: Tick) -> Pose:
                return Pose(tick.pose.root + np.array([0.0, 0.3, 0.0]), tick.pose.rotations)

        figure = ff.Character(PERSON, [WorldOffset(PERSON), Lifted()])
        low = Pose.at_rest(PERSON).root[1]
        assert figure.step(DT).root[1] == pytest.approx(low + 0.3)
        figure.fade("lifted", 0.0, seconds=0.5)
        heights = [figure.step(DT).root[1] for _ in range(40)]
        assert (np.diff(heights) <= 1e-12).all()
        assert heights[-1] == pytest.approx(low)
        assert "lifted (0 %)" in str(figure.stack)
        figure.fade("lifted", 1.0, seconds=0.1)
        for _ in range(30):  # 0.3 m are too far for a tenth of a second
            figure.step(DT)
        assert figure.pose.root[1] == pytest.approx(low + 0.3)
        assert "%" not in str(figure.stack)
        with pytest.raises(RequestError, match="no controller 'gaze'"):
            figure.fade("gaze", 0.0)

    def test_what_is_far_takes_longer(self, standing: Motion) -> None:
        away = WorldOffset(PERSON, (10.0, 0.0), heading=3.0)
        figure = ff.Character(
            PERSON, [WorldOffset(PERSON), Named(away, "there"), Named(IdleController(standing), "idle")]
        )
        figure.step(DT)
        figure.fade("there", 0.0, seconds=0.1)
        places = np.array([figure.step(DT).forward(PERSON)[0] for _ in range(1200)])
        assert np.linalg.norm(np.diff(places[:, 0], axis=0), axis=1).max() < 1.5 * DT
        others = places - places[:, :1]
        assert np.linalg.norm(np.diff(others, axis=0), axis=-1).max() < 2.0 * DT
        assert np.hypot(*places[-1, 0, [0, 2]]) < 0.1
        figure.fade("there", 1.0, seconds=0.0)  # at once is at once
        assert figure.step(DT).root[0] > 9.5

    def test_a_body_that_turns_round_under_a_half_felt_layer(self) -> None:
        """Half way between two headings there are two ways; the short one changes sides."""
        turning = WorldOffset(PERSON)
        figure = ff.Character(PERSON, [WorldOffset(PERSON), Named(turning, "turns")])
        figure.fade("turns", 0.5, seconds=0.0)
        headings, last = [], figure.step(DT)
        for frame in range(600):
            turning.move_to((0.0, 0.0), 0.6 * frame * DT)
            pose = figure.step(DT)
            headings.append(float(quat.angle_between(last.rotations[0], pose.rotations[0])))
            last = pose
        assert max(headings) < 2.0 * DT


class Named:
    """A layer by another name: two of one kind in a stack."""

    def __init__(self, layer: Controller, name: str) -> None:
        self.layer, self.name, self.skeleton = layer, name, PERSON

    def update(self, tick: Tick) -> Pose:
        return self.layer.update(tick)


class TestWorldOffset:
    def test_it_puts_the_figure_there(self) -> None:
        offset = WorldOffset(PERSON, (1.0, 2.0, 3.0), heading=np.pi / 2)
        figure = ff.Character(PERSON, [offset])
        places, _ = figure.step(DT).forward(PERSON)
        rest, _ = Pose.at_rest(PERSON).forward(PERSON)
        want = quat.rotate(quat.exp(np.array([0.0, np.pi / 2, 0.0])), rest) + np.array([1.0, 2.0, 3.0])
        np.testing.assert_allclose(places, want, atol=1e-12)

    def test_two_numbers_are_a_place_on_the_ground(self) -> None:
        ground = ff.open_terrain("bumps:7")
        figure = ff.Character(PERSON, [WorldOffset(PERSON, (0.4, 0.3))], world=ground)
        level = float(ground.height(np.array(0.4), np.array(0.3)))
        assert figure.step(DT).root[1] == pytest.approx(Pose.at_rest(PERSON).root[1] + level)

    @pytest.mark.parametrize("place", [(1.0,), (np.nan, 0.0), "ab", None])
    def test_what_is_no_place_is_refused(self, place: object) -> None:
        with pytest.raises(RequestError, match="place"):
            WorldOffset(PERSON, place)  # type: ignore[arg-type]


class TestIdle:
    def test_a_closed_motion_ends_as_it_begins(self, standing: Motion) -> None:
        loop = closed(standing)
        np.testing.assert_allclose(loop.root[0], loop.root[-1], atol=1e-12)
        assert np.abs(quat.angle_between(loop.rotations[0], loop.rotations[-1])).max() < 1e-7

    def test_it_stands_where_it_is_put_and_never_jumps(self, standing: Motion) -> None:
        offset = WorldOffset(PERSON, (3.0, -2.0), heading=1.0)
        figure = ff.Character(PERSON, [offset, IdleController(standing)])
        made = figure.record(3.0 * standing.seconds)
        assert np.abs(made.root[:, [0, 2]] - [3.0, -2.0]).max() < 0.1
        steps = np.linalg.norm(np.diff(made.positions, axis=0), axis=-1)
        own = np.linalg.norm(np.diff(standing.positions, axis=0), axis=-1)
        assert steps.max() < 3.0 * own.max() * standing.fps / 60.0 + 1e-3
        assert steps.mean() > 1e-5  # and is never quite still


class TestAnimation:
    def test_the_upper_part_leaves_the_legs_alone(self, standing: Motion) -> None:
        layer = AnimationController(PERSON)
        figure = ff.Character(PERSON, [WorldOffset(PERSON, (1.0, 1.0)), layer])
        layer.play(bowing(), part="upper", fade=0.2)
        chest, shares = PERSON.joint("chest"), part_shares(PERSON, "upper")
        bent = 0.0
        for _ in range(110):
            pose = figure.step(DT)
            np.testing.assert_allclose(
                pose.rotations[shares == 0.0],
                figure.stack["world offset"].update(Tick(pose, pose, 0.0, DT, None)).rotations[shares == 0.0],
                atol=1e-12,
            )
            bent = max(bent, float(quat.angle_between(pose.rotations[chest], PERSON.rest[chest])))
        assert bent == pytest.approx(0.5, abs=0.01)

    def test_it_comes_and_goes_smoothly(self) -> None:
        layer = AnimationController(PERSON)
        figure = ff.Character(PERSON, [WorldOffset(PERSON), layer])
        layer.play(bowing(), part="upper", fade=0.3)
        chest = PERSON.joint("chest")
        angles = [
            float(quat.angle_between(figure.step(DT).rotations[chest], PERSON.rest[chest]))
            for _ in range(140)
        ]
        assert np.abs(np.diff(angles, 2)).max() * 3600.0 < 12.0  # rad/s^2; the bow itself has 5
        assert angles[-1] < 1e-9
        assert not layer.plays

    def test_a_play_during_a_play_goes_on_from_where_the_figure_is(self) -> None:
        """It went back to the layers below for a frame: two metres."""
        walk = ff.VirtualActor().walk(1.3, steps=6).motion
        layer = AnimationController(PERSON)
        figure = ff.Character(PERSON, [WorldOffset(PERSON), layer])
        layer.play(walk)
        for _ in range(90):
            before = figure.step(DT)
        away = float(np.linalg.norm(before.root[[0, 2]]))
        assert away > 1.0
        layer.play(bowing(), fade=0.4)
        roots = [before.root] + [figure.step(DT).root for _ in range(100)]
        steps = np.linalg.norm(np.diff(roots, axis=0), axis=1)
        assert steps.max() < 1.6 * DT
        assert np.linalg.norm(roots[-1][[0, 2]]) > away - 0.01  # and it stays there while it bows

    def test_it_goes_back_at_a_walkers_pace(self) -> None:
        layer = AnimationController(PERSON)
        figure = ff.Character(PERSON, [WorldOffset(PERSON), layer])
        layer.play(ff.VirtualActor().walk(1.3, steps=6).motion, fade=0.2)
        roots = [figure.step(DT).root for _ in range(600)]
        assert np.linalg.norm(roots, axis=1).max() > 2.0
        assert np.linalg.norm(np.diff(roots, axis=0), axis=1).max() < 2.0 * DT
        assert not layer.plays
        np.testing.assert_allclose(roots[-1], Pose.at_rest(PERSON).root, atol=1e-9)

    def test_other_parts_come_and_go_without_a_jump(self) -> None:
        layer = AnimationController(PERSON)
        figure = ff.Character(PERSON, [WorldOffset(PERSON), layer])
        walk, angles = ff.VirtualActor().walk(1.3, steps=6).motion, []
        for frame in range(240):
            if frame % 20 == 0:
                layer.play(
                    [walk, bowing()][frame // 20 % 2], part=["whole", "upper", "left arm"][frame // 20 % 3]
                )
            before, pose = figure.pose, figure.step(DT)
            angles.append(float(quat.angle_between(before.rotations, pose.rotations).max()))
        own = float(quat.angle_between(walk.rotations[1:], walk.rotations[:-1]).max())
        assert max(angles[1:]) < own + 3.0 * DT

    def test_what_is_refused_changes_nothing(self) -> None:
        layer = AnimationController(PERSON)
        layer.play(bowing())
        with pytest.raises(RequestError, match="fade"):
            layer.play(bowing(), part="upper", fade=np.nan)
        assert "whole" in repr(layer)

    def test_another_figure_is_refused(self) -> None:
        other = ff.VirtualActor(seed=3).idle(2.0).motion
        layer = AnimationController(PERSON)
        if not PERSON.same_bones(other.skeleton):
            with pytest.raises(RequestError, match="retarget"):
                layer.play(other)
        with pytest.raises(RequestError, match="part"):
            layer.play(bowing(), part="tail")


class TestGrab:
    def test_fingers_close_as_far_as_the_thing_lets_them(self) -> None:
        grab = GrabController(PERSON)
        poses = grab.poses("right")
        assert poses is not None
        hand = poses.hand
        middle = hand.palm_length * hand.along + 0.055 * hand.normal
        ball = Placed(Sphere(0.035), middle, quat.identity())
        taken = close_hand(poses, ball, PalmPlacement(np.zeros(3), quat.identity()))
        figure = ff.Character(PERSON, [WorldOffset(PERSON), grab])
        before = figure.step(DT)
        grab.open("right")
        grab.close("right", taken, seconds=0.3)
        for _ in range(40):
            pose = figure.step(DT)
        want = taken.rotations()
        for role, turn in want.items():
            assert float(quat.angle_between(pose.rotations[PERSON.joint(role)], turn)) < 1e-7
        others = [j for j in range(len(PERSON)) if j not in set(hand.joints.tolist())]
        np.testing.assert_array_equal(pose.rotations[others], before.rotations[others])
        grab.relax("right")
        for _ in range(40):
            pose = figure.step(DT)
        np.testing.assert_allclose(pose.rotations, before.rotations, atol=1e-12)

    def test_a_held_thing_goes_with_the_hand(self) -> None:
        grab = GrabController(PERSON)
        offset = WorldOffset(PERSON)
        figure = ff.Character(PERSON, [offset, grab])
        grab.hold("left", HeldThing("ball", np.array([0.0, 0.1, 0.0]), quat.identity()))
        first = grab.carried(*figure.step(DT).forward(PERSON))["ball"][0]
        offset.move_to((1.0, 2.0))
        second = grab.carried(*figure.step(DT).forward(PERSON))["ball"][0]
        np.testing.assert_allclose(second - first, [1.0, 0.0, 2.0], atol=1e-12)
        with pytest.raises(RequestError, match="left hand is full: it holds 'ball'"):
            grab.hold("left", HeldThing("cup", np.zeros(3), quat.identity()))
        gone = grab.let_go("left")
        assert gone is not None
        assert gone.name == "ball"
        assert not grab.held
        with pytest.raises(RequestError, match="no 'third' hand"):
            grab.open("third")


def test_poses_are_mixed_the_short_way() -> None:
    rest = Pose.at_rest(PERSON)
    turned = np.array(rest.rotations)
    turned[0] = -quat.multiply(quat.exp(np.array([0.0, 1.0, 0.0])), turned[0])
    half = mixed(rest, Pose(rest.root + np.array([0.0, 0.0, 1.0]), turned), 0.5)
    assert half.root[2] == pytest.approx(0.5)
    assert float(quat.angle_between(half.rotations[0], rest.rotations[0])) == pytest.approx(0.5)


def test_playing_between_frames_is_in_between() -> None:
    motion = bowing()
    playing = Playing(motion, time=0.5 + 0.5 / 60.0)
    chest = PERSON.joint("chest")
    angles = [float(quat.angle_between(p[chest], PERSON.rest[chest])) for p in motion.rotations[30:32]]
    got = float(quat.angle_between(playing.pose.rotations[chest], PERSON.rest[chest]))
    assert got == pytest.approx(np.mean(angles), abs=1e-9)
