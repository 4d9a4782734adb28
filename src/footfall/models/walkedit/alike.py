"""Swings of a walk that are alike: the same steps over the same ground, elsewhere; one of them is solved."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, Int

from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.models.walkedit.ribbon import Ribbon
from footfall.models.walkedit.steps import Footprints
from footfall.world.terrain import Ground

AROUND = np.arange(-1, 4)  # pieces of ground about the print a foot leaves that its swing may meet
DIGITS = 8
BEYOND = 1e3  # what stands for pieces that there are not: no two are alike


def first_alike(
    prints: Footprints, level: Ground, leaves: Int[np.ndarray, "swings"], halfway: Float[np.ndarray, "swings"]
) -> Int[np.ndarray, "swings"]:
    """For each swing, by the print it leaves, which one of them is the first of its like.

    Only of the ground that belongs to a walk's parameters it is known that it is the same elsewhere.
    """
    ways = level.way if isinstance(level, Ribbon) else None
    if not isinstance(level, Ribbon) or ways is None or not (ways.is_straight or ways.arc is not None):
        return np.arange(len(leaves))
    told = np.concatenate([_steps(prints, leaves), _pieces(level, leaves), halfway[:, None]], axis=1)
    _, first, which = np.unique(np.round(told, DIGITS), axis=0, return_index=True, return_inverse=True)
    return first[which.ravel()]


def _steps(prints: Footprints, leaves: Int[np.ndarray, "n"]) -> Float[np.ndarray, "n told"]:
    """The prints that a swing leaves, passes and comes to, seen from the first."""
    back = ground.turn(-prints.ways[leaves])
    told = []
    for ahead in (1, 2):
        to = np.minimum(leaves + ahead, len(prints) - 1)
        told.append(quat.rotate(back, prints.places[to] - prints.places[leaves]))
    for to in (leaves, np.minimum(leaves + 2, len(prints) - 1)):
        told.append(quat.multiply(back, prints.lying[to]))
        told.append(np.nan_to_num(prints.lifts[to], nan=-1.0)[:, None])
        if prints.landings is not None:
            told.append(prints.landings[to][:, None])
    return np.concatenate(told, axis=1)


def _pieces(level: Ribbon, leaves: Int[np.ndarray, "n"]) -> Float[np.ndarray, "n told"]:
    """The ground about a swing, seen from the piece it leaves; beyond the ends nothing is like anything."""
    around, own = leaves[:, None] + AROUND, leaves[:, None]
    inside = (around >= 0) & (around < len(level.stations))
    kept = np.clip(around, 0, len(level.stations) - 1)
    edge = np.clip(around[:, :-1], 0, len(level.edges) - 1)
    values = [
        np.where(inside[:, :-1], level.edges[edge] - level.stations[own], BEYOND + around[:, :-1]),
        np.where(inside, level.levels[kept] - level.levels[own], BEYOND + around),
        np.where(inside, level.grades[kept], BEYOND + around),
    ]
    return np.concatenate(values, axis=1)
