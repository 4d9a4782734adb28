"""What commands say: JSON for machines, lines for people, remarks on standard error.

Whatever a file is called, and whatever is in it, a terminal only shows it: see `printable`.
"""

from __future__ import annotations

import json as plain_json
import sys
from collections.abc import Callable, Iterable

import msgspec

from footfall.errors import printable


def emit(values: dict[str, object], *, json: bool, text: Callable[[], Iterable[str]]) -> None:
    """One JSON object on standard output, or lines for a person."""
    if json:
        sys.stdout.write(_encoded(values) + "\n")
    else:
        for line in text():
            sys.stdout.write(printable(line) + "\n")
    sys.stdout.flush()


def _encoded(values: dict[str, object]) -> str:
    try:
        return msgspec.json.encode(values).decode()
    except UnicodeEncodeError:  # a file's name with bytes that are no text
        return plain_json.dumps(msgspec.to_builtins(values))


def remark(text: str) -> None:
    """A line on standard error."""
    print(printable(text), file=sys.stderr, flush=True)


def remark_notes(file: str, notes: Iterable[str]) -> None:
    for note in notes:
        remark(f"{file}: {note}")
