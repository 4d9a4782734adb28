"""`footfall play`: the sequence that is asked is in the file, measured from it; a refusal leaves nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import footfall as ff
from footfall.cli import demo
from footfall.formats import save
from footfall.formats.sequence_file import read_sequence, write_sequence
from footfall.models import load
from footfall.models.movements.build import build_movements
from footfall.models.movements.default import default_movements
from footfall.models.movements.model import PlayedMovements
from tests.cli.conftest import Said, role_positions

KEYS = {field.name for field in fields(ff.Certificate)} | {"file", "plan", "movements", "foot_points"}
LENGTHS = (0.45, 0.7, 0.55, 0.6)
WALK = [
    *((("left_step", "right_step")[k % 2], {"end_length": length}) for k, length in enumerate(LENGTHS)),
    ("left_step", {"end_length": 0.0}),
]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("models") / "movements.ffmodel"
    build_movements(ff.VirtualActor().perform("movements"), pseudo_examples=0).save(path)
    return path


@pytest.fixture(scope="module", autouse=True)
def read_once() -> Iterator[None]:
    """What a library makes of its examples is made once for all tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(load, "load_model", cache(load.load_model))
        yield


@pytest.fixture
def walk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("sequences"), WALK)


def written(folder: Path, movements: list[Any]) -> Path:
    path = folder / "sequence.json"
    path.write_bytes(write_sequence(movements))
    return path


def told(said: Said, *words: object) -> dict[str, Any]:
    status, out, err = said("play", *words, "--json")
    assert (status, err) == (0, "")
    assert out.count("\n") == 1
    return json.loads(out)


def footprints(path: Path) -> list[tuple[str, np.ndarray]]:
    """Where feet lie in a saved motion, in the order in which they come to lie."""
    motion = ff.load_motion(path)
    assert motion.contacts is not None
    return [(p.foot, p.position) for p in ff.detect_plants(motion, motion.contacts) if p.flat is not None]


