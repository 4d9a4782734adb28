"""What `footfall demo` shows while it works: one display, whatever its processes build and compile."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from footfall.cache import FOLDER
from footfall.cli import demo, warmup
from footfall.cli.demo import _made_side_by_side, _Part, _shown, _Told
from footfall.cli.progress import progress_bar, progress_told
from footfall.cli.report import GroundEntry
from footfall.geometry.kernel_cache import kernels_of

KERNELS = "footfall.world.triangle_kernel"  # a few small ones
LINE = re.compile(r" *(\d+)% (\w+):7, (\d+) s left")


def compiling(kind: str) -> Iterator[str]:
    """A part that compiles, and tells of a model that it builds, before its only piece."""
    for one in kernels_of(KERNELS):
        one.ready()
    with progress_bar("building a model") as progress:
        progress(f"half of a model, {kind}", 0.5)
    yield kind


def of_stairs() -> Iterator[str]:
    yield from compiling("stairs")


def of_ramps() -> Iterator[str]:
    yield from compiling("ramps")


PARTS = (_Part(of_stairs, 1, 10), _Part(of_ramps, 1, 30))


@pytest.mark.slow
@pytest.mark.ci
def test_two_processes_show_as_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Compiling is said once and counted over both; each piece has its line with share and time left."""
    monkeypatch.setenv(FOLDER, str(tmp_path / "cache"))
    monkeypatch.setattr(warmup, "MOMENT", 0.0)
    monkeypatch.setattr(demo, "cores", lambda: 2)
    told: list[_Told] = []
    with warmup.announcing(), _shown(PARTS, pictures=False) as show:

        def watched(one: _Told) -> None:
            told.append(one)
            show(one)

        made = _made_side_by_side(PARTS, tmp_path, False, watched)
    assert [[one.name for one in part if isinstance(one, GroundEntry)] for part in made] == [
        ["stairs:7"],
        ["ramps:7"],
    ]
    assert {(one.part, one.what, one.share) for one in told} == {
        (0, "half of a model, stairs", 0.25),
        (1, "half of a model, ramps", 0.25),
        (0, "stairs:7", 1.0),
        (1, "ramps:7", 1.0),
    }
    out, err = capfd.readouterr()
    lines = err.splitlines()
    assert out == ""
    assert lines.count("compiling kernels, once after installation") == err.count("compiling") == 1
    counted = re.fullmatch(r"(\d+) kernels took \d+ s; from now on they are loaded", lines[-1])
    assert counted is not None
    files = sum(1 for _ in (tmp_path / "cache" / "kernels").iterdir())
    assert files <= int(counted[1]) <= 2 * files  # both processes may compile one at the same time
    shown = [found for found in map(LINE.fullmatch, lines) if found]
    assert len(shown) == len(PARTS) == len(lines) - 2
    assert {found[2] for found in shown} == {"stairs", "ramps"}
    assert [found[1] for found in shown] == sorted((found[1] for found in shown), key=int)
    assert shown[-1].group(1, 3) == ("100", "0")


def test_nothing_is_said_of_compiling_where_kernels_are_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The parts are made in this process, as where no other can be had; their kernels are compiled before."""
    for one in kernels_of(KERNELS):
        one.ready()
    monkeypatch.setattr(warmup, "MOMENT", 0.0)
    monkeypatch.setattr(demo, "cores", lambda: 1)
    with warmup.announcing(), _shown(PARTS, pictures=False) as show:
        _made_side_by_side(PARTS, tmp_path, False, show)
    time.sleep(0.05)
    err = capfd.readouterr().err
    assert [LINE.fullmatch(line) is not None for line in err.splitlines()] == [True, True]


def test_shares_weigh_parts_by_their_time(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A quarter of the time is done in 5 s, so 15 s are left; a share that falls back is not shown."""
    now = [100.0]
    monkeypatch.setattr(demo, "perf_counter", lambda: now[0])
    with _shown(PARTS, pictures=False) as show:
        now[0] += 5.0
        show(_Told(0, "stairs", 1.0, finished=True))
        show(_Told(1, "a model", 0.6))
        show(_Told(1, "another model", 0.2))
        now[0] += 5.0
        show(_Told(1, "a piece", 0.5, finished=True))
        show(_Told(1, "ramps", 1.0, finished=True))
    assert capsys.readouterr().err.splitlines() == [
        " 25% stairs, 15 s left",
        " 70% a piece, 4 s left",
        "100% ramps, 0 s left",
    ]


def test_work_within_told_work_shows_no_bar(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")  # as on a terminal
    heard: list[tuple[str, float]] = []
    with progress_told(lambda what, share: heard.append((what, share))), progress_bar("inner") as bar:
        bar("now", 0.3)
    assert heard == [("now", 0.3)]
    assert capsys.readouterr().err == ""
    with progress_bar("outer") as bar:
        bar("later", 0.6)
    assert "later" in capsys.readouterr().err
