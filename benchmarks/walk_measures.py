"""The grid of walks that the walk edit is held to, and the clips they are made from."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
from tests.captured import captured
from tests.captures import FOLDER
from tests.models.walkedit.measures import Case

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
