"""OBJ text read line by line, for files so small that the compiled reader is not worth its import."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field

import numpy as np

from footfall.formats.obj_statements import (
    BAD_INDEX,
    BAD_NUMBER,
    FEW_CORNERS,
    FEW_NUMBERS,
    TOO_FAR_BACK,
    ZERO_INDEX,
    Fault,
    Statements,
)

CORNER = re.compile(rb"[-+]?[0-9]+(?=/|$)")
WORD = re.compile(rb"\S+")
HUGE = 1 << 40  # no index is larger
LONGEST_INDEX = 4000  # digits that Python turns into a number


def parse(text: bytes) -> Statements:
    """The same as `obj_kernel.parse` makes of a text."""
    reading = _Reading()
    for line in text.split(b"\n"):
        reading.take(line)
        reading.at += len(line) + 1
    return Statements(
        np.array(reading.vertices, dtype=float).reshape(-1, 3),
        np.array(reading.corners, dtype=np.int64),
        np.array(reading.sizes, dtype=np.int64),
        np.array(reading.materials, dtype=np.int64),
        reading.names,
        reading.largest_at,
    )


@dataclass
class _Reading:
    """What was read so far; `at` is where the line starts."""

    vertices: list[list[float]] = field(default_factory=list)
    corners: list[int] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    materials: list[int] = field(default_factory=list)
    names: list[bytes] = field(default_factory=lambda: [b""])
    largest: int = -1
    largest_at: int = 0
    at: int = 0

    def take(self, line: bytes) -> None:
        words = line.split()
        if not words:
            return
        if words[0] == b"usemtl":
            self.names.append(line.split(None, 1)[1] if len(words) > 1 else b"")
            return
        if b"#" in line:  # a comment goes from a word that starts with it to the end
            comment = next((k for k, word in enumerate(words) if word.startswith(b"#")), len(words))
            words = words[:comment]
        if words and words[0] == b"v":
            self._take_vertex(line, words)
        elif words and words[0] == b"f":
            self._take_face(line, words)

    def _take_vertex(self, line: bytes, words: list[bytes]) -> None:
        place = []
        for k, word in enumerate(words[1:4], start=1):
            try:
                place.append(float(word) if b"_" not in word else math.nan)
            except ValueError:
                place.append(math.nan)
            if not math.isfinite(place[-1]):
                raise self._fault(BAD_NUMBER, line, k)
        if len(place) < 3:
            raise self._fault(FEW_NUMBERS, line, 0)
        self.vertices.append(place)

    def _take_face(self, line: bytes, words: list[bytes]) -> None:
        for k, word in enumerate(words[1:], start=1):
            found = CORNER.match(word)
            if found is None:
                raise self._fault(BAD_INDEX, line, k)
            index = max(-HUGE, min(HUGE, int(found[0][:LONGEST_INDEX])))
            if index == 0:
                raise self._fault(ZERO_INDEX, line, k)
            index = index - 1 if index > 0 else len(self.vertices) + index
            if index < 0:
                raise self._fault(TOO_FAR_BACK, line, k)
            if index > self.largest:
                self.largest, self.largest_at = index, self._start(line, k)
            self.corners.append(index)
        if len(words) < 4:
            raise self._fault(FEW_CORNERS, line, 0)
        self.sizes.append(len(words) - 1)
        self.materials.append(len(self.names) - 1)

    def _start(self, line: bytes, k: int) -> int:
        """Where in the text the k-th word of a line starts."""
        return self.at + [found.start() for found in WORD.finditer(line)][k]

    def _fault(self, wrong: int, line: bytes, k: int) -> Fault:
        return Fault(wrong, self._start(line, k))
