"""Faulty steps: those in which a joint flips are left out, others are kept, and so are the parts between."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import footfall as ff
from footfall.actor.capture.faults import Faults, with_faults
from footfall.adapt.one_figure import CleanClip
from footfall.figure.motion import Motion
from footfall.geometry import quaternion as quat
from footfall.models.stepspace.captured import CapturedStep, captured_steps
from footfall.models.stepspace.sound import AROUND, sound_parts, sound_steps
from tests.models.stepspace.judges import clean_parts, walked_steps
from tests.models.stepspace.spaces import session_parts, small_space


def flipped(clip: Motion, frame: int, role: str, angle: float = 1.2) -> Motion:
    """One frame in which a joint is turned away."""
    rotations = np.array(clip.rotations)
    joint = clip.skeleton.joint(role)
    rotations[frame, joint] = quat.multiply(rotations[frame, joint], quat.exp(np.array([angle, 0.0, 0.0])))
    return replace(clip, rotations=rotations)


def steps_with(clip: Motion, number: int = 0) -> list[CapturedStep]:
    """All steps of the session, one clip exchanged; contacts as they were seen."""
    clips = list(clean_parts())
    clips[number] = CleanClip(clip, clips[number].seen)
    return list(captured_steps(clips))


def test_a_clean_session_is_kept() -> None:
    kept, left = sound_steps(walked_steps())
    assert list(kept) == list(walked_steps())
    assert left == []
    assert sound_steps([]) == ([], [])


@pytest.mark.parametrize("role", ["left_forearm", "right_foot", "head", "right_thigh"])
def test_a_step_in_which_a_joint_flips_is_left_out(role: str) -> None:
    chosen = [s for s in walked_steps() if s.number == 0][5]
    frame = round(0.5 * float(chosen.keytimes[1] + chosen.keytimes[2]) * chosen.clip.fps)
    steps = steps_with(flipped(clean_parts()[0].motion, frame, role))
    kept, left = sound_steps(steps)
    assert len(kept) + len(left) == len(walked_steps())
    named = [(s, at) for s, at in left if s.keytimes[1] == chosen.keytimes[1] and s.number == 0]
    assert len(named) == 1
    body, side = role.split("_")[-1], role.split("_")[0]
    # the joint itself, or one beside it, which is seen to turn as hard
    assert named[0][1] == role or side in named[0][1] or body == "head"
    seconds = frame / chosen.clip.fps
    for s, _ in left:
        assert s.number == 0
        assert s.keytimes[0] - AROUND - 0.1 < seconds < s.keytimes[-1] + AROUND + 0.1


def test_small_tremors_are_no_faults() -> None:
    clip = flipped(clean_parts()[0].motion, 120, "left_forearm", 0.05)
    assert sound_steps(steps_with(clip))[1] == []


@cache
def spiked() -> tuple[Motion, ...]:
    clips = list(session_parts())
    clips[0] = with_faults(clips[0], Faults(spikes=25.0, seed=3)).motion
    return tuple(clips)


def test_spikes_of_a_capture_do_not_come_into_the_space() -> None:
    told: list[str] = []
    space = ff.build_step_space(spiked(), candidates=False, progress=lambda what, share: told.append(what))
    left = [what for what in told if "is left out, its" in what]
    assert len(left) >= 2
    assert all(what.startswith("clip 1: a ") for what in left)
    assert len(space.left) == len(small_space().left) - len(left)
    kept = {name.removesuffix(", mirrored") for name in space.left.names}
    assert kept <= {name.removesuffix(", mirrored") for name in small_space().left.names}
    # nothing that is left turns as hard as a spike
    turns = space.left.rotations
    jumps = 2.0 * np.arccos(np.clip(np.abs(np.sum(turns[:, 1:] * turns[:, :-1], axis=-1)), 0.0, 1.0))
    clean = small_space().left.rotations
    usual = 2.0 * np.arccos(np.clip(np.abs(np.sum(clean[:, 1:] * clean[:, :-1], axis=-1)), 0.0, 1.0))
    forearm = space.skeleton.joint("left_forearm")
    assert jumps[:, :, forearm].max() < 2.0 * usual[:, :, forearm].max()
    # nor is a motion measured against one
    for role, peak in space.reference.peaks.items():
        assert peak < 1.6 * small_space().reference.peaks[role] + 5.0


def test_the_rest_of_a_clip_is_kept_in_parts() -> None:
    clips = [c.motion for c in clean_parts()]
    bad = [s for s in walked_steps() if s.number == 0][3:4]
    parts = sound_parts(clips, bad)
    assert len(parts) == len(clips) + 1
    assert sum(len(p) for p in parts) < sum(len(c) for c in clips)
    first, last = bad[0].keytimes[0] - AROUND, bad[0].keytimes[-1] + AROUND
    fps = clips[0].fps
    assert_array_equal(parts[0].root, clips[0].root[: len(parts[0])])
    assert_array_equal(parts[1].root, clips[0].root[-len(parts[1]) :])
    assert (len(parts[0]) - 1) / fps <= first + 1e-9 < len(parts[0]) / fps
    begin = (len(clips[0]) - len(parts[1])) / fps
    assert begin - 1.0 / fps < last <= begin + 1e-9


def test_overlapping_faults_and_whole_clips() -> None:
    clips = [c.motion for c in clean_parts()]
    own = [s for s in walked_steps() if s.number == 1]
    parts = sound_parts(clips, own)  # every step of a clip
    ends = own[-1].keytimes[-1] + AROUND
    seconds = sum(p.seconds for p in parts)
    assert seconds < sum(c.seconds for c in clips) - (ends - own[0].keytimes[0]) + 1.0
    assert sound_parts(clips, []) != []
    assert sum(len(p) for p in sound_parts(clips, [])) == sum(len(c) for c in clips)
    # where nothing would be left, all is kept
    short = clips[0][int(own[0].keytimes[0] * 30) : int(own[0].keytimes[-1] * 30)]
    whole = replace(own[0], number=0, keytimes=np.array([-1.0, 0.0, 1.0, 9.0]))
    assert [len(p) for p in sound_parts([short], [whole])] == [len(short)]
