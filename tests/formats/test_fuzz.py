"""Damaged files over every reader: a LoadError or a sound motion comes out, in little time and memory.

`make test` examines 1,000 made files and 200 heads of real captures, `make slow` 20,000 in processes of
their own. A problem is reported with its format and seed: `damaged(format, specimens, seed)` makes it again.
"""

from __future__ import annotations

import inspect
import re
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path

import pytest

from footfall.formats.load import Source, load_capture, recognise
from tests.captures import captures
from tests.formats.examination import MOST_BYTES, Verdict, examine, largest
from tests.formats.specimens import Specimen, specimens

FORMATS = tuple(specimens())
CASES = 1000 // len(FORMATS) + 1
REAL_CASES = 50
SLOW_CASES = 20_000 // len(FORMATS) + 1
REACHED = 0.05  # share of the cases that must load: else the damage is so coarse that it tests little
HEAD = 12_000  # bytes of a real file


def test_every_reader_has_specimens() -> None:
    """A new answer of `recognise` must come with specimens here."""
    assert set(re.findall(r'return "(\w+)", _', inspect.getsource(recognise))) == set(FORMATS)


@pytest.mark.parametrize("name", FORMATS)
def test_specimens_are_recognised_and_sound(name: str, tmp_path: Path) -> None:
    for specimen in specimens()[name]:
        for file, content in specimen.items():
            (tmp_path / file).write_bytes(content)
        clip = tmp_path / next(iter(specimen))
        assert recognise(Source(clip, clip.read_bytes()))[0] == name
        assert load_capture(clip).format == name
        for file in specimen:
            (tmp_path / file).unlink()


@pytest.mark.parametrize("name", FORMATS)
def test_damaged_files(name: str, tmp_path: Path) -> None:
    verdict = examine(name, specimens()[name], range(CASES), tmp_path, trace=True)
    assert not verdict.problems, verdict
    assert sum(verdict.outcomes.values()) == CASES
    assert verdict.outcomes["loaded"] >= REACHED * CASES, verdict
    assert verdict.outcomes["refused"] >= REACHED * CASES, verdict


def _head(relative: str, *, frames: bytes = rb"\n()", end: bytes = rb"\n") -> bytes:
    """The opening of a capture up to the end of a frame; a count of frames says what is left of them."""
    content = captures(relative).read_bytes()[:HEAD]
    content = content[: [found.start() for found in re.finditer(end, content)][-1]]
    found = re.search(frames, content)
    assert found, f"{relative} announces no frames"
    left = b"%d" % content[found.end() :].strip().count(b"\n") if found[1] else b""
    return content[: found.start(1)] + left + content[found.end(1) :]


def real_heads() -> dict[str, list[Specimen]]:
    """Read when a test runs; nothing of them is kept."""
    bvh = ["formats/rotation_first_root.bvh", "formats/sinusoidal.bvh", "formats/SwatSkeleton.bvh"]
    bvh += ["formats/test_mocapbank.bvh", "formats/full_precision_frame_time.bvh", "formats/bvh_example.bvh"]
    asf = {"bones.asf": captures("formats/11.asf").read_bytes()}
    return {
        "bvh": [{"head.bvh": _head(file, frames=rb"Frames:\s*(\d+)")} for file in bvh],
        "skm": [
            {
                "clip.skm": captures("hands/ChrHarmony_Relax001_HandDefault.skm").read_bytes(),
                "bones.sk": captures("hands/common.sk").read_bytes(),
            },
            {
                "clip.skm": _head("idle/ChrGarza@IdleStand01.skm", frames=rb"frames\s*(\d+)"),
                "bones.sk": captures("hands/ChrGarza.sk").read_bytes(),
            },
        ],
        "amc": [{"clip.amc": _head("formats/11_01.amc", end=rb"\n\d+\s*\n"), **asf}],
        "deepmimic": [{"clip.txt": captures("formats/humanoid3d_walk.txt").read_bytes()}],
    }


@pytest.mark.parametrize("name", ["bvh", "skm", "amc", "deepmimic"])
def test_damaged_heads_of_real_captures(name: str, tmp_path: Path) -> None:
    verdict = examine(name, real_heads()[name], range(REAL_CASES), tmp_path, trace=True)
    assert not verdict.problems, verdict
    assert verdict.outcomes["loaded"] >= REACHED * REAL_CASES, verdict


def _batch(name: str, seeds: range, folder: Path, compiled: bool) -> tuple[Verdict, int]:
    """In a process of its own: the verdict, and by how many bytes the process grew at its largest."""
    if compiled:  # text formats then read their numbers by the kernel
        import_module("footfall.formats.numbers_kernel")
    examine(name, specimens()[name], range(CASES), folder, trace=False)  # imports are no part of the growth
    before = largest()
    verdict = examine(name, specimens()[name], seeds, folder, trace=False)
    return verdict, largest() - before


@pytest.mark.slow
@pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])
@pytest.mark.parametrize("name", FORMATS)
def test_many_damaged_files(name: str, compiled: bool, tmp_path: Path) -> None:
    pytest.importorskip("resource", reason="this system does not count what a process holds")
    half = SLOW_CASES // 2
    seeds = range(CASES + compiled * half, CASES + (compiled + 1) * half)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        verdict, growth = pool.submit(_batch, name, seeds, tmp_path, compiled).result()
    assert not verdict.problems, verdict
    assert growth < MOST_BYTES
