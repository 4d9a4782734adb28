"""Files of a small ring and of a small graph, good and tampered with."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from safetensors import numpy as tensors

from footfall.models.ring.store import graph_bytes, ring_bytes
from tests.models.ring.rings import small_graph, small_ring


@cache
def good_ring() -> bytes:
    return ring_bytes(small_ring())


@cache
def good_graph() -> bytes:
    return graph_bytes(small_graph())


def tampered(
    content: bytes,
    edit: Callable[[dict[str, Any]], object] | None = None,
    arrays: dict[str, np.ndarray | None] | None = None,
) -> bytes:
    """A file with a changed description, or arrays replaced (None: left out)."""
    length = int.from_bytes(content[:8], "little")
    text = json.loads(json.loads(content[8 : 8 + length])["__metadata__"]["footfall_model"])
    if edit is not None:
        edit(text["description"])
    changed = (tensors.load(content) | (arrays or {})).items()
    stored = {name: np.ascontiguousarray(array) for name, array in changed if array is not None}
    return tensors.save(stored, metadata={"footfall_model": json.dumps(text)})
