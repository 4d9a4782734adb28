"""Contacts: on made gaits the very plants at the very times, whatever the rate, the ground and the noise.

On captures: as many steps as their README counts, and the lengths and heights that its table of steps gives.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from footfall.analysis.contacts import Thresholds, clip_thresholds, detect_contacts, thresholds_of
from footfall.analysis.plants import Plant, detect_plants
from footfall.analysis.steps import detect_steps
from footfall.figure.motion import Motion
from tests.analysis.truth import event_errors, frozen, noisy, placed, truth, twitched
from tests.captured import ROWS, captured, clips, readme_table
from tests.captures import needs_captures
from tests.gaits import PACES, RATES, jump, made, stances_of
from tests.stances import Made, Stance, make

GAITS = [*PACES, "jump", "stand"]
IN_TIME = 0.020  # s, or one frame
GENTLE = 0.035  # s: a foot that starts or ends a walk moves at half the speed for a while


def plants_in(motion: Motion) -> tuple[Plant, ...]:
    return detect_plants(motion, detect_contacts(motion))


def relocations(motion: Motion) -> int:
    """How often a foot comes to stand anew."""
    feet = [plant.foot for plant in plants_in(motion)]
    return sum(max(feet.count(side) - 1, 0) for side in ("left", "right"))


class TestMadeGaits:
    @pytest.mark.parametrize("fps", RATES)
    @pytest.mark.parametrize("name", GAITS)
    def test_plants_begin_and_end_in_time(self, name: str, fps: float) -> None:
        gait = made(name, fps)
        errors = np.abs(event_errors(plants_in(gait.motion), truth(gait), fps))
        assert errors.max() <= max(GENTLE, 1 / fps) + 1e-9
        gentle = name in ("slow walk", "sideways", "cross")
        # the strikes and toe-offs of whole steps
        inner = errors[3:-2] if len(errors) == 8 and not gentle else errors[:0]
        assert inner.max(initial=0.0) <= max(IN_TIME, 1 / fps) + 1e-9
        assert len(inner) == 3 or gentle or name in ("jump", "stand")

    @pytest.mark.parametrize("fps", [60.0, 120.0])
    @pytest.mark.parametrize("name", ["walk", "backward", "run", "stairs", "ramp"])
    def test_heel_and_toe_are_told_apart(self, name: str, fps: float) -> None:
        gait = made(name, fps)
        found, known = detect_contacts(gait.motion), gait.contacts
        for one, other in ((found.heel, known.heel), (found.toe, known.toe)):
            # a heel leaves the ground slowly, so its last frames are a matter of taste
            assert np.mean(one != other) < 0.06
        whole = [p for p in detect_plants(gait.motion, found) if p.whole]
        assert {p.heel_first for p in whole} == {PACES[name].first == "heel"}
        assert all(p.flat is not None and p.start <= p.flat[0] < p.flat[1] <= p.end for p in whole)

    def test_standing_still_is_all_contact(self) -> None:
        gait = made("stand", 60.0)
        found = detect_contacts(gait.motion)
        assert found.heel.all()
        assert found.toe.all()

    @pytest.mark.parametrize("fps", RATES)
    @pytest.mark.parametrize(
        ("length", "height", "flight"), [(0.0, 0.3, 0.5), (0.0, 0.12, 0.36), (1.5, 0.2, 0.5)]
    )
    def test_the_apex_of_a_jump_is_no_plant(
        self, length: float, height: float, flight: float, fps: float
    ) -> None:
        gait = jump(length, height, flight, fps)
        found = plants_in(gait.motion)
        assert [p.foot for p in found] == ["left", "right", "left", "right"]
        in_air = (gait.motion.times > 1.05) & (gait.motion.times < 0.95 + flight)
        assert not (detect_contacts(gait.motion).stands("left") & in_air).any()

    @pytest.mark.parametrize("fps", RATES)
    def test_a_foot_held_up_is_no_plant(self, fps: float) -> None:
        """It hangs still for a second, 15 cm over the floor."""
        up = Stance("left", (0.1, 0.15, 0.1), 1.4, 1.45, 2.4, 2.5, "flat", "flat", clearance=0.0)
        floor = [
            Stance("left", (0.1, 0.0, 0.0), -1.0, -0.9, 0.9, 1.0, clearance=0.0),
            Stance("left", (0.1, 0.0, 0.0), 2.9, 2.95, 9.0, 9.1),
            Stance("right", (-0.1, 0.0, 0.0), -1.0, -0.9, 9.0, 9.1),
        ]
        gait = make([*floor, up], 3.8, fps)
        found = plants_in(gait.motion)
        assert [p.foot for p in found] == ["left", "right", "left"]
        assert np.abs(np.array([p.position[1] for p in found])).max() < 0.005

    @pytest.mark.parametrize("height", [0.18, 0.36])
    def test_a_block_is_stood_on(self, height: float) -> None:
        stances, seconds = stances_of(replace(PACES["stairs"], rise=0.0, length=0.5), 6)
        for i in (3, 4):
            x, _, z = stances[i].place
            stances[i] = replace(stances[i], place=(x, height, z))
        for i in (1, 2):  # up onto the block: the feet must clear its edge
            stances[i] = replace(stances[i], clearance=0.12 + 0.5 * height)
        gait = make(stances, seconds, 120.0)
        found = plants_in(gait.motion)
        assert [p.foot for p in found] == [t.foot for t in truth(gait)]
        levels = [s.place[1] for s in sorted(stances, key=lambda s: (max(s.strike, 0.0), s.foot))]
        np.testing.assert_allclose([p.level for p in found], levels, atol=0.002)

    @pytest.mark.parametrize("fps", RATES)
    @pytest.mark.parametrize("about", ["toe", "heel"])
    def test_a_foot_that_swivels_stands_on_what_it_swivels_about(self, about: str, fps: float) -> None:
        turned = Stance("left", (0.1, 0.0, 0.0), -1.0, -0.9, 9.0, 9.1, swivel=(1.0, 1.4, 1.3, about))
        gait = make([turned, Stance("right", (-0.2, 0.0, 0.0), -1.0, -0.9, 9.0, 9.1)], 2.4, fps)
        found = detect_contacts(gait.motion)
        held, free = (found.toe, found.heel) if about == "toe" else (found.heel, found.toe)
        assert held[:, 0].all()
        fastest = np.abs(gait.motion.times - 1.2) < 0.5 / fps + 1e-9
        assert not free[fastest, 0].any()
        assert free[gait.motion.times < 0.9, 0].all()
        assert len(detect_plants(gait.motion, found)) == 2


class TestFaultyCapture:
    @pytest.mark.parametrize("fps", RATES)
    @pytest.mark.parametrize("name", GAITS)
    def test_noise_of_two_millimetres_changes_no_plant(self, name: str, fps: float) -> None:
        gait = made(name, fps)
        for seed in range(3):
            errors = event_errors(plants_in(noisy(gait.motion, 0.002, seed)), truth(gait), fps)
            assert np.abs(errors).max() <= max(0.05, 2 / fps) + 1e-9

    @pytest.mark.parametrize("fps", [60.0, 120.0])
    @pytest.mark.parametrize("role", ["left_shank", "left_foot"])
    @pytest.mark.parametrize("moment", [0.3, 1.3, 1.72, 1.95, 2.3])
    def test_a_spike_changes_no_plant(self, moment: float, role: str, fps: float) -> None:
        """In stance and in swing, at strike and at toe-off: a leg off by 0.15 m for a frame or two."""
        gait = made("walk", fps)
        for frames in (1, round(fps / 60)):
            bad = twitched(gait.motion, role, round(moment * fps), frames, 0.35)
            errors = event_errors(plants_in(bad), truth(gait), fps)
            assert np.abs(errors).max() <= 0.05 + 1e-9

    @pytest.mark.parametrize("fps", [60.0, 120.0])
    @pytest.mark.parametrize("angle", [0.35, 1.2])
    @pytest.mark.parametrize("moment", [0.3, 1.3, 2.3])
    def test_a_spike_in_stance_changes_no_frame(self, moment: float, angle: float, fps: float) -> None:
        """Up to 25 ms in which the whole lower leg is 0.15 to 0.5 m off."""
        motion = made("walk", fps).motion
        clean = detect_contacts(motion)
        for seconds in (0.008, 0.025):
            bad = twitched(motion, "left_shank", round(moment * fps), max(round(seconds * fps), 1), angle)
            found = detect_contacts(bad)
            assert np.array_equal(found.heel, clean.heel)
            assert np.array_equal(found.toe, clean.toe)

    @pytest.mark.parametrize("fps", [60.0, 120.0])
    @pytest.mark.parametrize("name", ["walk", "run", "stairs"])
    def test_a_short_dropout_changes_no_plant(self, name: str, fps: float) -> None:
        """The last pose held for 40 ms, anywhere: in mid-swing too, where the foot then seems to stand.

        A dropout at a strike or a toe-off hides it, so those may be off by as much again.
        """
        gait = made(name, fps)
        for start in np.arange(0.65, 3.0, 0.12):
            bad = frozen(gait.motion, round(start * fps), round(0.04 * fps))
            errors = event_errors(plants_in(bad), truth(gait), fps)
            assert np.abs(errors).max() <= 0.07

    @pytest.mark.parametrize("cut", [1.35, 1.85, 2.35])
    def test_a_clip_cut_in_mid_swing_begins_and_ends_without_a_plant_of_that_foot(self, cut: float) -> None:
        gait = made("walk", 120.0)
        frame = round(120.0 * cut)
        standing = [t for t in truth(gait) if t.start <= frame < t.end]
        assert len(standing) == 1  # the other foot swings
        before, after = plants_in(gait.motion[:frame]), plants_in(gait.motion[frame:])
        assert len(before) == sum(t.start < frame for t in truth(gait))
        assert len(after) == sum(t.end > frame for t in truth(gait))
        assert before[-1].foot == after[0].foot == standing[0].foot


class TestAxioms:
    @pytest.mark.parametrize("name", ["walk", "run", "stairs"])
    def test_where_and_which_way_does_not_matter(self, name: str) -> None:
        motion = made(name, 60.0).motion
        one, other = detect_contacts(motion), detect_contacts(placed(motion, (3.0, 11.0, -7.0), 2.1))
        assert np.array_equal(one.heel, other.heel)
        assert np.array_equal(one.toe, other.toe)

    @pytest.mark.parametrize("factor", [0.7, 1.3])
    def test_a_smaller_or_larger_figure_is_read_alike(self, factor: float) -> None:
        gait = made("walk", 60.0, skeleton=made("walk", 60.0).motion.skeleton.scaled(factor))
        errors = event_errors(plants_in(gait.motion), truth(gait), 60.0)
        assert np.abs(errors).max() <= GENTLE

    def test_one_frame_stands_and_none_has_nothing(self) -> None:
        motion = made("walk", 60.0).motion
        assert detect_contacts(motion[:1]).heel.all()
        assert len(detect_contacts(motion[:0])) == 0
        assert len(detect_contacts(motion[:2])) == 2

    def test_without_legs_nothing_stands(self) -> None:
        motion = made("walk", 60.0).motion
        bare = replace(motion, skeleton=replace(motion.skeleton, roles={}))
        assert not detect_contacts(bare).heel.any()

    def test_thresholds_grow_with_speed_and_tremble(self) -> None:
        speeds = np.linspace(0.0, 12.0, 40)
        calm = [thresholds_of(float(s), 0.0) for s in speeds]
        shaky = [thresholds_of(float(s), 0.1) for s in speeds]
        for name in ("segment", "slowest", "touch"):
            values = np.array([getattr(t, name) for t in calm])
            assert (np.diff(values) >= 0).all()
            assert values[0] < values[-1]
            assert all(getattr(b, name) >= getattr(a, name) for a, b in zip(calm, shaky, strict=True))
        assert all(t.touch <= t.segment and t.slowest <= t.segment for t in calm + shaky)

    def test_thresholds_can_be_overruled(self) -> None:
        still = made("walk", 60.0).motion
        ahead = np.linspace(0.0, 0.1 * still.seconds, len(still.root))  # m: at 0.1 m/s
        drifting = replace(still, root=still.root + ahead[:, None] * np.array([0.0, 0.0, 1.0]))
        found = clip_thresholds(drifting)
        strict = Thresholds(**{**vars(found), "slowest": 0.05})
        assert detect_contacts(drifting, thresholds=found).toe[120:180].any()
        assert not detect_contacts(drifting, thresholds=strict).toe[120:180].any()

    def test_a_foot_without_a_toe_joint_is_read_by_its_ball(self) -> None:
        gait = toeless(made("walk", 60.0))
        errors = event_errors(plants_in(gait.motion), truth(gait), 60.0)
        assert np.abs(errors).max() <= GENTLE


def toeless(gait: Made) -> Made:
    skeleton = gait.motion.skeleton
    roles = {role: joint for role, joint in skeleton.roles.items() if "toe" not in role}
    bare = replace(skeleton, roles=roles).with_feet(
        left=skeleton.foot_points("left"), right=skeleton.foot_points("right")
    )
    return replace(gait, motion=replace(gait.motion, skeleton=bare))


@needs_captures
class TestCaptures:
    def test_steps_are_as_many_as_the_readme_counts(self) -> None:
        files = clips("walk", "run", "turn-side-back", "stairs-uneven")
        off = {f: (int(ROWS[f]["steps"]), relocations(captured(f))) for f in files}
        off = {f: pair for f, pair in off.items() if abs(pair[0] - pair[1]) > 1}
        assert len(files) == 67
        assert len(off) <= 0.1 * len(files), f"README's count and ours: {off}"
        # at the time of writing none is off; the bar above is what is promised
        assert not off

    def test_other_folders_too(self) -> None:
        files = clips("jump", "reach", "locomotion-set")
        off = {f: (int(ROWS[f]["steps"]), relocations(captured(f))) for f in files}
        assert not {f: pair for f, pair in off.items() if abs(pair[0] - pair[1]) > 1}

    def test_nobody_steps_who_stands(self) -> None:
        motion = captured("idle/77_02.bvh")
        assert relocations(motion) == 0
        assert [p.foot for p in plants_in(motion)] == ["left", "right"]

    def test_the_table_of_steps(self) -> None:
        wrong = {}
        table = readme_table("steps")
        assert len(table) == 23
        for file, row in table.items():
            first, *expected = row[4], _numbers(row[5]), _numbers(row[6])
            steps = detect_steps(motion := captured(f"steps/{file}"), plants_in(motion))
            found = [(float(np.hypot(*s.travel[[0, 2]])), float(s.travel[1])) for s in steps]
            fits = len(steps) == 2 and (steps[0].foot, steps[1].foot) == (first, _other(first))
            fits = fits and all(
                abs(f[0] - e[0]) < 0.03 and abs(f[1] - e[2]) < 0.02
                for f, e in zip(found, expected, strict=True)
            )
            if not fits:
                wrong[file] = (first, expected, [s.foot for s in steps], found)
        assert not wrong

    @pytest.mark.parametrize("stride", [2, 4])
    def test_plants_do_not_depend_on_the_rate(self, stride: int) -> None:
        files = [
            f for f in clips("walk", "turn-side-back") if captured(f).fps == 120 and len(captured(f)) < 1000
        ]
        other = [f for f in files if relocations(captured(f)[::stride]) != relocations(captured(f))]
        assert len(other) <= 0.1 * len(files), other


def _numbers(cell: str) -> list[float]:
    return [float(part) for part in cell.split("/")]


def _other(side: str) -> str:
    return "right" if side == "left" else "left"
