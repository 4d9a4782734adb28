"""`footfall edit`: what is asked is in the file, measured from the file; a refusal leaves nothing behind."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import footfall as ff
from footfall.cli import demo
from footfall.figure.soles import sole_places
from footfall.formats import save
from tests.captures import captures, needs_captures
from tests.cli.conftest import Said, role_positions

KEYS = {field.name for field in fields(ff.Certificate)} | {
    *("file", "plan", "steps", "foot_points", "captured_step_length_m", "captured_speed_m_s")
}
over_terrain = pytest.mark.skipif(not hasattr(ff.WalkEdit, "on"), reason="walk edits know no terrain yet")


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A captured walk: the actor's, in a format that keeps all of it."""
    path = tmp_path_factory.mktemp("clips") / "walk.ffm"
    ff.save_motion(ff.VirtualActor().walk(1.3).motion, path)
    return path


def told(said: Said, *words: object) -> dict[str, Any]:
    status, out, err = said("edit", *words, "--json")
    assert (status, err) == (0, "")
    assert out.count("\n") == 1
    return json.loads(out)


def plants(path: Path) -> tuple[ff.Plant, ...]:
    """Where feet stand in a saved motion, by its own contacts; cut off at an end they may not lie flat."""
    motion = ff.load_motion(path)
    assert motion.contacts is not None
    return tuple(p for p in ff.detect_plants(motion, motion.contacts) if p.flat is not None)


def moves(path: Path) -> np.ndarray:
    """From each footprint of a saved motion to the next."""
    found = plants(path)
    assert all(a.foot != b.foot for a, b in pairwise(found))
    return np.diff([p.position for p in found], axis=0)


class TestContract:
    def test_keys(self, walk: Path, said: Said, tmp_path: Path) -> None:
        out = tmp_path / "a.ffm"
        values = told(said, walk, "--step-length", 0.6, "-o", out)
        edit, loaded = ff.WalkEdit(ff.load_motion(walk)), ff.load_motion(out)
        assert values.keys() == KEYS
        assert (values["file"], values["plan"], values["steps"]) == (str(out), None, 8)
        assert values["captured_step_length_m"] == edit.step_length == pytest.approx(0.737, abs=0.001)
        assert values["captured_speed_m_s"] == edit.speed == pytest.approx(1.3, abs=0.001)
        assert (values["contacts"], values["plants"], values["clamped"]) == ("given", 10, [])
        assert values["placement_max_m"] < 1e-6
        assert values["slide_max_m"] < 1e-3
        for side in ("left", "right"):
            for point, place in loaded.skeleton.foot_points(side).as_lists().items():
                assert_allclose(values["foot_points"][side][point], place, rtol=0, atol=1e-7)
        assert list(tmp_path.iterdir()) == [out]

    def test_lines_for_people(self, walk: Path, said: Said, tmp_path: Path) -> None:
        out = tmp_path / "a.bvh"
        status, lines, err = said("edit", walk, "--steps", 3, "-o", out)
        first, second = lines.splitlines()
        assert (status, err) == (0, "")
        assert re.fullmatch(rf"{re.escape(str(out))}: 3 steps, \d+ frames at 60 Hz, \d\.\d s", first)
        assert re.fullmatch(r"placement 0.000 mm, slide .* 5 plants given", second)

    def test_what_was_clamped_is_said(self, walk: Path, said: Said, tmp_path: Path) -> None:
        out = tmp_path / "far.ffm"
        status, line, err = said("edit", walk, "--step-length", 2, "--lift", 3, "-o", out, "--json")
        clamped = json.loads(line)["clamped"]
        assert status == 0
        assert [sentence.split()[0] for sentence in clamped] == ["step_length", "lift"]
        assert err.splitlines() == [f"{out}: {sentence}" for sentence in clamped]
        assert f"clamped: {clamped[0]}" in said("edit", walk, "--step-length", 2, "-o", out)[1]

    @pytest.mark.parametrize("ending", [".bvh", ".glb", ".amass.npz", ".ffm"])
    def test_every_format_twice_the_same(self, ending: str, walk: Path, said: Said, tmp_path: Path) -> None:
        words = ["--stairs", "0.12x0.35", "--curve-deg-per-m", 10, "--steps", 3]
        a, b = tmp_path / f"a{ending}", tmp_path / f"b{ending}"
        told(said, walk, *words, "-o", a, "--plan", tmp_path / "a.json")
        told(said, walk, *words, "-o", b, "--plan", tmp_path / "b.json")
        assert a.read_bytes() == b.read_bytes()
        assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()
        asked = {"stairs": (0.12, 0.35), "curve": np.radians(10.0), "steps": 3}
        wanted = ff.WalkEdit(ff.load_motion(walk)).synthesize(**asked)
        assert_allclose(role_positions(ff.load_motion(a)), role_positions(wanted), rtol=0, atol=1e-4)

    def test_the_actor_as_a_clip_and_rates(self, said: Said, tmp_path: Path) -> None:
        """--fps is the clip's, --out-fps the result's."""
        told(said, "actor:walk@2", "--fps", 48, "--steps", 2, "-o", tmp_path / "a.ffm")
        told(said, "actor:walk@2", "--fps", 48, "--out-fps", 24, "--steps", 2, "-o", tmp_path / "b.ffm")
        a, b = (ff.load_motion(tmp_path / name) for name in ("a.ffm", "b.ffm"))
        assert (a.fps, b.fps) == (48.0, 24.0)
        # the hips come down for the legs frame by frame, so that rates differ by a hair
        assert_allclose(role_positions(a)[::2], role_positions(b)[: len(a[::2])], rtol=0, atol=2e-3)

    def test_the_plan_judges_the_motion(self, walk: Path, said: Said, tmp_path: Path) -> None:
        out, plan = tmp_path / "a.ffm", tmp_path / "a.json"
        values = told(said, walk, "--slope-deg", -8, "--first", "right", "-o", out, "--plan", plan)
        placements = ff.FootPlan.load(plan).placements
        assert values["plan"] == str(plan)
        assert len(placements) == values["steps"] + 2
        assert [p.foot for p in placements[:3]] == ["right", "left", "right"]
        assert_allclose(placements[0].position[1:], 0.0, atol=1e-12)
        score = json.loads(said("score", out, "--plan", plan, "--json")[1])
        assert score["placement_max_m"] < 1e-5
        assert score["plants"] == len(placements)

    @needs_captures
    def test_a_real_walk_down_uneven_stairs(self, said: Said, tmp_path: Path) -> None:
        words = [captures("walk/16_47.bvh"), "--stairs", "-0.1x0.3,-0.18x0.4", "-o", tmp_path / "a.ffm"]
        status, line, err = said("edit", *words, "--json")
        values = json.loads(line)
        assert status == 0
        assert values["clamped"] == []
        assert all("16_47.bvh: " in remark for remark in err.splitlines())
        assert values["slide_max_m"] < 1e-3
        assert values["penetration_max_m"] < 2e-3
        assert_allclose(moves(tmp_path / "a.ffm")[1:, 1:][:2], [[-0.18, 0.4], [-0.1, 0.3]], atol=1e-3)


