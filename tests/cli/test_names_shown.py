"""Whatever files are called, commands print no control characters and fail in one sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from footfall.cli.progress import progress_bar
from tests.cli.conftest import Said

EVIL = "a\x1b[31m\nb\u202e[red]$\\frac$"


def plain(text: str) -> bool:
    return all(c.isprintable() for line in text.split("\n") for c in line)


@pytest.mark.parametrize("odd", [EVIL, "byte\udcff"], ids=["control characters", "undecodable"])
def test_names_are_shown_plainly(odd: str, clip: Path, said: Said, tmp_path: Path) -> None:
    source, target = tmp_path / f"{odd}.bvh", tmp_path / f"{odd}.ffm"
    source.write_bytes(clip.read_bytes())
    status, out, err = said("convert", source, target)
    assert status == 0
    assert plain(out + err)
    assert len(out.splitlines()) == 1
    assert target.is_file()
    for words in (["inspect", source], ["score", target], ["convert", source, source]):
        status, out, err = said(*words)
        assert plain(out + err)
        assert out or err.startswith("footfall: ")
    picture = tmp_path / f"{odd}.png"
    assert said("render", source, "-o", picture, "--figures", 1, "--view", "side")[0] == 0
    assert picture.is_file()
    status, out, _ = said("inspect", source, "--json")
    assert status == 0
    told = json.loads(out)["clips"][0]["file"]
    assert told == str(source).encode("utf-8", "surrogateescape").decode("utf-8", "replace")


@pytest.mark.parametrize(
    "words",
    [
        "inspect NAME",
        "convert NAME a.bvh",
        "convert CLIP NAME.bvh",
        "convert CLIP a.bvh --onto NAME",
        "render NAME -o a.png",
        "render CLIP -o NAME.png",
        "render CLIP -o a.png --plan NAME",
        "render CLIP -o a.png --terrain NAME",
        "render CLIP -o a.png --scene NAME",
        "score NAME",
        "score CLIP --plan NAME",
        "score CLIP --reference NAME",
        "score CLIP --foot-points NAME",
        "score CLIP --terrain NAME",
        "terrain NAME -o a.obj",
        "terrain bumps:1 -o NAME.obj",
        "terrain bumps:1 -o a.obj --plan NAME.json",
        "edit NAME -o a.bvh",
        "edit CLIP -o NAME.bvh",
        "edit CLIP -o a.bvh --plan NAME.json",
        "edit CLIP -o a.bvh --terrain NAME",
        "build steps NAME -o a.ffmodel",
        "build steps CLIP -o NAME.ffmodel",
        "play NAME sequence.json -o a.bvh",
        "play default NAME -o a.bvh",
        "step default NAME -o a.bvh",
        "plan NAME -o a.json",
        "walk default --commands NAME --seconds 1 -o a.bvh",
        "walk default --commands c.json --seconds 1 -o NAME.bvh",
        "walk default --commands c.json --seconds 1 --terrain NAME -o a.bvh",
        "act NAME -o a.bvh",
        "perform NAME",
        "perform body --out NAME",
        "demo --out NAME",
        "bench NAME",
        "NAME",
        "score CLIP --NAME",
    ],
)
def test_names_that_no_file_has_are_refused_in_a_sentence(
    words: str, clip: Path, said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    closed = tmp_path / "closed\x1b[2J"
    closed.write_text("a file, and no folder")
    for name in ("a\0b", f"{closed.name}/a", "\udcff\0", "actor:" + 300 * "x", 300 * "x" + "/a"):
        status, out, err = said(*words.replace("NAME", name).replace("CLIP", str(clip)).split(" "))
        assert (status in (1, 2), out) == (True, "")
        assert err.startswith("footfall: ")
        assert len(err.splitlines()) == 1
        assert plain(err)


def test_progress_takes_a_name_for_a_name() -> None:
    with progress_bar("[/bold] reading") as progress:
        progress("reading [/red]\x1b[2J.bvh", 0.5)
