"""Sequences as motions: feet exactly on their prints, joins without a jolt, the same at any frame rate."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.transform import Rotation

from footfall.figure.contacts import SIDES, runs_of
from footfall.models.movements.chain import chained
from footfall.models.movements.model import MovementLibrary, PlayedMovements, as_request
from footfall.models.movements.perform import frames_of, perform
from tests.models.movements.libraries import actor_library, captured_library, reach_library, turning_library

WALK = [
    ("left_step", {"end_length": 0.6}),
    ("right_step", {"end_length": 0.4}),
    ("left_step", {"end_length": 0.7}),
    ("right_step", {"end_length": 0.0}),
    ("jump", {"length": 0.9}),
]
TURNS = [
    ("left_step", {"end_length": 0.6, "turn": 0.2}),
    ("right_step", {"end_length": 0.65, "turn": -0.2}),
    ("left_step", {"end_length": 0.6, "turn": 0.1}),
]
OUT_AND_BACK = [
    ("left_step", {"end_length": 0.25, "turn": 0.05}),
    ("right_step", {"end_length": 0.0, "turn": -0.07}),
]
REACH = [
    ("left_step", {"end_length": 0.38}),
    ("right_step", {"end_length": 0.0}),
    ("reach", {"right_hand_x": -0.2, "right_hand_y": 1.1, "right_hand_z": 0.2}),
]
Sequences = Sequence[tuple[str, dict[str, float]]]
LIBRARIES = {
    "walk": (actor_library, WALK),
    "one step": (actor_library, WALK[:1]),
    "one jump": (actor_library, WALK[4:]),
    "turning": (turning_library, TURNS),
    "captures": (captured_library, OUT_AND_BACK),
    "reach": (reach_library, REACH),
}


@cache
def played(name: str, fps: float = 60.0) -> PlayedMovements:
    library, sequence = LIBRARIES[name]
    return library().play(sequence, fps=fps)


def sole_points(motion: PlayedMovements, side: str) -> dict[str, np.ndarray]:
    """Heel, subtalar and ball in the world, and the toe joint."""
    skeleton = motion.skeleton
    foot = skeleton.joint(f"{side}_foot")
    turns = Rotation.from_quat(np.array(motion.orientations[:, foot]), scalar_first=True)
    points = skeleton.foot_points(side)
    out = {
        name: motion.positions[:, foot] + turns.apply(np.array(getattr(points, name)))
        for name in ("heel", "subtalar", "ball")
    }
    out["toe"] = motion.of(f"{side}_toe") if skeleton.has(f"{side}_toe") else out["ball"]
    return out


@pytest.mark.parametrize("name", LIBRARIES)
def test_what_touches_the_ground_does_not_slide(name: str) -> None:
    motion = played(name)
    assert motion.contacts is not None
    for side in SIDES:
        points = sole_points(motion, side)
        for point, down in (
            ("heel", motion.contacts.heel_of(side)),
            ("toe", motion.contacts.toe_of(side)),
        ):
            for first, last in runs_of(down):
                assert np.ptp(points[point][first:last][:, [0, 2]], axis=0).max() < 1e-6


@pytest.mark.parametrize("name", LIBRARIES)
def test_flat_feet_are_on_the_footprints_that_were_planned(name: str) -> None:
    """Every print of the plan is hit, in order, to a micrometre."""
    motion = played(name)
    assert motion.contacts is not None
    assert motion.plan is not None
    for side in SIDES:
        subtalar = sole_points(motion, side)["subtalar"]
        stances = [
            flat
            for first, last in runs_of(motion.contacts.stands(side))
            if (flat := first + np.flatnonzero(motion.contacts.flat(side)[first:last])).size
        ]
        planned = motion.plan.of(side)
        assert len(planned) == len(stances)
        for placement, frames in zip(planned, stances, strict=True):
            away = subtalar[frames] - placement.position
            assert np.abs(away).max() < 1e-6


def test_prints_are_where_the_parameters_say() -> None:
    motion = played("walk")
    assert motion.plan is not None
    left, right = ([p.position for p in motion.plan.of(side)] for side in SIDES)
    ahead = [p[2] for p in (left[0], left[1], right[1], left[2], right[2])]
    assert_allclose(np.diff(ahead), [0.6, 0.4, 0.7, 0.0], rtol=0, atol=1e-9)
    jumped = 0.5 * (left[-1] + right[-1] - left[-2] - right[-2])
    assert jumped[2] == pytest.approx(0.9, abs=1e-9)


@pytest.mark.parametrize("name", LIBRARIES)
def test_the_certificate_agrees(name: str) -> None:
    told = played(name).certificate()
    assert told.placement_max_m is not None
    assert told.placement_max_m < 1e-6
    assert told.slide_max_m is not None
    assert told.slide_max_m < 1e-6
    assert told.bone_stretch_max < 1e-9
    assert played(name).clamped == ()


@pytest.mark.parametrize("name", LIBRARIES)
def test_contacts_run_from_heel_over_flat_to_toe(name: str) -> None:
    """Over flat, never from one to the other at once, and feet leave the ground from their toes."""
    motion = played(name, 240.0)
    assert motion.contacts is not None
    for side in SIDES:
        heel, toe = motion.contacts.heel_of(side), motion.contacts.toe_of(side)
        for first, last in runs_of(motion.contacts.stands(side)):
            phases = np.where(heel & toe, "f", np.where(heel, "h", "t"))[first:last]
            told = "".join(p for k, p in enumerate(phases) if k == 0 or p != phases[k - 1])
            assert "ht" not in told
            assert "th" not in told
            if name != "captures":
                assert "f" in told or first == 0 or last - first < 0.2 * motion.fps
                if last < len(motion):  # it goes up from its toes
                    assert told.endswith("t")
                assert len(told) <= 5


@pytest.mark.parametrize("name", ["walk", "turning", "captures"])
def test_feet_never_both_leave_in_a_walk(name: str) -> None:
    motion = played(name)
    assert motion.contacts is not None
    both = ~(motion.contacts.stands("left") | motion.contacts.stands("right"))
    jumps = [k for k in motion.kinds if k == "jump"]
    assert len(runs_of(both)) == len(jumps)


@pytest.mark.parametrize("name", LIBRARIES)
def test_no_sole_is_under_the_ground(name: str) -> None:
    motion = played(name)
    for side in SIDES:
        for point, path in sole_points(motion, side).items():
            if point != "toe":
                assert path[:, 1].min() > -1e-6


def fine(library: MovementLibrary, sequence: Sequences, fps: float) -> tuple[np.ndarray, np.ndarray]:
    """Positions at a very high frame rate, and where movements join."""
    chain = chained(library.kinds, [as_request(one, 0) for one in sequence])
    motion = perform(library.skeleton, library.legs, chain.movements, fps)
    return motion.positions, np.cumsum([m.seconds for m in chain.movements])[:-1]


@pytest.mark.parametrize("name", ["walk", "turning", "captures", "reach"])
def test_joins_are_smooth_in_place_and_rate(name: str) -> None:
    """One-sided difference quotients on both sides of a join agree, for every joint."""
    library, sequence = LIBRARIES[name]
    fps = 3000.0
    positions, joins = fine(library(), sequence[:2], fps)
    rates = np.diff(positions, axis=0) * fps
    jumps = np.linalg.norm(np.diff(rates, axis=0), axis=-1).max(axis=-1)  # m/s, from frame to frame
    assert np.linalg.norm(rates, axis=-1).max() < 12.0
    for join in joins:
        at = int(join * fps)
        assert jumps[at - 3 : at + 3].max() < 0.08  # 240 m/s^2 for the fastest joint
        assert np.linalg.norm(np.diff(positions[at - 2 : at + 3], axis=0), axis=-1).max() < 10.0 / fps


def test_movements_keep_their_own_ends_but_for_the_join() -> None:
    """A join is over before its movement is, and changes nothing of where that ends."""
    library = actor_library()
    requests = [as_request(one, 0) for one in WALK[:2]]
    chain = chained(library.kinds, requests)
    both = perform(library.skeleton, library.legs, chain.movements, 120.0)
    second = chain.movements[1]
    alone = second.channels(np.array([second.seconds]))
    skeleton = library.skeleton
    hips = skeleton.joint("hips")
    assert len(both) == int(np.floor((chain.movements[0].seconds + second.seconds) * 120.0)) + 1
    last = (both.times[-1] - chain.movements[0].seconds) - second.seconds
    assert -1.0 / 120.0 < last <= 1e-9
    assert_allclose(both.positions[-1, hips], alone.pose.root[0], rtol=0, atol=0.03)


@pytest.mark.parametrize("name", LIBRARIES)
def test_the_same_twice(name: str) -> None:
    library, sequence = LIBRARIES[name]
    again = library().play(sequence)
    assert_array_equal(again.root, played(name).root)
    assert_array_equal(again.rotations, played(name).rotations)
    assert again.begins == played(name).begins


@pytest.mark.parametrize("name", ["walk", "turning", "captures", "reach"])
def test_at_twice_the_rate_it_is_the_same_motion(name: str) -> None:
    """But for the room that legs are given, which is smoothed over frames: a few millimetres."""
    slow, fast = played(name, 60.0), played(name, 120.0)
    count = min(len(slow), len(fast.positions[::2]))
    assert abs(len(slow) - len(fast) / 2) <= 1
    apart = np.linalg.norm(slow.positions[:count] - fast.positions[::2][:count], axis=-1)
    assert apart.max() < 0.006
    assert np.median(apart) < 1e-3
    assert slow.contacts is not None
    assert fast.contacts is not None
    assert (slow.contacts.heel[:count] == fast.contacts.heel[::2][:count]).mean() > 0.99


@pytest.mark.parametrize("name", ["walk", "turning", "captures", "reach"])
def test_no_leg_is_pulled_straight(name: str) -> None:
    motion = played(name)
    library = LIBRARIES[name][0]()
    for limb in library.legs.values():
        length = np.linalg.norm(motion.positions[:, limb.upper] - motion.positions[:, limb.end], axis=-1)
        assert length.max() < 0.9951 * limb.reach


def test_bones_keep_their_lengths() -> None:
    motion = played("walk")
    skeleton = motion.skeleton
    parents = skeleton.parents[1:]
    bones = np.linalg.norm(motion.positions[:, 1:] - motion.positions[:, parents], axis=-1)
    assert_allclose(
        bones, np.broadcast_to(np.linalg.norm(skeleton.offsets[1:], axis=-1), bones.shape), atol=1e-9
    )
    assert_allclose(np.linalg.norm(motion.rotations, axis=-1), 1.0, rtol=0, atol=1e-9)


@pytest.mark.parametrize("fps", [30.0, 60.0, 77.7])
def test_frames_fall_into_one_movement_each(fps: float) -> None:
    """One after the other, they are the frames of the whole."""
    seconds = [0.5, 0.31, 1.0, 0.77]
    begins = np.concatenate([[0.0], np.cumsum(seconds)])
    found = np.concatenate(
        [
            begin + frames_of(begin, length, fps, last=k == 3)
            for k, (begin, length) in enumerate(zip(begins, seconds, strict=False))
        ]
    )
    count = int(np.floor(sum(seconds) * fps + 1e-9)) + 1
    assert_allclose(found, np.arange(count) / fps, rtol=0, atol=1e-12)
    own = frames_of(float(begins[1]), seconds[1], fps, last=False)
    assert own.min() >= -1e-9
    assert own.max() < seconds[1]
