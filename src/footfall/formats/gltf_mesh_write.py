"""GLB out, as ground: one mesh with a primitive and a material for each label.

All primitives share the vertices. There are no normals, so that viewers shade every triangle flat, and
materials show both sides, because either side is ground.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, Int

from footfall.formats.gltf_container import FLOAT, pack_glb
from footfall.formats.surface import Surface
from footfall.version import __version__
from footfall.world.label_colours import Colour, colour_of

VERTICES, INDICES = 34962, 34963
UNSIGNED_SHORT, UNSIGNED_INT = 5123, 5125
MOST_SHORT = 65535  # vertices that short indices can tell apart; the largest short is none
ROUGHNESS = 0.9


def write_gltf_mesh(surface: Surface) -> bytes:
    """A GLB; places in single precision, triangles grouped by label."""
    place = surface.vertices.astype("<f4")
    short = len(place) <= MOST_SHORT
    groups = _by_label(surface)
    flat = np.concatenate([triangles.reshape(-1) for triangles in groups.values()])
    indices = flat.astype("<u2" if short else "<u4")
    counts = [triangles.size for triangles in groups.values()]
    starts = indices.itemsize * (np.cumsum(counts) - counts)
    binary = place.tobytes() + indices.tobytes()
    document: dict[str, object] = {
        "asset": {"version": "2.0", "generator": f"footfall {__version__}"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "terrain", "mesh": 0}],
        "meshes": [
            {
                "name": "terrain",
                "primitives": [
                    {"attributes": {"POSITION": 0}, "indices": 1 + k, "material": k}
                    for k in range(len(groups))
                ],
            }
        ],
        "materials": [_material(label) for label in groups],
        "accessors": [
            _positions(place),
            *(
                {
                    "bufferView": 1,
                    "byteOffset": start,
                    "componentType": UNSIGNED_SHORT if short else UNSIGNED_INT,
                    "count": count,
                    "type": "SCALAR",
                }
                for start, count in zip(starts.tolist(), counts, strict=True)
            ),
        ],
        "bufferViews": [
            {"buffer": 0, "byteLength": place.nbytes, "target": VERTICES},
            {"buffer": 0, "byteOffset": place.nbytes, "byteLength": indices.nbytes, "target": INDICES},
        ],
        "buffers": [{"byteLength": len(binary) + (-len(binary) % 4)}],
    }
    return pack_glb(document, binary)


def _by_label(surface: Surface) -> dict[str, Int[np.ndarray, "triangles 3"]]:
    """The triangles of each label that any has."""
    if surface.kinds is None:
        return {surface.labels[0]: surface.triangles}
    order = np.argsort(surface.kinds, kind="stable")
    ends = np.cumsum(np.bincount(surface.kinds, minlength=len(surface.labels)))
    groups = np.split(surface.triangles[order], ends[:-1])
    return {label: own for label, own in zip(surface.labels, groups, strict=True) if len(own)}


def _positions(place: Float[np.ndarray, "vertices 3"]) -> dict[str, object]:
    return {
        "bufferView": 0,
        "componentType": FLOAT,
        "count": len(place),
        "type": "VEC3",
        "min": place.min(axis=0).tolist(),
        "max": place.max(axis=0).tolist(),
    }


def _material(label: str) -> dict[str, object]:
    return {
        "name": label,
        "doubleSided": True,
        "pbrMetallicRoughness": {
            "baseColorFactor": [*_linear(colour_of(label)), 1.0],
            "metallicFactor": 0.0,
            "roughnessFactor": ROUGHNESS,
        },
    }


def _linear(colour: Colour) -> list[float]:
    """A screen's colour as the amount of light that glTF means (IEC 61966-2-1)."""
    return [round(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4, 6) for c in colour]
