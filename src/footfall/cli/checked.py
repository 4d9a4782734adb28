"""What commands check before they begin, and how they leave nothing half-written."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from cyclopts import Token

from footfall.errors import RequestError, SaveError
from footfall.figure.motion import Motion
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


def check_target(path: Path, endings: Sequence[str], inputs: Sequence[Path]) -> None:
    """Nothing is begun where a target's name already tells that it cannot be written."""
    if not path.name.lower().endswith(tuple(endings)):
        many = "one of " if len(endings) > 1 else ""
        raise RequestError(f"{path.name}: the ending must be {many}{', '.join(endings)}")
    if any(path.resolve() == one.resolve() for one in inputs):
        raise RequestError(f"{path} is what is read: it is not written over")
    if not path.parent.is_dir():
        raise SaveError(f"{path}: cannot be written (there is no folder {path.parent})")
    if path.is_dir():
        raise SaveError(f"{path}: cannot be written (it is a folder)")


def save_both(motion: Motion, output: Path, footprints: FootPlan | None, plan: Path | None) -> None:
    """A motion and, where it is asked for, its plan: both files or none."""
    with ExitStack() as files:
        if plan is not None and footprints is not None:
            files.enter_context(written_whole(plan)).write(footprints.encode())
        save_motion(motion, output)
