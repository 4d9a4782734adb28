"""Warnings: each defect put into a clean gait is named with its size, clean ones are left in peace, and so
it is with real captures, whose defects are known from their manifest."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.actor.humanoid import humanoid
from footfall.analysis.contacts import detect_contacts
from footfall.analysis.frame_rate import GRAVITY, likely_rate
from footfall.analysis.plants import detect_plants
from footfall.analysis.steps import detect_steps
from footfall.analysis.tilt import floor_tilt
from footfall.analysis.warnings import find_warnings, plant_slides, spike_frames
from footfall.figure.motion import Motion
from footfall.figure.pose import Pose
from footfall.figure.skeleton import Skeleton
from footfall.formats.load import load_capture
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from tests.captures import captures, manifest
from tests.gaits import PACES, RATES, made

GAITS = [*PACES, "stand"]
WALKS = [name for name in PACES if name not in ("run", "sideways")]  # sideways shuffles: it has no pace
TILTED = {"07", "08", "127", "136"}
LEVEL = {"16", "35", "69", "83", "118"}
BLOCKS = {"stairs-uneven/127_34.bvh", "stairs-uneven/127_35.bvh"}  # runs over a block: no plane to be tilted


def warned(motion: Motion) -> list[str]:
    contacts = detect_contacts(motion)
    plants = detect_plants(motion, contacts)
    return find_warnings(motion, contacts, plants, detect_steps(motion, plants))


def only(motion: Motion, pattern: str) -> re.Match[str]:
    """The one warning there is, which must look like this."""
    (sentence,) = warned(motion)
    found = re.search(pattern, sentence)
    assert found, sentence
    return found


def turned(motion: Motion, turn: np.ndarray) -> Motion:
    rotations = np.array(motion.rotations)
    rotations[:, 0] = quat.multiply(turn, rotations[:, 0])
    return replace(motion, root=quat.rotate(turn, motion.root), rotations=rotations)


def hop(gravity: float, fps: float, flight: float = 0.45) -> Motion:
    """A figure at rest thrown straight up, between two seconds of standing."""
    pose = Pose.at_rest(humanoid(), np.array([0.0, 0.9, 0.0]))
    t = np.arange(round((2.0 + flight) * fps) + 1) / fps - 1.0
    up = np.where((t > 0) & (t < flight), 0.5 * gravity * t * (flight - t), 0.0)
    root = pose.root + up[:, None] * ground.UP
    return Motion(humanoid(), root, np.repeat(pose.rotations[None], len(t), axis=0), fps)


@pytest.mark.parametrize("fps", RATES)
@pytest.mark.parametrize("gait", GAITS)
def test_clean_gaits_are_left_in_peace(gait: str, fps: float) -> None:
    assert warned(made(gait, fps).motion) == []


class TestFrameRate:
    @pytest.mark.parametrize("factor", [2.0, 0.5])
    @pytest.mark.parametrize("fps", RATES)
    @pytest.mark.parametrize("gait", WALKS)
    def test_a_walk_told_too_fast_or_too_slow(self, gait: str, fps: float, factor: float) -> None:
        motion = replace(made(gait, fps).motion, fps=fps * factor)
        found = only(
            motion, r"rate of (\S+) Hz looks wrong: it walks (\S+) steps .* likely (\S+) Hz .*--fps (\S+)\)"
        )
        steps = factor / PACES[gait].step_time
        assert [float(x) for x in found.groups()] == pytest.approx([fps * factor, steps, fps, fps], abs=0.06)

    @pytest.mark.parametrize("fps", [60.0, 120.0])
    def test_free_fall(self, fps: float) -> None:
        assert warned(hop(GRAVITY, fps)) == []

    @pytest.mark.parametrize(
        ("stated", "true"), [(120, 60), (60, 120), (120, 50), (30, 60), (100, 25), (240, 120)]
    )
    def test_a_fall_too_heavy_or_too_light(self, stated: float, true: float) -> None:
        motion = replace(hop(GRAVITY, true), fps=float(stated))
        found = only(motion, r"falls with (\S+) m/s\^2 instead of 9\.8; the true rate is likely (\S+) Hz")
        # contacts end a moment late, and the fit leaves the ends of a flight out
        assert float(found[1]) == pytest.approx(GRAVITY * (stated / true) ** 2, rel=0.05)
        assert float(found[2]) == true

    def test_gravity_outvotes_the_pace(self) -> None:
        """Hips that hang in the air tell nothing, so a made jump, whose hips do, is not blamed for it."""
        assert not any("frame rate" in sentence for sentence in warned(made("jump", 120.0).motion))

    @pytest.mark.parametrize(
        ("fps", "estimate", "by_halves", "rate"),
        [
            (120.0, 57.0, True, 60.0),
            (120.0, 75.0, True, 60.0),
            (120.0, 33.0, True, 30.0),
            (30.0, 55.0, True, 60.0),
            (120.0, 62.0, False, 60.0),
            (120.0, 50.5, False, 50.0),
            (120.0, 24.4, False, 24.0),
            (120.00048, 60.0, False, 60.0),
        ],
    )
    def test_likely_rates(self, fps: float, estimate: float, by_halves: bool, rate: float) -> None:
        assert likely_rate(fps, estimate, by_halves=by_halves) == rate


class TestTilt:
    @pytest.mark.parametrize("degrees", [0.6, 1.2, 2.2])
    @pytest.mark.parametrize("heading", [0.0, 2.0])
    def test_a_tilt_along_the_walk(self, degrees: float, heading: float) -> None:
        walk = turned(made("walk", 120.0).motion, ground.turn(heading))
        across = ground.direction_of(heading + 0.5 * np.pi)
        motion = turned(walk, quat.from_axis_angle(across, -np.radians(degrees)))
        found = only(
            motion, r"tilted by (\S+) degrees: it rises by (\S+) cm a metre towards heading (\S+) deg"
        )
        assert float(found[1]) == pytest.approx(degrees, abs=0.06)
        assert float(found[2]) == pytest.approx(100 * np.tan(np.radians(degrees)), abs=0.06)
        assert float(found[3]) == pytest.approx(np.degrees(heading), abs=1.0)

    def test_across_a_straight_walk_nothing_can_be_known(self) -> None:
        motion = turned(made("walk", 120.0).motion, quat.from_axis_angle(ground.FORWARD, np.radians(2.0)))
        assert warned(motion) == []

    @pytest.mark.parametrize("degrees", [0.2, 4.0])
    def test_what_is_level_or_a_slope(self, degrees: float) -> None:
        motion = turned(made("walk", 120.0).motion, quat.from_axis_angle(ground.LEFT, -np.radians(degrees)))
        assert warned(motion) == []

    def test_feet_of_different_heights_are_no_tilt(self) -> None:
        plants = detect_plants(made("turn", 120.0).motion, made("turn", 120.0).contacts)
        raised = [replace(p, toe=p.toe + (0.02 if p.foot == "left" else 0.0) * ground.UP) for p in plants]
        before, after = floor_tilt(plants), floor_tilt(raised)
        assert before is not None
        assert after is not None
        assert_allclose(after.rise, before.rise, rtol=0, atol=1e-9)

    def test_a_plane_both_ways_where_both_ways_were_walked(self) -> None:
        plants = detect_plants(made("turn", 120.0).motion, made("turn", 120.0).contacts)
        rise = np.array([0.012, 0.0, -0.02])
        scale = 10.0  # an arc of ten metres, and metres across it
        placed = [
            replace(p, toe=p.toe * scale * [1, 0, 1] + (p.toe * scale) @ rise * ground.UP) for p in plants
        ]
        tilt = floor_tilt(placed)
        assert tilt is not None
        assert_allclose(tilt.rise, rise, rtol=0, atol=1e-9)
        assert tilt.residual == pytest.approx(0.0, abs=1e-9)

    def test_too_little_ground(self) -> None:
        plants = detect_plants(made("walk", 120.0).motion, made("walk", 120.0).contacts)
        assert floor_tilt(plants[:3]) is None
        assert floor_tilt([replace(p, toe=0.1 * p.toe) for p in plants]) is None


class TestSpikes:
    def test_frames_and_joint_are_named(self) -> None:
        motion = made("walk", 120.0).motion
        rotations = np.array(motion.rotations)
        forearm = motion.skeleton.joint("left_forearm")
        rotations[200, forearm] = quat.multiply(rotations[200, forearm], quat.from_axis_angle(ground.UP, 1.5))
        found = only(
            motion.with_rotations(rotations), r"^3 frames have spikes \(frame 199, 200, 201\).* (\S+) most"
        )
        assert motion.skeleton.index(found[1]) in motion.skeleton.tree.descendants(forearm)

    def test_threshold(self) -> None:
        """A root that leaves its path by a little less or more than 4 cm in one frame of 120 Hz."""
        motion = made("stand", 120.0).motion
        for centimetres, frames in ((3.9 / 2, []), (4.1 / 2, [100])):
            root = np.array(motion.root)
            root[100, 0] += 0.01 * centimetres  # the second difference at the spike is twice its height
            assert spike_frames(replace(motion, root=root)) == frames


class TestSliding:
    def test_a_drift_is_told(self) -> None:
        motion = made("stand", 60.0).motion
        away = np.arange(len(motion))[:, None] / 60.0 * np.array([0.02, 0.0, 0.0])
        drifting = replace(motion, root=motion.root + away)
        found = only(drifting, r"slide by (\S+) cm \(median of 2 plants\)")
        assert float(found[1]) == pytest.approx(0.6 * motion.seconds * 2.0, abs=0.06)

    @pytest.mark.parametrize("gait", ["walk", "stand", "stairs"])
    def test_pinned_feet_do_not_slide(self, gait: str) -> None:
        exact = made(gait, 120.0)
        slides = plant_slides(exact.motion, detect_plants(exact.motion, exact.contacts))
        assert len(slides) == len(exact.stances)
        assert max(slides) < 0.02


class TestMissing:
    def test_no_frames(self) -> None:
        assert warned(made("stand", 60.0).motion[:0]) == [
            "the file has no frames: only its skeleton can be used"
        ]

    def test_no_foot_ever_stands(self) -> None:
        motion = made("stand", 60.0).motion
        away = np.arange(len(motion))[:, None] / 60.0 * np.array([0.0, 0.0, 3.0])
        only(replace(motion, root=motion.root + away), "no foot ever stands: check the frame rate, the unit")

    @pytest.mark.parametrize(
        ("lost", "pattern"),
        [
            (("foot",), r"a leg is incomplete \(left_foot, right_foot not found\).*--role left_foot=JOINT"),
            (("thigh", "shank", "foot", "toe"), "no legs were found, so steps are unknown"),
            (("toe",), "left_toe and right_toe not found: the ball of the foot is a guess"),
            (("hips",), "the hips were not found"),
        ],
    )
    def test_roles(self, lost: tuple[str, ...], pattern: str) -> None:
        motion = made("stand", 60.0).motion
        roles = {r: j for r, j in motion.skeleton.roles.items() if not r.endswith(lost)}
        skeleton = replace(motion.skeleton, roles=roles)
        assert isinstance(skeleton, Skeleton)
        only(replace(motion, skeleton=skeleton), pattern)


def rows() -> list[dict[str, str]]:
    """Clips that need no skeleton from elsewhere."""
    folders = ("walk", "run", "turn-side-back", "steps", "stairs-uneven", "jump", "reach", "locomotion-set")
    return [r for r in manifest() if r["file"].startswith(folders) and not r["file"].endswith(".sk")]


def subject(row: dict[str, str]) -> str:
    return row["skeleton"].removeprefix("CMU-")


@pytest.mark.parametrize("row", rows(), ids=lambda row: row["file"])
def test_captures(row: dict[str, str]) -> None:
    """Every clip that needs no other skeleton: doubted where the header lies, and only there; tilted floors
    of tilted subjects, and no others; spikes in the very frames of the manifest."""
    capture = load_capture(captures(row["file"]))
    stated, true = float(row["fps_header"]), float(row["fps_true"])
    rates = [s for s in warned(capture.motion) if "frame rate" in s]
    if stated == true:
        assert rates == []
    else:
        assert [re.search(r"likely (\S+) Hz", s)[1] for s in rates] == [f"{true:g}"]  # type: ignore[index]
    motion = replace(capture.motion, fps=true)
    sentences = warned(motion)
    assert not any("frame rate" in s for s in sentences)
    tilted = any("tilted" in s for s in sentences)
    if subject(row) in TILTED - LEVEL and row["file"] not in BLOCKS:
        assert tilted
    elif subject(row) in LEVEL or row["file"] in BLOCKS:
        assert not tilted
    assert [f + capture.dropped for f in spike_frames(motion)] == [
        int(f) for f in row["spike_frames"].split()
    ]
    assert any("spike" in s for s in sentences) == bool(row["spike_frames"])
