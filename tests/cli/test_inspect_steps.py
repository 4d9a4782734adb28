"""`footfall inspect`: plants, steps and warnings, as JSON and as people read them, against motions whose
stances are known, and the keys against the page that documents them."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import footfall as ff
from footfall.actor.humanoid import humanoid
from footfall.figure.skeleton import Skeleton
from footfall.geometry import ground
from tests.captures import captures
from tests.cli.conftest import Said
from tests.gaits import PACES, made

FPS = 120.0
PAGE = Path(__file__).parents[2] / "docs" / "steps.md"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("gaits")


def found(folder: Path, said: Said, motion: ff.Motion, *words: object) -> dict[str, Any]:
    path = folder / "clip.ffm"
    ff.save_motion(motion, path)
    status, out, err = said("inspect", path, "--json", *words)
    assert (status, err) == (0, "")
    (clip,) = json.loads(out)["clips"]
    return clip


def splay(foot: str) -> float:
    """Degrees by which a standing foot points to the left: toes point a little outward."""
    points = humanoid().foot_points(foot)
    return float(np.degrees(ground.heading_of(points.ball - points.heel)))


@pytest.mark.parametrize("gait", PACES)
class TestGaits:
    def test_plants_are_the_stances(self, gait: str, folder: Path, said: Said) -> None:
        truth = made(gait, FPS)
        plants = found(folder, said, truth.given)["plants"]
        stances = sorted(truth.stances, key=lambda s: (max(s.strike, 0.0), s.foot))
        assert [p["foot"] for p in plants] == [s.foot for s in stances]
        assert_allclose([p["position"] for p in plants], [s.place for s in stances], rtol=0, atol=2e-3)
        assert_allclose([p["level_m"] for p in plants], [s.place[1] for s in stances], rtol=0, atol=2e-3)
        headings = [np.degrees(s.heading) + splay(s.foot) for s in stances]
        assert_allclose([p["heading_deg"] for p in plants], headings, rtol=0, atol=0.5)
        pitches = [np.degrees(s.slope) for s in stances]
        assert_allclose([p["pitch_deg"] for p in plants], pitches, rtol=0, atol=0.5)
        for plant, stance in zip(plants, stances, strict=True):
            inside = stance.strike > 0 and stance.off < truth.motion.seconds
            assert plant["whole"] == inside
            if inside:
                times = [plant["start_s"], plant["flat_start_s"], plant["flat_end_s"], plant["end_s"]]
                wanted = [stance.strike, stance.flat, stance.lift, stance.off]
                assert_allclose(times, wanted, rtol=0, atol=1.5 / FPS)
                assert plant["heel_first"] == (stance.first == "heel")

    def test_steps_are_as_the_pace_says(self, gait: str, folder: Path, said: Said) -> None:
        truth, pace = made(gait, FPS), PACES[gait]
        steps = found(folder, said, truth.given)["steps"]
        assert [s["foot"] for s in steps] == ["left", "right"] * 3
        kind = {"backward": "backward", "sideways": "side", "cross": "cross"}.get(gait, "forward")
        inner = steps[1:-1]  # the first leaves a standing start, the last comes to rest
        assert {s["kind"] for s in inner} == {kind}
        assert_allclose([s["swing_s"] for s in steps], 2 * pace.step_time - pace.stance, rtol=0, atol=2 / FPS)
        assert_allclose([s["stance_s"] for s in inner[:-1]], pace.stance, rtol=0, atol=2 / FPS)
        rise = 2 * (pace.rise + pace.length * np.tan(pace.slope))
        assert_allclose([s["rise_m"] for s in inner], rise, rtol=0, atol=4e-3)
        if not pace.turn:
            ways = np.hypot(2 * pace.length, 2 * pace.aside)
            assert_allclose([s["stride_m"] for s in inner], ways, rtol=0, atol=0.01)
            apart = [-1 if s["foot"] == "right" else 1 for s in inner]
            lengths = np.hypot(pace.length, np.array(apart) * pace.width + pace.aside)
            assert_allclose([s["length_m"] for s in inner], lengths, rtol=0, atol=5e-3)
            direction = np.degrees(np.arctan2(pace.aside, pace.length))
            away = np.array([s["direction_deg"] for s in inner]) - direction
            assert np.abs((away + 180) % 360 - 180).max() < 3.0


class TestStep:
    @pytest.fixture
    def step(self, folder: Path, said: Said) -> dict[str, Any]:
        return found(folder, said, made("turn", FPS).given)["steps"][3]

    def test_values_that_are_told_twice_agree(self, step: dict[str, Any]) -> None:
        high, general = step["high"], step["general"]
        assert (step["swing_s"], step["stance_s"]) == (high["swing"], high["stance2"])
        assert (step["support_s"], step["turn_deg"]) == (high["support"], general["turn_deg"])
        assert np.hypot(high["x2"], high["z2"]) == pytest.approx(step["length_m"])
        assert np.hypot(general["x_end"], general["z_end"]) == pytest.approx(step["length_m"])
        times = step["keytimes_s"]
        assert times["heel_strike"] - times["toe_off"] == pytest.approx(step["swing_s"])
        assert sorted(times.values()) == list(times.values())
        seconds = times["end"] - times["start"]
        assert step["turn_rate_deg_s"] * seconds == pytest.approx(step["turn_deg"], rel=0.02)

    def test_angles_are_degrees(self, step: dict[str, Any]) -> None:
        """Every step turns by 0.3 rad: so the swing foot starts that much to the right, ends to the left."""
        turn, apart = np.degrees(PACES["turn"].turn), splay("right") - splay("left")
        assert step["foot"] == "right"
        assert step["high"]["theta1_deg"] == pytest.approx(-turn + apart, abs=0.01)
        assert step["high"]["theta2_deg"] == pytest.approx(turn + apart, abs=0.01)
        assert step["turn_deg"] == pytest.approx(turn, abs=0.35 * turn)

    def test_every_key_is_documented_and_there_is(
        self, step: dict[str, Any], folder: Path, said: Said
    ) -> None:
        plant = found(folder, said, made("walk", FPS).given)["plants"][0]
        sections = dict(
            re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", PAGE.read_text(), re.MULTILINE | re.DOTALL)
        )
        told = {name: set(re.findall(r"`(\w+)`", text)) for name, text in sections.items()}
        assert plant.keys() <= told["plants"]
        inner = [*step["keytimes_s"], *step["high"], *step["general"]]
        assert {*step.keys(), *inner} <= told["steps"]
        first = {
            k
            for row in re.findall(r"^\|(.*?)\|", sections["plants"], re.MULTILINE)
            for k in re.findall(r"`(\w+)`", row)
        }
        assert first == set(plant)


class TestWarnings:
    def test_notes_come_first(self, said: Said) -> None:
        status, out, _ = said("inspect", captures("turn-side-back/143_40.bvh"), "--json")
        assert status == 0
        (clip,) = json.loads(out)["clips"]
        assert ["unit is taken" in clip["warnings"][0], "left out" in clip["warnings"][1]] == [True, True]
        assert "likely 60 Hz (say so with --fps 60)" in clip["warnings"][2]

    def test_the_advice_helps(self, said: Said) -> None:
        status, out, _ = said("inspect", captures("turn-side-back/143_40.bvh"), "--json", "--fps", 60)
        (clip,) = json.loads(out)["clips"]
        assert status == 0
        assert not any("frame rate" in sentence for sentence in clip["warnings"])
        assert abs(len(clip["steps"]) - 22) <= 1
        assert sum(step["kind"] == "cross" for step in clip["steps"]) >= 15

    def test_people_see_them_too(self, folder: Path, said: Said) -> None:
        ff.save_motion(replace(made("walk", FPS).motion, fps=240.0), folder / "fast.ffm")
        status, out, err = said("inspect", folder / "fast.ffm")
        assert (status, err) == (0, "")
        assert "  ! the frame rate of 240 Hz looks wrong: it walks 4.0 steps a second" in out


class TestLessThanAWalk:
    def test_no_legs(self, folder: Path, said: Said) -> None:
        motion = made("stand", FPS).motion
        roles = {r: j for r, j in motion.skeleton.roles.items() if "thigh" not in r}
        legless = replace(motion, skeleton=replace(motion.skeleton, roles=roles))
        clip = found(folder, said, legless)
        assert (clip["plants"], clip["steps"], clip["foot_points"]) == ([], [], {})

    def test_a_chain(self, folder: Path, said: Said) -> None:
        chain = Skeleton.build(["a", "b"], [-1, 0], np.array([[0.0, 0, 0], [0, 1, 0]]))
        rotations = np.tile([1.0, 0.0, 0.0, 0.0], (30, 2, 1))
        clip = found(folder, said, ff.Motion(chain, np.zeros((30, 3)), rotations, 30.0))
        assert (clip["plants"], clip["steps"]) == ([], [])
        assert any("no legs were found" in sentence for sentence in clip["warnings"])

    @pytest.mark.parametrize("frames", [0, 1, 2])
    def test_hardly_any_frames(self, frames: int, folder: Path, said: Said) -> None:
        clip = found(folder, said, made("walk", FPS).motion[:frames])
        assert clip["steps"] == []
        assert len(clip["plants"]) <= 2


def test_table(folder: Path, said: Said) -> None:
    """One line a step, its numbers those of the JSON."""
    truth = made("stairs", FPS).given
    steps = found(folder, said, truth)["steps"]
    status, out, err = said("inspect", folder / "clip.ffm")
    assert (status, err) == (0, "")
    assert "  8 plants, 6 steps\n" in out
    lines = re.findall(
        r"^ +([\d.]+) +(left|right) +(\w+) +(\S+) +(\S+) +(\S+) +(\S+) +(\S+) +(\S+)$", out, re.MULTILINE
    )
    assert len(lines) == len(steps)
    for line, step in zip(lines, steps, strict=True):
        assert list(line[1:3]) == [step["foot"], step["kind"]]
        keys = ("length_m", "stride_m", "rise_m", "swing_s", "direction_deg", "turn_deg")
        wanted = [step["keytimes_s"]["toe_off"], *(step[key] for key in keys)]
        assert_allclose([float(x) for x in (line[0], *line[3:])], wanted, rtol=0, atol=0.51)
        assert_allclose([float(x) for x in line[3:7]], wanted[1:5], rtol=0, atol=0.0051)


def test_long_tables_are_cut(folder: Path, said: Said) -> None:
    ff.save_motion(made("walk", 30.0, steps=40).given, folder / "long.ffm")
    status, out, _ = said("inspect", folder / "long.ffm")
    assert status == 0
    assert "42 plants, 40 steps" in out
    assert out.count(" forward ") == 24
    assert "    and 16 more (all of them with --json)\n" in out
