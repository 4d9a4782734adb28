"""Parameters of steps and jumps: against numbers worked out by hand, and of examples and blends alike."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from footfall.adapt.foot_roll import print_under
from footfall.adapt.normalize import placed
from footfall.analysis.facing import trunk_headings
from footfall.figure.contacts import SIDES
from footfall.figure.motion import Motion
from footfall.figure.sole import Sole
from footfall.geometry import ground
from footfall.models.movements.build import build_movements
from footfall.models.movements.key_postures import KeyPostures
from footfall.models.movements.kind import MovementKind
from footfall.models.movements.measures import (
    FAMILIES,
    JUMP,
    STEP,
    Ends,
    Family,
    jump_values,
    step_values,
    units_of,
)
from footfall.models.movements.point_measures import PointFamily, point_of
from tests.models.movements.libraries import (
    actor_library,
    and_captured,
    chosen_examples,
    reach_library,
    turning_library,
)

SEEDS = st.integers(0, 2**32 - 1)
QUARTER = np.pi / 2


def kinds() -> list[MovementKind]:
    return [kind for lib in and_captured(actor_library(), turning_library()) for kind in lib.members]


@cache
def family(kind: MovementKind) -> Family:
    assert isinstance(kind.measure, Family)
    return kind.measure


def ends(left: list[list[float]], right: list[list[float]], headings: list[float]) -> Ends:
    return Ends(np.array([[left, right]], dtype=float), np.array([headings], dtype=float))


# By hand: the left foot moves. It starts 0.4 behind and 0.2 to the left of the right one, facing +Z, and
# ends, facing +X, 0.5 ahead (towards +X), 0.2 to the right (towards +Z) and a step of 0.15 up.
BY_HAND = ends([[0.1, 0.0, -0.4], [0.4, 0.15, 0.2]], [[-0.1, 0.0, 0.0], [-0.1, 0.0, 0.0]], [0.0, QUARTER])


def test_a_step_by_hand() -> None:
    assert_allclose(step_values(BY_HAND, 0), [[0.4, 0.2, 0.0, 0.5, -0.2, 0.15, QUARTER]], rtol=0, atol=1e-12)


def test_the_same_step_by_the_other_foot_is_its_mirror_image() -> None:
    mirrored = Ends(BY_HAND.places[:, ::-1] * [-1.0, 1.0, 1.0], -BY_HAND.headings)
    signs = np.array([1.0, -1.0, 1.0, 1.0, -1.0, 1.0, -1.0])
    assert_allclose(step_values(mirrored, 1), signs * step_values(BY_HAND, 0), rtol=0, atol=1e-12)


def test_a_jump_by_hand() -> None:
    """From between (0, 0, 0) to between (1, 0.1, 0), facing +X at the start: a metre ahead and up."""
    made = ends([[0.0, 0, -0.1], [1.0, 0.1, -0.2]], [[0.0, 0, 0.1], [1.0, 0.1, 0.2]], [QUARTER, 0.3])
    found = jump_values(made, np.array([0.33]))
    assert_allclose(found, [[1.0, 0.0, 0.1, 0.3 - QUARTER, 0.33]], rtol=0, atol=1e-12)
    aside = Ends(made.places, made.headings - QUARTER)  # facing +Z it goes to the left
    assert_allclose(jump_values(aside, np.zeros(1))[0, :3], [0.0, 1.0, 0.1], rtol=0, atol=1e-12)


@given(SEEDS)
def test_where_it_lies_does_not_matter(seed: int) -> None:
    rng = np.random.default_rng(seed)
    made = Ends(rng.normal(size=(3, 2, 2, 3)), rng.uniform(-2.0, 2.0, (3, 2)))
    by, shift = float(rng.uniform(-3.0, 3.0)), rng.normal(size=3)
    places = Rotation.from_rotvec([0.0, by, 0.0]).apply(made.places.reshape(-1, 3)) + shift
    moved = Ends(places.reshape(made.places.shape), made.headings + by)
    for moving in (0, 1):
        assert_allclose(step_values(moved, moving), step_values(made, moving), rtol=0, atol=1e-12)
    height = rng.uniform(size=3)
    assert_allclose(jump_values(moved, height), jump_values(made, height), rtol=0, atol=1e-12)


def test_examples_are_measured_alike_wherever_their_clips_lie() -> None:
    wanted = {"left_step": STEP[:2], "jump": JUMP[:1]}
    given_ = [e for e in chosen_examples() if e.kind != "right_step"]
    moved = [
        replace(e, motion=placed(e.motion, 0.7 * k - 2.0, np.array([k, 0.1 * k, -k])))
        for k, e in enumerate(given_)
    ]
    one, other = (build_movements(e, parameters=wanted, pseudo_examples=0) for e in (given_, moved))
    for kind in wanted:
        assert_allclose(other.space[kind].points, one.space[kind].points, rtol=0, atol=1e-9)
        assert_allclose(
            family(other.kinds[kind]).examples, family(one.kinds[kind]).examples, rtol=0, atol=1e-9
        )


def test_the_actors_steps_are_measured_to_be_what_the_actor_was_asked_for() -> None:
    """The actor's parameters are the plan it was made from."""
    asked = {e.name: e.parameters for e in chosen_examples()}
    for kind in actor_library().members:
        for made, row in zip(kind.examples, kind.space.points, strict=True):
            if made.name in asked:
                meant = [asked[made.name][name] for name in kind.space.names]
                assert_allclose(row, meant, rtol=0, atol=2e-3)


