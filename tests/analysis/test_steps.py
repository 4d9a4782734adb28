"""Steps: parameters against the stances they were made from, labels against what the README says of clips."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.analysis.contacts import detect_contacts
from footfall.analysis.plants import detect_plants
from footfall.analysis.steps import HIGH_NAMES, Step, detect_steps
from footfall.figure.mirror import mirror
from footfall.figure.motion import Motion
from tests.analysis.truth import placed, truth
from tests.captured import ROWS, captured, clips, readme_table
from tests.captures import needs_captures
from tests.gaits import PACES, RATES, made
from tests.stances import Stance, pinned_points

CLOSE = {"rtol": 0.0, "atol": 1e-9}
KINDS = {"backward": "backward", "sideways": "side", "cross": "cross"}
OTHER = {"left": "right", "right": "left"}


def steps_in(motion: Motion) -> tuple[Step, ...]:
    contacts = motion.contacts if motion.contacts is not None else detect_contacts(motion)
    return detect_steps(motion, detect_plants(motion, contacts))


def in_frame(place: tuple[float, ...], origin: tuple[float, ...], heading: float) -> np.ndarray:
    """x to the left and z ahead of someone at `origin` who faces `heading`."""
    x, z = place[0] - origin[0], place[2] - origin[2]
    sine, cosine = np.sin(heading), np.cos(heading)
    return np.array([cosine * x - sine * z, sine * x + cosine * z])


@pytest.mark.parametrize("fps", RATES)
@pytest.mark.parametrize("name", PACES)
class TestAgainstStances:
    def test_every_step_is_found_in_order(self, name: str, fps: float) -> None:
        steps = steps_in(made(name, fps).given)
        assert [s.foot for s in steps] == ["left", "right"] * 3
        kinds = [s.kind for s in steps]
        # the first cross step sets out from feet side by side
        assert kinds[1:] == [KINDS.get(name, "forward")] * 5
        assert kinds[0] == {"cross": "side"}.get(name, KINDS.get(name, "forward"))

    def test_parameters(self, name: str, fps: float) -> None:
        gait = made(name, fps)
        walked = sorted(gait.stances[2:], key=lambda s: s.strike)
        earlier = {"left": gait.stances[0], "right": gait.stances[1]}
        arms = pinned_points(gait.motion.skeleton, "left")
        slope = PACES[name].slope
        outward = float(np.arctan2(arms["toe"][0], arms["toe"][2] * np.cos(slope)))  # of the left sole
        ordered = sorted(gait.stances, key=lambda s: (max(s.strike, 0), s.foot))
        frames = dict(zip(ordered, truth(gait), strict=True))
        for step, target in zip(steps_in(gait.given), walked, strict=True):
            origin, support = earlier[target.foot], earlier[OTHER[target.foot]]
            self.check_high(step, (origin, target, support), outward, frames, fps)
            assert step.length == pytest.approx(
                np.hypot(*np.subtract(target.place, support.place)[[0, 2]]), abs=1e-9
            )
            assert step.rise == pytest.approx(target.place[1] - origin.place[1], abs=1e-9)
            assert step.travel[1] == pytest.approx(step.rise, abs=1e-9)
            earlier[target.foot] = target

    def check_high(
        self, step: Step, stances: tuple[Stance, Stance, Stance], outward: float, frames: dict, fps: float
    ) -> None:
        origin, target, support = stances
        side = 1.0 if support.foot == "left" else -1.0
        facing = support.heading + side * outward
        feet = [in_frame(s.place, support.place, facing) for s in (origin, target)]
        turns = [s.heading - side * outward - facing for s in (origin, target)]
        long = [(frames[s].end - frames[s].start) / fps for s in stances]
        swing = (frames[target].start - frames[origin].end) / fps
        assert_allclose(step.high, [*feet[0], *feet[1], *turns, long[0], long[1], swing, long[2]], **CLOSE)

    def test_keytimes(self, name: str, fps: float) -> None:
        gait = made(name, fps)
        steps = steps_in(gait.given)
        for step in steps:
            start, off, strike, end = step.keytimes
            assert 0 <= start <= off < strike <= end < len(gait.motion)
            assert (off, strike) == (step.origin.end, step.target.start)
        if name == "run":  # nothing to be in the middle of
            assert all(s.keytimes[0] == s.keytimes[1] and s.keytimes[2] == s.keytimes[3] for s in steps[1:-1])
        else:  # one step ends where the next begins
            assert all(s.keytimes[0] < s.keytimes[1] and s.keytimes[2] < s.keytimes[3] for s in steps)
            assert all(a.keytimes[3] == b.keytimes[0] for a, b in pairwise(steps))

    def test_clearance_is_the_toes(self, name: str, fps: float) -> None:
        gait = made(name, fps)
        for step in steps_in(gait.given):
            _, off, strike, _ = step.keytimes
            path = gait.motion.of(f"{step.foot}_toe")[off : strike + 1, 1]
            assert step.clearance == pytest.approx(
                path.max() - max(step.origin.toe[1], step.target.toe[1]), abs=1e-9
            )
            assert 0.0 < step.clearance < 0.25


class TestAxioms:
    @pytest.mark.parametrize("name", ["walk", "turn", "backward", "cross", "stairs", "run"])
    def test_where_and_which_way_does_not_matter(self, name: str) -> None:
        motion = made(name, 60.0).given
        for one, other in zip(
            steps_in(motion), steps_in(placed(motion, (-4.0, 2.0, 9.0), -2.2)), strict=True
        ):
            assert (one.foot, one.keytimes, one.kind) == (other.foot, other.keytimes, other.kind)
            assert_allclose(one.high, other.high, **CLOSE)
            assert_allclose(one.general, other.general, **CLOSE)
            assert_allclose(one.velocity, other.velocity, **CLOSE)
            assert (one.clearance, one.length, one.rise) == pytest.approx(
                (other.clearance, other.length, other.rise), abs=1e-9
            )

    @pytest.mark.parametrize("name", ["walk", "turn", "backward", "sideways", "stairs", "run"])
    def test_a_mirror_swaps_feet_and_signs(self, name: str) -> None:
        motion = made(name, 60.0).given
        signs = {n: -1.0 if n in ("x1", "x2", "theta1", "theta2") else 1.0 for n in HIGH_NAMES}
        for one, other in zip(steps_in(motion), steps_in(mirror(motion)), strict=True):
            assert other.foot == OTHER[one.foot]
            assert (one.keytimes, one.kind) == (other.keytimes, other.kind)
            assert_allclose(one.high * list(signs.values()), other.high, **CLOSE)
            assert_allclose(one.general * [-1, 1, 1, -1, 1, 1, -1], other.general, **CLOSE)
            assert_allclose(np.array(one.velocity) * [1, -1, -1], other.velocity, **CLOSE)
            assert one.clearance == pytest.approx(other.clearance, abs=1e-9)

    @pytest.mark.parametrize("name", ["walk", "turn", "stairs"])
    def test_rates_agree(self, name: str) -> None:
        coarse, fine = (steps_in(made(name, fps).given) for fps in (60.0, 120.0))
        for a, b in zip(coarse, fine, strict=True):
            assert_allclose(a.high[:6], b.high[:6], **CLOSE)
            assert_allclose(a.high[6:], b.high[6:], rtol=0.0, atol=2 / 60)
            assert_allclose(a.general, b.general, rtol=0.0, atol=0.03)
            assert_allclose(
                np.array(a.keytimes) / 60, np.array(b.keytimes) / 120, rtol=0.0, atol=1 / 60 + 1e-9
            )
            assert_allclose(a.velocity, b.velocity, rtol=0.0, atol=0.06)

    def test_one_step_of_the_other_foot_is_the_support_of_the_next(self) -> None:
        steps = steps_in(made("walk", 60.0).given)
        assert all(b.support is a.target and b.origin is a.support for a, b in pairwise(steps))

    def test_locomotion_of_a_steady_walk(self) -> None:
        """In the middle of a straight walk: the speed of its steps, no turn, and sways that cancel out."""
        pace = PACES["walk"]
        steps = steps_in(made("walk", 120.0, steps=10).given)[3:-3]
        speeds = np.array([s.velocity for s in steps])
        assert_allclose(speeds[:, 0], pace.length / pace.step_time, rtol=0.02)
        assert_allclose(speeds[:, 1], 0.0, atol=1e-6)
        # the pelvis sways over a pair of steps, as much to either side
        assert abs(speeds[:4, 2].mean()) < 0.01

    def test_locomotion_of_a_turn(self) -> None:
        pace = PACES["turn"]
        steps = steps_in(made("turn", 120.0, steps=10).given)[3:-3]
        rates = [s.velocity[1] for s in steps]
        assert_allclose(rates, pace.turn / pace.step_time, rtol=0.05)

    @pytest.mark.parametrize("fps", RATES)
    def test_a_jump_is_no_step(self, fps: float) -> None:
        assert steps_in(made("jump", fps).given) == ()
        assert steps_in(made("jump", fps).motion) == ()

    def test_nothing_comes_of_nothing(self) -> None:
        motion = made("walk", 60.0).given
        assert detect_steps(motion, ()) == ()
        assert steps_in(motion[:2]) == ()
        assert steps_in(made("stand", 60.0).given) == ()


@needs_captures
class TestCaptures:
    @pytest.mark.parametrize(
        ("file", "kind", "share"),
        [
            ("walk/16_16.bvh", "forward", 1.0),
            ("walk/136_21.bvh", "forward", 1.0),
            ("turn-side-back/69_53.bvh", "backward", 1.0),
            ("turn-side-back/69_50.bvh", "backward", 1.0),
            ("turn-side-back/69_36.bvh", "backward", 0.9),
            ("turn-side-back/69_56.bvh", "side", 1.0),
            ("turn-side-back/69_57.bvh", "side", 1.0),
            ("turn-side-back/143_40.bvh", "cross", 0.8),
        ],
    )
    def test_labels(self, file: str, kind: str, share: float) -> None:
        kinds = Counter(s.kind for s in steps_in(captured(file)))
        assert kinds[kind] >= share * sum(kinds.values()) > 0, kinds

    def test_forward_clips_step_forward(self) -> None:
        """Where the README has the travel within 45 degrees of the heading all the time."""
        kinds = Counter(s.kind for f in clips("walk", "run") for s in steps_in(captured(f)))
        assert set(kinds) == {"forward"}

    def test_jumps_are_no_steps(self) -> None:
        stepping = {f: len(steps) for f in clips("jump") if (steps := steps_in(captured(f)))}
        assert not stepping

    def test_feet_alternate_in_walks(self) -> None:
        for file in clips("walk"):
            feet = [s.foot for s in steps_in(captured(file))]
            assert all(a != b for a, b in pairwise(feet)), file

    def test_speeds_are_the_readmes(self) -> None:
        """A median over steps against a median over frames."""
        for file in clips("walk"):
            speeds = [np.hypot(s.velocity[0], s.velocity[2]) for s in steps_in(captured(file))]
            assert np.median(speeds) == pytest.approx(float(ROWS[file]["speed_mps"]), rel=0.15), file

    def test_clearances_are_the_readmes(self) -> None:
        """It measures over where the toe was at lift-off and landing, a little higher than where it rests."""
        for file, row in readme_table("steps").items():
            assert steps_in(captured(f"steps/{file}"))[0].clearance == pytest.approx(float(row[7]), abs=0.04)
        for file, row in readme_table("stairs-uneven").items():
            highest = max(s.clearance for s in steps_in(captured(f"stairs-uneven/{file}")))
            assert highest == pytest.approx(float(row[10]), abs=0.03), file
