"""It runs where people run it: without a home or a name, read-only, in other languages, in odd folders."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import footfall

PACKAGE = Path(footfall.__file__).parent
EDIT = ("edit", "actor:walk", "--stairs", "0.17x0.29", "--steps", "4")
COMPILES = ("convert", "actor:idle")  # a few small kernels
NOBODY = 54321  # a user that no password database knows


def ran(*words: object, user: int | None = None, cwd: Path, **variables: str) -> str:
    """Run a command in a process with these variables alone; return what it said."""
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(PACKAGE.parent), **variables}
    done = subprocess.run(
        [sys.executable, "-m", "footfall", *map(str, words)],
        env=environment,
        cwd=cwd,
        capture_output=True,
        user=user,
        group=user,
        extra_groups=None if user is None else [],
    )
    said = (done.stdout + done.stderr).decode("utf-8", "replace")
    assert done.returncode == 0, said
    assert "Traceback" not in said
    return said


def test_no_home_and_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    """Nothing can be kept: kernels are compiled for this process alone."""
    (tmp_path / "taken").write_text("")
    missing = str(tmp_path / "taken" / "home")  # cannot be made: a file is no folder
    ran(*EDIT, "-o", tmp_path / "stairs.glb", cwd=tmp_path, HOME=missing)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["stairs.glb", "taken"]


def readable_by_anyone() -> bool:
    """Whether another user can start this interpreter and read this package."""
    command = [sys.executable, "-c", "import footfall, numpy"]
    environment = {"PYTHONPATH": str(PACKAGE.parent)}
    try:
        done = subprocess.run(
            command, user=NOBODY, group=NOBODY, extra_groups=[], env=environment, capture_output=True, cwd="/"
        )
    except OSError:
        return False
    return done.returncode == 0


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0,
    reason="only a superuser can start another user's process",
)
def test_a_user_without_a_name_on_an_installation_of_others(tmp_path: Path) -> None:
    if not readable_by_anyone():
        pytest.skip("other users cannot read this interpreter")
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        out.mkdir()
        Path(folder).chmod(0o755)
        os.chown(out, NOBODY, NOBODY)
        ran(*COMPILES, out / "idle.glb", user=NOBODY, cwd=out)
        assert (out / "idle.glb").stat().st_uid == NOBODY


@pytest.mark.skipif(shutil.which("setpriv") is None, reason="no setpriv: rights cannot be given up")
def test_a_home_that_may_not_be_looked_into(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    home.chmod(0)
    rights = "-dac_override,-dac_read_search" if os.geteuid() == 0 else "-all"
    without = ["setpriv", f"--bounding-set={rights}", f"--inh-caps={rights}"] if os.geteuid() == 0 else []
    command = [*without, sys.executable, "-m", "footfall", *COMPILES, tmp_path / "idle.glb"]
    environment = {name: value for name, value in os.environ.items() if name != "FOOTFALL_CACHE"}
    done = subprocess.run(
        list(map(str, command)), env=environment | {"HOME": str(home)}, capture_output=True, text=True
    )
    home.chmod(0o700)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    assert "no folder keeps them" in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
@pytest.mark.parametrize("words", [["--json"], []])
def test_standard_output_that_is_full(tmp_path: Path, words: list[str]) -> None:
    command = [sys.executable, "-m", "footfall", "terrain", "flat", "-o", tmp_path / "flat.obj", *words]
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(list(map(str, command)), stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith("footfall: standard output cannot be written")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("encoding", ["", "iso-8859-9"])
def test_other_languages_and_encodings(tmp_path: Path, encoding: str) -> None:
    """Files are UTF-8 whatever the locale; names that it cannot print are printed all the same."""
    clip = tmp_path / "yürüyüş 歩く.bvh"
    cache = os.environ["FOOTFALL_CACHE"]
    variables = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "FOOTFALL_CACHE": cache}
    variables |= {"PYTHONIOENCODING": encoding} if encoding else {}
    ran(*EDIT, "-o", clip, cwd=tmp_path, **variables)
    said = json.loads(ran("inspect", clip, "--json", cwd=tmp_path, **variables))
    assert said["clips"][0]["file"] == str(clip)
    assert "frames" in ran("inspect", clip, cwd=tmp_path, **variables)


def test_folders_with_spaces_and_one_core(tmp_path: Path) -> None:
    """The package itself lies in such a folder, too."""
    folder = tmp_path / "my projects & more"
    shutil.copytree(PACKAGE, folder / "footfall", ignore=shutil.ignore_patterns("__pycache__"))
    variables = {
        "PYTHONPATH": str(folder),
        "FOOTFALL_CACHE": str(folder / "a cache"),
        "NUMBA_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }
    ran(*COMPILES, folder / "idle 7.glb", cwd=folder, **variables)
    assert any((folder / "a cache" / "kernels").iterdir())


def test_no_module_of_one_system_alone_is_imported_unguarded() -> None:
    """Modules that are not everywhere stand in a function, where their absence is met."""
    alone = ("fcntl", "resource", "pwd", "grp", "termios", "msvcrt", "winreg")
    lines = [
        f"{path.name}: {line}"
        for folder in (PACKAGE, Path(__file__).parent)
        for path in folder.rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.startswith(tuple(f"import {name}" for name in alone))
    ]
    assert lines == []


def test_tests_are_collected_where_no_user_is_a_superuser() -> None:
    """As on Windows: there `os` has no `geteuid`."""
    tests = Path(__file__).parent
    names = [
        ".".join(path.relative_to(tests.parent).with_suffix("").parts)
        for path in sorted(tests.rglob("test_*.py"))
        if "geteuid" in path.read_text()
    ]
    code = f"import os; del os.geteuid; import {', '.join(names)}"
    done = subprocess.run([sys.executable, "-c", code], cwd=tests.parent, capture_output=True, text=True)
    assert (len(names) > 1, done.returncode) == (True, 0), done.stderr
