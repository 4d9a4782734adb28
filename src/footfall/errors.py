"""The error tree: one root, so that a caller can catch everything footfall raises on purpose.

    FootfallError
    ├── LoadError      a file could not be read: file, line, what was expected
    ├── SaveError      a file could not be written
    ├── SkeletonError  a skeleton lacks what was asked of it; the message lists what it has
    ├── RequestError   a parameter is refused; the message says what is possible
    └── MissingExtra   an optional dependency is not installed; the message says how to install it

Every message is one sentence for a person, with nothing in it that a terminal would obey. Nothing else is
raised on bad numbers, texts, arrays, names and files, whatever they are. Where an object of another class is
needed altogether (a text given for a `Motion`), that is a mistake in a program, and Python's own error.
"""

from __future__ import annotations

from os import PathLike, fspath

# what Python raises where a value is no number, or too large for one
NO_NUMBER = (TypeError, ValueError, OverflowError)
LONGEST = 800  # characters of what is quoted
LONGEST_MESSAGE = 4000  # characters


def printable(text: object, longest: int = LONGEST_MESSAGE) -> str:
    """A text as it is shown to a person, on one line.

    File names and words from files may hold anything: control characters, line ends, directions of writing
    and bytes that are no text become codes such as \\x1b, what is endless ends in an ellipsis.
    """
    shown = str(text)
    if len(shown) > longest:
        shown = f"{shown[: longest - 1]}…"
    if shown.isprintable():
        return shown
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in shown)


class FootfallError(Exception):
    """Root of all errors that footfall raises on purpose."""

    def __str__(self) -> str:
        return printable(super().__str__())


class LoadError(FootfallError):
    """A file could not be read. The message names the file, the line where known, and what was expected."""

    def __init__(self, problem: str, *, file: str | PathLike[str] | None = None, line: int | None = None):
        self.problem = printable(problem, LONGEST)
        self.file = None if file is None else fspath(file)
        self.line = line
        super().__init__(self.problem)

    def __str__(self) -> str:
        place = printable(self.file or "", LONGEST)
        if self.line is not None:
            place = f"{place}, line {self.line}" if place else f"line {self.line}"
        return f"{place}: {self.problem}" if place else self.problem

    def at(self, file: str | PathLike[str]) -> LoadError:
        """The same error with the file's name, for readers that see only bytes."""
        return self if self.file else LoadError(self.problem, file=file, line=self.line)


class SaveError(FootfallError):
    """A file could not be written; nothing half-written is left behind."""


class SkeletonError(FootfallError):
    """A skeleton lacks what was asked of it."""


class RequestError(FootfallError, ValueError):
    """A parameter is refused; the message says what is possible."""


class MissingExtra(FootfallError, ImportError):
    """An optional dependency is missing."""

    def __init__(self, what: str, extra: str):
        super().__init__(f"{what} needs the extra '{extra}': pip install 'footfall[{extra}]'")
