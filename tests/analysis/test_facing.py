"""Headings and speeds of figures that are carried along known paths."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.actor.humanoid import humanoid
from footfall.analysis.facing import locomotion, root_headings, trunk_headings
from footfall.figure.mirror import mirror
from footfall.figure.motion import Motion
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from tests.analysis.truth import placed
from tests.captured import ROWS, captured, clips
from tests.captures import needs_captures
from tests.figure.figures import framed
from tests.figure.figures import humanoid as figure
from tests.gaits import made

FPS = 100.0
HEADINGS = (root_headings, trunk_headings)


def carried(places: np.ndarray, headings: np.ndarray) -> Motion:
    """A stiff figure moved along the ground."""
    skeleton = humanoid()
    rotations = np.tile(quat.identity(len(skeleton)), (len(places), 1, 1))
    rotations[:, 0] = ground.turn(headings)
    return Motion(skeleton, places, rotations, FPS)


def circled(radius: float, rate: float, seconds: float, aside: float = 0.0) -> tuple[Motion, np.ndarray]:
    """Around a circle to the left, looking ahead, or `aside` of that."""
    t = np.arange(round(seconds * FPS) + 1) / FPS
    along = rate * t
    places = radius * np.stack([-np.cos(along), np.full(len(t), 0.95 / radius), np.sin(along)], axis=-1)
    return carried(places, along + aside), along + aside


@pytest.mark.parametrize("measure", HEADINGS)
class TestHeadings:
    def test_follow_the_body_round_and_round(self, measure) -> None:  # type: ignore[no-untyped-def]
        motion, headings = circled(2.0, 1.1, 14.0)
        assert np.ptp(headings) > 4 * np.pi
        assert_allclose(measure(motion), headings, rtol=0, atol=1e-9)

    @pytest.mark.parametrize("turn", [0.7, -2.9])
    def test_turn_with_the_world(self, measure, turn: float) -> None:  # type: ignore[no-untyped-def]
        motion = made("turn", 60.0).motion
        moved = placed(motion, (1.0, 2.0, 3.0), turn)
        away = ground.wrap(measure(moved) - measure(motion) - turn)
        assert_allclose(away, 0.0, atol=1e-9)

    def test_are_negative_in_the_mirror(self, measure) -> None:  # type: ignore[no-untyped-def]
        motion = made("turn", 60.0).motion
        assert_allclose(measure(mirror(motion)), -measure(motion), rtol=0, atol=1e-9)

    def test_do_not_depend_on_joint_frames(self, measure) -> None:  # type: ignore[no-untyped-def]
        """A skeleton whose joints' axes point anywhere faces +Z at rest all the same."""
        skeleton = framed(figure(), 3)
        motion = Motion(skeleton, np.zeros((1, 3)), skeleton.rest[None], FPS)
        assert_allclose(measure(motion), 0.0, atol=1e-9)

    def test_do_not_care_for_leaning(self, measure) -> None:  # type: ignore[no-untyped-def]
        motion, headings = circled(2.0, 1.1, 2.0)
        rotations = np.array(motion.rotations)
        rotations[:, 0] = quat.multiply(rotations[:, 0], quat.exp(np.array([0.5, 0.0, 0.0])))
        assert_allclose(measure(motion.with_rotations(rotations)), headings, rtol=0, atol=1e-9)


def test_the_trunk_is_hips_and_shoulders_together() -> None:
    """Shoulders turned against the hips by as much as each other leave the heading where it was."""
    motion, headings = circled(2.0, 0.4, 2.0)
    rotations = np.array(motion.rotations)
    rotations[:, 0] = quat.multiply(rotations[:, 0], ground.turn(0.2))
    chest = motion.skeleton.joint("chest")
    rotations[:, chest] = quat.multiply(rotations[:, chest], ground.turn(-0.4))
    twisted = motion.with_rotations(rotations)
    assert_allclose(trunk_headings(twisted), headings, rtol=0, atol=1e-9)
    assert_allclose(root_headings(twisted), headings + 0.2, rtol=0, atol=1e-9)


def test_without_hips_and_shoulders_the_root_must_do() -> None:
    motion, headings = circled(2.0, 0.4, 2.0)
    bare = replace(motion, skeleton=replace(motion.skeleton, roles={"hips": 0}))
    assert_allclose(trunk_headings(bare), headings, rtol=0, atol=1e-9)


class TestLocomotion:
    @pytest.mark.parametrize("aside", [0.0, 0.5, np.pi / 2, -2.0])
    @pytest.mark.parametrize("rate", [0.3, 1.5])
    def test_on_a_circle(self, rate: float, aside: float) -> None:
        """Someone who looks to the left of the way goes to their own right."""
        motion, headings = circled(1.5, rate, 3.0, aside)
        forward, turn, left = locomotion(motion, headings, 20, 280)
        assert turn == pytest.approx(rate, abs=1e-9)
        assert forward == pytest.approx(1.5 * rate * np.cos(aside), abs=1e-3 * rate)
        assert left == pytest.approx(-1.5 * rate * np.sin(aside), abs=1e-3 * rate)

    def test_straight_ahead(self) -> None:
        heading = 0.8
        t = np.arange(200) / FPS
        places = 1.3 * t[:, None] * ground.direction_of(heading) + [0.0, 0.9, 0.0]
        motion = carried(places, np.full(len(t), heading))
        assert locomotion(motion, root_headings(motion), 10, 150) == pytest.approx((1.3, 0.0, 0.0), abs=1e-9)

    def test_sideways_is_positive_to_the_left(self) -> None:
        t = np.arange(50) / FPS
        motion = carried(0.4 * t[:, None] * ground.LEFT, np.zeros(len(t)))
        assert locomotion(motion, root_headings(motion), 0, 49) == pytest.approx((0.0, 0.0, 0.4), abs=1e-9)

    def test_of_no_time_is_nothing(self) -> None:
        motion, headings = circled(1.0, 1.0, 1.0)
        assert locomotion(motion, headings, 5, 5) == (0.0, 0.0, 0.0)


@needs_captures
def test_net_turns_of_captures_are_the_readmes() -> None:
    """Turns of clips without a spin on the spot, to within what a stride sways."""
    wrong = {}
    for file in clips("walk", "turn-side-back"):
        headings = trunk_headings(captured(file))
        turned, stated = float(np.degrees(headings[-1] - headings[0])), float(ROWS[file]["net_turn_deg"])
        if abs(turned - stated) > 12.0:
            wrong[file] = (turned, stated)
    assert not wrong
