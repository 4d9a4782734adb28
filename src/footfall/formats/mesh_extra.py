"""STL, PLY and OFF in, by trimesh: the extra `mesh`.

What a header announces is held against what is there before trimesh sees it, because trimesh believes
headers. It gets bytes and no way to any other file.
"""

from __future__ import annotations

import io
import re
import warnings
from typing import Any

import numpy as np

from footfall.errors import LoadError, MissingExtra
from footfall.formats.polygons import triangulate
from footfall.formats.surface import Surface

STL_HEADER, STL_TRIANGLE = 84, 50  # bytes
MOST_PROPERTIES = 64  # of a PLY
LONGEST_HEADER = 1 << 16  # bytes
PLY_BYTES = {
    **dict.fromkeys(("char", "uchar", "int8", "uint8"), 1),
    **dict.fromkeys(("short", "ushort", "int16", "uint16", "float16"), 2),
    **dict.fromkeys(("int", "uint", "float", "int32", "uint32", "float32"), 4),
    **dict.fromkeys(("double", "int64", "uint64", "float64"), 8),
}
SOLID = re.compile(rb"solid[^\n]*", re.IGNORECASE)
OFF_COUNTS = re.compile(rb"\w{0,4}?OFF(?:\s++|#[^\n]*+)*+(-?\d{1,18})[ \t]+(-?\d{1,18})")
OPENING = re.compile(rb"(?:\xef\xbb\xbf)?(?:\s++|#[^\n]*+)*+")
STL_WORDS = re.compile(rb"^[ \t]*(?:facet|endsolid)\b", re.MULTILINE)
UNREADABLE = "string or file could not be read"  # how NumPy warns of a word that is no number


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
    head = content[:LONGEST_HEADER].lower()
    return head.lstrip().startswith(b"solid") and STL_WORDS.search(head) is not None


def read_stl(content: bytes) -> Surface:
    if len(content) < STL_HEADER or len(content) != stl_size(content):
        # many solids are one surface, and a name may be anything: all that counts is what is between
        content = b"solid\n" + SOLID.sub(b"", _as_utf8(content)) + b"\nendsolid\n"
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
    header = _ply_header(content)
    text = "ascii" in "".join(header[1:2]).lower()
    items, needed = _ply_needs(header, text)
    if needed > len(content):
        raise LoadError(f"the PLY announces at least {needed} bytes and holds {len(content)}")
    if text:  # an item is a line; trimesh would take all there are apart
        content = b"\n".join(_as_utf8(content).split(b"\n", len(header) + items)[: len(header) + items])
    return _read(content, "ply")


def _ply_header(content: bytes) -> list[str]:
    """Its lines up to the one that ends it."""
    header = []
    for line in content[:LONGEST_HEADER].split(b"\n"):
        header.append(line.decode("utf-8", "replace"))
        if "end_header" in header[-1].split():
            return header
    raise LoadError(f"the header of the PLY has no end within {LONGEST_HEADER} bytes")


def _ply_needs(header: list[str], text: bool) -> tuple[int, int]:
    """How many items a header announces, as trimesh understands it, and the least bytes they can take."""
    items, needed, count, properties = 0, 0, 0, 0
    for number, words in enumerate(map(str.split, header), start=1):
        if words and "element" in words[0]:
            if len(words) != 3 or not re.fullmatch("[0-9]{1,18}", words[2]):
                raise LoadError("expected the name and the number of an element", line=number)
            count = int(words[2])
            items += count
        elif words and "property" in words[0]:
            kind = words[2] if len(words) > 3 else words[1] if len(words) == 3 else ""
            if kind not in PLY_BYTES:
                raise LoadError(f"{kind[:40]!r} is no type of a PLY", line=number)
            needed += count * (2 if text else PLY_BYTES[kind])  # a digit and its end; a list may be empty
            properties += 1
    if properties > MOST_PROPERTIES:
        raise LoadError(f"{properties} properties are more than the {MOST_PROPERTIES} that footfall reads")
    return items, needed


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
