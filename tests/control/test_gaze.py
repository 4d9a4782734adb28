"""A gaze is on its target, shares its turn as people do, moves smoothly, and never raises."""

from __future__ import annotations

from time import perf_counter

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.character import Character
from footfall.control.gaze import GazeController
from footfall.control.tick import Controller, Tick
from footfall.errors import RequestError
from footfall.figure.joint_limits import excess, limits_of
from footfall.figure.pose import Pose
from tests.control.gaze_judge import (
    EYES,
    aside,
    between_eyes,
    idle,
    looked,
    off_target,
    ray,
    seen_at,
    skeleton,
    standing,
    without_roles,
)


def steady(**settings: object) -> GazeController:
    return GazeController(skeleton(), saccades=False, **settings)  # type: ignore[arg-type]


def settled(gaze: GazeController, pose: Pose, seconds: float = 4.0) -> Pose:
    return looked(gaze, seconds, fps=10.0, pose=pose)[-1]


def test_the_eyes_are_on_a_thousand_random_targets_within_the_limits() -> None:
    figure, random = skeleton(), np.random.default_rng(3)
    limits, errors = limits_of(figure), []
    for _ in range(1000):
        base = standing(int(random.integers(len(idle()))))
        target = seen_at(random.uniform(-145, 145), random.uniform(-50, 40), random.uniform(0.3, 8.0), base)
        gaze = steady()
        gaze.command(look_at=target)
        pose = settled(gaze, base)
        errors.append(off_target(figure, pose, target))
        assert gaze.status.reached
        assert gaze.status.missed == pytest.approx(np.radians(errors[-1]), abs=1e-9)
        assert excess(limits, pose.rotations).max() < 1e-9
    assert max(errors) < 0.5  # degrees; a target beside the chest brings the eyes to the edge of their limits
    assert np.quantile(errors, 0.99) < 1e-6


def test_both_eyes_converge_on_what_is_near() -> None:
    gaze, target = steady(), seen_at(10.0, -10.0, 0.3)
    gaze.command(look_at=target)
    (a, u), (b, v) = (ray(skeleton(), settled(gaze, standing()), role) for role in EYES)
    # where the two rays meet, by least squares
    across = [np.eye(3) - np.outer(d, d) for d in (u, v)]
    meeting = np.linalg.solve(across[0] + across[1], across[0] @ a + across[1] @ b)
    assert_allclose(meeting, target, atol=1e-9)
    assert np.degrees(np.arccos(u @ v)) > 5.0


def test_what_the_layers_before_do_is_made_good() -> None:
    """The idling figure sways, nods and looks about; once there, the eyes stay on the target exactly."""
    gaze, motion, target = steady(), idle(), seen_at(40.0, 10.0)
    gaze.command(look_at=target)
    pose = standing()
    for k in range(len(motion)):
        pose = gaze.update(Tick(Pose(motion.root[k], motion.rotations[k]), pose, k / 60, 1 / 60, None))
        if k > 60:
            assert off_target(skeleton(), pose, target) < 1e-6


@pytest.mark.parametrize(
    ("turn", "head", "trunk"),
    [(8, (0, 0.35), (0, 0.05)), (40, (0.3, 0.8), (0, 0.1)), (90, (0.65, 0.85), (0.15, 0.35))],
)
def test_small_turns_are_of_the_eyes_larger_ones_of_the_head_and_the_largest_of_the_trunk_too(
    turn: float, head: tuple[float, float], trunk: tuple[float, float]
) -> None:
    base = Pose.at_rest(skeleton())
    gaze = steady()
    gaze.command(look_at=seen_at(turn, pose=base))
    pose = looked(gaze, 1.0, pose=base)[-1]
    for role, (least, most) in (("head", head), ("chest", trunk)):
        assert least <= aside(skeleton(), pose, role) / turn <= most
    assert_allclose(np.mean([aside(skeleton(), pose, role) for role in EYES]), turn, atol=3.0)


@pytest.mark.parametrize("turn", [40.0, 70.0, -70.0, 110.0])
def test_the_eyes_set_out_first_then_the_head_then_the_trunk(turn: float) -> None:
    fps, base = 500.0, Pose.at_rest(skeleton())
    gaze = steady()
    gaze.command(look_at=seen_at(turn, pose=base))
    poses = looked(gaze, 3.0, fps=fps, pose=base)
    setting_out = {}
    for role in ("left_eye", "head", "chest"):
        way = np.array([aside(skeleton(), pose, role) for pose in poses])
        setting_out[role] = np.argmax(way / way[-1] > 0.05) / fps
    assert setting_out["left_eye"] < 0.06
    assert 0.07 < setting_out["head"] - setting_out["left_eye"] < 0.2
    assert setting_out["chest"] > setting_out["head"] + 0.03


