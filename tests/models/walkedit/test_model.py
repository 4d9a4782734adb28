"""`WalkEdit`: what is asked is given, the walk repeats without a seam, and on any ground feet stand on it."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import footfall as ff
from footfall.analysis.self_contact import self_contact
from footfall.figure.contacts import runs_of
from footfall.figure.soles import sole_places
from tests.captured import captured
from tests.captures import needs_captures

CLIPS = ["actor", pytest.param("walk/16_47.bvh", marks=needs_captures)]
KINDS = ["bumps", "ramps", "stairs", "spiral", "blocks", "stones", "rubble"]


@cache
def edit_of(clip: str) -> ff.WalkEdit:
    return ff.WalkEdit(ff.VirtualActor(seed=1).walk(1.3).motion if clip == "actor" else captured(clip))


def prints_of(walk: ff.EditedWalk) -> np.ndarray:
    """Where feet rested, measured on the motion."""
    return np.array([p.position for p in ff.detect_plants(walk, walk.contacts)])


def middle_of(crossing: ff.FootPlan) -> np.ndarray:
    places = np.array([p.position for p in crossing.placements])
    return 0.5 * (places[1:] + places[:-1])


@pytest.mark.parametrize("clip", CLIPS)
@pytest.mark.parametrize(
    "parameters", [{}, {"step_length": 0.5, "lift": 0.12}, {"stairs": (0.15, 0.3)}, {"slope": -0.2}]
)
def test_a_steady_walk_repeats_itself(clip: str, parameters: dict[str, object]) -> None:
    """A cycle later every joint is where it was, one cycle further on: position, and so velocity too."""
    edit = edit_of(clip)
    if "step_length" in parameters:  # so that a cycle is a whole number of frames
        parameters = {**parameters, "speed": 0.5 / edit.step_length * edit.speed}
    elif "stairs" in parameters:
        parameters = {**parameters, "speed": 0.3 / edit.cycle.step_seconds}
    elif "slope" in parameters:
        parameters = {**parameters, "speed": edit.speed, "step_length": edit.step_length}
    walk = edit.synthesize(steps=12, **parameters)  # type: ignore[arg-type]
    period = len(edit.cycle.captured) - 1
    early, late = walk.positions[2 * period : 3 * period], walk.positions[3 * period : 4 * period]
    onward = late - early
    assert np.ptp(onward, axis=(0, 1)).max() < 1e-5


@pytest.mark.parametrize("first", ["left", "right"])
@pytest.mark.parametrize("steps", [1, 2, 7])
def test_as_many_steps_as_asked_for(first: str, steps: int) -> None:
    walk = edit_of("actor").synthesize(steps=steps, first=first)
    plants = ff.detect_plants(walk, walk.contacts)
    assert len(plants) == steps + 2
    assert plants[0].foot == first
    assert all(a.foot != b.foot for a, b in pairwise(plants))
    assert len(ff.detect_steps(walk, plants)) == steps
    assert [p.foot for p in walk.plan.placements] == [p.foot for p in plants]
    assert walk.certificate().placement_max_m < 1e-6


def test_the_same_twice() -> None:
    clip = ff.VirtualActor(seed=2).walk(1.2).motion
    one, other = (ff.WalkEdit(clip).synthesize(lift=0.1, curve=0.2, slope=0.1) for _ in range(2))
    assert_array_equal(one.rotations, other.rotations)
    assert_array_equal(one.root, other.root)


@pytest.mark.parametrize("clip", CLIPS)
@pytest.mark.parametrize("radius", [1.5, -3.0])
def test_prints_of_a_bend_lie_on_two_circles(clip: str, radius: float) -> None:
    edit = edit_of(clip)
    walk = edit.synthesize(curve=1.0 / radius, step_length=0.5, steps=12)
    for plant in ff.detect_plants(walk, walk.contacts):
        beside = edit.cycle.beside[0 if plant.foot == "left" else 1]
        away = np.hypot(plant.position[0] - radius, plant.position[2])
        assert away == pytest.approx(abs(radius - beside), abs=1e-6)
    places = prints_of(walk)
    angles = np.unwrap(np.arctan2(places[:, 2], (radius - places[:, 0]) * np.sign(radius)))
    assert_allclose(np.diff(angles), 0.5 / abs(radius), atol=1e-6)


def test_irregular_stairs_in_turn() -> None:
    flight = [(0.12, 0.30), (0.18, 0.40), (-0.10, 0.35)]
    places = prints_of(edit_of("actor").synthesize(stairs=flight, steps=9))
    assert_allclose(np.diff(places[:, 1]), [flight[k % 3][0] for k in range(10)], atol=1e-6)
    assert_allclose(np.diff(places[:, 2]), [flight[k % 3][1] for k in range(10)], atol=1e-6)


def test_speed_and_length_tell_each_other() -> None:
    """The walk ratio, step length over cadence, is kept where only one of them is given."""
    edit = edit_of("actor")
    usual = edit.step_length * edit.cycle.step_seconds
    for asked in ({"speed": 0.8}, {"speed": 1.6}, {"step_length": 0.5}, {"step_length": 0.9}):
        walk = edit.synthesize(steps=10, **asked)  # type: ignore[arg-type]
        plants = ff.detect_plants(walk, walk.contacts)
        length = np.diff([p.position[2] for p in plants]).mean()
        seconds = (plants[-3].start - plants[2].start) / (len(plants) - 5) / walk.fps
        assert length * seconds == pytest.approx(usual, rel=0.02)
        if "speed" in asked:
            assert length / seconds == pytest.approx(asked["speed"], rel=0.02)
    both = edit.synthesize(speed=0.6, step_length=0.6, steps=10)
    plants = ff.detect_plants(both, both.contacts)
    assert (plants[-3].start - plants[2].start) / both.fps == pytest.approx(len(plants) - 5, rel=0.02)


def test_values_by_distance_by_time_and_in_pairs() -> None:
    edit = edit_of("actor")
    plain = edit.synthesize(step_length=0.6, lift=0.1, curve=0.25)
    ways = [
        {"step_length": lambda d: 0.6, "lift": lambda d: 0.1, "curve": lambda d: 0.25},
        {
            "step_length": ff.OverTime(lambda t: 0.6),
            "lift": ff.OverTime(lambda t: 0.1),
            "curve": ff.OverTime(lambda t: 0.25),
        },
        {"step_length": [(0, 0.6), (9, 0.6)], "lift": [(0, 0.1), (1, 0.1)], "curve": [(0, 0.25), (1, 0.25)]},
    ]
    for way in ways:
        assert_allclose(edit.synthesize(**way).positions, plain.positions, atol=1e-5)  # type: ignore[arg-type]
    turning = edit.synthesize(curve=ff.OverTime(lambda t: 0.0 if t < 2.0 else 0.6), steps=10)
    places = prints_of(turning)
    assert np.abs(places[:3, 0]).max() < 0.08
    assert places[-1, 0] > 0.5


def test_what_cannot_be_is_given_as_far_as_it_can_and_said() -> None:
    edit = edit_of("actor")
    walk = edit.synthesize(step_length=2.0)
    (said,) = walk.clamped
    longest = np.diff(prints_of(walk)[:, 2])
    assert said == f"step_length 2.000 m: {longest[0]:.3f} m is as far as a leg reaches"
    assert_allclose(longest, longest[0], atol=1e-6)
    assert walk.certificate().clamped == walk.clamped
    assert walk.certificate().leg_extension_max <= 0.995 + 1e-9
    folded = edit.synthesize(lift=0.9)
    assert folded.clamped[0].startswith("lift 0.900 m: ")


BAD = [
    ({"step_length": -0.5}, "step_length must be between"),
    ({"step_length": np.nan}, "step_length must be between"),
    ({"step_length": "long"}, "step_length must be a number"),
    ({"lift": -0.1}, "lift must be between"),
    ({"slope": np.radians(80.0)}, "35 degrees"),
    ({"slope": np.inf}, "slope must be between"),
    ({"curve": 5.0}, "curve must be between"),
    ({"speed": 0.0}, "speed must be between"),
    ({"stairs": (0.2,)}, "stairs must be"),
    ({"stairs": (0.9, 0.3)}, "a riser must be between"),
    ({"stairs": (0.2, np.nan)}, "a tread must be between"),
    ({"stairs": (0.2, 0.3), "slope": 0.1}, "slope cannot be given"),
    ({"stairs": (0.2, 0.3), "step_length": 0.5}, "step_length cannot be given"),
    ({"steps": 0}, "steps must be between"),
    ({"steps": 2.5}, "steps must be a whole number"),
    ({"steps": 10_000, "fps": 1000.0}, "ask for fewer steps"),
    ({"first": "both"}, "first must be"),
    ({"fps": 1.0}, "fps must be between"),
    ({"fps": np.nan}, "frame rate must be"),
    ({"step_length": lambda d: 0.6 if d < 1.0 else np.nan}, "at 1.200 m: step_length must be"),
    ({"lift": [(1, 0.1), (0, 0.1)]}, "lift must be a number"),
]


@pytest.mark.parametrize(("parameters", "words"), BAD, ids=[words for _, words in BAD])
def test_what_makes_no_sense_is_refused_in_one_sentence(parameters: dict, words: str) -> None:
    with pytest.raises(ff.RequestError, match=words) as refusal:
        edit_of("actor").synthesize(**parameters)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("clip", "seed"), [("actor", 3), pytest.param("walk/16_47.bvh", 11, marks=needs_captures)]
)
@pytest.mark.parametrize("kind", KINDS)
def test_over_generated_ground(clip: str, kind: str, seed: int) -> None:
    made = ff.generate_terrain(kind, seed)
    path = middle_of(made.crossing)
    walk = edit_of(clip).on(made.terrain, path)
    places = np.array([p.position for p in walk.plan.placements])
    level = made.terrain.height(places[:, 0], places[:, 2], places[:, 1] + 0.05)
    assert_allclose(level, places[:, 1], atol=1e-9)
    assert_allclose(prints_of(walk), places, atol=1e-6)
    assert np.linalg.norm(places[-1, [0, 2]] - path[-1, [0, 2]]) < 0.9
    found = walk.certificate()
    assert found.penetration_max_m < 0.002
    assert found.slide_max_m < 0.001
    assert found.leg_extension_max <= 0.995 + 1e-9
    assert walk.clamped == ()


def test_on_a_plane_the_walk_is_the_one_of_that_slope() -> None:
    """Both ways lead to the same footprints and the same motion."""
    edit, slope = edit_of("actor"), 0.15
    asked = edit.synthesize(slope=slope, steps=6, step_length=0.6)
    length = 9 * 0.6 * np.cos(slope)
    on = edit.on(ff.InclinedTerrain(slope), [(0.0, 0.0), (0.0, length)], step_length=0.6 * np.cos(slope))
    steps = np.diff(prints_of(on), axis=0)
    assert_allclose(steps[:, 1] / steps[:, 2], np.tan(slope), atol=1e-9)
    assert_allclose(steps[:, 2], 0.6 * np.cos(slope), atol=0.02)
    heights = [w.root[:, 1] - np.tan(slope) * w.root[:, 2] for w in (asked, on)]
    assert heights[0].mean() == pytest.approx(heights[1].mean(), abs=0.01)


def test_steps_and_first_foot_on_ground() -> None:
    edit, floor = edit_of("actor"), ff.FlatTerrain()
    walk = edit.on(floor, [(0, 0), (0, 20)], steps=4, first="right")
    assert [p.foot for p in walk.plan.placements] == ["right", "left", "right", "left", "right", "left"]
    slow = edit.on(floor, [(0, 0), (0, 6)], speed=0.8, lift=0.12)
    assert slow.seconds > edit.on(floor, [(0, 0), (0, 6)]).seconds


def test_round_a_corner() -> None:
    walk = edit_of("actor").on(ff.FlatTerrain(), [(0, 0), (0, 3), (3, 3)], step_length=0.5)
    places = prints_of(walk)
    assert np.linalg.norm(places[-1, [0, 2]] - [3.0, 3.0]) < 0.5
    found = walk.certificate()
    assert found.slide_max_m < 1e-4
    assert found.acceleration_ratio < 2.0


def test_a_ditch_is_stepped_over_and_a_wide_one_refused() -> None:
    def ground_with(ditch: float) -> ff.MeshTerrain:
        corners = [(-2, 0, -1), (2, 0, -1), (2, 0, 2), (-2, 0, 2)]
        beyond = [(x, y, z + 3 + ditch) for x, y, z in corners]
        faces = [(0, 2, 1), (0, 3, 2)]
        return ff.MeshTerrain(
            np.array([*corners, *beyond], dtype=float),
            np.array([*faces, *((a + 4, b + 4, c + 4) for a, b, c in faces)]),
        )

    edit = edit_of("actor")
    walk = edit.on(ground_with(0.35), [(0, 0), (0, 4.5)])
    z = np.array([p.position[2] for p in walk.plan.placements])
    assert not ((z > 1.8) & (z < 2.41)).any()
    assert walk.certificate().penetration_max_m < 0.002
    with pytest.raises(ff.RequestError, match=r"no foothold was found beyond 1\.[0-9]+ m of the path"):
        edit.on(ground_with(1.5), [(0, 0), (0, 6.0)])


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ([(0, 0)], "two or more finite points"),
        ([(0, 0), (0, np.nan)], "two or more finite points"),
        ([(0, 0), (0, 0)], "must lead somewhere"),
        ("north", "a path must be"),
        ([(0, 0), (0, 2e4)], "10 km"),
    ],
)
def test_bad_paths(path: object, words: str) -> None:
    with pytest.raises(ff.RequestError, match=words):
        edit_of("actor").on(ff.FlatTerrain(), path)


@pytest.mark.parametrize("clip", CLIPS)
@pytest.mark.parametrize("slope", [0.005, 0.05, -0.1])
def test_a_gentle_ramp_in_a_bend_does_not_see_its_own_beginning(clip: str, slope: float) -> None:
    walk = edit_of(clip).synthesize(curve=0.66, slope=slope)
    found = walk.certificate()
    assert walk.clamped == ()
    assert found.penetration_max_m < 0.002
    assert found.acceleration_ratio < 2.0


def test_a_ramp_that_comes_round_over_itself_is_said() -> None:
    walk = edit_of("actor").synthesize(curve=1.0, slope=0.05, steps=12)
    assert walk.clamped[0].startswith("curve: the way comes round 0.3")
    assert walk.certificate().acceleration_ratio < 2.5


@pytest.mark.parametrize("clip", CLIPS)
@pytest.mark.parametrize("curve", [1 / 1.5, -1 / 1.5, 0.3])
def test_legs_pass_each_other_in_a_bend(clip: str, curve: float) -> None:
    edit = edit_of(clip)
    straight, bent = (self_contact(edit.synthesize(curve=c, fps=60.0)) for c in (0.0, curve))
    for (first, second), depth in zip(bent.pairs, bent.depths, strict=True):
        assert depth < max(straight.depth_of(first, second), 0.0) + 0.012


@pytest.mark.parametrize("clip", CLIPS)
def test_a_lift_too_low_for_the_ground_does_not_make_the_foot_leap(clip: str) -> None:
    walk = edit_of(clip).synthesize(stairs=[(0.2, 0.35), (-0.2, 0.35)], lift=0.02)
    assert walk.clamped[0].startswith("lift 0.020 m: up to 0.")
    assert walk.certificate().acceleration_ratio < 3.0  # up and down in turn is hard enough


@pytest.mark.parametrize("degrees", [20.0, -20.0, 30.0])
def test_on_a_slope_the_first_swing_is_as_the_others(degrees: float) -> None:
    slope = np.radians(degrees)
    walk = edit_of("actor").on(ff.InclinedTerrain(slope), [(0, 0), (0, 4)], steps=5)
    highest = []
    for side in ("left", "right"):
        over = sole_places(walk, side)
        over = (over[..., 1] - np.tan(slope) * over[..., 2]).min(axis=-1)
        highest += [over[a:b].max() for a, b in runs_of(~walk.contacts.stands(side))]
    assert max(highest) < 1.5 * np.median(highest)


def test_a_low_ceiling_is_no_ground_and_no_way() -> None:
    floor = np.array([(-3, 0, -1), (3, 0, -1), (3, 0, 8), (-3, 0, 8)], dtype=float)
    faces = np.array([(0, 2, 1), (0, 3, 2), (4, 6, 5), (4, 7, 6)])

    def under(height: float) -> ff.MeshTerrain:
        top = np.array([(-3, height, 3), (3, height, 3), (3, height, 4), (-3, height, 4)])
        return ff.MeshTerrain(np.concatenate([floor, top]), faces)

    edit = edit_of("actor")
    for height in (0.5, 0.65, 0.9):
        with pytest.raises(ff.RequestError, match="no foothold was found beyond 2"):
            edit.on(under(height), [(0, 0), (0, 6)])
    assert edit.on(under(2.2), [(0, 0), (0, 6)]).certificate().penetration_max_m < 0.001


def test_steps_that_the_ground_has_no_room_for_are_said() -> None:
    walk = edit_of("actor").on(ff.FlatTerrain(), [(0, 0), (0, 8)], step_length=2.0)
    assert walk.clamped[0].startswith("step_length 2.000 m: 1.")


@pytest.mark.parametrize("steps", [2.5, "3", True, 0])
def test_steps_on_ground_are_whole_numbers(steps: object) -> None:
    with pytest.raises(ff.RequestError, match="steps must be"):
        edit_of("actor").on(ff.FlatTerrain(), [(0, 0), (0, 5)], steps=steps)  # type: ignore[arg-type]


def test_a_part_or_a_mirror_image_claims_nothing_of_the_whole() -> None:
    walk = edit_of("actor").synthesize(stairs=(0.17, 0.29))
    assert walk.certificate().placement_max_m < 1e-6
    for other in (walk[:100], ff.mirror(walk), ff.resample(walk, 30.0)):
        assert other.certificate().placement_max_m is None
