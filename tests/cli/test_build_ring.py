"""`footfall build ring`: gaits of clips, connected, in one file; a refusal leaves nothing behind."""

from __future__ import annotations

import json
import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from numpy.testing import assert_allclose

import footfall as ff
from footfall.cli import run
from footfall.models.load import load_model
from footfall.models.ring.graph import RingGraph
from footfall.models.ring.model import MotionRing
from footfall.models.ring.store import ring_bytes
from tests.captures import captures, needs_captures
from tests.cli.conftest import Said


@pytest.fixture(scope="module")
def clips(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Walks and a stand, as files that know no contacts."""
    folder, actor = tmp_path_factory.mktemp("clips"), ff.VirtualActor()
    takes = {
        "slow": actor.walk(0.9, steps=6),
        "fast": actor.walk(1.4, steps=6),
        "bend": actor.walk(1.2, turn_rate=0.5, steps=6),
        "stand": actor.idle(3.0),
    }
    for name, take in takes.items():
        ff.save_motion(take.motion, folder / f"{name}.bvh")
    return sorted(folder.iterdir(), key=lambda path: list(takes).index(path.stem))


def told(said: Said, *words: object) -> dict[str, Any]:
    status, out, err = said("build", "ring", *words, "--json")
    assert status == 0, err
    values = json.loads(out)
    assert values.keys() == {"examples", "bytes", "seconds", "space", "rings", "left_out"}
    assert err.splitlines() == values["left_out"]
    return values


Built = tuple[dict[str, Any], Path]


@pytest.fixture(scope="module")
def built(clips: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Built:
    """What was said of a model, and its file; built once."""
    out, lines = tmp_path_factory.mktemp("models") / "a.ffmodel", StringIO()
    with redirect_stdout(lines):
        assert run(["build", "ring", *map(str, clips), "-o", str(out), "--json"]) == 0
    return json.loads(lines.getvalue()), out


class TestContract:
    def test_keys_tell_what_is_in_the_file(self, built: Built) -> None:
        values, out = built
        assert values.keys() == {"examples", "bytes", "seconds", "space", "rings", "left_out"}
        graph = load_model(out, RingGraph)
        assert set(graph) == {"walk", "rest"}
        assert values["examples"] == {name: len(graph[name]) for name in graph}
        assert values["bytes"] == out.stat().st_size
        assert 0.0 < values["seconds"] < 120.0
        assert values["rings"].keys() == set(graph)
        for name, size in values["rings"].items():
            assert size == pytest.approx(len(ring_bytes(graph[name])), rel=0.01)
            assert size < 200_000
        for name, rows in values["space"].items():
            space = graph[name].space
            assert [(row["name"], row["unit"]) for row in rows] == list(
                zip(space.names, space.units, strict=True)
            )
            bounds = [(row["low"], row["high"]) for row in rows]
            assert_allclose(bounds, list(zip(*space.bounds, strict=True)), atol=1e-4)
        assert list(out.parent.iterdir()) == [out]
        # the stand has no steps, and the rest is made of it
        assert any(
            "stand.bvh" in sentence and " is left out: " in sentence for sentence in values["left_out"]
        )

    def test_parameters_are_those_of_the_clips(self, built: Built) -> None:
        turn, length, rise = built[0]["space"]["walk"]
        assert_allclose([turn["low"], turn["high"]], [-0.28, 0.28], atol=0.06)  # mirrored; 0.5 rad/s
        assert turn["low"] == pytest.approx(-turn["high"], abs=0.02)
        assert 0.5 < length["low"] < 0.62
        assert 0.7 < length["high"] < 0.8
        assert_allclose([rise["low"], rise["high"]], 0.0, atol=0.02)

    def test_it_walks(self, built: Built, said: Said, tmp_path: Path) -> None:
        stick = tmp_path / "stick.json"
        stick.write_text('{"version": 1, "commands": [{"time": 0.2, "heading_deg": 0}]}')
        words = ["--commands", stick, "--seconds", 4, "-o", tmp_path / "a.ffm", "--json"]
        status, _, _ = said("walk", built[1], *words)
        assert status == 0
        assert ff.load_motion(tmp_path / "a.ffm").root[-1, 2] > 2.0


class TestWays:
    def test_combined(self, clips: list[Path], said: Said, tmp_path: Path) -> None:
        """One ring of what goes straight ahead; the bend is no part of it."""
        values = told(said, *clips, "--combined", "-o", tmp_path / "a.ffmodel")
        ring = load_model(tmp_path / "a.ffmodel", MotionRing)
        assert ring.combined
        assert ring.gait == "walk"
        assert values["examples"] == {"walk": len(ring)}
        assert values["rings"] == {"walk": pytest.approx(values["bytes"], rel=0.01)}
        assert not any("bend" in name for name in ring.names)
        turn = values["space"]["walk"][0]
        assert max(-turn["low"], turn["high"]) < 0.05

    def test_pieces_of_the_actor(self, said: Said, tmp_path: Path) -> None:
        words = ["actor:walk", "actor:run", "actor:stairs", "-o", tmp_path / "a.ffmodel"]
        values = told(said, *words)
        assert values["examples"].keys() >= {"walk"}
        names = [name for ring in load_model(tmp_path / "a.ffmodel").rings.values() for name in ring.names]
        assert {name.partition("#")[0].removesuffix(" mirrored") for name in names} <= {
            "actor:walk",
            "actor:run",
            "actor:stairs",
        }

    def test_lines_for_people(self, clips: list[Path], built: Built, said: Said, tmp_path: Path) -> None:
        """And twice the same file."""
        out = tmp_path / "a.ffmodel"
        status, lines, _ = said("build", "ring", *clips, "-o", out)
        first, *rest = lines.splitlines()
        assert status == 0
        assert re.fullmatch(
            rf"{re.escape(str(out))}: walk of \d+ loops, rest of 9 loops, \d+ kB, built in \d+\.\d s", first
        )
        assert re.fullmatch(r"  walk: \d+ loops, alone \d+ kB", rest[0])
        assert re.fullmatch(r"    turn_deg -1\d to 1\d", rest[1])
        assert re.fullmatch(r"    step_length 0\.\d\d to 0\.\d\d m", rest[2])
        assert re.fullmatch(r"  \d+ samples were left out", rest[-1])
        assert out.read_bytes() == built[1].read_bytes()

    @needs_captures
    def test_real_walks(self, said: Said, tmp_path: Path) -> None:
        files = [captures(f"walk/16_{n}.bvh") for n in ("16", "47")]
        status, line, err = said("build", "ring", *files, "-o", tmp_path / "a.ffmodel", "--json")
        assert status == 0, err
        values = json.loads(line)
        assert values["examples"]["walk"] >= 2
        assert 0.5 < values["space"]["walk"][1]["high"] < 1.1

    @pytest.mark.slow
    def test_the_whole_session(self, said: Said, tmp_path: Path) -> None:
        """43 walks and 43 runs, as they are: neither cut nor mirrored."""
        values = told(said, "actor:rings", "-o", tmp_path / "a.ffmodel")
        assert values["examples"].keys() == {"walk", "run"}
        assert values["left_out"] == []
        assert max(values["rings"].values()) < 200_000
        takes = {f"actor:rings {take.name}" for take in ff.VirtualActor().perform("rings")}
        graph = load_model(tmp_path / "a.ffmodel", RingGraph)
        assert {name for ring in graph.rings.values() for name in ring.names} <= takes


class TestRefusals:
    @pytest.mark.parametrize(
        ("words", "sentence"),
        [
            (["actor:idle"], "0 of 0 samples could be closed to a loop"),
            (["none.bvh"], "none.bvh: cannot be opened (No such file or directory)"),
            (["actor:rings@x"], "a person is a whole number, as in rings@3, not 'x'"),
            (["actor:rings", "--fps", "30"], "actor:rings is a session, no file: nothing can be said"),
            (["actor:walk", "--most", "9"], "--most is for movements: a ring takes the loops whose strikes"),
            (["actor:walk", "--rate", "30"], "--rate is for movements: a ring takes the loops whose strikes"),
            (
                ["actor:walk", "--no-mirror"],
                "--mirror is for movements: a ring takes the loops whose strikes",
            ),
            (
                ["actor:idle", "--combined"],
                "0 of 0 samples could be closed to a loop and walk straight ahead",
            ),
            (["actor:walk", "-o", "a.bvh"], "a.bvh: the ending must be .ffmodel"),
        ],
    )
    def test_one_sentence_and_nothing_written(
        self, words: list[str], sentence: str, said: Said, tmp_path: Path
    ) -> None:
        places = [tmp_path / w if re.search(r"\ba\.\w+$", w) else w for w in words]
        target = [] if "-o" in words else ["-o", tmp_path / "a.ffmodel"]
        status, out, err = said("build", "ring", *places, *target, "--json")
        assert (status, out) == (1, "")
        assert re.fullmatch(rf"footfall: .*{re.escape(sentence)}.*\n", err)
        assert not list(tmp_path.iterdir())

    @pytest.mark.parametrize("system", ["movements", "steps"])
    def test_combined_is_for_rings(self, system: str, said: Said, tmp_path: Path) -> None:
        status, out, err = said("build", system, "actor:walk", "--combined", "-o", tmp_path / "a.ffmodel")
        assert (status, out) == (1, "")
        assert err == f"footfall: --combined is for rings: {system} take every way that was captured\n"
        assert not list(tmp_path.iterdir())

    def test_usage(self, said: Said) -> None:
        for words in (["build", "ring"], ["build", "ring", "a.bvh"], ["build", "rings", "a.bvh", "-o", "b"]):
            status, out, err = said(*words)
            assert (status, out) == (2, "")
            assert re.fullmatch(r"footfall: .+\n", err)
