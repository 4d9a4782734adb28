"""What all commands have in common, and footfall as a program of its own."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from numpy.testing import assert_allclose

import footfall as ff
from footfall.cli import ONE_THREAD
from footfall.cli.application import build_application
from footfall.version import __version__
from tests.cli.conftest import Said, role_positions
from tests.khronos import NODE, PACKAGE, faults

COMMANDS = [name for name in build_application() if not name.startswith("-")]


class TestEveryCommand:
    def test_all_are_here(self) -> None:
        assert {"demo", "inspect", "convert", "render", "build", "play", "step"} <= set(COMMANDS)

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


class TestAsAProgram:
    @pytest.mark.slow
    @pytest.mark.ci
    def test_demo(self, tmp_path: Path) -> None:
        """All motions of it, as `make demo` makes them; pictures of a few are drawn in other tests."""
        words = ["demo", "--out", str(tmp_path / "new" / "demo"), "--no-pictures", "--json"]
        done = subprocess.run([sys.executable, "-m", "footfall", *words], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        values = json.loads(done.stdout)
        names = {entry["name"] for entry in values["motions"]}
        assert {"walking", "stairs", "jumping", "reaching", "movement_library", "movement_jumps"} <= names
        assert {"step_space_plan", "planned_steps", "ring_walk", "path_walk", "fetching"} <= names
        folder = tmp_path / "new" / "demo"
        for entry in values["motions"]:
            assert entry.keys() == {"name", "file", "certificate"}
            # the actor's feet are exact to a nanometre, as are a library's; an edited walk's and a locked
            # ring's nearly so
            made = entry["name"].startswith(("walk_edit", "ring", "path", "fetching"))
            assert entry["certificate"]["slide_max_m"] < (1e-3 if made else 5e-9)
            # a foot that turns as it comes down may touch the floor with its rim a little early
            turns = made or entry["name"] == "planned_steps"
            assert entry["certificate"]["penetration_max_m"] < (2e-3 if turns else 5e-9)
            # a flat sole on curved hills floats by what the ground bends under it
            curved = 5e-3 if entry["name"].startswith(("ring", "path")) else 2e-3
            assert entry["certificate"]["float_max_m"] < (curved if made else 5e-9)
            assert (folder / entry["file"]).is_file()
            loaded = [ff.load_motion(folder / f"{entry['name']}{ending}") for ending in (".glb", ".bvh")]
            assert_allclose(role_positions(loaded[0]), role_positions(loaded[1]), rtol=0, atol=1e-5)
        page = (folder / "index.html").read_text()
        links = re.findall(r"(?:href|src)='([^']+)'", page)
        assert {entry["file"] for entry in values["motions"]} <= set(links)
        assert all((folder / link).is_file() for link in links)
        assert "<script" not in page
        if NODE is not None and PACKAGE.is_dir():
            assert faults(folder.glob("*.glb")) == []

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

    @pytest.mark.parametrize("told", [None, "3"])
    def test_linear_algebra_runs_in_one_thread_unless_told_otherwise(self, told: str | None) -> None:
        program = (
            "import os, sys; from footfall import cli; early = 'numpy' not in sys.modules; "
            "cli.run = lambda arguments: 0\n"
            "try: cli.main([])\n"
            "except SystemExit: print(early, os.environ['OPENBLAS_NUM_THREADS'])"
        )
        environment = {k: v for k, v in os.environ.items() if k not in ONE_THREAD}
        if told is not None:
            environment["OPENBLAS_NUM_THREADS"] = told
        done = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, env=environment
        )
        assert done.stdout.split() == ["True", told or "1"], done.stderr
