"""`footfall render`: pictures of the kind that the ending says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import footfall as ff
from tests.cli.conftest import Said

pytest.importorskip("matplotlib", reason="pictures need the extra 'plot'")


@pytest.mark.parametrize("ending", [".png", ".svg", ".pdf", ".jpg"])
def test_strip(ending: str, clip: Path, said: Said, tmp_path: Path) -> None:
    target = tmp_path / f"walk{ending}"
    words = ["--view", "side", "--figures", "3", "--end", "2"]
    status, out, _ = said("render", clip, "-o", target, *words, "--json")
    assert status == 0
    assert json.loads(out) == {"file": str(target)}
    opening = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF", ".jpg": b"\xff\xd8\xff"}
    first = target.read_bytes()
    assert first.startswith(opening[ending])
    assert list(tmp_path.iterdir()) == [target]
    assert said("render", clip, "-o", target, *words)[0] == 0
    assert target.read_bytes() == first  # no date, nothing by chance


def test_clip(clip: Path, said: Said, tmp_path: Path) -> None:
    from PIL import Image

    status, out, _ = said("render", clip, "-o", tmp_path / "walk.gif", "--start", 1, "--end", 2)
    assert (status, out) == (0, f"{tmp_path / 'walk.gif'}\n")
    with Image.open(tmp_path / "walk.gif") as image:
        assert image.n_frames == 11


@pytest.mark.parametrize(
    "words",
    [["-o", "a.bmp"], ["-o", "a.png", "--view", "below"], ["-o", "a.png", "--figures", "0"]],
)
def test_refusals(words: list[str], clip: Path, said: Said, tmp_path: Path) -> None:
    status, out, err = said("render", clip, *(tmp_path / w if w.startswith("a.") else w for w in words))
    assert (status, out) == (1, "")
    assert re.fullmatch(r"footfall: .+\n", err)
    assert not list(tmp_path.iterdir())


def test_a_skeleton_without_frames(said: Said, tmp_path: Path) -> None:
    ff.save_motion(ff.range_of_motion(ff.humanoid(), fps=1.0)[:0], tmp_path / "bones.bvh")
    status, out, err = said("render", tmp_path / "bones.bvh", "-o", tmp_path / "a.png")
    assert (status, out) == (1, "")
    assert "without frames" in err
