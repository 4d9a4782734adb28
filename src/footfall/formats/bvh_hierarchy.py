"""The hierarchy of a BVH file: joints, offsets, channels and end sites, statement by statement."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from footfall.errors import LoadError
from footfall.formats.numbers import number, whole_number
from footfall.formats.take import check_size

WORD = re.compile(r"[{}]|[^\s{}]+")


@dataclass
class Block:
    """A joint, or an end site (index -1)."""

    name: str
    parent: int
    index: int
    offset: list[float] | None = None
    channels: list[tuple[str, int]] = field(default_factory=list)  # ("position" | "rotation", axis)


class _Words:
    """The words of one line, one at a time: a line may be as long as the file."""

    def __init__(self, line: str):
        self.line = line
        self._coming = WORD.finditer(line)
        self.next = next(self._coming, None)

    def take(self) -> str:
        """The next word, or nothing at the line's end."""
        found, self.next = self.next, next(self._coming, None)
        return found.group() if found else ""

    def take_name(self) -> str:
        """All up to a brace or the line's end: names may hold spaces."""
        start = end = self.next.start() if self.next else 0
        while self.next and self.next.group() not in ("{", "}"):
            end = self.next.end()
            self.take()
        return self.line[start:end]


class Hierarchy:
    """The hierarchy word by word: joints in file order and end sites, no recursion."""

    def __init__(self) -> None:
        self.joints: list[Block] = []
        self.ends: list[Block] = []
        self.open: list[Block] = []  # whose brace is open, the innermost last
        self.named: Block | None = None  # named, but its brace has not come yet
        self.line = 0

    def read(self, text: str) -> None:
        for self.line, line in enumerate(text.split("\n"), start=1):
            words = _Words(line)
            while words.next:
                self._statement(words)
        if self.open or self.named is not None:
            raise self._error("the hierarchy ends before its braces are closed")
        if not self.joints:
            raise self._error("expected a ROOT joint, found none")

    def _error(self, problem: str) -> LoadError:
        return LoadError(problem, line=self.line)

    def _statement(self, words: _Words) -> None:
        word = words.take()
        what = word.upper()
        if self.named is not None:
            if what != "{":
                raise self._error(f"expected '{{' after {self.named.name[:40]!r}, found {word[:40]!r}")
            self.open.append(self.named)
            self.named = None
        elif what in ("ROOT", "JOINT", "END"):
            self._name(word, words)
        elif what == "}" and self.open:
            if self.open.pop().offset is None:
                raise self._error("expected an OFFSET before '}'")
        elif what == "OFFSET" and self.open:
            _offset(self.open[-1], words, self.line)
        elif what == "CHANNELS" and self.open and self.open[-1].index >= 0:
            _channels(self.open[-1], words, self.line)
        elif what != "HIERARCHY" or self.joints:
            expected = "OFFSET, CHANNELS, JOINT, End Site or a brace" if self.open else "ROOT"
            raise self._error(f"expected {expected}, found {word[:40]!r}")

    def _name(self, word: str, words: _Words) -> None:
        what = word.upper()
        if (what == "ROOT") != (not self.joints) or (what != "ROOT" and not self.open):
            raise self._error(f"expected one ROOT that holds everything, found {word}")
        if self.open and self.open[-1].index < 0:
            raise self._error("an End Site cannot carry joints")
        name = words.take_name()
        parent = self.open[-1].index if self.open else -1
        if what == "END":
            self.named = Block(name, parent, index=-1)
            self.ends.append(self.named)
        else:
            self.named = Block(name or f"joint{len(self.joints)}", parent, index=len(self.joints))
            self.joints.append(self.named)
            check_size(0, len(self.joints), 0)


def _offset(joint: Block, words: _Words, line: int) -> None:
    three = [words.take() for _ in range(3)]
    if not three[-1]:
        raise LoadError(f"expected three numbers after OFFSET, found {sum(map(bool, three))}", line=line)
    joint.offset = [number(w, "OFFSET", line) for w in three]


def _channels(joint: Block, words: _Words, line: int) -> None:
    count = whole_number(words.take(), "CHANNELS", line)
    if count > 6:
        raise LoadError(f"expected at most 6 channels, found {count}", line=line)
    joint.channels = []
    for i in range(count):
        word = words.take()
        if not word:
            raise LoadError(f"expected {count} channel names after CHANNELS, found {i}", line=line)
        kind, axis = word[1:].lower(), "XYZ".find(word[:1].upper())
        if kind not in ("position", "rotation") or axis < 0:
            raise LoadError(
                f"expected a channel such as Xposition or Zrotation, found {word[:40]!r}", line=line
            )
        joint.channels.append((kind, axis))
