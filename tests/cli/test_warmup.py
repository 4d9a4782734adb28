"""`footfall warmup` compiles everything once, and other commands say it once where they have to compile."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from footfall.cache import FOLDER
from footfall.cli import warmup
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


@pytest.mark.parametrize("jobs", [1, 2])
def test_kernels_are_compiled_once(
    said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int
) -> None:
    """On the kernels of two small modules, in this process and in others."""
    monkeypatch.setenv(FOLDER, str(tmp_path))
    modules = ("footfall.world.triangle_kernel", "footfall.models.stepspace.times_kernel")
    monkeypatch.setattr(kernel_cache, "kernel_modules", lambda: modules)
    for name in modules:
        for one in kernel_cache.kernels_of(name):  # as in a process that has compiled nothing
            monkeypatch.setattr(one, "ready", one.fresh().ready)
    found = [json.loads(said("warmup", "--jobs", jobs, "--json")[1]) for _ in range(2)]
    files = sorted(path.name for path in (tmp_path / "kernels").iterdir())
    assert found[0]["kernels"] == len(files) > 0
    assert [path for path in files if not path.endswith(".kernel")] == []
    if jobs > 1:  # other processes find the files
        assert found[1]["kernels"] == 0
        cleared = json.loads(said("warmup", "--jobs", jobs, "--clear", "--json")[1])
        assert cleared["removed"] == cleared["kernels"] == len(files)


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


def test_what_stopped_processes_leave_behind_is_cleared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path))
    left = tmp_path / "kernels" / ".abc.part"
    left.parent.mkdir()
    left.write_bytes(b"half of a kernel")
    assert kernel_cache.clear_kernels() == 0
    assert not left.exists()


def test_half_a_job_is_refused(said: Said) -> None:
    status, _, err = said("warmup", "--jobs", "1.5")
    assert status == 2
    assert "--jobs" in err
