"""Terrain files: which reader knows one by its content, and saving by its ending."""

from __future__ import annotations

import re
from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import Protocol

import numpy as np
from jaxtyping import Float, Int

from footfall.errors import LoadError, RequestError
from footfall.file_access import as_path
from footfall.formats.load import fetched_beside, read_bytes
from footfall.formats.mesh_extra import STL_HEADER, is_stl, opening_of, read_off, read_ply, read_stl, stl_size
from footfall.formats.save import written_whole
from footfall.formats.surface import Surface, label_of, labelled
from footfall.formats.units import checked_up, parse_unit
from footfall.world.mesh import LARGEST, MeshTerrain

ENDINGS = (".obj", ".glb")
KNOWN = "OBJ, GLB/glTF, STL, PLY or OFF"
OBJ_VERTEX = re.compile(rb"^[ \t]*v[ \t]", re.MULTILINE)
OBJ_OPENING = re.compile(rb"(?:v|vn|vt|vp|f|g|o|s|usemtl|mtllib)(?:\s|\Z)")
PLY_OPENING = re.compile(rb"ply\s")
OFF_OPENING = re.compile(rb"(?:ST)?C?N?OFF\s")
LOOKED_AT = 1 << 20  # bytes in which the first vertex of an OBJ must stand


class Triangles(Protocol):
    """A terrain that is made of triangles."""

    @property
    def vertices(self) -> Float[np.ndarray, "vertices 3"]: ...
    @property
    def triangles(self) -> Int[np.ndarray, "triangles 3"]: ...
    @property
    def labels(self) -> tuple[str, ...]: ...
    @property
    def kinds(self) -> Int[np.ndarray, "triangles"] | None: ...


def load_terrain(path: str | PathLike[str], *, unit: str | float = "m", up: str = "y") -> MeshTerrain:
    """The terrain of an OBJ, GLB or glTF file; of STL, PLY and OFF with the extra `mesh`.

    `unit` ("cm", or metres in one unit) and `up` ("y" or "z") say how the file is meant, which it does not
    say itself. The names of its materials become labels. Triangles without area are left out.
    """
    metres = parse_unit(unit)
    checked_up(up)
    source = as_path(path)
    content = read_bytes(source)
    try:
        surface = _reader(content, source)(content)
        return _terrain(surface, metres, up)
    except LoadError as error:
        raise error.at(path) from None


def _reader(content: bytes, path: Path) -> Callable[[bytes], Surface]:
    """The reader that knows a content; the file's ending decides nothing."""
    opening = opening_of(content)
    if content.startswith(b"glTF") or (content[opening : opening + 1] == b"{" and b'"asset"' in content):
        return lambda content: _read_gltf(content, path)
    if PLY_OPENING.match(content):
        return read_ply
    if OFF_OPENING.match(content, opening):
        return read_off
    if is_stl(content):
        return read_stl
    if OBJ_OPENING.match(content, opening) or OBJ_VERTEX.search(content, 0, LOOKED_AT):
        from footfall.formats.obj_read import read_obj

        return read_obj
    if not content.strip():
        raise LoadError(f"the file is empty; {KNOWN} can be read")
    if path.suffix.lower() == ".stl" and len(content) >= STL_HEADER:
        size = stl_size(content)
        raise LoadError(f"a binary STL of this header has {size} bytes, and the file has {len(content)}")
    raise LoadError(f"not recognised as {KNOWN}")


def _read_gltf(content: bytes, path: Path) -> Surface:
    from footfall.formats.gltf_mesh_read import read_gltf_mesh

    return read_gltf_mesh(content, fetched_beside(path))


def _terrain(surface: Surface, metres: float, up: str) -> MeshTerrain:
    vertices = surface.vertices
    if up == "z":
        vertices = np.stack([vertices[:, 0], vertices[:, 2], -vertices[:, 1]], axis=-1)
    with np.errstate(over="ignore", invalid="ignore"):  # what is then no number is refused
        vertices = vertices if metres == 1.0 else metres * vertices
        try:
            return MeshTerrain(vertices, surface.triangles, surface.labels, surface.kinds)
        except RequestError as error:
            raise LoadError(str(error)) from None


def save_terrain(terrain: Triangles, path: str | PathLike[str]) -> None:
    """Writes a terrain of triangles as .obj (exact) or .glb (in single precision, grouped by label)."""
    target = as_path(path)
    terrain = getattr(terrain, "mesh", terrain)  # a height field's
    ending = target.suffix.lower()
    if ending not in ENDINGS:
        raise RequestError(f"{target.name}: the ending must be one of {', '.join(ENDINGS)}")
    surface = _surface(terrain)
    if ending == ".glb":
        from footfall.formats.gltf_mesh_write import write_gltf_mesh

        pieces = iter([write_gltf_mesh(surface)])
    else:
        from footfall.formats.obj_write import write_obj

        pieces = write_obj(surface)
    with written_whole(target) as file:
        file.writelines(pieces)


def _surface(terrain: Triangles) -> Surface:
    """What can be written: each label once, and no vertex that is no place."""
    if not (hasattr(terrain, "vertices") and hasattr(terrain, "triangles")):
        raise RequestError(
            f"only a terrain made of triangles can be saved as a mesh, not {type(terrain).__name__}"
        )
    for label in terrain.labels:
        if label != label_of(label):
            raise RequestError(f"label {label!r} cannot be a material's name: use one printable line")
    kinds = np.zeros(len(terrain.triangles), dtype=int) if terrain.kinds is None else terrain.kinds
    labels, kinds = labelled(terrain.labels, kinds)
    # a vertex that no triangle has may be anything; it stays, so that the others keep their numbers
    sound = (np.abs(terrain.vertices) < LARGEST).all(axis=1, keepdims=True)
    return Surface(np.where(sound, terrain.vertices, 0.0), terrain.triangles, labels, kinds)
