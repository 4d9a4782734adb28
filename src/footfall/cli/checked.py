"""What commands check before they begin, and how they leave nothing half-written."""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from cyclopts import Token

from footfall.errors import RequestError, SaveError
from footfall.figure.motion import Motion
from footfall.file_access import NUL, file_written, note_target
from footfall.formats.save import save_motion, written_whole
from footfall.world.foot_plan import FootPlan

LONGEST = 60  # characters of a wish that are repeated


def whole(_: object, tokens: Sequence[Token]) -> int:
    """Not rounded where it is none."""
    try:
        return int(tokens[0].value)
    except ValueError:
        raise ValueError("a whole number is needed") from None


def between(option: str, value: float | None, low: float, high: float, unit: str = "") -> float | None:
    if value is not None and not low <= value <= high:
        given = f"{value:.10g}" if isinstance(value, float) else str(value)[:LONGEST]
        raise RequestError(f"{option} must be between {low:g} and {high:g}{unit and ' '}{unit}, not {given}")
    return value


def check_target(path: Path | None, endings: Sequence[str]) -> None:
    """Nothing is begun where a target's name already tells that it cannot be written.

    From here on the command reads no file that is the target, whatever its name: see `file_access`. So
    targets are checked before anything is read.

    Args:
        path: What is to be written; None where it was not asked for.
        endings: Those that its name may have.

    Raises:
        RequestError: The ending is another, or the file is read by this command or another of its results.
        SaveError: The file cannot be written.
    """
    if path is None:
        return
    if NUL in str(path):
        raise SaveError(f"{path}: cannot be written (no file has a zero byte in its name)")
    if not path.name.lower().endswith(tuple(endings)):
        many = "one of " if len(endings) > 1 else ""
        raise RequestError(f"{path.name}: the ending must be {many}{', '.join(endings)}")
    note_target(path)
    try:
        file = Path(file_written(path))
        if file.is_dir():
            raise SaveError(f"{path}: cannot be written (it is a folder)")
        if not file.parent.is_dir():
            raise SaveError(f"{path}: cannot be written (there is no folder {file.parent})")
        if not os.access(file if file.exists() else file.parent, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:  # a name that no system has, a folder that is closed
        raise SaveError(f"{path}: cannot be written ({error.strerror or error})") from None


def make_folder(folder: Path) -> None:
    """A folder for results, made if it is not there; refused where nothing can be put in it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except (OSError, ValueError) as error:  # a zero byte in its name
        raise SaveError(f"{folder}: cannot be made ({getattr(error, 'strerror', None) or error})") from None


def save_both(motion: Motion, output: Path, footprints: FootPlan | None, plan: Path | None) -> None:
    """A motion and, where it is asked for, its plan: both files or none."""
    with ExitStack() as files:
        if plan is not None and footprints is not None:
            files.enter_context(written_whole(plan)).write(footprints.encode())
        save_motion(motion, output)
