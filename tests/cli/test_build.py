"""`footfall build`: what is in the clips is in the model; a refusal leaves nothing behind."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import footfall as ff
from footfall.analysis.steps import HIGH_NAMES
from footfall.geometry import quaternion as quat
from footfall.models.load import load_model
from tests.captures import captures, needs_captures
from tests.cli.conftest import Said
from tests.models.stepspace.spaces import session_parts, small_space

KEPT = ("left", "right")  # the spaces of a step space
KINDS = ("left_step", "right_step")


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """From standing to standing, as a file that knows no contacts."""
    path = tmp_path_factory.mktemp("clips") / "walk.bvh"
    ff.save_motion(ff.VirtualActor().start_and_stop(1.3, steps=7).motion, path)
    return path


def told(said: Said, *words: object) -> dict[str, Any]:
    status, out, err = said("build", "movements", *words, "--json")
    assert (status, err) == (0, "")
    assert out.count("\n") == 1
    return json.loads(out)


class TestContract:
    def test_a_session_is_its_examples(self, said: Said, tmp_path: Path) -> None:
        out = tmp_path / "a.ffmodel"
        values = told(said, "actor:movements", "--pseudo-examples", 0, "-o", out)
        assert values.keys() == {"examples", "bytes", "seconds", "space"}
        assert values["examples"] == {"left_step": 15, "right_step": 15, "jump": 4}
        assert values["bytes"] == out.stat().st_size
        assert 0.0 < values["seconds"] < 120.0
        library = load_model(out)
        assert values["space"].keys() == library.space.keys()
        for kind, rows in values["space"].items():
            space = library.space[kind]
            assert [(row["name"], row["unit"]) for row in rows] == list(
                zip(space.names, space.units, strict=True)
            )
            for row, parameter in zip(rows, space.points.T, strict=True):
                bounds = float(min(parameter)), float(max(parameter))
                assert (row["low"], row["high"]) == pytest.approx(bounds, abs=1e-8)  # as stored
        captured = [e.parameters for e in ff.VirtualActor().perform("movements") if e.kind == "jump"]
        length, height = values["space"]["jump"]
        assert length["high"] == pytest.approx(max(p["length"] for p in captured), abs=1e-3)
        assert height["low"] == pytest.approx(min(p["height"] for p in captured), abs=1e-2)
        assert list(tmp_path.iterdir()) == [out]

    def test_clips_are_cut_and_mirrored(self, walk: Path, said: Said, tmp_path: Path) -> None:
        """Seven steps and the closing one, on either side after mirroring."""
        words = [walk, "--parameters", "left_step=end_length", "right_step=end_length"]
        values = told(said, *words, "--spacing", 0, "--pseudo-examples", 0, "-o", tmp_path / "a.ffmodel")
        assert values["examples"].keys() == set(KINDS)
        assert values["examples"]["left_step"] == values["examples"]["right_step"] == 8
        for kind in KINDS:
            (row,) = values["space"][kind]
            assert (row["name"], row["unit"]) == ("end_length", "m")
            assert row["low"] == pytest.approx(0.0, abs=0.02)  # feet together
            assert row["high"] == pytest.approx(0.737, abs=0.02)  # the step length at 1.3 m/s

    def test_what_is_chosen(self, walk: Path, said: Said, tmp_path: Path) -> None:
        words = [walk, "--parameters", "left_step=end_length", "right_step=end_length", "--spacing", 0]
        few = told(said, *words, "--most", 4, "--pseudo-examples", 3, "-o", tmp_path / "a.ffmodel")
        assert set(few["examples"].values()) == {4}
        kind = load_model(tmp_path / "a.ffmodel").kinds["left_step"]
        assert len(kind.pseudo_points) <= 3
        plain = told(said, *words, "--no-mirror", "--rate", 60, "-o", tmp_path / "b.ffmodel")
        assert set(plain["examples"].values()) == {4}  # eight steps, four by each foot
        assert load_model(tmp_path / "b.ffmodel").members[0].examples[0].motion.fps == 60.0

    def test_files_and_pieces_together(self, walk: Path, said: Said, tmp_path: Path) -> None:
        """The actor's own contacts beside those that are found; each example knows where it is from."""
        words = [walk, "actor:start_and_stop@2", "--spacing", 0, "--pseudo-examples", 0]
        values = told(said, *words, "-o", tmp_path / "a.ffmodel")
        names = [e.name for e in load_model(tmp_path / "a.ffmodel").kinds["left_step"].examples]
        assert values["examples"]["left_step"] == len(names) == len(set(names))
        assert {name.split(", ")[0] for name in names} == {str(walk), "actor:start_and_stop@2"}

    def test_lines_for_people(self, said: Said, tmp_path: Path) -> None:
        """And twice the same."""
        models = [tmp_path / "a.ffmodel", tmp_path / "b.ffmodel"]
        for out in models:
            status, lines, err = said(
                *("build", "movements", "actor:start_and_stop@1", "--pseudo-examples", 1, "-o", out)
            )
            first, *rest = lines.splitlines()
            assert (status, err) == (0, "")
            assert re.fullmatch(rf"{re.escape(str(out))}: \d+ examples, \d+ kB, built in \d+\.\d s", first)
            assert re.fullmatch(r"  left_step: \d+ examples, 1 pseudo-examples", rest[0])
            assert re.fullmatch(r"    start_length 0\.00 to 0\.\d\d m", rest[1])
            assert len(rest) == 6
        assert models[0].read_bytes() == models[1].read_bytes()

    @needs_captures
    def test_a_real_walk(self, said: Said, tmp_path: Path) -> None:
        words = [captures("walk/16_47.bvh"), "--parameters", "left_step=end_length", "right_step=end_length"]
        status, line, err = said(
            "build", "movements", *words, "--spacing", 0, "-o", tmp_path / "a.ffmodel", "--json"
        )
        assert status == 0, err
        assert all("16_47.bvh: " in remark for remark in err.splitlines())
        space = json.loads(line)["space"]["left_step"]
        assert 0.5 < space[0]["low"] < space[0]["high"] < 1.1


