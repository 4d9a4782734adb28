"""Where soles can lie and bodies have room, beside plain references."""

from __future__ import annotations

import numpy as np
import pytest

import footfall as ff
from footfall.planning.footsteps.footing import WIDE, Footing, SoleSize
from footfall.planning.footsteps.footing_kernel import FARTHEST, NOWHERE, lie
from footfall.planning.footsteps.room import Room
from footfall.planning.footsteps.room_kernel import body_room, line_room, wariness
from footfall.planning.limits import WalkLimits
from footfall.world.plane import FlatTerrain
from footfall.world.shapes.box import Box
from footfall.world.shapes.placed import Placed
from footfall.world.shapes.sphere import Sphere
from tests.planning.worlds import blocks_terrain

LIMITS = WalkLimits()
SOLE = SoleSize(0.06, 0.2)
AREA = (np.array([-1.5, -1.5]), np.array([1.5, 1.5]))
ROOM = WIDE + 0.01


def stairs() -> ff.MeshTerrain:
    """Four treads of 0.32 m along +z, from z = -0.5 on."""
    return blocks_terrain(
        [((3.0, 1.0, 2.0), (0.0, -0.5, -1.5))]
        + [((3.0, 1.0, 0.32), (0.0, -0.5 + 0.15 * (k + 1), -0.5 + 0.32 * (k + 0.5))) for k in range(4)]
    )


def lies(footing: Footing, x: float, z: float, heading: float, here: float = 0.0) -> float:
    return float(
        lie(footing.arrays, SOLE.discs, x, z, heading, here, ROOM, np.tan(LIMITS.slope), LIMITS.step)
    )


def test_edges_of_stairs_are_where_their_risers_are() -> None:
    footing = Footing.of(stairs(), AREA, LIMITS)
    lattice, cell = footing.lattice, footing.lattice.cell
    risers = np.array([-0.5, -0.18, 0.14, 0.46, 0.78])
    rng = np.random.default_rng(3)
    for _ in range(400):
        x, z = rng.uniform(-0.9, 0.9), rng.uniform(-1.4, 0.7)
        a = footing.first[lattice.cell_at(x, z) + 1] - 1  # the highest there
        away = np.abs(risers - z).min()
        sides = min(1.5 - abs(x), 1.5 + z)
        assert footing.edge[a] == pytest.approx(min(away, sides, FARTHEST), abs=1.5 * cell)


def test_a_sole_lies_on_a_tread_that_holds_it_and_across_no_riser() -> None:
    footing = Footing.of(stairs(), AREA, LIMITS)
    # the second tread goes from -0.18 to 0.14: the sole, 0.26 m long, fits with its subtalar 0.07 m inside
    assert lies(footing, 0.0, -0.08, 0.0, 0.3) == pytest.approx(0.3, abs=1e-6)
    for z in (-0.16, -0.02, 0.1):
        assert lies(footing, 0.0, z, 0.0, 0.3) == NOWHERE
    # across the stairs there is always room beside the risers
    assert lies(footing, 0.0, -0.02, np.pi / 2, 0.3) == pytest.approx(0.3, abs=1e-6)
    assert lies(footing, 0.0, 0.12, np.pi / 2, 0.3) == NOWHERE


def test_what_is_a_step_away_is_found_and_what_is_higher_is_not() -> None:
    footing = Footing.of(stairs(), AREA, LIMITS)
    assert lies(footing, 0.0, -0.08, 0.0, 0.1) == pytest.approx(0.3, abs=1e-6)
    assert lies(footing, 0.0, -0.08, 0.0, 0.0) == NOWHERE  # 0.3 m over it


def test_soles_lie_on_bumps_as_on_a_plane() -> None:
    """Ground that only rises and falls has no edges but its ends."""
    terrain = ff.open_terrain("bumps:7")
    low, high = (corner[[0, 2]] for corner in terrain.bounds)
    middle = 0.5 * (low + high)
    footing = Footing.of(terrain, (middle - 2.0, middle + 2.0), LIMITS)
    rng = np.random.default_rng(1)
    found = 0
    for _ in range(200):
        x, z = middle + rng.uniform(-1.0, 1.0, 2)
        level = float(terrain.height(x, z))
        at = lies(footing, x, z, rng.uniform(-np.pi, np.pi), level)
        found += at != NOWHERE
        assert at == NOWHERE or at == pytest.approx(level, abs=0.02)
    assert found > 190


