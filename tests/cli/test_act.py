"""`footfall act`: a scene acted, its tasks told; what cannot be done is a sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import footfall as ff
from tests.cli.conftest import Said

SCENE = {
    "version": 1,
    "obstacles": [{"shape": "box", "size": [1.2, 0.75, 0.6], "position": [0, 0.375, 1.5], "name": "table"}],
    "objects": [{"name": "ball", "shape": "sphere", "radius": 0.04, "position": [-0.2, 0.79, 1.35]}],
    "start": {"position": [0, 0, 0], "heading_deg": 0},
    "tasks": [{"pick_up": "ball", "hand": "right"}, {"put_down": [0.3, 0.79, 1.35]}],
}


def scene(folder: Path, **changes: object) -> Path:
    file = folder / "room.json"
    file.write_text(json.dumps({**SCENE, **changes}))
    return file


def test_a_scene_is_acted_and_drawn(said: Said, tmp_path: Path) -> None:
    motion, picture = tmp_path / "fetch.bvh", tmp_path / "fetch.png"
    status, out, err = said("act", scene(tmp_path), "-o", motion, "--picture", picture, "--json")
    assert (status, err) == (0, "")
    told = json.loads(out)
    assert [task["task"] for task in told["tasks"]] == ["pick_up", "put_down"]
    assert all(task["done"] and task["error_m"] < 1e-3 and task["seconds"] > 1.0 for task in told["tasks"])
    assert told["objects"]["ball"] == pytest.approx([0.3, 0.79, 1.35], abs=1e-3)
    assert told["slide_max_m"] < 1e-4
    assert set(told["foot_points"]) == {"left", "right"}
    assert picture.stat().st_size > 10_000
    made = ff.load_motion(motion)
    assert made.seconds == pytest.approx(told["seconds"], abs=0.02)
    assert sum(task["seconds"] for task in told["tasks"]) <= told["seconds"]


def test_a_task_that_cannot_be_done_is_a_sentence_and_the_others_are_done(said: Said, tmp_path: Path) -> None:
    tasks = [{"go_to": [0, 1.5]}, {"wait": 0.2}]
    status, out, err = said("act", scene(tmp_path, tasks=tasks), "-o", tmp_path / "a.ffm", "--json")
    assert status == 1
    told = json.loads(out)
    assert [task["done"] for task in told["tasks"]] == [False, True]
    assert err.strip().startswith(f"{tmp_path / 'room.json'}: tasks[0].go_to: the goal (0.00, 0.00, 1.50)")
    assert err.count("\n") == 1
    assert (tmp_path / "a.ffm").exists()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"tasks": [{"pick_up": "cup"}]}, "tasks[0].pick_up: names 'cup', which is not there; there is ball"),
        ({"tasks": [{"juggle": "ball"}]}, "juggle"),
        ({"tasks": []}, "tasks: there are none"),
        ({"tasks": [{"pick_up": "ball", "hand": "third"}]}, "must be one of left, right, both, not 'third'"),
        ({"start": {"position": [0, 0, 1.5]}}, "the start (0.00, 0.00, 1.50) has no room for the body"),
    ],
)
def test_a_scene_with_a_fault_is_refused(
    said: Said, tmp_path: Path, changes: dict[str, object], words: str
) -> None:
    status, out, err = said("act", scene(tmp_path, **changes), "-o", tmp_path / "a.ffm")
    assert status == 1
    assert out == ""
    assert words in err
    assert err.count("\n") == 1
    assert not (tmp_path / "a.ffm").exists()


def test_the_same_seed_writes_the_same_bytes(said: Said, tmp_path: Path) -> None:
    tasks = [{"look_at": [1.0, 1.4, 1.0], "seconds": 1.0}]
    files = [tmp_path / f"{k}.bvh" for k in range(2)]
    for file in files:
        assert said("act", scene(tmp_path, tasks=tasks), "-o", file, "--seed", 3)[0] == 0
    assert files[0].read_bytes() == files[1].read_bytes()