class TestRefusals:
    @pytest.mark.parametrize(
        ("words", "sentence"),
        [
            (["actor:dance"], "the actor has no piece called 'dance'; it has walk"),
            (["actor:movements@x"], "a person is a whole number, as in movements@3, not 'x'"),
            (["actor:movements@"], "a person is a whole number, as in movements@3, not ''"),
            (
                ["actor:movements", "--fps", "30"],
                "actor:movements is a session, no file: nothing can be said",
            ),
            (["none.bvh"], "none.bvh: cannot be opened (No such file or directory)"),
            (["actor:idle"], "no step and no jump was found in these clips"),
            (
                ["actor:walk", "--parameters", "jump=length"],
                "no movement of the kind 'jump' is there; there are",
            ),
            (["actor:walk", "--parameters", "left_step=mood"], "'mood'"),
            *(
                (
                    ["actor:walk", "--parameters", text],
                    "--parameters takes KIND=NAME,NAME such as jump=length",
                )
                for text in ("jump", "=length", "jump=", "jump=length,", "jump=length,length", "")
            ),
            (["actor:walk", "--most", "2"], "--most must be between 3 and 300, not 2"),
            (["actor:walk", "--most", "9" * 100], "--most must be between 3 and 300, not 9"),
            (["actor:walk", "--spacing", "nan"], "--spacing must be between 0 and 1 m, not nan"),
            (["actor:walk", "--spacing", "-1"], "--spacing must be between 0 and 1 m, not -1"),
            (
                ["actor:walk", "--pseudo-examples", "-1"],
                "--pseudo-examples must be between 0 and 200, not -1",
            ),
            (["actor:walk", "--rate", "inf"], "--rate must be between 10 and 240 Hz, not inf"),
            (["actor:walk", "-o", "a.bvh"], "a.bvh: the ending must be .ffmodel"),
            (["actor:walk", "-o", "nowhere/a.ffmodel"], "a.ffmodel: cannot be written (there is no folder "),
        ],
    )
    def test_one_sentence_and_nothing_written(
        self, words: list[str], sentence: str, said: Said, tmp_path: Path
    ) -> None:
        places = [tmp_path / w if re.search(r"\ba\.\w+$", w) else w for w in words]
        target = [] if "-o" in words else ["-o", tmp_path / "a.ffmodel"]
        status, out, err = said("build", "movements", *places, *target, "--json")
        assert (status, out) == (1, "")
        assert re.fullmatch(rf"footfall: .*{re.escape(sentence)}.*\n", err)
        assert len(err) < 400
        assert not list(tmp_path.iterdir())

    def test_a_clip_is_not_written_over(self, said: Said, tmp_path: Path) -> None:
        clip = tmp_path / "walk.ffmodel"
        clip.write_text("as it was")
        status, out, err = said("build", "movements", clip, "-o", clip)
        assert (status, out) == (1, "")
        assert err == f"footfall: {clip} is what is read: it is not written over\n"
        assert clip.read_text() == "as it was"

    def test_a_folder_in_the_way(self, said: Said, tmp_path: Path) -> None:
        (tmp_path / "a.ffmodel").mkdir()
        status, out, err = said("build", "movements", "actor:walk", "-o", tmp_path / "a.ffmodel")
        assert (status, out) == (1, "")
        assert err == f"footfall: {tmp_path / 'a.ffmodel'}: cannot be written (it is a folder)\n"

    def test_a_full_disk(
        self, walk: Path, said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def full(*_: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "replace", full)
        words = [walk, "--pseudo-examples", 0, "-o", tmp_path / "a.ffmodel"]
        status, out, err = said("build", "movements", *words)
        monkeypatch.undo()
        assert (status, out) == (1, "")
        assert err == f"footfall: {tmp_path / 'a.ffmodel'}: cannot be written (No space left on device)\n"
        assert not list(tmp_path.iterdir())

    @pytest.mark.parametrize(
        ("words", "sentence"),
        [
            ([], ""),
            (["movements"], ""),
            (["movements", "actor:walk"], ""),
            (["movements", "actor:walk", "-o", "a.ffmodel", "--most", "3.5"], "whole number"),
            (["movements", "actor:walk", "-o", "a.ffmodel", "--spacing", "far"], ""),
            (
                ["dance", "actor:walk", "-o", "a.ffmodel"],
                "dance is no system: what can be built is movements, steps, ring, reach, locomotion",
            ),
        ],
    )
    def test_usage(
        self, words: list[str], sentence: str, said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        status, out, err = said("build", *words)
        assert (status, out) == (2, "")
        assert re.fullmatch(rf"footfall: .*{re.escape(sentence)}.*\n", err)
        assert not list(tmp_path.iterdir())


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Steps in all directions, as files that know their contacts."""
    folder = tmp_path_factory.mktemp("parts")
    paths = [folder / f"part_{k}.ffm" for k in range(len(session_parts()))]
    for part, path in zip(session_parts(), paths, strict=True):
        ff.save_motion(part, path)
    return paths


class TestStepSpaces:
    def test_keys(self, parts: list[Path], said: Said, tmp_path: Path) -> None:
        """What a file says is what the clips have; the right foot's steps are the left's in a mirror."""
        out = tmp_path / "a.ffmodel"
        status, line, err = said("build", "steps", *parts, "-o", out, "--json")
        values = json.loads(line)
        assert (status, err) == (0, "")
        assert values.keys() == {"examples", "bytes", "seconds", "space", "left_out"}
        assert values["examples"] == dict.fromkeys(("left", "right"), len(small_space().left))
        assert (values["bytes"], values["left_out"]) == (out.stat().st_size, [])
        assert 0.0 < values["seconds"] < 60.0
        for side, rows in values["space"].items():
            points = small_space().space[side].points
            assert [row["name"] for row in rows] == list(HIGH_NAMES)
            assert [row["unit"] for row in rows] == ["m"] * 4 + ["rad"] * 2 + ["s"] * 4
            assert np.allclose([row["low"] for row in rows], points.min(axis=0), atol=1e-4)
            assert np.allclose([row["high"] for row in rows], points.max(axis=0), atol=1e-4)
        left, right = ({r["name"]: (r["low"], r["high"]) for r in values["space"][s]} for s in KEPT)
        assert np.allclose(left["x1"], -np.array(right["x1"])[::-1])
        assert np.allclose(left["z1"], right["z1"])
        assert isinstance(load_model(out), ff.StepSpace)
        assert list(tmp_path.iterdir()) == [out]

    def test_lines_for_people_and_twice_the_same(self, parts: list[Path], said: Said, tmp_path: Path) -> None:
        models = [tmp_path / "a.ffmodel", tmp_path / "b.ffmodel"]
        for out in models:
            status, lines, err = said("build", "steps", *parts, "-o", out)
            first, second, *rest = lines.splitlines()
            assert (status, err) == (0, "")
            assert re.fullmatch(
                rf"{re.escape(str(out))}: \d+ steps a side, \d+ kB, built in \d+\.\d s", first
            )
            assert second == "  left, and right in a mirror:"
            assert len(rest) == len(HIGH_NAMES)
            assert re.fullmatch(r"    x1 -?0\.\d\d to 0\.\d\d m", rest[0])
        assert models[0].read_bytes() == models[1].read_bytes()

    def test_a_step_with_a_fault_is_left_out_and_named(
        self, parts: list[Path], said: Said, tmp_path: Path
    ) -> None:
        """A forearm that flips for two frames: the steps around it are not in the model."""
        bad, out = tmp_path / "bad.ffm", tmp_path / "a.ffmodel"
        motion = session_parts()[0]
        rotations, frame = motion.rotations.copy(), len(motion) // 2
        forearm = motion.skeleton.joint("left_forearm")
        rotations[frame : frame + 2, forearm] = quat.multiply(
            rotations[frame : frame + 2, forearm], quat.from_axis_angle(np.array([0.0, 0.0, 1.0]), 2.0)
        )
        ff.save_motion(replace(motion, rotations=rotations), bad)
        status, line, err = said("build", "steps", bad, *parts[1:], "-o", out, "--json")
        values = json.loads(line)
        assert status == 0
        assert 1 <= len(values["left_out"]) <= 3
        for sentence in values["left_out"]:
            assert sentence.startswith(f"{bad}: a ")
            found = re.search(r"\w+ step at (\d+\.\d\d) s is left out, its (\w+) jerks$", sentence)
            assert found is not None, sentence
            assert abs(float(found[1]) - frame / motion.fps) < 2.0
            assert found[2] == "left_forearm"
        assert err.splitlines() == values["left_out"]
        assert values["examples"]["left"] == len(small_space().left) - len(values["left_out"])

    def test_several_people(self, parts: list[Path], said: Said, tmp_path: Path) -> None:
        """The first gives the figure; the steps of another are among its."""
        out = tmp_path / "a.ffmodel"
        words = [*parts, "actor:start_and_stop@2", "-o", out, "--json"]
        status, line, err = said("build", "steps", *words)
        assert (status, err) == (0, "")
        space = load_model(out)
        assert json.loads(line)["examples"]["left"] > len(small_space().left)
        assert space.skeleton.leg_length() == pytest.approx(small_space().skeleton.leg_length(), abs=1e-5)
        assert space.skeleton.leg_length() != pytest.approx(
            ff.VirtualActor(seed=2).skeleton.leg_length(), abs=1e-3
        )

    @needs_captures
    def test_a_clip_with_a_skeleton_file(self, parts: list[Path], said: Said, tmp_path: Path) -> None:
        clip = tmp_path / "walk.skm"
        clip.write_bytes(captures("locomotion-set/ChrMarine@WalkUp01.skm").read_bytes())
        words = ["build", "steps", *parts, clip, "-o", tmp_path / "a.ffmodel", "--json"]
        assert said(*words)[0] == 1
        status, line, err = said(*words, "--skeleton", captures("locomotion-set/ChrBackovic.sk"))
        assert status == 0, err
        assert json.loads(line)["examples"]["left"] > len(small_space().left)

    @pytest.mark.parametrize(
        ("words", "sentence"),
        [
            (["actor:idle"], "0 walking steps were found in 1 clips; a step space needs at least 5"),
            (["none.bvh"], "none.bvh: cannot be opened (No such file or directory)"),
            (["actor:walk", "--most", "9"], "--most is for movements: a step space takes every step"),
            (["actor:walk", "--rate", "30"], "--rate is for movements: a step space takes every step"),
            (["actor:walk", "--no-mirror"], "--mirror is for movements: a step space takes every step"),
        ],
    )
    def test_refusals(self, words: list[str], sentence: str, said: Said, tmp_path: Path) -> None:
        status, out, err = said("build", "steps", *words, "-o", tmp_path / "a.ffmodel", "--json")
        assert (status, out) == (1, "")
        assert re.fullmatch(rf"footfall: {re.escape(sentence)}.*\n", err)
        assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_a_session_of_long_clips(said: Said, tmp_path: Path) -> None:
    """15 clips of steps in all directions: the general step, mirrored."""
    values = told(said, "actor:stepping", "-o", tmp_path / "a.ffmodel")
    assert values["examples"] == {"left_step": 40, "right_step": 40}
    bounds = {
        kind: {row["name"]: (row["low"], row["high"]) for row in rows}
        for kind, rows in values["space"].items()
    }
    assert {"start_length", "end_length", "end_side", "turn"} <= bounds["left_step"].keys()
    for name, sign in (("end_length", 1.0), ("end_side", -1.0), ("turn", -1.0)):
        left, right = bounds["left_step"][name], bounds["right_step"][name]
        assert np.allclose(left, np.sort(sign * np.array(right)), atol=1e-6)
