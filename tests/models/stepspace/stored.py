"""The bytes of a small step space's file, good and tampered with."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from safetensors import numpy as tensors

from footfall.models.stepspace.store import space_bytes
from tests.models.stepspace.spaces import small_space


@cache
def good() -> bytes:
    return space_bytes(small_space())


def tampered(edit: Callable[[dict[str, Any]], None] | None = None, **arrays: np.ndarray | None) -> bytes:
    """The good file with a changed text, or arrays replaced (None: left out)."""
    content = good()
    length = int.from_bytes(content[:8], "little")
    text = json.loads(json.loads(content[8 : 8 + length])["__metadata__"]["footfall_model"])
    if edit is not None:
        edit(text)
    stored = {
        k: np.ascontiguousarray(v) for k, v in (tensors.load(content) | arrays).items() if v is not None
    }
    return tensors.save(stored, metadata={"footfall_model": json.dumps(text)})
