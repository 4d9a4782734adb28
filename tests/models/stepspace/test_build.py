"""Building: all steps of all clips, from any people, at their true rates; what is no clip is refused."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import footfall as ff
from footfall.adapt.true_rate import true_rate
from footfall.errors import RequestError
from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.models.stepspace.build import FEWEST, both_sides, build_step_space
from footfall.models.stepspace.step_table import ARRAYS
from tests.captured import captured
from tests.captures import captures, needs_captures
from tests.models.stepspace.judges import drawn_plan, missed, walked_steps
from tests.models.stepspace.spaces import running_space, session_parts, small_space


def test_every_step_is_in_the_space_with_its_mirror_image() -> None:
    space = small_space()
    assert len(space.left) == len(walked_steps())
    own = [s for s in walked_steps() if s.step.foot == "left"]
    other = [s for s in walked_steps() if s.step.foot == "right"]
    assert space.left.names[: len(own)] == tuple(s.name for s in own)
    assert space.left.names[len(own) :] == tuple(f"{s.name}, mirrored" for s in other)
    assert space.left.clips.tolist() == [s.number for s in (*own, *other)]
    assert space.left.foot == "left"
    assert space.running is None
    assert space.candidates is not None


def test_both_sides_keep_every_step() -> None:
    steps = walked_steps()[:9]
    table = both_sides(steps)
    assert len(table) == 9
    only = both_sides([s for s in steps if s.step.foot == "right"])
    assert len(only) == sum(s.step.foot == "right" for s in steps)
    assert all(name.endswith("mirrored") for name in only.names)


def test_the_same_clips_give_the_same_space() -> None:
    again = build_step_space(list(session_parts()), candidates=False)
    for name in ARRAYS:
        assert_array_equal(getattr(again.left, name), getattr(small_space().left, name))
    assert_array_equal(again.posture, small_space().posture)


def test_examples_are_as_good_as_their_motions() -> None:
    actor = ff.VirtualActor(2)
    takes = [actor.start_and_stop(1.1, steps=8), actor.start_and_stop(-0.6, steps=8)]
    one = build_step_space(takes, candidates=False)
    other = build_step_space([t.motion for t in takes], candidates=False)
    assert_array_equal(one.left.root, other.left.root)
    mixed = build_step_space([takes[0], takes[1].motion], candidates=False)  # type: ignore[list-item]
    assert_array_equal(mixed.left.root, other.left.root)


def test_clips_are_not_changed() -> None:
    clip = session_parts()[0]
    root, rotations = clip.root.copy(), clip.rotations.copy()
    build_step_space(session_parts(), candidates=False)
    assert_array_equal(clip.root, root)
    assert_array_equal(clip.rotations, rotations)


def test_progress_goes_from_nothing_to_all() -> None:
    told: list[tuple[str, float]] = []
    build_step_space(session_parts(), progress=lambda what, share: told.append((what, share)))
    shares = [share for _, share in told]
    assert shares == sorted(shares)
    assert 0.0 <= shares[0] < 0.2
    assert shares[-1] == pytest.approx(1.0)
    assert any(f"{len(small_space().left)} steps walked, 0 run" in what for what, _ in told)


@pytest.mark.parametrize("source", [None, 3, "walk.bvh", b"x"])
def test_what_is_no_list_of_clips_is_refused(source: object) -> None:
    with pytest.raises(RequestError):
        build_step_space(source)  # type: ignore[arg-type]


def test_what_holds_no_steps_is_refused() -> None:
    with pytest.raises(RequestError, match="list of motions"):
        build_step_space(session_parts()[0])  # type: ignore[arg-type]
    with pytest.raises(RequestError, match="none were given"):
        build_step_space([])
    with pytest.raises(RequestError, match="motions or examples, nothing else"):
        build_step_space([session_parts()[0], 3])  # type: ignore[list-item]
    idle = ff.VirtualActor().idle(4.0).motion
    with pytest.raises(RequestError, match=f"0 walking steps were found in 1 clips; .* at least {FEWEST}"):
        build_step_space([idle])
    few = session_parts()[0].between(0.0, 2.5)
    with pytest.raises(RequestError, match=r"^[1-4] walking steps were found in 1 clips"):
        build_step_space([few])


def test_a_figure_without_legs_is_refused() -> None:
    rest = np.tile([1.0, 0.0, 0.0, 0.0], (2, 1))
    bare = Skeleton(("a", "b"), np.array([-1, 0]), np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]]), rest, {})
    still = Motion(bare, np.zeros((40, 3)), np.tile([1.0, 0.0, 0.0, 0.0], (40, 2, 1)), 30.0)
    with pytest.raises(RequestError):
        build_step_space([still])


def test_runs_have_a_table_of_their_own() -> None:
    space = running_space()
    assert space.running is not None
    assert space.running.runs
    assert not space.left.runs
    assert len(space.left) == len(small_space().left)
    assert len(space.running) >= FEWEST
    assert set(space.running.clips.tolist()) == {4, 5, 6}
    # fewer than span a tetrahedron are not kept
    one = ff.VirtualActor().at(60.0).run(2.6).motion.between(0.0, 0.9)
    assert build_step_space([*session_parts(), one], candidates=False).running is None


@cache
def bare_walk() -> Motion:
    """A walk that knows nothing of its contacts."""
    return replace(ff.VirtualActor().at(60.0).start_and_stop(1.25, steps=14).motion, contacts=None)


@pytest.mark.parametrize("factor", [2.0, 0.5])
def test_a_rate_that_lies_is_mended(factor: float) -> None:
    lying = replace(bare_walk(), fps=60.0 * factor)
    assert true_rate(lying).fps == pytest.approx(60.0)
    assert_array_equal(true_rate(lying).rotations, lying.rotations)
    assert true_rate(bare_walk()) is bare_walk()


def test_made_clips_are_believed() -> None:
    clip = replace(session_parts()[0], fps=120.0)
    assert true_rate(clip) is clip
    assert true_rate(bare_walk()[:2]).fps == 60.0


def test_a_space_of_a_clip_whose_rate_lies_takes_as_long_as_people_do() -> None:
    told = [build_step_space([replace(bare_walk(), fps=fps)], candidates=False) for fps in (60.0, 120.0)]
    assert len(told[0].left) == len(told[1].left)
    assert_allclose(told[0].left.durations, told[1].left.durations, atol=1e-9)
    assert 0.3 < np.median(told[1].left.swings) < 0.7


@needs_captures
def test_captured_people_come_onto_the_first_ones_figure() -> None:
    """Subjects 69 and 16: whoever comes first gives the figure."""
    files = ["turn-side-back/69_01.bvh", "turn-side-back/69_36.bvh", "walk/16_16.bvh"]
    space = build_step_space([captured(f) for f in files], candidates=False)
    assert set(space.left.clips.tolist()) == {0, 1, 2}
    first = captured(files[0]).skeleton
    assert space.skeleton.names == first.names
    assert_allclose(space.skeleton.offsets, first.offsets, atol=1e-9)
    assert space.skeleton.feet is not None  # measured
    for seed in range(2):
        plan = drawn_plan(seed)
        motion = space.follow(plan)
        assert missed(motion, plan) < 1e-9
        assert motion.certificate().slide_max_m == pytest.approx(0.0, abs=1e-6)


@needs_captures
def test_a_captured_header_that_lies_is_mended() -> None:
    """Subject 143 says 120 frames a second and means 60; those who say what they mean are believed."""
    said = ff.load_motion(captures("turn-side-back/143_40.bvh"))
    assert said.fps == pytest.approx(120.0, rel=1e-3)
    assert true_rate(said).fps == pytest.approx(60.0, rel=1e-3)
    for file in ("turn-side-back/69_01.bvh", "walk/16_16.bvh"):
        clip = ff.load_motion(captures(file))
        assert true_rate(clip) is clip
