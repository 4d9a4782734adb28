"""Where rings are left and entered: the nearest moments, against all others."""

from __future__ import annotations

import numpy as np
import pytest

from footfall.figure.kinematics import forward
from footfall.models.ring.graph import RingGraph
from footfall.models.ring.model import MotionRing
from footfall.models.ring.transitions import Transition
from tests.models.ring.rings import resting_ring, slow_ring, small_graph, small_ring


def between(first: MotionRing, second: MotionRing) -> Transition:
    return RingGraph({"first": first, "second": second}).transition("first", "second")


def places(ring: MotionRing, share: float, half: int) -> np.ndarray:
    """Joints beside the support foot."""
    tables = ring.tables
    pose = ring.pose(tables.half * (half + share), ring.usual_weights)
    return forward(tables.skeleton.tree, tables.skeleton.offsets, pose.root, pose.rotations)[0]


def test_a_ring_leads_into_itself_at_the_same_moment() -> None:
    found = between(small_ring(), small_ring())
    assert found.leave == found.enter
    assert found.cost[0] < 0.01


def test_the_same_gait_only_slower_is_entered_where_it_was_left() -> None:
    """Its poses are nearly the same at each share; what differs is how soon it is over."""
    found = between(small_ring(), slow_ring())
    for leave, enter in zip(found.leave, found.enter, strict=True):
        assert abs(leave - enter) <= 0.1


@pytest.mark.parametrize(("first", "second"), [("walk", "rest"), ("rest", "walk"), ("walk", "trudge")])
def test_poses_at_the_moment_are_nearer_than_most(first: str, second: str) -> None:
    graph = small_graph()
    found = graph.transition(first, second)
    for half in (0, 1):
        own = np.linalg.norm(
            places(graph[first], found.leave[half], half) - places(graph[second], found.enter[half], half),
            axis=-1,
        ).mean()
        shares = np.linspace(0.0, 0.95, 5)
        others = [
            np.linalg.norm(places(graph[first], a, half) - places(graph[second], b, half), axis=-1).mean()
            for a in shares
            for b in shares
        ]
        assert own < np.median(others)
        assert 0.0 <= found.leave[half] <= 0.5
        assert 0.0 <= found.enter[half] <= 0.5
        assert 0.0 <= found.cost[half] < 1.0


def test_left_and_right_are_alike_for_a_figure_that_is() -> None:
    for pair in ((small_ring(), resting_ring()), (small_ring(), slow_ring())):
        found = between(*pair)
        assert abs(found.cost[0] - found.cost[1]) < 0.1


def test_found_once() -> None:
    graph = small_graph()
    assert graph.transition("walk", "rest") is graph.transition("walk", "rest")
    assert between(small_ring(), resting_ring()) == between(small_ring(), resting_ring())