def test_the_head_takes_over_in_time() -> None:
    base = Pose.at_rest(skeleton())
    gaze = steady()
    gaze.command(look_at=seen_at(15.0, pose=base))
    early, late = (looked(gaze, seconds, pose=base)[-1] for seconds in (0.3, 6.0))
    assert aside(skeleton(), early, "head") < 3.0
    assert 7.0 < aside(skeleton(), late, "head") < 12.0


def test_what_lies_beyond_the_limits_is_looked_at_as_far_as_it_goes() -> None:
    gaze, target = steady(), seen_at(178.0)
    gaze.command(look_at=target)
    poses = looked(gaze, 5.0)
    assert gaze.status.says == "as far as it goes"
    assert not gaze.status.reached
    assert_allclose(np.degrees(gaze.status.missed), off_target(skeleton(), poses[-1], target), atol=1e-6)
    assert 5.0 < off_target(skeleton(), poses[-1], target) < 30.0
    assert max(excess(limits_of(skeleton()), pose.rotations).max() for pose in poses) < 1e-9
    turned = np.array([aside(skeleton(), pose, "head") for pose in poses])
    assert turned[-1] > 100.0
    assert np.diff(turned).min() > -0.05, "it goes one way round"


def test_a_pose_is_passed_on_as_it_came_before_and_after() -> None:
    gaze = steady()
    for pose in looked(gaze, 0.2):
        assert_array_equal(pose.rotations, standing().rotations)
    gaze.command(look_at=seen_at(-80.0, 20.0))
    assert (looked(gaze, 1.0)[-1].rotations != standing().rotations).any()
    gaze.command(look_at=None)
    last = looked(gaze, 10.0)[-1]
    assert_array_equal(last.rotations, standing().rotations)
    assert gaze.status.says == "at ease"
    assert gaze.target is None


def test_only_joints_on_the_way_to_the_eyes_are_turned() -> None:
    figure, gaze = skeleton(), steady()
    gaze.command(look_at=seen_at(100.0))
    pose = looked(gaze, 2.0)[-1]
    changed = np.flatnonzero((pose.rotations != standing().rotations).any(axis=1))
    way = {j for role in EYES for j in figure.tree.path(figure.joint("hips"), figure.joint(role))[1:]}
    assert set(changed) == way
    assert_array_equal(pose.root, standing().root)


def test_parts_can_be_left_out() -> None:
    base, target = Pose.at_rest(skeleton()), (2.0, 1.6, 1.5)
    gaze = steady(parts=("eyes", "head"))
    gaze.command(look_at=target)
    assert aside(skeleton(), settled(gaze, base), "chest") == 0.0
    gaze.command(gaze_parts=["eyes"], look_at=seen_at(30.0, pose=base))
    pose = settled(gaze, base, 12.0)
    assert abs(aside(skeleton(), pose, "head")) < 1e-6
    assert gaze.status.reached
    gaze.command(gaze_parts=["ears"])
    assert "'ears'" in gaze.remarks[-1]
    assert "eyes, head, trunk" in gaze.remarks[-1]


def test_a_joint_that_came_in_beyond_its_limits_does_not_jump() -> None:
    figure = skeleton()
    rotations = standing().rotations.copy()
    bent = np.radians(80.0) / 2.0
    rotations[figure.joint("neck")] = np.cos(bent), 0.0, np.sin(bent), 0.0
    base = Pose(standing().root, rotations)
    gaze = steady()
    gaze.command(look_at=(1.0, 1.6, 2.0))
    first = looked(gaze, 0.01, fps=1000.0, pose=base)[0]
    joints = [figure.joint(role) for role in ("spine", "chest", "neck", "head")]
    assert_allclose(first.rotations[joints], rotations[joints], atol=1e-5)


