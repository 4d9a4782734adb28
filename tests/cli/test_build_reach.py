"""`footfall build reach`: reaches of clips in one file; a refusal leaves nothing behind."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from numpy.testing import assert_allclose

import footfall as ff
from footfall.models.load import load_model
from footfall.models.reach.model import ReachLibrary
from tests.captures import captures, needs_captures
from tests.cli.conftest import Said


@pytest.fixture(scope="module")
def clips(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Reaches of the right hand as files that know nothing of it."""
    folder, actor = tmp_path_factory.mktemp("clips"), ff.VirtualActor()
    places = ((-0.2, 1.2, 0.45), (0.1, 1.0, 0.45), (-0.45, 0.9, 0.2), (-0.2, 0.4, 0.45), (-0.1, 1.6, 0.35))
    for k, place in enumerate(places):
        ff.save_motion(actor.reach(place, arm="right").motion, folder / f"{k}.bvh")
    return sorted(folder.iterdir())


def test_what_is_said_is_in_the_file(clips: list[Path], said: Said, tmp_path: Path) -> None:
    out = tmp_path / "reach.ffmodel"
    status, text, err = said("build", "reach", *clips, "-o", out, "--json")
    assert status == 0, err
    values = json.loads(text)
    assert values.keys() == {"examples", "bytes", "seconds", "space", "pseudo_examples"}
    library = load_model(out, ReachLibrary)
    assert values["examples"] == {"left_standing": 5, "right_standing": 5}
    assert values["bytes"] == out.stat().st_size
    for name, rows in values["space"].items():
        space = library.space[name]
        assert [row["name"] for row in rows] == ["x", "y", "z"]
        assert_allclose(
            [(r["low"], r["high"]) for r in rows], list(zip(*space.bounds, strict=True)), atol=1e-4
        )
        assert values["pseudo_examples"][name] == len(library.by_name[name].pseudo_points) > 0


def test_in_words(clips: list[Path], said: Said, tmp_path: Path) -> None:
    status, text, _ = said("build", "reach", *clips, "-o", tmp_path / "reach.ffmodel")
    assert status == 0
    assert "10 reaches in 2 sets" in text
    assert "right standing: 5 reaches" in text


@pytest.mark.parametrize("option", [["--most", 3], ["--spacing", 0.1], ["--pseudo-examples", 3]])
def test_options_of_others_are_refused(
    clips: list[Path], option: list[object], said: Said, tmp_path: Path
) -> None:
    status, _, err = said("build", "reach", clips[0], "-o", tmp_path / "a.ffmodel", *option)
    assert status == 1
    assert "takes every reach as it was captured" in err
    assert not list(tmp_path.iterdir())


def test_a_walk_is_no_reach(said: Said, tmp_path: Path) -> None:
    status, _, err = said("build", "reach", "actor:walk", "-o", tmp_path / "a.ffmodel")
    assert status == 1
    assert "feet do not stay" in err
    assert not list(tmp_path.iterdir())


@needs_captures
def test_captures(said: Said, tmp_path: Path) -> None:
    files = sorted(captures("reach").glob("*.skm"))
    status, text, err = said("build", "reach", *files, "-o", tmp_path / "a.ffmodel", "--json")
    assert status == 0, err
    assert json.loads(text)["examples"] == {"left_standing": 10, "right_standing": 10}
