"""A result as a record: discrete facts, numbers, sentences, and where joints are.

A record is plain JSON. `discrete` must be equal. `numbers` are metres, radians and seconds, kept with seven
decimals. `ratios` are compared relatively: an acceleration is a second difference of places, and so less
sure than these. `sentences` are for people: only how many there are and the numbers in them count, so that
they may be worded anew. `places` are joint places, (x, y, z) by role at ten instants or as many as the
request says, and `means` the mean place of every joint over all frames, which shows what happens between.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import footfall as ff

INSTANTS = 10
DECIMALS = 7  # of metres, radians, seconds
RATIO_DECIMALS = 5
FINE = ("thumb", "index", "middle", "ring", "little", "eye")  # roles whose mean place is enough
FEET = ("left", "right")


@dataclass
class Outcome:
    """What a request gave. Whatever is left empty is not recorded."""

    motion: ff.Motion | None = None
    discrete: dict[str, Any] = field(default_factory=dict)
    numbers: dict[str, Any] = field(default_factory=dict)
    ratios: dict[str, Any] = field(default_factory=dict)
    sentences: list[str] = field(default_factory=list)


def record_of(outcome: Outcome, instants: int = INSTANTS) -> dict[str, Any]:
    """The record of an outcome.

    Args:
        outcome: What a request gave.
        instants: At how many frames joint places are kept.

    Returns:
        A record as plain JSON.
    """
    motion = outcome.motion
    discrete, numbers = dict(outcome.discrete), dict(outcome.numbers)
    record: dict[str, Any] = {"discrete": discrete, "numbers": numbers}
    if motion is not None:
        discrete["frames"] = len(motion)
        numbers["seconds"] = motion.seconds
        if motion.contacts is not None:
            discrete["contacts"] = contact_runs(motion.contacts)
    record["discrete"], record["numbers"] = plain(discrete), plain(numbers)
    if outcome.ratios:
        record["ratios"] = plain(outcome.ratios, RATIO_DECIMALS)
    if outcome.sentences:
        record["sentences"] = [str(sentence) for sentence in outcome.sentences]
    if motion is not None:
        record |= joint_places(motion, instants)
    return record


def joint_places(motion: ff.Motion, instants: int) -> dict[str, Any]:
    """Instants (frames), joint places there by role, and mean places by role; metres in the world."""
    frames = np.round(np.linspace(0, len(motion) - 1, instants)).astype(int)
    positions, roles = motion.positions, motion.skeleton.roles
    coarse = [role for role in roles if not any(word in role for word in FINE)]
    return {
        "instants": frames.tolist(),
        "places": {role: plain(positions[frames, roles[role]]) for role in coarse},
        "means": {role: plain(positions[:, joint].mean(axis=0)) for role, joint in roles.items()},
    }


def contact_runs(contacts: ff.Contacts) -> dict[str, list[list[int]]]:
    """By foot point, from which frame to which (one past the last) it stands."""
    points = {}
    for side in FEET:
        points[f"{side} heel"] = runs(contacts.heel_of(side))
        points[f"{side} toe"] = runs(contacts.toe_of(side))
    return points


def runs(mask: Sequence[bool]) -> list[list[int]]:
    """From which frame to which (one past the last) a mask is true."""
    steps = np.diff(np.concatenate([[0], np.asarray(mask, dtype=int), [0]]))
    return np.column_stack([np.flatnonzero(steps == 1), np.flatnonzero(steps == -1)]).tolist()


def plan_facts(plan: ff.FootPlan | None) -> tuple[dict[str, Any], dict[str, Any]]:
    """Discrete facts and numbers of a foot plan."""
    if plan is None:
        return {}, {}
    placements = plan.placements
    discrete = {"feet": "".join(p.foot[0] for p in placements)}
    numbers: dict[str, Any] = {"footholds": [p.position for p in placements]}
    for name in ("heading", "swing", "stance"):
        told = [getattr(p, name) for p in placements]
        if any(value is not None for value in told):
            numbers[f"{name}s"] = told
    return discrete, numbers


def certificate_facts(told: ff.Certificate) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Discrete facts, numbers and ratios of a certificate; what it was clamped to is told by the motion."""
    row = told.as_dict()
    row.pop("clamped")
    numbers = {name: value for name, value in row.items() if isinstance(value, float) or value is None}
    ratios = {"acceleration_ratio": numbers.pop("acceleration_ratio")}
    discrete = {name: value for name, value in row.items() if isinstance(value, int | str)}
    return discrete, {"certificate": numbers}, ratios


def plain(value: Any, decimals: int = DECIMALS) -> Any:
    """The same as JSON has it: lists, rounded numbers, no negative zero.

    A number that is not finite becomes a word, as JSON has none for it.
    """
    if isinstance(value, Mapping):
        return {str(name): plain(one, decimals) for name, one in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist(), decimals)
    if isinstance(value, float):
        return round(value, decimals) + 0.0 if np.isfinite(value) else str(value)
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, Iterable):
        return [plain(one, decimals) for one in value]
    raise TypeError(f"{type(value).__name__} is nothing that a record keeps")
