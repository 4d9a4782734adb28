"""The certificate on motions whose faults are known because they were put there: reported as they are.

Clean gaits must read zero; each fault must read its own size and leave the other figures at zero; and no
figure may depend on the frame rate.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import pytest

from footfall.analysis.certificate import Certificate, certificate, phase_slides
from footfall.analysis.smoothness import PERCENTILE, QUIETEST, RATE
from footfall.figure.contacts import Contacts
from footfall.figure.motion import Motion, local_translations
from footfall.figure.resample import resample
from footfall.geometry import easing, ground
from footfall.geometry import quaternion as quat
from footfall.world.foot_plan import FootPlacement, FootPlan
from footfall.world.plane import FlatTerrain
from footfall.world.terrain import Ground
from tests.gaits import PACES, RATES, jump, made, stances_of, standing
from tests.stances import Made, Stance, make

ZERO = 1e-9
LEVEL = ("walk", "slow walk", "turn", "backward", "sideways", "cross", "run", "jump", "stand")
FAULTS = ("slide_max_m", "slide_mean_m", "penetration_max_m", "float_max_m", "bone_stretch_max")
FAULTY = 4  # of the walk's stances: a left one in the middle
STANCES, SECONDS = stances_of(PACES["walk"], 6)


@dataclass(frozen=True)
class Ramp:
    """Ground that rises along z."""

    slope: float

    def height(self, x: np.ndarray, z: np.ndarray, start: object = np.inf) -> np.ndarray:
        return np.tan(self.slope) * z + 0.0 * x


def plan_of(stances: tuple[Stance, ...]) -> FootPlan:
    ordered = sorted(stances, key=lambda s: s.strike)
    return FootPlan(tuple(FootPlacement(s.foot, np.array(s.place)) for s in ordered))


def faulty_walk(
    fps: float, shift: Callable[[np.ndarray], np.ndarray] | None = None, **changes: object
) -> Made:
    """The walk with one stance changed."""
    stances = list(STANCES)
    stances[FAULTY] = replace(stances[FAULTY], shift=shift, **changes)  # type: ignore[arg-type]
    return make(stances, SECONDS, fps)


def drift(vector: np.ndarray, phase: tuple[float, float]) -> Callable[[np.ndarray], np.ndarray]:
    """A displacement that grows in the middle of a phase and stays."""
    start = phase[0] + 0.42 * (phase[1] - phase[0])
    return lambda t: easing.smooth((t - start) / (0.2 * (phase[1] - phase[0])))[:, None] * vector


def excursion(vector: np.ndarray, phase: tuple[float, float]) -> Callable[[np.ndarray], np.ndarray]:
    """Away in the middle third of a phase, and back."""
    third = (phase[1] - phase[0]) / 3

    def shift(t: np.ndarray) -> np.ndarray:
        out, back = ((t - phase[0] - k * third) / (0.2 * third) for k in (1.0, 1.8))
        return (easing.smooth(out) - easing.smooth(back))[:, None] * vector

    return shift


def phase_of(stance: Stance, kind: str) -> tuple[float, float]:
    bounds = {
        "heel": (stance.strike, stance.flat),
        "flat": (stance.flat, stance.lift),
        "toe": (stance.lift, stance.off),
    }
    return bounds[kind]


def faults_of(found: Certificate, but: tuple[str, ...] = ()) -> dict[str, float]:
    return {name: getattr(found, name) for name in FAULTS if name not in but}


def assert_none(found: dict[str, float]) -> None:
    assert max(found.values()) < ZERO, found


class TestClean:
    @pytest.mark.parametrize("fps", RATES)
    @pytest.mark.parametrize("name", [*LEVEL, "ramp", "stairs", "downstairs"])
    def test_everything_is_zero(self, name: str, fps: float) -> None:
        gait = made(name, fps)
        terrains: dict[str, Ground | None] = dict.fromkeys(LEVEL, FlatTerrain()) | {
            "ramp": Ramp(PACES["ramp"].slope)
        }
        found = certificate(
            gait.given, plan=plan_of(gait.stances), terrain=terrains.get(name), reference=gait.motion
        )
        assert_none(faults_of(found))
        assert found.placement_max_m is not None
        assert found.placement_max_m < ZERO
        assert found.plants == len(gait.stances)
        assert found.contacts == "given"
        # arms and neck swing, so the reference is not silent
        assert found.acceleration_ratio == pytest.approx(1.0, abs=1e-12)
        assert found.leg_extension_max == found.leg_extension_examples == pytest.approx(0.97, abs=0.004)

    @pytest.mark.parametrize("name", [*LEVEL, "stairs", "downstairs"])
    def test_the_ground_is_where_feet_rest_when_no_terrain_is_known(self, name: str) -> None:
        raised = made(name, 60.0).given
        raised = replace(raised, root=raised.root + 0.37 * ground.UP)
        assert_none(faults_of(certificate(raised)))

    def test_one_and_no_frame(self) -> None:
        gait = made("walk", 60.0)
        assert_none(faults_of(certificate(gait.given[:1])))
        empty = certificate(gait.given[:0])
        assert empty.plants == 0
        assert empty.slide_max_m == 0.0
        assert empty.penetration_max_m is empty.float_max_m is empty.leg_extension_max is None


class TestSlide:
    @pytest.mark.parametrize("fps", RATES)
    @pytest.mark.parametrize("kind", ["heel", "flat", "toe"])
    @pytest.mark.parametrize(("amount", "heading"), [(0.0005, 1.2), (0.004, 0.0), (0.03, -2.9)])
    def test_of_a_phase_is_reported(self, amount: float, heading: float, kind: str, fps: float) -> None:
        vector = amount * ground.direction_of(heading)
        gait = faulty_walk(fps, drift(vector, phase_of(STANCES[FAULTY], kind)))
        found = certificate(gait.given, terrain=FlatTerrain())
        assert found.slide_max_m == pytest.approx(amount, rel=1e-6)
        phases = sum(1 for side in ("left", "right") for _ in phase_slides(gait.given, gait.contacts, side))
        assert found.slide_mean_m == pytest.approx(amount / phases, rel=1e-6)
        assert_none(faults_of(found, but=("slide_max_m", "slide_mean_m")))

    @pytest.mark.parametrize("fps", RATES)
    def test_that_comes_back_is_reported(self, fps: float) -> None:
        vector = np.array([0.006, 0.0, -0.008])
        gait = faulty_walk(fps, excursion(vector, phase_of(STANCES[FAULTY], "flat")))
        assert certificate(gait.given).slide_max_m == pytest.approx(0.01, rel=0.05)

    def test_is_horizontal(self) -> None:
        gait = faulty_walk(60.0, drift(np.array([0.0, 0.02, 0.0]), phase_of(STANCES[FAULTY], "flat")))
        assert certificate(gait.given).slide_max_m < ZERO

    def test_of_a_foot_that_rolls_over_is_not_counted(self) -> None:
        """The ankle moves centimetres over heel and toe; the contact point does not."""
        gait = made("walk", 120.0)
        on_toe = gait.contacts.toe_of("left") & ~gait.contacts.heel_of("left")
        ankle = gait.motion.of("left_foot")[on_toe]
        assert np.ptp(ankle[:, 1]) > 0.05
        assert certificate(gait.given).slide_max_m < ZERO

    @pytest.mark.parametrize("about", ["toe", "heel"])
    def test_of_a_swivel_is_the_subtalars(self, about: str) -> None:
        angle, stance = 0.4, STANCES[FAULTY]
        start, end = phase_of(stance, "flat")
        gait = faulty_walk(120.0, swivel=(start + 0.1, end - 0.1, angle, about))
        skeleton = gait.motion.skeleton
        points = skeleton.foot_points(stance.foot)
        centre = points.heel if about == "heel" else skeleton.offsets[skeleton.joint(f"{stance.foot}_toe")]
        arm = np.linalg.norm((centre - points.subtalar)[[0, 2]])
        assert certificate(gait.given).slide_max_m == pytest.approx(2 * arm * np.sin(angle / 2), rel=1e-6)


class TestGround:
    @pytest.mark.parametrize("fps", RATES)
    @pytest.mark.parametrize("depth", [0.001, 0.01, 0.05])
    def test_a_sunk_stance_penetrates(self, depth: float, fps: float) -> None:
        gait = faulty_walk(fps, lambda t: np.tile([0.0, -depth, 0.0], (len(t), 1)))
        found = certificate(gait.given, terrain=FlatTerrain())
        assert found.penetration_max_m == pytest.approx(depth, rel=1e-6)
        assert_none(faults_of(found, but=("penetration_max_m",)))

    @pytest.mark.parametrize("fps", RATES)
    @pytest.mark.parametrize("height", [0.001, 0.01, 0.05])
    def test_a_raised_stance_floats(self, height: float, fps: float) -> None:
        gait = faulty_walk(fps, lambda t: np.tile([0.0, height, 0.0], (len(t), 1)))
        found = certificate(gait.given, terrain=FlatTerrain())
        assert found.float_max_m == pytest.approx(height, rel=1e-6)
        assert_none(faults_of(found, but=("float_max_m",)))

    @pytest.mark.parametrize("fps", RATES)
    @pytest.mark.parametrize("kind", ["heel", "toe"])
    def test_a_foot_that_rises_while_it_rolls_floats(self, kind: str, fps: float) -> None:
        start, end = phase_of(STANCES[FAULTY], kind)
        rise = excursion(0.02 * ground.UP, (start - 0.05, end + 0.05))
        found = certificate(faulty_walk(fps, rise).given, terrain=FlatTerrain())
        assert found.float_max_m == pytest.approx(0.02, rel=0.05)
        assert_none(faults_of(found, but=("float_max_m",)))

    @pytest.mark.parametrize("fps", RATES)
    @pytest.mark.parametrize("terrain", [None, FlatTerrain()])
    @pytest.mark.parametrize("height", [-0.02, 0.02])
    def test_an_excursion_in_stance_needs_no_terrain(
        self, height: float, terrain: Ground | None, fps: float
    ) -> None:
        gait = faulty_walk(fps, excursion(np.array([0.0, height, 0.0]), phase_of(STANCES[FAULTY], "flat")))
        found = certificate(gait.given, terrain=terrain)
        name = "float_max_m" if height > 0 else "penetration_max_m"
        assert getattr(found, name) == pytest.approx(abs(height), rel=0.05)
        assert_none(faults_of(found, but=(name,)))

    @pytest.mark.parametrize("fps", RATES)
    @pytest.mark.parametrize("terrain", [None, FlatTerrain()])
    def test_a_swing_through_the_ground_penetrates(self, terrain: Ground | None, fps: float) -> None:
        found = certificate(faulty_walk(fps, clearance=-0.03).given, terrain=terrain)
        assert found.penetration_max_m == pytest.approx(0.03, rel=0.05)
        assert_none(faults_of(found, but=("penetration_max_m",)))

    def test_a_terrain_that_lies_elsewhere_shows(self) -> None:
        gait = made("walk", 60.0)
        low, high = (certificate(gait.given, terrain=FlatTerrain(level)) for level in (-0.05, 0.05))
        assert low.float_max_m == pytest.approx(0.05, abs=ZERO)
        assert low.penetration_max_m == 0.0
        assert high.penetration_max_m == pytest.approx(0.05, abs=ZERO)
        assert high.float_max_m == 0.0


class TestPlacement:
    @pytest.mark.parametrize("fps", RATES)
    @pytest.mark.parametrize("error", [(0.01, 0.0, 0.0), (-0.02, 0.03, 0.06), (0.0, 0.005, 0.0)])
    def test_of_a_stance_beside_its_footprint(self, error: tuple[float, float, float], fps: float) -> None:
        gait = faulty_walk(fps, lambda t: np.tile(error, (len(t), 1)))
        found = certificate(gait.given, plan=plan_of(tuple(STANCES)))
        assert found.placement_max_m == pytest.approx(np.linalg.norm(error), rel=1e-6)
        assert found.slide_max_m is not None
        assert found.slide_max_m < ZERO

    def test_of_a_footprint_that_nobody_hits_is_the_distance_to_the_nearest(self) -> None:
        gait = made("walk", 60.0)
        far = FootPlacement("left", np.array(STANCES[FAULTY].place) + 0.21 * ground.FORWARD)
        plan = FootPlan((*plan_of(gait.stances).placements, far))
        assert certificate(gait.given, plan=plan).placement_max_m == pytest.approx(0.21, abs=ZERO)

    def test_is_by_foot(self) -> None:
        """A footprint under the wrong foot is not hit, however near that foot is."""
        gait = standing(1.0, 60.0)
        plan = FootPlan(
            tuple(
                replace(p, foot={"left": "right", "right": "left"}[p.foot])
                for p in plan_of(gait.stances).placements
            )
        )
        assert certificate(gait.given, plan=plan).placement_max_m == pytest.approx(0.2, abs=ZERO)

    @pytest.mark.parametrize("lost", [(0,), (1,), (0, 1)])
    def test_of_a_foot_that_never_stands_is_unknown(self, lost: tuple[int, ...]) -> None:
        gait = made("walk", 60.0)
        heel, toe = np.array(gait.contacts.heel), np.array(gait.contacts.toe)
        heel[:, lost], toe[:, lost] = False, False
        found = certificate(replace(gait.motion, contacts=Contacts(heel, toe)), plan=plan_of(gait.stances))
        assert found.placement_max_m is None

    def test_of_a_figure_without_legs_is_unknown(self) -> None:
        gait = made("walk", 60.0)
        legless = replace(gait.motion, skeleton=replace(gait.motion.skeleton, roles={}))
        assert certificate(legless, plan=plan_of(gait.stances)).placement_max_m is None


def popped(motion: Motion, role: str, frame: int, angle: float, *, stays: bool) -> Motion:
    rotations = np.array(motion.rotations)
    frames = slice(frame, None) if stays else slice(frame, frame + 1)
    joint = motion.skeleton.joint(role)
    rotations[frames, joint] = quat.multiply(
        rotations[frames, joint], quat.exp(angle * np.array([0.6, 0.0, 0.8]))
    )
    return motion.with_rotations(rotations)


class TestPops:
    @pytest.mark.parametrize("fps", [*RATES, 240.0])
    def test_a_jump_reads_its_angle(self, fps: float) -> None:
        """The head is still otherwise, and compared with the least that is compared with."""
        for angle, late in product(np.radians([0.5, 5.0, 30.0]), range(4)):
            motion = standing(4.0, fps).motion
            bad = popped(motion, "head", int(2 * fps) + late, angle, stays=True)
            expected = angle * 0.25 * RATE**2 / QUIETEST
            assert certificate(bad, reference=motion).acceleration_ratio == pytest.approx(
                max(expected, 1.0), rel=1e-3
            )

    @pytest.mark.parametrize("fps", [*RATES, 240.0])
    def test_a_frame_that_is_off_reads_twice_its_angle(self, fps: float) -> None:
        """Whichever of a fast motion's frames it is."""
        for angle, late in product(np.radians([0.5, 5.0, 30.0]), range(4)):
            motion = standing(4.0, fps).motion
            bad = popped(motion, "head", int(2 * fps) + late, angle, stays=False)
            samples = np.zeros(round(4.0 * RATE) - 1)
            samples[:3] = angle * RATE**2 * np.array([0.25, 0.5, 0.25])
            expected = np.percentile(samples, PERCENTILE) / QUIETEST
            assert certificate(bad, reference=motion).acceleration_ratio == pytest.approx(expected, rel=0.05)

    @pytest.mark.parametrize("role", ["left_thigh", "left_shank", "chest"])
    def test_a_pop_in_a_moving_joint_shows_at_every_rate(self, role: str) -> None:
        reference = made("walk", 120.0).motion
        ratios = []
        for fps in RATES:
            bad = popped(made("walk", fps).motion, role, int(0.3 * fps), np.radians(20.0), stays=False)
            ratios.append(certificate(bad, reference=reference).acceleration_ratio)
        assert min(ratios) > 3.0
        assert max(ratios) < 1.1 * min(ratios)

    def test_fingers_and_toes_are_not_measured(self) -> None:
        motion = made("walk", 60.0).motion
        for role in ("left_toe", "right_index_2", "left_eye"):
            bad = popped(motion, role, 100, 0.5, stays=True)
            assert certificate(bad, reference=motion).acceleration_ratio == pytest.approx(1.0, abs=1e-9)

    def test_several_examples_are_one_reference(self) -> None:
        slow, fast = made("walk", 60.0).motion, made("run", 60.0).motion
        both = certificate(fast, reference=[slow, fast]).acceleration_ratio
        alone = certificate(fast, reference=slow).acceleration_ratio
        assert both < 1.1
        assert alone > 1.3


