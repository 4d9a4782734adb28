"""GLB out: the skeleton as nodes, the mannequin as its skin, the motion as an animation.

The figure opens standing in its rest pose in any viewer; what glTF cannot say goes into extras. Turns are
written joint by joint, so that of a long motion only one joint's are there twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from jaxtyping import Float

from footfall.figure.mannequin import Mannequin, build_mannequin
from footfall.figure.motion import Motion
from footfall.figure.pose import standing_height
from footfall.figure.skeleton import Skeleton
from footfall.formats.gltf_container import FLOAT, glb_blocks
from footfall.formats.gltf_extras import keep
from footfall.geometry import quaternion as quat
from footfall.version import __version__

VERTEX_DATA, INDEX_DATA = 34962, 34963
UNSIGNED_BYTE, UNSIGNED_SHORT, UNSIGNED_INT = 5121, 5123, 5125
WIDTHS = {"VEC3": 3, "VEC4": 4}
KINDS = {FLOAT: "<f4", UNSIGNED_BYTE: "<u1", UNSIGNED_SHORT: "<u2", UNSIGNED_INT: "<u4"}


class _Buffer:
    """Arrays laid one after the other, each with its view and accessor; made when they are written."""

    def __init__(self) -> None:
        self.size = 0
        self.arrays: list[tuple[int, Callable[[], np.ndarray]]] = []  # bytes of padding, and what follows
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
        number = self._laid(lambda: array, array.nbytes, len(array), kind, component)
        if target is not None:
            self.views[-1]["target"] = target
        if bounds:
            flat = array.reshape(len(array), -1)
            self.accessors[-1] |= {"min": flat.min(axis=0).tolist(), "max": flat.max(axis=0).tolist()}
        return number

    def add_later(self, make: Callable[[], np.ndarray], count: int, kind: str) -> int:
        """Rows of single precision that are not made before they are written."""
        return self._laid(make, 4 * WIDTHS[kind] * count, count, kind, FLOAT)

    def blocks(self) -> Iterator[bytes]:
        for padding, make in self.arrays:
            yield b"\0" * padding + make().tobytes()

    def _laid(self, make: Callable[[], np.ndarray], size: int, count: int, kind: str, component: int) -> int:
        padding = -self.size % 4
        self.views.append({"buffer": 0, "byteOffset": self.size + padding, "byteLength": size})
        self.accessors.append(
            {
                "bufferView": len(self.views) - 1,
                "componentType": component,
                "count": count,
                "type": kind,
            }
        )
        self.arrays.append((padding, make))
        self.size += padding + size
        return len(self.accessors) - 1


def write_glb(motion: Motion) -> bytes:
    """All of `glb_motion_blocks` in one."""
    return b"".join(glb_motion_blocks(motion))


def glb_motion_blocks(motion: Motion) -> Iterator[bytes]:
    """A GLB file, piece by piece."""
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
        "buffers": [{"byteLength": buffer.size + (-buffer.size % 4)}],
    }
    yield from glb_blocks(document, buffer.size, buffer.blocks())


def _turns(motion: Motion, joint: int) -> Float[np.ndarray, "frames 4"]:
    return _xyzw(quat.continuous(quat.normalize(motion.rotations[:, joint])))


def _places(motion: Motion, joint: int) -> Float[np.ndarray, "frames 3"]:
    assert motion.translations is not None
    return motion.translations[:, joint]


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

    def animate(joint: int, path: str, make: Callable[[], np.ndarray], kind: str) -> None:
        channels.append({"sampler": len(samplers), "target": {"node": joint, "path": path}})
        output = buffer.add_later(lambda: make().astype(KINDS[FLOAT]), len(motion), kind)
        samplers.append({"input": times, "output": output, "interpolation": "LINEAR"})

    animate(0, "translation", lambda: motion.root, "VEC3")
    for joint in range(len(motion.skeleton)):
        animate(joint, "rotation", partial(_turns, motion, joint), "VEC4")
        if joint and motion.translations is not None:
            animate(joint, "translation", partial(_places, motion, joint), "VEC3")
    return {"name": "motion", "samplers": samplers, "channels": channels}
