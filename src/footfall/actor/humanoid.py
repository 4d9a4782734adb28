"""Footfall's own humanoid: 54 joints of human proportions, at rest in a T-pose that faces +Z.

Lengths are shares of body height after Winter's segment table (Biomechanics and Motor Control of Human
Movement). Joint names are role names, so nothing has to be guessed.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from footfall.actor.asked import number
from footfall.figure.naming import FINGERS
from footfall.figure.skeleton import Skeleton

HEIGHT = 1.75  # m
HEIGHT_RANGE = (0.8, 2.6)  # m

# name, parent, offset as shares of height (x left, y up, z forward)
TRUNK = [
    ("hips", "", (0.0, 0.0, 0.0)),
    ("spine", "hips", (0.0, 0.040, -0.004)),
    ("spine_2", "spine", (0.0, 0.055, -0.002)),
    ("chest", "spine_2", (0.0, 0.060, 0.0)),
    ("neck", "chest", (0.0, 0.130, -0.004)),
    ("head", "neck", (0.0, 0.050, 0.008)),
]
# for the left side; the right is its mirror image
SIDE = [
    ("thigh", "hips", (0.0515, -0.020, 0.0)),
    ("shank", "thigh", (0.0, -0.245, 0.0)),
    ("foot", "shank", (0.0, -0.246, 0.0)),
    ("toe", "foot", (0.004, -0.027, 0.078)),
    ("clavicle", "chest", (0.012, 0.112, 0.012)),
    ("upper_arm", "clavicle", (0.093, 0.0, -0.014)),
    ("forearm", "upper_arm", (0.167, 0.0, 0.0)),
    ("hand", "forearm", (0.143, 0.0, 0.0)),
    ("eye", "head", (0.018, 0.052, 0.052)),
]
# first knuckle from the wrist, then the lengths of the three segments
KNUCKLES = {
    "thumb": ((0.017, -0.006, 0.015), (0.023, 0.018, 0.014)),
    "index": ((0.051, 0.0, 0.0140), (0.024, 0.014, 0.011)),
    "middle": ((0.052, 0.0, 0.0025), (0.026, 0.016, 0.012)),
    "ring": ((0.049, 0.0, -0.0085), (0.024, 0.015, 0.011)),
    "little": ((0.045, 0.0, -0.0185), (0.019, 0.011, 0.010)),
}
THUMB_DIRECTION = np.array([0.72, -0.12, 0.68])
SOLE_DEPTH = 0.039  # ankle over the floor
TOE_TIP = (0.0, -0.012, 0.036)
HEAD_TOP = (0.0, 0.115, 0.0)


def humanoid(height: float = HEIGHT) -> Skeleton:
    """A symmetric figure of a given body height in metres."""
    height = number("height in m", height, *HEIGHT_RANGE)
    joints = list(_joints())
    names = [name for name, _, _ in joints]
    end_parents, end_offsets = zip(*_ends(names), strict=True)
    return Skeleton.build(
        names,
        [names.index(parent) if parent else -1 for _, parent, _ in joints],
        height * np.array([offset for _, _, offset in joints]),
        end_parents=end_parents,
        end_offsets=height * np.array(end_offsets),
        roles={name: name for name in names if name != "spine_2"},
    )


def _joints() -> Iterator[tuple[str, str, tuple[float, ...]]]:
    yield from TRUNK
    for side, sign in (("left", 1.0), ("right", -1.0)):
        for name, parent, (x, y, z) in SIDE:
            above = parent if parent in ("hips", "chest", "head") else f"{side}_{parent}"
            yield f"{side}_{name}", above, (sign * x, y, z)
        for finger in FINGERS:
            above = f"{side}_hand"
            for i, place in enumerate(_finger(finger), start=1):
                yield f"{side}_{finger}_{i}", above, (sign * place[0], place[1], place[2])
                above = f"{side}_{finger}_{i}"


def _finger(finger: str) -> list[np.ndarray]:
    """Offsets of a left finger's three joints."""
    knuckle, lengths = KNUCKLES[finger]
    along = _along(finger)
    return [np.array(knuckle), lengths[0] * along, lengths[1] * along]


def _along(finger: str) -> np.ndarray:
    direction = THUMB_DIRECTION if finger == "thumb" else np.array([1.0, 0.0, 0.0])
    return direction / np.linalg.norm(direction)


def _ends(names: list[str]) -> Iterator[tuple[int, tuple[float, ...]]]:
    """The top of the head, toe tips and finger tips."""
    yield names.index("head"), HEAD_TOP
    for side, sign in (("left", 1.0), ("right", -1.0)):
        yield names.index(f"{side}_toe"), TOE_TIP
        for finger in FINGERS:
            tip = KNUCKLES[finger][1][2] * _along(finger)
            yield names.index(f"{side}_{finger}_3"), (sign * tip[0], tip[1], tip[2])
