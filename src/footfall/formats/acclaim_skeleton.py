"""Acclaim's skeleton text (.asf), in: the bones, their axes and degrees of freedom, and who hangs on whom.

Bones are told in the world's axes as the figure rests, each from its parent's end. Euler angles turn about
fixed axes in the order written: "axis 10 20 30 XYZ" turns about x first, then y, then z.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from jaxtyping import Float

from footfall.errors import LoadError
from footfall.formats.assemble import LARGEST
from footfall.formats.numbers import number
from footfall.formats.skeleton_file import listing
from footfall.formats.take import check_size
from footfall.formats.units import INCH
from footfall.geometry import quaternion as quat

ROOT = "root"
SMALLEST_SCALE = 1e-6
DOFS = ("tx", "ty", "tz", "rx", "ry", "rz", "l")
PUNCTUATION = str.maketrans(",()", "   ")  # counts as white space
Words = list[str]


@dataclass
class Bone:
    """A bone, or the root, which has no length and starts at `start`."""

    name: str
    dofs: list[str] = field(default_factory=list)  # "rx", "tz": columns of the motion, in this order
    direction: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0])
    length: float = 0.0
    axis: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0])  # about x, y, z, in the file's unit
    order: str = "XYZ"  # in which `axis` turns
    start: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0])

    @property
    def end(self) -> Float[np.ndarray, "3"]:
        """From the bone's start to its end, at rest."""
        return self.length * np.array(self.direction)

    @property
    def turns(self) -> str:
        """The axes about which the motion turns the bone, in order: "XZ"."""
        return "".join(dof[1].upper() for dof in self.dofs if dof[0] == "r")

    @property
    def shifts(self) -> bool:
        """Whether the motion shifts or stretches it."""
        return any(dof[0] != "r" for dof in self.dofs)


@dataclass
class Figure:
    """All bones, parents before children, the root first."""

    bones: list[Bone]
    parents: list[int]
    unit: float | None  # metres in one file unit
    radians: bool
    notes: tuple[str, ...] = ()


def fixed_turns(angles: Float[np.ndarray, "*batch turns"], order: str) -> Float[np.ndarray, "*batch 4"]:
    """Turns about fixed axes, one after the other: about moving axes they come in the opposite order."""
    return quat.from_euler(angles[..., ::-1], order[::-1])


def parse_asf(text: bytes) -> Figure:
    reader = _Reader()
    for line, words in _lines(text):
        reader.read(line, words)
    if not reader.bones:
        raise LoadError("expected bones in a section :bonedata, found none")
    return reader.figure()


def _lines(text: bytes) -> Iterator[tuple[int, Words]]:
    """The words of each line that has some."""
    for line, content in enumerate(text.decode("utf-8-sig", "replace").split("\n"), start=1):
        words = content.partition("#")[0].translate(PUNCTUATION).split()
        if words:
            yield line, words


