"""Random commands on random ground: nothing raises, poses stay sound, feet stay near the ground."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from footfall.character import Character
from footfall.control.gait import GaitController
from footfall.models.ring import layout
from footfall.models.ring.default import default_gaits
from footfall.models.ring.graph import RingGraph
from footfall.models.ring.model import MotionRing
from footfall.world.plane import FlatTerrain, InclinedTerrain
from footfall.world.terrain import Terrain
from tests.control.plain_worlds import Crater, Island, Waves, field, sound, striped
from tests.models.ring.plain_ground import bumps, generated, holed, slope, staircase, table
from tests.models.ring.rings import small_graph, small_ring
from tests.models.ring.test_kernels_walk import combined_ring

WORLDS: dict[str, Callable[[], Terrain]] = {
    "flat": FlatTerrain,
    "slope": lambda: InclinedTerrain(-0.2),
    "steep": lambda: InclinedTerrain(0.7),
    "table": lambda: table(1.5, 1.5),
    "high": lambda: table(3.0, 3.0, level=1000.0),
    "across": lambda: slope(0.1, 0.25),
    "bumps": bumps,
    "stairs": staircase,
    "holes": holed,
    "stones": lambda: generated("stones"),
    "rubble": lambda: generated("rubble"),
    "field": field,
    "waves": Waves,
    "island": Island,
    "crater": Crater,
    "striped": striped,
    "water": lambda: striped("water", 1.0, 3.0),
}
RINGS: dict[str, Callable[[], MotionRing | RingGraph]] = {
    "one ring": small_ring,
    "combined": combined_ring,
    "graph": small_graph,
}
number = st.one_of(st.none(), st.floats(-4.0, 4.0), st.floats(allow_nan=True, allow_infinity=True, width=32))
command = st.fixed_dictionaries(
    {},
    optional={
        "turn": number,
        "heading": number,
        "step_length": number,
        "gait": st.sampled_from(["walk", "trudge", "rest", "fly", None]),
    },
)
times = st.one_of(st.just(1 / 60), st.floats(0.0, 0.12), st.sampled_from([1.0, 0.0, -1.0, np.nan, np.inf]))
frames = st.lists(
    st.tuples(st.one_of(st.none(), command), times, st.integers(1, 40)), min_size=1, max_size=14
)


def near_ground(gait: GaitController, world: Terrain) -> None:
    """Feet within a metre of the ground, where there is any under them."""
    joints, _ = gait.pose.forward(gait.skeleton)
    feet = joints[[gait.skeleton.joint(f"{side}_foot") for side in ("left", "right")]]
    over = feet[:, 1] - world.height(feet[:, 0], feet[:, 2], start=gait.pose.root[1] + 0.3)
    assert np.abs(over[np.isfinite(over)]).max(initial=0.0) < 1.0


@pytest.mark.parametrize("rings", RINGS)
@given(st.sampled_from(sorted(WORLDS)), frames, st.floats(-3.0, 3.0), st.floats(-4.0, 4.0))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_whatever_is_asked_wherever_it_is(
    rings: str, name: str, moves: list, at: float, heading: float
) -> None:
    world, gait = WORLDS[name](), GaitController(RINGS[rings](), place=(at, 0.5 * at), heading=heading)
    for asked, dt, count in moves:
        if asked is not None:
            gait.command(**asked)
        for _ in range(count):
            gait.advance(dt, world)
            assert np.isfinite(gait.walker.pose).all()
            free = layout.SUPPORT_HEADING, layout.NEXT_SUPPORT_HEADING  # a free foot has no heading
            assert np.isfinite(np.delete(gait.walker.state, free)).all()
        sound(gait.pose, gait.skeleton)
        near_ground(gait, world)
        assert gait.status.says in {"walking", "turning away", "standing"}


@pytest.mark.parametrize("rings", RINGS)
@given(st.lists(st.sampled_from(sorted(WORLDS)), min_size=2, max_size=6), st.integers(0, 2**31))
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_through_worlds_that_change(rings: str, names: list[str], seed: int) -> None:
    gait, rng = GaitController(RINGS[rings](), gait=None), np.random.default_rng(seed)
    for name in names:
        world = WORLDS[name]()
        gait.command(turn=rng.normal(0.0, 1.0), gait=["walk", "rest", None][int(rng.integers(3))])
        for _ in range(int(rng.integers(1, 90))):
            gait.advance(1 / 60, world)
            assert np.isfinite(gait.walker.pose).all()
        sound(gait.pose, gait.skeleton)
        near_ground(gait, world)


@pytest.mark.parametrize("seed", range(3))
def test_a_wish_that_comes_late_does_not_throw_the_hips(seed: int) -> None:
    """A runner's hips once went 5.3 m/s because of a wish in the middle of a step; people's run at 3.9."""
    runner = GaitController(default_gaits())
    figure, rng, roots = (
        Character(runner.skeleton, [runner], world=FlatTerrain()),
        np.random.default_rng(seed),
        [],
    )
    figure.command(gait="run")
    for _ in range(120):
        figure.step(1.0 / 60.0)
    for _ in range(1400):
        if rng.random() < 0.05:
            figure.command(turn=rng.uniform(-1.2, 1.2), step_length=rng.uniform(0.4, 1.4))
        roots.append(figure.step(1.0 / 60.0).root)
    speeds = 60.0 * np.linalg.norm(np.diff(roots, axis=0), axis=1)
    assert np.median(speeds) > 2.2  # it runs
    assert speeds.max() < 4.3
