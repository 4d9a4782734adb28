"""`footfall convert`: the same figure goes the same way, whatever the formats, units and axes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from numpy.testing import assert_allclose

import footfall as ff
from tests.cli.conftest import FPS, Said, role_positions

ENDINGS = (".bvh", ".glb", ".ffm", ".amass.npz")


@pytest.mark.parametrize("second", ENDINGS)
@pytest.mark.parametrize("first", ENDINGS)
def test_there_and_on(
    first: str, second: str, clip: Path, motion: ff.Motion, said: Said, tmp_path: Path
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
    assert values["joints"] == len(ff.load_skeleton(between))
    assert values["file"] == str(end)
    assert_allclose(role_positions(loaded), role_positions(motion), rtol=0, atol=1e-5)
    assert sorted(tmp_path.iterdir()) == sorted([between, end])


def test_part_of_a_clip(clip: Path, motion: ff.Motion, said: Said, tmp_path: Path) -> None:
    status, out, _ = said("convert", clip, tmp_path / "a.ffm", "--start", 2, "--end", 3.5, "--json")
    assert status == 0
    assert json.loads(out)["frames"] == 16
    loaded = ff.load_motion(tmp_path / "a.ffm")
    assert_allclose(loaded.positions, ff.load_motion(clip).positions[20:36], rtol=0, atol=1e-12)


@pytest.mark.parametrize("words", [["--start", "99"], ["--start", "3", "--end", "2"], ["--start", "nan"]])
def test_parts_that_are_not_there(words: list[str], clip: Path, said: Said, tmp_path: Path) -> None:
    status, out, err = said("convert", clip, tmp_path / "a.bvh", *words)
    assert (status, out) == (1, "")
    assert re.fullmatch(r"footfall: no frame lies between .+\n", err)
    assert not list(tmp_path.iterdir())


def test_another_rate(clip: Path, motion: ff.Motion, said: Said, tmp_path: Path) -> None:
    assert said("convert", clip, tmp_path / "a.bvh", "--resample", 30)[0] == 0
    loaded = ff.load_motion(tmp_path / "a.bvh")
    assert loaded.fps == pytest.approx(30.0)
    assert loaded.seconds == pytest.approx(motion.seconds)
    assert_allclose(role_positions(loaded)[::3], role_positions(motion), rtol=0, atol=1e-7)


def test_the_true_rate(clip: Path, motion: ff.Motion, said: Said, tmp_path: Path) -> None:
    """--fps corrects the header: frames stay, time passes otherwise."""
    status, out, _ = said("convert", clip, tmp_path / "a.bvh", "--fps", 40, "--json")
    assert status == 0
    assert json.loads(out)["fps"] == 40.0
    loaded = ff.load_motion(tmp_path / "a.bvh")
    assert (len(loaded), loaded.fps) == (len(motion), 40.0)
    assert_allclose(role_positions(loaded), role_positions(motion), rtol=0, atol=1e-7)


@pytest.mark.parametrize(("unit", "metres"), [("cm", 0.01), ("in", 0.0254), ("m", 1.0), ("0.5", 0.5)])
def test_unit(unit: str, metres: float, clip: Path, motion: ff.Motion, said: Said, tmp_path: Path) -> None:
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


def test_up_axis(clip: Path, motion: ff.Motion, said: Said, tmp_path: Path) -> None:
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
    target: str, words: list[str], clip: Path, said: Said, tmp_path: Path
) -> None:
    status, out, err = said("convert", clip, tmp_path / target, *words)
    assert (status, out) == (1, "")
    assert re.fullmatch(r"footfall: .+\n", err)
    assert not list(tmp_path.iterdir())
