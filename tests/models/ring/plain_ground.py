"""Grounds on which rings are tried, and the strike points that a walk's state promises."""

from __future__ import annotations

from functools import cache

import numpy as np
import trimesh

from footfall.models.ring import layout
from footfall.models.ring.model import MotionRing
from footfall.models.ring.walker import RingWalker
from footfall.world.generators.generate import generate
from footfall.world.mesh import MeshTerrain
from tests.world.meshes import hills, terrain_of

TREADS = 40


def table(x: float = 4.0, z: float = 4.0, level: float = 0.0, label: str = "ground") -> MeshTerrain:
    """A level piece of ground about the origin, so far to each side."""
    corners = np.array([[-x, level, -z], [-x, level, z], [x, level, z], [x, level, -z]])
    return MeshTerrain(corners, np.array([[0, 1, 2], [0, 2, 3]]), (label,))


@cache
def staircase(rise: float = 0.12, tread: float = 0.4) -> MeshTerrain:
    """Up along +Z from the origin, with treads and risers, between a floor before it and one behind."""
    profile = [(-6.0, 0.0), (0.0, 0.0)]
    for k in range(TREADS):
        profile += [(k * tread, (k + 1) * rise), ((k + 1) * tread, (k + 1) * rise)]
    profile.append((TREADS * tread + 6.0, TREADS * rise))
    vertices = np.array([[x, y, z] for z, y in profile for x in (-4.0, 4.0)])
    first = 2 * np.arange(len(profile) - 1)
    triangles = np.concatenate(
        [np.stack([first, first + 2, first + 3], axis=1), np.stack([first, first + 3, first + 1], axis=1)]
    )
    return MeshTerrain(vertices, triangles)


@cache
def slope(angle: float, across: float = 0.0) -> MeshTerrain:
    """A plane that rises along +Z, or along +X."""
    size = 30.0
    places = np.array([[-size, -size], [-size, size], [size, size], [size, -size]])
    heights = np.tan(angle) * places[:, 1] + np.tan(across) * places[:, 0]
    corners = np.column_stack([places[:, 0], heights, places[:, 1]])
    return MeshTerrain(corners, np.array([[0, 1, 2], [0, 2, 3]]))


@cache
def holed(size: float = 0.6) -> MeshTerrain:
    """A floor with a square hole at every second metre, the first at one metre ahead."""
    boxes = []
    cells = 12
    for i in range(-cells, cells):
        for k in range(-cells, cells):
            for (x0, x1), (z0, z1) in (
                ((-0.5, 0.5), (-0.5, -0.5 * size)),
                ((-0.5, 0.5), (0.5 * size, 0.5)),
                ((-0.5, -0.5 * size), (-0.5 * size, 0.5 * size)),
                ((0.5 * size, 0.5), (-0.5 * size, 0.5 * size)),
            ):
                boxes.append(
                    [
                        [i + x0, k + z0 + 1.0],
                        [i + x0, k + z1 + 1.0],
                        [i + x1, k + z1 + 1.0],
                        [i + x1, k + z0 + 1.0],
                    ]
                )
    corners = np.array(boxes).reshape(-1, 2)
    vertices = np.column_stack([corners[:, 0], np.zeros(len(corners)), corners[:, 1]])
    first = 4 * np.arange(len(boxes))
    return MeshTerrain(vertices, np.concatenate([np.add.outer(first, k) for k in ((0, 1, 2), (0, 2, 3))]))


@cache
def bumps() -> MeshTerrain:
    return terrain_of(hills(100, 100, 0.2))


@cache
def generated(kind: str, seed: int = 3) -> MeshTerrain:
    ground = generate(kind, seed).terrain
    assert isinstance(ground, MeshTerrain)
    return ground


def as_trimesh(terrain: MeshTerrain) -> trimesh.Trimesh:
    return trimesh.Trimesh(np.array(terrain.vertices), np.array(terrain.triangles), process=False)


def promised(state: np.ndarray) -> np.ndarray:
    """Where the middle of the sole that swings will come down."""
    return state[layout.LANDING : layout.LANDING + 3].copy()


def walker_on(
    ring: MotionRing, terrain: MeshTerrain, x: float = 0.0, z: float = 0.0, heading: float = 0.0
) -> RingWalker:
    """Of one ring, set down on the ground at a place."""
    from footfall.models.ring.graph import RingGraph

    level = float(terrain.height(np.array(x), np.array(z)))
    return RingWalker(RingGraph.of(ring), terrain.tree.arrays, np.array([x, level, z]), heading, ring.gait)
