"""SmartBody's skeleton text (.sk), in: joints within braces, each with an offset and a pre-rotation.

The pre-rotations are the rest pose. Channels and their limits are left out: a motion states its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from jaxtyping import Float

from footfall.errors import LoadError
from footfall.formats.assemble import LARGEST
from footfall.formats.numbers import number
from footfall.formats.take import Take, check_size
from footfall.formats.units import UNITS
from footfall.geometry import quaternion as quat

UNIT_COMMENT = re.compile(rb"^[ \t]*#[^\n]*\bUnits:[ \t]*([A-Za-z]+)", re.MULTILINE | re.IGNORECASE)
WORD = re.compile(r"[{}]|[^\s{}]+")
OFFSETS = ("offset", "center")
TURNS = ("prerot", "framerot")
UNUSED = ("channel", "euler", "visgeo", "colgeo", "modelmat", "modelrot")  # limits and shapes
REFUSED = ("postrot", "align", "set_scale")
KEYWORDS = {"root", "joint", "set_name", *OFFSETS, *TURNS, *UNUSED, *REFUSED}


@dataclass
class _Joint:
    name: str
    parent: int
    offset: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0])
    prerot: Float[np.ndarray, "4"] = field(default_factory=quat.identity)


def read_sk(text: bytes) -> Take:
    """A skeleton alone: a Take of no frames."""
    joints = _SkeletonReader().read(text.decode("utf-8-sig", "replace"))
    prerots = np.stack([j.prerot for j in joints])
    return Take(
        names=[j.name for j in joints],
        parents=[j.parent for j in joints],
        offsets=np.array([j.offset for j in joints], dtype=float),
        root=np.zeros((0, 3)),
        rotations=np.zeros((0, len(joints), 4)),
        fps=None,
        # without any pre-rotation the file states no rest pose
        rest=prerots if (quat.angle(prerots) > 0).any() else None,
        unit=stated_unit(text),
    )


def stated_unit(text: bytes) -> float | None:
    """Metres in the unit that a comment names ("# ... Units: cm"), if one does."""
    found = UNIT_COMMENT.search(text)
    return UNITS.get(found[1].decode().lower()) if found else None


class _SkeletonReader:
    """Joints within braces, read statement by statement: a keyword and the words up to the next one."""

    def __init__(self) -> None:
        self.joints: list[_Joint] = []
        self.open: list[int] = []  # joints whose brace is open, the innermost last
        self.keyword = ""
        self.words: list[str] = []
        self.line = 1  # where the statement began

    def read(self, text: str) -> list[_Joint]:
        for line, word in _words(text):
            if word not in ("{", "}") and self._continues(word, line):
                self.words.append(word)
                continue
            if word != "{":
                self._finish()
            elif self.keyword in ("root", "joint"):
                self._open()
            else:
                raise LoadError("expected a joint's name before '{'", line=line)
            self.keyword, self.words, self.line = word.lower(), [], line
            if word == "}" and self._close():
                return self.joints
        if not self.joints:
            raise LoadError("expected a root joint, found none", line=self.line)
        raise LoadError("the skeleton ends before its braces are closed", line=self.line)

    def _continues(self, word: str, line: int) -> bool:
        """Whether a word goes with the statement before it; a name is the rest of its line up to a brace."""
        if self.keyword in ("root", "joint"):
            return line == self.line
        if self.keyword == "set_name" and not self.words:
            return True
        return word.lower() not in KEYWORDS

    def _open(self) -> None:
        if (self.keyword == "root") != (not self.joints) or (self.keyword == "joint" and not self.open):
            raise LoadError(f"expected one root that holds all joints, found {self.keyword}", line=self.line)
        name = " ".join(self.words) or f"joint{len(self.joints)}"
        self.joints.append(_Joint(name, self.open[-1] if self.open else -1))
        self.open.append(len(self.joints) - 1)
        check_size(0, len(self.joints), 0)

    def _close(self) -> bool:
        """Closes the innermost joint; whether it was the root."""
        if not self.open:
            raise LoadError("expected a root joint, found '}'", line=self.line)
        self.open.pop()
        return not self.open

    def _finish(self) -> None:
        """Acts on a statement once all of its words are known."""
        if self.keyword in REFUSED:
            raise LoadError(f"{self.keyword} is not supported", line=self.line)
        if self.keyword in ("root", "joint"):
            raise LoadError(f"expected '{{' after the name of the {self.keyword}", line=self.line)
        if not self.open:
            return  # paths, names and words that say nothing about the figure
        joint = self.joints[self.open[-1]]
        if self.keyword in OFFSETS:
            joint.offset = _numbers(self.words, self.keyword, 3, self.line)
        elif self.keyword in TURNS:
            joint.prerot = quat.multiply(joint.prerot, _turn(self.words, self.keyword, self.line))
        elif self.keyword not in UNUSED and self.words:
            found = self.words[0][:40]
            raise LoadError(
                f"expected offset, prerot, channel, joint or a brace, found {found!r}", line=self.line
            )


def _words(text: str) -> Iterator[tuple[int, str]]:
    """Words and braces with their lines, comments left out."""
    for line, content in enumerate(text.split("\n"), start=1):
        for found in WORD.finditer(content.partition("#")[0]):
            yield line, found.group()


def _numbers(words: Sequence[str], what: str, count: int, line: int) -> list[float]:
    if len(words) != count:
        raise LoadError(f"expected {count} numbers after {what}, found {len(words)} words", line=line)
    return [number(word, what, line) for word in words]


def _turn(words: Sequence[str], what: str, line: int) -> Float[np.ndarray, "4"]:
    """The rotation of `axis x y z ang degrees`; about no axis, none."""
    if len(words) != 6 or words[0].lower() != "axis" or words[4].lower() != "ang":
        raise LoadError(f"expected 'axis x y z ang degrees' after {what}", line=line)
    *axis, degrees = _numbers([*words[1:4], words[5]], what, 4, line)
    # by its largest part first, so that neither 1e-300 nor 1e300 squared is lost
    largest = max(abs(part) for part in axis)
    if not largest:
        return quat.identity()
    if abs(degrees) > LARGEST:
        raise LoadError(f"expected an angle under {LARGEST:g} degrees after {what}", line=line)
    return quat.from_axis_angle(np.array(axis) / largest, np.deg2rad(degrees))
