"""Sequences of movements as files.

    {"version": 1, "movements": [{"kind": "left_step", "end_length": 0.6, "turn_deg": 10},
                                 {"kind": "right_step", "upper": {"kind": "wave", "height": 1.5}},
                                 {"kind": "jump", "length": 1.2, "hold": {"right_hand": [x, y, z]}}, ...]}

Parameters that are left out follow from where the figure stands. `upper` is a movement whose upper body is
put on these legs; `hold` keeps a hand at a place, or with null where it is. Angles are in degrees and their
names end in `_deg`; in memory they are radians and their names do not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from footfall.errors import LoadError, RequestError
from footfall.file_access import as_path
from footfall.world.shapes.fields import FieldError, number, place, told
from footfall.world.small_file import read_small

VERSION = 1
MOST_BYTES = 2 << 20  # of a file
MOST = 10_000  # movements: two hours
DEGREES = "_deg"
ANGLES = ("turn",)  # parameters in radians, of which a file tells the degrees
WORDS = ("kind", "upper", "hold")  # what is no parameter
HANDS = ("left_hand", "right_hand")
LONGEST_NAME = 200  # characters
LONGEST = 40  # of which are repeated

Stated = Mapping[str, Any]


def read_sequence(path: str | PathLike[str]) -> tuple[dict[str, Any], ...]:
    """The movements of a file, as a movement library plays them: every problem is a LoadError that names the
    field.
    """
    file = as_path(path)
    try:
        stated = _document(file).movements
        _check_count(len(stated))
        return tuple(_movement(one, f"movements[{k}]") for k, one in enumerate(stated))
    except FieldError as error:
        raise LoadError(f"{error.field}: {error.problem}", file=file) from None
    except LoadError as error:
        raise error.at(file) from None


def write_sequence(movements: Iterable[Stated | tuple[str, Stated]]) -> bytes:
    """The content of a sequence's file, a movement a line.

    Each is a mapping with its kind, or a pair of kind and parameters; angles are in radians, as everywhere.
    """
    given = [_mapping(one, f"movements[{k}]") for k, one in enumerate(movements)]
    _check_count(len(given))
    stated = [_in_degrees(one, f"movements[{k}]") for k, one in enumerate(given)]
    for k, one in enumerate(stated):
        _movement(one, f"movements[{k}]")  # what could not be read is not written
    lines = [msgspec.json.format(msgspec.json.encode(one), indent=0).decode() for one in stated]
    between = ",\n  "
    return f'{{"version": {VERSION}, "movements": [\n  {between.join(lines)}\n]}}\n'.encode()


class _Document(msgspec.Struct, forbid_unknown_fields=True):
    version: int
    movements: list[dict[str, Any]]


def _document(file: Path) -> _Document:
    content = read_small(file, MOST_BYTES, "a sequence")
    try:
        document = msgspec.json.decode(content, type=_Document)
    except (ValueError, msgspec.MsgspecError) as error:
        raise LoadError(f"is no sequence of movements: {error}") from None
    except RecursionError:
        raise LoadError("is no sequence of movements: its lists are too deep") from None
    if document.version != VERSION:
        raise LoadError(f"version: expected {VERSION}, found {document.version}")
    return document


def _check_count(count: int) -> None:
    if not 1 <= count <= MOST:
        raise FieldError("movements", f"must be 1 to {MOST}, not {count}")


def _movement(stated: Stated, where: str) -> dict[str, Any]:
    """One movement of a file, checked, with its angles in radians."""
    own = [name for name in stated if name not in ("upper", "hold")]
    found = _kind_and_parameters({name: stated[name] for name in own}, where)
    if stated.get("upper") is not None:
        found["upper"] = _kind_and_parameters(_object(stated["upper"], f"{where}.upper"), f"{where}.upper")
    if stated.get("hold") is not None:
        found["hold"] = _hold(_object(stated["hold"], f"{where}.hold"), f"{where}.hold")
    return found


def _kind_and_parameters(stated: Stated, where: str) -> dict[str, Any]:
    kind = stated.get("kind")
    if not _is_name(kind):
        given = "none is" if kind is None else f"it is {told(kind)}"
        wanted = "must be the name of a kind of movement, such as left_step"
        raise FieldError(f"{where}.kind", f"{wanted}; {given}")
    found: dict[str, Any] = {"kind": kind}
    for name, value in stated.items():
        if name != "kind":
            field = f"{where}.{name[:LONGEST]}"
            if not _is_name(name):
                raise FieldError(field, "is no name of a parameter")
            parameter, known = _parameter(name, value, field)
            if parameter in found or parameter in WORDS:
                raise FieldError(field, f"cannot stand beside {parameter[:LONGEST]}")
            found[parameter] = known
    return found


def _is_name(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= LONGEST_NAME and value.isprintable()


def _parameter(name: str, value: object, field: str) -> tuple[str, float]:
    """A parameter as it is called in memory, and its value there."""
    if name in WORDS:
        raise FieldError(field, "an upper body has its kind and parameters, nothing else")
    if name in ANGLES:
        raise FieldError(field, f"is an angle: write {name}{DEGREES}, in degrees")
    known = number(value, field)
    if not name.endswith(DEGREES):
        return name, known
    return name.removesuffix(DEGREES), float(np.radians(known))


def _hold(stated: Stated, where: str) -> dict[str, tuple[float, ...] | None]:
    held: dict[str, tuple[float, ...] | None] = {}
    for hand, value in stated.items():
        if hand not in HANDS:
            raise FieldError(f"{where}.{hand[:LONGEST]}", f"is no hand: {' or '.join(HANDS)} can hold")
        held[hand] = None if value is None else _place(value, f"{where}.{hand}")
    return held


def _place(value: object, field: str) -> tuple[float, ...]:
    if not isinstance(value, list | tuple | np.ndarray) or len(value) != 3:
        raise FieldError(field, f"must be a place [x, y, z] in metres, or null, not {told(value)}")
    return tuple(place([number(one, field) for one in value], field, 3).tolist())


def _object(value: object, field: str) -> Stated:
    if not isinstance(value, Mapping):
        raise FieldError(field, f"must be an object, not {told(value)}")
    return value


def _mapping(one: object, where: str) -> Stated:
    if isinstance(one, Mapping):
        return one
    if isinstance(one, tuple | list) and len(one) == 2 and isinstance(one[1], Mapping):
        return {"kind": one[0], **one[1]}
    raise RequestError(f"{where} must name a kind and its parameters, not {told(one)}")


def _in_degrees(movement: Stated, where: str) -> dict[str, Any]:
    """A movement in memory as a file tells it."""
    stated: dict[str, Any] = {}
    for name, value in movement.items():
        field = f"{where}.{name!s:.{LONGEST}}"
        if name == "kind":
            stated[name] = value
        elif name == "upper":
            stated[name] = None if value is None else _in_degrees(_object(value, field), field)
        elif name == "hold":
            stated[name] = None if value is None else _hold(_object(value, field), field)
        elif name in ANGLES:
            stated[name + DEGREES] = float(np.degrees(number(value, field)))
        elif not isinstance(name, str) or name.endswith(DEGREES):
            raise FieldError(field, f"is no name in memory: a file's names end in {DEGREES}, for degrees")
        else:
            stated[name] = number(value, field)
    return {name: value for name, value in stated.items() if value is not None}
