"""GLB out: the skeleton as nodes, the mannequin as its skin, the motion as an animation.

The figure opens standing in its rest pose in any viewer; what glTF cannot say goes into extras.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.figure.mannequin import Mannequin, build_mannequin
from footfall.figure.motion import Motion
from footfall.figure.pose import standing_height
from footfall.figure.skeleton import Skeleton
from footfall.formats.gltf_container import FLOAT, pack_glb
from footfall.formats.gltf_extras import keep
from footfall.geometry import quaternion as quat
from footfall.version import __version__

VERTEX_DATA, INDEX_DATA = 34962, 34963
UNSIGNED_BYTE, UNSIGNED_SHORT, UNSIGNED_INT = 5121, 5123, 5125
KINDS = {FLOAT: "<f4", UNSIGNED_BYTE: "<u1", UNSIGNED_SHORT: "<u2", UNSIGNED_INT: "<u4"}


class _Buffer:
    """Arrays laid one after the other, each with its view and accessor."""

    def __init__(self) -> None:
        self.bytes = bytearray()
        self.views: list[dict[str, int]] = []
        self.accessors: list[dict[str, object]] = []

    def add(
        self,
        values: np.ndarray,
        kind: str,
        *,
        component: int = FLOAT,
        target: int | None = None,
        bounds: bool = False,
    ) -> int:
        array = np.ascontiguousarray(values, dtype=KINDS[component])
        self.bytes += b"\0" * (-len(self.bytes) % 4)
        view = {"buffer": 0, "byteOffset": len(self.bytes), "byteLength": array.nbytes}
        if target is not None:
            view["target"] = target
        accessor: dict[str, object] = {
            "bufferView": len(self.views),
            "componentType": component,
            "count": len(array),
            "type": kind,
        }
        if bounds:
            flat = array.reshape(len(array), -1)
            accessor |= {"min": flat.min(axis=0).tolist(), "max": flat.max(axis=0).tolist()}
        self.bytes += array.tobytes()
        self.views.append(view)
        self.accessors.append(accessor)
        return len(self.accessors) - 1


def write_glb(motion: Motion) -> bytes:
    skeleton = motion.skeleton
    buffer = _Buffer()
    height = standing_height(skeleton)
    nodes = _joint_nodes(skeleton, height)
    nodes.append({"name": "mannequin", "mesh": 0, "skin": 0})
    skin = {
        "joints": list(range(len(skeleton))),
        "skeleton": 0,
        "inverseBindMatrices": buffer.add(_inverse_binds(skeleton, height), "MAT4"),
        "extras": keep(motion),
    }
    document: dict[str, object] = {
        "asset": {"version": "2.0", "generator": f"footfall {__version__}"},
        "scene": 0,
        "scenes": [{"nodes": [0, len(skeleton)]}],
        "nodes": nodes,
        "skins": [skin],
        "meshes": [_mesh(buffer, build_mannequin(skeleton), height, len(skeleton))],
        "materials": [
            {"name": "body", "pbrMetallicRoughness": {"metallicFactor": 0.0, "roughnessFactor": 0.75}}
        ],
    }
    if len(motion):
        document["animations"] = [_animation(buffer, motion)]
    document |= {
        "accessors": buffer.accessors,
        "bufferViews": buffer.views,
        "buffers": [{"byteLength": len(buffer.bytes) + (-len(buffer.bytes) % 4)}],
    }
    return pack_glb(document, bytes(buffer.bytes))


def _xyzw(q: Float[np.ndarray, "*n 4"]) -> Float[np.ndarray, "*n 4"]:
    return np.roll(q, -1, axis=-1)


def _joint_nodes(skeleton: Skeleton, height: float) -> list[dict[str, object]]:
    """One node a joint, at rest, the root at the height at which the figure stands on the floor."""
    nodes: list[dict[str, object]] = []
    places = np.array(skeleton.offsets)
    places[0] = [0.0, height, 0.0]
    turns = _xyzw(quat.normalize(skeleton.rest))
    for joint, name in enumerate(skeleton.names):
        node: dict[str, object] = {
            "name": name,
            "translation": places[joint].tolist(),
            "rotation": turns[joint].tolist(),
        }
        if skeleton.tree.children[joint]:
            node["children"] = skeleton.tree.children[joint]
        nodes.append(node)
    return nodes


def _inverse_binds(skeleton: Skeleton, height: float) -> Float[np.ndarray, "joints 16"]:
    """From the mesh's space into each joint's frame at rest, column by column as glTF stores matrices."""
    turns = quat.to_matrix(skeleton.rest_orientations)
    places = skeleton.rest_positions + np.array([0.0, height, 0.0])
    binds = np.zeros((len(skeleton), 4, 4))
    binds[:, :3, :3] = np.swapaxes(turns, 1, 2)
    binds[:, :3, 3] = -np.einsum("jba,jb->ja", turns, places)
    binds[:, 3, 3] = 1.0
    return np.swapaxes(binds, 1, 2).reshape(-1, 16)


def _mesh(buffer: _Buffer, body: Mannequin, height: float, joint_count: int) -> dict[str, object]:
    joints, weights = _four_influences(body)
    component = UNSIGNED_BYTE if joint_count <= 256 else UNSIGNED_SHORT
    place = body.vertices + np.array([0.0, height, 0.0])
    small = len(place) <= 65535
    attributes = {
        "POSITION": buffer.add(place, "VEC3", target=VERTEX_DATA, bounds=True),
        "NORMAL": buffer.add(body.normals, "VEC3", target=VERTEX_DATA),
        "COLOR_0": buffer.add(body.colours, "VEC3", target=VERTEX_DATA),
        "JOINTS_0": buffer.add(joints, "VEC4", component=component, target=VERTEX_DATA),
        "WEIGHTS_0": buffer.add(weights, "VEC4", target=VERTEX_DATA),
    }
    indices = buffer.add(
        body.triangles.reshape(-1),
        "SCALAR",
        component=UNSIGNED_SHORT if small else UNSIGNED_INT,
        target=INDEX_DATA,
    )
    return {
        "name": "mannequin",
        "primitives": [{"attributes": attributes, "indices": indices, "material": 0}],
    }


def _four_influences(
    body: Mannequin,
) -> tuple[Float[np.ndarray, "vertices 4"], Float[np.ndarray, "vertices 4"]]:
    """glTF wants four joints a vertex, each once, and joint 0 where the weight is nothing."""
    weights = np.zeros((len(body.vertices), 4))
    weights[:, :2] = body.weights
    same = body.joints[:, 0] == body.joints[:, 1]
    weights[same, 0], weights[same, 1] = 1.0, 0.0
    joints = np.zeros((len(body.vertices), 4))
    joints[:, :2] = body.joints
    return np.where(weights > 0, joints, 0), weights


def _animation(buffer: _Buffer, motion: Motion) -> dict[str, object]:
    times = buffer.add(motion.times, "SCALAR", bounds=True)
    samplers: list[dict[str, object]] = []
    channels: list[dict[str, object]] = []

    def animate(joint: int, path: str, values: np.ndarray, kind: str) -> None:
        channels.append({"sampler": len(samplers), "target": {"node": joint, "path": path}})
        samplers.append({"input": times, "output": buffer.add(values, kind), "interpolation": "LINEAR"})

    animate(0, "translation", motion.root, "VEC3")
    turns = _xyzw(quat.continuous(quat.normalize(motion.rotations)))
    for joint in range(len(motion.skeleton)):
        animate(joint, "rotation", turns[:, joint], "VEC4")
        if joint and motion.translations is not None:
            animate(joint, "translation", motion.translations[:, joint], "VEC3")
    return {"name": "motion", "samplers": samplers, "channels": channels}
