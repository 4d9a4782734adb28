"""`footfall warmup` compiles everything once, and other commands say it once where they have to compile."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from footfall.cache import FOLDER
from footfall.cli import warmup
from footfall.cli.progress import progress_told
from footfall.geometry import kernel_cache, kernel_watch
from tests.cli.conftest import Said


def test_a_line_and_a_count_where_it_takes_long(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warmup, "MOMENT", 0.1)
    with warmup.announcing():
        for name in ("a", "b", "c"):
            kernel_watch.tell(name, None)
            time.sleep(0.15)
            kernel_watch.tell(name, 2.0)
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == [
        "compiling kernels, once after installation",
        "3 kernels took 6 s; from now on they are loaded",
    ]


def test_silence_where_it_is_quick(capsys: pytest.CaptureFixture[str]) -> None:
    with warmup.announcing():
        kernel_watch.tell("a", None)
        kernel_watch.tell("a", 0.01)
    time.sleep(0.05)
    assert capsys.readouterr() == ("", "")


def test_all_kernels_are_known() -> None:
    modules = kernel_cache.kernel_modules()
    assert {"footfall.models.ring.walk_kernel", "footfall.world.tree_walk"} <= set(modules)
    assert "footfall.geometry.kernel_cache" not in modules
    assert len(modules) == len(set(modules))


@pytest.fixture
def two_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The package has two small modules with kernels, none of them compiled."""
    monkeypatch.setenv(FOLDER, str(tmp_path))
    modules = ("footfall.world.triangle_kernel", "footfall.models.stepspace.times_kernel")
    monkeypatch.setattr(kernel_cache, "kernel_modules", lambda: modules)
    for name in modules:
        for one in kernel_cache.kernels_of(name):  # as in a process that has compiled nothing
            monkeypatch.setattr(one, "ready", one.fresh().ready)


@pytest.mark.usefixtures("two_modules")
@pytest.mark.parametrize("jobs", [1, 2])
def test_kernels_are_compiled_once(said: Said, tmp_path: Path, jobs: int) -> None:
    """In this process and in others."""
    found = [json.loads(said("warmup", "--jobs", jobs, "--json")[1]) for _ in range(2)]
    files = sorted(path.name for path in (tmp_path / "kernels").iterdir())
    assert found[0]["kernels"] == len(files) > 0
    assert [path for path in files if not path.endswith(".kernel")] == []
    if jobs > 1:  # other processes find the files
        assert found[1]["kernels"] == 0


@pytest.mark.usefixtures("two_modules")
@pytest.mark.parametrize("jobs", [1, 2])
def test_there_is_one_progress_line(said: Said, monkeypatch: pytest.MonkeyPatch, jobs: int) -> None:
    """What other commands say of compiling is not said besides; off a terminal it is a line now and then."""
    monkeypatch.setattr(warmup, "MOMENT", 0.0)
    err = said("warmup", "--jobs", jobs)[2]
    assert err.splitlines() == ["compiling kernels: 50 %", "compiling kernels: 100 %"]


def test_a_line_for_each_tenth(capsys: pytest.CaptureFixture[str]) -> None:
    with warmup._shown() as progress:
        for k in range(1, 131):
            progress("compiling kernels: a", k / 130)
    lines = [f"compiling kernels: {10 * k} %" for k in range(1, 11)]
    assert capsys.readouterr().err.splitlines() == lines


def test_a_bar_on_a_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    with progress_told(lambda what, share: print(what, share)), warmup._shown() as progress:
        progress("compiling kernels: a", 0.5)
    assert capsys.readouterr() == ("compiling kernels: a 0.5\n", "")


@pytest.mark.usefixtures("two_modules")
@pytest.mark.parametrize("jobs", [1, 2])
def test_what_is_outdated_goes(said: Said, tmp_path: Path, jobs: int) -> None:
    """Kernels that the package has no longer, and what nothing has used for long; other versions stay."""
    said("warmup", "--jobs", jobs)
    one = next((tmp_path / "kernels").glob("world.triangle_kernel.*"))
    start = one.name.rpartition("-")[0]
    files = {
        tmp_path
        / "kernels"
        / f"{start}-{'0' * 32}.kernel": 29,  # days since its last use: of another checkout
        tmp_path / "kernels" / f"{start}-{'1' * 32}.kernel": 31,
        tmp_path / "kernels" / f"world.triangle_kernel.renamed-{'0' * 8}-{'0' * 32}.kernel": 0,
        tmp_path / "kernels" / f"world.removed_kernel.apart-{'0' * 8}-{'0' * 32}.kernel": 0,
        tmp_path / "kernels" / "notes.txt": 31,
        tmp_path / "0.0.1" / f"default_gaits-{'0' * 20}.ffmodel": 31,
        tmp_path / "0.0.1" / f"default_reach-{'0' * 20}.ffmodel.lock": 0,
        tmp_path / "0.0.1" / f"default_reach-{'0' * 20}.ffmodel": 1,
    }
    (tmp_path / "0.0.1").mkdir()
    for path, days in files.items():
        path.write_bytes(b"")
        os.utime(path, (time.time() - days * 86400.0,) * 2)
    assert json.loads(said("warmup", "--jobs", jobs, "--json")[1])["outdated"] == 5
    assert [path.exists() for path in files] == [True, False, False, False, True, False, False, True]
    assert one.exists()