class _Reader:
    """Sections line by line."""

    def __init__(self) -> None:
        self.section = ""
        self.root = Bone(ROOT, ["tx", "ty", "tz", "rx", "ry", "rz"])
        self.bones: dict[str, Bone] = {}
        self.bone: Bone | None = None  # whose block is open
        self.parent_of: dict[str, str] = {}
        self.unit: float | None = None  # metres in one file unit
        self.radians = False
        self.line = 0

    def read(self, line: int, words: Words) -> None:
        self.line = line
        if words[0].startswith(":"):
            self.section = words[0][1:].lower()
            return
        if not self.section:
            raise self._error(f"expected a section such as :version, found {words[0][:40]!r}")
        key, rest = words[0].lower(), words[1:]
        if self.section == "units":
            self._units(key, rest)
        elif self.section == "root":
            self._root(key, rest)
        elif self.section == "bonedata":
            self._bonedata(key, rest)
        elif self.section == "hierarchy" and key not in ("begin", "end"):
            self._hierarchy(words)

    def _error(self, problem: str) -> LoadError:
        return LoadError(problem, line=self.line)

    def _units(self, key: str, rest: Words) -> None:
        if key == "length":
            (scale,) = self._numbers(key, rest, 1)
            if scale < SMALLEST_SCALE:
                raise self._error(f"expected a positive length, found {scale:g}")
            self.unit = INCH / scale
        elif key == "angle":
            if [w.lower() for w in rest] not in (["deg"], ["rad"]):
                raise self._error("expected 'angle deg' or 'angle rad'")
            self.radians = rest[0].lower() == "rad"

    def _root(self, key: str, rest: Words) -> None:
        if key == "order":
            self.root.dofs = self._dofs(rest)
        elif key == "axis":
            self.root.order = self._order(rest)
        elif key == "position":
            self.root.start = self._numbers(key, rest, 3)
        elif key == "orientation":
            self.root.axis = self._numbers(key, rest, 3)

    def _bonedata(self, key: str, rest: Words) -> None:
        if key == "begin" and self.bone is None:
            self.bone = Bone("")
        elif self.bone is None:
            raise self._error(f"expected 'begin' before a bone's {key[:40]!r}")
        elif key == "begin":
            raise self._error("expected 'end' before the next bone's 'begin'")
        elif key == "end":
            self._keep(self.bone)
            self.bone = None
        elif key == "name":
            self.bone.name = " ".join(rest)
        elif key == "direction":
            self.bone.direction = self._numbers(key, rest, 3)
        elif key == "length":
            (self.bone.length,) = self._numbers(key, rest, 1)
        elif key == "axis":
            self.bone.axis = self._numbers(key, rest[:3], 3)
            self.bone.order = self._order(rest[3:])
        elif key == "dof":
            self.bone.dofs = self._dofs(rest)

    def _keep(self, bone: Bone) -> None:
        if not bone.name:
            raise self._error("expected the bone's name before 'end'")
        if bone.name.lower() in (ROOT, *self.bones):
            raise self._error(f"expected each bone once, found {bone.name[:40]!r} again")
        self.bones[bone.name.lower()] = bone
        check_size(0, len(self.bones), 0)

    def _hierarchy(self, words: Words) -> None:
        parent, *children = (w.lower() for w in words)
        for name in (parent, *children):
            if name not in self.bones and name != ROOT:
                raise self._error(f"expected a bone of the section :bonedata, found {name[:40]!r}")
        for child in children:
            if child == ROOT or child in self.parent_of:
                raise self._error(f"expected each bone to hang on one other, found {child[:40]!r} again")
            self.parent_of[child] = parent

    def _numbers(self, key: str, words: Words, count: int) -> list[float]:
        if len(words) != count:
            raise self._error(f"expected {count} numbers after {key}, found {len(words)}")
        values = [number(word, key, self.line) for word in words]
        if max(abs(value) for value in values) >= LARGEST:
            raise self._error(f"expected numbers under {LARGEST:g} after {key}")
        return values

    def _dofs(self, words: Words) -> list[str]:
        dofs = [w.lower() for w in words]
        if not set(dofs) <= set(DOFS) or len(set(dofs)) < len(dofs):
            raise self._error(f"expected degrees of freedom among {', '.join(DOFS)}, each once")
        return dofs

    def _order(self, words: Words) -> str:
        order = "".join(words).upper()
        if order not in quat.EULER_ORDERS:
            raise self._error(f"expected an order of axes such as XYZ, found {order[:40]!r}")
        return order

    def figure(self) -> Figure:
        if self.bone is not None:
            raise self._error("the file ends within a bone")
        names, parents = _downwards(self.parent_of)
        loose = [bone.name for key, bone in self.bones.items() if key not in names]
        notes = (f"bones that hang on nothing are left out: {listing(loose)}",) if loose else ()
        if len(names) == 1:
            raise self._error("expected bones that hang on the root in a section :hierarchy, found none")
        return Figure(
            [self.root, *(self.bones[name] for name in names if name != ROOT)],
            parents,
            self.unit,
            self.radians,
            notes,
        )


def _downwards(parent_of: dict[str, str]) -> tuple[dict[str, int], list[int]]:
    """Each name's index, from the root down, one branch after the other, and each one's parent."""
    children: dict[str, list[str]] = {}
    for child, above in parent_of.items():
        children.setdefault(above, []).append(child)
    index: dict[str, int] = {}
    parents: list[int] = []
    waiting = [(ROOT, -1)]
    while waiting:
        name, parent = waiting.pop()
        waiting += [(child, len(index)) for child in reversed(children.get(name, []))]
        index[name] = len(index)
        parents.append(parent)
    return index, parents
