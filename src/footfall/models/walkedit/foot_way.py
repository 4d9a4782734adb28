"""The way of one foot over its footprints.

In stance a foot is where its print has it. In the air it is told beside the print it left and beside the one
it comes to, and passes from the one telling to the other as it makes its way: so its displacement is the
captured one, scaled to this step ([walk] 5.1), and near either print it moves as it was captured.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int

from footfall.geometry import quaternion as quat
from footfall.models.walkedit.cycle import FootCycle
from footfall.models.walkedit.sampling import mixed, mixed_turns, spot
from footfall.models.walkedit.steps import Footprints


@dataclass(frozen=True, eq=False)
class FootWay:
    """One foot, frame by frame, before anything has lifted it."""

    side: str
    at: Int[np.ndarray, "n"]  # the print it stands on or left, by number
    share: Float[np.ndarray, "n"]  # of the swing: 0 in stance, to 1
    ankle: Float[np.ndarray, "n 3"]
    turn: Float[np.ndarray, "n 4"]
    toe: Float[np.ndarray, "n 4"] | None
    heel_down: Bool[np.ndarray, "n"]
    toe_down: Bool[np.ndarray, "n"]


def foot_way(
    foot: FootCycle, prints: Footprints, phase: Float[np.ndarray, "n"], strike_phase: float
) -> FootWay:
    """At phases of the walk; `strike_phase` is that of this foot's strikes."""
    own = prints.own(foot.side)
    past = phase - strike_phase
    cycle = np.floor(past + 1e-9)
    u = np.clip(past - cycle, 0.0, 1.0)
    # the print's number: left prints have even numbers when the offset is added
    number = 2 * cycle.astype(int) + (foot.side == "right") - prints.offset
    here = np.clip(number, own.start, len(prints) - 1 - (len(prints) - 1 - own.start) % 2)
    there = np.clip(number + 2, own.start, len(prints) - 1 - (len(prints) - 1 - own.start) % 2)
    i, f = spot(foot.phases, u)
    weight = mixed(foot.progress, i, f)
    q_here, q_there = prints.lying[here], prints.lying[there]
    ankle = prints.places[here] + quat.rotate(q_here, mixed(foot.ankle, i, f))
    turn = quat.multiply(q_here, mixed_turns(foot.turn, i, f))
    air = np.flatnonzero(weight > 0.0)
    w = weight[air]
    coming = prints.places[there[air]] + quat.rotate(q_there[air], mixed(foot.coming, i[air], f[air]))
    coming_turn = quat.multiply(q_there[air], mixed_turns(foot.coming_turn, i[air], f[air]))
    ankle[air] += w[:, None] * (coming - ankle[air])
    turn[air] = _blend(turn[air], coming_turn, w)
    return FootWay(
        foot.side,
        here,
        np.clip((u - foot.off) / (1.0 - foot.off), 0.0, 1.0),
        ankle,
        turn,
        None if foot.toe is None else mixed_turns(foot.toe, i, f),
        heel_down=(u <= foot.lift + 1e-9) & ((u >= foot.flat - 1e-9) | foot.heel_first),
        toe_down=(u <= foot.off + 1e-9) & ((u >= foot.flat - 1e-9) | (not foot.heel_first)),
    )


def _blend(a: np.ndarray, b: np.ndarray, w: np.ndarray) -> np.ndarray:
    """From a to b, which are near each other."""
    b = np.where(np.sum(a * b, axis=-1, keepdims=True) < 0.0, -b, b)
    return quat.normalize(a + w[:, None] * (b - a))
