"""The command line as scripts see it: exit status, standard output, standard error, files left behind."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import footfall as ff
from footfall.cli import run
from footfall.cli.application import build_application
from footfall.formats import save
from footfall.version import __version__

COMMANDS = ("demo", "inspect", "convert", "render")
CONTRACT = {"file", "frames", "fps", "seconds", "joints", "unit", "roles", "foot_points"}
CONTRACT |= {"plants", "steps", "warnings"}
ENDINGS = (".bvh", ".glb", ".ffm", ".amass.npz")
FPS = 10.0

Said = Callable[..., tuple[int, str, str]]


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Said:
    """Runs a command; its exit status and what it wrote to standard output and standard error."""

    def command(*words: object) -> tuple[int, str, str]:
        capsys.readouterr()
        status = run([str(word) for word in words])
        return status, *capsys.readouterr()

    return command


@pytest.fixture(scope="module")
def motion() -> ff.Motion:
    """The humanoid's range of motion, walking off slowly so that places matter as well as turns."""
    take = ff.range_of_motion(ff.humanoid(), fps=FPS)
    return replace(take, root=take.root + np.arange(len(take))[:, None] * np.array([0.01, 0.0, 0.02]))


@pytest.fixture(scope="module")
def clip(motion: ff.Motion, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("clips") / "walk.bvh"
    ff.save_motion(motion, path)
    return path


def role_positions(motion: ff.Motion) -> np.ndarray:
    """By role, for joints change their order and a format may lack some."""
    roles = ["hips", "head", "left_hand", "right_hand", "left_foot", "right_foot", "left_shank"]
    return np.stack([motion.of(role) for role in roles], axis=1)


class TestEveryCommand:
    def test_all_are_here(self) -> None:
        named = {name for command in build_application().subapps for name in command.name}
        assert {name for name in named if not name.startswith("-")} == set(COMMANDS)

    @pytest.mark.parametrize("command", COMMANDS)
    def test_help_has_an_example_that_names_the_command(self, command: str, said: Said) -> None:
        status, out, err = said(command, "--help")
        assert (status, err) == (0, "")
        assert re.search(rf"Example: footfall {command} \S", out)
        assert "--json" in out

    @pytest.mark.parametrize("words", [[], ["--help"]])
    def test_overview(self, words: list[str], said: Said) -> None:
        status, out, err = said(*words)
        assert (status, err) == (0, "")
        assert all(command in out for command in COMMANDS)

    def test_version(self, said: Said) -> None:
        assert said("--version") == (0, f"{__version__}\n", "")

    @pytest.mark.parametrize(
        "words",
        [
            ["walk"],
            ["inspect"],
            ["inspect", "--colour", "a.bvh"],
            ["convert", "a.bvh"],
            ["convert", "a.bvh", "b.bvh", "c.bvh"],
            ["convert", "a.bvh", "b.bvh", "--start", "soon"],
            ["render", "a.bvh"],
            ["demo", "--out"],
        ],
    )
    def test_usage_errors(self, words: list[str], said: Said) -> None:
        status, out, err = said(*words)
        assert (status, out) == (2, "")
        assert re.fullmatch(r"footfall: .+\n", err)

    @pytest.mark.parametrize("command", [["inspect"], ["convert", "out.bvh"], ["render", "-o", "out.png"]])
    @pytest.mark.parametrize("json_too", [[], ["--json"]])
    def test_a_file_that_cannot_be_read(
        self, command: list[str], json_too: list[str], said: Said, tmp_path: Path
    ) -> None:
        bad = tmp_path / "bad.bvh"
        bad.write_text("HIERARCHY\nROOT a\n{\n  OFFSET 0 zero 0\n}\nMOTION\nFrames: 0\nFrame Time: 1\n")
        name, *rest = command
        status, out, err = said(name, bad, *(tmp_path / w if "." in w else w for w in rest), *json_too)
        assert status == 1
        assert err == f"footfall: {bad}, line 4: expected a number for OFFSET, found 'zero'\n"
        assert out in ("", '{"clips":[]}\n')
        assert list(tmp_path.iterdir()) == [bad]

    def test_a_file_that_is_not_there(self, said: Said, tmp_path: Path) -> None:
        status, out, err = said("inspect", tmp_path / "none.bvh")
        assert (status, out) == (1, "")
        assert err == f"footfall: {tmp_path / 'none.bvh'}: cannot be opened (No such file or directory)\n"


class TestInspect:
    def test_json_keeps_the_contract(self, clip: Path, motion: ff.Motion, said: Said) -> None:
        status, out, _ = said("inspect", clip, "--json")
        assert status == 0
        assert out.endswith("}\n")
        assert out.count("\n") == 1
        (found,) = json.loads(out)["clips"]
        assert found.keys() >= CONTRACT
        assert found["file"] == str(clip)
        assert (found["frames"], found["fps"], found["joints"]) == (len(motion), FPS, 54)
        assert found["seconds"] == pytest.approx(12.0)
        assert found["unit"] == "m"
        assert found["roles"] == {role: role for role in motion.skeleton.roles}
        assert isinstance(found["warnings"], list)

    def test_foot_points_are_those_of_the_skeleton(self, clip: Path, said: Said) -> None:
        (found,) = json.loads(said("inspect", clip, "--json")[1])["clips"]
        skeleton = ff.load_skeleton(clip)
        assert found["foot_points"].keys() == {"left", "right"}
        for side, points in found["foot_points"].items():
            assert points.keys() >= {"heel", "subtalar", "toe"}
            for name, place in points.items():
                assert_allclose(place, getattr(skeleton.foot_points(side), name), rtol=0, atol=1e-12)

    def test_several_clips_one_of_them_bad(self, clip: Path, said: Said, tmp_path: Path) -> None:
        (tmp_path / "bad.bvh").write_bytes(b"HIERARCHY")
        status, out, err = said("inspect", clip, tmp_path / "bad.bvh", clip, "--json")
        assert status == 1
        assert [found["file"] for found in json.loads(out)["clips"]] == [str(clip)] * 2
        assert err.count("\n") == 1
        assert str(tmp_path / "bad.bvh") in err

    def test_for_people(self, clip: Path, said: Said) -> None:
        status, out, err = said("inspect", clip)
        assert (status, err) == (0, "")
        assert "121 frames at 10 Hz, 12.00 s" in out
        assert "54 joints" in out
        assert "left_foot left_foot" in out

    def test_roles_can_be_given(self, clip: Path, said: Said) -> None:
        status, out, _ = said("inspect", clip, "--role", "chest=spine_2", "--json")
        assert status == 0
        assert json.loads(out)["clips"][0]["roles"]["chest"] == "spine_2"

    @pytest.mark.parametrize("role", ["chest", "paw=spine", "chest=nowhere"])
    def test_roles_that_are_refused(self, role: str, clip: Path, said: Said) -> None:
        status, out, err = said("inspect", clip, "--role", role)
        assert (status, out) == (1, "")
        assert re.fullmatch(r"footfall: .+\n", err)


class TestConvert:
    @pytest.mark.parametrize("second", ENDINGS)
    @pytest.mark.parametrize("first", ENDINGS)
    def test_there_and_on(
        self, first: str, second: str, clip: Path, motion: ff.Motion, said: Said, tmp_path: Path
    ) -> None:
        """BVH to one format and from there to another: the same figure goes the same way."""
        between, end = tmp_path / f"between{first}", tmp_path / f"end{second}"
        assert said("convert", clip, between)[0] == 0
        status, out, _ = said("convert", between, end, "--json")
        assert status == 0
        values = json.loads(out)
        loaded = ff.load_motion(end)
        assert values["frames"] == len(loaded) == len(motion)
        assert values["fps"] == pytest.approx(FPS)
        assert values["joints"] == len(loaded.skeleton)
        assert values["file"] == str(end)
        assert_allclose(role_positions(loaded), role_positions(motion), rtol=0, atol=1e-5)
        assert sorted(tmp_path.iterdir()) == sorted([between, end])

    def test_part_of_a_clip(self, clip: Path, motion: ff.Motion, said: Said, tmp_path: Path) -> None:
        status, out, _ = said("convert", clip, tmp_path / "a.ffm", "--start", 2, "--end", 3.5, "--json")
        assert status == 0
        assert json.loads(out)["frames"] == 16
        loaded = ff.load_motion(tmp_path / "a.ffm")
        assert_allclose(loaded.positions, ff.load_motion(clip).positions[20:36], rtol=0, atol=1e-12)

    @pytest.mark.parametrize("words", [["--start", "99"], ["--start", "3", "--end", "2"], ["--start", "nan"]])
    def test_parts_that_are_not_there(self, words: list[str], clip: Path, said: Said, tmp_path: Path) -> None:
        status, out, err = said("convert", clip, tmp_path / "a.bvh", *words)
        assert (status, out) == (1, "")
        assert re.fullmatch(r"footfall: no frame lies between .+\n", err)
        assert not list(tmp_path.iterdir())

    def test_another_rate(self, clip: Path, motion: ff.Motion, said: Said, tmp_path: Path) -> None:
        assert said("convert", clip, tmp_path / "a.bvh", "--resample", 30)[0] == 0
        loaded = ff.load_motion(tmp_path / "a.bvh")
        assert loaded.fps == pytest.approx(30.0)
        assert loaded.seconds == pytest.approx(motion.seconds)
        assert_allclose(role_positions(loaded)[::3], role_positions(motion), rtol=0, atol=1e-7)

    def test_the_true_rate(self, clip: Path, motion: ff.Motion, said: Said, tmp_path: Path) -> None:
        """--fps corrects the header: frames stay, time passes otherwise."""
        status, out, _ = said("convert", clip, tmp_path / "a.bvh", "--fps", 40, "--json")
        assert status == 0
        assert json.loads(out)["fps"] == 40.0
        loaded = ff.load_motion(tmp_path / "a.bvh")
        assert (len(loaded), loaded.fps) == (len(motion), 40.0)
        assert_allclose(role_positions(loaded), role_positions(motion), rtol=0, atol=1e-7)

    @pytest.mark.parametrize(("unit", "metres"), [("cm", 0.01), ("in", 0.0254), ("m", 1.0), ("0.5", 0.5)])
    def test_unit(
        self, unit: str, metres: float, clip: Path, motion: ff.Motion, said: Said, tmp_path: Path
    ) -> None:
        target = tmp_path / "a.bvh"
        assert said("convert", clip, target, "--unit", unit)[0] == 0
        offset = re.search(r"JOINT left_shank\s*{\s*OFFSET (\S+) (\S+) (\S+)", target.read_text())
        assert offset is not None
        shank = motion.skeleton.offsets[motion.skeleton.joint("left_shank")]
        assert_allclose([float(x) * metres for x in offset.groups()], shank, rtol=0, atol=1e-9)
        again = ff.load_motion(target, unit=metres)
        assert_allclose(role_positions(again), role_positions(motion), rtol=0, atol=1e-6)
        if unit != "0.5":  # a unit that has a name is found from the length of the legs
            assert ff.load_capture(target).unit == pytest.approx(metres)

    def test_up_axis(self, clip: Path, motion: ff.Motion, said: Said, tmp_path: Path) -> None:
        assert said("convert", clip, tmp_path / "a.bvh", "--up", "z")[0] == 0
        capture = ff.load_capture(tmp_path / "a.bvh")
        assert capture.up == "z"
        assert_allclose(role_positions(capture.motion), role_positions(motion), rtol=0, atol=1e-6)
        last = [float(x) for x in (tmp_path / "a.bvh").read_text().splitlines()[-1].split()[:3]]
        x, y, z = motion.root[-1]
        assert_allclose(last, [x, -z, y], rtol=0, atol=1e-8)

    @pytest.mark.parametrize(
        ("target", "words"),
        [
            ("a.glb", ["--unit", "cm"]),
            ("a.ffm", ["--up", "z"]),
            ("a.bvh", ["--up", "x"]),
            ("a.bvh", ["--unit", "furlong"]),
            ("a.bvh", ["--resample", "0"]),
            ("a.bvh", ["--fps", "-3"]),
            ("a.fbx", []),
            ("bvh", []),
            ("none/a.bvh", []),
        ],
    )
    def test_refusals_leave_nothing_behind(
        self, target: str, words: list[str], clip: Path, said: Said, tmp_path: Path
    ) -> None:
        status, out, err = said("convert", clip, tmp_path / target, *words)
        assert (status, out) == (1, "")
        assert re.fullmatch(r"footfall: .+\n", err)
        assert not list(tmp_path.iterdir())


class TestFailingWrites:
    """A file that is there stays as it was; one that is not does not appear, nor does a part of it."""

    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        (tmp_path / "old.bvh").write_text("as it was")
        return tmp_path

    def _check(self, folder: Path, said: tuple[int, str, str], reason: str) -> None:
        status, out, err = said
        assert (status, out) == (1, "")
        assert re.fullmatch(rf"footfall: .*{reason}.*\n", err)
        assert {path.name: path.read_text() for path in folder.iterdir()} == {"old.bvh": "as it was"}

    @pytest.mark.parametrize("name", ["old.bvh", "new.bvh"])
    def test_the_encoder_fails(
        self, name: str, clip: Path, folder: Path, said: Said, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(*_: object) -> bytes:
            raise ff.SaveError("this figure cannot be told")

        monkeypatch.setattr(save, "_encode", refuse)
        self._check(folder, said("convert", clip, folder / name), "this figure cannot be told")

    @pytest.mark.parametrize("name", ["old.bvh", "new.bvh"])
    @pytest.mark.parametrize("step", ["chmod", "replace"])
    def test_the_disk_fails(
        self, step: str, name: str, clip: Path, folder: Path, said: Said, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def full(*_: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, step, full)
        outcome = said("convert", clip, folder / name)
        monkeypatch.undo()
        self._check(folder, outcome, re.escape(f"{name}: cannot be written (No space left on device)"))

    def test_a_bug_in_the_middle(self, folder: Path) -> None:
        """Even what nobody foresaw leaves no part of a file."""
        with pytest.raises(ZeroDivisionError), save.written_whole(folder / "old.bvh") as file:
            file.write(b"half of")
            1 / 0  # noqa: B018
        assert {path.name: path.read_text() for path in folder.iterdir()} == {"old.bvh": "as it was"}

    def test_a_folder_that_is_a_file(self, clip: Path, folder: Path, said: Said) -> None:
        self._check(folder, said("convert", clip, folder / "old.bvh" / "new.bvh"), "cannot be written")

    @pytest.mark.skipif(os.geteuid() == 0, reason="to the superuser no folder is closed")
    def test_a_closed_folder(self, clip: Path, folder: Path, said: Said) -> None:
        folder.chmod(0o500)
        try:
            self._check(folder, said("convert", clip, folder / "new.bvh"), "Permission denied")
        finally:
            folder.chmod(0o700)

    def test_the_picture_fails(
        self, clip: Path, folder: Path, said: Said, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        figure = pytest.importorskip(
            "matplotlib.figure", reason="matplotlib draws the strips; it is not here"
        )

        def half(_: object, file: Any, **__: object) -> None:
            file.write(b"half of")
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(figure.Figure, "savefig", half)
        self._check(folder, said("render", clip, "-o", folder / "a.png", "--figures", 2), "No space left")

    def test_a_file_is_readable_by_others_as_usual(self, clip: Path, said: Said, tmp_path: Path) -> None:
        mask = os.umask(0o022)
        try:
            assert said("convert", clip, tmp_path / "a.bvh")[0] == 0
        finally:
            os.umask(mask)
        assert (tmp_path / "a.bvh").stat().st_mode & 0o777 == 0o644


class TestRender:
    @pytest.fixture(autouse=True)
    def _pictures(self) -> None:
        pytest.importorskip("matplotlib", reason="pictures need the extra 'plot'")

    @pytest.mark.parametrize("ending", [".png", ".svg", ".pdf", ".jpg"])
    def test_strip(self, ending: str, clip: Path, said: Said, tmp_path: Path) -> None:
        target = tmp_path / f"walk{ending}"
        words = ["--view", "side", "--figures", "3", "--end", "2"]
        status, out, _ = said("render", clip, "-o", target, *words, "--json")
        assert status == 0
        assert json.loads(out) == {"file": str(target)}
        opening = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF", ".jpg": b"\xff\xd8\xff"}
        assert target.read_bytes().startswith(opening[ending])
        assert list(tmp_path.iterdir()) == [target]

    def test_clip(self, clip: Path, said: Said, tmp_path: Path) -> None:
        from PIL import Image

        status, out, _ = said("render", clip, "-o", tmp_path / "walk.gif", "--start", 1, "--end", 2)
        assert (status, out) == (0, f"{tmp_path / 'walk.gif'}\n")
        with Image.open(tmp_path / "walk.gif") as image:
            assert image.n_frames == 11

    @pytest.mark.parametrize(
        "words",
        [["-o", "a.bmp"], ["-o", "a.png", "--view", "below"], ["-o", "a.png", "--figures", "0"]],
    )
    def test_refusals(self, words: list[str], clip: Path, said: Said, tmp_path: Path) -> None:
        status, out, err = said("render", clip, *(tmp_path / w if w.startswith("a.") else w for w in words))
        assert (status, out) == (1, "")
        assert re.fullmatch(r"footfall: .+\n", err)
        assert not list(tmp_path.iterdir())

    def test_a_skeleton_without_frames(self, said: Said, tmp_path: Path) -> None:
        ff.save_motion(ff.range_of_motion(ff.humanoid(), fps=1.0)[:0], tmp_path / "bones.bvh")
        status, out, err = said("render", tmp_path / "bones.bvh", "-o", tmp_path / "a.png")
        assert (status, out) == (1, "")
        assert "without frames" in err


class TestAsAProgram:
    def test_demo(self, tmp_path: Path) -> None:
        """The whole of it, as `make demo` runs it; pictures only where matplotlib is."""
        words = ["demo", "--out", str(tmp_path / "new" / "demo"), "--json"]
        done = subprocess.run([sys.executable, "-m", "footfall", *words], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        values = json.loads(done.stdout)
        assert values["motions"]
        folder = tmp_path / "new" / "demo"
        for entry in values["motions"]:
            assert entry.keys() == {"name", "file", "certificate"}
            assert (folder / entry["file"]).is_file()
            loaded = [ff.load_motion(folder / f"{entry['name']}{ending}") for ending in (".glb", ".bvh")]
            assert_allclose(role_positions(loaded[0]), role_positions(loaded[1]), rtol=0, atol=1e-5)
        page = (folder / "index.html").read_text()
        links = re.findall(r"(?:href|src)='([^']+)'", page)
        assert {entry["file"] for entry in values["motions"]} <= set(links)
        assert all((folder / link).is_file() for link in links)
        assert "<script" not in page

    def test_a_refused_request(self, tmp_path: Path) -> None:
        words = ["inspect", str(tmp_path / "none.bvh"), "--json"]
        done = subprocess.run([sys.executable, "-m", "footfall", *words], capture_output=True, text=True)
        assert done.returncode == 1
        assert json.loads(done.stdout) == {"clips": []}
        assert (
            done.stderr
            == f"footfall: {tmp_path / 'none.bvh'}: cannot be opened (No such file or directory)\n"
        )

    def test_a_usage_error(self) -> None:
        done = subprocess.run([sys.executable, "-m", "footfall", "inspect"], capture_output=True, text=True)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.count("\n") == 1
