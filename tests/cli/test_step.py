"""`footfall step`: every planned footprint is in the saved file, as others read it; a refusal writes none."""

from __future__ import annotations

import json
import os
import re
import threading
import warnings
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pybvh
import pytest
from numpy.testing import assert_allclose

import footfall as ff
from footfall.cli import demo
from footfall.cli.demo_plan import demo_plan
from footfall.models import load
from footfall.models.stepspace.default import default_step_space
from footfall.models.stepspace.selectors import SELECTORS
from tests.captures import captures, needs_captures
from tests.cli.conftest import Said, role_positions
from tests.models.stepspace.spaces import small_space

KEYS = {field.name for field in fields(ff.Certificate)} | {
    *("file", "plan", "steps", "outside", "foot_points"),
}
EXACT = 1e-6  # m
STILL = 1e-7  # m a frame: more than what nine decimals round, less than any foot that moves
# m: to the left, up, ahead. Forward, up and down, aside, backward, across
PLACES = (
    *(("left", 0.09, 0.0, 0.0), ("right", -0.09, 0.0, 0.0)),
    *(("left", 0.11, 0.0, 0.42), ("right", -0.06, 0.08, 0.9), ("left", 0.14, 0.02, 1.3)),
    *(("right", -0.07, 0.0, 1.32), ("left", 0.45, 0.0, 1.3), ("right", 0.25, 0.0, 1.29)),
    *(("left", 0.44, 0.0, 1.0), ("right", 0.26, -0.04, 0.72), ("left", 0.43, 0.0, 0.74)),
)


@pytest.fixture(scope="module", autouse=True)
def read_once() -> Iterator[None]:
    """What a space makes of its steps is made once for all tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(load, "load_model", cache(load.load_model))
        yield


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("models") / "steps.ffmodel"
    small_space().save(path)
    return path


def plan_of(places: Any, **wishes: float) -> ff.FootPlan:
    return ff.FootPlan(
        tuple(ff.FootPlacement(foot, np.array([x, y, z]), **wishes) for foot, x, y, z in places)
    )


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("plans"), plan_of(PLACES))


def written(folder: Path, plan: ff.FootPlan, name: str = "plan.json") -> Path:
    path = folder / name
    path.write_bytes(plan.encode())
    return path


def told(said: Said, *words: object) -> dict[str, Any]:
    """What --json says; what could not be given as asked is said, and nothing else."""
    status, out, err = said("step", *words, "--json")
    assert status == 0, err
    assert out.count("\n") == 1
    values: dict[str, Any] = json.loads(out)
    assert err.splitlines() == [f"{values['file']}: {sentence}" for sentence in values["clamped"]]
    return values


def judged_subtalars(path: Path, foot_points: dict[str, Any]) -> dict[str, np.ndarray]:
    """Paths of both subtalars, from a BVH as pybvh reads it and the foot points as JSON tells them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        judged = pybvh.read_bvh_file(str(path))
        places = judged.joint_positions()
        turns = judged.to_rotmat()[1]
    nodes = {node.name: node for node in judged.nodes}
    roles = ff.load_motion(path).skeleton.roles
    names = ff.load_motion(path).skeleton.names
    paths = {}
    for side in ("left", "right"):
        name = names[roles[f"{side}_foot"]]
        node, turn = nodes[name], np.eye(3)
        while node is not None:
            turn = turns[:, judged.joint_index[node.name]] @ turn
            node = node.parent
        paths[side] = places[:, judged.joint_index[name]] + turn @ np.array(foot_points[side]["subtalar"])
    return paths


def rests(path: np.ndarray) -> list[np.ndarray]:
    """Where a point is still for three frames and longer, in turn; once where it is still there again.

    A heel that is kept up at the end of a stride is still, but the foot does not lie.
    """
    moved = np.linalg.norm(np.diff(path, axis=0), axis=1) > STILL
    found: list[np.ndarray] = []
    for run in np.split(np.arange(len(path)), np.flatnonzero(moved) + 1):
        place = path[run].mean(axis=0)
        over = place - found[-1] if found else np.full(3, np.inf)
        stays = np.hypot(over[0], over[2]) < 0.05 and over[1] > -1e-4
        if len(run) >= 3 and not stays:
            found.append(place)
    return found


def check_exact(bvh: Path, plan: ff.FootPlan, foot_points: dict[str, Any]) -> None:
    """Each foot comes to rest on its footprints and nowhere else, in the order of the plan."""
    for side, path in judged_subtalars(bvh, foot_points).items():
        wanted = np.array([p.position for p in plan.of(side)])
        assert_allclose(rests(path), wanted, rtol=0, atol=EXACT)


