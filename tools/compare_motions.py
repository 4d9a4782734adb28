"""Compares two files of golden records: what two checkouts, or two CPUs, make of the same requests.

    python tests/golden/record.py before.json        # in one checkout
    python tests/golden/record.py after.json         # in another
    python tools/compare_motions.py before.json after.json

Prints for each request the worst difference of a place and every discrete difference; the exit status is 1
where any is beyond the tolerance. Files hold all that is needed: no library is imported, so checkouts may be
of different times and call things differently.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

TOLERANCE = 1e-6  # m, rad, s
RATIO = 1e-3  # of a ratio
ROUNDING = 1e-7  # what two rounded numbers may differ by beyond the tolerance
MOST_SHOWN = 4  # differences of one request that are printed
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")
PLACES = ("places", "means")


@dataclass
class Difference:
    """What two records of one request differ in."""

    worst: float = 0.0  # m, of a joint's place
    where: str = ""  # the place that differs most
    number: float = 0.0  # m, rad or s: the worst of the other numbers
    told: list[str] = field(default_factory=list)  # discrete differences, and numbers beyond the tolerance

    @property
    def equal(self) -> bool:
        return not self.told


def compared(before: Mapping[str, Any], after: Mapping[str, Any], tolerance: float = TOLERANCE) -> Difference:
    """What two records differ in.

    Args:
        before: A record.
        after: Another one of the same request.
        tolerance: By how much numbers and places may differ; m, rad, s.

    Returns:
        The difference.
    """
    found = Difference()
    allowed = tolerance + ROUNDING
    for path, one, other in _discrete(before.get("discrete"), after.get("discrete"), "discrete"):
        found.told.append(f"{path}: {_short(one)}, then {_short(other)}")
    for path, off in _numbers(before.get("numbers"), after.get("numbers"), "numbers"):
        found.number = max(found.number, off)
        if off > allowed:
            found.told.append(f"{path}: {_apart(off)}")
    for path, off in _numbers(before.get("ratios"), after.get("ratios"), "ratios", relative=True):
        if off > RATIO:
            found.told.append(f"{path}: {_apart(off)} relatively")
    _compare_sentences(before.get("sentences", []), after.get("sentences", []), found)
    for kind in PLACES:
        for path, off in _numbers(before.get(kind), after.get(kind), kind):
            if off > found.worst:
                found.worst, found.where = off, path
    if found.worst > allowed:
        found.told.append(f"{found.where}: {_apart(found.worst)}")
    return found


def _discrete(one: Any, other: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    """Where two trees of facts differ."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        for name in dict.fromkeys((*one, *other)):
            yield from _discrete(one.get(name), other.get(name), f"{path}.{name}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for k, (a, b) in enumerate(zip(one, other, strict=True)):
            yield from _discrete(a, b, f"{path}[{k}]")
    elif type(one) is not type(other) or one != other:
        yield path, one, other


def _numbers(one: Any, other: Any, path: str, *, relative: bool = False) -> Iterator[tuple[str, float]]:
    """By how much the numbers of two trees differ; infinitely where the trees do, or one is no number."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        for name in dict.fromkeys((*one, *other)):
            yield from _numbers(one.get(name), other.get(name), f"{path}.{name}", relative=relative)
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for k, (a, b) in enumerate(zip(one, other, strict=True)):
            yield from _numbers(a, b, f"{path}[{k}]", relative=relative)
    elif _is_number(one) and _is_number(other):
        off = math.inf if math.isnan(one - other) else abs(one - other)
        yield path, off / max(abs(one), abs(other), 1e-9) if relative else off
    elif one != other:
        yield path, math.inf


def _compare_sentences(one: Sequence[str], other: Sequence[str], found: Difference) -> None:
    """As many sentences, with the same numbers as far as they are printed; their words may change."""
    if len(one) != len(other):
        found.told.append(
            f"{len(one)} sentences, then {len(other)}: {_short(list(one))}, {_short(list(other))}"
        )
        return
    for a, b in zip(one, other, strict=True):
        ours, theirs = NUMBER.findall(a), NUMBER.findall(b)
        if len(ours) != len(theirs) or any(not _same(x, y) for x, y in zip(ours, theirs, strict=True)):
            found.told.append(f"numbers in {_short(a)}, then {_short(b)}")


def _same(one: str, other: str) -> bool:
    """Whether two printed numbers are the same but for their last digit's rounding; whole ones are equal."""
    if "." not in one or "." not in other:
        return float(one) == float(other)
    digits = min(len(text.split("e")[0].split(".")[1]) for text in (one, other))
    return abs(float(one) - float(other)) <= 1.01 * 10.0**-digits


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _apart(off: float) -> str:
    return "of another kind" if math.isinf(off) else f"{off:.3g} apart"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 160 else f"{text[:159]}…"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Compares two files of golden records.")
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--tolerance", type=float, default=TOLERANCE, help="m, rad, s")
    parser.add_argument("--all", action="store_true", help="print requests that are equal too")
    asked = parser.parse_args(arguments)
    before, after = (json.loads(file.read_text()) for file in (asked.before, asked.after))
    names = [name for name in before if name in after]
    unequal, worst = 0, 0.0
    for name in names:
        found = compared(before[name], after[name], asked.tolerance)
        worst = max(worst, found.worst)
        unequal += not found.equal
        if asked.all or not found.equal:
            mark = "same   " if found.equal else "DIFFERS"
            print(f"{mark} {name}: places {found.worst:.3g} m, other numbers {found.number:.3g}")
        for line in found.told[:MOST_SHOWN]:
            print(f"        {line}")
        if len(found.told) > MOST_SHOWN:
            print(f"        and {len(found.told) - MOST_SHOWN} differences more")
    for file, only in (
        (asked.before, before.keys() - after.keys()),
        (asked.after, after.keys() - before.keys()),
    ):
        if only:
            print(f"only in {file}: {', '.join(sorted(only))}")
    print(f"{len(names)} motions, {unequal} differ; places by {worst:.3g} m at most")
    missing = before.keys() ^ after.keys()
    return 1 if unequal or missing or not names else 0


if __name__ == "__main__":
    sys.exit(main())
