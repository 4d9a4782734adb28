"""Arrays out of an .npz archive that nobody vouches for.

Sizes are judged from the archive's directory and from each array's header before anything is unpacked or
allocated; objects (pickles) are never read.
"""

from __future__ import annotations

import io
import math
import warnings
import zipfile
from collections.abc import Iterable
from typing import IO

import numpy as np
from jaxtyping import Float
from numpy.lib import format as npy

from footfall.errors import LoadError
from footfall.formats.take import ALLOWANCE, EXPANSION

PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # what NumPy writes
ENCRYPTED = 0x1


def read_npz(content: bytes, wanted: Iterable[str]) -> dict[str, Float[np.ndarray, "*shape"]]:
    """Those of the wanted arrays that the archive has, as finite float64."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            stored = set(archive.namelist())
            members = {n: archive.getinfo(f"{n}.npy") for n in wanted if f"{n}.npy" in stored}
            _check_members(members, len(content))
            return {name: _read_member(archive, name, member) for name, member in members.items()}
    except LoadError:
        raise
    except Exception as error:  # damaged archives make zipfile and zlib raise a dozen kinds
        raise LoadError(f"the archive is damaged ({str(error)[:100] or type(error).__name__})") from None


def _check_members(members: dict[str, zipfile.ZipInfo], file_bytes: int) -> None:
    for name, member in members.items():
        if member.compress_type not in PACKINGS or member.flag_bits & ENCRYPTED:
            raise LoadError(f"the array {name!r} is packed in a way that NumPy does not write")
    unpacked = sum(member.file_size for member in members.values())
    if unpacked > ALLOWANCE + EXPANSION * file_bytes:
        raise LoadError(f"{file_bytes} bytes unpack to {unpacked}, more than footfall reads")


def _read_member(archive: zipfile.ZipFile, name: str, member: zipfile.ZipInfo) -> Float[np.ndarray, "*shape"]:
    with archive.open(member) as stream:
        shape, fortran_order, dtype = _read_header(stream, name)
        if dtype.kind not in "fiu":
            raise LoadError(f"expected numbers in {name!r}, found {str(dtype)[:40]}")
        size = math.prod(shape) * dtype.itemsize
        if min(shape, default=0) < 0 or size != member.file_size - stream.tell():
            raise LoadError(f"the array {name!r} does not hold the {_by(shape)} numbers that it announces")
        packed = stream.read(size)
    if len(packed) != size:
        raise LoadError(f"the array {name!r} ends before its {_by(shape)} numbers")
    with np.errstate(over="ignore", invalid="ignore"):
        numbers = np.frombuffer(packed, dtype).astype(np.float64)
    if not np.isfinite(numbers).all():
        raise LoadError(f"expected finite numbers in {name!r}")
    return numbers.reshape(shape, order="F" if fortran_order else "C")


def _read_header(stream: IO[bytes], name: str) -> tuple[tuple[int, ...], bool, np.dtype]:
    try:
        with warnings.catch_warnings():  # of old or damaged headers; what they say is checked all the same
            warnings.simplefilter("ignore")
            version = npy.read_magic(stream)
            if version == (1, 0):
                return npy.read_array_header_1_0(stream)
            if version == (2, 0):
                return npy.read_array_header_2_0(stream)
    except Exception as error:  # NumPy evaluates the header as a literal, which can fail in any way
        raise LoadError(f"the header of {name!r} is damaged ({str(error)[:100]})") from None
    raise LoadError(f"expected .npy version 1 or 2 for {name!r}, found {version[0]}.{version[1]}")


def _by(shape: tuple[int, ...]) -> str:
    return " x ".join(str(n) for n in shape[:4]) or "1"
