"""A part of the benchmark's grid: walks are what was asked, from the actor's walk and from captured ones."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import footfall as ff
from footfall.models.walkedit.model import EditedWalk
from tests.captured import captured
from tests.captures import needs_captures
from tests.models.walkedit.measures import SAME, Asked, Case, likeness, measured

STEEP = float(np.radians(20.0))
REAL = ("walk/16_47.bvh", "locomotion-set/ChrMarine@Walk01.skm")

# step lengths and speeds are shares of the captured
CASES: tuple[Asked, ...] = (
    {},
    {"step_length": 0.5},
    {"step_length": 1.3},
    {"lift": 0.02},
    {"lift": 0.25},
    {"slope": STEEP},
    {"slope": -STEEP},
    {"stairs": (0.2, 0.25)},
    {"stairs": (0.1, 0.45)},
    {"stairs": (-0.2, 0.25)},
    {"stairs": (-0.15, 0.35)},
    {"curve": 1.0 / 1.5},
    {"curve": -1.0 / 2.5},
    {"speed": 0.6},
    {"step_length": 1.3, "speed": 1.3},
    {"step_length": 0.7, "lift": 0.15},
    {"step_length": 0.7, "slope": STEEP},
    {"lift": 0.12, "slope": -0.5 * STEEP},
    {"curve": 0.5, "slope": 0.5 * STEEP, "step_length": 0.8},
    {"curve": -0.5, "stairs": (0.16, 0.3)},
)
FEW = (1, 2, 4, 6, 7, 9, 11, 16, 18, 19)  # of them, from captured walks


@cache
def edit_of(file: str | None) -> ff.WalkEdit:
    clip = ff.VirtualActor(seed=1).walk(1.3).motion if file is None else captured(file)
    return ff.WalkEdit(clip)


def case_of(edit: ff.WalkEdit, shares: Asked) -> Case:
    unit = {"step_length": edit.step_length, "speed": edit.speed}
    return Case("test", {k: v * unit[k] if k in unit else v for k, v in shares.items()})


@pytest.mark.parametrize("shares", CASES, ids=str)
def test_the_actors_walk_is_what_was_asked(shares: Asked) -> None:
    edit = edit_of(None)
    assert measured(edit, case_of(edit, shares)).missed == ()


@needs_captures
@pytest.mark.parametrize("file", REAL)
@pytest.mark.parametrize("number", FEW, ids=lambda i: str(CASES[i]))
def test_a_captured_walk_is_what_was_asked(file: str, number: int) -> None:
    edit = edit_of(file)
    assert measured(edit, case_of(edit, CASES[number])).missed == ()


def test_the_actors_walk_comes_back_where_nothing_is_asked() -> None:
    assert likeness(edit_of(None)).distance < SAME


@needs_captures
@pytest.mark.parametrize("file", REAL)
def test_a_captured_walk_comes_back_where_nothing_is_asked(file: str) -> None:
    assert likeness(edit_of(file)).distance < SAME


class Careless:
    """An edit that does not quite what it is asked: the measuring must see it."""

    def __init__(self, wrong: Asked) -> None:
        self.edit, self.wrong = edit_of(None), wrong
        self.cycle, self.step_length, self.speed = self.edit.cycle, self.edit.step_length, self.edit.speed

    def synthesize(self, **asked: Any) -> EditedWalk:
        other = {name: np.add(asked[name], more).tolist() for name, more in self.wrong.items()}
        return self.edit.synthesize(**asked | other)


@pytest.mark.parametrize(
    ("asked", "wrong", "seen", "error"),
    [
        ({"step_length": 0.7}, {"step_length": 0.002}, "length", 0.002),
        ({"step_length": 0.7, "curve": 0.5}, {"step_length": -0.002}, "length", 0.002),
        ({"stairs": (0.15, 0.3), "curve": -0.5}, {"stairs": (0.002, 0.0)}, "rise", 0.002),
        ({"stairs": (-0.15, 0.3), "curve": -0.5}, {"stairs": (0.0, 0.002)}, "length", 0.002),
        ({"lift": 0.12}, {"lift": 0.003}, "lift", 0.003),
        ({"slope": 0.2, "step_length": 0.7}, {"slope": 0.01}, "rise", 0.7 * (np.sin(0.21) - np.sin(0.2))),
    ],
)
def test_what_is_not_as_asked_is_seen(asked: Asked, wrong: Asked, seen: str, error: float) -> None:
    found = measured(Careless(wrong), Case("test", asked))  # type: ignore[arg-type]
    assert getattr(found, seen) == pytest.approx(error, rel=0.1)
    assert found.missed
