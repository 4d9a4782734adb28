"""glTF and GLB in, as ground: the triangles of a scene where its nodes stand, labelled by their materials.

Skinned meshes are read as they lie; points and lines are passed over.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from jaxtyping import Float, Int

from footfall.errors import LoadError
from footfall.formats.gltf_container import Document, Gltf, Node, Primitive, item, open_gltf
from footfall.formats.gltf_nodes import LARGEST, NodeTree
from footfall.formats.surface import Surface, labelled
from footfall.geometry import quaternion as quat
from footfall.world.terrain import GROUND

TRIANGLES, STRIP, FAN = 4, 5, 6
PACKED = "KHR_draco_mesh_compression"
# A mesh may stand in many places: so many triangles may come from a small file, and so many more by its bytes
ALLOWANCE = 1_000_000
BYTES_EACH = 4


def read_gltf_mesh(content: bytes, fetch: Callable[[str], bytes]) -> Surface:
    """`fetch` reads a buffer that lies in a file of its own beside the document."""
    gltf = open_gltf(content, fetch)
    document = gltf.document
    if PACKED in document.extensions_required:
        raise LoadError(f"the file is packed with {PACKED}, which footfall does not read: save it unpacked")
    places = _places(document)
    meshes = {index: _Mesh.of(gltf, index) for index in sorted(places)}
    _check_size(meshes, {index: len(found) for index, found in places.items()}, len(content) + gltf.size)
    parts = [_stood(mesh.read(gltf), places[index]) for index, mesh in meshes.items() if mesh.triangles]
    if not parts:
        raise LoadError("the scene of the glTF holds no triangles")
    firsts = np.cumsum([0, *(len(part.vertices) for part in parts)])
    kinds = np.concatenate([part.materials for part in parts])
    labels, kinds = labelled([GROUND, *(material.name for material in document.materials)], kinds)
    return Surface(
        np.concatenate([part.vertices for part in parts]),
        np.concatenate([part.triangles + first for part, first in zip(parts, firsts, strict=False)]),
        labels,
        kinds,
    )


@dataclass(frozen=True, eq=False)
class _Part:
    """Triangles with the materials they are of, counted from 1; 0 is none."""

    vertices: Float[np.ndarray, "vertices 3"]
    triangles: Int[np.ndarray, "triangles 3"]
    materials: Int[np.ndarray, "triangles"]


@dataclass
class _Mesh:
    """A mesh before its arrays are read: what they will be, by what the accessors say."""

    primitives: list[Primitive] = field(default_factory=list)
    counts: dict[int, int] = field(default_factory=dict)  # of vertices, by the accessor of their positions
    triangles: int = 0

    @classmethod
    def of(cls, gltf: Gltf, index: int) -> _Mesh:
        mesh = cls()
        for primitive in item(gltf.document.meshes, index, "mesh").primitives:
            if primitive.mode not in (TRIANGLES, STRIP, FAN) or "POSITION" not in primitive.attributes:
                continue
            positions = primitive.attributes["POSITION"]
            mesh.counts[positions] = count = max(gltf.accessor(positions).count, 0)
            corners = count if primitive.indices is None else max(gltf.accessor(primitive.indices).count, 0)
            mesh.triangles += corners // 3 if primitive.mode == TRIANGLES else max(corners - 2, 0)
            mesh.primitives.append(primitive)
        return mesh

    def read(self, gltf: Gltf) -> _Part:
        """All primitives as one; those that share their positions keep sharing them."""
        firsts: dict[int, int] = {}
        vertices: list[np.ndarray] = []
        total = 0
        for accessor in self.counts:
            firsts[accessor] = total
            vertices.append(_positions(gltf, accessor))
            total += len(vertices[-1])
        triangles, materials = [], []
        for primitive in self.primitives:
            positions = primitive.attributes["POSITION"]
            own = _triangles(gltf, primitive, self.counts[positions])
            triangles.append(own + firsts[positions])
            materials.append(np.full(len(own), _material(gltf.document, primitive)))
        return _Part(np.concatenate(vertices), np.concatenate(triangles), np.concatenate(materials))


def _positions(gltf: Gltf, accessor: int) -> Float[np.ndarray, "vertices 3"]:
    if gltf.accessor(accessor).type != "VEC3":
        raise LoadError(f"accessor {accessor} holds no positions, which are of three numbers")
    return gltf.array(accessor)


def _material(document: Document, primitive: Primitive) -> int:
    if primitive.material is None:
        return 0
    item(document.materials, primitive.material, "material")
    return primitive.material + 1


def _triangles(gltf: Gltf, primitive: Primitive, count: int) -> Int[np.ndarray, "triangles 3"]:
    if primitive.indices is None:
        corners = np.arange(count)
    else:
        corners = gltf.whole_numbers(primitive.indices)
        if corners.max() >= count:
            raise LoadError(f"a triangle refers to vertex {corners.max()}, but there are {count}")
    if primitive.mode == TRIANGLES:
        if len(corners) % 3:
            raise LoadError(f"{len(corners)} corners are no whole number of triangles")
        return corners.reshape(-1, 3)
    if primitive.mode == FAN:
        middle = np.broadcast_to(corners[:1], len(corners[2:]))
        return np.stack([middle, corners[1:-1], corners[2:]], axis=-1)
    strip = np.stack([corners[:-2], corners[1:-1], corners[2:]], axis=-1)
    strip[1::2] = strip[1::2, [0, 2, 1]]  # every second one turns the other way round
    return strip


def _check_size(meshes: dict[int, _Mesh], uses: dict[int, int], size: int) -> None:
    """Refuses what would take far more memory than the file: one mesh may stand in a thousand places."""
    most = ALLOWANCE + size // BYTES_EACH
    triangles = sum(uses[index] * mesh.triangles for index, mesh in meshes.items())
    vertices = sum(uses[index] * sum(mesh.counts.values()) for index, mesh in meshes.items())
    if max(triangles, vertices) > most:
        raise LoadError(
            f"{triangles} triangles of {vertices} vertices are more than the {most} "
            f"that footfall reads from {size} bytes"
        )


def _stood(part: _Part, places: Float[np.ndarray, "n 4 4"]) -> _Part:
    """A mesh at all its places, one after the other."""
    with np.errstate(over="ignore", invalid="ignore"):  # of places that the terrain refuses later
        vertices = part.vertices @ np.swapaxes(places[:, :3, :3], 1, 2) + places[:, None, :3, 3]
        mirrored = np.linalg.det(places[:, :3, :3]) < 0.0
    triangles = part.triangles + len(part.vertices) * np.arange(len(places))[:, None, None]
    triangles[mirrored] = triangles[mirrored][:, :, [0, 2, 1]]
    return _Part(vertices.reshape(-1, 3), triangles.reshape(-1, 3), np.tile(part.materials, len(places)))


def _places(document: Document) -> dict[int, Float[np.ndarray, "n 4 4"]]:
    """Of each mesh in the scene, where its nodes stand in the world."""
    tree = NodeTree.of(document)
    shown = _shown(document, tree)
    world = _world(document, tree)
    nodes: dict[int, list[int]] = {}
    for node in shown:
        mesh = document.nodes[node].mesh
        if mesh is not None:
            nodes.setdefault(mesh, []).append(node)
    return {mesh: world[standing] for mesh, standing in nodes.items()}


def _shown(document: Document, tree: NodeTree) -> list[int]:
    """The nodes of the scene; all where there is no scene."""
    if not document.scenes:
        return tree.order
    roots = item(document.scenes, document.scene, "scene").nodes
    inside = np.zeros(len(document.nodes), dtype=bool)
    for root in roots:
        item(document.nodes, root, "node")
        inside[root] = True
    for node in tree.order:
        if tree.parents[node] >= 0 and inside[tree.parents[node]]:
            inside[node] = True
    return np.flatnonzero(inside).tolist()


def _world(document: Document, tree: NodeTree) -> Float[np.ndarray, "nodes 4 4"]:
    """Every node's own space in the world, level by level from the roots."""
    own = _own(document.nodes)
    parents, order = np.array(tree.parents, dtype=int), np.array(tree.order, dtype=int)
    depth = np.zeros(len(order), dtype=int)
    for node in tree.order:
        depth[node] = 0 if tree.parents[node] < 0 else depth[tree.parents[node]] + 1
    levels = np.split(order, np.flatnonzero(np.diff(depth[order])) + 1)
    world = own.copy()
    with np.errstate(over="ignore", invalid="ignore"):  # of places that the terrain refuses later
        for level in levels[1:]:
            world[level] = world[parents[level]] @ own[level]
    return world


