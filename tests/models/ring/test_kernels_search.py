"""The search for the next strike: spheres as the terrain says, and promises that are kept."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.transform import Rotation

from footfall.geometry.ground import wrap
from footfall.models.ring import layout
from footfall.models.ring.model import MotionRing
from footfall.models.ring.search_kernel import search, test_spheres
from footfall.world.mesh import MeshTerrain
from tests.models.ring.plain_ground import (
    as_trimesh,
    bumps,
    generated,
    holed,
    promised,
    slope,
    staircase,
    table,
)
from tests.models.ring.plain_ring import about_y, strike
from tests.models.ring.rings import small_ring

test_spheres.__test__ = False  # it is compiled code, no test

NEAR = 0.03  # m: what a strike may be off the ground ([rings] 4.3)
GROUNDS: dict[str, Callable[[], MeshTerrain]] = {
    "level": lambda: table(10.0, 10.0),
    "slope": lambda: slope(0.15, 0.1),
    "bumps": bumps,
    "stairs": staircase,
    "holes": holed,
    "stones": lambda: generated("stones"),
}


def placed_state(ring: MotionRing, terrain: MeshTerrain, rng: np.random.Generator) -> np.ndarray:
    """A walker's state at the beginning of a half cycle somewhere on the ground."""
    low, high = terrain.bounds
    for _ in range(100):
        x, z = rng.uniform(np.maximum(low[[0, 2]] + 1.0, -8.0), np.minimum(high[[0, 2]] - 1.0, 18.0))
        level = float(terrain.height(np.array(x), np.array(z)))
        if np.isfinite(level):
            break
    loops, spheres = len(ring), len(ring.spheres[0])
    state = np.zeros(layout.state_size(loops, spheres))
    state[layout.HALF] = rng.integers(2)
    state[layout.FRAME] = ring.tables.half * state[layout.HALF]
    state[layout.ORIGIN : layout.ORIGIN + 3] = x, level, z
    state[layout.HEADING], state[layout.SECONDS] = rng.uniform(-3.0, 3.0), 0.02
    state[layout.WISH_HEADING] = state[layout.HEADING] + rng.normal(0.0, 0.4)
    state[layout.WISH_LENGTH] = rng.uniform(0.3, 0.9)
    state[layout.SUPPORT_HEADING] = state[layout.HEADING] + rng.normal(0.0, 0.1)
    state[layout.SUPPORT_PLANE : layout.SUPPORT_PLANE + 2] = rng.normal(0.0, 0.1, 2)
    state[layout.SCALARS : layout.SCALARS + loops] = ring.usual_weights
    state[layout.SCALARS + 2 * loops : layout.SCALARS + 3 * loops] = ring.usual_weights
    return state


def touched(ring: MotionRing, terrain: MeshTerrain, state: np.ndarray) -> np.ndarray:
    """Flags of the half's spheres, as the kernel finds them."""
    flags = np.full(len(ring.spheres[0]), np.nan)
    origin, half = state[layout.ORIGIN : layout.ORIGIN + 3], int(state[layout.HALF])
    tables = ring.packed.sizes, ring.packed.numbers
    test_spheres(*terrain.tree.arrays, *tables, half, origin, state[layout.HEADING], 0, len(flags), flags)
    return flags


def searched(ring: MotionRing, terrain: MeshTerrain, state: np.ndarray) -> bool:
    flags = touched(ring, terrain, state)
    return bool(search(*terrain.tree.arrays, ring.packed.sizes, ring.packed.numbers, flags, state))


def planned(ring: MotionRing, state: np.ndarray) -> np.ndarray:
    loops = len(ring)
    return state[layout.SCALARS + 2 * loops : layout.SCALARS + 3 * loops]


@pytest.mark.parametrize("ground", GROUNDS)
def test_spheres_touch_as_the_terrain_says(ground: str) -> None:
    ring, terrain, rng = small_ring(), GROUNDS[ground](), np.random.default_rng(1)
    judge = as_trimesh(terrain)
    for k in range(10):
        state = placed_state(ring, terrain, rng)
        spheres = ring.spheres[int(state[layout.HALF])]
        centres = state[layout.ORIGIN :][:3] + about_y(state[layout.HEADING]).apply(spheres.centres)
        flags = touched(ring, terrain, state)
        assert_array_equal(flags, terrain.touching(centres, spheres.radius).astype(float))
        if k == 0:
            away = np.abs(judge.nearest.on_surface(centres)[1])
            clear = np.abs(away - spheres.radius) > 1e-6
            assert_array_equal(flags[clear] > 0.5, (away < spheres.radius)[clear])


