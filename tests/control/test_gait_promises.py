"""What users of gaits rely on: level floors without end, stops that are said and left again, no pops."""

from __future__ import annotations

import numpy as np
import pytest

import footfall as ff
from footfall.actor.virtual_actor import VirtualActor
from footfall.errors import RequestError
from footfall.figure.kinematics import forward
from footfall.figure.motion import Motion
from footfall.geometry import quaternion as quat
from footfall.models.ring import layout
from footfall.models.ring.default import default_gaits
from footfall.models.ring.graph import RingGraph
from footfall.models.ring.model import MotionRing
from footfall.world.terrain import Terrain
from tests.models.ring.plain_ground import table


def character(
    rings: MotionRing | RingGraph, world: Terrain | None = None, gait: str | None = None
) -> tuple[ff.Character, ff.GaitController]:
    control = ff.GaitController(rings, gait=gait)
    return ff.Character(rings.skeleton, [control], world=world), control


def run(figure: ff.Character, seconds: float) -> None:
    for _ in range(round(60 * seconds)):
        figure.step(1 / 60)


@pytest.mark.parametrize("gait", ["walk", "run", "back", "left", "right"])
def test_every_gait_goes_on_on_a_level_floor(gait: str) -> None:
    """What a strike is off the ground does not add up from step to step."""
    figure, control = character(default_gaits(), gait=gait)
    run(figure, 20.0)
    assert control.status.gait == gait, list(control.remarks)
    assert control.status.says == "walking"
    assert abs(control.walker.state[layout.ORIGIN + 1]) < 0.02  # m


@pytest.mark.parametrize("speeds", [(0.9, 1.2, 1.5), (1.0, 1.3)])
def test_a_ring_of_a_few_level_walks_goes_on(speeds: tuple[float, ...]) -> None:
    figure, control = character(ff.build_ring([VirtualActor().walk(speed) for speed in speeds]))
    run(figure, 20.0)
    assert figure.pose.root[2] > 10.0
    assert control.status.says == "walking"


def test_a_figure_of_half_the_size_walks() -> None:
    def small(speed: float, turn: float) -> Motion:
        motion = VirtualActor().walk(speed, turn_rate=turn).motion
        return Motion(motion.skeleton.scaled(0.5), 0.5 * motion.root, motion.rotations, motion.fps)

    ring = ff.build_ring([small(speed, turn) for speed in (0.8, 1.2, 1.5) for turn in (-0.5, 0.0, 0.5)])
    figure, control = character(ring)
    run(figure, 20.0)
    assert control.status.says == "walking"
    assert figure.pose.root[2] > 5.0


def test_who_stands_for_want_of_ground_says_so() -> None:
    figure, control = character(default_gaits()["walk"], table(0.3, 0.3))
    run(figure, 10.0)
    assert control.status.says == "standing"
    assert any("no ground" in said for said in control.remarks)


def test_a_heading_sets_out_again_after_a_stop() -> None:
    """Nobody has to name the gait anew: a way was without ground, and another one is tried."""
    control = ff.GaitController(default_gaits(), gait="walk")
    figure = ff.Character(control.skeleton, [control], world=table(1.2, 1.2))
    stopped = False
    for _ in range(12):
        run(figure, 1.0)
        stopped = stopped or control.status.gait == "rest"
    assert stopped
    assert control.remarks
    moved = 0.0
    for heading in np.linspace(-3.0, 3.0, 7):
        before = figure.pose.root.copy()
        control.command(heading=float(heading))
        run(figure, 6.0)
        moved = max(moved, float(np.linalg.norm(figure.pose.root - before)))
    assert moved > 0.3  # m


@pytest.mark.parametrize("gait", ["run", "walk"])
def test_no_joint_pops_on_the_way_to_a_rest(gait: str) -> None:
    control, worst = ff.GaitController(default_gaits(), gait=gait), 0.0
    before = control.advance(0.0).copy()
    for k in range(6000):
        if k % 3000 == 0:
            control.command(gait=gait)
        if k % 3000 == 1500:
            control.command(gait="rest")
        now = control.advance(1e-3)
        away = quat.angle_between(before[3:].reshape(-1, 4), now[3:].reshape(-1, 4))
        before, worst = now.copy(), max(worst, float(away.max()))
    assert np.degrees(worst) < 5.0  # in a millisecond


