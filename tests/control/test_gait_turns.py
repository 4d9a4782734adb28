"""Figures at rest that turn on the spot, come out of corners, and stop out of a run."""

from __future__ import annotations

import numpy as np
import pytest
from jaxtyping import Float

import footfall as ff
from footfall.geometry.ground import wrap
from footfall.models.ring import layout
from footfall.models.ring.default import default_gaits
from tests.models.ring.plain_ground import table


def advanced(control: ff.GaitController, seconds: float, world: ff.Terrain | None = None) -> np.ndarray:
    """All poses of some seconds."""
    return np.stack([control.advance(1 / 60, world).copy() for _ in range(round(60 * seconds))])


@pytest.mark.parametrize("heading", [0.1, 0.5, -0.9, 1.8, -2.5, 3.1])
def test_a_rest_turns_to_the_heading_it_is_told(heading: float) -> None:
    control = ff.GaitController(default_gaits())
    advanced(control, 0.5)
    control.command(heading=heading)
    poses = advanced(control, 5.0)
    assert control.status.gait == "rest"
    assert abs(wrap(control.heading - heading)) < 0.05
    assert np.linalg.norm(poses[-1, [0, 2]] - poses[0, [0, 2]]) < 0.25  # m: on the spot
    assert not control.remarks
    feet = [control.skeleton.joint(f"{side}_foot") for side in ("left", "right")]
    ankles = []
    for _ in range(120):  # it is done: weight may shift from foot to foot, but none steps
        control.advance(1 / 60)
        assert not control.walker.stepping
        ankles.append(control.pose.forward(control.skeleton)[0][feet])
    np.testing.assert_allclose(np.ptp(ankles, axis=0), 0.0, atol=0.01)


@pytest.mark.parametrize("heading", [-2.0, 0.4, 2.6])
def test_steps_on_the_spot_keep_the_certificate(heading: float) -> None:
    made = ff.walk(default_gaits(), [ff.Command(0.5, gait="rest", heading=heading)], 5.0)
    told = made.certificate()
    assert told.slide_max_m < 1e-4
    assert told.penetration_max_m < 1e-3
    assert told.acceleration_ratio < 2.0


def test_a_foot_that_steps_leaves_the_ground() -> None:
    made = ff.walk(default_gaits(), [ff.Command(0.5, gait="rest", heading=1.5)], 4.0, foot_lock=False)
    assert made.contacts is not None
    ankles = made.positions[:, [made.skeleton.joint(f"{side}_foot") for side in ("left", "right")]]
    for k, side in enumerate(("left", "right")):
        swings = ~made.contacts.stands(side)
        assert swings.any()
        assert np.ptp(ankles[swings, k, 1]) > 0.03  # m
    both = ~made.contacts.stands("left") & ~made.contacts.stands("right")
    assert not both.any()


def test_a_small_turn_as_it_comes_to_rest_is_let_be() -> None:
    """Who stops does not shuffle about for a few degrees nobody asked for."""
    control = ff.GaitController(default_gaits(), gait="walk")
    advanced(control, 3.0)
    control.command(gait="rest")
    advanced(control, 4.0)
    assert control.status.gait == "rest"
    assert not control.walker.stepped


def test_who_stands_in_a_corner_comes_out_of_it_when_told_once() -> None:
    floor, stopped = table(5.0), 0
    for heading in np.linspace(0.0, 6.2, 16):
        control = ff.GaitController(default_gaits(), heading=heading)
        control.advance(0.0, floor)
        control.command(gait="walk")
        advanced(control, 20.0, floor)
        if control.status.gait != "rest":
            continue
        stopped += 1
        root: Float[np.ndarray, "3"] = control.walker.pose[:3].copy()
        control.command(heading=float(np.arctan2(-root[0], -root[2])), gait="walk")
        away = advanced(control, 12.0, floor)[:, :3] - root
        assert np.linalg.norm(away, axis=1).max() > 2.0, (root, list(control.remarks))
    assert stopped > 0


def test_a_run_brakes_through_a_walk() -> None:
    control = ff.GaitController(default_gaits(), gait="run")
    advanced(control, 2.5)
    control.command(gait="rest")
    gaits, ahead = [], []
    for _ in range(240):
        ahead.append(control.advance(1 / 60)[2])
        gaits.append(control.status.gait)
    assert "walk" in gaits
    assert gaits[-1] == "rest"
    speed = np.convolve(np.diff(ahead) * 60, np.ones(6) / 6, "valid")
    assert np.abs(np.diff(speed) * 60).max() < 12.0  # m/s^2; it was 30


@pytest.mark.parametrize("fps", [8, 10, 15])
def test_gaits_are_changed_at_low_rates_too(fps: int) -> None:
    control = ff.GaitController(default_gaits(), gait="walk")
    control.advance(0.0)
    for gait in ("run", "rest", "walk", "rest"):
        control.command(gait=gait)
        for _ in range(4 * fps):
            control.advance(1 / fps)
        assert control.status.gait == gait


def test_a_rest_is_left_with_the_foot_of_the_side_it_turns_to() -> None:
    for turn in (-1.0, 1.0):
        control = ff.GaitController(default_gaits())
        advanced(control, 0.5)
        control.command(gait="walk", turn=turn)
        control.advance(1 / 60)
        assert control.walker.state[layout.HALF] == (1.0 if turn > 0.0 else 0.0)  # the other foot stands
