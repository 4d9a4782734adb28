"""What commands say: JSON for machines, lines for people, remarks on standard error.

Whatever a file is called, and whatever is in it, a terminal only shows it: see `printable`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable

import msgspec

from footfall.errors import printable


class OutputError(Exception):
    """Standard output cannot be written."""


def emit(values: dict[str, object], *, json: bool, text: Callable[[], Iterable[str]]) -> None:
    """One JSON object on standard output, or lines for a person.

    Raises:
        OutputError: where standard output is closed or full.
    """
    if sys.stdout is None:
        raise OutputError("standard output is closed")
    try:
        _write(values, json, text)
    except BrokenPipeError:  # nobody reads on: that is no fault
        raise
    except OSError as error:
        sys.stdout = None  # what it still holds cannot be written at the end either
        raise OutputError(f"standard output cannot be written: {error.strerror}") from None


def _write(values: dict[str, object], json: bool, text: Callable[[], Iterable[str]]) -> None:
    if json:  # UTF-8 whatever the terminal's encoding is: JSON is for machines
        encoded = msgspec.json.encode(_encodable(values)) + b"\n"
        sys.stdout.flush()
        if hasattr(sys.stdout, "buffer"):
            sys.stdout.buffer.write(encoded)
        else:  # a program that collects what is said, as text
            sys.stdout.write(encoded.decode())
    else:
        for line in text():
            sys.stdout.write(printable(line) + "\n")
    sys.stdout.flush()


def _encodable(value: object) -> object:
    """File names that the system's encoding could not decode, as the UTF-8 that their bytes are."""
    if isinstance(value, str):
        return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    if isinstance(value, dict):
        return {_encodable(key): _encodable(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_encodable(one) for one in value]
    return value


def printable_streams() -> None:
    """Let standard output and error write what their encoding lacks as escapes, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def remark(text: str) -> None:
    """A line on standard error."""
    print(printable(text), file=sys.stderr, flush=True)


def remark_notes(file: str, notes: Iterable[str]) -> None:
    for note in notes:
        remark(f"{file}: {note}")
