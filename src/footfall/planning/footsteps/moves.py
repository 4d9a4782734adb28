"""The moves a foot planner chooses from: ahead, aside, back, about, such as the step space has steps for.

A move is told from the foot that stands: how far ahead of it and beside it the other comes down, and by what
the trunk is turned meanwhile; towards the side of the foot that swings is positive.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product

import numpy as np
from jaxtyping import Float

from footfall.models.stepspace.low_space import low_of
from footfall.models.stepspace.model import StepSpace
from footfall.world.foot_plan import FootPlacement, FootPlan

HEADINGS = 32  # all round
UNIT = 2.0 * np.pi / HEADINGS
WIDTH = 0.16  # m between feet that walk
STILL, AHEAD, ASIDE, BACK = 0, 1, 2, 3  # kinds
LENGTH, BESIDE, TURN, COST, KIND = 0, 1, 2, 3, 4  # columns of a table of moves
A_STEP = 0.5  # what any step costs: about its seconds
OUTSIDE = 0.15  # m that a landing may lie outside what was captured

Moves = Float[np.ndarray, "moves 5"]


def all_moves() -> Moves:
    """Before a step space has its say."""
    rows: list[tuple[float, float, int, float, int]] = []
    for length, most_out, most_in in (
        (0.15, 4, 2),
        (0.30, 3, 2),
        (0.45, 2, 1),
        (0.60, 1, 1),
        (0.70, 1, 1),
    ):
        for turn in range(-most_in, most_out + 1):
            far = 1.5 * max(length - 0.6, 0.0)
            rows.append((length, WIDTH, turn, A_STEP + far + _turning(turn), AHEAD))
    rows += [(length, 0.28, 0, A_STEP + 0.15, AHEAD) for length in (0.3, 0.45)]
    rows += [(0.0, WIDTH + 0.02 * (turn != 0), turn, A_STEP + _turning(turn), STILL) for turn in range(-2, 5)]
    for beside, length in product((0.28, 0.38, 0.46), (-0.1, 0.0, 0.1)):
        rows.append((length, beside, 0, A_STEP + 0.9 * (beside - WIDTH) + abs(length), ASIDE))
    for length, turn in product((-0.15, -0.3, -0.4), (-1, 0, 1)):
        rows.append((length, WIDTH + 0.02, turn, A_STEP + 0.1 - 0.8 * length + _turning(turn), BACK))
    return np.array(rows)


def _turning(turn: int) -> float:
    return 0.02 * turn * turn


@lru_cache(maxsize=4)  # every planner of a step space asks
def moves_of(steps: StepSpace) -> Moves:
    """Those that a step space can reach, from where feet stand that walk, or stand."""
    moves = all_moves()
    found = moves[[bool(_reached(steps, move)) for move in moves]]
    found.setflags(write=False)
    return found


def _reached(steps: StepSpace, move: Float[np.ndarray, "5"]) -> bool:
    """Whether some way to come to the foot that stands makes the move one of those captured, or nearly."""
    reach, out = steps.choosing.reach, steps.toe_out
    if np.hypot(move[LENGTH], move[BESIDE]) > reach.farthest:
        return False
    turned = UNIT * move[TURN]
    half = 0.5 * turned
    landing = (
        move[BESIDE] * np.cos(half) + move[LENGTH] * np.sin(half),
        move[LENGTH] * np.cos(half) - move[BESIDE] * np.sin(half),
    )
    away = []
    for came in (0.0, -move[LENGTH]):
        prints = (
            FootPlacement("left", np.array([WIDTH, 0.0, came]), out),
            FootPlacement("right", np.zeros(3), -out),
            FootPlacement("left", np.array([landing[0], 0.0, landing[1]]), turned + out),
        )
        planned = steps.planned(FootPlan(prints))
        query = steps.choosing.queries(planned, from_stand=False, to_stand=False)[0]
        away.append(reach.outside(low_of(query.high))[0])
    return bool(min(away) <= OUTSIDE)
