"""Steps of a figure at rest: which foot, by what turn, how far ahead, so that it stands as it should.

Every step puts one foot where it belongs in the end, as far as one step leads; then the other one follows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from footfall.geometry.ground import wrap
from footfall.models.ring import layout
from footfall.models.ring.intent import FACES_WELL, Intent
from footfall.models.ring.model import MotionRing
from footfall.models.ring.setting_out import State

STEP_TURN = 0.9  # rad by which a figure turns in one step
STEP_AHEAD = 0.16  # of the leg's length by which a foot is put ahead or behind
STANDS_WELL = 0.04  # m from where a foot should stand


@dataclass(frozen=True)
class SpotStep:
    support: int  # the foot that stands: 0 left, 1 right
    turn: float  # rad
    ahead: float  # m


def turn_left(state: State) -> float:
    """By what a figure must turn to face as is wished, rad."""
    return float(wrap(state[layout.WISH_HEADING] - state[layout.HEADING]))


def stands_well(state: State, ring: MotionRing, intent: Intent) -> bool:
    """Whether both feet are where they should be."""
    return max(abs(_ahead(state, ring, intent, foot, 0.0)) for foot in (0, 1)) <= STANDS_WELL


def spot_steps(state: State, ring: MotionRing, intent: Intent) -> Iterator[SpotStep]:
    """Steps to try, the best first; none where it stands and faces as it should."""
    turn = turn_left(state)
    if intent.closes is None and abs(turn) <= FACES_WELL and stands_well(state, ring, intent):
        return
    first = intent.closes
    if first is None:  # what is farther from its place goes first; who only turns begins with that side
        off = [abs(_ahead(state, ring, intent, foot, 0.0)) for foot in (0, 1)]
        first = int(turn > 0.0) if abs(off[0] - off[1]) < STANDS_WELL else int(off[0] > off[1])
    for share in (1.0, 0.5):
        by = float(np.clip(share * turn, -STEP_TURN, STEP_TURN))
        for support in (first, 1 - first):
            yield SpotStep(support, by, share * _ahead(state, ring, intent, support, by))


def _ahead(state: State, ring: MotionRing, intent: Intent, support: int, turn: float) -> float:
    """How far ahead of a foot that stands the other one belongs, once the figure has turned."""
    if intent.place is None:
        return 0.0
    at = layout.ORIGIN if support == int(state[layout.HALF]) else layout.NEXT_ORIGIN
    heading = float(state[layout.HEADING]) + turn
    forward = np.array([np.sin(heading), np.cos(heading)])
    aside = 0.5 * np.median(ring.spheres[support].kriging.points[:, 0])  # to the middle between the feet
    middle = state[[at, at + 2]] + aside * np.array([np.cos(heading), -np.sin(heading)])
    most = STEP_AHEAD * ring.skeleton.leg_length()
    return float(np.clip(forward @ (np.array(intent.place) - middle), -most, most))