class TestExactness:
    def test_from_the_bvh_alone(self, model: Path, plan: Path, said: Said, tmp_path: Path) -> None:
        values = told(said, model, plan, "-o", tmp_path / "a.bvh")
        check_exact(tmp_path / "a.bvh", plan_of(PLACES), values["foot_points"])

    @pytest.mark.parametrize("fps", [24, 30, 120])
    def test_at_any_rate(self, fps: int, model: Path, plan: Path, said: Said, tmp_path: Path) -> None:
        values = told(said, model, plan, "-o", tmp_path / "a.bvh", "--fps", fps)
        assert ff.load_motion(tmp_path / "a.bvh").fps == pytest.approx(fps)
        check_exact(tmp_path / "a.bvh", plan_of(PLACES), values["foot_points"])

    @pytest.mark.parametrize("selector", SELECTORS)
    def test_with_any_selector(
        self, selector: str, model: Path, plan: Path, said: Said, tmp_path: Path
    ) -> None:
        values = told(said, model, plan, "-o", tmp_path / "a.bvh", "--selector", selector)
        check_exact(tmp_path / "a.bvh", plan_of(PLACES), values["foot_points"])

    def test_on_a_terrain_that_leans(self, model: Path, said: Said, tmp_path: Path) -> None:
        """The footprints of ground from a seed, as `terrain` writes them."""
        assert said("terrain", "ramps:3", "-o", tmp_path / "r.obj", "--plan", tmp_path / "r.json")[0] == 0
        words = [model, tmp_path / "r.json", "-o", tmp_path / "a.bvh"]
        values = told(said, *words, "--terrain", "ramps:3")
        check_exact(tmp_path / "a.bvh", ff.FootPlan.load(tmp_path / "r.json"), values["foot_points"])
        assert values["penetration_max_m"] < 2e-3
        assert values["float_max_m"] < 2e-3
        read = told(said, *words, "--terrain", tmp_path / "r.obj")  # the same ground as a file
        assert read["penetration_max_m"] == pytest.approx(values["penetration_max_m"], abs=1e-4)


