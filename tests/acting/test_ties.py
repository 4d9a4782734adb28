"""What is at just the limit of a decision about hands is decided the same whatever the last digits are."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from footfall.acting import hand_plan, way
from footfall.acting.footing import HANDY, Footing, is_handy
from footfall.acting.hand_plan import DETOURS, ON_THE_WAY, ROOM, Wanted, _Search
from footfall.acting.rehearsal import EXACT, TURNED, Rehearsed
from footfall.geometry import ground
from footfall.world.obstacle import Obstacle
from footfall.world.shapes.box import Box

pytestmark = pytest.mark.cpu
OFF = (-1e-9, -1e-12, 0.0, 1e-12, 1e-9)
HERE = Footing(np.zeros(3), 0.0)


@pytest.mark.parametrize("facing", [0.0, 0.3, -2.5])
@pytest.mark.parametrize("sides", [("left",), ("right",), ("left", "right")])
def test_what_lies_at_just_the_bounds_is_handy(sides: tuple[str, ...], facing: float) -> None:
    stage: Any = SimpleNamespace(here=np.array([1.0, 0.0, 2.0]), facing=facing)
    near, far, across, out = HANDY
    ahead = ground.direction_of(facing)
    left = np.array([ahead[2], 0.0, -ahead[0]]) * (-1.0 if sides == ("right",) else 1.0)
    outermost = across if len(sides) == 2 else out
    for along, aside in ((near, 0.0), (far, 0.0), (0.5, -across), (0.5, outermost), (far, outermost)):
        for off in OFF:
            assert is_handy(stage, stage.here + (along + off) * ahead + (aside + off) * left, sides)
    for along, aside in (
        (near - 1e-4, 0.0),
        (far + 1e-4, 0.0),
        (0.5, -across - 1e-4),
        (0.5, outermost + 1e-4),
    ):
        assert not is_handy(stage, stage.here + along * ahead + aside * left, sides)


def test_hands_that_miss_by_just_what_they_may_are_there() -> None:
    pose: Any = None
    assert all(Rehearsed(pose, EXACT + off, TURNED + off, 0.0).reached for off in OFF)
    assert not Rehearsed(pose, EXACT + 1e-4, 0.0, 0.0).reached
    assert not Rehearsed(pose, 0.0, TURNED + 1e-4, 0.0).reached


@pytest.mark.parametrize("off", OFF)
def test_ways_of_hands_with_just_the_room(off: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand with just the room; a way that misses by just what it may; one that is clear by just enough."""
    found = iter([(0.005, EXACT + off), (ON_THE_WAY + off, 0.0)])
    stand = SimpleNamespace(missed=0.0, reached=True, room=ROOM + off)
    monkeypatch.setattr(hand_plan, "stood_at", lambda *_: None)
    monkeypatch.setattr(hand_plan, "natural_hands", lambda *_: (None, None))
    monkeypatch.setattr(hand_plan, "reached_from", lambda *_: stand)
    monkeypatch.setattr(hand_plan, "way_room", lambda *_, **__: next(found))
    taking: Any = SimpleNamespace(places={})
    wanted = Wanted(
        Obstacle(Box((0.1, 0.1, 0.1)), np.zeros(3)),
        ("left",),
        takings=lambda *_: [taking],
        script=lambda *_: (),
        after=lambda *_: (),
        things=(),
    )
    search = _Search(None, wanted)  # type: ignore[arg-type]
    assert search.tried(HERE)
    assert search.best is not None
    assert search.best.detour is DETOURS[1]


@pytest.mark.parametrize("off", OFF)
def test_the_first_walk_with_just_the_room_is_taken(off: float, monkeypatch: pytest.MonkeyPatch) -> None:
    walks = [SimpleNamespace(motion=room) for room in (0.002, way.CLEAR + off, 1.0)]
    stage: Any = SimpleNamespace(grab=SimpleNamespace(held={}), planner=lambda *_, **__: None)
    monkeypatch.setattr(way, "_plans", lambda *_, **__: [lambda walk=walk: walk for walk in walks])
    monkeypatch.setattr(way, "body_clearance", lambda _, motion: motion)
    assert way.plan_way(stage, HERE).walk is walks[1]
