"""Ground as compiled walks want it: the box tree of triangles, whatever the terrain is made of.

Meshes and height fields have one. Planes are cut out round the figure, and so is ground that only tells its
heights, on a fine grid; as the figure goes on, another piece is cut.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from jaxtyping import Float

from footfall.world.box_tree import TreeArrays
from footfall.world.grid_mesh import grid_triangles, grid_vertices
from footfall.world.height_field import HeightField
from footfall.world.mesh import MeshTerrain
from footfall.world.plane import InclinedTerrain
from footfall.world.terrain import Terrain

PLANE = 200.0  # m to each side of the figure
PATCH, CELL = 6.0, 0.1  # m: half the size and the cells of a piece of other ground
NEAR = 0.5  # of the half size: a figure farther from the middle gets another piece
FAR_DOWN = -1e5  # m: where there is none


class StandingGround:
    """The tree of a terrain near a figure."""

    def __init__(self, terrain: Terrain, avoid: Collection[str] = ()) -> None:
        self.terrain = terrain
        self._avoid = frozenset(avoid)
        self._middle: Float[np.ndarray, "2"] | None = None
        self._size = np.inf
        self.mesh = self._whole()
        self.tree: TreeArrays | None = None if self.mesh is None else self.mesh.tree.arrays

    @property
    def whole(self) -> bool:
        """Whether there is one tree for all of it."""
        return self._middle is None and self.tree is not None

    def _whole(self) -> MeshTerrain | None:
        mesh = self.terrain.mesh if isinstance(self.terrain, HeightField) else self.terrain
        return _without(mesh, self._avoid) if isinstance(mesh, MeshTerrain) else None

    def under(self, x: float, z: float) -> TreeArrays:
        """The tree of the ground about a place."""
        if self._middle is not None and self.tree is not None:
            if max(abs(x - self._middle[0]), abs(z - self._middle[1])) < NEAR * self._size:
                return self.tree
        elif self.tree is not None:
            return self.tree
        if not (np.isfinite(x) and np.isfinite(z)):
            x = z = 0.0
        self._middle = np.array([x, z])
        plane = isinstance(self.terrain, InclinedTerrain)
        self._size = PLANE if plane else PATCH
        self.mesh = self._cut(x, z, self._size, 1 if plane else round(2 * PATCH / CELL))
        self.tree = self.mesh.tree.arrays
        return self.tree

    def label(self, face: int) -> str:
        """What a face of the ground is of."""
        if self.mesh is None or not 0 <= face < len(self.mesh):
            return ""
        return str(self.mesh.label_of(np.array(face)))

    def _cut(self, x: float, z: float, size: float, cells: int) -> MeshTerrain:
        along = np.linspace(-size, size, cells + 1)
        gx, gz = np.meshgrid(x + along, z + along, indexing="ij")
        heights = np.asarray(self.terrain.height(gx, gz), dtype=float)
        there = np.isfinite(heights)
        heights = np.where(there, heights, FAR_DOWN)
        cell = 2.0 * size / cells
        vertices = grid_vertices(heights, (x - size, z - size), (cell, cell))
        triangles = grid_triangles(cells, cells)
        whole = there.reshape(-1)[triangles].all(axis=1)
        triangles = triangles[whole] if whole.any() else triangles[:1]
        middles = vertices[triangles].mean(axis=1)
        names = np.asarray(self.terrain.label(middles[:, 0], middles[:, 2]))
        labels, kinds = np.unique(names, return_inverse=True)
        mesh = MeshTerrain(vertices, triangles, tuple(map(str, labels)), kinds)
        return _without(mesh, self._avoid)


def _without(mesh: MeshTerrain, avoid: frozenset[str]) -> MeshTerrain:
    """A mesh without the triangles of some labels: what is avoided is no ground to stand on."""
    assert mesh.kinds is not None
    unwanted = [k for k, label in enumerate(mesh.labels) if label in avoid]
    kept = ~np.isin(mesh.kinds, unwanted)
    if kept.all():
        return mesh
    if not kept.any():  # nowhere to stand: a speck that no foot reaches
        speck = np.array([[0.0, FAR_DOWN, 0.0], [0.0, FAR_DOWN, 1e-3], [1e-3, FAR_DOWN, 0.0]])
        return MeshTerrain(speck, np.array([[0, 1, 2]]))
    return MeshTerrain(mesh.vertices, mesh.triangles[kept], mesh.labels, mesh.kinds[kept])
