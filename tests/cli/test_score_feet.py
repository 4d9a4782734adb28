"""`footfall score --foot-points`: a saved BVH on its true soles is as exact as its certificate says."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import footfall as ff
from footfall.cli.score_feet import MOST_BYTES
from footfall.models.stepspace.build import build_step_space
from tests.captured import captured
from tests.captures import needs_captures
from tests.cli.conftest import Said
from tests.gaits import made

EXACT = 1e-6  # m
AHEAD = (0.0, 0.0, 0.42, 0.86, 1.3, 1.34)  # m, left foot first; the last stands beside the one before


def plan_file(folder: Path) -> Path:
    feet = [("left", 0.09), ("right", -0.09)] * 3
    prints = [ff.FootPlacement(f, np.array([x, 0.0, z])) for (f, x), z in zip(feet, AHEAD, strict=True)]
    path = folder / "plan.json"
    path.write_bytes(ff.FootPlan.of_steps(prints).encode())
    return path


def of_the_actor() -> list[ff.Motion]:
    actor = ff.VirtualActor()
    return [actor.start_and_stop(v, steps=6).motion for v in (0.8, 1.0, 1.2, 1.4)]


def of_a_person() -> list[ff.Motion]:
    return [captured(f"turn-side-back/69_{n}.bvh") for n in ("01", "03", "24", "28", "31")]


REAL = pytest.param(of_a_person, marks=needs_captures)


@pytest.fixture(scope="module", params=[of_the_actor, REAL], ids=["made", "real"])
def saved(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a model and a plan."""
    clips: Callable[[], list[ff.Motion]] = request.param
    folder = tmp_path_factory.mktemp("steps")
    build_step_space(clips(), candidates=False).save(folder / "steps.ffmodel")
    plan_file(folder)
    return folder


@pytest.fixture
def stepped(saved: Path, said: Said) -> Path:
    """The same folder with what `step --json` wrote and printed."""
    words = ("step", saved / "steps.ffmodel", saved / "plan.json", "-o", saved / "out.bvh", "--json")
    status, out, err = said(*words)
    assert (status, err) == (0, "")
    (saved / "out.json").write_text(out)
    return saved


def scored(said: Said, folder: Path, *words: object) -> dict[str, Any]:
    given = ("--plan", folder / "plan.json", "--terrain", "flat", "--json")
    status, out, _ = said("score", folder / "out.bvh", *given, *words)
    assert status == 0
    return json.loads(out)


def test_what_step_printed_is_found_in_the_file(stepped: Path, said: Said) -> None:
    """Without the soles, and with contacts that take in a frame too many, it reads millimetres."""
    promised = json.loads((stepped / "out.json").read_text())
    blind = scored(said, stepped)
    exact = scored(said, stepped, "--foot-points", stepped / "out.json")
    assert promised["placement_max_m"] < EXACT
    assert blind["placement_max_m"] > 1e-3
    assert exact["placement_max_m"] < EXACT
    assert exact["slide_max_m"] < 1e-3 < blind["slide_max_m"]
    assert exact["penetration_max_m"] == pytest.approx(promised["penetration_max_m"], abs=EXACT)
    assert exact["plants"] == promised["plants"] == len(AHEAD)
    assert exact["contacts"] == blind["contacts"] == "detected"


def test_other_soles_are_another_placement(stepped: Path, said: Said) -> None:
    """The points are taken from the file: a subtalar 3 cm farther ahead stands 3 cm farther ahead."""
    values = json.loads((stepped / "out.json").read_text())
    along = np.subtract(values["foot_points"]["left"]["ball"], values["foot_points"]["left"]["heel"])
    for side in ("left", "right"):
        for name, place in values["foot_points"][side].items():
            values["foot_points"][side][name] = (place + 0.03 * along / np.linalg.norm(along)).tolist()
    (stepped / "moved.json").write_text(json.dumps({"foot_points": values["foot_points"]}))
    away = scored(said, stepped, "--foot-points", stepped / "moved.json")["placement_max_m"]
    assert away == pytest.approx(0.03, abs=1e-3)


def test_a_motion_with_contacts_keeps_them(said: Said, tmp_path: Path) -> None:
    motion = ff.VirtualActor().walk(1.3).motion
    ff.save_motion(motion, tmp_path / "walk.ffm")
    feet = {side: motion.skeleton.foot_points(side).as_lists() for side in ("left", "right")}
    (tmp_path / "feet.json").write_text(json.dumps({"foot_points": feet}))
    plain = said("score", tmp_path / "walk.ffm", "--json")
    assert said("score", tmp_path / "walk.ffm", "--foot-points", tmp_path / "feet.json", "--json") == plain
    assert json.loads(plain[1])["contacts"] == "given"


