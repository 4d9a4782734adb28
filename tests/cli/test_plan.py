"""`footfall plan`: what it writes is walked exactly by `footfall step`; what cannot be is a sentence."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import footfall as ff
from tests.cli.conftest import Said

TABLE = {"shape": "box", "size": [1.2, 0.8, 0.7], "position": [0, 0.4, 3], "name": "table"}
SCENE = {
    "version": 1,
    "obstacles": [TABLE],
    "start": {"position": [0, 0, 0], "heading_deg": 0},
    "tasks": [{"go_to": [1.6, 1.0], "heading_deg": 90}, {"go_to": "table"}],
}


def scene(folder: Path, **changes: object) -> Path:
    file = folder / "room.json"
    file.write_text(json.dumps({**SCENE, **changes}))
    return file


def test_a_scene_is_planned_walked_and_drawn(said: Said, tmp_path: Path) -> None:
    plan, motion, picture = (tmp_path / name for name in ("steps.json", "walk.ffm", "map.png"))
    status, out, err = said(
        "plan", scene(tmp_path), "-o", plan, "--motion", motion, "--picture", picture, "--json"
    )
    assert (status, err) == (0, "")
    told = json.loads(out)
    assert told["placement_max_m"] < 1e-6
    assert told["slide_max_m"] < 1e-6
    assert told["room_m"] > 0.0
    assert (told["file"], told["motion"], told["picture"]) == (str(plan), str(motion), str(picture))
    # what is told is what the file says, and what the file says is what was walked
    assert told["steps"] == json.loads(plan.read_text())["steps"]
    written = ff.FootPlan.load(plan)
    assert len(written) == len(told["steps"])
    assert all(p.heading is not None for p in written.placements)
    assert all(p.swing is not None for p in written.placements[2:])
    walked = ff.load_motion(motion)
    assert walked.seconds == pytest.approx(told["seconds"])
    assert ff.certificate(walked, plan=written).placement_max_m < 1e-6
    assert picture.stat().st_size > 10_000
    # it stands where it was told to, then before the table, facing it
    first, last = told["goals"]
    assert first["position"] == pytest.approx([1.6, 0.0, 1.0])
    assert first["heading_deg"] == pytest.approx(90.0)
    table = ff.Placed.upright(ff.Box((1.2, 0.8, 0.7)), np.array([0.0, 0.4, 3.0]))
    here = np.array(last["position"]) + np.array([0.0, 0.4, 0.0])
    ahead = np.radians(last["heading_deg"])
    away = float(table.distance_to(here))
    assert 0.14 < away < 0.6
    nearer = here + 0.5 * away * np.array([np.sin(ahead), 0.0, np.cos(ahead)])
    assert float(table.distance_to(nearer)) == pytest.approx(0.5 * away, abs=0.02)


def test_the_plan_is_followed_by_step(said: Said, tmp_path: Path) -> None:
    plan = tmp_path / "steps.json"
    status, out, _ = said("plan", scene(tmp_path), "-o", plan)
    assert status == 0
    assert "steps," in out
    assert "stands at (1.60, 0.00, 1.00), facing 90 degrees" in out
    status, out, _ = said("step", "default", plan, "-o", tmp_path / "walk.ffm", "--json")
    assert status == 0
    told = json.loads(out)
    assert told["placement_max_m"] < 1e-6
    assert told["clamped"] == []


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"tasks": []}, "the scene has no task that leads anywhere"),
        ({"tasks": [{"wait": 2}]}, "the scene has no task that leads anywhere"),
        ({"tasks": [{"go_to": [0, 3]}]}, "tasks[0].go_to: the goal (0.00, 0.00, 3.00) has no room"),
        ({"start": {"position": [0, 0, 3]}}, "tasks[0].go_to: the start (0.00, 0.00, 3.00) has no room"),
        ({"tasks": [{"go_to": "chair"}]}, "names 'chair', which is not there; there is table"),
    ],
)
def test_what_cannot_be_is_a_sentence_and_no_file(
    said: Said, tmp_path: Path, changes: dict[str, object], words: str
) -> None:
    plan = tmp_path / "steps.json"
    status, out, err = said("plan", scene(tmp_path, **changes), "-o", plan)
    assert status == 1
    assert out == ""
    assert words in err
    assert len(err.strip().splitlines()) == 1
    assert not plan.exists()


@pytest.mark.parametrize(
    ("words", "said_so"),
    [
        (("-o", "steps.txt"), "the ending must be .json"),
        (("-o", "room.json"), "is what is read: it is not written over"),
        (("-o", "steps.json", "--motion", "walk.doc"), "walk.doc: the ending must be one of"),
        (("-o", "steps.json", "--picture", "map.doc"), "map.doc: the ending must be one of"),
        (("-o", "steps.json", "--width", "20"), "--width must be between 0.1 and 2 m, not 20"),
        (("-o", "steps.json", "--model", "none.ffmodel"), "none.ffmodel"),
    ],
)
def test_bad_wishes_are_said(
    said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], said_so: str
) -> None:
    monkeypatch.chdir(tmp_path)
    status, _, err = said("plan", scene(tmp_path).name, *words)
    assert status == 1
    assert said_so in err


def test_a_wide_body_turns_where_a_slim_one_walks_ahead(said: Said, tmp_path: Path) -> None:
    """A gap of 0.7 m between two walls that have no end."""
    walls = [
        {"shape": "box", "size": [6, 2, 2], "position": [side * 3.35, 1, 2], "name": name}
        for side, name in ((-1, "left"), (1, "right"))
    ]
    headings = []
    for width in ("0.40", "0.64"):
        status, out, _ = said(
            *("plan", scene(tmp_path, obstacles=walls, tasks=[{"go_to": [0, 4], "heading_deg": 0}])),
            *("-o", tmp_path / "steps.json", "--width", width, "--json"),
        )
        assert status == 0
        told = json.loads(out)
        between = [s for s in told["steps"] if 1.4 < s["position"][2] < 2.6]
        headings.append(np.abs([s["heading_deg"] for s in between]).max())
    assert headings[0] < 30.0
    assert headings[1] > 50.0
