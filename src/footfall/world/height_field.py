"""Ground as heights over a grid: what lies under a place is found without any search.

Each cell is two triangles, cut from its first corner to the opposite one, so that a height field and the mesh
of it are the same surface. Whatever is not straight down is asked of that mesh, made when first needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Float, Int

from footfall.errors import NO_NUMBER, RequestError
from footfall.figure.frozen import frozen_array
from footfall.world.grid_mesh import grid_triangles, grid_vertices
from footfall.world.mesh import LARGEST, MeshTerrain, whole_numbers
from footfall.world.terrain import DOWN, GROUND, Hits, Nearest, Numbers, Points, Touchable, columns, is_number


@dataclass(frozen=True, eq=False)
class HeightField:
    """Heights at the corners of square cells; a height that is not a number is a hole.

    `heights[i, j]` is over x = origin[0] + i * cell, z = origin[1] + j * cell. `kinds` tells of each cell
    which of `labels` it is.
    """

    heights: Float[np.ndarray, "nx+1 nz+1"]
    cell: float  # m
    origin: Float[np.ndarray, "2"] = (0.0, 0.0)  # type: ignore[assignment]
    labels: tuple[str, ...] = (GROUND,)
    kinds: Int[np.ndarray, "nx nz"] | None = None

    def __post_init__(self) -> None:
        try:
            heights = np.array(self.heights, dtype=float, order="C")
        except NO_NUMBER:
            raise RequestError("heights must be an array of numbers") from None
        if heights.ndim != 2 or min(heights.shape) < 2:
            raise RequestError(f"heights must have shape (2 or more, 2 or more), not {heights.shape}")
        if np.isnan(heights).all() or not (np.abs(heights[~np.isnan(heights)]) < LARGEST).all():
            raise RequestError(f"heights must be within {LARGEST:g} m of 0, and some must be numbers")
        if not is_number(self.cell) or not 0.0 < self.cell < LARGEST:
            raise RequestError(f"cell must be a positive length, not {self.cell!r}")
        cells = (heights.shape[0] - 1, heights.shape[1] - 1)
        if type(self.labels) is not tuple or not all(isinstance(label, str) for label in self.labels):
            raise RequestError("labels must be a tuple of texts, such as ('grass', 'ice')")
        kinds = np.zeros(cells, np.int64) if self.kinds is None else whole_numbers(self.kinds, "kinds")
        if kinds.shape != cells or kinds.min() < 0 or kinds.max() >= len(self.labels):
            raise RequestError(f"kinds must give each of {cells} cells one of the {len(self.labels)} labels")
        for name, array in (("heights", heights), ("kinds", kinds)):
            array.flags.writeable = False
            object.__setattr__(self, name, array)
        object.__setattr__(self, "cell", float(self.cell))
        object.__setattr__(self, "origin", frozen_array(self.origin, "origin", shape=(2,)))
        if not (np.abs(self.origin) + self.cell * np.array(cells) < LARGEST).all():
            raise RequestError(f"a height field must lie within {LARGEST:g} m of the origin")
        if not _whole(heights).any():
            raise RequestError("a height field needs three neighbouring heights that are numbers")

    def __repr__(self) -> str:
        nx, nz = self.heights.shape
        return f"HeightField({nx - 1} x {nz - 1} cells of {self.cell:g} m, labels={self.labels})"

    @cached_property
    def mesh(self) -> MeshTerrain:
        """The same surface as triangles."""
        nx, nz = self.heights.shape[0] - 1, self.heights.shape[1] - 1
        vertices = grid_vertices(self.heights, (self.origin[0], self.origin[1]), (self.cell, self.cell))
        triangles = grid_triangles(nx, nz)
        whole = _whole(self.heights)
        assert self.kinds is not None
        kinds = np.repeat(self.kinds.reshape(-1), 2)  # two triangles a cell
        return MeshTerrain(vertices, triangles[whole], self.labels, kinds[whole])

    def _under(
        self, x: Numbers, z: Numbers, start: Numbers | float
    ) -> tuple[Numbers, Points, Int[np.ndarray, "*n"]]:
        """Height, normal and cell under places; -inf, nan and -1 where there is none or it is above start."""
        from footfall.world.height_field_kernel import look_down

        asked = np.stack(columns(x, z, start))
        shape, flat = asked.shape[1:], asked.reshape(3, -1)
        level, normals = np.empty(flat.shape[1]), np.empty((flat.shape[1], 3))
        cells = np.empty(flat.shape[1], dtype=np.int64)
        look_down(self.heights, self.origin[0], self.origin[1], self.cell, flat, level, normals, cells)
        return level.reshape(shape), normals.reshape((*shape, 3)), cells.reshape(shape)

    def height(self, x: Numbers, z: Numbers, start: Numbers | float = np.inf) -> Numbers:
        return self._under(x, z, start)[0]

    def normal(self, x: Numbers, z: Numbers, start: Numbers | float = np.inf) -> Points:
        return self._under(x, z, start)[1]

    def label(self, x: Numbers, z: Numbers, start: Numbers | float = np.inf) -> np.ndarray:
        cells = self._under(x, z, start)[2]
        assert self.kinds is not None
        kinds = np.append(self.kinds.reshape(-1), len(self.labels))
        return np.array([*self.labels, ""])[kinds[cells]]

    def project(self, points: Points, direction: Points = DOWN) -> Hits:
        return self.mesh.project(points, direction)

    def touching(self, centres: Points, radius: Numbers | float) -> Bool[np.ndarray, "*n"]:
        return self.mesh.touching(centres, radius)

    def closest(self, points: Points) -> Nearest:
        return self.mesh.closest(points)

    def near(self, centre: Float[np.ndarray, "3"], radius: float) -> Touchable:
        return self.mesh.near(centre, radius)


def _whole(heights: Float[np.ndarray, "nx+1 nz+1"]) -> Bool[np.ndarray, "2*nx*nz"]:
    """Which triangles of the grid, as `grid_triangles` has them, are no part of a hole."""
    there = np.isfinite(heights)
    ends = there[:-1, :-1] & there[1:, 1:]
    return np.stack([ends & there[1:, :-1], ends & there[:-1, 1:]], axis=-1).reshape(-1)