class TestMeasured:
    """All from the saved file, by its own contacts."""

    @pytest.mark.parametrize("length", [0.4, 0.6, 0.9])
    def test_step_length(self, length: float, walk: Path, said: Said, tmp_path: Path) -> None:
        out = tmp_path / "a.ffm"
        told(said, walk, "--step-length", length, "--lift", 0.1, "--steps", 6, "-o", out)
        found = moves(out)
        assert len(found) >= 6
        assert_allclose(found[:, 2], length, rtol=0, atol=1e-4)
        assert_allclose(found[:, 1], 0.0, rtol=0, atol=1e-4)
        motion = ff.load_motion(out)
        for step in ff.detect_steps(motion, plants(out)):
            assert step.kind == "forward"
            assert (step.target.position - step.support.position)[2] == pytest.approx(length, abs=1e-4)

    def test_lift(self, walk: Path, said: Said, tmp_path: Path) -> None:
        """Midway through a swing the lowest point of a sole is as high as was asked."""
        out = tmp_path / "a.ffm"
        told(said, walk, "--lift", 0.17, "--step-length", 0.7, "--out-fps", 240, "-o", out)
        motion, found = ff.load_motion(out), plants(out)
        lowest = {side: sole_places(motion, side)[..., 1].min(axis=-1) for side in ("left", "right")}
        middles = [(s.foot, (s.origin.end + s.target.start) // 2) for s in ff.detect_steps(motion, found)]
        assert len(middles) >= 6
        assert_allclose([lowest[foot][frame] for foot, frame in middles], 0.17, rtol=0, atol=1e-3)

    @pytest.mark.parametrize(
        ("text", "stairs"),
        [
            ("0.17x0.29", [(0.17, 0.29)]),
            ("-0.12x0.3", [(-0.12, 0.30)]),
            ("0.1x0.3,0.2X0.35,-0.05x0.4", [(0.1, 0.3), (0.2, 0.35), (-0.05, 0.4)]),
        ],
    )
    def test_stairs(
        self, text: str, stairs: list[tuple[float, float]], walk: Path, said: Said, tmp_path: Path
    ) -> None:
        """The first two footprints are where the walk begins; stairs are counted from the first."""
        out = tmp_path / "a.ffm"
        told(said, walk, "--stairs", text, "--steps", 7, "-o", out)
        found = moves(out)
        assert len(found) >= 7
        assert_allclose(found[:, 1:], [stairs[k % len(stairs)] for k in range(len(found))], rtol=0, atol=1e-4)

    @pytest.mark.parametrize("degrees", [-15.0, 10.0, 35.0])
    def test_slope(self, degrees: float, walk: Path, said: Said, tmp_path: Path) -> None:
        out = tmp_path / "a.ffm"
        told(said, walk, "--slope-deg", degrees, "--step-length", 0.5, "-o", out)
        found = moves(out)
        assert_allclose(np.degrees(np.arctan2(found[:, 1], found[:, 2])), degrees, atol=0.02)
        assert_allclose(np.hypot(found[:, 1], found[:, 2]), 0.5, atol=1e-4)
        assert_allclose(np.degrees([p.pitch for p in plants(out)]), degrees, atol=0.5)

    @pytest.mark.parametrize("degrees", [25.0, -25.0])
    def test_curve(self, degrees: float, walk: Path, said: Said, tmp_path: Path) -> None:
        """Each foot on a circle of its own round one middle, to the left where degrees are positive."""
        out = tmp_path / "a.ffm"
        told(said, walk, "--curve-deg-per-m", degrees, "-o", out)
        radius = 1.0 / np.radians(degrees)
        for foot in ("left", "right"):
            places = np.array([p.position for p in plants(out) if p.foot == foot])
            away = np.hypot(places[:, 0] - radius, places[:, 2])
            assert_allclose(away, away[0], rtol=0, atol=1e-3)
            outside = (foot == "right") == (degrees > 0)
            assert 0.0 < (away[0] - abs(radius)) * (1 if outside else -1) < 0.2

    def test_speed(self, walk: Path, said: Said, tmp_path: Path) -> None:
        """Strikes of one foot are two steps apart, in place and in time."""
        out = tmp_path / "a.ffm"
        told(said, walk, "--speed", 0.9, "--step-length", 0.6, "--out-fps", 200, "-o", out)
        strikes = [p.start for p in plants(out) if p.foot == "left" and p.whole]
        assert len(strikes) >= 3
        assert_allclose(np.diff(strikes) / 200.0, 1.2 / 0.9, atol=0.011)

    def test_speed_alone_makes_longer_steps(self, walk: Path, said: Said, tmp_path: Path) -> None:
        values = told(said, walk, "--speed", 1.7, "-o", tmp_path / "a.ffm")
        assert moves(tmp_path / "a.ffm")[:, 2].min() > 1.05 * values["captured_step_length_m"]


@over_terrain
class TestTerrain:
    def test_stones(self, walk: Path, said: Said, tmp_path: Path) -> None:
        """Every footprint on a stone, and all the way."""
        out, plan = tmp_path / "a.ffm", tmp_path / "a.json"
        values = told(said, walk, "--terrain", "stones:7", "-o", out, "--plan", plan)
        made = ff.generate_terrain("stones", 7)
        places = np.array([p.position for p in ff.FootPlan.load(plan).placements])
        x, y, z = places.T
        assert len(places) == values["steps"] + 2
        assert_allclose(made.terrain.height(x, z, y + 0.2), y, rtol=0, atol=1e-6)
        assert set(made.terrain.label(x, z).tolist()) <= set(
            made.terrain.label(*np.array([p.position[[0, 2]] for p in made.crossing.placements]).T).tolist()
        )
        assert z.max() > made.crossing.placements[-1].position[2] - 1.5
        assert values["penetration_max_m"] < 2e-3

    def test_so_many_steps_at_most(self, walk: Path, said: Said, tmp_path: Path) -> None:
        words = [walk, "--terrain", "bumps:7", "--steps", 4, "--first", "right", "-o", tmp_path / "a.ffm"]
        assert told(said, *words)["steps"] == 4
        assert plants(tmp_path / "a.ffm")[0].foot == "right"

    def test_a_mesh_straight_ahead_or_along_a_path(self, walk: Path, said: Said, tmp_path: Path) -> None:
        mesh, out, plan = tmp_path / "f.obj", tmp_path / "a.ffm", tmp_path / "a.json"
        ff.save_terrain(ff.open_terrain("bumps:3"), mesh)  # type: ignore[arg-type]
        far = ff.load_terrain(mesh).bounds[1][2]
        told(said, walk, "--terrain", mesh, "-o", out, "--plan", plan)
        places = np.array([p.position for p in ff.FootPlan.load(plan).placements])
        assert np.abs(places[:, 0]).max() < 0.3
        assert far - 2.0 < places[:, 2].max() < far
        told(said, walk, "--terrain", mesh, "--path", "-1,1 2,4", "-o", out, "--plan", plan)
        places = np.array([p.position for p in ff.FootPlan.load(plan).placements])
        beside = (places[:, 0] + 1.0 - (places[:, 2] - 1.0)) / np.sqrt(2.0)
        assert np.abs(beside).max() < 0.3
        assert_allclose(places[:2, [0, 2]].mean(axis=0), [-1.0, 1.0], atol=0.6)

    def test_nothing_ahead(self, walk: Path, said: Said, tmp_path: Path) -> None:
        mesh = tmp_path / "behind.obj"
        mesh.write_text("v -2 0 -9\nv -2 0 0\nv 2 0 0\nv 2 0 -9\nf 1 2 3 4\n")
        status, out, err = said("edit", walk, "--terrain", mesh, "-o", tmp_path / "a.bvh")
        assert (status, out) == (1, "")
        assert err == (
            f"footfall: {mesh}: there is no ground ahead of the origin; --path says where else to walk\n"
        )
        assert list(tmp_path.iterdir()) == [mesh]


class TestRefusals:
    @pytest.mark.parametrize(
        ("words", "sentence"),
        [
            (["--step-length", "-1"], "--step-length must be between 0.05 and 100 m, not -1"),
            (["--step-length", "nan"], "--step-length must be between 0.05 and 100 m, not nan"),
            (["--step-length", "inf"], "--step-length must be between 0.05 and 100 m, not inf"),
            (["--lift", "-inf"], "--lift must be between 0 and 10 m, not -inf"),
            (["--speed", "0"], "--speed must be between 0.05 and 5 m/s, not 0"),
            (["--slope-deg", "80"], "--slope-deg must be between -35 and 35 degrees, not 80"),
            (["--slope-deg", "-35.001"], "--slope-deg must be between -35 and 35 degrees, not -35.001"),
            (["--slope-deg", "nan"], "--slope-deg must be between -35 and 35 degrees, not nan"),
            (
                ["--curve-deg-per-m", "115"],
                "--curve-deg-per-m must be between -114.5 and 114.5 degrees a metre, not 115",
            ),
            (["--steps", "0"], "--steps must be between 1 and 10000, not 0"),
            (["--steps", "-3"], "--steps must be between 1 and 10000, not -3"),
            (["--steps", "9" * 400], "--steps must be between 1 and 10000, not 999"),
            (["--out-fps", "nan"], "--out-fps must be between 10 and 1000 Hz, not nan"),
            (["--first", "middle"], "--first must be left or right, not 'middle'"),
            *(
                (["--stairs", text], "--stairs takes RISERxTREAD in metres such as 0.16x0.30")
                for text in ("steep", "0.16", "0.16x", "x", "", "0.1x0.3,", "0.1x0.3x2", "0.1:0.3", "--json")
            ),
            (["--stairs", "0.7x0.3"], "--stairs: a riser must be between -0.5 and 0.5 m, not 0.7"),
            (["--stairs", "nanx0.3"], "--stairs: a riser must be between -0.5 and 0.5 m, not nan"),
            (["--stairs", "0.1x-0.3"], "--stairs: a tread must be between 0.1 and 3.0 m, not -0.3"),
            (["--stairs", "0.1x0.3,0.1xinf"], "--stairs: a tread must be between 0.1 and 3.0 m, not inf"),
            (
                ["--stairs", "0.1x0.3", "--slope-deg", "3"],
                "--slope-deg cannot be given here: --stairs decides",
            ),
            (["--stairs", "0.1x0.3", "--step-length", "1"], "--step-length cannot be given here: --stairs"),
            (["--path", "0,0 0,5"], "--path leads over a ground: give it with --terrain"),
            (["--terrain", "hills:1"], "neither a file nor a generator"),
            (
                ["--terrain", "flat", "--slope-deg", "5"],
                "--slope-deg cannot be given here: the ground of --terr",
            ),
            (["--terrain", "flat", "--stairs", "0.1x0.3"], "--stairs cannot be given here: the ground of"),
            (["--terrain", "flat", "--curve-deg-per-m", "5"], "--curve-deg-per-m cannot be given here: the"),
            *(
                (["--terrain", "flat", "--path", text], '--path takes two or more points "x,z x,z ..." in')
                for text in ("", "0,0", "0,0 far", "0,0,0 1,1,1", "0,0 nan,1", "0 1")
            ),
            (["-o", "a.doc"], "a.doc: the ending must be one of .bvh, .glb, .amass.npz, .ffm"),
            (["-o", "nowhere/a.bvh"], "a.bvh: cannot be written (there is no folder "),
            (["--plan", "nowhere/a.json"], "a.json: cannot be written (there is no folder "),
            (["--plan", "a.bvh"], "a.bvh: the ending must be .json"),
        ],
    )
    def test_one_sentence_and_nothing_written(
        self, words: list[str], sentence: str, walk: Path, said: Said, tmp_path: Path
    ) -> None:
        places = [tmp_path / w if re.search(r"\ba\.\w+$", w) else w for w in words]
        target = [] if "-o" in words else ["-o", tmp_path / "a.bvh"]
        status, out, err = said("edit", walk, *places, *target, "--json")
        assert (status, out) == (1, "")
        assert re.fullmatch(rf"footfall: .*{re.escape(sentence)}.*\n", err)
        assert len(err) < 400
        assert not list(tmp_path.iterdir())

    @pytest.mark.parametrize("piece", ["idle", "jump", "reach", "backward", "stairs"])
    def test_no_walk_in_the_clip(self, piece: str, said: Said, tmp_path: Path) -> None:
        status, out, err = said("edit", f"actor:{piece}", "-o", tmp_path / "a.bvh", "--json")
        assert (status, out) == (1, "")
        needs = "a walk edit needs a clip with three steps or more of straight, forward walking"
        assert re.fullmatch(rf"footfall: actor:{piece}: .*{needs} on one level floor\n", err)
        assert not list(tmp_path.iterdir())

    def test_a_folder_in_the_way(self, walk: Path, said: Said, tmp_path: Path) -> None:
        (tmp_path / "p.json").mkdir()
        status, out, err = said("edit", walk, "-o", tmp_path / "a.bvh", "--plan", tmp_path / "p.json")
        assert (status, out) == (1, "")
        assert err == f"footfall: {tmp_path / 'p.json'}: cannot be written (it is a folder)\n"
        assert [path.name for path in tmp_path.iterdir()] == ["p.json"]

    def test_both_files_or_none(
        self, walk: Path, said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(*_: object) -> bytes:
            raise ff.SaveError("this figure cannot be told")

        monkeypatch.setattr(save, "_encode", refuse)
        words = [walk, "--steps", 2, "-o", tmp_path / "a.bvh", "--plan", tmp_path / "a.json"]
        assert said("edit", *words) == (1, "", "footfall: this figure cannot be told\n")
        assert not list(tmp_path.iterdir())

    @pytest.mark.parametrize("words", [[], ["--steps", "2.5"], ["--lift", "high"], ["--stairs"]])
    def test_usage(self, words: list[str], walk: Path, said: Said, tmp_path: Path) -> None:
        target = ["-o", tmp_path / "a.bvh"] if words else []
        status, out, err = said("edit", walk, *target, *words)
        assert (status, out) == (2, "")
        assert re.fullmatch(r"footfall: .+\n", err)
        assert not list(tmp_path.iterdir())


def test_the_capture_is_not_written_over(walk: Path, said: Said) -> None:
    before = walk.read_bytes()
    status, out, err = said("edit", walk, "-o", walk)
    assert (status, out) == (1, "")
    assert "is what is read: it is not written over" in err
    assert walk.read_bytes() == before


class TestDemo:
    def test_walk_edits_on_their_own_ground(self) -> None:
        """What the pictures show is the ground that the walk was made for."""
        acts = {act.name: act for act in demo._walk_edits()}
        assert acts.keys() == {"walk_edit_stairs", "walk_edit_varying", "walk_edit_rubble"}
        for act in acts.values():
            edited = act.motion
            assert isinstance(edited, ff.EditedWalk)
            assert edited.clamped == ()
            assert edited.ground is not None
            for side in ("left", "right"):
                x, _, z = np.moveaxis(sole_places(edited, side), -1, 0)
                inside = z > -0.5  # before its first tread the flight ends
                assert inside.mean() > 0.95
                assert_array_equal(
                    act.ground.height(x[inside], z[inside]).round(9),
                    edited.ground.height(x[inside], z[inside]).round(9) + 0.0,
                )
        places = np.array([p.position for p in acts["walk_edit_varying"].motion.plan.placements])  # type: ignore[attr-defined]
        lengths = np.diff(places[:, 2])
        assert lengths[0] == pytest.approx(0.45)
        assert lengths[-1] == pytest.approx(0.95)
        assert (np.diff(lengths) > 0.0).all()
