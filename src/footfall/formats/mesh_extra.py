"""STL, PLY and OFF in, by trimesh: the extra `mesh`.

Before trimesh sees a file, what it announces is held against what is there, and all is taken out that a
surface does not need: trimesh would follow edges, textures and names. It gets bytes and no way to another
file.
"""

from __future__ import annotations

import io
import re
import warnings
from typing import Any

import numpy as np

from footfall.errors import LoadError, MissingExtra
from footfall.formats.ply_header import read_header
from footfall.formats.polygons import triangulate
from footfall.formats.surface import Surface

STL_HEADER, STL_TRIANGLE = 84, 50  # bytes
LOOKED_AT = 1 << 16  # bytes
STL_VERTEX = re.compile(rb"^[ \t]*(vertex[ \t][^\n]*)", re.IGNORECASE | re.MULTILINE)
OFF_COUNTS = re.compile(rb"\w{0,4}?OFF(?:\s++|#[^\n]*+)*+(-?\d{1,18})[ \t]+(-?\d{1,18})")
OPENING = re.compile(rb"(?:\xef\xbb\xbf)?(?:\s++|#[^\n]*+)*+")
STL_WORDS = re.compile(rb"^[ \t]*(?:facet|endsolid)\b", re.MULTILINE)
UNREADABLE = "string or file could not be read"  # how an older NumPy warns of a word that is no number


def opening_of(content: bytes) -> int:
    """Where the first word stands that is no comment."""
    found = OPENING.match(content)
    return found.end() if found else 0


def stl_size(content: bytes) -> int:
    """The bytes that a binary STL of such a header has."""
    return STL_HEADER + STL_TRIANGLE * int.from_bytes(content[80:84], "little")


def is_stl(content: bytes) -> bool:
    """A binary one has no mark but that its size is right."""
    if len(content) >= STL_HEADER and len(content) == stl_size(content):
        return True
    head = content[:LOOKED_AT].lower()
    return head.lstrip().startswith(b"solid") and STL_WORDS.search(head) is not None


def read_stl(content: bytes) -> Surface:
    if len(content) < STL_HEADER or len(content) != stl_size(content):
        # names may be anything, and many solids are one surface: all that counts is where the corners are
        lines = STL_VERTEX.findall(_as_utf8(content))
        content = b"\n".join([b"solid", *lines, b"endsolid\n"])
    return _read(content, "stl")


def read_off(content: bytes) -> Surface:
    found = OFF_COUNTS.match(content, opening_of(content))
    if found is None:
        raise LoadError("an OFF starts with its numbers of vertices and faces")
    vertices, faces, lines = int(found[1]), int(found[2]), content.count(b"\n") + 1
    if min(vertices, faces) < 0 or vertices + faces > lines:
        raise LoadError(f"the OFF announces {vertices} vertices and {faces} faces and holds {lines} lines")
    return _read(_as_utf8(content), "off")


def read_ply(content: bytes) -> Surface:
    header = read_header(content)
    body = content[header.size :]
    if header.needed > len(body):
        raise LoadError(f"the PLY announces at least {header.needed} bytes and holds {len(body)}")
    if header.form == "ascii":  # an item is a line; trimesh would take all there are apart
        lines = _as_utf8(body).split(b"\n", header.items)[: header.items]
        body = b"\n".join([*lines, b""])
    return _read(header.plain() + body, "ply")


def _as_utf8(content: bytes) -> bytes:
    """Text in another encoding would make trimesh guess, with a package that may not be there."""
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("latin-1").encode("utf-8")
    return content


def _read(content: bytes, kind: str) -> Surface:
    try:
        import trimesh
    except ImportError:
        raise MissingExtra(f"reading {kind.upper()} files", "mesh") from None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            warnings.filterwarnings("error", UNREADABLE)
            loaded = trimesh.load(
                io.BytesIO(content), file_type=kind, resolver=None, process=False, skip_materials=True
            )
            geometries = getattr(loaded, "geometry", {"": loaded}).values()
            parts = [_surface(part) for part in geometries if len(getattr(part, "faces", ()))]
    except LoadError:
        raise
    except Exception as error:  # whatever it stumbles over, the file is not sound
        raise LoadError(f"trimesh cannot read the {kind.upper()} ({_words(error)})") from None
    if not parts:
        raise LoadError(f"the {kind.upper()} holds no triangles")
    firsts = np.cumsum([0, *(len(part.vertices) for part in parts)])
    return Surface(
        np.concatenate([part.vertices for part in parts]),
        np.concatenate([part.triangles + first for part, first in zip(parts, firsts, strict=False)]),
    )


def _words(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:200]


def _surface(part: Any) -> Surface:
    """One geometry, its faces as triangles; trimesh leaves those alone that all have five corners or more."""
    vertices = np.array(part.vertices, dtype=float)
    faces = np.array(part.faces, dtype=np.int64)
    if vertices.ndim != 2 or vertices.shape[1] != 3 or faces.ndim != 2 or faces.shape[1] < 3:
        raise LoadError("expected places of three numbers and faces of three corners or more")
    if not (faces.min() >= 0 and faces.max() < len(vertices)):
        raise LoadError(
            f"faces refer to vertices {faces.min()} to {faces.max()}, but there are {len(vertices)}"
        )
    return Surface(vertices, triangulate(vertices, faces.reshape(-1), np.full(len(faces), faces.shape[1]))[0])
