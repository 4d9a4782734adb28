"""Ground of triangles: any surface, with overhangs and levels over each other, asked through its box tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Float, Int

from footfall.errors import NO_NUMBER, RequestError
from footfall.figure.frozen import frozen_array
from footfall.geometry.quaternion import cross
from footfall.world.box_tree import BoxTree
from footfall.world.terrain import DOWN, GROUND, Hits, Nearest, Numbers, Points, Touchable, as_points, columns

ROUNDING = 1e-12  # of the coordinates: by how much a height may be rounded
LARGEST_INDEX = 2.0**53  # doubles tell all whole numbers up to it
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
        vertices, triangles = _floats(self.vertices, "vertices"), whole_numbers(self.triangles, "triangles")
        if vertices.ndim != 2 or vertices.shape[1] != 3:
            raise RequestError(f"vertices must have shape (any, 3), not {vertices.shape}")
        if triangles.ndim != 2 or triangles.shape[1] != 3:
            raise RequestError(f"triangles must have shape (any, 3), not {triangles.shape}")
        first, last = (int(triangles.min()), int(triangles.max())) if triangles.size else (0, -1)
        if first < 0 or last >= len(vertices):
            raise RequestError(f"triangles refer to vertices {first} to {last}; there are {len(vertices)}")
        used = np.zeros(len(vertices), dtype=bool)
        used[triangles] = True
        if not (np.abs(vertices[used]) < LARGEST).all():  # written so that what is no number is refused too
            raise RequestError(f"vertices must be finite and within {LARGEST:g} m of the origin")
        if type(self.labels) is not tuple or not all(isinstance(label, str) for label in self.labels):
            raise RequestError("labels must be a tuple of texts, such as ('grass', 'ice')")
        kinds = (
            np.zeros(len(triangles), np.int64) if self.kinds is None else whole_numbers(self.kinds, "kinds")
        )
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

    def __repr__(self) -> str:
        return f"MeshTerrain({len(self)} triangles, labels={self.labels})"

    @cached_property
    def tree(self) -> BoxTree:
        return BoxTree.over(self.vertices[self.triangles])

    @property
    def bounds(self) -> tuple[Float[np.ndarray, "3"], Float[np.ndarray, "3"]]:
        """The low and the high corner of the box round everything."""
        return self.tree.frame[3:6], self.tree.frame[6:9]

    def project(self, points: Points, direction: Points = DOWN) -> Hits:
        points = as_points(points, "points")
        if direction is not DOWN:
            direction = as_points(direction, "direction")
            if direction.ndim > 1:
                points, direction = np.broadcast_arrays(points, direction)
        if points.ndim == 2:
            return self.tree.rays(points, direction.reshape(-1, 3))
        return self.tree.rays(points.reshape(-1, 3), direction.reshape(-1, 3)).reshaped(points.shape[:-1])

    def _under(self, x: Numbers, z: Numbers, start: Numbers | float) -> Hits:
        """The first ground straight under places, seen from `start` or from over everything."""
        x, z, start = columns(x, z, start)
        points = np.empty((*x.shape, 3))
        points[..., 0], points[..., 2] = x, z
        # ground at the very start counts, however its height was rounded
        slack = ROUNDING * (
            np.abs(self.tree.frame[3:9]).max() + np.where(np.isinf(start), 0.0, np.abs(start))
        )
        points[..., 1] = np.minimum(start + slack, self.tree.frame[7] + 1.0)
        return self.project(points)

    def height(self, x: Numbers, z: Numbers, start: Numbers | float = np.inf) -> Numbers:
        x, z, start = columns(x, z, start)
        found = self._under(x, z, start)
        return np.where(found.hit, np.minimum(found.point[..., 1], start), -np.inf)

    def normal(self, x: Numbers, z: Numbers, start: Numbers | float = np.inf) -> Points:
        return self._under(x, z, start).normal

    def label(self, x: Numbers, z: Numbers, start: Numbers | float = np.inf) -> np.ndarray:
        return self.label_of(self._under(x, z, start).face)

    def label_of(self, face: Int[np.ndarray, "*n"]) -> np.ndarray:
        """The labels of faces, as strings; "" for face -1."""
        names, face = np.array([*self.labels, ""]), np.asarray(face)
        assert self.kinds is not None
        return names[np.where(face >= 0, self.kinds[face], len(self.labels))]

    def touching(self, centres: Points, radius: Numbers | float) -> Bool[np.ndarray, "*n"]:
        return self.tree.touching(as_points(centres, "centres"), radius)

    def closest(self, points: Points) -> Nearest:
        points = as_points(points, "points")
        return self.tree.closest(points.reshape(-1, 3)).reshaped(points.shape[:-1])

    def near(self, centre: Float[np.ndarray, "3"], radius: float) -> Touchable:
        return self.tree.near(frozen_array(centre, "centre", shape=(3,)), radius)


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


def _floats(values: object, what: str) -> np.ndarray:
    try:
        return np.array(values, dtype=float)
    except NO_NUMBER:
        raise RequestError(f"{what} must be an array of numbers") from None


def whole_numbers(values: object, what: str) -> np.ndarray:
    """A copy as whole numbers; an empty list has no kind of numbers yet."""
    numbers = _floats(values, what) if not isinstance(values, np.ndarray) else values
    if numbers.dtype.kind not in "iu" and not (
        numbers.dtype.kind in "bf"
        and (np.abs(numbers) < LARGEST_INDEX).all()
        and (numbers == np.round(numbers)).all()
    ):
        raise RequestError(f"{what} must be whole numbers")
    return numbers.astype(np.int64)