@pytest.mark.parametrize(
    "wish", [(np.nan, 0, 1), (1, 2), "ahead", 5, (1, 2, np.inf), (1e300, 0, 0), [[1], [2], [3]]]
)
def test_what_is_no_point_is_not_heard_and_said(wish: object) -> None:
    gaze, target = steady(), (0.5, 1.5, 2.0)
    gaze.command(look_at=target)
    gaze.command(look_at=wish)  # type: ignore[arg-type]
    if not isinstance(wish, list):
        assert gaze.target == target
        assert "look_at takes a point" in gaze.remarks[-1]
    assert np.isfinite(looked(gaze, 0.5)[-1].rotations).all()


def test_a_target_in_the_head_is_none_and_said_once() -> None:
    gaze = steady()
    gaze.command(look_at=between_eyes(skeleton(), standing()))
    poses = looked(gaze, 1.0)
    assert_array_equal(poses[-1].rotations, standing().rotations)
    assert sum("in the head" in remark for remark in gaze.remarks) == 1
    assert gaze.status.says == "at ease"


@pytest.mark.parametrize("dt", [np.nan, -1.0, np.inf, 1e300, 0.0, None])
def test_odd_times_do_no_harm(dt: float) -> None:
    gaze = steady()
    gaze.command(look_at=(1.0, 1.5, 1.0))
    for _ in range(3):
        pose = gaze.update(Tick(standing(), standing(), 0.0, dt, None))
        assert np.isfinite(pose.rotations).all()


def test_a_pose_that_is_no_numbers_is_passed_on_and_the_next_one_is_looked_with() -> None:
    gaze, target = steady(), seen_at(30.0)
    gaze.command(look_at=target)
    broken = object.__new__(Pose)
    for name, value in (
        ("root", np.full(3, np.nan)),
        ("rotations", standing().rotations),
        ("translations", None),
    ):
        object.__setattr__(broken, name, value)
    assert gaze.update(Tick(broken, broken, 0.0, 1 / 60, None)) is broken
    assert "not made of numbers" in gaze.remarks[-1]
    assert off_target(skeleton(), looked(gaze, 2.0)[-1], target) < 1e-6


def test_translations_are_kept_and_count() -> None:
    figure = skeleton()
    longer = figure.offsets * 1.3
    base = Pose(standing().root, standing().rotations, longer)
    gaze, target = steady(), (1.0, 1.2, 1.5)
    gaze.command(look_at=target)
    pose = looked(gaze, 2.0, pose=base)[-1]
    assert_array_equal(pose.translations, longer)
    assert off_target(figure, pose, target) < 1e-6


def test_a_character_bears_a_gaze_and_another_figure_is_refused() -> None:
    class Stands:
        name = "stands"

        def update(self, tick: Tick) -> Pose:
            return standing()

    gaze = steady()
    assert isinstance(gaze, Controller)
    figure = Character(skeleton(), [Stands(), gaze])
    figure.command(look_at=seen_at(50.0))
    motion = figure.record(2.0)
    last = Pose(motion.root[-1], motion.rotations[-1])
    assert off_target(skeleton(), last, seen_at(50.0)) < 1e-6
    assert "gaze: GazeController(on the target" in str(figure.stack)
    with pytest.raises(RequestError, match="knows no wish 'look_to'"):
        figure.command(look_to=(0, 0, 0))


@pytest.mark.parametrize(
    ("settings", "says"),
    [({"seed": -1}, "whole number"), ({"parts": ["tail"]}, "eyes, head, trunk"), ({"parts": 3}, "a list of")],
)
def test_what_it_is_made_of_is_checked(settings: dict, says: str) -> None:
    with pytest.raises(RequestError, match=says):
        GazeController(skeleton(), **settings)
    with pytest.raises(RequestError, match="a gaze needs a Skeleton"):
        GazeController("me")  # type: ignore[arg-type]


def test_a_figure_without_a_head_looks_nowhere_and_says_so() -> None:
    gaze = GazeController(without_roles("head"))
    gaze.command(look_at=(1.0, 1.0, 1.0))
    tick = Tick(standing(), standing(), 0.0, 1 / 60, None)
    assert gaze.update(tick) is tick.pose
    assert "no head" in gaze.remarks[0]


def test_an_update_costs_microseconds() -> None:
    gaze, tick = GazeController(skeleton()), Tick(standing(), standing(), 0.0, 1 / 60, None)
    gaze.command(look_at=seen_at(60.0))
    best = np.inf
    for _ in range(30):
        start = perf_counter()
        for _ in range(100):
            gaze.update(tick)
        best = min(best, (perf_counter() - start) / 100)
    assert best < 50e-6  # s; about 7 on a quiet machine, 70 in [body] table 2