class TestContract:
    def test_keys(self, model: Path, plan: Path, said: Said, tmp_path: Path) -> None:
        out = tmp_path / "a.ffm"
        values = told(said, model, plan, "-o", out)
        followed = small_space().follow(plan_of(PLACES))
        assert values.keys() == KEYS
        assert (values["file"], values["plan"]) == (str(out), None)
        assert values["clamped"] == list(followed.clamped)
        assert (values["contacts"], values["plants"], values["steps"]) == ("given", 11, 9)
        assert values["placement_max_m"] < EXACT
        assert values["slide_max_m"] < 1e-3
        assert values["penetration_max_m"] < 2e-3
        assert values["leg_extension_max"] < 0.995
        assert values["outside"] == [k + 2 for k, s in enumerate(followed.selections) if not s.inside]
        skeleton = ff.load_motion(out).skeleton
        for side in ("left", "right"):
            assert values["foot_points"][side].keys() == {"heel", "subtalar", "ball", "toe"}
            for point, place in skeleton.foot_points(side).as_lists().items():
                assert_allclose(values["foot_points"][side][point], place, rtol=0, atol=1e-7)
        assert list(tmp_path.iterdir()) == [out]

    def test_a_step_outside_is_named_by_its_footprint(self, model: Path, said: Said, tmp_path: Path) -> None:
        """Among plain steps one that nobody captured: far aside."""
        walk = [(("right", "left")[k % 2], (-0.09, 0.09)[k % 2], 0.0, 0.45 * k) for k in range(1, 6)]
        places = [PLACES[1], PLACES[0], *walk]
        out = tmp_path / "a.ffm"
        plain = told(said, model, written(tmp_path, plan_of(places)), "-o", out)
        places[4] = (places[4][0], 0.45, *places[4][2:])
        odd = told(said, model, written(tmp_path, plan_of(places)), "-o", out)
        assert set(odd["outside"]) - set(plain["outside"]) >= {4}
        assert odd["placement_max_m"] < EXACT
        _, lines, _ = said("step", model, tmp_path / "plan.json", "-o", out)
        named = ", ".join(f"steps[{k}]" for k in odd["outside"])
        assert lines.splitlines()[1] == f"outside what was captured: {named}"

    def test_stretched_or_bent(self, model: Path, said: Said, tmp_path: Path) -> None:
        """Without any stretch the nearest step is bent to a print outside, which is said; exact both ways."""
        places = [*PLACES[:3], ("right", -0.35, 0.0, 0.6), ("left", 0.1, 0.0, 0.9)]
        plan = written(tmp_path, plan_of(places))
        values = {}
        for metres in (0, 3):
            words = [model, plan, "-o", tmp_path / f"{metres}.bvh", "--stretch", metres]
            values[metres] = told(said, *words)
            check_exact(tmp_path / f"{metres}.bvh", plan_of(places), values[metres]["foot_points"])
        outside = values[0]["outside"]
        assert 3 in outside
        said_of = [int(s[6]) for s in values[0]["clamped"] if "outside what was captured" in s]
        assert said_of == outside
        assert not any("outside what was captured" in sentence for sentence in values[3]["clamped"])

    def test_every_format_and_twice_the_same(
        self, model: Path, plan: Path, said: Said, tmp_path: Path
    ) -> None:
        wanted = small_space().follow(plan_of(PLACES))
        for ending in (".bvh", ".glb", ".amass.npz", ".ffm"):
            told(said, model, plan, "-o", tmp_path / f"a{ending}")
            found = ff.load_motion(tmp_path / f"a{ending}")
            assert_allclose(role_positions(found), role_positions(wanted), rtol=0, atol=1e-4)
        told(said, model, plan, "-o", tmp_path / "b.ffm")
        assert (tmp_path / "a.ffm").read_bytes() == (tmp_path / "b.ffm").read_bytes()

    def test_lines_for_people(self, model: Path, plan: Path, said: Said, tmp_path: Path) -> None:
        out = tmp_path / "a.bvh"
        status, lines, err = said("step", model, plan, "-o", out, "--fps", 24)
        first, *_, last = lines.splitlines()
        assert (status, err) == (0, "")
        assert re.fullmatch(rf"{re.escape(str(out))}: 9 steps, \d+ frames at 24 Hz, \d\.\d s", first)
        assert re.match(r"placement 0.000 mm, slide .* 11 plants given", last)

    def test_what_was_clamped_is_said(self, model: Path, said: Said, tmp_path: Path) -> None:
        values = told(
            said, model, written(tmp_path, plan_of(PLACES[:4], swing=0.05)), "-o", tmp_path / "a.ffm"
        )
        assert any(s.startswith("steps[2]: a swing of 0.05 s was asked, ") for s in values["clamped"])

    def test_moving(self, model: Path, said: Said, tmp_path: Path) -> None:
        """Else from a stand to a stand, which nobody is in who walks on."""
        ahead = [(("left", "right")[k % 2], (0.09, -0.09)[k % 2], 0.0, 0.6 * k) for k in range(7)]
        walk = written(tmp_path, plan_of(ahead))
        speeds = {}
        for words in ((), ("--moving",)):
            values = told(said, model, walk, "-o", tmp_path / "a.bvh", *words)
            motion = ff.load_motion(tmp_path / "a.bvh")
            speeds[words] = np.diff(motion.of("hips")[:, 2]) * motion.fps
            inner = judged_subtalars(tmp_path / "a.bvh", values["foot_points"])
            for side, path in inner.items():  # feet that are cut off may never lie
                found = np.array(rests(path))
                between = [p.position for p in plan_of(ahead).placements[1:-1] if p.foot == side]
                for place in between:
                    assert np.linalg.norm(found - place, axis=1).min() < EXACT
        assert np.abs(speeds[()][[0, -1]]).max() < 0.05
        assert speeds[("--moving",)][[0, -1]].min() > 0.4
        assert len(speeds[("--moving",)]) < len(speeds[()])

    def test_the_selector_is_used(self, model: Path, plan: Path, said: Said, tmp_path: Path) -> None:
        for name in ("paper", "nearest"):
            told(said, model, plan, "-o", tmp_path / f"{name}.ffm", "--selector", name)
            wanted = small_space().follow(plan_of(PLACES), selector=name)
            found = ff.load_motion(tmp_path / f"{name}.ffm")
            assert_allclose(role_positions(found), role_positions(wanted), rtol=0, atol=1e-4)
        assert (tmp_path / "paper.ffm").read_bytes() != (tmp_path / "nearest.ffm").read_bytes()

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with a name")
    def test_a_pipe_is_a_plan(self, model: Path, said: Said, tmp_path: Path) -> None:
        """It gives its bytes once."""
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        writer = threading.Thread(target=lambda: pipe.write_bytes(plan_of(PLACES[:3]).encode()))
        writer.start()
        assert told(said, model, pipe, "-o", tmp_path / "a.ffm")["steps"] == 1
        writer.join()

    def test_default(self, plan: Path, said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Without any model of one's own; a folder of that name changes nothing."""
        monkeypatch.chdir(tmp_path)
        Path("default").mkdir()
        values = told(said, "default", plan, "-o", tmp_path / "a.bvh")
        check_exact(tmp_path / "a.bvh", plan_of(PLACES), values["foot_points"])
        wanted = default_step_space().follow(plan_of(PLACES))
        found = ff.load_motion(tmp_path / "a.bvh")
        assert_allclose(role_positions(found), role_positions(wanted), rtol=0, atol=1e-6)


class TestMotionsAsPlans:
    def test_steps_where_somebody_stepped(self, model: Path, said: Said, tmp_path: Path) -> None:
        """A walk as a file: its footprints, as `extract_plan` finds them, and exactly these."""
        walk, out, prints = (tmp_path / name for name in ("walk.ffm", "a.bvh", "a.json"))
        walked = ff.VirtualActor(seed=2).start_and_stop(1.1, steps=4).motion
        ff.save_motion(walked, walk)
        status, line, err = said("step", model, walk, "-o", out, "--plan", prints, "--json")
        values = json.loads(line)
        plan = ff.FootPlan.load(prints)
        assert status == 0
        assert err.splitlines()[0] == f"{walk}: a motion; its 7 footprints are the plan"
        assert (values["plan"], values["steps"], len(plan)) == (str(prints), 5, 7)
        expected = ff.extract_plan(walked)
        assert [p.foot for p in plan.placements] == [p.foot for p in expected.placements]
        assert_allclose(
            [p.position for p in plan.placements],
            [p.position for p in expected.placements],
            rtol=0,
            atol=1e-5,  # what the file rounds
        )
        check_exact(out, plan, values["foot_points"])

    def test_a_piece_of_the_actor(self, model: Path, said: Said, tmp_path: Path) -> None:
        status, line, err = said("step", model, "actor:start_and_stop", "-o", tmp_path / "a.ffm", "--json")
        assert status == 0
        assert err.startswith("actor:start_and_stop: a motion; its ")
        assert json.loads(line)["placement_max_m"] < EXACT

    @needs_captures
    def test_a_capture_that_needs_a_skeleton_file(self, model: Path, said: Said, tmp_path: Path) -> None:
        clip = tmp_path / "walk.skm"
        clip.write_bytes(captures("locomotion-set/ChrMarine@WalkUp01.skm").read_bytes())
        words = ["step", model, clip, "-o", tmp_path / "a.ffm", "--json"]
        status, out, err = said(*words)
        assert (status, out) == (1, "")
        assert ".sk" in err
        status, out, err = said(*words, "--skeleton", captures("locomotion-set/ChrBackovic.sk"))
        assert status == 0, err
        found = json.loads(out)
        assert found["steps"] == 2
        # stands before and after make rests longer than the clip had them, which is said, and nothing else is
        assert found["clamped"]
        assert all("a stance of" in words for words in found["clamped"])
        assert json.loads(out)["placement_max_m"] < EXACT

    def test_nobody_steps(self, model: Path, said: Said, tmp_path: Path) -> None:
        status, out, err = said("step", model, "actor:idle", "-o", tmp_path / "a.ffm")
        assert (status, out) == (1, "")
        assert re.fullmatch(r"footfall: actor:idle: no step to plan: .*\n", err)
        assert not list(tmp_path.iterdir())


def test_the_help_shows_a_plan_that_can_be_followed(model: Path, said: Said, tmp_path: Path) -> None:
    _, out, _ = said("step", "--help")
    shown = re.search(r'\{"version": 1, "steps": \[.*?\}\]\}', out, re.DOTALL)
    assert shown is not None
    plan = tmp_path / "plan.json"
    plan.write_text(shown[0])
    assert len(ff.FootPlan.load(plan)) == 4
    values = told(said, model, plan, "-o", tmp_path / "a.bvh")
    check_exact(tmp_path / "a.bvh", ff.FootPlan.load(plan), values["foot_points"])


class TestDemo:
    def test_ahead_aside_back_and_round(self) -> None:
        """Fifteen steps from a stand to a stand; every footprint as planned, nothing clamped."""
        (act,) = demo._followed()
        motion = act.motion
        assert act.name == "step_space_plan"
        assert isinstance(motion, ff.FollowedPlan)
        assert motion.clamped == ()
        found = motion.certificate()
        assert found.placement_max_m is not None
        assert found.placement_max_m < EXACT
        assert found.slide_max_m is not None
        assert found.slide_max_m < 1e-6
        assert found.acceleration_ratio is not None
        assert found.acceleration_ratio < 2.0

    def test_the_plan_goes_every_way(self) -> None:
        plan = demo_plan()
        places = np.array([p.position for p in plan.placements])
        ways = np.array([places[s.target] - places[s.origin] for s in plan.steps()])
        headings = np.array([p.heading for p in plan.placements])
        assert len(ways) == 15
        assert ways[:4, 2].max() > 0.8  # a stride ahead
        assert ways[4:8, 0].max() > 0.3
        assert ways[8:11, 2].min() < -0.3
        assert np.ptp(headings) > 1.1
        assert {p.foot for p in plan.placements[::2]} == {"left"}  # feet in turn