def test_the_actors_steps_against_their_footprints() -> None:
    """From scratch: from one subtalar to the other, as the line between the hips and shoulders says."""
    for example in chosen_examples():
        if example.kind == "jump":
            continue
        kind = actor_library().kinds[example.kind]
        row = family(kind).examples[[e.name for e in kind.examples].index(example.name)]
        motion = example.motion
        moving, fixed = SIDES if example.kind == "left_step" else SIDES[::-1]
        assert motion.contacts is not None
        before = vector(motion, moving, fixed, motion.times <= example.keytimes[1])
        after = vector(motion, moving, fixed, motion.times >= example.keytimes[2])
        heading = np.interp([example.keytimes[0], example.keytimes[-1]], motion.times, trunk_headings(motion))
        start = Rotation.from_rotvec([0.0, -heading[0], 0.0]).apply(before)
        end = Rotation.from_rotvec([0.0, -heading[1], 0.0]).apply(after)
        meant = [-start[2], start[0], start[1], end[2], end[0], end[1], heading[1] - heading[0]]
        assert_allclose(row, meant, rtol=0, atol=1e-6)


def vector(motion: Motion, moving: str, fixed: str, when: np.ndarray) -> np.ndarray:
    """From the standing foot's print to the moving one's."""
    assert motion.contacts is not None
    ends = []
    for side in (moving, fixed):
        rests = motion.contacts.flat(side) & (when | (side == fixed))
        foot = motion.skeleton.joint(f"{side}_foot")
        turns = Rotation.from_quat(np.array(motion.orientations[rests, foot]), scalar_first=True)
        sole = np.array(motion.skeleton.foot_points(side).subtalar)
        ends.append(np.median(motion.positions[rests, foot] + turns.apply(sole), axis=0))
    return np.asarray(ends[0] - ends[1])


def test_a_jumps_height_is_how_far_the_hips_rise() -> None:
    jumps = actor_library().kinds["jump"]
    column = JUMP.index("height")
    for row, made in zip(family(jumps).examples, jumps.examples, strict=True):
        hips = made.motion.of("hips")[:, 1]
        assert row[column] == pytest.approx(hips.max() - hips[0], abs=3e-3)


def test_measured_blends_of_one_example_are_that_example() -> None:
    for kind in kinds():
        count = len(kind.examples)
        assert_allclose(family(kind)(np.eye(count)), family(kind).examples, rtol=0, atol=1e-9)
        own = kind.space.from_metric(kind.measured(np.eye(count)))
        assert_allclose(own, kind.space.points, rtol=0, atol=1e-9)


