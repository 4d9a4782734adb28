"""Characters among each other, walls and moving obstacles: nobody is touched, everybody arrives."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy.spatial import cKDTree

from footfall.errors import RequestError
from footfall.planning.avoidance import Avoidance, MovingObstacles
from tests.planning.crowds import least_gap, on_circle, walk

TOUCH = -0.01  # m: overlaps up to a centimetre are none


def anywhere(seed: int, count: int = 60, wide: float = 6.0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Places, velocities and wishes in a crowd; some overlap."""
    rng = np.random.default_rng(seed)
    return rng.uniform(-wide, wide, (count, 2)), rng.normal(0, 0.7, (count, 2)), rng.normal(0, 1, (count, 2))


def test_a_free_way_is_gone_exactly_as_wished() -> None:
    avoidance = Avoidance([0.3, 0.3])
    wishes = np.array([[1.0, 0.2], [-0.3, 1.1]])
    places = np.array([[0.0, 0.0], [2.0, -3.0]])
    assert np.array_equal(avoidance.velocities(places, wishes, wishes, 0.1), wishes)
    assert np.hypot(*avoidance.velocities(places, wishes, 5.0 * wishes, 0.1)[0]) == pytest.approx(1.8)


@pytest.mark.parametrize("keep", ["left", "right"])
def test_two_head_on_pass_on_the_kept_side(keep: str) -> None:
    starts = np.array([[0.0, -5.0], [0.0, 5.0]])
    walked = walk(Avoidance([0.3, 0.3], keep=keep), starts, -starts, seconds=12.0)
    assert walked.least_gap > -1e-6
    assert walked.arrivals.max() < 1.1 * 10.0 / 1.4 + 0.2
    side = walked.trails[:, 0, 0]  # the first walks towards +Z: its left is +X
    side = side if keep == "left" else -side
    assert side.max() > 0.2
    assert side.min() > -0.02


def test_each_takes_half_of_the_effort() -> None:
    places, going = np.array([[0.0, -2.0], [0.1, 2.0]]), np.array([[0.0, 1.4], [0.0, -1.4]])
    after = Avoidance([0.3, 0.3], veer=0.0).velocities(places, going, going, 0.1)
    change = after - going
    assert np.hypot(*change[0]) > 0.05
    assert np.allclose(change[0], -change[1], atol=1e-9)
    # together they just do not touch within the horizon
    way, relative = places[1] - places[0], after[0] - after[1]
    time = np.clip(way @ relative / (relative @ relative), 0.0, 2.0)
    assert np.hypot(*(way - time * relative)) == pytest.approx(0.6, abs=0.02)


def test_four_crossing_all_pass() -> None:
    starts = 6.0 * np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
    walked = walk(Avoidance([0.3] * 4), starts, -starts, seconds=20.0)
    assert walked.least_gap > -1e-3
    assert walked.arrivals.max() < 1.5 * 12.0 / 1.4


@pytest.mark.parametrize("radius", [20.0, 40.0])
def test_two_hundred_swap_places_on_a_circle(radius: float) -> None:
    starts = on_circle(200, radius)
    straight = 2.0 * radius / 1.4
    walked = walk(Avoidance([0.3] * 200, speeds=1.4), starts, -starts, seconds=3.0 * straight)
    assert walked.least_gap > TOUCH
    assert walked.arrivals.max() < 3.0 * straight
    assert np.linalg.norm(walked.velocities, axis=-1).max() <= 1.4 + 1e-6


def test_a_crowd_goes_through_a_door() -> None:
    """60 in a room 10 m wide, a door of 1.2 m: nobody is squeezed or walks through the wall."""
    rng = np.random.default_rng(3)
    walls = np.array(
        [
            [[-5, 0], [-0.6, 0]], [[0.6, 0], [5, 0]],
            [[-5, 0], [-5, -10]], [[5, 0], [5, -10]], [[-5, -10], [5, -10]],
        ],
        dtype=float,
    )  # fmt: skip
    lattice = np.stack(np.meshgrid(np.linspace(-4, 4, 10), np.linspace(-9, -2, 6)), -1).reshape(-1, 2)
    places = lattice + rng.uniform(-0.1, 0.1, lattice.shape)
    avoidance = Avoidance(np.full(60, 0.25), walls=walls, speeds=1.4)
    going, dt = np.zeros_like(places), 0.1
    for _ in range(1200):
        goal = np.where(places[:, 1:] < 0.3, [0.0, 0.5], places + np.array([0.0, 5.0]))
        way = goal - places
        wishes = 1.3 * way / np.linalg.norm(way, axis=1, keepdims=True)
        going = avoidance.velocities(places, going, wishes, dt)
        places = places + dt * going
        assert least_gap(places, avoidance.radii) > TOUCH
        for a, b in walls:
            along = b - a
            share = np.clip((places - a) @ along / (along @ along), 0.0, 1.0)
            assert np.linalg.norm(places - a - share[:, None] * along, axis=1).min() > 0.25 + TOUCH
        if (places[:, 1] > 1.0).all():
            break
    assert (places[:, 1] > 1.0).all()