def test_spheres_can_be_tested_in_any_slices() -> None:
    ring, terrain, rng = small_ring(), bumps(), np.random.default_rng(2)
    state = placed_state(ring, terrain, rng)
    whole, parts = touched(ring, terrain, state), np.full(125, np.nan)
    origin, half = state[layout.ORIGIN :][:3].copy(), int(state[layout.HALF])
    tables = ring.packed.sizes, ring.packed.numbers
    cuts = [0, 1, 1, 17, 90, 125]
    for first, last in pairwise(cuts):
        test_spheres(*terrain.tree.arrays, *tables, half, origin, state[layout.HEADING], first, last, parts)
        assert np.isnan(parts[last:]).all()
    assert_array_equal(parts, whole)


@pytest.mark.parametrize("ground", GROUNDS)
def test_what_is_found_is_kept(ground: str) -> None:
    """The strike lies within 3 cm of the ground, and the frame after it is the plain strike's."""
    ring, terrain, rng = small_ring(), GROUNDS[ground](), np.random.default_rng(3)
    judge, found = as_trimesh(terrain), 0
    for _ in range(60):
        state = placed_state(ring, terrain, rng)
        before = state.copy()
        if not searched(ring, terrain, state):
            assert_array_equal(state[layout.SCALARS :], before[layout.SCALARS :])
            continue
        found += 1
        weights, half = planned(ring, state), int(state[layout.HALF])
        assert weights.sum() == pytest.approx(1.0, abs=1e-9)
        landing = promised(state)
        assert abs(judge.nearest.on_surface(landing[None])[1][0]) < NEAR
        assert state[layout.ERROR] < NEAR
        back = about_y(-state[layout.HEADING])
        x, z = state[layout.SUPPORT_PLANE :][:2]
        tilts = np.concatenate([back.apply([x, 0.0, z]), back.apply(state[layout.TILT_TO :][:3])])
        tilts[1] = state[layout.SUPPORT_HEADING] - state[layout.HEADING]
        plain = strike(ring.tables, half, weights, tilts)
        world, origin = about_y(state[layout.HEADING]), state[layout.ORIGIN :][:3]
        assert_allclose(landing, origin + world.apply(plain.point), atol=1e-9)
        assert_allclose(state[layout.NEXT_ORIGIN :][:3], origin + world.apply(plain.origin), atol=1e-9)
        assert_allclose(state[layout.NEXT_HEADING], state[layout.HEADING] + plain.turn, atol=1e-9)
        assert_allclose(state[layout.NEXT_PIVOT :][:2], plain.begun[[0, 2]], atol=1e-9)
        assert_allclose(state[layout.LAST_TILT :][:3], world.apply(plain.tilt), atol=1e-9)
        # the heading that is kept is that of the sole before it is laid on its ground
        kept = state[layout.NEXT_SUPPORT_HEADING] - state[layout.HEADING]
        assert abs(wrap(kept - plain.heading)) < 1e-9
        # and then it lies in the ground's plane
        x, z = state[layout.NEXT_PLANE :][:2]
        up = Rotation.from_rotvec([x, 0.0, z]).apply([0.0, 1.0, 0.0])
        assert abs(world.apply(plain.along) @ up) < 1e-3 * np.linalg.norm(plain.along)
    assert found > {"level": 50, "slope": 45, "bumps": 35, "stairs": 15, "holes": 15, "stones": 5}[ground]


def test_on_level_ground_the_frame_after_it_is_that_of_the_tables() -> None:
    ring, terrain, rng = small_ring(), table(20.0, 20.0), np.random.default_rng(4)
    for _ in range(20):
        state = placed_state(ring, terrain, rng)
        state[layout.SUPPORT_HEADING], state[layout.SUPPORT_PLANE : layout.SUPPORT_PLANE + 2] = np.nan, 0.0
        assert searched(ring, terrain, state)
        plain = ring.tables.strikes(int(state[layout.HALF]), planned(ring, state))
        world = about_y(state[layout.HEADING])
        # the tables do not lay feet flat: about an ankle that is 8 cm over the ground, by 0.1 rad
        assert_allclose(
            state[layout.NEXT_ORIGIN :][:3], state[layout.ORIGIN :][:3] + world.apply(plain.origin), atol=8e-3
        )
        assert state[layout.NEXT_HEADING] == pytest.approx(
            state[layout.HEADING] + float(plain.turn), abs=1e-12
        )
        assert abs(promised(state)[1]) < 0.016  # m


