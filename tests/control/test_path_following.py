"""A character follows paths over bumps and round sharp corners, and stands at the goal as it was told."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import footfall as ff
from footfall.analysis.certificate import certificate
from footfall.control.path_steering import PathController
from footfall.control.walked import joined_reference
from footfall.geometry.ground import wrap
from footfall.models.ring.default import default_gaits
from footfall.models.ring.limits import limits_of
from footfall.models.ring.on_the_spot import middle
from footfall.planning.path import Path
from footfall.world.shapes.cylinder import Cylinder
from footfall.world.shapes.distance import distances, grouped
from footfall.world.shapes.placed import Placed
from tests.control.seeded_paths import (
    Course,
    Followed,
    bumps,
    follow,
    obstacle_course,
    off_path,
    smooth_course,
)

OFF, AWAY, TURNED = 0.3, 0.1, np.radians(5.0)  # m, m, rad: what is promised
SEEDS = (("smooth", 1), ("smooth", 18), ("obstacles", 10), ("obstacles", 26))


@cache
def followed(kind: str, seed: int) -> tuple[Course, Followed]:
    course = {"smooth": smooth_course, "obstacles": obstacle_course}[kind](seed, bumps(7))
    return course, follow(course, default_gaits())


@pytest.fixture(params=SEEDS, ids=lambda one: f"{one[0]}-{one[1]}")
def walk(request: pytest.FixtureRequest) -> tuple[Course, Followed]:
    return followed(*request.param)


def level(points: list[tuple[float, float]]) -> Path:
    return Path(np.array([(x, 0.0, z) for x, z in points]))


def walked(
    path: Path, seconds: float = 60.0, place: tuple[float, float] | None = None, **options: object
) -> tuple[PathController, np.ndarray]:
    """On level ground, to the end of a path; and where the hips were."""
    x, z = path.points[0, [0, 2]] if place is None else place
    gait = ff.GaitController(default_gaits(), place=(x, z))
    steering = PathController(gait, path, **options)  # type: ignore[arg-type]
    figure, places = ff.Character(gait.skeleton, [steering, gait]), []
    while not steering.arrived and len(places) < 60 * seconds:
        places.append(figure.step(1 / 60).root)
    return steering, np.array(places)


class TestOverBumps:
    def test_it_keeps_to_the_path_and_stands_at_the_goal(self, walk: tuple[Course, Followed]) -> None:
        _, made = walk
        assert made.arrived
        assert made.resting
        assert made.off < OFF
        assert made.away < AWAY
        assert made.turned < TURNED
        assert not made.remarks

    def test_the_motion_is_as_smooth_as_what_it_is_made_of(self, walk: tuple[Course, Followed]) -> None:
        course, made = walk
        reference = joined_reference([ring.reference for ring in default_gaits().rings.values()])
        told = certificate(made.motion, terrain=course.terrain, reference=reference)
        assert told.acceleration_ratio is not None
        assert told.acceleration_ratio < 2.0
        assert told.bone_stretch_max < 1e-6
        assert told.penetration_max_m is not None
        assert told.penetration_max_m < 0.03

    def test_one_foot_always_stands_and_feet_take_turns(self, walk: tuple[Course, Followed]) -> None:
        contacts = walk[1].motion.contacts
        assert contacts is not None
        stands = np.stack([contacts.stands(side) for side in ("left", "right")], axis=-1)
        assert stands.any(axis=-1).all()
        left, foot = np.nonzero(stands[:-1] & ~stands[1:])
        again = np.diff(left)[foot[1:] == foot[:-1]]
        # only after a stop may a foot go twice, and then not at once
        assert len(again) <= 1 + walk[1].stops
        assert (again > 24).all()  # frames

    def test_obstacles_are_not_touched(self) -> None:
        for seed in (10, 26):
            course, made = followed("obstacles", seed)
            others = grouped([Placed(o.shape, o.position, o.orientation) for o in course.obstacles])
            body = Cylinder(0.1, 0.4)
            near = min(distances(Placed(body, hips), others).min() for hips in made.motion.root[::6])
            assert near > 0.0

    def test_the_same_again_is_the_same(self) -> None:
        course, made = followed("obstacles", 10)
        again = follow(course, default_gaits())
        np.testing.assert_array_equal(made.motion.root, again.motion.root)
        np.testing.assert_array_equal(made.motion.rotations, again.motion.rotations)


class TestCorners:
    @pytest.mark.parametrize("degrees", [30.0, -60.0, 75.0, -90.0, 135.0, 180.0])
    def test_any_corner_is_gone_round(self, degrees: float) -> None:
        turn = np.radians(degrees)
        path = level([(0.0, 0.0), (0.0, 3.0), (2.5 * np.sin(turn), 3.0 + 2.5 * np.cos(turn))])
        steering, places = walked(path)
        assert steering.arrived
        assert off_path(places, path) < OFF

    def test_a_sharp_corner_is_turned_standing_and_a_gentle_one_is_not(self) -> None:
        for degrees, stops in ((40.0, 0), (90.0, 1)):
            turn = np.radians(degrees)
            path = level([(0.0, 0.0), (0.0, 3.0), (3.0 * np.sin(turn), 3.0 + 3.0 * np.cos(turn))])
            gait = ff.GaitController(default_gaits())
            steering = PathController(gait, path)
            figure, resting = ff.Character(gait.skeleton, [steering, gait]), []
            while not steering.arrived and len(resting) < 3600:
                figure.step(1 / 60)
                resting.append(gait.walker.ring.resting)
            rest = np.array(resting)
            assert np.count_nonzero(rest[1:] & ~rest[:-1]) == stops + 1  # the last one is the goal

    def test_a_square_is_walked_round(self) -> None:
        path = level([(0.0, 0.0), (0.0, 2.0), (2.0, 2.0), (2.0, 0.0), (0.0, 0.0)])
        steering, places = walked(path, heading=0.0)
        assert steering.arrived
        assert off_path(places, path) < OFF


class TestTheEnds:
    @pytest.mark.parametrize("heading", [0.4, -1.2, np.pi])
    def test_it_faces_as_it_is_told(self, heading: float) -> None:
        steering, places = walked(level([(0.0, 0.0), (0.5, 3.0)]), heading=heading)
        away, turned = steering.off
        assert steering.arrived
        assert away < AWAY
        assert turned < TURNED
        assert np.hypot(*(places[-1] - steering.path.points[-1])[[0, 2]]) < AWAY

    def test_who_is_there_stays(self) -> None:
        steering, places = walked(level([(-0.12, 0.0)]), place=(0.0, 0.0))  # its left foot is there
        assert steering.arrived
        assert np.ptp(places, axis=0).max() < 0.03

    def test_a_goal_behind_is_turned_to(self) -> None:
        path = level([(0.0, 0.0), (0.0, -2.0)])
        steering, places = walked(path)
        assert steering.arrived
        assert off_path(places, path) < OFF

    def test_it_follows_another_path_from_where_it_is(self) -> None:
        first = level([(0.0, 0.0), (0.0, 6.0)])
        gait = ff.GaitController(default_gaits())
        steering = PathController(gait, first, heading=1.0)
        figure = ff.Character(gait.skeleton, [steering, gait])
        for _ in range(180):
            figure.step(1 / 60)
        root = figure.pose.root
        steering.path = level(
            [(root[0], root[2]), (root[0] + 0.5, root[2] + 1.5), (root[0] + 2.5, root[2] + 2.0)]
        )
        for _ in range(1500):
            figure.step(1 / 60)
        assert steering.arrived
        assert np.hypot(*(figure.pose.root - steering.path.points[-1])[[0, 2]]) < AWAY

    def test_s_goes_along_the_path(self) -> None:
        path = level([(0.0, 0.0), (0.0, 2.0), (2.0, 2.0)])
        gait = ff.GaitController(default_gaits())
        steering = PathController(gait, path)
        figure, told = ff.Character(gait.skeleton, [steering, gait]), []
        while not steering.arrived and len(told) < 1800:
            figure.step(1 / 60)
            told.append(steering.s)
        assert np.diff(told).min() > -0.1  # hips go to and fro a little
        assert told[-1] == pytest.approx(path.length, abs=0.15)


class TestOnTheSpot:
    @pytest.mark.parametrize("seed", range(6))
    def test_a_rest_steps_to_a_place_and_turns_as_it_does(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        gait = ff.GaitController(default_gaits(), heading=0.5)
        for _ in range(60):
            gait.advance(1 / 60)
        place = middle(gait.walker.state)[[0, 2]] + rng.uniform(-0.1, 0.1, 2)
        heading = float(rng.uniform(-np.pi, np.pi)) if seed else gait.heading  # the first has only to sidle
        gait.command(heading=heading)
        gait.walker.stand_at(*place.tolist())
        stands = []
        for _ in range(480):
            gait.advance(1 / 60)
            stands.append(gait.contacts.reshape(2, 2).any(axis=0))  # heels and toes of either foot
        lifts = np.count_nonzero(np.array(stands[:-1]) & ~np.array(stands[1:]))
        assert not gait.walker.stepping
        assert np.hypot(*(middle(gait.walker.state)[[0, 2]] - place)) < 0.055
        assert abs(wrap(gait.heading - heading)) < 0.031
        assert lifts <= 9


class TestLimits:
    """What a gait says of itself is what it does."""

    def circled(self, turn: float, step_length: float) -> tuple[float, float]:
        """m/s and rad/s of a walk that always wishes to turn."""
        gait = ff.GaitController(default_gaits(), gait="walk")
        places, headings = [], []
        for k in range(840):
            gait.command(turn=turn, step_length=step_length)
            root = gait.advance(1 / 60)
            if k >= 240:
                places.append(root[[0, 2]].copy())
                headings.append(gait.heading)
        way = float(np.hypot(*np.diff(places[::6], axis=0).T).sum())
        return way / 10.0, float(np.ptp(np.unwrap(headings))) / 10.0

    def test_it_turns_at_least_as_it_says(self) -> None:
        limits = limits_of(default_gaits()["walk"])
        for turn in (1.2, -1.2):
            speed, rate = self.circled(turn, limits.step_length(limits.slowest))
            assert rate > limits.turn_rate
            assert speed / rate < limits.radius(limits.slowest)
            assert speed / rate > 0.85 * limits.tightest  # and the curve it says is the tightest nearly is

    def test_it_goes_as_slowly_and_as_fast_as_it_says(self) -> None:
        limits = limits_of(default_gaits()["walk"])
        slow = self.circled(0.0, limits.step_length(limits.slowest))[0]
        assert slow == pytest.approx(limits.slowest, rel=0.1)
        assert 0.8 * limits.fastest < self.circled(0.0, limits.longest)[0] <= limits.fastest


class TestRequests:
    def test_only_a_gait_and_a_path_will_do(self) -> None:
        gait = ff.GaitController(default_gaits())
        with pytest.raises(ff.RequestError, match="along a Path"):
            PathController(gait, [(0.0, 0.0)])  # type: ignore[arg-type]
        with pytest.raises(ff.RequestError, match="heading"):
            PathController(gait, level([(0.0, 0.0), (0.0, 1.0)]), heading=float("nan"))
        with pytest.raises(ff.RequestError, match="rest"):
            PathController(gait, level([(0.0, 0.0), (0.0, 1.0)]), going="rest")

    def test_where_the_ground_ends_it_stays_on_it(self) -> None:
        path = level([(0.0, 5.0), (30.0, 5.0)])
        gait = ff.GaitController(default_gaits(), place=(0.0, 5.0), heading=1.5)
        steering = PathController(gait, path)
        figure = ff.Character(gait.skeleton, [steering, gait], world=bumps(7))
        for _ in range(1800):
            assert abs(figure.step(1 / 60).root[0]) < 5.1  # m: at 5 the ground ends
        assert not steering.arrived
