"""Walks that the tests of this folder share, made once; and turns as SciPy has them."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from jaxtyping import Float
from scipy.spatial.transform import Rotation

import footfall as ff
from footfall.errors import RequestError
from footfall.figure.contacts import runs_of
from footfall.models.walkedit.course import Course, captured_strides, lay
from footfall.models.walkedit.cycle import WalkCycle
from footfall.models.walkedit.way import STRAIGHT_ON, Way
from footfall.models.walkedit.wishes import Wishes, granted
from tests.captured import captured
from tests.captures import needs_captures

ACTOR = "actor"
FILES = {"16_47": "walk/16_47.bvh"}

every_walk = pytest.mark.parametrize(
    "name", [ACTOR, *(pytest.param(name, marks=needs_captures) for name in FILES)]
)
both_feet = pytest.mark.parametrize("side", ["left", "right"])


@cache
def edit_of(name: str) -> ff.WalkEdit:
    return ff.WalkEdit(ff.VirtualActor(seed=1).walk(1.3).motion if name == ACTOR else captured(FILES[name]))


def cycle_of(name: str) -> WalkCycle:
    return edit_of(name).cycle


def as_captured(cycle: WalkCycle, count: int = 10) -> Course:
    """Footprints as they were captured, on a level floor."""
    return lay(cycle, captured_strides(cycle, "left", count), STRAIGHT_ON, "left")


def as_asked(cycle: WalkCycle, way: Way = STRAIGHT_ON, **asked: Any) -> Course:
    """Footprints of wishes along a way."""
    wishes = Wishes(**asked)
    return lay(cycle, granted(cycle, wishes).strides, way, wishes.first)


def turned(turn: Float[np.ndarray, "*n 4"], vector: Float[np.ndarray, "*n 3"]) -> np.ndarray:
    """Vectors turned by quaternions (w first), by SciPy."""
    count = max(turn.size // 4, vector.size // 3)
    turns = np.broadcast_to(turn.reshape(-1, 4), (count, 4))
    vectors = np.array(np.broadcast_to(vector.reshape(-1, 3), (count, 3)))
    out = Rotation.from_quat(turns[:, [1, 2, 3, 0]]).apply(vectors)
    return out.reshape(*np.broadcast_shapes(turn.shape[:-1], vector.shape[:-1]), 3)


def refusal(call: Any, *args: Any, **asked: Any) -> str:
    """What a refused request says: one sentence, and nothing but a `RequestError`."""
    with pytest.raises(RequestError) as found:
        call(*args, **asked)
    said = str(found.value)
    assert said
    assert "\n" not in said
    assert not said.endswith(".")
    assert ". " not in said
    return said


def swings_of(walk: ff.Motion, side: str) -> list[tuple[int, int]]:
    """The last frame of a stance and the first of the next, by the motion's own contacts."""
    assert walk.contacts is not None
    stances = runs_of(walk.contacts.stands(side))
    return [(a[1] - 1, b[0]) for a, b in pairwise(stances)]