def test_the_sole_that_comes_down_lies_as_its_ground() -> None:
    ring, terrain, rng = small_ring(), slope(0.15, 0.1), np.random.default_rng(5)
    for _ in range(30):
        state = placed_state(ring, terrain, rng)
        if searched(ring, terrain, state):
            x, z = state[layout.NEXT_PLANE :][:2]
            up = Rotation.from_rotvec([x, 0.0, z]).apply([0.0, 1.0, 0.0])
            normal = terrain.normal(*promised(state)[[0, 2]])
            assert np.arccos(np.clip(up @ normal, -1.0, 1.0)) < 0.06  # rad


def test_nothing_touches_nothing_is_found() -> None:
    ring, terrain, rng = small_ring(), table(10.0, 10.0), np.random.default_rng(6)
    state = placed_state(ring, terrain, rng)
    state[layout.ORIGIN + 1] = 5.0
    before = state.copy()
    assert not searched(ring, terrain, state)
    state[layout.REJECTED] = before[layout.REJECTED]
    assert_array_equal(state, before)


@pytest.mark.parametrize("length", [0.2, 0.9])
@pytest.mark.parametrize("turn", [-0.3, 0.0, 0.3])
def test_the_wish_chooses(turn: float, length: float) -> None:
    """On level ground: to the side that is asked, and a longer wish gives a longer step."""
    ring, terrain = small_ring(), table(10.0, 10.0)
    state = placed_state(ring, terrain, np.random.default_rng(7))
    results = {}
    for asked in (turn, -turn):
        for wished in (length, 1.1 - length):
            one = state.copy()
            one[layout.WISH_HEADING], one[layout.WISH_LENGTH] = one[layout.HEADING] + asked, wished
            assert searched(ring, terrain, one)
            step = np.hypot(*(promised(one) - one[layout.ORIGIN :][:3])[[0, 2]])
            results[asked, wished] = one[layout.NEXT_HEADING] - one[layout.HEADING], step
    if turn:
        assert (results[turn, length][0] - results[-turn, length][0]) * turn > 0.0
    assert (results[turn, length][1] - results[turn, 1.1 - length][1]) * (length - 0.55) > 0.0


def test_the_same_search_finds_the_same_bytes() -> None:
    ring, terrain = small_ring(), bumps()
    state = placed_state(ring, terrain, np.random.default_rng(8))
    first, second = state.copy(), state.copy()
    assert searched(ring, terrain, first) == searched(ring, terrain, second)
    assert first.tobytes() == second.tobytes()


def test_a_turned_and_moved_world_gives_the_turned_and_moved_strike() -> None:
    """Nothing depends on where in the world it happens."""
    ring, terrain, rng = small_ring(), bumps(), np.random.default_rng(9)
    angle, shift = 0.83, np.array([3.0, 1.5, -7.0])
    moved = MeshTerrain(about_y(angle).apply(np.array(terrain.vertices)) + shift, terrain.triangles)
    same = found_any = 0
    for _ in range(20):
        state = placed_state(ring, terrain, rng)
        other = state.copy()
        other[layout.ORIGIN : layout.ORIGIN + 3] = about_y(angle).apply(state[layout.ORIGIN :][:3]) + shift
        x, z = state[layout.SUPPORT_PLANE :][:2]
        other[layout.SUPPORT_PLANE : layout.SUPPORT_PLANE + 2] = about_y(angle).apply([x, 0.0, z])[[0, 2]]
        for place in (layout.HEADING, layout.WISH_HEADING, layout.SUPPORT_HEADING):
            other[place] += angle
        found = searched(ring, terrain, state)
        assert searched(ring, moved, other) == found
        found_any += found
        if found and state[layout.CHOSEN] == other[layout.CHOSEN]:
            same += 1
            assert_allclose(promised(other), about_y(angle).apply(promised(state)) + shift, atol=1e-6)
    assert found_any > 5
    assert same >= found_any - 1  # a sphere that just touches may be lost to rounding
