"""The header of a PLY, read with care and written again with nothing in it but what a surface needs."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from footfall.errors import LoadError

MOST_PROPERTIES = 64
LONGEST = 1 << 16  # bytes
FORMS = ("ascii", "binary_little_endian", "binary_big_endian")
BYTES = {
    **dict.fromkeys(("char", "uchar", "int8", "uint8"), 1),
    **dict.fromkeys(("short", "ushort", "int16", "uint16", "float16"), 2),
    **dict.fromkeys(("int", "uint", "float", "int32", "uint32", "float32"), 4),
    **dict.fromkeys(("double", "float64", "int64", "uint64"), 8),
}
COUNT = re.compile("[0-9]{1,18}")


@dataclass
class _Element:
    name: str
    count: int
    properties: list[tuple[str, str]] = field(default_factory=list)  # what it is, and its name
    bytes: int = 0  # the least that one takes in a binary file


@dataclass
class PlyHeader:
    form: str = ""
    elements: list[_Element] = field(default_factory=list)
    size: int = 0  # bytes

    @property
    def items(self) -> int:
        """Lines after the header of a text."""
        return sum(element.count for element in self.elements)

    @property
    def needed(self) -> int:
        """The least bytes that can follow; in a text, a number is a digit and what ends it."""
        if self.form == "ascii":
            return sum(e.count * max(2 * len(e.properties), 1) for e in self.elements) - 1
        return sum(e.count * e.bytes for e in self.elements)

    def plain(self) -> bytes:
        """The same with names that say where vertices are and which of them faces have, and no others."""
        lines = ["ply", f"format {self.form} 1.0"]
        known = {"vertex": {"x", "y", "z"}, "face": {"vertex_indices"}}
        for k, element in enumerate(self.elements):
            own = known.pop(element.name, set())
            lines.append(f"element {element.name if own else f'other{k}'} {element.count}")
            for i, (kind, name) in enumerate(element.properties):
                name = "vertex_indices" if name == "vertex_index" else name
                lines.append(f"property {kind} {name if name in own else f'other{i}'}")
                own.discard(name)
        return "\n".join([*lines, "end_header\n"]).encode()


def read_header(content: bytes) -> PlyHeader:
    """Refuses what is no header, with the line."""
    header = PlyHeader()
    lines = content[:LONGEST].split(b"\n")
    if len(content) > LONGEST:
        lines.pop()  # not whole
    for number, line in enumerate(lines, start=1):
        header.size += len(line) + 1
        words = line.decode("utf-8", "replace").split()
        if words[:1] == ["end_header"]:
            _check(header)
            return header
        if not _take(header, words):
            raise LoadError(f"a PLY has no such line as {' '.join(words)[:40]!r}", line=number)
    raise LoadError(f"the header of the PLY has no end within {LONGEST} bytes")


def _take(header: PlyHeader, words: list[str]) -> bool:
    """Whether a line is what a header may say."""
    match words:
        case [] | ["ply"] | ["comment" | "obj_info", *_]:
            return True
        case ["format", form, _] if form in FORMS:
            header.form = form
            return True
        case ["element", name, count] if COUNT.fullmatch(count):
            header.elements.append(_Element(name, int(count)))
            return True
        case ["property", "list", length, kind, name] if {length, kind} <= BYTES.keys() and header.elements:
            header.elements[-1].properties.append((f"list {length} {kind}", name))
            header.elements[-1].bytes += BYTES[length]
            return True
        case ["property", kind, name] if kind in BYTES and header.elements:
            header.elements[-1].properties.append((kind, name))
            header.elements[-1].bytes += BYTES[kind]
            return True
    return False


def _check(header: PlyHeader) -> None:
    if not header.form:
        raise LoadError(f"the PLY does not say its format: {', '.join(FORMS)}")
    properties = sum(max(len(element.properties), 1) for element in header.elements)
    if properties > MOST_PROPERTIES:
        raise LoadError(f"{properties} properties are more than the {MOST_PROPERTIES} that footfall reads")