@settings(max_examples=20, deadline=None)
@given(SEEDS)
def test_key_postures_are_those_of_the_whole_figure(seed: int) -> None:
    """Hips, trunk and prints of blends against a figure with all its joints."""
    rng = np.random.default_rng(seed)
    for kind in (library.kinds["right_step"] for library in and_captured(actor_library())):
        n = len(kind.examples)
        weights = rng.normal(0.0, 0.3, (4, n)) + 1.0 / n
        weights /= weights.sum(axis=1, keepdims=True)
        ends = (0.0, kind.tables.keytimes.shape[1] - 1.0)
        postures = KeyPostures(kind.examples, kind.tables, ends)
        skeleton = kind.examples[0].motion.skeleton
        for which, generic in enumerate(ends):
            stand = postures.stand(weights, which)
            for row, w in enumerate(weights):
                whole = Motion(skeleton, *kind.tables.blend(w, np.array([generic])), 1.0)
                assert_allclose(stand.hips[row], whole.of("hips")[0], rtol=0, atol=1e-9)
                assert abs(ground.wrap(stand.heading[row] - trunk_headings(whole)[0])) < 1e-9
                for k, side in enumerate(SIDES):
                    foot = skeleton.joint(f"{side}_foot")
                    sole = Sole.of(skeleton, side)
                    place, heading = print_under(whole.positions[0, foot], whole.orientations[0, foot], sole)
                    assert_allclose(stand.places[row, k], place, rtol=0, atol=1e-9)
                    assert abs(ground.wrap(stand.headings[row, k] - heading)) < 1e-9


def test_measures_of_blends_run_on_between_the_examples() -> None:
    """From one example to the next parameters go all the way, and never far astray."""
    for kind in (actor_library().kinds["left_step"], actor_library().kinds["jump"]):
        weights = np.zeros((101, len(kind.examples)))
        weights[:, -1] = np.linspace(0.0, 1.0, 101)
        weights[:, 0] = 1.0 - weights[:, -1]
        way = kind.measured(weights)
        assert np.linalg.norm(np.diff(way, axis=0), axis=-1).max() < 0.04
        straight = way[0] + weights[:, -1:] * (way[-1] - way[0])
        assert np.linalg.norm(way - straight, axis=-1).max() < 0.12


def test_units_and_names() -> None:
    assert units_of(("turn", "length", "end_rise", "right_hand_x")) == ("rad", "m", "m", "m")
    assert FAMILIES == {"step": STEP, "jump": JUMP}
    assert len(STEP) == 7


# Where a joint is


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("right_hand_x", ("right_hand", 0)),
        ("left_foot_z", ("left_foot", 2)),
        ("hips_y", ("hips", 1)),
        ("hand_x", None),
        ("right_hand", None),
        ("right_hand_w", None),
        ("right_hand_", None),
        ("right_hand_xy", None),
        ("mood", None),
        ("", None),
    ],
)
def test_names_of_places(name: str, found: tuple[str, int] | None) -> None:
    assert point_of(name) == found


def test_places_are_where_joints_are_at_the_middle_keytime() -> None:
    kind = reach_library().kinds["reach"]
    assert isinstance(kind.measure, PointFamily)
    for made, row in zip(kind.examples, kind.measure.examples, strict=True):
        frame = (made.lead + made.keytimes[2]) * made.motion.fps
        hand = made.motion.of("right_hand")
        near = hand[int(frame)] + (frame % 1.0) * (hand[int(frame) + 1] - hand[int(frame)])
        assert_allclose(row, near, rtol=0, atol=2e-4)


def test_places_of_blends_are_the_whole_figures() -> None:
    kind = reach_library().kinds["reach"]
    rng = np.random.default_rng(2)
    weights = rng.dirichlet(np.ones(len(kind.examples)), 10)
    assert kind.measure is not None
    for w, row in zip(weights, kind.measure(weights), strict=True):
        whole = Motion(reach_library().skeleton, *kind.tables.blend(w, np.array([2.0])), 1.0)
        assert_allclose(row, whole.of("right_hand")[0], rtol=0, atol=1e-9)
