"""Meshes on which terrains are judged: smooth, closed, tangled, far away, and with ground over ground."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import trimesh

from footfall.world.grid_mesh import grid_triangles
from footfall.world.mesh import MeshTerrain


def hills(nx: int = 60, nz: int = 40, cell: float = 0.2, seed: int = 3) -> trimesh.Trimesh:
    rng = np.random.default_rng(seed)
    x, z = np.meshgrid(cell * np.arange(nx + 1), cell * np.arange(nz + 1), indexing="ij")
    y = np.zeros_like(x)
    for _ in range(8):
        a, b, phase = rng.normal(0.0, 1.5), rng.normal(0.0, 1.5), rng.uniform(0.0, 6.0)
        y += 0.08 * np.cos(a * x + b * z + phase)
    return trimesh.Trimesh(np.stack([x, y, z], -1).reshape(-1, 3), grid_triangles(nx, nz), process=False)


def ball() -> trimesh.Trimesh:
    return trimesh.creation.icosphere(subdivisions=4, radius=1.3)


def soup(count: int = 700, seed: int = 5) -> trimesh.Trimesh:
    """Triangles through each other, large and small, in no order: nothing a modeller would call a mesh."""
    rng = np.random.default_rng(seed)
    sizes = rng.choice([0.05, 0.3, 2.0], count, p=[0.5, 0.4, 0.1])
    corners = rng.uniform(-2.0, 2.0, (count, 1, 3)) + sizes[:, None, None] * rng.normal(size=(count, 3, 3))
    return trimesh.Trimesh(corners.reshape(-1, 3), np.arange(3 * count).reshape(-1, 3), process=False)


def bridge() -> trimesh.Trimesh:
    """A floor, stairs up on both sides, and a deck over the floor."""
    boxes = [((12.0, 0.2, 6.0), (0.0, -0.1, 0.0)), ((3.0, 0.3, 2.0), (0.0, 2.85, 0.0))]
    boxes += [
        ((0.3, 0.2 * (k + 1), 2.0), (side * (1.5 + 0.3 * (14.5 - k)), 0.1 * (k + 1), 0.0))
        for k in range(15)
        for side in (-1.0, 1.0)
    ]
    parts = [trimesh.creation.box(size, trimesh.transformations.translation_matrix(at)) for size, at in boxes]
    return trimesh.util.concatenate(parts)


def far_away() -> trimesh.Trimesh:
    """A torus a hundred kilometres from the origin."""
    ring = trimesh.creation.torus(2.0, 0.5, major_sections=48, minor_sections=24)
    ring.apply_translation([1e5, -300.0, -5e4])
    return ring


MESHES: dict[str, Callable[[], trimesh.Trimesh]] = {
    "hills": hills,
    "ball": ball,
    "soup": soup,
    "bridge": bridge,
    "far away": far_away,
}


def terrain_of(mesh: trimesh.Trimesh) -> MeshTerrain:
    return MeshTerrain(np.array(mesh.vertices), np.array(mesh.faces))
