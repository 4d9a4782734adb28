"""`footfall build locomotion`: what is in the clips is in the model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import footfall as ff
from footfall.models.locomotion.model import Locomotion
from tests.cli.conftest import Said


@pytest.fixture(scope="module")
def clips(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A few of the actor's takes as files that know no contacts, and a jump."""
    folder, actor = tmp_path_factory.mktemp("clips"), ff.VirtualActor()
    takes = {
        "stand": actor.idle(4.0),
        "walk": actor.walk(1.2, steps=6),
        "left": actor.walk(1.1, turn_rate=0.6, steps=6),
        "aside": actor.strafe(0.5, steps=6),
        "back": actor.walk(-0.6, steps=6),
        "jump": actor.jump(0.8),
    }
    for name, take in takes.items():
        ff.save_motion(take.motion, folder / f"{name}.bvh")
    return [folder / f"{name}.bvh" for name in takes]


def test_a_space_from_files(said: Said, clips: list[Path], tmp_path: Path) -> None:
    target = tmp_path / "a.ffmodel"
    status, out, err = said("build", "locomotion", *clips, "-o", target, "--json")
    assert status == 0
    told = json.loads(out)
    assert (
        told["examples"]["locomotion"] == len(told["loops"]) == 7
    )  # turn and strafe to either side, the spot
    assert told["bytes"] == target.stat().st_size
    assert [row["name"] for row in told["space"]["locomotion"]] == ["speed", "turn_rate", "side_speed"]
    assert len(told["left_out"]) == err.count("is left out") == 1
    assert "jump" in told["left_out"][0]
    model = ff.load_model(target, Locomotion)
    low, high = model.space.bounds
    assert high[0] == pytest.approx(1.2, abs=0.06)
    assert low[0] == pytest.approx(-0.6, abs=0.06)
    assert min(-low[2], high[2]) == pytest.approx(0.5, abs=0.05)
    for row, low_end, high_end in zip(told["space"]["locomotion"], low, high, strict=True):
        assert (row["low"], row["high"]) == pytest.approx((low_end, high_end), abs=1e-8)  # as stored


def test_words_for_people(said: Said, clips: list[Path], tmp_path: Path) -> None:
    status, out, _ = said("build", "locomotion", *clips, "-o", tmp_path / "a.ffmodel")
    assert status == 0
    assert "7 loops" in out
    assert "side_speed -0." in out
    assert "1 clips that hold no cycle" in out


def test_refusals_leave_nothing_behind(said: Said, clips: list[Path], tmp_path: Path) -> None:
    for words, sentence in (
        ((clips[1], clips[2]), "only stands"),
        ((clips[0], clips[1], "--spacing", 0.1), "--spacing is for movements"),
        ((clips[0], clips[1], "--combined"), "--combined is for rings"),
    ):
        status, out, err = said("build", "locomotion", *words, "-o", tmp_path / "a.ffmodel")
        assert (status, out) == (1, "")
        assert sentence in err
    assert not list(tmp_path.iterdir())
