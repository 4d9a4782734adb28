"""The cache folder: where it is, and how files are put there.

Kernels, sessions of the virtual actor and default models are kept in it. Nothing in it is needed: where no
folder can be found, read or written, everything is computed again.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

FOLDER = "FOOTFALL_CACHE"  # the environment variable that names another folder

# Folders and files of all who write here: kernels in one folder, all else in one for each version. Only what
# is named like this is removed, as a user may keep other files in the folder that he names.
FOLDERS = re.compile(r"kernels|\d+\.\d[\w.+!-]*")
FILES = re.compile(
    r".+-[0-9a-f]{8}-[0-9a-f]{32}\.kernel|\w+-[0-9a-f]{20}\.(ffmodel|safetensors)(\.lock)?|sources\.json"
    r"|\.\w{8}\.part"
)
UNUSED = 30 * 24 * 3600.0  # s after its last use that a file is removed: of other code, another processor
KINDS = {".kernel": "kernels", ".ffmodel": "models", ".safetensors": "sessions"}
OTHERS = "others"  # lists of sources, locks, files that were not finished


def cache_folder() -> Path | None:
    """Return the user's cache folder of footfall; None where the user has no home folder.

    `FOOTFALL_CACHE` names another folder. The folder need not exist.
    """
    try:
        if os.environ.get(FOLDER):
            return Path(os.environ[FOLDER]).expanduser()
        if sys.platform == "darwin":
            return Path.home() / "Library" / "Caches" / "footfall"
        if sys.platform == "win32":
            return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "footfall"
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "footfall"
    except RuntimeError:  # no HOME and no entry in the password database
        return None


def write_cached(path: Path, content: bytes) -> bool:
    """Write a file whole or not at all.

    Args:
        path: the file; its folder is made if it does not exist.
        content: what the file holds.

    Returns:
        True if the file was written. A folder that cannot be written is no error.
    """
    temporary = ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        number, temporary = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")
        with os.fdopen(number, "wb") as file:
            file.write(content)
        os.replace(temporary, path)
        temporary = ""
        return True
    except OSError:
        return False
    finally:  # an interrupt leaves nothing behind either
        with contextlib.suppress(OSError):
            if temporary:
                os.unlink(temporary)


def kept_files() -> list[Path]:
    """Return all files that footfall keeps in the cache folder, known by their folders and names."""
    found: list[Path] = []
    folder = cache_folder()
    with contextlib.suppress(OSError):  # no such folder, or one that is closed
        for part in sorted(folder.iterdir()) if folder is not None else ():
            with contextlib.suppress(OSError):
                if FOLDERS.fullmatch(part.name):
                    found += [path for path in sorted(part.iterdir()) if FILES.fullmatch(path.name)]
    return [path for path in found if path.is_symlink() or not path.is_dir()]


def clear_cache() -> tuple[dict[str, int], int, int]:
    """Remove all files that footfall keeps, and the folders that are then empty.

    Returns:
        The number of files removed by kind (`KINDS` and `OTHERS`), their bytes, and how many could not be
        removed.
    """
    counts, size, left = dict.fromkeys((*KINDS.values(), OTHERS), 0), 0, 0
    files = kept_files()
    for path in files:
        try:
            bytes_of = path.lstat().st_size
            path.unlink()
        except FileNotFoundError:  # by another process
            continue
        except OSError:
            left += 1
            continue
        counts[KINDS.get(path.suffix, OTHERS)] += 1
        size += bytes_of
    for folder in {path.parent for path in files}:
        with contextlib.suppress(OSError):  # it is not empty
            folder.rmdir()
    return counts, size, left


def mark_used(path: Path) -> None:
    """Make a cached file the most recently used one, so that it is removed last."""
    with contextlib.suppress(OSError):
        os.utime(path)


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a lock among processes, so that work that ends in a cached file is done by one of them.

    The lock is a file beside `path`, removed when the work is done. The system frees it when its process
    ends, however it ends. Where no lock can be had (a read-only folder, a system without `fcntl`), the work
    is done without one.

    Args:
        path: the cached file that the work ends in.
    """
    with contextlib.ExitStack() as held:
        with contextlib.suppress(OSError, ImportError):
            path.parent.mkdir(parents=True, exist_ok=True)
            held.enter_context(_held(path.with_name(f"{path.name}.lock")))
        yield


@contextlib.contextmanager
def _held(lock: Path, wait: bool = True) -> Iterator[None]:
    """Hold the lock of a file that is made for it and removed at the end."""
    import fcntl

    with open(lock, "wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        try:
            yield
        finally:
            remove(lock)


def remove(path: Path) -> bool:
    """Remove a file; return whether that was possible."""
    try:
        path.unlink()
    except OSError:
        return False
    return True


def remove_unused() -> int:
    """Remove kept files that were not used for long, and locks that nobody holds; return how many."""
    removed, until = 0, time.time() - UNUSED
    for path in kept_files():
        with contextlib.suppress(OSError, ImportError):
            if path.suffix == ".lock":
                with _held(path, wait=False):
                    removed += 1
            elif path.lstat().st_mtime < until:
                removed += remove(path)
    return removed


def remove_least_recent(files: list[Path], most_bytes: int, most_files: int) -> int:
    """Remove the files that were used longest ago until the others are few and small enough.

    Args:
        files: the files to choose from.
        most_bytes: the sum of sizes that may stay.
        most_files: the number of files that may stay.

    Returns:
        The number of files removed.
    """
    aged = []
    for path in files:
        with contextlib.suppress(OSError):
            state = path.stat()
            aged.append((state.st_mtime_ns, path.name, state.st_size, path))
    kept_bytes, removed = 0, 0
    for place, (_, _, size, path) in enumerate(sorted(aged, reverse=True)):
        kept_bytes += size
        if place >= most_files or kept_bytes > most_bytes:
            removed += remove(path)
    return removed
