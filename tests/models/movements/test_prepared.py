"""Examples in their base frames: where they begin, what moving the whole clip leaves alone, and mirrors."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.transform import Rotation

from footfall.adapt.normalize import placed
from footfall.analysis.facing import trunk_headings
from footfall.errors import RequestError
from footfall.figure.example import Example
from footfall.figure.mirror import mirror, mirror_pairs
from footfall.figure.resample import at_times
from footfall.geometry import ground
from footfall.models.movements.prepared import MARGIN, Prepared, prepare
from footfall.models.movements.structure import swings_of
from tests.models.movements.libraries import (
    actor_library,
    and_captured,
    captured_library,
    chosen_examples,
    reaches,
)

REFLECT = np.array([-1.0, 1.0, 1.0])


def prepared(example: Example, fps: float = 30.0) -> Prepared:
    return prepare(example, swings_of(example.kind, [example]), fps)


def all_prints(example: Prepared) -> list[tuple[np.ndarray, float]]:
    return [(p.place, p.heading) for pair in example.prints for p in pair]


def apart(a: np.ndarray, b: np.ndarray) -> float:
    one, other = (Rotation.from_quat(np.array(q), scalar_first=True) for q in (a, b))
    return float((one * other.inv()).magnitude())


def test_it_begins_over_the_origin_and_faces_ahead() -> None:
    """The trunk's heading is 0 and the hips are over the origin, at the first keytime, between frames too."""
    for example in [*chosen_examples(), reaches()[0]]:
        first, *others = example.keytimes
        late = replace(example, keytimes=(first + 0.005, *others))
        for one, off in ((example, 1e-9), (late, 2e-4)):
            made = prepared(one)
            start = at_times(made.motion, np.array([made.lead]))
            assert_allclose(start.of("hips")[0][[0, 2]], 0.0, atol=off)
            heading = np.interp(made.lead, made.motion.times, trunk_headings(made.motion))
            assert abs(heading) < 1e-6


def test_captures_begin_over_the_origin_and_face_ahead() -> None:
    for kind in captured_library().members:
        for made in kind.examples:
            if "mirrored" in made.name:
                continue
            start = at_times(made.motion, np.array([made.lead]))
            assert_allclose(start.of("hips")[0][[0, 2]], 0.0, atol=1e-3)  # was resampled from 120 Hz
            assert abs(np.interp(made.lead, made.motion.times, trunk_headings(made.motion))) < 5e-3


def test_what_stands_throughout_stands_on_the_ground() -> None:
    for library in and_captured(actor_library()):
        for kind in library.members:
            for made in kind.examples:
                standing = [p[0] for p, s in zip(made.prints, made.swings, strict=True) if s is None]
                level = np.mean([p.place[1] for p in standing or [p[0] for p in made.prints]])
                assert abs(level) < 1e-12


def test_it_is_the_clip_moved_and_cut() -> None:
    """At equal times all distances within the figure, and on its way, are the clip's."""
    for example in chosen_examples():
        made = prepared(example)
        assert made.keytimes[0] == 0.0
        assert_allclose(np.diff(made.keytimes), np.diff(example.keytimes), rtol=0, atol=1e-12)
        if example.kind != "jump":  # a jump is all of its clip
            assert MARGIN / 30.0 - 1e-9 <= made.lead < (MARGIN + 1) / 30.0
            after = len(made.motion) - 1 - (made.lead + made.keytimes[-1]) * 30.0
            assert MARGIN - 1e-6 <= after < MARGIN + 1
        first = round((example.keytimes[0] - made.lead) * 30.0)
        clip = example.motion.positions[first : first + len(made.motion)]
        own = made.motion.positions
        between = np.linalg.norm(clip - clip[:1, :1], axis=-1)
        assert_allclose(np.linalg.norm(own - own[:1, :1], axis=-1), between, rtol=0, atol=1e-9)
        assert made.motion.contacts is not None
        assert example.motion.contacts is not None
        assert_array_equal(
            made.motion.contacts.heel, example.motion.contacts.heel[first : first + len(made.motion)]
        )


