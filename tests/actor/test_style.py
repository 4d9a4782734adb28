"""Styles: a few percent off the average, drawn by a seed, and refused where nobody is like that."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

from footfall.actor.style import RANGES, Style
from footfall.errors import RequestError

# how far a trait lies from the average at most: two standard deviations
SPREADS = {"tempo": 0.03, "width": 0.12, "arm_swing": 0.15, "sway": 0.12, "bounce": 0.06, "lift": 0.08}
NAMES = [f.name for f in fields(Style)]


def test_people_are_near_the_average() -> None:
    people = [Style.of(seed) for seed in range(300)]
    for trait, spread in SPREADS.items():
        logs = np.log([getattr(p, trait) for p in people])
        assert np.abs(logs).max() <= 2.0 * spread + 1e-12, trait
        assert abs(logs.mean()) < 0.2 * spread, trait
        assert logs.std() == pytest.approx(spread, rel=0.2), trait
    assert np.ptp([p.lean for p in people]) <= 0.08 + 1e-12
    assert all(0.02 - 1e-12 <= p.toe_out <= 0.16 + 1e-12 for p in people)
    assert len(set(people)) == 300


def test_a_seed_is_a_person() -> None:
    assert Style.of(7) == Style.of(7)
    assert Style() == Style(*(getattr(Style(), name) for name in NAMES))


@pytest.mark.parametrize("name", NAMES)
def test_what_nobody_is_like_is_refused(name: str) -> None:
    low, high = RANGES[name]
    for value in (low, high):
        assert getattr(Style(**{name: value}), name) == value
    for value in (low - 0.01, high + 0.01, float("nan"), float("inf"), "brisk", None):
        with pytest.raises(RequestError, match=f"style {name} must lie in {low} to {high}"):
            Style(**{name: value})
