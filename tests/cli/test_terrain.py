"""`footfall terrain`: meshes, pictures and foot plans of generated ground; mesh files in other clothes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import footfall as ff
from tests.cli.conftest import Said


def told(said: Said, *words: object) -> dict[str, Any]:
    status, out, err = said("terrain", *words, "--json")
    assert (status, err) == (0, "")
    assert out.count("\n") == 1
    return json.loads(out)


@pytest.mark.parametrize("kind", ["bumps", "ramps", "stairs", "spiral", "blocks", "stones", "rubble"])
def test_a_mesh_of_every_kind(kind: str, said: Said, tmp_path: Path) -> None:
    target = tmp_path / "ground.obj"
    values = told(said, f"{kind}:3", "-o", target)
    made, read = ff.generate_terrain(kind, 3), ff.load_terrain(target)
    assert values["triangles"] == len(read) == len(made.terrain)
    assert values["kind"] == kind
    assert values["seed"] == 3
    assert values["crossable"] is True
    assert values["steps"] == len(made.crossing) - 2
    x, z = np.random.default_rng(0).uniform(-1, 4, (2, 300))
    assert_array_equal(made.terrain.height(x, z), read.height(x, z))
    assert list(tmp_path.iterdir()) == [target]


def test_the_walk_that_crosses_it(said: Said, tmp_path: Path) -> None:
    values = told(said, "stones:7", "-o", tmp_path / "stones.glb", "--plan", tmp_path / "stones.json")
    plan = ff.FootPlan.load(tmp_path / "stones.json")
    ground = ff.load_terrain(tmp_path / "stones.glb")
    places = np.array([p.position for p in plan.placements])
    assert values["plan"] == str(tmp_path / "stones.json")
    assert len(plan) == values["steps"] + 2
    # GLB keeps single precision
    assert_allclose(
        ground.height(places[:, 0], places[:, 2], places[:, 1] + 0.1), places[:, 1], rtol=0, atol=1e-5
    )


def test_limits_are_kept_and_told(said: Said, tmp_path: Path) -> None:
    small = told(said, "stairs:1", "-o", tmp_path / "a.obj", "--rise", 0.08, "--length", 0.5)
    assert small["highest_m"] <= 0.08
    assert small["longest_m"] <= 0.5
    steep = told(said, "bumps:1", "-o", tmp_path / "b.obj", "--slope-deg", 8, "--triangles", 20000)
    assert steep["steepest_deg"] <= 8.0
    assert steep["triangles"] == pytest.approx(20000, rel=0.1)
    wide = told(said, "blocks:1", "-o", tmp_path / "c.obj", "--size", "6x9")
    assert wide["size_m"][0] == pytest.approx(6.0, abs=1.0)
    round_ = told(said, "spiral:1", "-o", tmp_path / "d.obj", "--turns", 1.5)
    assert round_["size_m"][1] > 3.0


def test_lines_for_people(said: Said, tmp_path: Path) -> None:
    status, out, _ = said("terrain", "rubble:2", "-o", tmp_path / "r.obj")
    assert status == 0
    first, second = out.splitlines()
    assert re.fullmatch(r".*r\.obj: \d+ triangles, .* m between its levels", first)
    assert second.startswith("crossable: ")


@pytest.mark.parametrize("ending", [".png", ".svg"])
def test_a_picture(ending: str, said: Said, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="pictures need the extra 'plot'")
    target = tmp_path / f"ground{ending}"
    assert told(said, "ramps:4", "-o", target)["file"] == str(target)
    first = target.read_bytes()
    assert first.startswith({".png": b"\x89PNG", ".svg": b"<?xml"}[ending])
    told(said, "ramps:4", "-o", target)
    assert target.read_bytes() == first


def test_a_file_in_other_units_and_axes(said: Said, tmp_path: Path) -> None:
    """A slope of 100 mm by 2000 mm, z up, becomes metres with y up."""
    (tmp_path / "a.obj").write_text("v 0 0 0\nv 0 2000 100\nv 1000 2000 100\nv 1000 0 0\nf 1 2 3 4\n")
    values = told(said, tmp_path / "a.obj", "-o", tmp_path / "b.obj", "--read-unit", "mm", "--read-up", "z")
    assert values["triangles"] == 2
    assert_allclose(values["size_m"], [1.0, 0.1, 2.0], atol=1e-12)
    assert ff.load_terrain(tmp_path / "b.obj").height(0.5, -1.0) == pytest.approx(0.05)
    assert "kind" not in values


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["bumps:x", "-o", "a.obj"], "bumps:SEED takes a whole number"),
        (["bumps:-1", "-o", "a.obj"], "bumps:SEED takes a whole number"),
        (["bumps:٣", "-o", "a.obj"], "bumps:SEED takes a whole number"),
        (["hills:1", "-o", "a.obj"], "neither a file nor a generator"),
        (["bumps:1", "-o", "a.stl"], "the ending must be one of"),
        (["bumps:1", "-o", "a.obj", "--size", "big"], "--size takes WIDTHxLENGTH"),
        (["bumps:1", "-o", "a.obj", "--rise", "0"], "rise"),
        (["bumps:1", "-o", "a.obj", "--slope-deg", "nan"], "slope"),
        (["stairs:1", "-o", "a.obj", "--triangles", "9"], "stairs has no triangles"),
        (
            ["bumps:1", "-o", "a.obj", "--slope-deg", "90"],
            "--slope-deg must be between 0.6 and 57 degrees, not 90",
        ),
        (["bumps:1", "-o", "a.obj", "--read-unit", "mm"], "--read-unit can say something of files only"),
        (["bumps:1", "-o", "a.obj", "--plan", "a.obj"], "a.obj: the ending must be .json"),
        (["bumps:1", "-o", "a.obj", "--plan", "nowhere/p.json"], "there is no folder"),
        (["flat:high", "-o", "a.obj"], "flat:LEVEL takes a height in metres"),
        (["", "-o", "a.obj"], "neither a file nor a generator"),
    ],
)
def test_refusals(words: list[str], sentence: str, said: Said, tmp_path: Path) -> None:
    status, out, err = said("terrain", *(tmp_path / w if w.startswith("a.") else w for w in words))
    assert (status, out) == (1, "")
    assert re.fullmatch(rf"footfall: .*{re.escape(sentence)}.*\n", err)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("option", [("--plan", "p.json"), ("--size", "3x3"), ("--rise", 0.1), ("--turns", 2)])
def test_wishes_are_not_for_files(option: tuple[str, object], said: Said, tmp_path: Path) -> None:
    ff.save_terrain(ff.generate_terrain("flat").terrain, tmp_path / "f.obj")
    status, _, err = said("terrain", tmp_path / "f.obj", "-o", tmp_path / "g.obj", *option)
    assert status == 1
    assert f"{option[0]} can say something of generated ground only" in err
    assert not (tmp_path / "g.obj").exists()


def test_a_floor_has_a_level_here_too(said: Said, tmp_path: Path) -> None:
    told(said, "flat:1.5", "-o", tmp_path / "f.obj", "--plan", tmp_path / "p.json")
    assert ff.load_terrain(tmp_path / "f.obj").height(0.0, 0.0) == 1.5
    assert {p.position[1] for p in ff.FootPlan.load(tmp_path / "p.json").placements} == {1.5}
