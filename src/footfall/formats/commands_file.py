"""What a stick says over time, as files.

    {"version": 1, "commands": [{"time": 0.0, "heading_deg": 0, "step_length": 0.7, "gait": "walk"},
                                {"time": 4.0, "turn_deg": 90}, ...]}

`heading_deg` is a heading in the world, `turn_deg` one from where the figure goes at that moment, to the
left. All but the time may be left out and stays as it was. In memory angles are radians.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from os import PathLike
from typing import Any

import numpy as np

from footfall.errors import LoadError
from footfall.file_access import as_path
from footfall.world.shapes.fields import FieldError, number, told
from footfall.world.small_file import read_small

VERSION = 1
MOST_BYTES = 4 << 20  # of a file
MOST = 50_000  # commands: a quarter of an hour of a stick that is read at every frame
LATEST = 24 * 3600.0  # s
LONGEST_STEP = 10.0  # m: a longer one is no wish
ROUND = 200.0 * np.pi  # rad: a hundred times round
LONGEST_NAME = 200  # characters
LONGEST = 40  # of which are repeated
ANGLES = {"heading_deg": "heading", "turn_deg": "turn"}  # as files call them, and as they are called here
FIELDS = ("time", *ANGLES, "step_length", "gait")


@dataclass(frozen=True)
class Command:
    """A wish at a time (s): a heading in the world or a turn from where the figure goes then (rad, to the
    left), a step length (m), a gait by its name. What is None stays as it was.
    """

    time: float
    heading: float | None = None
    turn: float | None = None
    step_length: float | None = None
    gait: str | None = None

    def __post_init__(self) -> None:
        limits = {
            "time": (0.0, LATEST, "s"),
            "heading": (-ROUND, ROUND, "rad"),
            "turn": (-ROUND, ROUND, "rad"),
            "step_length": (0.0, LONGEST_STEP, "m"),
        }
        for field, (low, high, unit) in limits.items():
            value = getattr(self, field)
            if value is not None or field == "time":
                object.__setattr__(self, field, _within(number(value, field), field, low, high, unit))
        if self.heading is not None and self.turn is not None:
            raise FieldError("turn", "cannot stand beside heading: a command goes one way")
        if self.gait is not None and not _is_name(self.gait):
            raise FieldError("gait", f"must be the name of a gait, such as walk, not {told(self.gait)}")


def load_commands(path: str | PathLike[str]) -> tuple[Command, ...]:
    """The commands of a file, in order; every problem is a LoadError that names command and field."""
    file = as_path(path)
    try:
        stated = _stated(read_small(file, MOST_BYTES, "a file of commands"))
        return in_order(_command(one, f"commands[{k}]") for k, one in enumerate(stated))
    except FieldError as error:
        raise LoadError(f"{error.field}: {error.problem}", file=file) from None
    except LoadError as error:
        raise error.at(file) from None


def in_order(commands: Iterable[Command]) -> tuple[Command, ...]:
    """The commands, refused where a time does not come after the one before."""
    given = tuple(commands)
    for k, (before, after) in enumerate(pairwise(given), start=1):
        if after.time <= before.time:
            raise FieldError(
                f"commands[{k}].time",
                f"must come after that of the command before, {before.time:g} s, not {after.time:g} s",
            )
    return given


def _stated(content: bytes) -> list[Any]:
    """The commands of a document, each still as it stands there.

    JSON has no NaN and no Infinity, but programs write them all the same: they are read here, and refused by
    the field they stand in.
    """
    try:
        document = json.loads(content)
    except RecursionError:
        raise LoadError("is no file of commands: its lists are too deep") from None
    except ValueError as error:
        raise LoadError(f"is no file of commands: {error}") from None
    if not isinstance(document, dict):
        raise LoadError(f"is no file of commands: it must be an object, not {told(document)}")
    for unknown in (name for name in document if name not in ("version", "commands")):
        raise FieldError(unknown[:LONGEST], "is no field of such a file: there are version, commands")
    version, commands = document.get("version"), document.get("commands")
    if isinstance(version, bool) or version != VERSION:
        found = version if type(version) is int else told(version)
        raise FieldError("version", f"expected {VERSION}, found {found!s:.{LONGEST}}")
    if not isinstance(commands, list):
        raise FieldError("commands", f"must be a list of commands, not {told(commands)}")
    if len(commands) > MOST:
        raise FieldError("commands", f"must be at most {MOST}, not {len(commands)}")
    return commands


def _command(stated: object, where: str) -> Command:
    """One command of a file; null is as if it were not there."""
    if not isinstance(stated, dict):
        raise FieldError(where, f"must be an object, not {told(stated)}")
    found: dict[str, Any] = {}
    for name, value in stated.items():
        field = f"{where}.{name[:LONGEST]}"
        if name not in FIELDS:
            angle = f"{name}_deg" in ANGLES
            hint = f"write {name}_deg, in degrees" if angle else f"there are {', '.join(FIELDS)}"
            raise FieldError(field, f"is no field of a command: {hint}")
        if value is not None:
            turned = name in ANGLES
            found[ANGLES[name] if turned else name] = _radians(value, field) if turned else value
    if "time" not in found:
        raise FieldError(f"{where}.time", "must be there, in seconds")
    try:
        return Command(**found)
    except FieldError as error:
        raise FieldError(f"{where}.{_as_in_files(error.field)}", _as_in_files(error.problem)) from None


def _radians(value: object, field: str) -> float:
    high = float(np.degrees(ROUND))
    return float(np.radians(_within(number(value, field), field, -high, high, "degrees")))


def _within(value: float, field: str, low: float, high: float, unit: str) -> float:
    if not low <= value <= high:
        raise FieldError(field, f"must be {low:g} to {high:g} {unit}, not {value:g}")
    return value


def _as_in_files(words: str) -> str:
    for name, own in ANGLES.items():
        words = words.replace(own, name)
    return words


def _is_name(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= LONGEST_NAME and value.isprintable()
