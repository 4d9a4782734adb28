"""Cleaned motions: plants that do not move, everything else as near as can be to what it was."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.adapt.clean_contacts import LIMIT, change_between, clean_contacts
from footfall.analysis.certificate import certificate, leg_extension, phase_slides
from footfall.analysis.contacts import detect_contacts
from footfall.analysis.smoothness import angular_accelerations
from footfall.figure.contacts import Contacts, runs_of
from footfall.figure.mirror import mirror
from footfall.figure.motion import Motion
from footfall.figure.soles import sole_places
from footfall.geometry import easing, ground
from footfall.geometry import quaternion as quat
from tests.analysis.truth import noisy, placed
from tests.captured import capture, captured
from tests.captures import needs_captures
from tests.families import FAMILIES, load_family
from tests.figure.figures import PLAIN_NAMES, figure
from tests.gaits import PACES, RATES, made, stances_of
from tests.stances import Made, make

GAITS = [*PACES, "jump", "stand"]
CLIPS = {  # one of each kind, and the ways they move
    "walk/16_16.bvh": "walk",
    "walk/136_21.bvh": "walk, stop",
    "run/16_36.bvh": "run",
    "turn-side-back/69_53.bvh": "backward",
    "turn-side-back/69_56.bvh": "sideways",
    "turn-side-back/143_40.bvh": "cross-steps",
    "steps/83_24.bvh": "step up",
    "stairs-uneven/83_27.bvh": "stairs",
    "stairs-uneven/74_18.bvh": "ramp",
    "jump/83_41.bvh": "jump",
}
LEG_ROLES = [f"{side}_{part}" for side in ("left", "right") for part in ("thigh", "shank", "foot")]


def slide_of(motion: Motion) -> float:
    found = certificate(motion)
    assert found.contacts == "given"
    assert found.slide_max_m is not None
    return found.slide_max_m


def sliding_walk(amount: float, heading: float, fps: float = 60.0, *, back: bool) -> Made:
    """A walk whose every whole stance drifts by an amount: half of it away, or away and back."""
    stances, seconds = stances_of(PACES["walk"], 6)
    vector = amount * ground.direction_of(heading)

    def drift(start: float, end: float):  # type: ignore[no-untyped-def]
        def shift(t: np.ndarray) -> np.ndarray:
            share = np.clip((t - start) / (end - start), 0.0, 1.0)
            return (16 * share**2 * (1 - share) ** 2 if back else easing.smooth(share) - 0.5)[
                :, None
            ] * vector

        return shift

    for i in range(2, 6):
        stances[i] = replace(stances[i], shift=drift(stances[i].strike, stances[i].off))
    return make(stances, seconds, fps)


class TestInjectedSlide:
    @pytest.mark.parametrize("fps", RATES)
    @pytest.mark.parametrize("back", [False, True])
    @pytest.mark.parametrize(("amount", "heading"), [(0.005, 0.3), (0.02, -2.0)])
    def test_is_taken_out(self, amount: float, heading: float, back: bool, fps: float) -> None:
        bad = sliding_walk(amount, heading, fps, back=back)
        assert slide_of(bad.given) > 0.4 * amount
        assert slide_of(clean_contacts(bad.given)) < 1e-9

    @pytest.mark.parametrize("back", [False, True])
    @pytest.mark.parametrize(("amount", "heading"), [(0.005, 0.3), (0.02, -2.0)])
    def test_and_the_walk_comes_back(self, amount: float, heading: float, back: bool) -> None:
        """Footprints to within what the drift moved them, other joints to a fraction of it."""
        good = made("walk", 60.0)
        bad = sliding_walk(amount, heading, back=back)
        after = clean_contacts(bad.given)
        change = change_between(good.motion, after)
        assert change.mean < change_between(good.motion, bad.motion).mean + 0.25 * amount
        assert change.mean < 0.6 * amount
        assert change.largest < 1.6 * amount
        for side in ("left", "right"):
            flat = good.contacts.flat(side)
            away = np.linalg.norm((after.of(f"{side}_foot") - good.motion.of(f"{side}_foot"))[flat], axis=-1)
            assert away.max() < 1.05 * amount

    @pytest.mark.parametrize("seed", [1, 2])
    @pytest.mark.parametrize("name", GAITS)
    def test_noise_too(self, name: str, seed: int) -> None:
        gait = made(name, 60.0)
        after = clean_contacts(replace(noisy(gait.motion, 0.003, seed), contacts=gait.contacts))
        assert slide_of(after) < 1e-9
        assert change_between(gait.motion, after).mean < 0.012

    @pytest.mark.parametrize("name", ["walk", "turn", "stairs", "backward"])
    def test_the_tips_of_the_toes_lie_still_too(self, name: str) -> None:
        gait = made(name, 60.0)
        after = clean_contacts(replace(noisy(gait.motion, 0.003, 12), contacts=gait.contacts))
        assert after.contacts is not None
        for side in ("left", "right"):
            tip = sole_places(after, side)[:, 3]
            for first, last in runs_of(after.contacts.toe_of(side)):
                assert_allclose(
                    tip[first:last], np.broadcast_to(tip[first], (last - first, 3)), rtol=0, atol=1e-9
                )


class TestAlreadyClean:
    @pytest.mark.parametrize("fps", RATES)
    @pytest.mark.parametrize("name", GAITS)
    def test_is_left_as_it_is(self, name: str, fps: float) -> None:
        gait = made(name, fps)
        after = clean_contacts(gait.given)
        assert_allclose(after.positions, gait.motion.positions, rtol=0, atol=1e-6)
        assert_allclose(quat.angle_between(after.rotations, gait.motion.rotations), 0.0, atol=1e-6)

    @pytest.mark.parametrize("name", ["walk", "stairs", "run"])
    def test_twice_is_once(self, name: str) -> None:
        gait = made(name, 60.0)
        once = clean_contacts(replace(noisy(gait.motion, 0.003, 3), contacts=gait.contacts))
        twice = clean_contacts(once)
        assert slide_of(twice) < 1e-9
        assert change_between(once, twice).mean < 0.1 * change_between(gait.motion, once).mean

    def test_detected_contacts_cost_millimetres(self) -> None:
        """Frames at the edges of a contact that a detector adds are pinned too."""
        gait = made("walk", 120.0)
        after = clean_contacts(gait.motion)
        assert slide_of(after) < 1e-9
        assert change_between(gait.motion, after).mean < 0.002


class TestNothingElseChanges:
    def test_above_the_hips_only_the_place(self) -> None:
        gait = made("walk", 60.0)
        bad = replace(noisy(gait.motion, 0.003, 4), contacts=gait.contacts)
        after = clean_contacts(bad)
        skeleton = bad.skeleton
        legs = {
            j
            for s in ("left", "right")
            for j in (skeleton.joint(f"{s}_thigh"), *skeleton.tree.descendants(skeleton.joint(f"{s}_thigh")))
        }
        others = [j for j in range(len(skeleton)) if j not in legs]
        assert_allclose(
            quat.angle_between(after.rotations[:, others], bad.rotations[:, others]), 0.0, atol=1e-7
        )
        shift = after.root - bad.root
        assert_allclose(
            (after.positions - bad.positions)[:, others],
            np.broadcast_to(shift[:, None], (len(bad), len(others), 3)),
            rtol=0,
            atol=1e-9,
        )
        assert np.linalg.norm(shift, axis=-1).max() < 0.03

    def test_bones_keep_their_lengths(self) -> None:
        gait = made("run", 60.0)
        after = clean_contacts(replace(noisy(gait.motion, 0.003, 5), contacts=gait.contacts))
        assert certificate(after).bone_stretch_max < 1e-9

    def test_its_contacts_are_part_of_the_given_ones(self) -> None:
        gait = made("walk", 60.0)
        after = clean_contacts(gait.motion, gait.contacts)
        assert after.contacts is not None
        assert not (after.contacts.heel & ~gait.contacts.heel).any()
        assert not (after.contacts.toe & ~gait.contacts.toe).any()

    @pytest.mark.parametrize("name", ["turn", "stairs"])
    def test_it_goes_along_with_the_world(self, name: str) -> None:
        gait = made(name, 60.0)
        bad = replace(noisy(gait.motion, 0.003, 6), contacts=gait.contacts)
        there = clean_contacts(placed(bad, (4.0, 1.0, -3.0), 2.2))
        assert_allclose(
            there.positions, placed(clean_contacts(bad), (4.0, 1.0, -3.0), 2.2).positions, rtol=0, atol=1e-7
        )

    @pytest.mark.parametrize("name", ["turn", "backward"])
    def test_and_with_the_mirror(self, name: str) -> None:
        gait = made(name, 60.0)
        bad = replace(noisy(gait.motion, 0.003, 7), contacts=gait.contacts)
        assert_allclose(
            clean_contacts(mirror(bad)).positions, mirror(clean_contacts(bad)).positions, rtol=0, atol=1e-7
        )

    def test_the_given_motion_is_not_written_to(self) -> None:
        motion = made("walk", 60.0).motion
        before = motion.rotations.copy()
        clean_contacts(motion)
        assert_array_equal(motion.rotations, before)


class TestLimits:
    @pytest.mark.parametrize("reach", [0.97, 0.99, 0.999])
    def test_no_leg_is_stretched_beyond_the_limit(self, reach: float) -> None:
        stances, seconds = stances_of(PACES["walk"], 6)
        gait = make(stances, seconds, 60.0, reach=reach)
        after = clean_contacts(replace(noisy(gait.motion, 0.002, 8), contacts=gait.contacts))
        assert slide_of(after) < 1e-9
        assert leg_extension(after) < LIMIT

    def test_knees_do_not_pop_when_a_straight_leg_is_pinned(self) -> None:
        stances, seconds = stances_of(PACES["walk"], 6)
        gait = make(stances, seconds, 120.0, reach=0.998)
        bad = replace(noisy(gait.motion, 0.002, 9), contacts=gait.contacts)
        assert leg_acceleration_ratio(bad, clean_contacts(bad)) < 1.5


class TestOddMotions:
    def test_without_any_plant(self) -> None:
        motion = made("walk", 60.0).motion
        after = clean_contacts(motion, Contacts.none(len(motion)))
        assert_array_equal(after.positions, motion.positions)
        assert after.contacts is not None
        assert not after.contacts.heel.any()

    @pytest.mark.parametrize("frames", [1, 2, 3, 5])
    def test_of_few_frames(self, frames: int) -> None:
        motion = made("walk", 60.0).motion[:frames]
        after = clean_contacts(motion)
        assert len(after) == frames
        assert_allclose(after.positions, motion.positions, rtol=0, atol=1e-6)

    def test_of_no_frames(self) -> None:
        after = clean_contacts(made("walk", 60.0).motion[:0])
        assert len(after) == 0
        assert after.contacts is not None
        assert len(after.contacts) == 0

    def test_of_a_figure_without_legs(self) -> None:
        motion = made("walk", 60.0).motion
        bare = replace(motion, skeleton=replace(motion.skeleton, roles={}))
        assert_array_equal(clean_contacts(bare).positions, bare.positions)

    def test_of_a_figure_with_one_leg(self) -> None:
        gait = made("walk", 60.0)
        roles = {r: j for r, j in gait.motion.skeleton.roles.items() if r != "right_foot"}
        lame = replace(
            noisy(gait.motion, 0.003, 10),
            skeleton=replace(gait.motion.skeleton, roles=roles),
            contacts=gait.contacts,
        )
        after = clean_contacts(lame)
        assert max(phase_slides(after, after.contacts, "left")) < 1e-9  # type: ignore[arg-type]

    @pytest.mark.parametrize("name", ["walk", "backward", "stairs"])
    def test_of_a_figure_without_toes(self, name: str) -> None:
        toeless = figure({part: own for part, own in PLAIN_NAMES.items() if not part.endswith("_toe")})
        assert not toeless.has("left_toe")
        gait = made(name, 60.0, skeleton=toeless)
        after = clean_contacts(replace(noisy(gait.motion, 0.003, 11), contacts=gait.contacts))
        assert slide_of(after) < 1e-9
        untouched = clean_contacts(gait.given)
        assert_allclose(untouched.positions, gait.motion.positions, rtol=0, atol=1e-6)

    @needs_captures
    @pytest.mark.parametrize("family", FAMILIES)
    def test_of_every_skeleton_family(self, family: str) -> None:
        """Odd files too: nothing may come out that is not finite, and what stands does not slide."""
        motion = load_family(FAMILIES[family])
        after = clean_contacts(motion)
        assert np.isfinite(after.rotations).all()
        assert len(after) == len(motion)
        found = certificate(after)
        assert (found.slide_max_m or 0.0) < 0.0005


def leg_acceleration_ratio(before: Motion, after: Motion, spikes: list[int] | None = None) -> float:
    """The largest over hips, knees and ankles of the 99.9th percentile of acceleration, after over before."""
    lengths = [angular_accelerations(m) for m in (before, after)]
    keep = np.ones(len(lengths[0]), dtype=bool)
    for frame in spikes or []:
        at = int(frame / before.fps * 60.0)
        keep[max(at - 4, 0) : at + 4] = False
    joints = [before.skeleton.joint(role) for role in LEG_ROLES]
    peaks = [np.percentile(a[keep][:, joints], 99.9, axis=0) for a in lengths]
    return float((peaks[1] / peaks[0]).max())


@needs_captures
@pytest.mark.parametrize("file", CLIPS)
def test_captures(file: str) -> None:
    """The issue's bars for any clip; the whole set is measured by benchmarks/cleaning.py."""
    from tests.captured import ROWS

    motion = captured(file)
    after = clean_contacts(motion)
    assert slide_of(after) < 0.0005
    assert change_between(motion, after).mean < 0.025
    assert leg_extension(after) < 0.998
    spikes = [int(f) - capture(file).dropped for f in ROWS[file]["spike_frames"].split()]
    assert leg_acceleration_ratio(motion, after, spikes) < 2.0
    assert after.contacts is not None
    for side in ("left", "right"):  # every plant that was found is pinned
        found = runs_of(detect_contacts(motion).stands(side))
        assert all(after.contacts.stands(side)[a:b].any() for a, b in found)
