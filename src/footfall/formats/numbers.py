"""Numbers out of text, fast: the whole motion block of a BVH is one call.

A compiled kernel reads 15 MB in about 30 ms but costs 0.3 s to import, so the first small files of a process
take the plain way: the JSON reader of msgspec for what looks like JSON, Python's `float` for the rest. Both
give the same numbers to the last bit.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

import numpy as np

from footfall.errors import LoadError

if TYPE_CHECKING:
    from jaxtyping import Float

KERNEL_FROM = 4 << 20  # bytes, in one file or in all so far, from which importing the kernel pays
BLANKS_TO_COMMAS = bytes.maketrans(b" \t", b",,")
MINUS_ZERO = re.compile(rb"-0(?:,|$)")  # to JSON an integer, which has no sign of zero


def parse_numbers(text: bytes, *, first_line: int = 1) -> Float[np.ndarray, "numbers"]:
    """All numbers of a text separated by white space; a word that is none is named with its line."""
    if _kernel_pays(len(text)):
        from footfall.formats import numbers_kernel

        values = numbers_kernel.parse(text)
    else:
        values = _parse_plain(text)
    if values is None or not np.isfinite(values).all():
        raise _explain(text, first_line)
    return values


_read_so_far = [0]  # bytes; only how fast numbers are read depends on it


def _kernel_pays(size: int) -> bool:
    _read_so_far[0] += size
    return _read_so_far[0] >= KERNEL_FROM or "numba" in sys.modules


def _parse_plain(text: bytes) -> Float[np.ndarray, "numbers"] | None:
    if b"," in text or b"_" in text:  # JSON's and Python's own, not a file's
        return None
    # rows with single blanks between words become JSON without being taken apart
    rows = b",".join(filter(None, map(bytes.strip, text.split(b"\n"))))
    values = _parse_json(rows.translate(BLANKS_TO_COMMAS))
    if values is not None:
        return values
    words = text.split()
    values = _parse_json(b",".join(words))
    if values is not None:
        return values
    try:  # "1." and ".5" and "+3" are numbers too, only not in JSON
        return np.array(list(map(float, words)), dtype=float)
    except ValueError:
        return None


def _parse_json(listed: bytes) -> Float[np.ndarray, "numbers"] | None:
    import msgspec

    if MINUS_ZERO.search(listed):
        return None
    try:
        return np.array(msgspec.json.decode(b"[" + listed + b"]", type=list[float]), dtype=float)
    except (msgspec.MsgspecError, RecursionError):
        return None


def _explain(text: bytes, first_line: int) -> LoadError:
    for number, line in enumerate(text.split(b"\n"), start=first_line):
        for word in line.split():
            if not _is_number(word):
                shown = word[:40].decode("utf-8", "replace")
                return LoadError(f"expected a finite number, found {shown!r}", line=number)
    return LoadError("expected numbers", line=first_line)


def _is_number(word: bytes) -> bool:
    try:
        return b"_" not in word and bool(np.isfinite(float(word)))
    except ValueError:
        return False


def number(word: str, what: str, line: int | None = None) -> float:
    """One finite number, or a LoadError that says what it was to be."""
    if not _is_number(word.encode("utf-8", "replace")):
        raise LoadError(f"expected a number for {what}, found {word[:40]!r}", line=line)
    return float(word)


def whole_number(word: str, what: str, line: int | None = None) -> int:
    """A count from 0 to 10^12, or a LoadError that says what it was to be."""
    if not (word.isascii() and word.isdigit() and len(word) <= 12):
        raise LoadError(f"expected a count for {what}, found {word[:40]!r}", line=line)
    return int(word)
