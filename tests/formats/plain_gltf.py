"""A second reader of GLB files, for tests only: straight from the specification, in 4 x 4 matrices.

It shares no code with footfall, so that the two agree only where both are right.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from functools import cached_property

import numpy as np
from scipy.spatial.transform import Rotation

TYPES = {5121: "u1", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}


class PlainGltf:
    """A GLB with one skin, one mesh and at most one animation whose keys all lie on the same times."""

    def __init__(self, content: bytes):
        magic, version, length = struct.unpack_from("<4sII", content)
        assert (magic, version, length) == (b"glTF", 2, len(content))
        chunks = dict(self._chunks(content))
        self.document = json.loads(chunks[b"JSON"])
        self.binary = chunks[b"BIN\0"]
        assert self.document["buffers"] == [{"byteLength": len(self.binary)}]

    @staticmethod
    def _chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
        at = 12
        while at < len(content):
            length, kind = struct.unpack_from("<I4s", content, at)
            assert at % 4 == 0
            yield kind, content[at + 8 : at + 8 + length]
            at += 8 + length

    def array(self, index: int) -> np.ndarray:
        accessor = self.document["accessors"][index]
        view = self.document["bufferViews"][accessor["bufferView"]]
        width = WIDTHS[accessor["type"]]
        values = np.frombuffer(
            self.binary, TYPES[accessor["componentType"]], accessor["count"] * width, view["byteOffset"]
        )
        return values.reshape(-1, width)

    @cached_property
    def mesh(self) -> dict[str, np.ndarray]:
        (primitive,) = self.document["meshes"][0]["primitives"]
        return {name: self.array(i) for name, i in primitive["attributes"].items()} | {
            "indices": self.array(primitive["indices"]).reshape(-1, 3)
        }

    @cached_property
    def parents(self) -> list[int | None]:
        nodes = self.document["nodes"]
        out: list[int | None] = [None] * len(nodes)
        for i, node in enumerate(nodes):
            for child in node.get("children", ()):
                out[child] = i
        return out

    def node_matrices(self, key: int | None) -> np.ndarray:
        """World matrices of all nodes at a key of the animation; None is the pose that the nodes state."""
        placed = [dict(node) for node in self.document["nodes"]]
        for channel in self.document["animations"][0]["channels"] if key is not None else ():
            sampler = self.document["animations"][0]["samplers"][channel["sampler"]]
            placed[channel["target"]["node"]][channel["target"]["path"]] = self.array(sampler["output"])[key]
        world = np.empty((len(placed), 4, 4))
        for i, node in enumerate(placed):  # our files hold parents before children
            local = np.eye(4)
            local[:3, :3] = Rotation.from_quat(node.get("rotation", [0, 0, 0, 1])).as_matrix()
            local[:3, 3] = node.get("translation", [0, 0, 0])
            parent = self.parents[i]
            assert parent is None or parent < i
            world[i] = local if parent is None else world[parent] @ local
        return world

    def skinned(self, key: int | None) -> tuple[np.ndarray, np.ndarray]:
        """Vertices and normals in the world: every vertex by the weighted sum of its joints' matrices."""
        skin = self.document["skins"][0]
        stored = self.array(skin["inverseBindMatrices"]).astype(float)
        inverse_binds = np.swapaxes(stored.reshape(-1, 4, 4), 1, 2)
        matrices = self.node_matrices(key)[skin["joints"]] @ inverse_binds
        blended = np.einsum("vk,vkab->vab", self.mesh["WEIGHTS_0"], matrices[self.mesh["JOINTS_0"]])
        places = np.einsum(
            "vab,vb->va", blended, np.pad(self.mesh["POSITION"], ((0, 0), (0, 1)), constant_values=1)
        )
        normals = np.einsum("vab,vb->va", blended[:, :3, :3], self.mesh["NORMAL"])
        return places[:, :3], normals / np.linalg.norm(normals, axis=-1, keepdims=True)

    def key_times(self) -> np.ndarray:
        inputs = {sampler["input"] for sampler in self.document["animations"][0]["samplers"]}
        assert len(inputs) == 1
        return self.array(inputs.pop())[:, 0]
