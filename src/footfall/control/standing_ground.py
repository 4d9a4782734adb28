"""Ground as compiled walks want it: the box tree of triangles, whatever the terrain is made of.

Meshes and height fields have one. Planes are cut in pieces, and so is ground that only tells its heights, on
a fine grid; as the figure goes on, another piece is cut.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from jaxtyping import Int

from footfall.control.ground_lattice import HEIGHTS, PLANES, GroundLattice
from footfall.world.box_tree import TreeArrays
from footfall.world.height_field import HeightField
from footfall.world.mesh import LARGEST, MeshTerrain
from footfall.world.plane import InclinedTerrain
from footfall.world.terrain import Terrain

FAR_DOWN = -1e5  # m: where there is none


class StandingGround:
    """The tree of a terrain near a figure."""

    def __init__(self, terrain: Terrain, avoid: Collection[str] = ()) -> None:
        self.terrain = terrain
        self.lattice: GroundLattice = PLANES if isinstance(terrain, InclinedTerrain) else HEIGHTS
        self._avoid = frozenset(avoid)
        self._middle: tuple[float, float] | None = None
        self._reach = self.lattice.reach
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
        if self.tree is not None:
            middle = self._middle
            if middle is None or (abs(x - middle[0]) < self._reach and abs(z - middle[1]) < self._reach):
                return self.tree
        piece = self.lattice.pieces_at(np.array([x, z], dtype=float))
        middle_x, middle_z = map(float, self.lattice.middles(piece))
        if self.tree is None or self._middle != (middle_x, middle_z):
            self._middle = middle_x, middle_z
            self.mesh = self.cut(piece)
            self.tree = self.mesh.tree.arrays
        return self.tree

    def label(self, face: int) -> str:
        """What a face of the ground is of."""
        if self.mesh is None or not 0 <= face < len(self.mesh):
            return ""
        return str(self.mesh.label_of(np.array(face)))

    def cut(self, piece: Int[np.ndarray, "2"]) -> MeshTerrain:
        """One piece of ground that is not whole."""
        x, z = self.lattice.corners(piece)
        heights = np.asarray(self.terrain.height(x, z), dtype=float)
        there = np.abs(heights) < LARGEST  # False for what is no number
        vertices = np.stack([x, np.where(there, heights, FAR_DOWN), z], axis=-1).reshape(-1, 3)
        triangles = self.lattice.triangles
        ground = there.reshape(-1)[triangles].all(axis=1)
        triangles = triangles[ground] if ground.any() else triangles[:1]
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
