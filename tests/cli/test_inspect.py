"""`footfall inspect`: the contract's keys, and what people read."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from numpy.testing import assert_allclose

import footfall as ff
from tests.cli.conftest import FPS, Said

CONTRACT = {"file", "frames", "fps", "seconds", "joints", "unit", "roles", "foot_points"}
CONTRACT |= {"plants", "steps", "warnings"}


def test_json_keeps_the_contract(clip: Path, motion: ff.Motion, said: Said) -> None:
    status, out, _ = said("inspect", clip, "--json")
    assert status == 0
    assert out.endswith("}\n")
    assert out.count("\n") == 1
    (found,) = json.loads(out)["clips"]
    assert found.keys() >= CONTRACT
    assert found["file"] == str(clip)
    assert (found["frames"], found["fps"], found["joints"]) == (len(motion), FPS, 54)
    assert found["seconds"] == pytest.approx(12.0)
    assert found["unit"] == "m"
    assert found["roles"] == {role: role for role in motion.skeleton.roles}
    assert isinstance(found["warnings"], list)


def test_foot_points_are_those_of_the_skeleton(clip: Path, said: Said) -> None:
    (found,) = json.loads(said("inspect", clip, "--json")[1])["clips"]
    skeleton = ff.load_skeleton(clip)
    assert found["foot_points"].keys() == {"left", "right"}
    for side, points in found["foot_points"].items():
        assert points.keys() >= {"heel", "subtalar", "toe"}
        for name, place in points.items():
            assert_allclose(place, getattr(skeleton.foot_points(side), name), rtol=0, atol=1e-12)


def test_several_clips_one_of_them_bad(clip: Path, said: Said, tmp_path: Path) -> None:
    (tmp_path / "bad.bvh").write_bytes(b"HIERARCHY")
    status, out, err = said("inspect", clip, tmp_path / "bad.bvh", clip, "--json")
    assert status == 1
    assert [found["file"] for found in json.loads(out)["clips"]] == [str(clip)] * 2
    assert err.count("\n") == 1
    assert str(tmp_path / "bad.bvh") in err


def test_for_people(clip: Path, said: Said) -> None:
    status, out, err = said("inspect", clip)
    assert (status, err) == (0, "")
    assert "121 frames at 10 Hz, 12.00 s" in out
    assert "54 joints" in out
    assert "left_foot left_foot" in out


def test_roles_can_be_given(clip: Path, said: Said) -> None:
    status, out, _ = said("inspect", clip, "--role", "chest=spine_2", "--json")
    assert status == 0
    assert json.loads(out)["clips"][0]["roles"]["chest"] == "spine_2"


@pytest.mark.parametrize("role", ["chest", "paw=spine", "chest=nowhere"])
def test_roles_that_are_refused(role: str, clip: Path, said: Said) -> None:
    status, out, err = said("inspect", clip, "--role", role)
    assert (status, out) == (1, "")
    assert re.fullmatch(r"footfall: .+\n", err)


def test_one_clip_that_cannot_be_read_or_performed_leaves_the_others(said: Said, clip: Path) -> None:
    for wrong in ("actor:nope", "nowhere.bvh", "actor:jump:huge"):
        status, out, err = said("inspect", wrong, clip)
        assert status == 1
        assert str(clip) in out
        assert err.startswith("footfall: ")
        assert len(err.splitlines()) == 1