def test_a_wall_in_pieces_is_slid_along_like_one() -> None:
    ends = np.linspace(-10.0, 10.0, 41)
    pieces = np.array([[[a, 1.0], [b, 1.0]] for a, b in pairwise(ends)])
    tracks = []
    for walls in (np.array([[[-10.0, 1.0], [10.0, 1.0]]]), pieces):
        avoidance = Avoidance([0.3], walls=walls)
        place, going = np.array([[-8.0, 0.0]]), np.zeros((1, 2))
        track = []
        for _ in range(80):
            going = avoidance.velocities(place, going, np.array([[1.2, 0.6]]), 0.1)
            place = place + 0.1 * going
            track.append(place[0])
        tracks.append(np.array(track))
        assert place[0, 1] == pytest.approx(0.7, abs=1e-3)
        assert place[0, 0] == pytest.approx(1.6)  # as far along it as without
    assert np.abs(tracks[0] - tracks[1]).max() < 1e-6


def test_nobody_is_caught_at_the_corner_of_a_pillar() -> None:
    """One who presses against it slides along its side and goes on past the corner."""
    corners = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    walls = np.stack([corners, np.roll(corners, -1, axis=0)], axis=1)
    avoidance, wish = Avoidance([0.3], walls=walls), np.array([[0.4, 1.3]])
    place, going = np.array([[-1.0, -3.0]]), np.zeros((1, 2))
    trail = []
    for _ in range(60):
        going = avoidance.velocities(place, going, wish, 0.1)
        place = place + 0.1 * going
        trail.append(place[0])
    outside = np.linalg.norm(np.maximum(np.abs(trail) - 0.5, 0.0), axis=1)
    assert 0.3 - 1e-3 < outside.min() < 0.31
    assert np.allclose(going, wish)
    assert place[0, 1] > 1.5


def test_who_stands_behind_a_wall_is_not_minded() -> None:
    places, going = np.array([[0.0, 0.0], [0.0, 1.2]]), np.array([[0.3, 0.0], [0.0, -0.8]])
    wall = np.array([[[-5.0, 0.6], [5.0, 0.6]]])
    wishes = np.array([[0.3, 0.0], [0.0, 0.0]])
    parted = Avoidance([0.25] * 2, walls=wall).velocities(places, going, wishes, 0.1)
    open_to_view = Avoidance([0.25] * 2).velocities(places, going, wishes, 0.1)
    assert np.array_equal(parted[0], wishes[0])
    assert np.hypot(*(open_to_view[0] - wishes[0])) > 0.01


def test_a_moving_obstacle_is_left_all_the_room() -> None:
    """It crosses just as they would: all of the effort is the characters'."""

    def cart(time: float) -> MovingObstacles:
        return MovingObstacles(np.array([[-6.0 + 1.5 * time, 0.0]]), np.array([[1.5, 0.0]]), 0.8)

    starts = np.array([[0.0, -5.6], [-1.0, -5.2], [1.0, -6.0]])
    goals = starts + np.array([0.0, 11.0])
    walked = walk(Avoidance([0.3] * 3), starts, goals, seconds=15.0, obstacles=cart)
    times = 0.1 * np.arange(len(walked.trails))
    carts = np.stack([-6.0 + 1.5 * times, np.zeros_like(times)], -1)
    away = np.linalg.norm(walked.trails - carts[:, None], axis=-1)
    assert away.min() > 0.8 + 0.3 - 1e-3
    assert np.isfinite(walked.arrivals).all()
    # the same disc as a character takes half of the effort off the other
    places, going = np.array([[0.0, -2.0], [-2.0, 0.0]]), np.array([[0.0, 1.4], [1.5, 0.0]])
    alone = Avoidance([0.3], veer=0.0).velocities(places[:1], going[:1], going[:1], 0.1, cart(8.0 / 3.0))
    given = Avoidance([0.3, 0.8], veer=0.0).velocities(places, going, going, 0.1)
    assert np.hypot(*(given[0] - going[0])) > 0.05
    assert np.allclose(alone[0] - going[0], 2.0 * (given[0] - going[0]), atol=1e-9)