@pytest.mark.parametrize("heading", [0.0, 1.3, -2.9])
def test_where_the_clip_lies_does_not_matter(heading: float) -> None:
    for example in chosen_examples()[::4]:
        moved = replace(example, motion=placed(example.motion, heading, np.array([4.0, 0.7, -9.0])))
        one, other = prepared(example), prepared(moved)
        assert_allclose(other.motion.positions, one.motion.positions, rtol=0, atol=1e-9)
        assert other.turn == pytest.approx(one.turn, abs=1e-9)
        for (place, faces), (again, turned) in zip(all_prints(one), all_prints(other), strict=True):
            assert_allclose(again, place, rtol=0, atol=1e-9)
            assert abs(ground.wrap(turned - faces)) < 1e-9


def test_its_prints_are_under_its_feet() -> None:
    """In the base frame, where the flat foot's subtalar is at start and end."""
    for example in chosen_examples():
        made = prepared(example)
        skeleton = made.motion.skeleton
        assert made.motion.contacts is not None
        for side, pair, swing in zip(("left", "right"), made.prints, made.swings, strict=True):
            sole = skeleton.foot_points(side).subtalar
            foot = skeleton.joint(f"{side}_foot")
            turns = Rotation.from_quat(np.array(made.motion.orientations[:, foot]), scalar_first=True)
            under = made.motion.positions[:, foot] + turns.apply(np.array(sole))
            times = made.motion.times - made.lead
            flat = made.motion.contacts.flat(side)
            halves = (flat, flat)
            if swing is not None:
                halves = flat & (times <= made.keytimes[swing[0]]), flat & (times >= made.keytimes[swing[1]])
            for found, when in zip(pair, halves, strict=True):
                if when.any():
                    assert_allclose(np.median(under[when], axis=0), found.place, rtol=0, atol=2e-4)


def test_the_turn_is_the_trunks() -> None:
    turned = placed_steps()
    for example, by in turned:
        assert prepared(example).turn == pytest.approx(by, abs=1e-9)


def placed_steps() -> list[tuple[Example, float]]:
    """Steps whose clips are turned on, frame by frame, as if on a turntable: by 0 at the first keytime."""
    out = []
    for example, by in zip(chosen_examples()[:3], (0.5, -0.4, 4.0), strict=True):
        motion = example.motion
        start, end = example.keytimes[0], example.keytimes[-1]
        angle = by * (motion.times - start) / (end - start)
        table = Rotation.from_rotvec(angle[:, None] * [0.0, 1.0, 0.0])
        rotations = np.array(motion.rotations)
        first = Rotation.from_quat(rotations[:, 0], scalar_first=True)
        rotations[:, 0] = (table * first).as_quat(scalar_first=True)
        own = replace(motion, root=table.apply(np.array(motion.root)), rotations=rotations)
        was = np.interp([start, end], motion.times, trunk_headings(motion))
        out.append((replace(example, motion=own), by + float(was[1] - was[0])))
    return out


@pytest.mark.parametrize("keytimes", [(-0.2, 0.5, 0.9, 1.0), (0.3, 0.55, 1.0, 99.0)])
def test_keytimes_outside_the_clip_are_refused(keytimes: tuple[float, ...]) -> None:
    example = replace(chosen_examples()[0], keytimes=keytimes)
    with pytest.raises(RequestError, match=f"'{example.name}' has keytimes from .* its motion lasts"):
        prepared(example)


def test_keytimes_at_the_very_ends_need_no_margin() -> None:
    example = chosen_examples()[0]
    whole = (0.0, 0.55, 1.089, example.motion.seconds)
    made = prepared(replace(example, keytimes=whole))
    assert made.lead == 0.0
    assert len(made.motion) == len(example.motion)


def test_at_another_rate_it_is_the_same_movement() -> None:
    example = chosen_examples()[0]
    fine, coarse = prepared(example, 120.0), prepared(example, 30.0)
    assert fine.motion.fps == 120.0
    times = fine.lead + np.linspace(0.0, fine.keytimes[-1], 20)
    one = at_times(fine.motion, times).positions
    other = at_times(coarse.motion, times - fine.lead + coarse.lead).positions
    assert_allclose(one, other, rtol=0, atol=1e-3)  # frames in between are slerped once more


