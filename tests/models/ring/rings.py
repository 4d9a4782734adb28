"""Small rings that tests share, made once."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from footfall.actor.virtual_actor import VirtualActor
from footfall.models.ring.build import build_ring
from footfall.models.ring.graph import RingGraph
from footfall.models.ring.model import MotionRing
from footfall.models.ring.resting import build_rest


@cache
def small_ring() -> MotionRing:
    """Straight ahead, to both sides, up and down."""
    actor = VirtualActor()
    clips = [actor.walk(1.0), actor.walk(1.3, turn_rate=0.4), actor.walk(1.3, turn_rate=-0.4)]
    return build_ring([*clips, actor.stairs(0.12, 0.4), actor.stairs(-0.12, 0.4)])


@cache
def resting_ring() -> MotionRing:
    return build_rest(VirtualActor().idle(4.0).motion)


@cache
def slow_ring() -> MotionRing:
    """Four of the small ring's loops, slower."""
    ring, kept = small_ring(), slice(1, 5)
    return replace(
        ring,
        gait="trudge",
        scores=ring.scores[kept],
        seconds=1.3 * ring.seconds[kept],
        headings=ring.headings[kept],
        anchors=ring.anchors[kept],
        contacts=ring.contacts[kept],
        names=ring.names[kept],
    )


@cache
def small_graph() -> RingGraph:
    """The rest in between: the order is the builder's."""
    rings = {"walk": small_ring(), "rest": resting_ring(), "trudge": slow_ring()}
    return RingGraph(rings, {"snow": "trudge", "grass": "walk"})