class TestContract:
    def test_keys(self, model: Path, walk: Path, said: Said, tmp_path: Path) -> None:
        out = tmp_path / "a.ffm"
        values = told(said, model, walk, "-o", out)
        played = load.load_model(model).play(read_sequence(walk))
        assert values.keys() == KEYS
        assert (values["file"], values["plan"], values["clamped"]) == (str(out), None, [])
        assert [m["kind"] for m in values["movements"]] == [kind for kind, _ in WALK]
        assert [m["begin_s"] for m in values["movements"]] == list(played.begins)
        assert (values["contacts"], values["plants"]) == ("given", 7)
        assert values["placement_max_m"] < 1e-6
        assert values["slide_max_m"] < 1e-3
        assert values["acceleration_ratio"] < 2.0
        skeleton = ff.load_motion(out).skeleton
        for side in ("left", "right"):
            for point, place in skeleton.foot_points(side).as_lists().items():
                assert_allclose(values["foot_points"][side][point], place, rtol=0, atol=1e-7)
        assert list(tmp_path.iterdir()) == [out]

    def test_the_feet_lie_as_far_apart_as_asked(
        self, model: Path, walk: Path, said: Said, tmp_path: Path
    ) -> None:
        told(said, model, walk, "-o", tmp_path / "a.ffm")
        found = footprints(tmp_path / "a.ffm")
        assert [foot for foot, _ in found[2:]] == ["left", "right", "left", "right", "left"]
        places = [place for _, place in found[1:]]  # from the right foot, over which the first step goes
        lengths = [float(b[2] - a[2]) for a, b in pairwise(places)]
        assert_allclose(lengths, [*LENGTHS, 0.0], rtol=0, atol=1e-5)

    def test_every_format_and_twice_the_same(self, model: Path, said: Said, tmp_path: Path) -> None:
        sequence = written(tmp_path, WALK[:2])
        wanted = load.load_model(model).play(WALK[:2])
        for ending in (".bvh", ".glb", ".amass.npz", ".ffm"):
            told(said, model, sequence, "-o", tmp_path / f"a{ending}")
            found = ff.load_motion(tmp_path / f"a{ending}")
            assert_allclose(role_positions(found), role_positions(wanted), rtol=0, atol=1e-4)
        told(said, model, sequence, "-o", tmp_path / "b.ffm")
        assert (tmp_path / "a.ffm").read_bytes() == (tmp_path / "b.ffm").read_bytes()

    def test_the_plan_judges_the_motion(self, model: Path, walk: Path, said: Said, tmp_path: Path) -> None:
        out, plan = tmp_path / "a.ffm", tmp_path / "a.json"
        values = told(said, model, walk, "-o", out, "--plan", plan)
        assert values["plan"] == str(plan)
        assert len(ff.FootPlan.load(plan)) == 7
        score = json.loads(said("score", out, "--plan", plan, "--terrain", "flat", "--json")[1])
        assert score["placement_max_m"] < 1e-5
        assert score["plants"] == 7

    def test_lines_for_people(self, model: Path, walk: Path, said: Said, tmp_path: Path) -> None:
        out = tmp_path / "a.bvh"
        status, lines, err = said("play", model, walk, "-o", out, "--fps", 24)
        first, second = lines.splitlines()
        assert (status, err) == (0, "")
        assert re.fullmatch(rf"{re.escape(str(out))}: 5 movements, \d+ frames at 24 Hz, \d\.\d s", first)
        assert re.fullmatch(r"placement 0.000 mm, slide .* 7 plants given", second)
        assert ff.load_motion(out).fps == pytest.approx(24.0)

    def test_what_was_clamped_is_said(self, model: Path, said: Said, tmp_path: Path) -> None:
        sequence = written(tmp_path, [("left_step", {"end_length": 0.95}), ("jump", {"length": 1.0})])
        out = tmp_path / "a.ffm"
        status, line, err = said("play", model, sequence, "-o", out, "--json")
        values = json.loads(line)
        assert status == 0
        assert values["clamped"][0].startswith("movement 1: left_step end_length 0.950: ")
        assert values["clamped"][1].startswith("movement 2: a right_step was put in before jump")
        assert err.splitlines() == [f"{out}: {sentence}" for sentence in values["clamped"]]
        assert [m["kind"] for m in values["movements"]] == ["left_step", "right_step", "jump"]

    def test_without_transitions(self, model: Path, said: Said, tmp_path: Path) -> None:
        sequence = written(tmp_path, [("left_step", {"end_length": 0.6}), ("jump", {"length": 1.0})])
        words = [model, sequence, "-o", tmp_path / "a.ffm", "--no-transitions", "--json"]
        status, out, err = said("play", *words)
        assert (status, out) == (1, "")
        assert re.fullmatch(
            rf"footfall: {re.escape(str(sequence))}: movement 2: jump cannot begin where .*\n", err
        )
        assert list(tmp_path.iterdir()) == [sequence]

    def test_without_constraints(self, model: Path, walk: Path, said: Said, tmp_path: Path) -> None:
        """As in the paper: feet are where the blends have them, and nothing is promised."""
        values = told(said, model, walk, "-o", tmp_path / "a.ffm", "--no-constraints")
        wanted = load.load_model(model).play(WALK, constraints=False)
        assert values["placement_max_m"] is None
        assert values["slide_max_m"] > 1e-4
        assert_allclose(
            role_positions(ff.load_motion(tmp_path / "a.ffm")), role_positions(wanted), rtol=0, atol=1e-5
        )

    def test_a_hand_is_held(self, model: Path, said: Said, tmp_path: Path) -> None:
        held = {"kind": "left_step", "end_length": 0.5, "hold": {"right_hand": [-0.25, 1.05, 0.3]}}
        values = told(said, model, written(tmp_path, [held]), "-o", tmp_path / "a.ffm")
        motion = ff.load_motion(tmp_path / "a.ffm")
        assert values["clamped"] == []
        assert_allclose(
            motion.of("right_hand"), np.tile([-0.25, 1.05, 0.3], (len(motion), 1)), rtol=0, atol=1e-5
        )

    def test_an_upper_body_is_borrowed(self, model: Path, said: Said, tmp_path: Path) -> None:
        """The arms of a long step on the legs of a short one."""
        short = {"kind": "left_step", "start_length": 0.4, "end_length": 0.4}
        long = {"kind": "left_step", "start_length": 0.77, "end_length": 0.77}
        files = {"plain": [short], "borrowed": [{**short, "upper": long}], "long": [long]}
        found = {}
        for name, movements in files.items():
            told(said, model, written(tmp_path, movements), "-o", tmp_path / f"{name}.ffm", "--fps", 30)
            found[name] = ff.load_motion(tmp_path / f"{name}.ffm")
        plain, borrowed, lent = found["plain"], found["borrowed"], found["long"]
        assert_allclose(borrowed.of("left_foot"), plain.of("left_foot"), rtol=0, atol=2e-3)
        reach = {name: np.ptp((m.of("left_hand") - m.of("hips"))[:, 2]) for name, m in found.items()}
        assert reach["borrowed"] == pytest.approx(reach["long"], rel=0.1)
        assert reach["borrowed"] > reach["plain"] + 0.3 * (reach["long"] - reach["plain"]) > 0.0
        assert len(borrowed) == len(plain)
        assert lent.seconds > 0.0

    def test_default(self, walk: Path, said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Without any model of one's own; a folder of that name changes nothing."""
        monkeypatch.chdir(tmp_path)
        Path("default").mkdir()
        told(said, "default", walk, "-o", tmp_path / "a.ffm")
        wanted = default_movements().play(WALK)
        assert_allclose(
            role_positions(ff.load_motion(tmp_path / "a.ffm")), role_positions(wanted), rtol=0, atol=1e-5
        )


class TestRefusals:
    @pytest.mark.parametrize(
        ("movements", "sentence"),
        [
            (
                [{"kind": "hop"}],
                "movements[1].kind: no kind of movement is called 'hop'; there are left_step, ",
            ),
            (
                [{"kind": "jump", "lenght": 1}],
                "movements[1]: jump has no parameter 'lenght'; it has length 0.40 ",
            ),
            (
                [{"kind": "left_step", "turn": 1.0}],
                "movements[1]: left_step has no parameter 'turn'; it has ",
            ),
            (
                [{"kind": "left_step", "upper": {"kind": "hop"}}],
                "movements[1].upper.kind: no kind of movement is called 'hop'",
            ),
            (
                [{"kind": "left_step", "upper": {"kind": "left_step", "speed": 2}}],
                "movements[1].upper: left_step has no parameter 'speed'; it has start_length",
            ),
            ([{"kind": "jump", "length": 50}], "movement 2: jump cannot be length 50.00"),
            ([{"kind": "x" * 199}], "movements[1].kind: no kind of movement is called 'xxx"),
        ],
    )
    def test_movements_that_there_are_not(
        self, movements: list[Any], sentence: str, model: Path, said: Said, tmp_path: Path
    ) -> None:
        sequence = written(tmp_path, [("left_step", {"end_length": 0.0}), *movements])
        status, out, err = said("play", model, sequence, "-o", tmp_path / "a.ffm", "--json")
        assert (status, out) == (1, "")
        assert re.fullmatch(rf"footfall: {re.escape(f'{sequence}: {sentence}')}.*\n", err)
        assert len(err) < 500
        assert list(tmp_path.iterdir()) == [sequence]

    @pytest.mark.parametrize(
        ("words", "sentence"),
        [
            (["--fps", "5"], "--fps must be between 10 and 1000 Hz, not 5"),
            (["--fps", "nan"], "--fps must be between 10 and 1000 Hz, not nan"),
            (["-o", "a.doc"], "a.doc: the ending must be one of .bvh, .glb, .amass.npz, .ffm"),
            (["-o", "nowhere/a.bvh"], "a.bvh: cannot be written (there is no folder "),
            (["--plan", "nowhere/a.json"], "a.json: cannot be written (there is no folder "),
            (["--plan", "a.txt"], "a.txt: the ending must be .json"),
            (["--plan", "a.json", "--no-constraints"], "--plan tells where feet stand: without constraints"),
        ],
    )
    def test_one_sentence_and_nothing_written(
        self, words: list[str], sentence: str, model: Path, walk: Path, said: Said, tmp_path: Path
    ) -> None:
        places = [tmp_path / w if re.search(r"\ba\.\w+$", w) else w for w in words]
        target = [] if "-o" in words else ["-o", tmp_path / "a.bvh"]
        status, out, err = said("play", model, walk, *places, *target, "--json")
        assert (status, out) == (1, "")
        assert re.fullmatch(rf"footfall: .*{re.escape(sentence)}.*\n", err)
        assert not list(tmp_path.iterdir())

    def test_files_that_are_something_else(self, model: Path, walk: Path, said: Said, tmp_path: Path) -> None:
        out = tmp_path / "a.bvh"
        for words, wrong in (((walk, walk), walk), ((model, model), model), (("none", walk), "none")):
            status, said_out, err = said("play", *words, "-o", out)
            assert (status, said_out) == (1, "")
            assert re.fullmatch(rf"footfall: {re.escape(str(wrong))}: .*\n", err)
        assert not list(tmp_path.iterdir())

    def test_inputs_are_not_written_over(self, model: Path, walk: Path, said: Said, tmp_path: Path) -> None:
        before = walk.read_bytes()
        status, out, err = said("play", model, walk, "-o", tmp_path / "a.bvh", "--plan", walk)
        assert (status, out) == (1, "")
        assert err == f"footfall: {walk} is what is read: it is not written over\n"
        assert walk.read_bytes() == before
        assert not list(tmp_path.iterdir())

    def test_both_files_or_none(
        self, model: Path, walk: Path, said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(*_: object) -> bytes:
            raise ff.SaveError("this figure cannot be told")

        monkeypatch.setattr(save, "_encode", refuse)
        words = [model, walk, "-o", tmp_path / "a.bvh", "--plan", tmp_path / "a.json"]
        assert said("play", *words) == (1, "", "footfall: this figure cannot be told\n")
        assert not list(tmp_path.iterdir())

    @pytest.mark.parametrize("words", [[], ["default"], ["default", "s.json"], ["default", "-o", "a.bvh"]])
    def test_usage(
        self, words: list[str], said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        status, out, err = said("play", *words)
        assert (status, out) == (2, "")
        assert re.fullmatch(r"footfall: .+\n", err)
        assert not list(tmp_path.iterdir())


def test_the_help_shows_a_file_that_can_be_played(model: Path, said: Said, tmp_path: Path) -> None:
    _, out, _ = said("play", "--help")
    shown = re.search(r'\{"version": 1, "movements": \[.*?\]\}', out, re.DOTALL)
    assert shown is not None
    sequence = tmp_path / "sequence.json"
    sequence.write_text(shown[0])
    assert read_sequence(sequence)[0] == {"kind": "left_step", "end_length": 0.6}
    status, _, err = said("play", model, sequence, "-o", tmp_path / "a.ffm")
    assert status == 0, err


class TestDemo:
    def test_slabs_and_jumps(self) -> None:
        """From standing to standing, every footprint as asked, nothing clamped."""
        acts = {act.name: act.motion for act in demo._movements()}
        assert acts.keys() == {"movement_library", "movement_jumps", "movement_general_steps"}
        for name, motion in acts.items():
            assert isinstance(motion, PlayedMovements)
            assert motion.clamped == ()
            found = motion.certificate()
            assert found.placement_max_m is not None
            assert found.placement_max_m < 1e-6
            assert found.slide_max_m is not None
            assert found.slide_max_m < 1e-6
            assert found.acceleration_ratio is not None
            assert found.acceleration_ratio < 2.0
            if name == "movement_general_steps":  # which goes round a bend
                continue
            first, last = (motion.positions[k, motion.skeleton.joint("hips")] for k in (0, -1))
            for frame in (0, -1):
                left, right = (motion.of(f"{side}_foot")[frame, 2] for side in ("left", "right"))
                assert abs(left - right) < 0.02
            assert last[2] - first[2] > 3.0
        slabs = acts["movement_library"]
        assert isinstance(slabs, PlayedMovements)
        assert slabs.plan is not None
        ahead = np.diff([p.position[2] for p in slabs.plan.placements[1:]])
        assert len(ahead) == 8
        assert ((ahead[:-1] > 0.38) & (ahead[:-1] < 0.78)).all()
        assert np.ptp(ahead[:-1]) > 0.2
        assert ahead[-1] == pytest.approx(0.0, abs=1e-3)
