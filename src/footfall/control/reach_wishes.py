"""What a reach is asked for, read and checked: places, turns and points of hands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.control.told_numbers import finite_numbers
from footfall.errors import RequestError
from footfall.figure.roles import SIDES
from footfall.geometry import quaternion as quat
from footfall.validation import one_of

FARTHEST = 1e4  # m
NO_LENGTH = 1e-6  # of a quaternion


@dataclass(frozen=True, eq=False)
class Wish:
    """Of one hand: its place in the world, its turn, and which point of it is meant, in its frame."""

    place: Float[np.ndarray, "3"]
    turn: Float[np.ndarray, "4"] | None
    point: Float[np.ndarray, "3"] | None


def read_wishes(target: object, *, hand: object, orientation: object, point: object) -> dict[str, Wish]:
    """By hand; one that is no wish is refused, and then all."""
    wanted = dict(target) if isinstance(target, Mapping) else {hand: target}
    if isinstance(target, Mapping) and not wanted:
        raise RequestError("targets are for 'left' and 'right', and there are none")
    out = {}
    for side, place in wanted.items():
        one_of(side, SIDES, "hand")
        turned = orientation.get(side) if isinstance(orientation, Mapping) else orientation
        shown = point.get(side) if isinstance(point, Mapping) else point
        out[str(side)] = Wish(
            finite_numbers(place, "target", 3),
            None if turned is None else _turn(turned),
            None if shown is None else finite_numbers(shown, "point", 3),
        )
    return out


def _turn(told: object) -> Float[np.ndarray, "4"]:
    turn = finite_numbers(told, "orientation", 4)
    if not np.linalg.norm(turn) > NO_LENGTH:
        raise RequestError("an orientation is a quaternion (w, x, y, z) of some length, not of none")
    return quat.normalize(turn)
