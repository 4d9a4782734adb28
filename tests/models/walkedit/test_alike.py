"""Swings taken for alike are: solving each one by itself gives the same walk."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from footfall.models.walkedit import swing_lift
from tests.models.walkedit.walks import edit_of, every_walk

ASKED = [
    {},
    {"stairs": (0.17, 0.3)},
    {"curve": 0.5, "stairs": (-0.17, 0.3)},
    {"slope": -0.2, "lift": 0.1, "curve": -0.3},
    {"stairs": [(0.1, 0.3), (0.15, 0.4), (-0.12, 0.35)], "steps": 20},
    {"step_length": [(0.0, 0.5), (4.0, 0.8)], "lift": 0.1},
]


@every_walk
@pytest.mark.parametrize("asked", ASKED, ids=str)
def test_each_by_itself_is_the_same(
    name: str, asked: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    edit = edit_of(name)
    together = edit.synthesize(**asked)
    monkeypatch.setattr(
        swing_lift, "first_alike", lambda prints, level, leaves, halfway: np.arange(len(leaves))
    )
    apart = edit.synthesize(**asked)
    assert np.abs(together.positions - apart.positions).max() < 1e-6


@every_walk
def test_a_steady_flight_has_few_of_a_kind(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    solved = []
    one = swing_lift.least_lifts
    monkeypatch.setattr(swing_lift, "least_lifts", lambda *a: (solved.append(1), one(*a))[1])
    edit_of(name).synthesize(stairs=(0.17, 0.3), steps=40)
    assert len(solved) <= 2 * len(swing_lift.LAGS) * 4
