"""OBJ in: the triangles of a text, labelled by their materials.

Read are vertices (what follows their three numbers is not), faces of any number of corners, and the names of
materials; groups, normals, curves and whatever else there is are passed over. Polygons are cut as `polygons`
says. A compiled kernel reads 70 MB in about half a second but takes as long to import, so small files are
read line by line; both give the same to the last bit.
"""

from __future__ import annotations

import re
import sys

import numpy as np

from footfall.errors import LoadError
from footfall.formats.gltf_container import BYTE_ORDER_MARK
from footfall.formats.obj_statements import BAD_NUMBER, TOO_LARGE, Fault, Statements
from footfall.formats.polygons import triangulate
from footfall.formats.surface import Surface, labelled

KERNEL_FROM = 1 << 20  # bytes from which importing the kernel pays
NUMBER = re.compile(rb"[-+.0-9eE]+")
CONTINUED_COMMENT = re.compile(rb"^([ \t]*#[^\n]*)\\(\r?)$", re.MULTILINE)


def read_obj(content: bytes) -> Surface:
    """Refuses what cannot be read, with the line it stands on."""
    lines = content.replace(b"\r", b"\n") if b"\n" not in content else content
    text = _joined(lines)
    try:
        found = _parse_compiled(text) if _kernel_pays(len(text)) else _parse_plain(text)
        if len(found.corners) and found.corners.max() >= len(found.vertices):
            raise Fault(TOO_LARGE, found.largest_at)
    except Fault as fault:
        raise fault.explained(lines) from None
    if not len(found.sizes):
        raise LoadError(f"the OBJ holds {len(found.vertices)} vertices and no face")
    triangles, face = triangulate(found.vertices, found.corners, found.sizes)
    labels, kinds = labelled(found.names, found.materials)
    return Surface(found.vertices, triangles, labels, kinds[face])


def _joined(lines: bytes) -> bytes:
    """Lines that a backslash continues made one by blanks, so that every word stays where it was."""
    if lines.startswith(BYTE_ORDER_MARK):
        lines = b"   " + lines[3:]
    if b"\\" not in lines:
        return lines
    lines = CONTINUED_COMMENT.sub(rb"\1 \2", lines)  # a path at the end of a comment joins nothing
    return lines.replace(b"\\\r\n", b"   ").replace(b"\\\n", b"  ")


def _kernel_pays(size: int) -> bool:
    return size >= KERNEL_FROM or "numba" in sys.modules


def _parse_plain(text: bytes) -> Statements:
    from footfall.formats import obj_plain

    return obj_plain.parse(text)


def _parse_compiled(text: bytes) -> Statements:
    from footfall.formats import obj_kernel

    raw = obj_kernel.parse(np.frombuffer(text, dtype=np.uint8), obj_kernel.POWERS)
    vertices, corners, sizes, materials, names, unsure, (wrong, at, _, largest_at) = raw
    for place, start in unsure.reshape(-1, 2).tolist():
        vertices[place] = _number_at(text, start)
    if wrong:
        raise Fault(int(wrong), int(at))
    named = [text[start:end] for start, end in names.reshape(-1, 2).tolist()]
    return Statements(vertices.reshape(-1, 3), corners, sizes, materials, [b"", *named], int(largest_at))


def _number_at(text: bytes, start: int) -> float:
    """What the kernel leaves to Python; it has seen that it is a number."""
    found = NUMBER.match(text, start)
    value = float(found[0]) if found else np.inf
    if not np.isfinite(value):
        raise Fault(BAD_NUMBER, start)
    return value
