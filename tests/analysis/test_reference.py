"""What examples do in a few numbers: as their frames have it, and as good as the frames to judge by."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

import footfall as ff
from footfall.analysis.certificate import certificate
from footfall.analysis.reference import Reference
from footfall.analysis.smoothness import measured_roles
from footfall.errors import RequestError
from footfall.figure.motion import Motion


def walks() -> list[Motion]:
    actor = ff.VirtualActor().at(60.0)
    return [actor.walk(speed).motion for speed in (0.9, 1.3)]


def test_peaks_are_one_of_each_role() -> None:
    found = Reference.of(walks())
    assert set(found.peaks) == set(measured_roles(walks()[0].skeleton))
    assert all(peak > 0.0 for peak in found.peaks.values())


def test_legs_are_as_straight_as_the_straightest_frame() -> None:
    found, longest = Reference.of(walks()), 0.0
    for motion in walks():
        for side in ("left", "right"):
            hip, knee, ankle = (motion.of(f"{side}_{part}") for part in ("thigh", "shank", "foot"))
            bones = np.linalg.norm(hip - knee, axis=1) + np.linalg.norm(knee - ankle, axis=1)
            longest = max(longest, float((np.linalg.norm(hip - ankle, axis=1) / bones).max()))
    assert found.leg_extension == pytest.approx(longest, abs=1e-6)


def test_more_examples_are_no_less() -> None:
    one, both = Reference.of(walks()[:1]), Reference.of(walks())
    assert one.leg_extension is not None
    assert both.leg_extension is not None
    assert both.leg_extension >= one.leg_extension
    jerky = replace(walks()[0], rotations=_shaken(walks()[0]))
    hard = Reference.of([*walks(), jerky])
    assert all(hard.peaks[role] >= 0.99 * both.peaks[role] for role in both.peaks)
    assert hard.peaks["left_thigh"] > 2.0 * both.peaks["left_thigh"]


def _shaken(motion: Motion) -> np.ndarray:
    rotations = np.array(motion.rotations)
    rotations[::7, 6:9] += 0.1
    return np.asarray(rotations / np.linalg.norm(rotations, axis=-1, keepdims=True))


def test_it_judges_as_the_examples_do() -> None:
    motion = ff.VirtualActor(3).at(60.0).walk(1.1).motion
    by_frames = certificate(motion, reference=walks())
    by_numbers = certificate(motion, reference=Reference.of(walks()))
    assert by_frames.acceleration_ratio == pytest.approx(by_numbers.acceleration_ratio)
    assert by_frames.leg_extension_examples == by_numbers.leg_extension_examples
    own = certificate(motion, reference=Reference.of([motion]))
    assert own.acceleration_ratio == pytest.approx(1.0)


def test_a_faster_walk_is_harder() -> None:
    slow = walks()[0]
    fast = replace(slow, fps=2.0 * slow.fps)
    a, b = Reference.of([slow]), Reference.of([fast])
    ratios = [b.peaks[role] / a.peaks[role] for role in a.peaks]
    assert_allclose(np.median(ratios), 4.0, rtol=0.3)
    assert a.leg_extension == b.leg_extension


def test_nothing_is_known_of_nothing() -> None:
    none = Reference.of([])
    assert dict(none.peaks) == {}
    assert none.leg_extension is None
    short = Reference.of([walks()[0][:2]])
    assert dict(short.peaks) == {}
    assert short.leg_extension is not None


def test_it_cannot_be_changed_and_holds_numbers_only() -> None:
    kept = {"head": 3}
    one = Reference(kept, 0.99)
    kept["head"] = 5
    assert one.peaks["head"] == 3.0
    with pytest.raises(TypeError):
        one.peaks["head"] = 1.0  # type: ignore[index]
    with pytest.raises(FrozenInstanceError):
        one.leg_extension = 1.0  # type: ignore[misc]
    for bad in (np.nan, np.inf, -1.0):
        with pytest.raises(RequestError, match="finite numbers from 0 on"):
            Reference({"head": bad}, None)
