"""What footfall's own files (safetensors) are made of: one text in the metadata, and arrays.

Such a file holds numbers and names only, so reading one can never run code; nothing in it is believed before
it is checked.
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
import numpy as np
from jaxtyping import Float
from safetensors import SafetensorError
from safetensors import numpy as tensors

from footfall.errors import LoadError
from footfall.formats.assemble import LARGEST

LENGTH_BYTES = 8  # safetensors: the header's length, little-endian, before the header
UNIT = (0.5, 2.0)  # how far a quaternion's length may be from 1
Arrays = dict[str, np.ndarray]


class _Header(msgspec.Struct):
    metadata: dict[str, str] = msgspec.field(name="__metadata__", default_factory=dict)


def stored_bytes(arrays: Arrays, marker: str, text: bytes) -> bytes:
    # safetensors reads memory as it lies: strided views must be laid out first
    dense = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    return tensors.save(dense, metadata={marker: text.decode()})


def stored_text(content: bytes, marker: str) -> str | None:
    """The text of that name in the metadata; None where there is none, be it that this is no such file."""
    try:
        return msgspec.json.decode(_header(content), type=_Header).metadata.get(marker)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise LoadError(f"the header is damaged ({str(error)[:100]})") from None


def _header(content: bytes) -> bytes:
    """The JSON header, or nothing where the bytes cannot be safetensors."""
    length = int.from_bytes(content[:LENGTH_BYTES], "little")
    if content[LENGTH_BYTES : LENGTH_BYTES + 1] != b"{" or length > len(content) - LENGTH_BYTES:
        return b""
    return content[LENGTH_BYTES : LENGTH_BYTES + length]


@dataclass(frozen=True)
class StoredArrays:
    """A file's arrays, each checked when it is asked for."""

    stored: Arrays

    @classmethod
    def of(cls, content: bytes) -> StoredArrays:
        try:
            return cls(tensors.load(content))
        except (SafetensorError, ValueError, KeyError, TypeError, OverflowError) as error:
            raise LoadError(f"the arrays are damaged ({str(error)[:100]})") from None

    def has(self, name: str) -> bool:
        return name in self.stored

    def take(self, name: str, dtype: type, *shape: int | None) -> np.ndarray:
        """An array of exactly this type and shape; None is any length."""
        array = self.stored.get(name)
        if array is None:
            raise LoadError(f"expected an array {name!r}, found none")
        fits = len(array.shape) == len(shape) and all(
            want is None or want == have for want, have in zip(shape, array.shape, strict=True)
        )
        if array.dtype != dtype or not fits:
            wanted = " x ".join("any" if n is None else str(n) for n in shape)
            raise LoadError(
                f"expected {name!r} as {dtype.__name__} {wanted}, found {array.dtype} {array.shape}"
            )
        return array

    def lengths(self, name: str, *shape: int | None, dtype: type = np.float64) -> Float[np.ndarray, "*shape"]:
        array = self.take(name, dtype, *shape)
        if not (np.abs(array) < LARGEST).all():
            raise LoadError(f"expected numbers under {LARGEST:g} in {name!r}")
        return array

    def turns(self, name: str, *shape: int | None) -> Float[np.ndarray, "*batch 4"]:
        array = self.lengths(name, *shape)
        norm = np.linalg.norm(array, axis=-1)
        if not ((norm > UNIT[0]) & (norm < UNIT[1])).all():
            raise LoadError(f"expected unit quaternions in {name!r}")
        return array
