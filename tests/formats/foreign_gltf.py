"""A glTF document as other tools write it, on which the reader must do all it can."""

from __future__ import annotations

import base64

import msgspec
import numpy as np

from tests.formats.person import FRAMES, PERSON, children, root_path, swing


def _gltf_arrays() -> list[np.ndarray]:
    """Times, the root's places, rotations x, y, z, w of a joint, and a spline (tangent, value, tangent)."""
    turns = np.roll(swing(1)[:, 0], -1, axis=-1)
    spline = np.stack([np.zeros_like(turns), turns, np.zeros_like(turns)], axis=1).reshape(-1, 4)
    arrays = [np.arange(FRAMES)[:, None] / 30, root_path(), turns, spline]
    return [a.astype("<f4") for a in arrays]


def gltf_binary() -> bytes:
    return b"".join(a.tobytes() for a in _gltf_arrays())


def gltf(*, buffer: str | None) -> bytes:
    """A foreign rig: an armature that turns and scales, a matrix node, all three interpolations."""
    arrays = _gltf_arrays()
    ends = np.cumsum([0, *(a.nbytes for a in arrays)]).tolist()
    names = list(PERSON)
    nodes: list[dict[str, object]] = [
        {
            "name": n,
            "translation": [100 * v for v in offset],
            "children": [names.index(c) for c in children(n)],
        }
        for n, (_, offset) in PERSON.items()
    ]
    head = nodes[names.index("Head")]
    x, y, z = head.pop("translation")  # type: ignore[misc]
    head["matrix"] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1]
    nodes.append(
        {"name": "Armature", "scale": [0.01] * 3, "rotation": [-0.7071068, 0, 0, 0.7071068], "children": [0]}
    )
    uri = {} if buffer is None else {"uri": buffer}
    if buffer is not None and buffer.startswith("data:"):
        uri = {"uri": buffer + base64.b64encode(gltf_binary()).decode()}
    targets = [("Hips", "translation", 1, "LINEAR"), ("Hips", "rotation", 2, "STEP")]
    targets += [("Spine", "rotation", 3, "CUBICSPLINE"), ("LeftThigh", "rotation", 2, "LINEAR")]
    document = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [len(names)]}],
        "nodes": nodes,
        "skins": [{"joints": list(range(len(names)))}],
        "animations": [
            {
                "name": "walk",
                "channels": [
                    {"sampler": i, "target": {"node": names.index(n), "path": path}}
                    for i, (n, path, _, _) in enumerate(targets)
                ],
                "samplers": [{"input": 0, "output": o, "interpolation": mode} for _, _, o, mode in targets],
            }
        ],
        "accessors": [
            {
                "bufferView": i,
                "componentType": 5126,
                "count": len(a),
                "type": {1: "SCALAR", 3: "VEC3", 4: "VEC4"}[a.shape[1]],
            }
            for i, a in enumerate(arrays)
        ],
        "bufferViews": [
            {"buffer": 0, "byteOffset": start, "byteLength": a.nbytes}
            for start, a in zip(ends[:-1], arrays, strict=True)
        ],
        "buffers": [{"byteLength": ends[-1], **uri}],
    }
    return msgspec.json.format(msgspec.json.encode(document), indent=1)
