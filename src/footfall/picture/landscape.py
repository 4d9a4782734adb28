"""A terrain in a picture: its triangles near what is shown, coloured by label, and marks laid on them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float, Int

from footfall.geometry.quaternion import cross
from footfall.world.box_tree import BoxTree
from footfall.world.grid_mesh import grid_triangles
from footfall.world.height_field import HeightField
from footfall.world.label_colours import colour_of
from footfall.world.mesh import MeshTerrain
from footfall.world.terrain import Ground

AROUND = 1.0  # m of ground shown beyond what happens on it
OVER = 0.3  # m over a mark from where its ground is looked for
CELL = 0.02  # m, of ground that is known by heights alone
WALL = 0.3  # upward part of a normal under which a triangle is a wall
PALE = 0.55  # share of white in the colours of labels, so that figures and prints stand out


@dataclass(frozen=True, eq=False)
class Landscape:
    """Triangles to draw, each with its own corners, and the terrain they are of."""

    ground: Ground
    corners: Float[np.ndarray, "triangles 3 3"]
    normals: Float[np.ndarray, "triangles 3"]
    colours: Float[np.ndarray, "triangles 3"]
    extent: Float[np.ndarray, "n 3"]  # places that a picture of it should hold

    @classmethod
    def around(cls, ground: Ground, places: Float[np.ndarray, "n 3"]) -> Landscape:
        """The ground near places."""
        low, high = places.min(axis=0) - AROUND, places.max(axis=0) + AROUND
        mesh = _as_mesh(ground, low, high)
        near = _near(mesh, low, high)
        corners = mesh.vertices[mesh.triangles[near]]
        normals = cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        normals = normals / np.linalg.norm(normals, axis=-1, keepdims=True)
        normals = np.where(normals[:, 1:2] < 0.0, -normals, normals)
        kinds = np.zeros(len(mesh), dtype=int) if mesh.kinds is None else mesh.kinds
        colours = np.array([colour_of(label) for label in mesh.labels])[kinds[near]]
        rim = _rim(low, high, float(places[:, 1].max()))
        extent = _draped(ground, np.concatenate([rim, places]))
        return cls(ground, corners, normals, PALE + (1.0 - PALE) * colours, extent)

    @classmethod
    def whole(cls, terrain: MeshTerrain) -> Landscape:
        """All of a terrain, for a picture of nothing else."""
        found = cls.around(terrain, np.stack(terrain.bounds))
        return cls(terrain, found.corners, found.normals, found.colours, np.stack(terrain.bounds))

    def drape(
        self, points: Float[np.ndarray, "*n 3"], over: float = OVER, beyond: float | None = None
    ) -> Float[np.ndarray, "*n 3"]:
        """Points laid down on the ground under them; beyond its edge at that level, or as they are."""
        return _draped(self.ground, points, over, beyond)

    @cached_property
    def tree(self) -> BoxTree:
        """Answers rays to the lamp; built once, when the first shadow asks."""
        return BoxTree.over(self.corners)

    @property
    def is_wall(self) -> np.ndarray:
        return np.abs(self.normals[:, 1]) < WALL


def _near(
    mesh: MeshTerrain, low: Float[np.ndarray, "3"], high: Float[np.ndarray, "3"]
) -> Int[np.ndarray, "n"]:
    """Triangles whose ground plan meets a rectangle; all where none does."""
    corners = mesh.vertices[mesh.triangles][..., [0, 2]]
    apart = (corners.min(axis=1) > high[[0, 2]]) | (corners.max(axis=1) < low[[0, 2]])
    near = np.flatnonzero(~apart.any(axis=-1))
    return near if len(near) else np.arange(len(mesh))


def _as_mesh(ground: Ground, low: Float[np.ndarray, "3"], high: Float[np.ndarray, "3"]) -> MeshTerrain:
    if isinstance(ground, MeshTerrain):
        return ground
    if isinstance(ground, HeightField):
        return ground.mesh
    # ground that is known by its heights alone: a fine grid of them
    nx, nz = (int(np.ceil((high[k] - low[k]) / CELL)) for k in (0, 2))
    x, z = low[0] + CELL * np.arange(nx + 1), low[2] + CELL * np.arange(nz + 1)
    level = ground.height(x[:, None], z[None, :], high[1])
    places = np.stack(
        np.broadcast_arrays(x[:, None], np.where(np.isfinite(level), level, low[1]), z), axis=-1
    )
    return MeshTerrain(places.reshape(-1, 3), grid_triangles(nx, nz))


def _rim(low: Float[np.ndarray, "3"], high: Float[np.ndarray, "3"], level: float) -> Float[np.ndarray, "4 3"]:
    return np.array([[x, level, z] for x in (low[0], high[0]) for z in (low[2], high[2])])


def _draped(
    ground: Ground, points: Float[np.ndarray, "*n 3"], over: float = OVER, beyond: float | None = None
) -> Float[np.ndarray, "*n 3"]:
    x, y, z = np.moveaxis(np.asarray(points, float), -1, 0)
    level = ground.height(x, z, y + over)
    return np.stack([x, np.where(np.isfinite(level), level, y if beyond is None else beyond), z], axis=-1)
