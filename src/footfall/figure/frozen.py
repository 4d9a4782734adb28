"""Read-only arrays for frozen types: validated once, then shared without fear."""

from __future__ import annotations

import numpy as np

from footfall.errors import NO_NUMBER, RequestError


def frozen_array(values: object, what: str, *, shape: tuple[int | None, ...] | None = None) -> np.ndarray:
    """A read-only float64 array; `shape` fixes the trailing axes (None is any length)."""
    try:
        array = np.asarray(values, dtype=float)
    except NO_NUMBER:
        raise RequestError(f"{what} must be an array of numbers") from None
    if shape is not None:
        tail = array.shape[len(array.shape) - len(shape) :]
        fits = len(tail) == len(shape) and all(
            want is None or want == have for want, have in zip(shape, tail, strict=True)
        )
        if not fits:
            wanted = ", ".join("any" if n is None else str(n) for n in shape)
            raise RequestError(f"{what} must have trailing axes ({wanted}), not {array.shape}")
    if not np.isfinite(array).all():
        raise RequestError(f"{what} must be finite numbers")
    if not _unchanging(array):
        fresh = array is not values and array.base is None
        array = array if fresh else array.copy()
        array.flags.writeable = False
    return array


def _unchanging(array: np.ndarray) -> bool:
    """Whether nobody can write to the array's memory, be it through what it is a view of."""
    memory: object = array
    while isinstance(memory, np.ndarray):
        if memory.flags.writeable:
            return False
        memory = memory.base
    return memory is None or isinstance(memory, bytes)
