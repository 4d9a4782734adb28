"""`footfall score`: the certificate as JSON and as lines, with plan, ground and reference; refusals."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import footfall as ff
from footfall.analysis.certificate import certificate
from footfall.world.foot_plan import FootPlacement, FootPlan
from footfall.world.plane import FlatTerrain
from tests.captures import captures
from tests.cli.conftest import Said
from tests.gaits import made

FPS = 60.0


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A walk that carries its contacts."""
    path = tmp_path_factory.mktemp("walk") / "walk.ffm"
    ff.save_motion(made("walk", FPS).given, path)
    return path


def plan_file(folder: Path, shift: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Path:
    """The stances of the walk as a plan, the last one shifted."""
    stances = made("walk", FPS).stances
    places = [np.array(s.place) for s in stances]
    places[-1] = places[-1] + shift
    plan = FootPlan.of_steps([FootPlacement(s.foot, place) for s, place in zip(stances, places, strict=True)])
    path = folder / "plan.json"
    path.write_bytes(plan.encode())
    return path


def scored(said: Said, *words: object) -> dict[str, Any]:
    status, out, err = said("score", *words, "--json")
    assert (status, err) == (0, "")
    assert out.count("\n") == 1
    return json.loads(out)


def test_json_is_the_certificate(walk: Path, said: Said) -> None:
    wanted = certificate(ff.load_motion(walk)).as_dict()
    assert scored(said, walk) == wanted
    assert wanted["contacts"] == "given"
    assert wanted["plants"] == 8
    assert [wanted[k] for k in ("placement_max_m", "leg_extension_examples", "acceleration_ratio")] == [
        None
    ] * 3


class TestPlan:
    def test_hit(self, walk: Path, said: Said, tmp_path: Path) -> None:
        assert scored(said, walk, "--plan", plan_file(tmp_path))["placement_max_m"] < 1e-6

    def test_missed(self, walk: Path, said: Said, tmp_path: Path) -> None:
        away = scored(said, walk, "--plan", plan_file(tmp_path, (0.03, 0.0, -0.04)))["placement_max_m"]
        assert away == pytest.approx(0.05, abs=1e-6)

    def test_no_plan_at_all(self, walk: Path, said: Said, tmp_path: Path) -> None:
        (tmp_path / "plan.json").write_text(
            '{"version": 1, "steps": [{"foot": "middle", "position": [0, 0, 0]}]}'
        )
        status, out, err = said("score", walk, "--plan", tmp_path / "plan.json")
        assert (status, out) == (1, "")
        assert re.fullmatch(r"footfall: .*plan\.json: steps\[0\]: foot must be 'left' or 'right'.*\n", err)


class TestGround:
    @pytest.mark.parametrize("level", [0.02, -0.03])
    def test_a_level(self, level: float, walk: Path, said: Said) -> None:
        values = scored(said, walk, "--terrain", f"flat:{level}")
        wanted = certificate(ff.load_motion(walk), terrain=FlatTerrain(level))
        assert values == wanted.as_dict()
        deep, high = values["penetration_max_m"], values["float_max_m"]
        assert (deep if level > 0 else high) == pytest.approx(abs(level), abs=2e-3)

    def test_flat_is_level_zero(self, walk: Path, said: Said) -> None:
        assert scored(said, walk, "--terrain", "flat") == scored(said, walk, "--terrain", "flat:0")

    def test_a_mesh_file_is_the_ground(self, walk: Path, said: Said, tmp_path: Path) -> None:
        low = FlatTerrain(-0.03)
        corners = [[-9, -0.03, -9], [-9, -0.03, 30], [9, -0.03, 30], [9, -0.03, -9]]
        ff.save_terrain(ff.MeshTerrain(np.array(corners), [[0, 1, 2], [0, 2, 3]]), tmp_path / "low.obj")
        values = scored(said, walk, "--terrain", tmp_path / "low.obj")
        wanted = certificate(ff.load_motion(walk), terrain=low).as_dict()
        for name in ("penetration_max_m", "float_max_m", "slide_max_m"):
            assert values[name] == pytest.approx(wanted[name], abs=1e-12)
        assert values["float_max_m"] == pytest.approx(0.03, abs=2e-3)

    def test_generated_ground_has_its_own_heights(self, walk: Path, said: Said) -> None:
        values = scored(said, walk, "--terrain", "bumps:7")
        wanted = certificate(ff.load_motion(walk), terrain=ff.generate_terrain("bumps", 7).terrain)
        assert values == wanted.as_dict()
        assert values["penetration_max_m"] + values["float_max_m"] > 0.01

    @pytest.mark.parametrize("terrain", ["hills.obj", "hills:7", "Flat", "nothing/here.glb"])
    def test_what_is_nowhere(self, terrain: str, walk: Path, said: Said) -> None:
        status, out, err = said("score", walk, f"--terrain={terrain}")
        assert (status, out) == (1, "")
        assert err.startswith(
            f"footfall: terrain {terrain!r} is neither a file nor a generator: use a mesh file, "
        )
        assert "bumps" in err
        assert err.count("\n") == 1

    @pytest.mark.parametrize("level", ["", "high", "nan", "inf", "1,5"])
    def test_no_level(self, level: str, walk: Path, said: Said) -> None:
        status, out, err = said("score", walk, "--terrain", f"flat:{level}")
        assert (status, out) == (1, "")
        assert err == f"footfall: flat:LEVEL takes a height in metres, not {level!r}\n"


class TestReference:
    def test_itself(self, walk: Path, said: Said) -> None:
        values = scored(said, walk, "--reference", walk)
        assert values["acceleration_ratio"] == 1.0
        assert values["leg_extension_examples"] == values["leg_extension_max"]

    def test_several(self, walk: Path, said: Said, tmp_path: Path) -> None:
        calm = tmp_path / "calm.ffm"
        ff.save_motion(made("stand", FPS).given, calm)
        alone, both = scored(said, walk, "--reference", calm), scored(said, walk, "--reference", calm, walk)
        assert alone["acceleration_ratio"] > 1.5
        assert both["acceleration_ratio"] < 1.05
        assert both == scored(said, walk, "--reference", calm, "--reference", walk)

    def test_a_rate_is_said_of_the_motion_alone(self, walk: Path, said: Said) -> None:
        """Twice as fast is four times the acceleration."""
        values = scored(said, walk, "--fps", 2 * FPS, "--reference", walk)
        assert 2.5 < values["acceleration_ratio"] < 5.0

    def test_one_that_is_not_there(self, walk: Path, said: Said, tmp_path: Path) -> None:
        status, out, err = said("score", walk, "--reference", tmp_path / "none.bvh", "--json")
        assert (status, out) == (1, "")
        assert err == f"footfall: {tmp_path / 'none.bvh'}: cannot be opened (No such file or directory)\n"


class TestForPeople:
    def test_lines(self, walk: Path, said: Said, tmp_path: Path) -> None:
        shifted = plan_file(tmp_path, (0.0, 0.0, 0.05))
        status, out, err = said("score", walk, "--plan", shifted, "--terrain", "flat", "--reference", walk)
        assert (status, err) == (0, "")
        lines = dict(re.findall(r"^  (\w[\w ]*\w)  +(.+)$", out, re.MULTILINE))
        assert out.startswith(f"{walk}\n")
        assert lines["plants"] == "8 (given)"
        assert lines["placement"] == "50.000 mm"
        assert lines["acceleration"] == "1.000 (1 is the reference's)"
        assert float(lines["slide"].split()[0]) < 0.01

    def test_what_is_not_known(self, walk: Path, said: Said) -> None:
        out = said("score", walk)[1]
        assert re.search(r"^  placement +unknown$", out, re.MULTILINE)
        assert re.search(r"^  acceleration +unknown", out, re.MULTILINE)

    def test_a_footprint_nobody_stood_on(self, said: Said, tmp_path: Path) -> None:
        """No left plant at all: no distance can be told."""
        truth = made("stand", FPS)
        away = np.arange(len(truth.motion))[:, None] * np.array([0.0, 0.0, 0.1])
        flying = replace(truth.motion, root=truth.motion.root + away)
        ff.save_motion(flying, tmp_path / "flying.ffm")
        words = ("score", tmp_path / "flying.ffm", "--plan", plan_file(tmp_path))
        assert re.search(r"placement +unknown: a planned foot never stands\n", said(*words)[1])
        assert json.loads(said(*words, "--json")[1])["placement_max_m"] is None


def test_usage(said: Said) -> None:
    status, out, err = said("score")
    assert (status, out) == (2, "")
    assert err.count("\n") == 1


def test_a_capture(said: Said) -> None:
    """Remarks go to standard error; a capture slides and its contacts are detected."""
    path = captures("walk/16_47.bvh")
    status, out, err = said("score", path, "--json")
    values = json.loads(out)
    assert status == 0
    assert err.count("\n") == 2
    assert values["contacts"] == "detected"
    assert abs(values["plants"] - 7) <= 1
    assert 0.005 < values["slide_max_m"] < 0.1
