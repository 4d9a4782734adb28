"""What commands say: JSON for machines, lines for people, remarks on standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable

import msgspec


def emit(values: dict[str, object], *, json: bool, text: Callable[[], Iterable[str]]) -> None:
    """One JSON object on standard output, or lines for a person."""
    if json:
        sys.stdout.write(msgspec.json.encode(values).decode() + "\n")
    else:
        for line in text():
            sys.stdout.write(line + "\n")
    sys.stdout.flush()


def remark(text: str) -> None:
    """A line on standard error."""
    print(text, file=sys.stderr, flush=True)


def remark_notes(file: str, notes: Iterable[str]) -> None:
    for note in notes:
        remark(f"{file}: {note}")
