"""Several people on one figure: feet pinned, the first one's bones, everyone's steps kept."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import footfall as ff
from footfall.actor.capture.faults import Faults, with_faults
from footfall.adapt.one_figure import on_one_figure
from footfall.analysis.certificate import certificate
from footfall.analysis.plants import detect_plants
from footfall.analysis.steps import detect_steps
from footfall.errors import RequestError
from footfall.figure.contacts import SIDES
from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.figure.soles import sole_places
from tests.captured import captured
from tests.captures import needs_captures


@cache
def walk(seed: int = 0, *, carried: bool = True) -> Motion:
    """A walk of one person; without its contacts it is as a file would give it."""
    motion = ff.VirtualActor(seed).at(60.0).start_and_stop(1.1, steps=6).motion
    return motion if carried else replace(motion, contacts=None)


def smaller(motion: Motion, scale: float) -> Motion:
    """The same walk by someone of another size."""
    s = motion.skeleton
    ends = s.end_parents, scale * s.end_offsets
    other = Skeleton(s.names, s.parents, scale * s.offsets, s.rest, s.roles, *ends)
    return Motion(other, scale * motion.root, motion.rotations, motion.fps)


def test_made_clips_are_taken_as_they_are() -> None:
    found = on_one_figure([walk(), walk()])
    for clip in found:
        assert clip.motion.contacts is clip.seen
        assert_array_equal(clip.motion.rotations, walk().rotations)
        assert_array_equal(clip.motion.root, walk().root)


def test_a_clip_without_contacts_is_pinned() -> None:
    sliding = with_faults(walk(), Faults(slide=0.02, seed=1)).motion
    bare = replace(sliding, contacts=None)
    clip = on_one_figure([bare])[0]
    assert clip.motion.contacts is not None
    before, after = certificate(bare), certificate(clip.motion)
    assert before.slide_max_m is not None
    assert after.slide_max_m is not None
    assert before.slide_max_m > 0.012
    assert after.slide_max_m < 0.002
    # what stood is seen, and what is pinned is part of it
    for side in SIDES:
        pinned, seen = clip.motion.contacts.stands(side), clip.seen.stands(side)
        assert seen.sum() > 50
        assert (pinned & ~seen).mean() < 0.02


def test_steps_are_told_by_what_was_seen() -> None:
    clip = on_one_figure([walk(carried=False)])[0]
    steps = detect_steps(clip.motion, detect_plants(clip.motion, clip.seen))
    assert len(steps) == len(detect_steps(walk(), detect_plants(walk(), walk().contacts)))  # type: ignore[arg-type]


@pytest.mark.parametrize("scale", [0.8, 1.15])
def test_the_first_gives_the_figure(scale: float) -> None:
    other = smaller(walk(), scale)
    found = on_one_figure([walk(carried=False), other])
    assert found[0].motion.skeleton.same_bones(found[1].motion.skeleton)
    assert found[1].motion.skeleton.same_bones(walk().skeleton)
    for clip in found:
        for side in SIDES:  # feet stand on the ground of the figure they have now
            lowest = sole_places(clip.motion, side)[..., 1].min()
            assert abs(lowest) < 0.02
    there = on_one_figure([other, walk(carried=False)])
    assert there[0].motion.skeleton.same_bones(other.skeleton)
    legs = [float(c.motion.skeleton.leg_length()) for c in (found[1], there[0])]
    assert legs[1] == pytest.approx(scale * legs[0], rel=1e-6)
    # steps are as long as the legs they are on
    strides = [np.ptp(c.motion.of("hips"), axis=0)[[0, 2]] for c in found]
    assert np.linalg.norm(strides[0]) == pytest.approx(np.linalg.norm(strides[1]), rel=0.1)


def test_clips_keep_their_order() -> None:
    clips = [
        walk(carried=False)[:80],
        smaller(walk()[:90], 0.9),
        walk(carried=False)[:100],
        smaller(walk()[:110], 0.9),
    ]
    assert [len(c.motion) for c in on_one_figure(clips)] == [80, 90, 100, 110]
    assert [len(c.seen) for c in on_one_figure(clips)] == [80, 90, 100, 110]


def test_feet_that_are_known_are_not_measured_again() -> None:
    points = {side: walk().skeleton.foot_points(side) for side in SIDES}
    known = replace(walk(carried=False), skeleton=walk().skeleton.with_feet(**points))
    found = on_one_figure([known])[0].motion.skeleton
    for side in SIDES:
        assert_array_equal(found.foot_points(side).subtalar, points[side].subtalar)


def test_progress_is_told() -> None:
    told: list[tuple[str, float]] = []
    on_one_figure([walk(), walk(), walk()], lambda what, share: told.append((what, share)))
    assert [share for _, share in told] == [0.0, 1.0 / 3.0, 2.0 / 3.0]
    assert {what for what, _ in told} == {"feet pinned"}


def test_what_has_no_legs_is_refused() -> None:
    with pytest.raises(RequestError, match="no clips were given"):
        on_one_figure([])
    rest = np.tile([1.0, 0.0, 0.0, 0.0], (2, 1))
    bare = Skeleton(("a", "b"), np.array([-1, 0]), np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]]), rest, {})
    still = Motion(bare, np.zeros((40, 3)), np.tile(rest, (40, 1, 1)), 30.0)
    with pytest.raises(RequestError, match="hips and two legs"):
        on_one_figure([still])


@needs_captures
def test_captured_people_are_measured_person_by_person() -> None:
    """Left and right soles differ; two clips of one person have the same."""
    files = ["turn-side-back/69_01.bvh", "walk/16_16.bvh", "turn-side-back/69_36.bvh"]
    found = on_one_figure([captured(f) for f in files])
    figure = found[0].motion.skeleton
    assert figure.feet is not None
    for clip in found:
        assert clip.motion.skeleton.same_bones(figure)
        for side in SIDES:
            assert_allclose(clip.motion.skeleton.foot_points(side).heel, figure.foot_points(side).heel)
        told = certificate(clip.motion)
        assert told.slide_max_m is not None
        assert told.slide_max_m < 0.005
        assert told.bone_stretch_max < 1e-9
