"""A small file read whole: what is larger than it can be is not read."""

from __future__ import annotations

from pathlib import Path

from footfall.errors import LoadError
from footfall.file_access import note_read


def read_small(path: Path, most: int, what: str) -> bytes:
    """All bytes of a file; `what` names it where it has more than `most`."""
    note_read(path)
    try:
        with path.open("rb") as source:
            content = source.read(most + 1)
    except (OSError, ValueError) as error:  # no path has a zero byte in it
        raise LoadError(f"cannot be opened ({getattr(error, 'strerror', None) or error})") from None
    if len(content) > most:
        raise LoadError(f"{what} has at most {most} bytes")
    return content
