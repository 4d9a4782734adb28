"""What `footfall step` refuses: in one sentence that names the footprint, and nothing is written."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import footfall as ff
from footfall.formats import save
from footfall.models.stepspace.selectors import SELECTORS
from tests.cli.conftest import Said
from tests.cli.test_step import PLACES, model, plan, plan_of, read_once

__all__ = ("model", "plan", "read_once")  # fixtures


class TestRefusals:
    @pytest.mark.parametrize(
        ("steps", "sentence"),
        [
            ([], "the plan has no steps"),
            (PLACES[:1], "steps[1]: is missing, there are 1: a plan needs where both feet start"),
            (PLACES[:2], "steps[2]: is missing, there are 2: a plan needs where both feet start"),
            ([PLACES[0], PLACES[2], PLACES[3]], "steps[1]: must be where the right foot starts"),
        ],
    )
    def test_plans_without_steps(
        self, steps: Any, sentence: str, model: Path, said: Said, tmp_path: Path
    ) -> None:
        self._refused(plan_of(steps).encode(), sentence, model, said, tmp_path)

    @pytest.mark.parametrize(
        ("change", "sentence"),
        [
            (lambda s: s[3].pop("position"), "steps[3]: Object missing required field `position`"),
            (lambda s: s[2].update(foot="tail"), "steps[2]: foot must be 'left' or 'right', not 'tail'"),
            (lambda s: s[2]["position"].pop(), "steps[2].position: Expected `array` of length 3"),
            (lambda s: s[2].update(position=[0, float("nan"), 0]), "steps[2]: position"),
            (lambda s: s[4].update(swing=-1.0), "steps[4]: swing must be positive"),
            (lambda s: s[3].update(side="left"), "steps[3]: Object contains unknown field `side`"),
        ],
    )
    def test_fields(self, change: Any, sentence: str, model: Path, said: Said, tmp_path: Path) -> None:
        document = json.loads(plan_of(PLACES).encode())
        change(document["steps"])
        self._refused(json.dumps(document).encode(), sentence, model, said, tmp_path)

    @pytest.mark.parametrize("content", [b"", b"{", b"[]", b"walk", b"\xff\xfe", b"{" * 10_000])
    def test_what_is_no_plan(self, content: bytes, model: Path, said: Said, tmp_path: Path) -> None:
        self._refused(content, "", model, said, tmp_path)

    @pytest.mark.parametrize(("x", "y", "z"), [(0.1, 0.0, 3.0), (0.1, 2.0, 0.4), (1.6, 0.0, 0.4)])
    def test_a_footprint_that_no_leg_reaches(
        self, x: float, y: float, z: float, model: Path, said: Said, tmp_path: Path
    ) -> None:
        far = plan_of([*PLACES[:3], ("right", x, y, z)])
        self._refused(far.encode(), "steps[3]: ", model, said, tmp_path)

    def _refused(self, content: bytes, sentence: str, model: Path, said: Said, folder: Path) -> None:
        path = folder / "plan.json"
        path.write_bytes(content)
        words = ["-o", folder / "a.bvh", "--plan", folder / "b.json", "--json"]
        status, out, err = said("step", model, path, *words)
        assert (status, out) == (1, "")
        assert re.match(rf"footfall: {re.escape(str(path))}: (is no foot plan: )?{re.escape(sentence)}", err)
        assert err.count("\n") == 1
        assert len(err) < 500
        assert list(folder.iterdir()) == [path]

    @pytest.mark.parametrize(
        ("words", "sentence"),
        [
            (["--fps", "5"], "--fps must be between 10 and 1000 Hz, not 5"),
            (["--fps", "nan"], "--fps must be between 10 and 1000 Hz, not nan"),
            (["--stretch", "-1"], "--stretch must be between 0 and 3 m, not -1"),
            (["--stretch", "nan"], "--stretch must be between 0 and 3 m, not nan"),
            (["--selector", "best"], f"--selector must be one of {', '.join(SELECTORS)}, not 'best'"),
            (["--terrain", "moon:1"], "terrain 'moon:1' is neither a file nor a generator"),
            (["--skeleton", "a.asf"], "--skeleton is for a motion: "),
            (["-o", "a.doc"], "a.doc: the ending must be one of .bvh, .glb, .amass.npz, .ffm"),
            (["-o", "nowhere/a.bvh"], "a.bvh: cannot be written (there is no folder "),
            (["--plan", "nowhere/a.json"], "a.json: cannot be written (there is no folder "),
            (["--plan", "a.txt"], "a.txt: the ending must be .json"),
        ],
    )
    def test_one_sentence_and_nothing_written(
        self, words: list[str], sentence: str, model: Path, plan: Path, said: Said, tmp_path: Path
    ) -> None:
        places = [tmp_path / w if re.search(r"\ba\.\w+$", w) else w for w in words]
        target = [] if "-o" in words else ["-o", tmp_path / "a.bvh"]
        status, out, err = said("step", model, plan, *places, *target, "--json")
        assert (status, out) == (1, "")
        assert re.fullmatch(rf"footfall: .*{re.escape(sentence)}.*\n", err)
        assert not list(tmp_path.iterdir())

    def test_files_that_are_something_else(self, model: Path, plan: Path, said: Said, tmp_path: Path) -> None:
        """Whatever is given for a model or a plan, it is named."""
        out, none, long = tmp_path / "a.bvh", tmp_path / "none.json", Path("x" * 300)
        cases: list[tuple[tuple[object, object], object]] = [
            *(((plan, plan), plan), ((model, model), model), (("none", plan), "none")),
            *(((model, none), none), ((model, tmp_path), tmp_path), ((model, long), long)),
        ]
        for words, wrong in cases:
            status, said_out, err = said("step", *words, "-o", out)
            assert (status, said_out) == (1, "")
            assert re.match(rf"footfall: {re.escape(str(wrong))}: .*\n", err)
        assert not list(tmp_path.iterdir())

    def test_a_movement_library_is_no_step_space(self, plan: Path, said: Said, tmp_path: Path) -> None:
        library = tmp_path / "movements.ffmodel"
        walk = ff.VirtualActor().start_and_stop(1.3, steps=5).motion
        ff.build_movements([walk], pseudo_examples=0).save(library)
        status, out, err = said("step", library, plan, "-o", tmp_path / "a.bvh")
        assert (status, out) == (1, "")
        assert re.fullmatch(rf"footfall: {re.escape(str(library))}: .*movement library.*step space.*\n", err)
        assert list(tmp_path.iterdir()) == [library]

    def test_inputs_are_not_written_over(self, model: Path, plan: Path, said: Said, tmp_path: Path) -> None:
        before = plan.read_bytes()
        status, out, err = said("step", model, plan, "-o", tmp_path / "a.bvh", "--plan", plan)
        assert (status, out) == (1, "")
        assert err == f"footfall: {plan} is what is read: it is not written over\n"
        assert plan.read_bytes() == before
        assert not list(tmp_path.iterdir())

    def test_both_files_or_none(
        self, model: Path, plan: Path, said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(*_: object) -> bytes:
            raise ff.SaveError("this figure cannot be told")

        monkeypatch.setattr(save, "_encode", refuse)
        words = [model, plan, "-o", tmp_path / "a.bvh", "--plan", tmp_path / "a.json"]
        assert said("step", *words) == (1, "", "footfall: this figure cannot be told\n")
        assert not list(tmp_path.iterdir())

    @pytest.mark.parametrize(
        "words",
        [
            *([], ["default"], ["default", "p.json"], ["default", "-o", "a.bvh"]),
            *(["default", "p.json", "-o", "a.bvh", "--fps", "fast"], ["default", "p.json", "-o"]),
        ],
    )
    def test_usage(
        self, words: list[str], said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        status, out, err = said("step", *words)
        assert (status, out) == (2, "")
        assert re.fullmatch(r"footfall: .+\n", err)
        assert not list(tmp_path.iterdir())
