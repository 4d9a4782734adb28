"""Files that a user names: a path as it is given, and no file of a command both read and written.

A command says what it will write before it reads anything. Everything that opens a file to read it says so
here, also what another file names (the ground of a scene, the buffers of a glTF, a skeleton beside a clip).
A file is told by what it is on the disk: links and other spellings of its name do not hide it. What is read
is what the system opens; what is written is what `file_written` says, for all who write or ask.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from footfall.errors import RequestError

NUL = "\0"  # no system has it in a file's name, and Python refuses it with an error of its own
CASELESS = ("win32", "darwin")  # systems that as a rule take a.bvh and A.BVH for one file


def is_there(path: Path) -> bool:
    """Whether a file or folder has this name; False for a name that no system can have."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


class CommandFiles:
    """What a command has read so far, and what it is going to write."""

    def __init__(self) -> None:
        self._read: set[tuple[int, int]] = set()
        self._targets: list[Path] = []

    def read(self, path: Path) -> None:
        """Notes a file that is about to be read; refused where it is to be written."""
        found = _identity(path)
        if found is None:
            return
        self._read.add(found)
        for target in self._targets:
            if _identity(file_written(target)) == found:
                raise _refused(target)

    def target(self, path: Path) -> None:
        """Notes a file that is to be written; refused where it was read, or is another result's."""
        if _identity(file_written(path)) in self._read:
            raise _refused(path)
        if _entry(path) in map(_entry, self._targets):
            raise RequestError(f"two results cannot both go to {path}")
        self._targets.append(path)


_files: ContextVar[CommandFiles | None] = ContextVar("files of the command", default=None)


@contextmanager
def inputs_protected() -> Iterator[None]:
    """While this lasts, what is read is not written: see `CommandFiles`. Outside of it all may be."""
    token = _files.set(CommandFiles())
    try:
        yield
    finally:
        _files.reset(token)


def note_read(path: Path) -> None:
    if (files := _files.get()) is not None:
        files.read(path)


def note_target(path: Path) -> None:
    if (files := _files.get()) is not None:
        files.target(path)


def as_path(path: str | os.PathLike[str]) -> Path:
    """A path as given.

    Raises:
        RequestError: It is neither a text nor a path.
    """
    try:
        return Path(path)
    except TypeError:
        raise RequestError(f"a file is named by a text or a path, not by {path!r:.60}") from None


def file_written(path: Path) -> str:
    """The file that is written where a path is given: links are followed, and `folder/..` is left out.

    The system refuses `folder/..` where there is no such folder. Here it names what it would name with one,
    so that it is the same file for those who check it and for those who write it.
    """
    return os.path.realpath(path)


def _entry(path: Path) -> tuple[object, ...]:
    """What tells one file to be written from another; of one that is not there its folder and name."""
    file = file_written(path)
    found = _identity(file)
    if found is not None:
        return found
    folder, name = os.path.split(file)
    return _identity(folder) or folder, name.casefold() if sys.platform in CASELESS else name


def _identity(path: Path | str) -> tuple[int, int] | None:
    """Which file of which disk this is, links followed; None where there is none."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino


def _refused(path: Path) -> RequestError:
    return RequestError(f"{path} is what is read: it is not written over")