def test_refused_jobs(said: Said) -> None:
    status, out, err = said("warmup", "--jobs", 0)
    assert (status, out) == (1, "")
    assert "--jobs must be between 1 and 64" in err


def test_a_folder_that_cannot_be_written_is_said(
    said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing claims that kernels are kept where they are not."""
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv(FOLDER, str(tmp_path / "file" / "cache"))
    modules = ("footfall.world.triangle_kernel",)
    monkeypatch.setattr(kernel_cache, "kernel_modules", lambda: modules)
    monkeypatch.setattr(kernel_cache, "_WRITTEN", [])
    for one in kernel_cache.kernels_of(modules[0]):
        monkeypatch.setattr(one, "ready", one.fresh().ready)
    status, out, err = said("warmup", "--jobs", 1)
    assert status == 0
    assert "kept in" not in out
    assert "no cache folder can be written" in err


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder as it is after some work, and files in it that are not footfall's."""
    folder = tmp_path / "cache"
    folder.mkdir()
    monkeypatch.setenv(FOLDER, str(folder))
    for name in (*KEPT, *FOREIGN):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(bytes(1000))
    (folder / "kernels" / f"folder-{'0' * 8}-{'1' * 32}.kernel").mkdir()
    return folder


KEPT = (
    *(f"kernels/ik.hand.{name}-{'0' * 8}-{'a1' * 16}.kernel" for name in ("bend", "reach")),
    "kernels/.abc_1234.part",
    f"0.1.0/default_reach-{'a' * 20}.ffmodel",
    f"0.1.0/walk-{'b' * 20}.safetensors",
    f"0.1.0/walk-{'b' * 20}.safetensors.lock",
    "0.1.0/sources.json",
    f"0.0.9.dev1/default_reach-{'c' * 20}.ffmodel",
)
FOREIGN = ("walk.ffmodel", "0.1.0/mine.ffmodel", "kernels/notes.txt", f"mine/walk-{'b' * 20}.safetensors")


def test_clear_empties_the_cache_and_compiles_nothing(
    said: Said, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warmup, "compile_module", lambda _: pytest.fail("nothing is to be compiled"))
    status, out, _ = said("warmup", "--clear", "--json")
    found = json.loads(out)
    assert status == 0
    assert found["removed"] == {"kernels": 2, "models": 2, "sessions": 1, "others": 3}
    assert (found["bytes"], found["folder"]) == (8000, str(cache))
    left = {str(path.relative_to(cache)) for path in cache.rglob("*") if path.is_file()}
    assert left == set(FOREIGN)
    assert sorted(path.name for path in cache.iterdir()) == ["0.1.0", "kernels", "mine", "walk.ffmodel"]
    assert said("warmup", "--clear")[:2] == (0, f"removed nothing (0.0 MB) from {cache}\n")


def test_what_was_removed_is_said(said: Said, cache: Path) -> None:
    removed = "removed 2 kernels, 2 models, 1 session, 3 others (0.0 MB)"
    assert said("warmup", "--clear")[:2] == (0, f"{removed} from {cache}\n")


def test_what_cannot_be_removed_is_said(said: Said, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = Path.unlink

    def closed(path: Path, missing_ok: bool = False) -> None:
        if path.suffix == ".ffmodel":
            raise PermissionError
        usual(path, missing_ok)

    monkeypatch.setattr(Path, "unlink", closed)
    status, out, err = said("warmup", "--clear")
    assert (status, out) == (1, "")
    assert "2 files cannot be removed; removed 2 kernels, 1 session, 3 others" in err


def test_clear_without_a_folder(said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path / "none"))
    assert said("warmup", "--clear")[0] == 0
    monkeypatch.setattr(warmup, "cache_folder", lambda: None)
    monkeypatch.setattr("footfall.cache.cache_folder", lambda: None)
    status, out, _ = said("warmup", "--clear", "--json")
    assert (status, json.loads(out)["bytes"]) == (0, 0)


def test_clear_takes_no_jobs(said: Said) -> None:
    status, _, err = said("warmup", "--clear", "--jobs", 2)
    assert (status, "--clear compiles nothing" in err) == (1, True)


def test_half_a_job_is_refused(said: Said) -> None:
    status, _, err = said("warmup", "--jobs", "1.5")
    assert status == 2
    assert "--jobs" in err


def test_a_package_is_kept_to_one_process() -> None:
    """Modules next to each other in the list are taken at one time: they are far apart in the packages."""
    names = [f"m{i:02d}" for i in range(11)]
    assert warmup._packages_apart(names, 1) == names
    order = warmup._packages_apart(names, 3)
    assert sorted(order) == names
    assert order[:6] == ["m00", "m04", "m08", "m01", "m05", "m09"]
