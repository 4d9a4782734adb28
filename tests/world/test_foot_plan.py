"""Foot plans: files round trip, and what is wrong in one is named."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from footfall.errors import LoadError, RequestError
from footfall.world.foot_plan import FootPlacement, FootPlan


def plan() -> FootPlan:
    return FootPlan(
        (
            FootPlacement("left", np.array([0.1, 0.0, 0.0])),
            FootPlacement("right", np.array([-0.1, 0.0, 0.3]), heading=0.3, swing=0.4, stance=0.7),
            FootPlacement("left", np.array([0.1, 0.15, 0.6]), heading=-3.0),
        )
    )


def test_a_plan_comes_back_from_its_file(tmp_path: Path) -> None:
    file = tmp_path / "plan.json"
    file.write_bytes(plan().encode())
    again = FootPlan.load(file)
    for before, after in zip(plan().placements, again.placements, strict=True):
        assert before.foot == after.foot
        assert np.array_equal(before.position, after.position)
        assert (before.swing, before.stance) == (after.swing, after.stance)
        assert after.heading == (None if before.heading is None else pytest.approx(before.heading, abs=1e-15))
    # what was left out stays out of the file
    assert set(json.loads(file.read_text())["steps"][0]) == {"foot", "position"}


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('{"version": 1, "steps": []}', "no steps"),
        ('{"version": 2, "steps": [{"foot": "left", "position": [0, 0, 0]}]}', "version"),
        ('{"version": 1, "steps": [{"foot": "left"}]}', "position"),
        ('{"version": 1, "steps": [{"foot": "third", "position": [0, 0, 0]}]}', r"steps\[0\]: foot"),
        ('{"version": 1, "steps": [{"foot": "left", "position": [0, 0]}]}', r"steps\[0\].position"),
        ('{"version": 1, "steps": [{"foot": "left", "position": [0, 0, 0], "swnig": 1}]}', "swnig"),
        ('{"version": 1, "steps": [{"foot": "left", "position": [0, 0, 0], "swing": -1}]}', "swing"),
        ('{"version": 1, "steps": [{"foot": "left", "position": [NaN, 0, 0]}]}', "foot plan"),
        ("[" * 100000, "foot plan"),
        ("", "foot plan"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, named: str) -> None:
    file = tmp_path / "plan.json"
    file.write_text(text)
    with pytest.raises(LoadError, match=named) as error:
        FootPlan.load(file)
    assert str(file) in str(error.value)


def test_placements_refuse_what_cannot_be() -> None:
    with pytest.raises(RequestError, match="left"):
        FootPlacement("both", np.zeros(3))
    with pytest.raises(RequestError, match="finite"):
        FootPlacement("left", np.array([0, np.nan, 0]))
    with pytest.raises(RequestError, match="stance"):
        FootPlacement("left", np.zeros(3), stance=0.0)
    with pytest.raises(RequestError, match="three numbers"):
        FootPlacement("left", np.zeros((2, 3)))
    with pytest.raises(RequestError, match="1e\\+06 m"):
        FootPlacement("left", np.array([0.0, 0.0, -1.001e6]))
    with pytest.raises(RequestError, match="heading must be a number"):
        FootPlacement("left", np.zeros(3), heading="north")  # type: ignore[arg-type]
    with pytest.raises(RequestError, match="swing must be positive and at most 3600 s"):
        FootPlacement("left", np.zeros(3), swing=1e9)
    with pytest.raises(RequestError, match=r"steps\[1\]: must be a FootPlacement"):
        FootPlan((FootPlacement("left", np.zeros(3)), "right"))  # type: ignore[arg-type]