# Mirrors


def test_mirrored_prints_are_reflections() -> None:
    for library in and_captured(actor_library()):
        for kind in library.members:
            for made in kind.examples:
                other = made.mirrored()
                assert other.swings == made.swings[::-1]
                assert other.lead == made.lead
                assert_array_equal(other.keytimes, made.keytimes)
                for mine, theirs in zip(made.prints[::-1], other.prints, strict=True):
                    for p, q in zip(mine, theirs, strict=True):
                        assert_allclose(q.place, p.place * REFLECT, rtol=0, atol=1e-12)
                        assert abs(ground.wrap(q.heading + p.heading)) < 1e-12


@pytest.mark.parametrize("which", ["actor", "captures"])
def test_mirrored_twice_is_the_example(which: str) -> None:
    library = actor_library() if which == "actor" else captured_library()
    for made in library.members[0].examples[:3]:
        twice = made.mirrored().mirrored()
        assert_allclose(twice.motion.positions, made.motion.positions, rtol=0, atol=1e-9)
        assert twice.swings == made.swings
        for mine, theirs in zip(made.prints, twice.prints, strict=True):
            for p, q in zip(mine, theirs, strict=True):
                assert_allclose(q.place, p.place, rtol=0, atol=1e-12)
                assert abs(ground.wrap(q.heading - p.heading)) < 1e-12
                assert apart(p.lying, q.lying) < 0.1


@pytest.mark.parametrize("which", ["actor", "captures"])
def test_mirrored_twice_feet_lie_as_they_did(which: str) -> None:
    library = actor_library() if which == "actor" else captured_library()
    for made in library.members[0].examples:
        for mine, theirs in zip(made.prints, made.mirrored().mirrored().prints, strict=True):
            for p, q in zip(mine, theirs, strict=True):
                assert apart(p.lying, q.lying) < 1e-6


def test_the_actors_mirror_image_is_what_a_mirror_shows() -> None:
    pairs = mirror_pairs(actor_library().skeleton)
    for kind in actor_library().members:
        made = kind.examples[1]
        shown = (made.motion.positions * REFLECT)[:, pairs]
        assert_allclose(made.mirrored().motion.positions, shown, rtol=0, atol=1e-9)


def test_a_mirrored_foot_lies_in_its_print_as_it_did() -> None:
    """The foot's turn is facing x lying while it is flat, in the mirror as well."""
    for library, off in zip(and_captured(actor_library()), np.radians([3.0, 6.0]), strict=False):
        for made in (e.mirrored() for kind in library.members for e in kind.examples[:2]):
            assert made.motion.contacts is not None
            for side, pair, swing in zip(("left", "right"), made.prints, made.swings, strict=True):
                if swing is not None:
                    continue
                flat = made.motion.contacts.flat(side)
                foot = made.motion.orientations[flat, made.motion.skeleton.joint(f"{side}_foot")]
                lies = Rotation.from_rotvec([0.0, pair[0].heading, 0.0]) * Rotation.from_quat(
                    np.array(pair[0].lying), scalar_first=True
                )
                away = Rotation.from_quat(np.array(foot), scalar_first=True) * lies.inv()
                assert np.median(away.magnitude()) < off


def test_joints_that_never_turn_go_on_doing_so_in_the_mirror() -> None:
    """And whatever hangs below them is turned in the world as a mirror has it."""
    made = captured_library().members[0].examples[0]
    still = np.flatnonzero(np.ptp(made.motion.rotations, axis=0).max(axis=-1) < 1e-12)
    assert len(still) > 2
    other, plain = made.mirrored().motion, mirror(made.motion)
    assert_array_equal(other.rotations[:, still[still > 0]], made.motion.rotations[:, still[still > 0]])
    moving = [j for j in range(len(made.motion.skeleton)) if j not in still]
    for joint in moving:
        assert apart(other.orientations[0, joint], plain.orientations[0, joint]) < 1e-6
    lopsided = any(apart(plain.orientations[0, j], other.orientations[0, j]) > 1e-4 for j in still)
    assert lopsided
