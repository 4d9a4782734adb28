"""Wherever a command takes a clip it takes a piece of the virtual actor."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from footfall.formats.load import load_motion
from tests.cli.conftest import Said


def test_score(said: Said) -> None:
    status, out, _ = said("score", "actor:jump@2", "--terrain", "flat", "--json")
    values = json.loads(out)
    assert status == 0
    assert values["contacts"] == "given"
    assert values["slide_max_m"] < 1e-9
    assert values["penetration_max_m"] < 1e-9


def test_inspect(said: Said) -> None:
    status, out, _ = said("inspect", "actor:stairs", "--json")
    (clip,) = json.loads(out)["clips"]
    assert status == 0
    assert (clip["file"], clip["format"], clip["joints"]) == ("actor:stairs", "actor", 54)
    assert [round(step["rise_m"], 6) for step in clip["steps"]] == [0.32] * len(clip["steps"])


def test_convert_at_a_rate(said: Said, tmp_path: Path) -> None:
    out = tmp_path / "walk.bvh"
    assert said("convert", "actor:walk", out, "--fps", "24")[0] == 0
    assert load_motion(out).fps == pytest.approx(24.0)


def test_a_piece_that_is_not_there(said: Said) -> None:
    status, _, err = said("inspect", "actor:dance", "--json")
    assert status == 1
    assert "the actor has no piece called 'dance'; it has walk" in err


def test_a_file_of_that_name_comes_first(said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("actor:walk").write_text("no motion")
    status, _, err = said("inspect", "actor:walk")
    assert status == 1
    assert "actor:walk" in err
    assert "no piece" not in err