def test_off_the_map_no_sole_lies() -> None:
    footing = Footing.of(FlatTerrain(), AREA, LIMITS)
    assert lies(footing, 0.0, 0.0, 0.3) == 0.0
    assert lies(footing, 2.0, 0.0, 0.3) == NOWHERE
    assert lies(footing, 1.4, 0.0, np.pi / 2) == NOWHERE  # its toes are off


def room() -> tuple[Room, list[Placed]]:
    placed = [
        Placed.upright(Box(np.array([0.4, 2.0, 0.6])), np.array([0.7, 1.0, 0.2]), 0.4),
        Placed.upright(Box(np.array([0.3, 0.6, 0.3])), np.array([-0.8, 0.3, -0.4]), 1.1),
        Placed.upright(Sphere(0.3), np.array([0.0, 1.0, -1.0])),
        Placed.upright(Box(np.array([1.0, 0.3, 1.0])), np.array([-0.5, 2.6, 0.9])),  # over all heads
        Placed.upright(Box(np.array([0.5, 0.02, 0.5])), np.array([-0.6, 0.01, 0.9])),  # a mat
    ]
    return Room.of(FlatTerrain(), placed, AREA, LIMITS), placed


def test_the_room_round_a_trunk_is_its_distance_from_what_stands_there() -> None:
    found, placed = room()
    rng = np.random.default_rng(5)
    heights = np.linspace(0.05, 1.9, 30)
    for _ in range(150):
        x, z = rng.uniform(-1.0, 1.0, 2)
        heading, half = rng.uniform(-np.pi, np.pi), 0.11
        got = body_room(found.arrays, x, z, heading, half, 0.0, 0.4)
        shares = np.linspace(-half, half, 41)
        line = np.stack([x + shares * np.cos(heading), z - shares * np.sin(heading)], axis=1)
        points = np.array([(a, h, b) for a, b in line for h in heights])
        want = min(float(one.distance_to(points).min()) for one in placed[:3])
        assert got == pytest.approx(np.clip(want, 0.0, 0.4), abs=0.012)


def test_off_the_map_there_is_no_room() -> None:
    found, _ = room()
    assert line_room(found.arrays, 5.0, 0.0, 5.1, 0.0, 0.0, 0.3) == 0.0


def test_walls_that_are_ground_and_low_ceilings_stand_in_the_way() -> None:
    terrain = blocks_terrain(
        [
            ((4.0, 0.2, 4.0), (0.0, -0.1, 0.0)),
            ((0.1, 2.0, 4.0), (1.0, 1.0, 0.0)),  # a wall
            ((0.8, 0.1, 0.8), (-1.0, 1.5, 0.0)),  # a board at the height of a chest
        ]
    )
    found = Room.of(terrain, [], AREA, LIMITS).arrays
    assert body_room(found, 0.0, 0.0, 0.0, 0.11, 0.0, 0.3) == 0.3
    assert body_room(found, 0.8, 0.5, 0.0, 0.11, 0.0, 0.3) < 0.08
    assert body_room(found, -1.0, 0.0, 0.0, 0.11, 0.0, 0.3) == 0.0


def test_the_underside_of_a_thin_floor_is_no_obstacle() -> None:
    terrain = blocks_terrain([((3.0, 0.1, 3.0), (0.0, -0.05, 0.0))])
    found = Room.of(terrain, [], AREA, LIMITS).arrays
    assert body_room(found, 0.0, 0.0, 0.3, 0.11, 0.0, 0.3) == 0.3


def test_with_less_room_ways_are_dearer() -> None:
    prices = [wariness(spare) for spare in (0.0, 0.05, 0.1, 0.15, 0.3)]
    assert prices == sorted(prices, reverse=True)
    assert prices[-1] == prices[-2] == 1.0
