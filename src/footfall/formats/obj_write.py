"""OBJ out: numbers that come back to the last bit, triangles in their order, labels as materials."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from footfall.formats.surface import Surface

CHUNK = 20_000  # lines made at once


def write_obj(surface: Surface) -> Iterator[bytes]:
    """The file, piece by piece."""
    yield b"# footfall terrain: metres, Y up\n"
    for start in range(0, len(surface.vertices), CHUNK):
        rows = surface.vertices[start : start + CHUNK]
        yield ("v %r %r %r\n" * len(rows) % tuple(rows.reshape(-1).tolist())).encode()
    kinds = np.zeros(len(surface.triangles), dtype=int) if surface.kinds is None else surface.kinds
    changes = (np.flatnonzero(np.diff(kinds)) + 1).tolist()
    for start, end in zip([0, *changes], [*changes, len(kinds)], strict=True):
        yield f"usemtl {surface.labels[kinds[start]]}\n".encode()
        for first in range(start, end, CHUNK):
            rows = surface.triangles[first : min(first + CHUNK, end)] + 1
            yield ("f %d %d %d\n" * len(rows) % tuple(rows.reshape(-1).tolist())).encode()