@pytest.mark.parametrize("turn", [-3.0, -1.0, 0.5, 1.5])
def test_setting_out_with_a_turn_is_as_smooth_as_walking(turn: float) -> None:
    made = ff.walk(default_gaits(), [ff.Command(0.3, gait="walk", turn=turn)], 4.0)
    ratio = made.certificate().acceleration_ratio
    assert ratio is not None
    assert ratio < 2.0


def test_a_second_lost_in_a_change_of_gait_leaves_feet_near_the_ground() -> None:
    rings = default_gaits()
    feet = [rings.skeleton.joint(f"{side}_foot") for side in ("left", "right")]
    for wait in range(0, 60, 12):
        figure, control = character(rings)
        run(figure, 1.0 + wait / 60)
        control.command(gait="run")
        run(figure, 0.1)
        pose = figure.step(1.0)
        joints, _ = forward(rings.skeleton.tree, rings.skeleton.offsets, pose.root, pose.rotations)
        share = control.walker.state[layout.FRAME] / control.walker.ring.tables.half
        assert 0.0 <= share - control.walker.state[layout.HALF] <= 1.0
        assert joints[feet, 1].min() < 0.2  # m


@pytest.mark.parametrize("dt", [np.float32(1 / 60), np.int64(1), 1])
def test_a_step_of_any_kind_of_number_is_one(dt: float) -> None:
    figure, _ = character(default_gaits(), gait="walk")
    for _ in range(30):
        figure.step(dt)
    assert figure.time == pytest.approx(30 * float(dt))


@pytest.mark.parametrize("dt", [None, "soon", np.nan, -1.0, np.inf])
def test_what_is_no_time_is_none(dt: object) -> None:
    figure, control = character(default_gaits(), gait="walk")
    before = figure.step(0.0).root.copy()
    assert np.linalg.norm(figure.step(dt).root - before) < 1e-9  # type: ignore[arg-type]
    control.advance(dt)  # type: ignore[arg-type]
    ff.Crowd(default_gaits()["walk"], np.zeros((1, 2))).step(dt)  # type: ignore[arg-type]


def test_a_world_that_is_none_is_refused_when_it_is_given() -> None:
    with pytest.raises(RequestError, match="terrain"):
        character(default_gaits(), "bumps:7")  # type: ignore[arg-type]
    figure, _ = character(default_gaits())
    with pytest.raises(RequestError, match="terrain"):
        figure.world = "bumps:7"  # type: ignore[assignment]
    with pytest.raises(RequestError, match="terrain"):
        ff.walk(default_gaits(), [], 1.0, terrain="bumps:7")  # type: ignore[arg-type]


def test_a_wish_at_rest_is_heard_at_once() -> None:
    control = ff.GaitController(default_gaits())
    control.advance(0.0)
    for k in range(300):
        if k % 37 == 0:
            control.command(turn=0.2)
        control.advance(1 / 60)
        assert control.walker.state[layout.RESPONSE] < 0.1  # s


def test_a_crowd_is_told_who_by_numbers_or_truths() -> None:
    crowd = ff.Crowd(default_gaits()["walk"], np.arange(8.0).reshape(4, 2))
    for who in (np.array([False, False, True, True]), np.array([2, 3])):
        before = crowd._states[:, layout.WISH_HEADING].copy()
        crowd.command(turn=0.3, who=who)
        heard = crowd._states[:, layout.WISH_HEADING] != before
        np.testing.assert_array_equal(heard, [False, False, True, True])
        crowd.step(1 / 60)
        crowd.command(heading=0.0)
    for wrong in ([0.5], [True]):
        with pytest.raises(RequestError, match="who"):
            crowd.command(turn=0.1, who=np.array(wrong))
    before = crowd._states[:, layout.WISH_LENGTH].copy()
    crowd.command(step_length=-3.0)
    np.testing.assert_array_equal(crowd._states[:, layout.WISH_LENGTH], before)
