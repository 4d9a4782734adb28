"""The cache folder is where caches belong, and nothing in it is needed."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from footfall.cache import (
    FILES,
    FOLDER,
    cache_folder,
    locked,
    remove_least_recent,
    remove_unused,
    write_cached,
)
from footfall.version import __version__


def test_the_folder_is_where_caches_belong(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path / "own"))
    assert cache_folder() == tmp_path / "own"
    monkeypatch.delenv(FOLDER)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "footfall"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder() == tmp_path / ".cache" / "footfall"
    monkeypatch.setattr("sys.platform", "darwin")
    assert cache_folder() == tmp_path / "Library" / "Caches" / "footfall"
    monkeypatch.setattr("sys.platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    assert cache_folder() == tmp_path / "local" / "footfall"


def test_without_a_home_there_is_no_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", homeless)
    for variable in (FOLDER, "XDG_CACHE_HOME"):
        monkeypatch.delenv(variable, raising=False)
    assert cache_folder() is None


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "file"
    assert write_cached(path, b"first")
    assert write_cached(path, b"second")
    assert path.read_bytes() == b"second"
    assert os.listdir(path.parent) == ["file"]
    assert not write_cached(path / "below", b"a file is no folder")
    (tmp_path / "folder").mkdir()
    assert not write_cached(tmp_path / "folder", b"a folder is no file")
    assert sorted(os.listdir(tmp_path)) == ["deep", "folder"]  # nothing half-written is left


def test_one_at_a_time_works_under_a_lock(tmp_path: Path) -> None:
    """Another process waits until the lock is free, also where its holder dies."""
    path = tmp_path / "model"
    code = (
        "import sys, pathlib; from footfall.cache import locked\n"
        "with locked(pathlib.Path(sys.argv[1])): print('held', flush=True); sys.stdin.read()"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", code, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert holder.stdout is not None
    assert holder.stdout.readline().strip() == b"held"
    entered = threading.Event()

    def enter() -> None:
        with locked(path):
            entered.set()

    thread = threading.Thread(target=enter)
    thread.start()
    assert not entered.wait(0.3)
    holder.kill()
    holder.communicate()
    assert entered.wait(30.0)
    thread.join()
    assert list(tmp_path.iterdir()) == []  # a lock goes with the work


def test_only_locks_that_nobody_holds_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path))
    folder = tmp_path / "0.1.0"
    held, left = folder / f"walk-{'0' * 20}.safetensors", folder / f"body-{'0' * 20}.safetensors.lock"
    with locked(held):
        left.write_bytes(b"")
        assert remove_unused() == 1
        assert [path.name for path in folder.iterdir()] == [f"{held.name}.lock"]
    assert list(folder.iterdir()) == []


def test_a_lock_that_cannot_be_had_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("no folder")
    with locked(tmp_path / "taken" / "model"):
        pass
    with pytest.raises(ValueError, match="from inside"), locked(tmp_path / "model"):
        raise ValueError("from inside")


def test_the_least_recent_files_are_removed(tmp_path: Path) -> None:
    files = [tmp_path / f"{k}" for k in range(6)]
    for k, path in enumerate(files):
        path.write_bytes(b"x" * 10)
        os.utime(path, (1000 + k, 1000 + k))
    gone = tmp_path / "gone"
    assert remove_least_recent([gone, *files], most_bytes=1000, most_files=4) == 2
    assert sorted(os.listdir(tmp_path)) == ["2", "3", "4", "5"]
    assert remove_least_recent(files, most_bytes=25, most_files=4) == 2
    assert sorted(os.listdir(tmp_path)) == ["4", "5"]


def test_all_that_is_kept_has_a_name_of_its_own() -> None:
    """Whoever writes to the cache gives names that `clear_cache` knows."""
    folder = cache_folder()
    assert folder is not None
    for part in (folder / "kernels", folder / __version__):
        names = [path.name for path in part.iterdir()] if part.is_dir() else []
        assert [name for name in names if FILES.fullmatch(name) is None] == []