def _own(nodes: list[Node]) -> Float[np.ndarray, "nodes 4 4"]:
    """Every node's own space in its parent's."""
    place = np.array([node.translation or (0.0, 0.0, 0.0) for node in nodes], dtype=float).reshape(-1, 3)
    turn = np.array([node.rotation or (0.0, 0.0, 0.0, 1.0) for node in nodes], dtype=float).reshape(-1, 4)
    scale = np.array([node.scale or (1.0, 1.0, 1.0) for node in nodes], dtype=float).reshape(-1, 3)
    fine = (np.abs(np.concatenate([place, turn, scale], axis=-1)) < LARGEST).all(axis=-1)
    own = np.zeros((len(nodes), 4, 4))
    own[:, 3, 3] = 1.0
    with np.errstate(over="ignore", invalid="ignore"):  # refused below
        own[:, :3, :3] = quat.to_matrix(quat.normalize(np.roll(turn, 1, axis=-1))) * scale[:, None, :]
    own[:, :3, 3] = place
    for index, node in enumerate(nodes):
        if node.matrix is not None:
            if len(node.matrix) != 16:
                raise LoadError(f"node {index} has a matrix of {len(node.matrix)} numbers instead of 16")
            own[index] = np.array(node.matrix, dtype=float).reshape(4, 4).T  # stored column by column
            fine[index] = (np.abs(own[index]) < LARGEST).all()
    if not fine.all():
        raise LoadError(f"node {np.argmin(fine)} has a place, turn or scale that is not under {LARGEST:g}")
    return own
