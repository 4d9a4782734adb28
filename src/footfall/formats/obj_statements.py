"""What the statements of an OBJ text come to, and what can be wrong with one; shared by its two readers."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int

from footfall.errors import LoadError

FINE, FEW_NUMBERS, BAD_NUMBER, BAD_INDEX, ZERO_INDEX, TOO_FAR_BACK, TOO_LARGE, FEW_CORNERS = range(8)
WRONG = {
    FEW_NUMBERS: "a vertex needs three numbers",
    BAD_NUMBER: "expected a finite number for a vertex, found {word!r}",
    BAD_INDEX: "expected the number of a vertex, found {word!r}",
    ZERO_INDEX: "vertices are counted from 1, found {word!r}",
    TOO_FAR_BACK: "a corner is at {word!r}, which is before the first vertex",
    TOO_LARGE: "a corner is at {word!r}, which is after the last vertex",
    FEW_CORNERS: "a face needs at least three corners",
}
WORD = re.compile(rb"\S{1,40}")


class Statements(NamedTuple):
    """All of a text; corners are counted from 0, `materials` tell of each face which name was the last."""

    vertices: Float[np.ndarray, "vertices 3"]
    corners: Int[np.ndarray, "corners"]
    sizes: Int[np.ndarray, "faces"]
    materials: Int[np.ndarray, "faces"]
    names: list[bytes]  # the first is of faces before any name
    largest_at: int  # where in the text the largest of all corners stands


class Fault(Exception):
    """What is wrong, and where in the text."""

    def __init__(self, wrong: int, at: int):
        super().__init__(wrong, at)
        self.wrong, self.at = wrong, at

    def explained(self, lines: bytes) -> LoadError:
        """In words; `lines` is the text as it lies in the file."""
        found = WORD.match(lines, self.at)
        word = found[0].decode("utf-8", "replace") if found else ""
        return LoadError(WRONG[self.wrong].format(word=word), line=lines.count(b"\n", 0, self.at) + 1)
