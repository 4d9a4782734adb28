"""Surfaces for tests, how two of them are compared, and glTF documents that hold them, made by hand."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
import trimesh

from footfall.world.mesh import MeshTerrain
from tests.formats.rigs import glb

FLOAT, BYTE, UBYTE, SHORT, USHORT, UINT = 5126, 5120, 5121, 5122, 5123, 5125
DTYPES = {FLOAT: "<f4", BYTE: "<i1", UBYTE: "<u1", SHORT: "<i2", USHORT: "<u2", UINT: "<u4"}
KINDS = {1: "SCALAR", 3: "VEC3", 4: "VEC4"}
TETRAHEDRON = (
    np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]),
)
Judged = Callable[[], trimesh.Trimesh]


def _hills() -> trimesh.Trimesh:
    """An open sheet with random heights, far from the origin."""
    rng = np.random.default_rng(3)
    x, z = np.meshgrid(np.arange(20.0), np.arange(15.0), indexing="ij")
    place = np.stack([x + 1000.0, rng.normal(size=x.shape), z - 400.0], axis=-1).reshape(-1, 3)
    index = np.arange(300).reshape(20, 15)
    a, b, c, d = (i.reshape(-1) for i in (index[:-1, :-1], index[1:, :-1], index[:-1, 1:], index[1:, 1:]))
    return trimesh.Trimesh(
        place, np.concatenate([np.stack([a, c, b], 1), np.stack([b, c, d], 1)]), process=False
    )


def _soup() -> trimesh.Trimesh:
    """Loose triangles through each other, flipped and not, some of them far along an edge of another."""
    rng = np.random.default_rng(5)
    return trimesh.Trimesh(rng.normal(size=(90, 3)), rng.permutation(90).reshape(-1, 3), process=False)


FIVE: dict[str, Judged] = {
    "box": lambda: trimesh.creation.box(extents=(1.0, 2.0, 3.0)),
    "sphere": lambda: trimesh.creation.icosphere(subdivisions=3, radius=0.7),
    "ring": lambda: trimesh.creation.annulus(r_min=0.4, r_max=1.1, height=0.3),
    "hills": _hills,
    "soup": _soup,
}


def triangle_set(vertices: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """The corners' places of all triangles, in an order that depends on nothing but them and their sense."""
    corners = np.asarray(vertices, dtype=float)[np.asarray(triangles)]
    keys = [np.lexsort(c.T[::-1])[0] for c in corners]
    turned = np.stack([np.roll(c, -k, axis=0) for c, k in zip(corners, keys, strict=True)]).reshape(-1, 9)
    return turned[np.lexsort(turned.T[::-1])]


def _sheet(count: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """A bumpy square, its triangles upwards, and three vertices nobody uses."""
    x, z = np.meshgrid(np.linspace(-2.0, 2.0, count), np.linspace(-1.0, 3.0, count), indexing="ij")
    place = np.stack([x, 0.1 * rng.normal(size=x.shape), z], axis=-1).reshape(-1, 3)
    index = np.arange(count * count).reshape(count, count)
    a, b, c, d = (i.reshape(-1) for i in (index[:-1, :-1], index[1:, :-1], index[:-1, 1:], index[1:, 1:]))
    triangles = np.concatenate([np.stack([a, c, b], 1), np.stack([b, c, d], 1)])
    return np.concatenate([place, rng.normal(size=(3, 3))]), triangles


LABELS = ("grass", "ice", "Sankt-Pölten 2", "ground")


def patched(count: int = 6, seed: int = 0) -> MeshTerrain:
    """A bumpy square of triangles in no order with four labels mixed."""
    rng = np.random.default_rng(seed)
    place, triangles = _sheet(count, rng)
    return MeshTerrain(place, rng.permutation(triangles), LABELS, rng.integers(0, 4, len(triangles)))


@cache
def million() -> MeshTerrain:
    """A sheet of about a million triangles, in stripes of four labels."""
    place, triangles = _sheet(708, np.random.default_rng(0))
    return MeshTerrain(place, triangles, LABELS, np.arange(len(triangles)) // 1000 % 4)


def labels_of(terrain: MeshTerrain) -> list[str]:
    """Of the triangles, one by one."""
    assert terrain.kinds is not None
    return [terrain.labels[k] for k in terrain.kinds]


class Document:
    """A glTF document that grows array by array; what an accessor says can be overruled."""

    def __init__(self) -> None:
        self.binary = b""
        self.accessors: list[dict[str, object]] = []
        self.views: list[dict[str, object]] = []
        self.meshes: list[dict[str, object]] = []
        self.nodes: list[dict[str, object]] = []
        self.more: dict[str, object] = {}

    def array(self, values: object, component: int = FLOAT, **says: object) -> int:
        table = np.asarray(values)
        table = table.reshape(len(table), -1)
        content = table.astype(DTYPES[component]).tobytes()
        self.binary += b"\0" * (-len(self.binary) % 4)
        self.views.append({"buffer": 0, "byteOffset": len(self.binary), "byteLength": len(content)})
        self.binary += content
        own = {"bufferView": len(self.views) - 1, "componentType": component, "count": len(table)}
        self.accessors.append({**own, "type": KINDS[table.shape[1]], **says})
        return len(self.accessors) - 1

    def primitive(
        self, places: object, indices: object = None, component: int = USHORT, **more: object
    ) -> dict:
        own: dict[str, object] = {"attributes": {"POSITION": self.array(places)}}
        if indices is not None:
            own["indices"] = self.array(np.asarray(indices).reshape(-1), component)
        return own | more

    def mesh(self, *primitives: dict[str, object]) -> int:
        self.meshes.append({"primitives": list(primitives)})
        return len(self.meshes) - 1

    def node(self, mesh: int | None = None, **more: object) -> int:
        self.nodes.append(({} if mesh is None else {"mesh": mesh}) | more)
        return len(self.nodes) - 1

    def document(self) -> dict[str, object]:
        lists = {"accessors": self.accessors, "bufferViews": self.views, "meshes": self.meshes}
        buffers = [{"byteLength": len(self.binary)}]
        own = {"asset": {"version": "2.0"}, **lists, "nodes": self.nodes, "buffers": buffers}
        return own | self.more

    def glb(self) -> bytes:
        return glb(json.dumps(self.document()).encode(), self.binary)


def tetrahedron_document(**more: object) -> Document:
    """The smallest sound document: a tetrahedron of one material in one place."""
    document = Document()
    document.node(document.mesh(document.primitive(*TETRAHEDRON)))
    document.more |= more
    return document


def obj(
    vertices: Sequence[Sequence[float]] | np.ndarray, faces: Sequence[Sequence[int]] | np.ndarray
) -> bytes:
    """An OBJ of vertices and faces counted from 0."""
    lines = [f"v {' '.join(map(repr, map(float, v)))}" for v in vertices]
    lines += [f"f {' '.join(str(int(i) + 1) for i in face)}" for face in faces]
    return "\n".join(lines).encode()
