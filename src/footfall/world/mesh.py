"""Ground of triangles: any surface, with overhangs and levels over each other, asked through its box tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Float, Int

from footfall.errors import RequestError
from footfall.geometry.quaternion import cross
from footfall.world.box_tree import BoxTree
from footfall.world.terrain import DOWN, GROUND, Hits, Nearest, Touchable

LARGEST = 1e7  # m: beyond this a double tells no tenth of a micrometre


@dataclass(frozen=True, eq=False)
class MeshTerrain:
    """Triangles as ground. Either side of a triangle is ground; those without area are left out.

    `kinds` tells of each triangle which of `labels` it is.
    """

    vertices: Float[np.ndarray, "vertices 3"]
    triangles: Int[np.ndarray, "triangles 3"]
    labels: tuple[str, ...] = (GROUND,)
    kinds: Int[np.ndarray, "triangles"] | None = None

    def __post_init__(self) -> None:
        vertices = np.array(self.vertices, dtype=float)
        triangles = np.array(self.triangles, dtype=np.int64)
        if vertices.ndim != 2 or vertices.shape[1] != 3:
            raise RequestError(f"vertices must have shape (any, 3), not {vertices.shape}")
        if triangles.ndim != 2 or triangles.shape[1] != 3:
            raise RequestError(f"triangles must have shape (any, 3), not {triangles.shape}")
        if triangles.size and not (0 <= triangles.min() and triangles.max() < len(vertices)):
            raise RequestError(
                f"triangles refer to vertices {triangles.min()} to {triangles.max()}, but there are {len(vertices)}"
            )
        used = vertices[np.unique(triangles)]
        if not (np.abs(used) < LARGEST).all():  # written so that what is no number is refused too
            raise RequestError(f"vertices must be finite and within {LARGEST:g} m of the origin")
        kinds = np.zeros(len(triangles), int) if self.kinds is None else np.array(self.kinds, dtype=np.int64)
        if kinds.shape != (len(triangles),) or (
            kinds.size and not 0 <= kinds.min() <= kinds.max() < len(self.labels)
        ):
            raise RequestError(f"kinds must give each triangle one of the {len(self.labels)} labels")
        whole = _areas(vertices[triangles]) > 0.0
        if not whole.any():
            raise RequestError("a terrain needs at least one triangle with an area")
        triangles, kinds = triangles[whole], kinds[whole]
        for name, array in (("vertices", vertices), ("triangles", triangles), ("kinds", kinds)):
            array.flags.writeable = False
            object.__setattr__(self, name, array)

    def __len__(self) -> int:
        return len(self.triangles)

    @cached_property
    def tree(self) -> BoxTree:
        return BoxTree.over(self.vertices[self.triangles])

    @cached_property
    def normals(self) -> Float[np.ndarray, "triangles 3"]:
        """Of the triangles, unit, as their corners turn."""
        a, b, c = np.moveaxis(self.vertices[self.triangles], 1, 0)
        normals = cross(b - a, c - a)
        return normals / np.linalg.norm(normals, axis=-1, keepdims=True)

    @property
    def bounds(self) -> tuple[Float[np.ndarray, "3"], Float[np.ndarray, "3"]]:
        """The low and the high corner of the box round everything."""
        used = self.vertices[np.unique(self.triangles)]
        return used.min(axis=0), used.max(axis=0)

    def project(self, points: Float[np.ndarray, "*n 3"], direction: Float[np.ndarray, "*n 3"] = DOWN) -> Hits:
        points, along = np.broadcast_arrays(np.asarray(points, float), np.asarray(direction, float))
        with np.errstate(invalid="ignore", divide="ignore"):
            along = along / np.linalg.norm(along, axis=-1, keepdims=True)
        distance, face = self.tree.rays(points.reshape(-1, 3), along.reshape(-1, 3))
        distance, face = distance.reshape(points.shape[:-1]), face.reshape(points.shape[:-1])
        hit = face >= 0
        place = points + np.where(hit, distance, np.nan)[..., None] * along
        return Hits(distance, place, self._facing(face, -along), face)

    def _facing(
        self, face: Int[np.ndarray, "*n"], towards: Float[np.ndarray, "*n 3"]
    ) -> Float[np.ndarray, "*n 3"]:
        """The faces' normals on the side that looks `towards`; nan where there is no face."""
        normal = self.normals[face]
        side = np.where(np.sum(normal * towards, axis=-1) < 0.0, -1.0, 1.0)
        return np.where((face >= 0)[..., None], side[..., None] * normal, np.nan)

    def _under(
        self,
        x: Float[np.ndarray, "*n"],
        z: Float[np.ndarray, "*n"],
        start: Float[np.ndarray, "*n"] | float,
    ) -> Hits:
        """The first ground straight under places, seen from `start` or from over everything."""
        above = self.bounds[1][1] + 1.0
        x, z, start = np.broadcast_arrays(
            np.asarray(x, float), np.asarray(z, float), np.asarray(start, float)
        )
        return self.project(np.stack([x, np.minimum(start, above), z], axis=-1))

    def height(
        self,
        x: Float[np.ndarray, "*n"],
        z: Float[np.ndarray, "*n"],
        start: Float[np.ndarray, "*n"] | float = np.inf,
    ) -> Float[np.ndarray, "*n"]:
        found = self._under(x, z, start)
        return np.where(found.hit, found.point[..., 1], -np.inf)

    def normal(
        self,
        x: Float[np.ndarray, "*n"],
        z: Float[np.ndarray, "*n"],
        start: Float[np.ndarray, "*n"] | float = np.inf,
    ) -> Float[np.ndarray, "*n 3"]:
        return self._under(x, z, start).normal

    def label(
        self,
        x: Float[np.ndarray, "*n"],
        z: Float[np.ndarray, "*n"],
        start: Float[np.ndarray, "*n"] | float = np.inf,
    ) -> np.ndarray:
        return self.label_of(self._under(x, z, start).face)

    def label_of(self, face: Int[np.ndarray, "*n"]) -> np.ndarray:
        """The labels of faces, as strings; "" for face -1."""
        names = np.array([*self.labels, ""])
        assert self.kinds is not None
        return names[np.where(face >= 0, self.kinds[face], len(self.labels))]

    def touching(
        self, centres: Float[np.ndarray, "*n 3"], radius: Float[np.ndarray, "*n"] | float
    ) -> Bool[np.ndarray, "*n"]:
        return self.tree.touching(centres, radius)

    def closest(self, points: Float[np.ndarray, "*n 3"]) -> Nearest:
        points = np.asarray(points, float)
        place, face = self.tree.closest(points.reshape(-1, 3))
        place, face = place.reshape(points.shape), face.reshape(points.shape[:-1])
        return Nearest(
            np.linalg.norm(points - place, axis=-1), place, self._facing(face, points - place), face
        )

    def near(self, centre: Float[np.ndarray, "3"], radius: float) -> Touchable:
        return self.tree.near(centre, radius)


def join(parts: Sequence[MeshTerrain]) -> MeshTerrain:
    """Several terrains as one; where one lies over another, both are there."""
    if not parts:
        raise RequestError("there must be at least one terrain to join")
    labels = tuple(dict.fromkeys(label for part in parts for label in part.labels))
    firsts = np.cumsum([0, *(len(part.vertices) for part in parts[:-1])])
    kinds = [np.array([labels.index(label) for label in part.labels])[part.kinds] for part in parts]
    return MeshTerrain(
        np.concatenate([part.vertices for part in parts]),
        np.concatenate([part.triangles + first for part, first in zip(parts, firsts, strict=True)]),
        labels,
        np.concatenate(kinds),
    )


def _areas(corners: Float[np.ndarray, "triangles 3 3"]) -> Float[np.ndarray, "triangles"]:
    """Twice the areas of triangles."""
    return np.linalg.norm(cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=-1)