@pytest.mark.parametrize("seed", range(10))
def test_a_mirrored_world_has_the_mirrored_answer(seed: int) -> None:
    places, going, wishes = anywhere(seed)
    rng = np.random.default_rng(seed)
    walls = rng.uniform(-6, 6, (12, 2, 2))
    carts = MovingObstacles(rng.uniform(-6, 6, (4, 2)), rng.normal(0, 1, (4, 2)), rng.uniform(0.2, 1, 4))
    flip = np.array([-1.0, 1.0])
    limits = {"acceleration": 4.0, "turning": 3.0} if seed % 2 else {}
    one = Avoidance([0.3] * 60, walls=walls, keep="right", **limits)
    other = Avoidance([0.3] * 60, walls=walls * flip, keep="left", **limits)
    there = one.velocities(places, going, wishes, 0.1, carts)
    flipped = MovingObstacles(carts.positions * flip, carts.velocities * flip, carts.radii)
    here = other.velocities(places * flip, going * flip, wishes * flip, 0.1, flipped)
    assert np.allclose(here * flip, there, atol=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_the_same_question_has_the_same_answer(seed: int) -> None:
    places, going, wishes = anywhere(seed)
    given = (places.copy(), going.copy(), wishes.copy())
    avoidance = Avoidance([0.3] * 60, seed=seed)
    first = avoidance.velocities(places, going, wishes, 0.1)
    avoidance.velocities(-places, wishes, going, 0.05)  # nothing is kept in between
    assert np.array_equal(first, avoidance.velocities(places, going, wishes, 0.1))
    assert np.array_equal(first, Avoidance([0.3] * 60, seed=seed).velocities(places, going, wishes, 0.1))
    for before, after in zip(given, (places, going, wishes), strict=True):
        assert np.array_equal(before, after)


@pytest.mark.parametrize("seed", range(6))
def test_limits_of_speed_acceleration_and_turning_are_kept(seed: int) -> None:
    places, going, wishes = anywhere(seed)
    rng = np.random.default_rng(seed)
    speeds, acceleration, turning = rng.uniform(1, 2, 60), rng.uniform(0.5, 6, 60), rng.uniform(0.5, 8, 60)
    walls = rng.uniform(-6, 6, (12, 2, 2))
    avoidance = Avoidance([0.3] * 60, speeds=speeds, acceleration=acceleration, turning=turning, walls=walls)
    after = avoidance.velocities(places, going, wishes, 0.1)
    before = np.linalg.norm(going, axis=1)
    assert (np.linalg.norm(after - going, axis=1) <= 0.1 * acceleration + 1e-7).all()
    assert (np.linalg.norm(after, axis=1) <= np.maximum(speeds, before - 0.1 * acceleration) + 1e-7).all()
    cross = going[:, 0] * after[:, 1] - going[:, 1] * after[:, 0]
    angle = np.abs(np.arctan2(cross, np.sum(going * after, axis=1)))
    moving = (before >= 0.1) & (np.linalg.norm(after, axis=1) > 1e-6)
    assert (angle <= 0.1 * turning + 1e-5)[moving].all()
    assert moving.sum() > 40


@pytest.mark.parametrize("seed", range(4))
def test_those_who_overlap_are_pushed_apart(seed: int) -> None:
    places, _, _ = anywhere(seed, 40, 1.5)
    still = np.zeros_like(places)
    avoidance = Avoidance([0.3] * 40, neighbours=20)
    assert least_gap(places, avoidance.radii) < -0.4
    going = still
    for _ in range(150):
        going = avoidance.velocities(places, going, still, 0.1)
        places = places + 0.1 * going
    assert least_gap(places, avoidance.radii) > TOUCH


def test_those_at_one_place_come_apart() -> None:
    places = np.zeros((6, 2))
    going = np.zeros_like(places)
    avoidance = Avoidance([0.3] * 6)
    for _ in range(60):
        going = avoidance.velocities(places, going, np.zeros_like(places), 0.1)
        places = places + 0.1 * going
    assert least_gap(places, avoidance.radii) > TOUCH


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e300])
def test_numbers_that_are_none_make_nobody_fail(bad: float) -> None:
    places, going, wishes = anywhere(0, 30, 4.0)
    avoidance = Avoidance([0.3] * 30, walls=[[[-3, 0], [3, 0]]])
    # who has no place is not there: the others walk as without it
    elsewhere = places.copy()
    elsewhere[4] = [bad, 0.0]
    away = places.copy()
    away[4] = [9e5, 9e5]
    mine, theirs = (avoidance.velocities(p, going, wishes, 0.1) for p in (elsewhere, away))
    assert np.array_equal(np.delete(mine, 4, 0), np.delete(theirs, 4, 0))
    assert np.isfinite(mine).all()
    for spoiled in (1, 2):
        rows = [places, going.copy(), wishes.copy()]
        rows[spoiled][[3, 7]] = [0.5, bad]
        zeroed = [places, going.copy(), wishes.copy()]
        zeroed[spoiled][[3, 7]] = 0.0
        assert np.array_equal(avoidance.velocities(*rows, 0.1), avoidance.velocities(*zeroed, 0.1))
    nowhere = np.array([[bad, 0.0], [0.0, 0.0]])
    carts = MovingObstacles(nowhere, np.array([[0.0, 0.0], [0.0, bad]]), [1.0, bad])
    without = avoidance.velocities(places, going, wishes, 0.1)
    assert np.array_equal(avoidance.velocities(places, going, wishes, 0.1, carts), without)
    for dt in (bad, 0.0, -1.0):
        assert np.isfinite(avoidance.velocities(places, going, wishes, dt)).all()
    assert np.isfinite(avoidance.velocities(np.full((30, 2), bad), going, wishes, 0.1)).all()


