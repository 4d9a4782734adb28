"""Stretches between sharp corners, the lines that are walked, and where one is told to go along them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from footfall.errors import RequestError
from footfall.geometry.ground import wrap
from footfall.models.gait_limits import GaitLimits
from footfall.planning.corners import SHORTEST, STRAYS, stretches_of
from footfall.planning.path import Path
from footfall.planning.steering import Steering

WALK = GaitLimits(
    slowest=0.6,
    fastest=1.3,
    turn_rate=0.54,
    acceleration=1.2,
    braking=1.2,
    step_seconds=0.5,
    stopping=0.2,
)
RADIUS = WALK.radius(WALK.slowest)


def plan(points: object) -> Path:
    x, z = np.asarray(points, dtype=float).T
    return Path(np.stack([x, np.zeros(len(x)), z], axis=-1))


def arc(radius: float, turn: float) -> Path:
    """From the origin along +Z, then round to the left."""
    angles = np.linspace(0.0, turn, 200)
    return plan(np.stack([radius * (1.0 - np.cos(angles)), radius * np.sin(angles)], axis=-1))


def wandering(seed: int) -> Path:
    rng = np.random.default_rng(seed)
    headings = np.cumsum(rng.uniform(-1.5, 1.5, 7))
    legs = rng.uniform(0.6, 3.0, 7)[:, None] * np.stack([np.sin(headings), np.cos(headings)], axis=-1)
    return plan(np.concatenate([np.zeros((1, 2)), np.cumsum(legs, axis=0)]))


class TestStretches:
    def test_a_straight_path_is_its_own_line(self) -> None:
        path = plan([(0.0, 0.0), (3.0, 4.0)])
        (one,) = stretches_of(path, WALK)
        np.testing.assert_allclose(one.line, path.point(one.places), atol=1e-9)
        np.testing.assert_allclose(one.bends, 0.0, atol=1e-6)

    def test_a_curve_the_gait_can_walk_is_one_stretch(self) -> None:
        (one,) = stretches_of(arc(1.5 * RADIUS, np.pi), WALK)
        assert one.strays.max() < 0.1

    def test_a_sharp_corner_is_a_stop_at_that_corner(self) -> None:
        path = plan([(0.0, 0.0), (0.0, 3.0), (3.0, 3.0)])
        first, second = stretches_of(path, WALK)
        np.testing.assert_allclose(first.path.points[-1], [0.0, 0.0, 3.0], atol=0.06)
        np.testing.assert_allclose(second.path.points[0], first.path.points[-1])

    def test_a_gentle_corner_is_cut(self) -> None:
        turn = np.radians(45.0)
        path = plan([(0.0, 0.0), (0.0, 3.0), (3.0 * np.sin(turn), 3.0 + 3.0 * np.cos(turn))])
        (one,) = stretches_of(path, WALK)
        assert 0.05 < one.strays.max() < STRAYS
        assert one.bends.max() * RADIUS <= 1.0

    @pytest.mark.parametrize("seed", range(20))
    def test_stretches_are_the_path_and_can_be_walked(self, seed: int) -> None:
        path = wandering(seed)
        found = stretches_of(path, WALK)
        assert found[0].begins == 0.0
        for one, following in pairwise(found):
            assert one.begins + one.path.length == pytest.approx(following.begins, abs=0.01)
        assert found[-1].begins + found[-1].path.length == pytest.approx(path.length, abs=0.01)
        for one in found:
            np.testing.assert_allclose(one.line[[0, -1]], one.path.points[[0, -1]], atol=1e-9)
            inside = (one.places > SHORTEST) & (one.places < one.path.length - SHORTEST)
            assert (one.bends[inside] * RADIUS <= 1.0).all()
            assert (one.strays[inside] <= STRAYS).all()

    def test_the_line_is_the_mean_of_the_path_around(self) -> None:
        """Against sums over many points."""
        (one,) = stretches_of(arc(2.0, 1.5), WALK)
        for k in np.flatnonzero((one.places > one.reach) & (one.places < one.path.length - one.reach))[::5]:
            around = one.path.point(one.places[k] + np.linspace(-one.reach, one.reach, 20001))
            np.testing.assert_allclose(one.line[k], around.mean(axis=0), atol=1e-4)

    def test_a_gait_that_turns_at_once_needs_no_stop(self) -> None:
        nimble = GaitLimits(0.1, 1.0, 20.0, 5.0, 5.0, 0.5, 0.1)
        assert len(stretches_of(wandering(3), nimble)) == 1

    def test_points_that_nearly_coincide_do_no_harm(self) -> None:
        path = plan([(0.1, 0.3), (0.1, 2.7), (0.1 + 1e-16, np.nextafter(2.7, 3.0)), (0.4, 5.1)])
        for one in Steering(path, WALK).stretches:
            assert np.isfinite(one.at(np.array([0.0, 0.0, 1.0]), 0.6).heading)

    def test_a_way_straight_back_is_two_stretches(self) -> None:
        for s in (2.0, 2.025, 2.01):
            first, second = Steering(plan([(0.0, 0.0), (0.0, s), (0.0, -1.0)]), WALK).stretches
            assert first.line.points[-1, 2] == pytest.approx(s, abs=0.06)
            assert abs(wrap(second.line.heading(0.2) - first.line.heading(1.0))) > 3.0

    def test_a_path_of_one_point_is_a_stretch_of_no_length(self) -> None:
        (one,) = Steering(plan([(1.0, 2.0)]), WALK).stretches
        told = one.at(np.array([1.3, 0.0, 2.0]), 0.0)
        assert told.remaining == 0.0
        assert np.isfinite(told.heading)


class TestWhereToGo:
    def test_on_the_line_one_follows_it(self) -> None:
        (one,) = Steering(arc(3.0, 2.0), WALK).stretches
        for s in np.linspace(0.5, 4.0, 8):
            told = one.at(one.line.point(s), 0.0, s)
            assert told.s == pytest.approx(s, abs=1e-6)
            assert told.aside == pytest.approx(0.0, abs=1e-6)
            assert told.heading == pytest.approx(float(one.line.heading(s)), abs=1e-6)

    @pytest.mark.parametrize("aside", [-2.0, -0.2, 0.1, 1.0])
    def test_beside_it_one_goes_back(self, aside: float) -> None:
        (one,) = Steering(plan([(0.0, 0.0), (0.0, 8.0)]), WALK).stretches
        told = one.at(np.array([aside, 0.0, 3.0]), 0.6, 3.0)
        assert told.aside == pytest.approx(aside)
        assert np.sign(told.heading) == -np.sign(aside)
        assert abs(told.heading) <= 1.0
        if abs(aside) > 0.5:
            assert told.speed == WALK.slowest

    @pytest.mark.parametrize("seed", range(6))
    def test_speeds_are_within_the_limits_all_along(self, seed: int) -> None:
        for one in Steering(wandering(seed), WALK).stretches:
            s = np.linspace(0.0, one.line.length, 400)
            speeds = np.array([one.speed(at) for at in s])
            assert (speeds >= WALK.slowest - 1e-9).all()
            assert (speeds <= WALK.fastest + 1e-9).all()
            assert speeds[-1] == pytest.approx(WALK.slowest)
            slowing = -np.diff(speeds**2) / (2.0 * np.maximum(np.diff(s), 1e-9))
            assert slowing.max() <= WALK.braking

    @pytest.mark.parametrize("seed", range(12))
    def test_a_figure_that_turns_late_and_slowly_keeps_to_the_line(self, seed: int) -> None:
        """One that hears a wish once a step, and turns no faster than the gait does."""
        for one in Steering(wandering(seed), WALK).stretches:
            place, heading, s = one.line.points[0].copy(), float(one.line.heading(0.0)), 0.0
            wish, heard, worst = heading, 0.0, 0.0
            for _ in range(int(60 * one.line.length / WALK.slowest)):
                told = one.at(place, WALK.slowest, s)
                s, worst = told.s, max(worst, abs(told.aside))
                if told.remaining < 0.05:
                    break
                heard -= 1 / 60
                if heard <= 0.0:
                    wish, heard = told.heading, WALK.step_seconds
                most = WALK.turn_rate / 60
                heading += float(np.clip(wrap(wish - heading), -most, most))
                place = place + WALK.slowest / 60 * np.array([np.sin(heading), 0.0, np.cos(heading)])
            assert worst < 0.15


def test_what_is_no_path_or_no_limits_is_refused() -> None:
    with pytest.raises(RequestError, match="GaitLimits"):
        Steering(plan([(0.0, 0.0), (0.0, 1.0)]), None)  # type: ignore[arg-type]
    with pytest.raises(RequestError, match="Path"):
        Steering([(0.0, 0.0)], WALK)  # type: ignore[arg-type]


def test_the_kernel_finds_the_nearest_place_as_the_path_does() -> None:
    from footfall.planning.path import AROUND
    from footfall.planning.steering_kernel import nearest_along

    rng = np.random.default_rng(5)
    for _ in range(40):
        path = Path(np.cumsum(rng.normal(0.0, 1.0, (12, 3)) * [1.0, 0.2, 1.0], axis=0))
        for _ in range(10):
            place = path.point(rng.uniform(0.0, path.length)) + rng.normal(0.0, 0.3, 3)
            around = float(rng.uniform(0.0, path.length))
            low, high = np.clip([around - AROUND, around + AROUND], 0.0, path.length)
            got = nearest_along(path.points, path.along, place, low, high)
            want = path.nearest(place, around)
            assert low <= got <= high
            one, other = (float(np.linalg.norm(path.point(s) - place)) for s in (got, want))
            assert one == pytest.approx(other, abs=1e-9)
