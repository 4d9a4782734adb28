"""Looking at something: neck and head turn as far as they like, the eyes make up the rest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.actor.reach.station import Station
from footfall.geometry.ground import wrap

LEVEL = np.radians(8.0)  # under the horizon: where one looks who stands at ease
HEAD_SHARE = 0.8  # of a turn of the gaze; the eyes take the rest
HEAD_MOST = np.radians([48.0, 62.0])  # nodding and turning, neck and head together
EYES_MOST = np.radians([20.0, 25.0])
NECK_SHARE = 0.45  # of the head's turn


@dataclass(frozen=True, eq=False)
class Gaze:
    """Rotation vectors by joint name: of neck and head all, of the eyes where there are any."""

    neck: Float[np.ndarray, "3"]
    head: Float[np.ndarray, "3"]
    eyes: Float[np.ndarray, "3"]
    turn: float = 0.0  # rad over the chest to what is looked at, the way round that was taken


def at_ease(station: Station) -> Gaze:
    return Gaze(station.turn("neck"), station.turn("head"), np.zeros(3))


def gaze_at(
    station: Station,
    target: Float[np.ndarray, "3"],
    head: Float[np.ndarray, "3"],
    chest: Float[np.ndarray, "3 3"],
    towards: float | None = None,
) -> Gaze:
    """From where the head is, over a chest turned so.

    `towards` is the turn of another gaze at the same thing: what is behind is looked at over one shoulder.
    """
    away = chest.T @ (target - head)
    away = away / max(float(np.linalg.norm(away)), 1e-9)
    level = float(np.hypot(away[0], away[2]))
    turn = float(np.arctan2(away[0], away[2]))
    if towards is not None:
        turn = towards + float(wrap(turn - towards))
    nod = -float(np.arctan2(away[1], level)) - LEVEL
    # what is straight above or below has no direction to turn to
    wanted = np.array([nod, turn * level])
    moved = _softly(HEAD_SHARE * wanted, HEAD_MOST)
    eyes = _softly(wanted - moved, EYES_MOST)
    rest = at_ease(station)
    return Gaze(
        rest.neck + NECK_SHARE * np.array([*moved, 0.0]),
        rest.head + (1.0 - NECK_SHARE) * np.array([*moved, 0.0]),
        np.array([*eyes, 0.0]),
        turn,
    )


def _softly(turn: Float[np.ndarray, "2"], most: Float[np.ndarray, "2"]) -> Float[np.ndarray, "2"]:
    return most * np.tanh(turn / most)
