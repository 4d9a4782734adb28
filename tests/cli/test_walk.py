"""`footfall walk`: what is asked is walked, with the keys that scripts depend on; refusals leave nothing."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import footfall as ff
from footfall.cli import demo
from footfall.cli.demo_walk import STICK
from footfall.figure.soles import sole_places
from footfall.formats.commands_file import Command
from footfall.models.ring import default
from footfall.models.ring.graph import RingGraph
from tests.cli.conftest import Said
from tests.models.ring.rings import small_graph, small_ring

ASKED: list[dict[str, Any]] = [
    {"time": 0.2, "heading_deg": 20, "step_length": 0.6, "gait": "walk"},
    {"time": 2.0, "turn_deg": -30},
    {"time": 3.5, "gait": "rest"},
]
KEYS = {"frames_per_second", "response_s", "strikes", "foot_points", "remarks", "file"}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("models") / "gaits.ffmodel"
    small_graph().save(path)
    return path


@pytest.fixture(scope="module")
def stick(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return stated(tmp_path_factory.mktemp("sticks"), *ASKED)


def stated(folder: Path, *commands: object) -> Path:
    path = folder / "stick.json"
    path.write_text(json.dumps({"version": 1, "commands": commands}))
    return path


def told(said: Said, *words: object) -> dict[str, Any]:
    status, out, err = said("walk", *words, "--json")
    values = json.loads(out)
    assert (status, out.count("\n")) == (0, 1), err
    assert err.splitlines() == [f"{values['file']}: {sentence}" for sentence in values["remarks"]]
    return values


class TestContract:
    def test_keys_and_the_file(self, model: Path, stick: Path, said: Said, tmp_path: Path) -> None:
        out = tmp_path / "a.bvh"
        values = told(said, model, "--commands", stick, "--seconds", 5, "-o", out)
        motion = ff.load_motion(out)
        assert values.keys() == ff.certificate(motion).as_dict().keys() | KEYS
        assert (len(motion), round(motion.fps, 6)) == (301, 60.0)
        assert values["contacts"] == "given"
        assert values["slide_max_m"] < 1e-3
        assert values["penetration_max_m"] < 5e-3
        assert values["acceleration_ratio"] > 0.0
        assert values["clamped"] == values["remarks"] == []
        assert values["frames_per_second"] > 1e3
        assert 0.0 <= values["response_s"]["mean"] <= values["response_s"]["worst"] < 0.4
        assert values["strikes"] >= 5
        assert values["foot_points"].keys() == {"left", "right"}
        assert list(tmp_path.iterdir()) == [out]

    @pytest.mark.parametrize("name", ["a.bvh", "a.glb", "a.ffm", "a.amass.npz"])
    def test_what_is_written_is_the_walk(
        self, name: str, model: Path, stick: Path, said: Said, tmp_path: Path
    ) -> None:
        told(said, model, "--commands", stick, "--seconds", 3, "-o", tmp_path / name)
        made = ff.walk(ff.load_model(model, RingGraph), ff.load_commands(stick), 3.0)
        if name != "a.amass.npz":  # a figure of its own
            roles = ("hips", "left_foot", "right_foot", "head")
            found = ff.load_motion(tmp_path / name)
            for role in roles:
                assert_allclose(found.of(role), made.of(role), atol=2e-5)

    def test_where_it_begins(self, model: Path, said: Said, tmp_path: Path) -> None:
        """A negative place is no option; 90 degrees are to the left, +X."""
        stick, out = stated(tmp_path), tmp_path / "a.ffm"
        words = ["--start", "-3,2.5", "--heading-deg", 90, "--gait", "walk", "--fps", 30]
        told(said, model, "--commands", stick, "--seconds", 4, "-o", out, *words)
        motion = ff.load_motion(out)
        assert (len(motion), motion.fps) == (121, 30.0)
        assert_allclose(motion.root[0, [0, 2]], [-3.0, 2.5], atol=0.4)
        moved = motion.root[-1] - motion.root[0]
        assert moved[0] > 2.5
        assert abs(moved[2]) < 0.4

    def test_on_terrain_without_a_foot_lock(
        self, model: Path, stick: Path, said: Said, tmp_path: Path
    ) -> None:
        """The soles are where the ground is, judged by the ground alone."""
        words = [model, "--commands", stick, "--seconds", 5, "--terrain", "bumps:7"]
        free = told(said, *words, "--no-foot-lock", "-o", tmp_path / "a.ffm")
        locked = told(said, *words, "-o", tmp_path / "b.ffm")
        assert locked["slide_max_m"] < 1e-3 < free["slide_max_m"] < 0.08
        ground = ff.open_terrain("bumps:7")
        motion = ff.load_motion(tmp_path / "b.ffm")
        assert motion.contacts is not None
        for side in ("left", "right"):
            soles = sole_places(motion, side)[motion.contacts.flat(side)]
            over = soles[..., 1] - ground.height(soles[..., 0], soles[..., 2])
            assert over.min() > -5e-3
            assert over.min(axis=1).max() < 5e-3

    def test_a_ring_alone(self, stick: Path, said: Said, tmp_path: Path) -> None:
        small_ring().save(tmp_path / "ring.ffmodel")
        asked = stated(tmp_path, {"time": 1, "turn_deg": 30})
        words = [tmp_path / "ring.ffmodel", "--commands", asked, "--seconds", 3, "-o", tmp_path / "a.glb"]
        assert told(said, *words)["strikes"] >= 4

    def test_remarks(self, model: Path, said: Said, tmp_path: Path) -> None:
        """A step that no loop has is said, and in the certificate."""
        asked = stated(tmp_path, {"time": 0, "step_length": 5})
        values = told(said, model, "--commands", asked, "--seconds", 1, "-o", tmp_path / "a.bvh")
        assert len(values["remarks"]) == 1
        assert values["remarks"][0].startswith("0.00 s: step_length 5.00 m: steps of walk are 0.")
        assert values["clamped"] == values["remarks"]

    def test_nothing_asked(self, model: Path, said: Said, tmp_path: Path) -> None:
        words = [model, "--commands", stated(tmp_path), "--seconds", 0.5, "-o", tmp_path / "a.bvh"]
        assert told(said, *words)["response_s"] is None

    def test_lines_for_people(self, model: Path, stick: Path, said: Said, tmp_path: Path) -> None:
        """And twice the same file."""
        outs = [tmp_path / "a.glb", tmp_path / "b.glb"]
        for out in outs:
            status, lines, err = said("walk", model, "--commands", stick, "--seconds", 5, "-o", out)
            first, *rest = lines.splitlines()
            assert (status, err) == (0, "")
            assert re.fullmatch(
                rf"{re.escape(str(out))}: \d+ strikes, 301 frames at 60 Hz, 5\.0 s; \d+ frames stepped a .*",
                first,
            )
            assert [line.split()[-1] for line in rest[:3]] == ["rest", "walk", "rest"]
            assert re.fullmatch(
                r"inputs entered the search after \d+ ms in the mean, \d+ ms at worst", rest[3]
            )
            assert rest[4].startswith("placement unknown, slide 0.")
        assert outs[0].read_bytes() == outs[1].read_bytes()

    def test_the_help_shows_commands_that_can_be_walked(self, said: Said, tmp_path: Path) -> None:
        _, out, _ = said("walk", "--help")
        shown = re.search(r'\{"version": 1, "commands": \[.*?\}\]\}', out, re.DOTALL)
        assert shown is not None
        (tmp_path / "stick.json").write_text(shown[0])
        assert [c.gait for c in ff.load_commands(tmp_path / "stick.json")] == ["walk", None, "run", "rest"]

    def test_the_default(
        self, stick: Path, said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(default, "default_gaits", lambda progress: small_graph())
        values = told(said, "default", "--commands", stick, "--seconds", 2, "-o", tmp_path / "a.bvh")
        assert values["strikes"] >= 1


class TestRefusals:
    @pytest.mark.parametrize(
        ("words", "sentence"),
        [
            (["--seconds", "0"], "--seconds must be between 0.0166667 and 7200, not 0"),
            (["--seconds", "-1"], "--seconds must be between 0.0166667 and 7200, not -1"),
            (["--seconds", "nan"], "--seconds must be between 0.0166667 and 7200, not nan"),
            (["--seconds", "inf"], "--seconds must be between 0.0166667 and 7200, not inf"),
            (["--seconds", "7000", "--fps", "1000"], "7000 s at 1000 Hz are 7000001 frames; at most"),
            (["--fps", "5"], "--fps must be between 10 and 1000 Hz, not 5"),
            (["--fps", "nan"], "--fps must be between 10 and 1000 Hz, not nan"),
            (["--terrain", "moon:1"], "terrain 'moon:1' is neither a file nor a generator"),
            (["--terrain", "bumps:7", "--start", "0,90"], "there is no ground at (0, 90) to begin on"),
            (["--terrain", "stones:7", "--start", "900,0"], "there is no ground at (900, 0) to begin on"),
            (["--start", "here"], "--start takes X,Z in metres such as 1.5,-2, not 'here'"),
            (["--start", "1"], "--start takes X,Z in metres such as 1.5,-2, not '1'"),
            (["--start", "1,2,3"], "--start takes X,Z in metres such as 1.5,-2, not '1,2,3'"),
            (["--start", "nan,0"], "--start takes X,Z in metres such as 1.5,-2, not 'nan,0'"),
            (["--start", "0,1e300"], "--start takes X,Z in metres such as 1.5,-2, not '0,1e300'"),
            (["--heading-deg", "nan"], "--heading-deg must be between -36000 and 36000, not nan"),
            (["--gait", "hop"], "there is no gait 'hop'; there are walk, rest, trudge"),
            (["-o", "a.doc"], "a.doc: the ending must be one of .bvh, .glb, .amass.npz, .ffm"),
            (["-o", "nowhere/a.bvh"], "a.bvh: cannot be written (there is no folder "),
        ],
    )
    def test_one_sentence_and_nothing_written(
        self, words: list[str], sentence: str, model: Path, stick: Path, said: Said, tmp_path: Path
    ) -> None:
        places = [tmp_path / w if re.search(r"\ba\.\w+$", w) else w for w in words]
        usual = {"--seconds": "2", "-o": tmp_path / "a.bvh"}
        filled = [word for option, value in usual.items() if option not in words for word in (option, value)]
        status, out, err = said("walk", model, "--commands", stick, *places, *filled, "--json")
        assert (status, out) == (1, "")
        assert re.fullmatch(rf"footfall: .*{re.escape(sentence)}.*\n", err)
        assert not list(tmp_path.iterdir())

    @pytest.mark.parametrize(
        ("commands", "sentence"),
        [
            (
                [{"time": 0, "gait": "hop"}],
                "commands[0].gait: there is no gait 'hop'; there are walk, rest, tr",
            ),
            ([{"time": 0}, {"time": 0}], "commands[1].time: must come after that of the command before"),
            ([{"time": -1}], "commands[0].time: must be 0 to 86400 s, not -1"),
            (
                [{"time": 0, "heading_deg": 1, "turn_deg": 1}],
                "commands[0].turn_deg: cannot stand beside head",
            ),
            ([{"time": 0, "step_length": float("nan")}], "commands[0].step_length: must be a finite number"),
            ([{"time": 0, "speed": 3}], "commands[0].speed: is no field of a command"),
            (["walk"], "commands[0]: must be an object, not 'walk'"),
        ],
    )
    def test_commands(
        self, commands: list[object], sentence: str, model: Path, said: Said, tmp_path: Path
    ) -> None:
        path = stated(tmp_path, *commands)
        status, out, err = said(
            "walk", model, "--commands", path, "--seconds", 2, "-o", tmp_path / "a.bvh", "--json"
        )
        assert (status, out) == (1, "")
        assert re.fullmatch(rf"footfall: {re.escape(str(path))}: {re.escape(sentence)}.*\n", err)
        assert list(tmp_path.iterdir()) == [path]

    def test_files_that_are_something_else(
        self, model: Path, stick: Path, said: Said, tmp_path: Path
    ) -> None:
        """Whatever is given for a model or commands, it is named."""
        none, long, out = tmp_path / "none.json", Path("x" * 300), tmp_path / "a.bvh"
        cases: list[tuple[object, object, object]] = [
            *((stick, stick, stick), (model, model, model), ("none", stick, "none"), (none, stick, none)),
            *((model, none, none), (model, tmp_path, tmp_path), (model, long, long)),
        ]
        for first, second, wrong in cases:
            status, said_out, err = said("walk", first, "--commands", second, "--seconds", 1, "-o", out)
            assert (status, said_out) == (1, "")
            assert re.match(rf"footfall: {re.escape(str(wrong))}: .*\n", err)
            assert err.count("\n") == 1
        assert not list(tmp_path.iterdir())

    def test_a_movement_library_is_no_ring(self, stick: Path, said: Said, tmp_path: Path) -> None:
        library = tmp_path / "movements.ffmodel"
        walk = ff.VirtualActor().start_and_stop(1.3, steps=5).motion
        ff.build_movements([walk], pseudo_examples=0).save(library)
        status, out, err = said(
            "walk", library, "--commands", stick, "--seconds", 1, "-o", tmp_path / "a.bvh"
        )
        assert (status, out) == (1, "")
        says = "this is a movement library (MovementLibrary), not a ring graph or a motion ring"
        assert err == f"footfall: {library}: {says}\n"
        assert list(tmp_path.iterdir()) == [library]

    def test_commands_are_not_written_over(self, model: Path, said: Said, tmp_path: Path) -> None:
        path = tmp_path / "stick.bvh"
        path.write_text("as it was")
        status, out, err = said("walk", model, "--commands", path, "--seconds", 1, "-o", path)
        assert (status, out) == (1, "")
        assert err == f"footfall: {path} is what is read: it is not written over\n"
        assert path.read_text() == "as it was"

    @pytest.mark.parametrize(
        "words",
        [
            *([], ["default"], ["default", "--commands", "a.json", "-o", "a.bvh"]),
            *(
                ["default", "--seconds", "3", "-o", "a.bvh"],
                ["default", "--commands", "a.json", "--seconds", "3"],
            ),
            ["default", "--commands", "a.json", "--seconds", "long", "-o", "a.bvh"],
            ["default", "--commands", "a.json", "--seconds", "3", "-o", "a.bvh", "--fps", "fast"],
            ["default", "b", "--commands", "a.json", "--seconds", "3", "-o", "a.bvh"],
        ],
    )
    def test_usage(
        self, words: list[str], said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        status, out, err = said("walk", *words)
        assert (status, out) == (2, "")
        assert re.fullmatch(r"footfall: .+\n", err)
        assert not list(tmp_path.iterdir())


class TestDemo:
    def test_the_stick_goes_through_its_gaits(self) -> None:
        """From a stand to a stand, through a run, on ground that is there; feet stand, nothing jerks."""
        (act,) = demo._driven()
        made = act.motion
        assert isinstance(made, ff.WalkedGait)
        assert act.name == "ring_walk"
        assert [name for _, name in made.gaits] == ["rest", "walk", "run", "walk", "rest"]
        assert made.remarks == ()
        found = made.certificate()
        assert found.slide_max_m is not None
        assert found.slide_max_m < 1e-3
        assert found.penetration_max_m is not None
        assert found.penetration_max_m < 5e-3
        assert found.acceleration_ratio is not None
        assert found.acceleration_ratio < 2.0
        headings = [c.heading for c in STICK if c.heading is not None]
        assert np.ptp(headings) > 0.8
        assert made.root[-1, 2] > 10.0

    def test_its_gaits_are_commands(self) -> None:
        assert all(isinstance(one, Command) for one in STICK)
        assert {c.gait for c in STICK} >= {"walk", "run", "rest"}
