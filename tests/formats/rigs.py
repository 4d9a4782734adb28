"""Foreign rigs as glTF documents, put together by hand, with their joints' places from 4 x 4 matrices."""

from __future__ import annotations

import base64
import json
import struct
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
from scipy.spatial.transform import Rotation

from footfall.figure.skeleton import Skeleton

FLOAT, BYTE, SHORT = 5126, 5120, 5122
DTYPES = {FLOAT: "<f4", BYTE: "<i1", SHORT: "<i2"}
KINDS = {1: "SCALAR", 3: "VEC3", 4: "VEC4", 16: "MAT4"}


class Rig:
    """A document that grows node by node and channel by channel. Rotations are x, y, z, w as in the file."""

    def __init__(self) -> None:
        self.nodes: list[dict[str, object]] = []
        self.parents: list[int | None] = []
        self.binary = b""
        self.document: dict[str, object] = {"asset": {"version": "2.0"}, "nodes": self.nodes}
        self.accessors: list[dict[str, object]] = self._list("accessors")
        self.views: list[dict[str, object]] = self._list("bufferViews")

    def _list(self, key: str) -> list[dict[str, object]]:
        return self.document.setdefault(key, [])  # type: ignore[return-value]

    def node(self, name: str, parent: int | None = None, **placement: Sequence[float]) -> int:
        self.nodes.append({"name": name, **{k: np.asarray(v).tolist() for k, v in placement.items()}})
        self.parents.append(parent)
        if parent is not None:
            self.nodes[parent].setdefault("children", []).append(len(self.nodes) - 1)  # type: ignore[attr-defined]
        return len(self.nodes) - 1

    def skin(self, joints: Sequence[int], **more: object) -> None:
        self._list("skins").append({"joints": list(joints), **more})

    def array(self, values: np.ndarray, component: int = FLOAT, **more: object) -> int:
        """A new accessor; `more` overrides what it says, as a damaged file would."""
        table = np.asarray(values).reshape(len(values), -1)
        content = table.astype(DTYPES[component]).tobytes()
        self.binary += b"\0" * (-len(self.binary) % 4)
        self.views.append({"buffer": 0, "byteOffset": len(self.binary), "byteLength": len(content)})
        self.binary += content
        accessor = {"bufferView": len(self.views) - 1, "componentType": component, "count": len(table)}
        self.accessors.append({**accessor, "type": KINDS[table.shape[1]], **more})
        return len(self.accessors) - 1

    def animation(self, name: str = "move") -> dict[str, list[dict[str, object]]]:
        self._list("animations").append({"name": name, "channels": [], "samplers": []})
        return self._list("animations")[-1]  # type: ignore[return-value]

    def channel(
        self,
        node: int,
        path: str,
        times: np.ndarray,
        values: np.ndarray,
        mode: str = "LINEAR",
        **more: object,
    ) -> None:
        """A channel of the first animation."""
        animation = self.document.get("animations", [None])[0] or self.animation()  # type: ignore[index]
        sampler = {"input": self.array(times), "output": self.array(values, **more), "interpolation": mode}  # type: ignore[arg-type]
        animation["channels"].append(
            {"sampler": len(animation["samplers"]), "target": {"node": node, "path": path}}
        )
        animation["samplers"].append(sampler)

    def buffers(self, uri: str | None) -> list[dict[str, object]]:
        return [{"byteLength": len(self.binary), **({} if uri is None else {"uri": uri})}]

    def glb(self) -> bytes:
        text = json.dumps(self.document | {"buffers": self.buffers(None)}).encode()
        return glb(text, self.binary)

    def gltf(self, uri: str | None = None) -> bytes:
        """The document alone, its buffer as base64 within or in a file of that name."""
        inside = "data:application/octet-stream;base64," + base64.b64encode(self.binary).decode()
        return json.dumps(self.document | {"buffers": self.buffers(uri or inside)}).encode()

    def save(self, folder: Path) -> Path:
        path = folder / "rig.glb"
        path.write_bytes(self.glb())
        return path

    def places(self, moved: Mapping[tuple[int, str], np.ndarray]) -> np.ndarray:
        """World places of all nodes, given the values of moved properties."""
        world = [np.eye(4)] * len(self.nodes)
        for i, node in enumerate(self.nodes):
            parent = self.parents[i]
            own = {
                path: moved.get((i, path), node.get(path)) for path in ("translation", "rotation", "scale")
            }
            world[i] = (np.eye(4) if parent is None else world[parent]) @ local_matrix(node, own)
        return np.stack(world)[:, :3, 3]


def local_matrix(node: Mapping[str, object], own: Mapping[str, object]) -> np.ndarray:
    if "matrix" in node:
        return np.array(node["matrix"], dtype=float).reshape(4, 4).T
    out = np.eye(4)
    if own["rotation"] is not None:
        out[:3, :3] = Rotation.from_quat(own["rotation"]).as_matrix()  # type: ignore[arg-type]
    out[:3, :3] *= np.ones(3) if own["scale"] is None else np.array(own["scale"])
    out[:3, 3] = np.zeros(3) if own["translation"] is None else np.array(own["translation"])
    return out


def glb(text: bytes, binary: bytes, *, version: int = 2) -> bytes:
    text += b" " * (-len(text) % 4)
    binary += b"\0" * (-len(binary) % 4)
    chunks = (
        struct.pack("<II", len(text), 0x4E4F534A)
        + text
        + struct.pack("<II", len(binary), 0x004E4942)
        + binary
    )
    return struct.pack("<4sII", b"glTF", version, 12 + len(chunks)) + chunks


def add_bones(
    rig: Rig,
    skeleton: Skeleton,
    *,
    above: int | None = None,
    place: Callable[..., dict] = dict,
) -> list[int]:
    """A skeleton's joints as nodes; `place` may word a placement otherwise than as a translation."""
    joints: list[int] = []
    for name, parent, offset in zip(skeleton.names, skeleton.parents, skeleton.offsets, strict=True):
        over = above if parent < 0 else joints[parent]
        joints.append(rig.node(name, over, **place(translation=offset)))
    return joints
