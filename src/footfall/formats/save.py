"""Saving: the format follows the file's ending; a file appears whole or not at all."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from os import PathLike
from pathlib import Path
from typing import BinaryIO

from footfall.errors import RequestError, SaveError
from footfall.figure.motion import Motion
from footfall.file_access import NUL, as_path, file_written
from footfall.formats.units import parse_unit

ENDINGS = (".bvh", ".glb", ".amass.npz", ".ffm")
CREATED = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0)


def save_motion(
    motion: Motion, path: str | PathLike[str], *, unit: str | float | None = None, up: str = "y"
) -> None:
    """Writes a motion as .bvh, .glb, .amass.npz or .ffm.

    `unit` and `up` are for BVH, which states neither: metres and Y up unless told otherwise.
    """
    target = as_path(path)
    ending = next((e for e in ENDINGS if target.name.lower().endswith(e)), None)
    if ending is None:
        raise RequestError(f"{target.name}: the ending must be one of {', '.join(ENDINGS)}")
    if ending != ".bvh" and (unit is not None or up != "y"):
        raise RequestError(f"{target.name}: unit and up axis can be chosen for .bvh only")
    if motion.root.ndim != 2:
        raise RequestError("a batch of motions cannot go into one file; save them one by one")
    metres = 1.0 if unit is None else parse_unit(unit)
    with written_whole(target) as file:
        _encode(motion, ending, metres, up, file)


def _encode(motion: Motion, ending: str, unit: float, up: str, file: BinaryIO) -> None:
    """Writes what a long motion needs in blocks, so that it is in memory once."""
    if ending == ".bvh":
        from footfall.formats.bvh_write import bvh_blocks

        file.writelines(bvh_blocks(motion, unit=unit, up=up))
    elif ending == ".glb":
        from footfall.formats.gltf_write import glb_motion_blocks

        file.writelines(glb_motion_blocks(motion))
    elif ending == ".ffm":
        from footfall.formats.ffm import write_ffm

        file.write(write_ffm(motion))
    else:
        from footfall.formats.amass import put_amass

        put_amass(motion, file)


@contextmanager
def written_whole(path: Path) -> Iterator[BinaryIO]:
    """A temporary file beside the target that takes its name only when all of it is written.

    Of a link the file it leads to is written. A file that is there keeps its permissions and, where that is
    allowed, its owner. What is no file (a pipe, a device) has no temporary one.
    """
    temporary = ""
    try:
        target = _followed(path)
        before = _found(target)
        if before is not None and not stat.S_ISREG(before.st_mode):
            with open(target, "wb") as file:
                yield file
            return
        if before is not None and not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        temporary = os.path.join(
            os.path.dirname(target), f".{os.path.basename(target)[:40]}.{secrets.token_hex(8)}.part"
        )
        # the system gives a new file the usual permissions: to ask which these are is not safe in threads
        with os.fdopen(os.open(temporary, CREATED, 0o666 if before is None else 0o600), "wb") as file:
            yield file
        if before is not None:
            _keep_access(temporary, before)
        os.replace(temporary, target)
    except OSError as error:
        _remove(temporary)
        raise SaveError(f"{path}: cannot be written ({error.strerror or error})") from None
    except BaseException:
        _remove(temporary)
        raise


def _followed(path: Path) -> str:
    """The file that is meant, links followed."""
    if NUL in str(path):
        raise SaveError(f"{path}: cannot be written (no file has a zero byte in its name)")
    return file_written(path)


def _found(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _keep_access(path: str, before: os.stat_result) -> None:
    if hasattr(os, "chown"):
        with suppress(OSError):  # only the superuser may give files away
            os.chown(path, before.st_uid, before.st_gid)
    os.chmod(path, stat.S_IMODE(before.st_mode))


def _remove(path: str) -> None:
    if path and os.path.exists(path):
        os.remove(path)
