"""`footfall perform`: a session as files, with its truth."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from footfall.actor.virtual_actor import VirtualActor
from footfall.formats.load import load_motion
from tests.cli.conftest import Said


def test_a_session_as_files_is_the_session(said: Said, tmp_path: Path) -> None:
    status, out, err = said("perform", "movements", "--out", tmp_path, "--seed", "1", "--json")
    values = json.loads(out)
    truth = json.loads((tmp_path / "truth.json").read_text())
    examples = VirtualActor(1).perform("movements")
    assert status == 0
    assert err.count("\n") == 1
    assert values["files"] == [take["file"] for take in truth["takes"]] == [f"{e.name}.ffm" for e in examples]
    for example, take in zip(examples, truth["takes"], strict=True):
        assert take["keytimes"] == list(example.keytimes)
        assert take["parameters"] == dict(example.parameters)
    motion = load_motion(tmp_path / values["files"][3])
    assert np.abs(motion.positions - examples[3].motion.positions).max() < 1e-5
    assert motion.contacts is not None
    assert examples[3].motion.contacts is not None
    assert np.array_equal(motion.contacts.heel, examples[3].motion.contacts.heel)


def test_other_endings(said: Said, tmp_path: Path) -> None:
    assert said("perform", "walk", "--out", tmp_path, "--ending", ".bvh")[:2] == (0, "walk.bvh\n")
    assert load_motion(tmp_path / "walk.bvh").fps == pytest.approx(120.0)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["dance"], "no session is called 'dance'; there are rings, movements, stepping, walk, body"),
        (["walk", "--ending", ".doc"], "--ending is one of .ffm, .bvh, .glb, .amass.npz, not '.doc'"),
        (["walk", "--seed", "-1"], "seed must be a whole number from 0"),
    ],
)
def test_refusals(said: Said, tmp_path: Path, words: list[str], why: str) -> None:
    status, out, err = said("perform", *words, "--out", tmp_path / "takes")
    assert (status, out) == (1, "")
    assert why in err
    assert not (tmp_path / "takes").exists()


def test_nothing_is_performed_for_a_folder_that_cannot_be_made(
    said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("performed too early")

    monkeypatch.setattr("footfall.actor.virtual_actor.VirtualActor.perform", refuse)
    (tmp_path / "file").write_text("no folder")
    for out in (tmp_path / "file", tmp_path / "file" / "takes"):
        status, _, err = said("perform", "body", "--out", out)
        assert status == 1
        assert err.startswith(f"footfall: {out}: cannot be made (")


def test_no_folder_is_made_for_a_session_that_is_not_there(said: Said, tmp_path: Path) -> None:
    assert said("perform", "nonsense", "--out", tmp_path / "takes")[0] == 1
    assert said("perform", "body", "--seed", -1, "--out", tmp_path / "takes")[0] == 1
    assert list(tmp_path.iterdir()) == []
