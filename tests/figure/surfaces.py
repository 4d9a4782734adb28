"""What a body's surface must be, measured on its triangles."""

from __future__ import annotations

from collections import Counter
from typing import Protocol

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components


class Mesh(Protocol):
    @property
    def vertices(self) -> np.ndarray: ...
    @property
    def normals(self) -> np.ndarray: ...
    @property
    def triangles(self) -> np.ndarray: ...
    @property
    def joints(self) -> np.ndarray: ...
    @property
    def weights(self) -> np.ndarray: ...


def parts(mesh: Mesh) -> list[np.ndarray]:
    """The triangles of each connected piece."""
    a, b, c = mesh.triangles.T
    count = len(mesh.vertices)
    edges = coo_array((np.ones(2 * len(a)), (np.r_[a, b], np.r_[b, c])), shape=(count, count))
    _, piece = connected_components(edges, directed=False)
    return [mesh.triangles[piece[a] == k] for k in np.unique(piece[a])]


def volume(mesh: Mesh, triangles: np.ndarray | None = None) -> float:
    """By the divergence theorem; positive where the triangles face outwards."""
    a, b, c = (mesh.vertices[column] for column in (mesh.triangles if triangles is None else triangles).T)
    return float(
        np.einsum("ti,ti->", a - mesh.vertices[0], np.cross(b - mesh.vertices[0], c - mesh.vertices[0])) / 6
    )


def assert_closed(mesh: Mesh) -> None:
    """Each edge is shared by two triangles that run along it in opposite directions; the inside is inside."""
    for triangles in parts(mesh):
        directed = Counter((int(t[i]), int(t[(i + 1) % 3])) for t in triangles for i in range(3))
        assert set(directed.values()) == {1}
        assert all((b, a) in directed for a, b in directed)
        assert volume(mesh, triangles) > 0
        # a closed surface without handles: Euler's formula
        assert len(np.unique(triangles)) - len(directed) // 2 + len(triangles) == 2


def assert_normals_face_outwards(mesh: Mesh) -> None:
    """No vertex normal leans into a face around it."""
    np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1.0, atol=1e-9)
    a, b, c = (mesh.vertices[column] for column in mesh.triangles.T)
    face = np.cross(b - a, c - a)
    size = np.linalg.norm(face, axis=1)
    real = size > 1e-3 * np.median(size)
    lean = np.einsum("tki,ti->tk", mesh.normals[mesh.triangles[real]], face[real] / size[real, None])
    assert lean.min() > 0


def assert_carried(mesh: Mesh, joints: int) -> None:
    """Weights are shares of one, of joints that exist."""
    assert (mesh.weights >= 0).all()
    np.testing.assert_allclose(mesh.weights.sum(axis=1), 1.0, atol=1e-12)
    assert mesh.joints.min() >= 0
    assert mesh.joints.max() < joints
