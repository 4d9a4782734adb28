"""One clean cycle from a captured walk: what is taken, what is refused, and that nothing else matters."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

import footfall as ff
from footfall.adapt.normalize import placed
from footfall.models.walkedit.fidelity import departure, jerkiness
from tests.captured import captured
from tests.captures import needs_captures

REAL = ["walk/16_47.bvh", "walk/07_01.bvh", "walk/136_21.bvh", "locomotion-set/ChrMarine@Walk01.skm"]


def actor_walk() -> ff.Motion:
    return ff.VirtualActor(seed=1).walk(1.3).motion


@needs_captures
@pytest.mark.parametrize(
    "file", [*REAL, "walk/16_16.bvh", "walk/16_21.bvh", "walk/07_04.bvh", "walk/07_11.bvh"]
)
def test_captured_values_give_the_cleaned_capture_back(file: str) -> None:
    cycle = ff.WalkEdit(captured(file)).cycle
    assert departure(cycle) < 0.005
    assert jerkiness(cycle) < 1.5


def test_the_actor_comes_back() -> None:
    cycle = ff.WalkEdit(actor_walk()).cycle
    assert departure(cycle) < 0.001
    assert cycle.speed == pytest.approx(1.3, rel=0.01)
    assert cycle.right_strike == pytest.approx(0.5, abs=0.01)


@needs_captures
@pytest.mark.parametrize("file", REAL)
def test_steps_are_those_of_the_clip(file: str) -> None:
    """As `detect_steps` reads them from the cleaned frames of the cycle's clip."""
    edit = ff.WalkEdit(captured(file))
    clip = ff.clean_contacts(captured(file))
    steps = [s for s in ff.detect_steps(clip, ff.detect_plants(clip, clip.contacts)) if s.kind == "forward"]
    width = edit.cycle.beside[0] - edit.cycle.beside[1]
    lengths = [np.hypot(length, width) for length in edit.cycle.step_lengths]
    for foot, length in zip(("left", "right"), lengths, strict=True):
        assert min(abs(s.length - length) for s in steps if s.foot == foot) < 0.025
    assert edit.speed == pytest.approx(np.median([s.velocity[0] for s in steps]), rel=0.12)


@pytest.mark.parametrize("heading", [0.7, -2.4])
def test_where_the_clip_lies_makes_no_difference(heading: float) -> None:
    clip = actor_walk()
    moved = placed(clip, heading, np.array([12.0, 0.4, -7.0]))
    one, other = (ff.WalkEdit(c).synthesize(lift=0.1, slope=0.1) for c in (clip, moved))
    assert_allclose(other.positions, one.positions, atol=1e-7)


@pytest.mark.parametrize("file", ["actor", pytest.param("walk/16_47.bvh", marks=needs_captures)])
def test_a_mirrored_clip_walks_mirrored(file: str) -> None:
    clip = actor_walk() if file == "actor" else captured(file)
    edits = [ff.WalkEdit(clip), ff.WalkEdit(ff.mirror(clip))]
    walks = [
        edit.synthesize(step_length=0.6, curve=curve, first=first)
        for edit, curve, first in zip(edits, (0.3, -0.3), ("left", "right"), strict=True)
    ]
    mirrored = ff.mirror(walks[1])
    assert len(mirrored) == len(walks[0])
    # bones of left and right differ, and where cycles are alike another one may be taken
    assert np.linalg.norm(mirrored.positions - walks[0].positions, axis=-1).mean() < 0.005
    assert np.abs(mirrored.positions - walks[0].positions).max() < 0.02


def test_the_clip_is_not_changed() -> None:
    clip = actor_walk()
    before = clip.root.copy(), clip.rotations.copy()
    ff.WalkEdit(clip).synthesize()
    assert (clip.root == before[0]).all()
    assert (clip.rotations == before[1]).all()


def no_walks() -> dict[str, ff.Motion]:
    actor = ff.VirtualActor(seed=1)
    walk = actor_walk()
    return {
        "a jump": actor.jump(1.2, 0.3).motion,
        "standing": replace(
            walk, root=walk.root[:1].repeat(90, 0), rotations=walk.rotations[:1].repeat(90, 0), contacts=None
        ),
        "a run": actor.run(3.0).motion,
        "two steps": walk[:70],
        "backwards": actor.walk(-0.8).motion,
        "stairs": actor.stairs(0.16, 0.3).motion,
        "one frame": walk[:1],
    }


@pytest.mark.parametrize("name", no_walks())
def test_what_is_no_walk_is_refused_in_one_sentence(name: str) -> None:
    with pytest.raises(ff.RequestError) as refusal:
        ff.WalkEdit(no_walks()[name])
    assert "three steps or more of straight, forward walking" in str(refusal.value)
    assert "\n" not in str(refusal.value)


@needs_captures
@pytest.mark.parametrize(
    "file", ["run/16_35.bvh", "run/127_17.bvh", "jump/83_47.bvh", "turn-side-back/69_36.bvh"]
)
def test_captured_runs_jumps_and_backward_walks_are_refused(file: str) -> None:
    with pytest.raises(ff.RequestError, match="three steps or more"):
        ff.WalkEdit(captured(file))


@needs_captures
def test_a_figure_whose_hips_are_moved_by_translations() -> None:
    """Its root stays where it is and the file moves the hips."""
    clip = captured("formats/dataset-2_walk_normal_016.bvh")
    assert clip.translations is not None
    edit = ff.WalkEdit(clip)
    assert departure(edit.cycle) < 0.005
    assert edit.synthesize(stairs=(0.16, 0.3)).certificate().penetration_max_m < 0.002


def test_no_legs() -> None:
    trunk = ff.Skeleton.build(["hips", "chest"], [-1, 0], np.array([[0.0, 1.0, 0.0], [0.0, 0.4, 0.0]]))
    motion = ff.Motion(trunk, np.zeros((50, 3)), np.tile([1.0, 0, 0, 0], (50, 2, 1)), 60.0)
    with pytest.raises(ff.RequestError, match="no two whole legs"):
        ff.WalkEdit(motion)
