"""Gaits told apart by what they do, and rings of all of them."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from footfall.actor.virtual_actor import VirtualActor
from footfall.errors import RequestError
from footfall.figure.example import Example
from footfall.models.ring.gaits import build_gaits, gait_of
from footfall.models.ring.graph import RingGraph
from footfall.models.ring.looping import loop_of
from footfall.models.ring.sample import sample_of


@cache
def clips() -> dict[str, list[Example]]:
    actor = VirtualActor()
    return {
        "walk": [actor.walk(1.0), actor.walk(1.4, turn_rate=0.4)],
        "run": [actor.run(2.8), actor.run(3.6)],
        "back": [actor.walk(-0.5), actor.walk(-0.9)],
        "left": [actor.strafe(0.35), actor.strafe(0.6)],
        "right": [actor.strafe(-0.35), actor.strafe(-0.6)],
    }


@pytest.mark.parametrize("gait", ["walk", "run", "back", "left", "right"])
def test_a_loop_is_what_it_does(gait: str) -> None:
    for clip in clips()[gait]:
        assert gait_of(loop_of(sample_of(clip.motion), clip.name)) == gait


@cache
def graph() -> RingGraph:
    given = [*clips()["back"], *clips()["walk"], VirtualActor().idle(4.0)]
    return build_gaits(given, labels={"ice": "back"})


def test_rings_of_what_there_is() -> None:
    assert set(graph()) == {"walk", "back", "rest"}
    assert graph().first == "walk"
    assert graph().rest == "rest"
    assert graph().labels["ice"] == "back"
    for name in graph():
        assert graph()[name].gait == name
        assert len(graph()[name]) >= 2


def test_each_goes_where_its_name_says() -> None:
    """Two steps of the middling loop, in the frame of the first."""
    for name, way in (("walk", 1.0), ("back", -1.0)):
        strikes = graph()[name].tables.strikes(0, graph()[name].usual_weights)
        assert np.sign(strikes.point[2]) == way


def test_one_clip_of_a_gait_makes_no_ring() -> None:
    told: list[str] = []
    found = build_gaits(
        [*clips()["walk"], clips()["back"][0]], progress=lambda what, share: told.append(what)
    )
    assert set(found) == {"walk"}
    assert any("back" in one and "left out" in one for one in told)


def test_progress_goes_from_nothing_to_all() -> None:
    shares: list[float] = []
    build_gaits(clips()["walk"], progress=lambda what, share: shares.append(share))
    assert all(0.0 <= share <= 1.0 for share in shares)
    assert shares[-1] > 0.8


@pytest.mark.parametrize("given", [[], "walk", None, [1, 2]])
def test_what_is_no_list_of_clips_is_refused(given: object) -> None:
    with pytest.raises(RequestError):
        build_gaits(given)  # type: ignore[arg-type]


def test_a_stand_alone_goes_nowhere() -> None:
    with pytest.raises(RequestError, match="closed to a loop"):
        build_gaits([VirtualActor().idle(4.0)])
