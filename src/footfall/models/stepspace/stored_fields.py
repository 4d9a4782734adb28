"""Array fields of a dataclass in a model file and back, by what their annotations say of type and shape.

So a table that gains an array has it in its file. Whatever has an axis of samples is frames, kept in single
precision, rotations of bodies as rotation vectors and joints that never move once; everything else decides
where feet stand and when, and is kept as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import numpy as np
from jaxtyping import Float, Int

from footfall.errors import LoadError
from footfall.formats.rotation_vectors import HALF_TURN, STILL, rotation_vectors
from footfall.formats.stored import Arrays, StoredArrays
from footfall.geometry import quaternion as quat

FRAMES = "samples"  # the axis that makes an array one of frames
JOINTS = (FRAMES, "joints", "4")  # the axes of a body's rotations, but the first
WHOLE: tuple[type, ...] = (np.int8, np.int16, np.int32, np.int64)  # the narrowest that holds all is taken


@dataclass(frozen=True)
class ArrayField:
    """What a field's annotation says."""

    name: str
    axes: tuple[str, ...]  # numbers, or names of lengths
    whole: bool  # whole numbers
    optional: bool

    @property
    def turns(self) -> bool:
        """Whether it holds the rotations of bodies."""
        return self.axes[1:] == JOINTS

    @property
    def dtype(self) -> type:
        return np.float32 if FRAMES in self.axes else np.float64

    def shape(self, sizes: Mapping[str, int]) -> tuple[int | None, ...]:
        return tuple(int(axis) if axis.isdigit() else sizes.get(axis) for axis in self.axes)


def array_fields(kind: type) -> tuple[ArrayField, ...]:
    """The fields of a dataclass that are arrays."""
    found = []
    for name, (hint, optional) in _hints(kind).items():
        if hasattr(hint, "dim_str"):  # jaxtyping's
            found.append(ArrayField(name, tuple(hint.dim_str.split()), "int64" in hint.dtypes, optional))
    return tuple(found)


def fields_of(kind: type, wanted: type) -> tuple[str, ...]:
    """The names of fields that are of a class, or that or None."""
    return tuple(name for name, (hint, _) in _hints(kind).items() if hint is wanted)


def _hints(kind: type) -> dict[str, tuple[Any, bool]]:
    """Each field's annotation without None, and whether that was in it."""
    hints = get_type_hints(kind)
    return {field.name: _without_none(hints[field.name]) for field in fields(kind)}


def _without_none(hint: Any) -> tuple[Any, bool]:
    if get_origin(hint) not in (Union, UnionType):
        return hint, False
    parts = [part for part in get_args(hint) if part is not type(None)]
    return parts[0], len(parts) < len(get_args(hint))


def written(owner: Any, prefix: str) -> Arrays:
    """All array fields of a dataclass's instance."""
    out: Arrays = {}
    for field in array_fields(type(owner)):
        name, array = prefix + field.name, getattr(owner, field.name)
        if array is None:
            continue
        if field.turns:
            out |= _parted(name, array)
        else:
            out[name] = _narrowed(array) if field.whole else np.asarray(array).astype(field.dtype)
    return out


def _narrowed(array: Int[np.ndarray, "*shape"]) -> Int[np.ndarray, "*shape"]:
    low, high = int(array.min(initial=0)), int(array.max(initial=0))
    return array.astype(next(t for t in WHOLE if np.iinfo(t).min <= low and high <= np.iinfo(t).max))


def _parted(name: str, rotations: Float[np.ndarray, "*frames joints 4"]) -> Arrays:
    turns = rotation_vectors(rotations)
    flat = turns.reshape(-1, *turns.shape[-2:])
    first = flat[0] if len(flat) else np.zeros(turns.shape[-2:], np.float32)
    moving = np.abs(flat - first).max(axis=(0, 2), initial=0.0) > STILL
    return {
        f"{name}.moving": moving.astype(np.uint8),
        f"{name}.turns": turns[..., moving, :],
        f"{name}.still": first[~moving],
    }


def read(arrays: StoredArrays, kind: type, prefix: str, sizes: Mapping[str, int]) -> dict[str, Any]:
    """The array fields of a dataclass, read-only; an optional one that is not there is None."""
    out: dict[str, Any] = {}
    for field in array_fields(kind):
        name = prefix + field.name
        if field.optional and not arrays.has(name):
            out[field.name] = None
            continue
        array = _joined(arrays, name, sizes) if field.turns else _taken(arrays, name, field, sizes)
        array.flags.writeable = False
        out[field.name] = array
    return out


def _taken(arrays: StoredArrays, name: str, field: ArrayField, sizes: Mapping[str, int]) -> np.ndarray:
    shape = field.shape(sizes)
    if field.whole:
        found = arrays.stored.get(name)
        narrow = next((t for t in WHOLE if found is not None and found.dtype == t), np.int64)
        return arrays.take(name, narrow, *shape).astype(np.int64)
    if field.axes[-1] == "4" and field.dtype is np.float64:
        return np.array(arrays.turns(name, *shape))
    return arrays.lengths(name, *shape, dtype=field.dtype).astype(np.float64)


def _joined(
    arrays: StoredArrays, name: str, sizes: Mapping[str, int]
) -> Float[np.ndarray, "n samples joints 4"]:
    n, samples, joints = sizes["n"], sizes[FRAMES], sizes["joints"]
    moving = arrays.take(f"{name}.moving", np.uint8, joints)
    if moving.max(initial=0) > 1:
        raise LoadError(f"expected 0 or 1 in '{name}.moving'")
    moves = moving == 1
    turns = _vectors(arrays, f"{name}.turns", n, samples, int(moves.sum()), 3)
    still = _vectors(arrays, f"{name}.still", int((~moves).sum()), 3)
    out = np.empty((n, samples, joints, 4))
    out[:, :, ~moves] = quat.exp(still)
    for k in range(n):
        out[k][:, moves] = quat.continuous(quat.exp(turns[k]))
    return out


def _vectors(arrays: StoredArrays, name: str, *shape: int) -> Float[np.ndarray, "*batch 3"]:
    vectors = arrays.lengths(name, *shape, dtype=np.float32).astype(np.float64)
    if (np.linalg.norm(vectors, axis=-1) > HALF_TURN).any():
        raise LoadError(f"expected rotations of at most a half turn in {name!r}")
    return vectors