@pytest.mark.parametrize("seed", range(30))
def test_answers_are_always_numbers_within_the_speed(seed: int) -> None:
    """Whatever the crowd, the walls and the obstacles: also on lattices, where all is degenerate."""
    rng = np.random.default_rng(seed)
    places, going, wishes = anywhere(seed, 50, 3.0)
    if seed % 2:
        places, going, wishes = np.round(places), np.round(going), np.round(wishes)
    walls = np.round(rng.uniform(-3, 3, (20, 2, 2)))
    middles = np.round(rng.uniform(-3, 3, (5, 2)))
    carts = MovingObstacles(middles, rng.normal(0, 1, (5, 2)), rng.uniform(0, 2, 5))
    after = Avoidance([0.3] * 50, walls=walls).velocities(places, going, wishes, 0.05, carts)
    assert np.isfinite(after).all()
    assert np.linalg.norm(after, axis=1).max() <= 1.8 + 1e-7


def test_nobody_is_nearer_than_a_tree_says() -> None:
    """An independent look at a crowd that mills about: pairs nearer than two radii."""
    rng = np.random.default_rng(5)
    places = 1.2 * np.argwhere(np.ones((12, 12))).astype(float)
    goals = rng.permutation(places)
    walked = walk(Avoidance([0.3] * 144), places, goals, seconds=60.0)
    assert all(not cKDTree(now).query_pairs(0.6 + TOUCH) for now in walked.trails)
    assert np.isfinite(walked.arrivals).mean() > 0.95


REFUSED = [
    ({"radii": []}, "radii"),
    ({"radii": 0.3}, "radii"),
    ({"radii": [0.3, -1.0]}, "radii must be more than 0"),
    ({"radii": [0.3, np.nan]}, "radii"),
    ({"speeds": [1.0, 2.0, 3.0]}, "speeds must be one number or 2"),
    ({"speeds": 0.0}, "speeds"),
    ({"speeds": "fast"}, "speeds"),
    ({"horizon": 0.0}, "horizon"),
    ({"horizon": np.nan}, "horizon"),
    ({"wall_horizon": 1e9}, "wall_horizon must be more than 0 and at most 60"),
    ({"neighbours": -1}, "neighbours must be 0 to 100"),
    ({"neighbours": 2.5}, "neighbours"),
    ({"acceleration": -1.0}, "acceleration"),
    ({"turning": np.nan}, "turning"),
    ({"keep": "up"}, "keep must be 'right' or 'left'"),
    ({"veer": -0.1}, "veer"),
    ({"seed": -1}, "seed"),
    ({"walls": [[0.0, 1.0]]}, "walls"),
    ({"walls": [[[0.0, 1.0], [np.nan, 1.0]]]}, "walls"),
]


@pytest.mark.parametrize(("wrong", "words"), REFUSED)
def test_what_makes_no_sense_is_refused_at_once(wrong: dict, words: str) -> None:
    with pytest.raises(RequestError, match=words):
        Avoidance(**{"radii": [0.3, 0.3], **wrong})


def test_arrays_of_other_shapes_are_refused() -> None:
    two, three = np.zeros((2, 2)), np.zeros((3, 2))
    with pytest.raises(RequestError, match=r"preferred must have shape \(2, 2\)"):
        Avoidance([0.3, 0.3]).velocities(two, two, three, 0.1)
    with pytest.raises(RequestError, match="obstacles need"):
        Avoidance([0.3, 0.3]).velocities(two, two, two, 0.1, MovingObstacles(three, two, 1.0))


def test_more_characters_leave_the_first_as_they_are() -> None:
    places, going, wishes = anywhere(1, 10, 2.0)
    far = np.concatenate([places, [[500.0, 0.0]]])
    more = [np.concatenate([rows, [[0.0, 0.0]]]) for rows in (going, wishes)]
    first = Avoidance([0.3] * 10).velocities(places, going, wishes, 0.1)
    assert np.array_equal(Avoidance([0.3] * 11).velocities(far, *more, 0.1)[:10], first)