SOLE = {
    "heel": [0, -0.07, -0.06],
    "subtalar": [0, -0.07, 0],
    "ball": [0, -0.07, 0.13],
    "toe": [0, -0.07, 0.2],
}


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("walk") / "walk.ffm"
    ff.save_motion(made("walk", 30.0).motion, path)
    return path


class TestBadFiles:
    @pytest.fixture(autouse=True)
    def _walk(self, walk: Path) -> None:
        self.walk = walk

    def refusal(self, said: Said, tmp_path: Path, content: str | bytes) -> str:
        path = tmp_path / "feet.json"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        status, out, err = said("score", self.walk, "--foot-points", path)
        assert (status, out) == (1, "")
        assert err.count("\n") == 1
        assert err.startswith(f"footfall: {path}: ")
        return err.removeprefix(f"footfall: {path}: ").rstrip("\n")

    @pytest.mark.parametrize(
        "content", ["", "HIERARCHY", '{"foot_points": ', "{" * 9000, "[" * 200_000, b"\xff\xfe\x00", b"\x80"]
    )
    def test_no_json(self, content: str | bytes, said: Said, tmp_path: Path) -> None:
        assert self.refusal(said, tmp_path, content).startswith("is no JSON: ")

    @pytest.mark.parametrize("content", ["{}", "[]", "7", "null", '"feet"', '{"feet": {}}'])
    def test_no_such_key(self, content: str, said: Said, tmp_path: Path) -> None:
        problem = self.refusal(said, tmp_path, content)
        assert problem.startswith("has no foot_points as `footfall step --json` prints them: ")

    @pytest.mark.parametrize("feet", [{}, {"left": SOLE}, {"left": SOLE, "Right": SOLE}])
    def test_a_missing_foot(self, feet: dict[str, object], said: Said, tmp_path: Path) -> None:
        problem = self.refusal(said, tmp_path, json.dumps({"foot_points": feet}))
        assert re.match(r"foot_points: the (left|right) foot is missing, there is ", problem)

    @pytest.mark.parametrize("name", SOLE)
    def test_a_missing_point(self, name: str, said: Said, tmp_path: Path) -> None:
        short = {n: place for n, place in SOLE.items() if n != name}
        problem = self.refusal(said, tmp_path, json.dumps({"foot_points": {"left": SOLE, "right": short}}))
        assert problem.endswith(f"Object missing required field `{name}`")

    @pytest.mark.parametrize(
        "place", [[0, 0], [0, 0, 0, 0], [[0, 0, 0]], "low", None, 7, {"x": 0}, ["0", 0, 0], [True, 0, 0]]
    )
    def test_no_place(self, place: object, said: Said, tmp_path: Path) -> None:
        feet = {"left": SOLE | {"ball": place}, "right": SOLE}
        problem = self.refusal(said, tmp_path, json.dumps({"foot_points": feet}))
        assert "has no foot_points as `footfall step --json` prints them: foot_points[...].ball" in problem

    @pytest.mark.parametrize(
        "number", ["NaN", "Infinity", "-Infinity", "1e999", "-7", "13.6", "1" + 300 * "0"]
    )
    def test_no_length(self, number: str, said: Said, tmp_path: Path) -> None:
        """Not a number, and what no foot has: centimetres are told by their size."""
        feet = json.dumps({"foot_points": {"left": SOLE | {"ball": [0, 0, "?"]}, "right": SOLE}})
        problem = self.refusal(said, tmp_path, feet.replace('"?"', number))
        assert problem.startswith("foot_points.left.ball: must be metres from the foot joint and within")

    @pytest.mark.parametrize("digits", [400, 5000])
    def test_numbers_without_end(self, digits: int, said: Said, tmp_path: Path) -> None:
        feet = json.dumps({"foot_points": {"left": SOLE | {"ball": [0, 0, "?"]}, "right": SOLE}})
        self.refusal(said, tmp_path, feet.replace('"?"', "1" + digits * "0"))

    def test_too_large(self, said: Said, tmp_path: Path) -> None:
        assert self.refusal(said, tmp_path, b" " * (MOST_BYTES + 1)) == (
            f"a file with foot points has at most {MOST_BYTES} bytes"
        )

    def test_not_there(self, said: Said, tmp_path: Path) -> None:
        status, out, err = said("score", self.walk, "--foot-points", tmp_path / "none.json")
        assert (status, out) == (1, "")
        assert err == f"footfall: {tmp_path / 'none.json'}: cannot be opened (No such file or directory)\n"

    def test_a_foot_that_is_a_point_is_scored(self, said: Said, tmp_path: Path) -> None:
        """Nothing to be exact about, but nothing that breaks."""
        (tmp_path / "feet.json").write_text(
            json.dumps({"foot_points": {s: {n: [0, 0, 0] for n in SOLE} for s in ("left", "right")}})
        )
        assert said("score", self.walk, "--foot-points", tmp_path / "feet.json")[0] == 0