class TestStretch:
    @pytest.mark.parametrize("stretch", [-0.1, 1e-3, 0.25])
    def test_of_one_bone_in_one_frame(self, stretch: float) -> None:
        motion = made("walk", 30.0).motion
        moved = np.array(local_translations(motion))
        moved[17, motion.skeleton.joint("left_shank")] *= 1.0 + stretch
        found = certificate(replace(motion, translations=moved))
        assert found.bone_stretch_max == pytest.approx(abs(stretch), rel=1e-9)

    def test_translations_that_are_the_offsets_stretch_nothing(self) -> None:
        motion = made("walk", 30.0).motion
        assert certificate(replace(motion, translations=local_translations(motion))).bone_stretch_max < ZERO


class TestUnknown:
    def test_is_null(self) -> None:
        found = certificate(made("walk", 30.0).given)
        assert found.placement_max_m is found.acceleration_ratio is found.leg_extension_examples is None
        assert "placement unknown" in str(found)

    def test_without_legs_nothing_of_the_feet_is_known(self) -> None:
        motion = made("walk", 30.0).motion
        bare = replace(motion, skeleton=replace(motion.skeleton, roles={}))
        found = certificate(bare)
        assert found.slide_max_m is found.slide_mean_m is found.leg_extension_max is None
        assert found.penetration_max_m is found.float_max_m is None
        assert found.plants == 0

    def test_is_null_in_json(self) -> None:
        found = json.loads(
            json.dumps(certificate(made("walk", 30.0).given, clamped=["a"]).as_dict(), allow_nan=False)
        )
        assert found["placement_max_m"] is None
        assert found["clamped"] == ["a"]

    def test_a_motion_too_short_to_accelerate_has_no_ratio(self) -> None:
        motion = made("walk", 60.0).motion
        assert certificate(motion[:2], reference=motion).acceleration_ratio is None
        assert certificate(motion, reference=motion[:2]).acceleration_ratio is None


