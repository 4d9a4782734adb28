"""Two records differ exactly where a discrete fact, a number or a place does."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from tools.compare_motions import compared, main

RECORD: dict[str, Any] = {
    "discrete": {"frames": 181, "feet": "lrl", "contacts": {"left heel": [[0, 40], [80, 120]]}},
    "numbers": {"seconds": 3.0, "footholds": [[0.1, 0.0, 0.5], [-0.1, 0.0, 1.0]], "error": None},
    "ratios": {"acceleration_ratio": 1.25},
    "sentences": ["step_length 2.000 m: 1.120 m is as far as 1 leg reaches"],
    "places": {"hips": [[0.0, 0.9, 0.0], [0.0, 0.9, 1.0]]},
    "means": {"left_hand": [0.3, 0.8, 0.5]},
}


def changed(*path: Any, to: Any) -> dict[str, Any]:
    record = copy.deepcopy(RECORD)
    inner: Any = record
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = to
    return record


def test_a_record_equals_itself() -> None:
    found = compared(RECORD, copy.deepcopy(RECORD))
    assert found.equal
    assert (found.worst, found.number) == (0.0, 0.0)


@pytest.mark.parametrize(
    "after",
    [
        changed("numbers", "footholds", 1, 2, to=1.0000009),
        changed("places", "hips", 1, 1, to=0.9000009),
        changed("ratios", "acceleration_ratio", to=1.2509),
        changed("sentences", to=["a step_length of 2.000 m: at most 1.121 m, as far as 1 leg reaches"]),
    ],
)
def test_what_is_within_the_tolerance_is_equal(after: dict[str, Any]) -> None:
    assert compared(RECORD, after).equal


@pytest.mark.parametrize(
    "after",
    [
        changed("discrete", "frames", to=182),
        changed("discrete", "feet", to="lrr"),
        changed("discrete", "contacts", "left heel", 1, 0, to=81),
        changed("discrete", "contacts", "left heel", to=[[0, 40]]),
        changed("discrete", "more", to=1),
        changed("numbers", "footholds", 1, 2, to=1.0000012),
        changed("numbers", "footholds", to=[[0.1, 0.0, 0.5]]),
        changed("numbers", "seconds", to=float("nan")),
        changed("numbers", "error", to=0.0),
        changed("ratios", "acceleration_ratio", to=1.26),
        changed("sentences", to=[]),
        changed("sentences", to=["step_length 2.000 m: 1.123 m is as far as 1 leg reaches"]),
        changed("sentences", to=["step_length 2.000 m: 1.120 m is as far as 2 legs reach"]),
        changed("places", "hips", 1, 1, to=0.9000012),
        changed("places", "hips", 0, 0, to=float("nan")),
        changed("places", "hips", to=[[0.0, 0.9, 0.0]]),
        changed("means", "left_hand", to=[0.3, 0.8, 0.5000012]),
        {"discrete": {"refused": "RequestError"}, "numbers": {}, "sentences": ["no"]},
    ],
)
def test_what_is_beyond_it_differs_both_ways(after: dict[str, Any]) -> None:
    assert not compared(RECORD, after).equal
    assert not compared(after, RECORD).equal


def test_the_command_tells_what_differs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = []
    for name, records in (
        ("a", {"walk": RECORD, "run": RECORD}),
        ("b", {"walk": RECORD, "run": changed("places", "hips", 0, 1, to=0.95), "jump": RECORD}),
    ):
        files.append(tmp_path / f"{name}.json")
        files[-1].write_text(json.dumps(records))
    assert main([str(files[0]), str(files[0])]) == 0
    assert "2 motions, 0 differ" in capsys.readouterr().out
    assert main([str(one) for one in files]) == 1
    told = capsys.readouterr().out
    assert "DIFFERS run: places 0.05 m" in told
    assert "walk" not in told
    assert f"only in {files[1]}: jump" in told
