"""Worlds on which paths are judged: obstacles of all kinds, a bridge over a road, a house of walls."""

from __future__ import annotations

import numpy as np
import trimesh
from jaxtyping import Float

from footfall.planning.limits import WalkLimits
from footfall.planning.path import Path
from footfall.world.mesh import MeshTerrain
from footfall.world.obstacle import Obstacle
from footfall.world.shapes.box import Box
from footfall.world.shapes.capsule import Capsule
from footfall.world.shapes.cylinder import Cylinder
from footfall.world.shapes.distance import distances, grouped
from footfall.world.shapes.placed import Placed
from footfall.world.shapes.polygon import Polygon
from footfall.world.shapes.shape import Shape
from footfall.world.shapes.sphere import Sphere

Blocks = list[tuple[tuple[float, float, float], tuple[float, float, float]]]  # size, middle
CLOSE = 1e-6  # m by which the judge's body is thinner
BESIDE = 0.02  # m between the places where a path is judged


def blocks_terrain(blocks: Blocks, turned: float = 0.0) -> MeshTerrain:
    parts = [
        trimesh.creation.box(size, trimesh.transformations.translation_matrix(at)) for size, at in blocks
    ]
    mesh = trimesh.util.concatenate(parts)
    mesh.apply_transform(trimesh.transformations.rotation_matrix(turned, (0.0, 1.0, 0.0)))
    return MeshTerrain(np.array(mesh.vertices), np.array(mesh.faces))


def bridge() -> MeshTerrain:
    """A floor of 16 x 10 m; a deck of 2 m along x at 3.2 m, with stairs up on both sides."""
    blocks: Blocks = [((16.0, 0.2, 10.0), (0.0, -0.1, 0.0)), ((4.0, 0.2, 2.0), (0.0, 3.1, 0.0))]
    for k in range(16):  # risers of 0.2 m, treads of 0.3 m
        for side in (-1.0, 1.0):
            blocks.append(((0.3, 0.2 * (k + 1), 2.0), (side * (2.0 + 0.3 * (15.5 - k)), 0.1 * (k + 1), 0.0)))
    return blocks_terrain(blocks)


def walls() -> Blocks:
    """A room of 8 x 6 m whose walls are part of the ground, and one across it with a door of 1 m."""
    high = 2.5
    return [
        ((8.2, high, 0.1), (0.0, 0.5 * high, 3.0)),
        ((8.2, high, 0.1), (0.0, 0.5 * high, -3.0)),
        ((0.1, high, 6.1), (4.03, 0.5 * high, 0.0)),
        ((0.1, high, 6.1), (-4.03, 0.5 * high, 0.0)),
        ((0.07, high, 4.0), (0.33, 0.5 * high, -1.0)),
        ((0.07, high, 1.0), (0.33, 0.5 * high, 2.5)),
    ]


def house() -> MeshTerrain:
    return blocks_terrain([((12.0, 0.2, 10.0), (0.0, -0.1, 0.0)), *walls()])


def random_shape(rng: np.random.Generator) -> Shape:
    kind = rng.integers(5)
    if kind == 0:
        return Box(rng.uniform([0.2, 0.3, 0.2], [2.0, 2.5, 2.0]))
    if kind == 1:
        return Cylinder(rng.uniform(0.1, 0.8), rng.uniform(0.3, 2.5))
    if kind == 2:
        radius = rng.uniform(0.1, 0.5)
        return Capsule(radius, rng.uniform(2.1, 5.0) * radius)
    if kind == 3:
        return Sphere(rng.uniform(0.15, 0.8))
    angles = np.sort(rng.uniform(0.0, 2.0 * np.pi, 3)) + np.arange(3) * 0.4
    around = np.append(angles, angles[-1] + 0.5)
    corners = rng.uniform(0.4, 1.2, 4)[:, None] * np.stack([np.sin(around), np.cos(around)], axis=-1)
    try:
        return Polygon(corners, rng.uniform(0.4, 2.0))
    except ValueError:  # drawn across itself
        return Box(np.array([0.5, 1.0, 0.5]))


def random_obstacles(
    rng: np.random.Generator, count: int, size: float, level: float = 0.0, *, tilted: bool = True
) -> list[Obstacle]:
    """Shapes of all kinds strewn over a square, some lying askew, some floating."""
    found = []
    for _ in range(count):
        shape = random_shape(rng)
        x, z = rng.uniform(-0.5 * size, 0.5 * size, 2)
        y = level + rng.uniform(0.0, 1.4)
        if tilted and rng.random() < 0.4:
            found.append(Obstacle(shape, np.array([x, y, z]), rng.normal(size=4)))
        else:
            found.append(Obstacle.upright(shape, np.array([x, y, z]), rng.uniform(-3.0, 3.0)))
    return found


def everywhere(path: Path, beside: float = BESIDE) -> Float[np.ndarray, "n 3"]:
    """Points of a path: its own, and between them."""
    s = np.arange(0.0, path.length, beside)
    return np.concatenate([path.points, path.point(s)])


def least_distance(
    path: Path, placed: list[Placed], radius: float, limits: WalkLimits | None = None, beside: float = BESIDE
) -> float:
    """The least distance of an upright body of a radius from all shapes, exactly: 0 where it overlaps one.

    The body reaches from step height to headroom over the path.
    """
    limits = limits or WalkLimits()
    body = Cylinder(radius - CLOSE, limits.headroom - limits.step - 2.0 * CLOSE)
    over = np.array([0.0, 0.5 * (limits.headroom + limits.step), 0.0])
    others = grouped(placed)
    if not len(others):
        return np.inf
    return min(
        float(distances(Placed(body, place + over), others).min()) for place in everywhere(path, beside)
    )