class TestContacts:
    def test_given_are_believed(self) -> None:
        """A foot said to stand all the time slides as far as it walks."""
        gait = made("walk", 60.0)
        always = np.ones((len(gait.motion), 2), dtype=bool)
        found = certificate(replace(gait.motion, contacts=Contacts(always, always)))
        walked = [
            np.linalg.norm((p[-1] - p[0])[[0, 2]])
            for p in (gait.motion.of("left_foot"), gait.motion.of("right_foot"))
        ]
        assert found.contacts == "given"
        assert found.slide_max_m == pytest.approx(max(walked), rel=0.01)

    @pytest.mark.parametrize("fps", RATES)
    @pytest.mark.parametrize("name", LEVEL)
    def test_detected_ones_of_a_clean_gait_slide_by_millimetres(self, name: str, fps: float) -> None:
        """A detector cannot know the very frame in which a foot lets go."""
        found = certificate(made(name, fps).motion)
        assert found.contacts == "detected"
        assert found.plants == len(made(name, fps).stances)
        assert found.slide_max_m < 0.006
        assert found.penetration_max_m < ZERO
        assert found.float_max_m < 0.006

    @pytest.mark.parametrize("fps", RATES)
    def test_detected_ones_show_a_slide(self, fps: float) -> None:
        gait = faulty_walk(fps, drift(np.array([0.0, 0.0, 0.03]), phase_of(STANCES[FAULTY], "flat")))
        assert certificate(gait.motion).slide_max_m == pytest.approx(0.03, rel=0.1)


@pytest.mark.parametrize("name", ["walk", "run", "jump"])
def test_a_resampled_motion_keeps_its_certificate(name: str) -> None:
    """From 120 to 60 Hz every second frame is a frame of the original: nothing new can appear."""
    gait = jump(0.8, 0.2, 0.4, 120.0) if name == "jump" else made(name, 120.0)
    assert_none(faults_of(certificate(resample(gait.given, 60.0), terrain=FlatTerrain())))
