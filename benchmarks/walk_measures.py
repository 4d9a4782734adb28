"""The grid of walks that the walk edit is held to, the clips they are made from, and their tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import product

import numpy as np
from tests.captured import captured
from tests.captures import FOLDER
from tests.models.walkedit.measures import Case, Figures

import footfall as ff

REAL = {
    "CMU 16_47": "walk/16_47.bvh",
    "CMU 07_01": "walk/07_01.bvh",
    "CMU 136_21": "walk/136_21.bvh",
    "SmartBody Walk01": "locomotion-set/ChrMarine@Walk01.skm",
}
ACTOR = "actor"

LENGTHS = (0.5, 0.7, 0.85, 1.0, 1.15, 1.3)  # of the captured
LIFTS = (0.02, 0.05, 0.1, 0.15, 0.2, 0.25)  # m
SLOPES = tuple(range(-20, 21, 5))  # degrees
RISERS, TREADS = (0.10, 0.15, 0.20), (0.25, 0.35, 0.45)  # m
RADII = (1.5, 2.5, 5.0)  # m
SIGNS = (1.0, -1.0)
SHOWN = 12  # walks that miss a bar, told one by one


def clips() -> dict[str, ff.Motion]:
    """By name; the actor's walk is always there, captured ones where there are captures."""
    real = {name: captured(file) for name, file in REAL.items()} if FOLDER.is_dir() else {}
    return real | {ACTOR: ff.VirtualActor(seed=1).walk(1.3).motion}


def grid(step_length: float, speed: float) -> list[Case]:
    """All cases for a clip whose captured steps are as long and as fast, in metres and m/s."""
    return [*_alone(step_length, speed), *_together(step_length, speed)]


def _alone(length: float, speed: float) -> Iterator[Case]:
    yield Case("as captured", {})
    for f in LENGTHS:
        yield Case("length", {"step_length": f * length})
    for lift in LIFTS:
        yield Case("lift", {"lift": lift})
    for slope in SLOPES:
        yield Case("slope", {"slope": _rad(slope)})
    for sign, riser, tread in product(SIGNS, RISERS, TREADS):
        yield Case("stairs up" if sign > 0 else "stairs down", {"stairs": (sign * riser, tread)})
    for sign, radius in product(SIGNS, RADII):
        yield Case("curve", {"curve": sign / radius})
    for f in (0.5, 0.7, 0.85, 1.15, 1.3):
        yield Case("speed", {"speed": f * speed})


def _together(length: float, speed: float) -> Iterator[Case]:
    for f in LENGTHS:
        yield Case("length at captured cadence", {"step_length": f * length, "speed": f * speed})
    for f, lift in product((0.5, 0.75, 1.15, 1.3), (0.03, 0.12, 0.25)):
        yield Case("length, lift", {"step_length": f * length, "lift": lift})
    for f, slope in product((0.5, 0.7, 0.85, 1.15, 1.3), (-20, -10, 10, 20)):
        yield Case("length, slope", {"step_length": f * length, "slope": _rad(slope)})
    for lift, slope in product((0.03, 0.12, 0.25), (-20, -10, 10, 20)):
        yield Case("lift, slope", {"lift": lift, "slope": _rad(slope)})
    for sign, radius, slope in product(SIGNS, (1.5, 3.0), (-15, 15)):
        yield Case("curve, slope", {"curve": sign / radius, "slope": _rad(slope)})
    for sign, radius, f in product(SIGNS, (1.5, 3.0), (0.6, 1.3)):
        yield Case("curve, length", {"curve": sign / radius, "step_length": f * length})
    for sign, way, radius in product(SIGNS, SIGNS, (1.5, 3.0)):
        yield Case("curve, stairs", {"curve": sign / radius, "stairs": (way * 0.16, 0.3)})
    for way, riser, lift in product(SIGNS, (0.10, 0.15), (0.20, 0.25)):
        yield Case("stairs, lift", {"stairs": (way * riser, 0.35), "lift": lift})
    for sign, slope, f in product(SIGNS, (-10, 10), (0.8, 1.15)):
        asked = {"curve": sign / 2.0, "slope": _rad(slope), "step_length": f * length, "lift": 0.1}
        yield Case("length, lift, slope, curve", asked)


def _rad(degrees: float) -> float:
    return float(np.radians(degrees))


@dataclass(frozen=True)
class Row:
    """One walk of the grid, measured."""

    clip: str
    case: Case
    figures: Figures

    def __str__(self) -> str:
        return f"{self.clip}, {self.case.group}, {self.case.text or 'nothing asked'}"

    def as_dict(self) -> dict[str, object]:
        asked = {"clip": self.clip, "group": self.case.group, "asked": dict(self.case.asked)}
        return asked | asdict(self.figures) | {"missed": list(self.figures.missed)}


COLUMNS = {  # heading: figure, scale
    "length": ("length", 1e3),
    "rise": ("rise", 1e3),
    "lift": ("lift", 1e3),
    "half a frame": ("lift_unsure", 1e3),
    "lift, own rate": ("lift_own", 1e3),
    "lift, whole sole": ("lift_whole", 1e3),
    "slide": ("slide", 1e3),
    "penetration": ("penetration", 1e3),
    "swing, 960 Hz": ("penetration_dense", 1e3),
    "extension": ("extension", 1.0),
    "acceleration": ("ratio", 1.0),
    "cadence": ("cadence", 1.0),
    "speed off": ("speed", 1.0),
    "jump": ("jump", 1e3),
    "jump elsewhere": ("jump_elsewhere", 1e3),
    "kink": ("kink", 1.0),
    "kink elsewhere": ("kink_elsewhere", 1.0),
}


def by_group(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """In the order of the grid, and all together."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row.case.group, []).append(row)
    return groups | {"all": list(rows)}


def markdown(groups: Mapping[str, Sequence[Row]]) -> str:
    """A line for each group: the worst of each figure and its median."""
    lines = [f"| group | walks | {' | '.join(COLUMNS)} | missed |", f"|---|{'---|' * (len(COLUMNS) + 2)}"]
    for group, rows in groups.items():
        cells = [_worst_and_median(rows, *column) for column in COLUMNS.values()]
        missed = sum(bool(row.figures.missed) for row in rows)
        lines.append(f"| {group} | {len(rows)} | {' | '.join(cells)} | {missed} |")
    return "\n".join(lines)


def _worst_and_median(rows: Sequence[Row], figure: str, scale: float) -> str:
    values = [scale * v for row in rows if (v := getattr(row.figures, figure)) is not None]
    return f"{max(values):.3f} / {np.median(values):.3f}" if values else ""


def missed_by_bar(rows: Sequence[Row]) -> list[str]:
    """For each bar that is missed how often, and the walks that miss it by most."""
    found: dict[str, list[tuple[float, str]]] = {}
    for row in rows:
        for name, value, text in row.figures.missed_bars:
            found.setdefault(name, []).append((value, f"{text}: {row}"))
    lines = []
    for name, walks in found.items():
        lines.append(f"- {name}: {len(walks)} walks")
        lines += [f"  - {text}" for _, text in sorted(walks, reverse=True)[:SHOWN]]
    return lines
