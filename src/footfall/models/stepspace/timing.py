"""How long steps take: as the blended steps do, evened along the plan, and as the plan asks.

Steps are chosen one by one, so quick and slow ones may follow each other where the plan says nothing of time:
swings are evened with their neighbours'. Swings that are asked for are given as asked within what a body can
do; rests are given by longer or shorter double stances.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.models.stepspace.planned import PlannedSteps

EVENED = (0.25, 0.5, 0.25)  # of a swing's neighbours and itself
HASTE = (0.6, 1.8)  # times as long as the blended steps' a swing may be asked for
SHORTEST, LONGEST = 1.0 / 60.0, 0.5  # s of half a double stance
STARTING = 0.3  # s of half a double stance at least, out of a stand or into one: the weight is shifted in it
ROUNDS = 8


@dataclass(frozen=True, eq=False)
class Timing:
    """Durations of all steps, and what of the asked times could not be given."""

    durations: Float[np.ndarray, "steps 3"]  # s: half a double stance, swing, half a double stance
    clamped: tuple[str, ...]


def timing_of(
    planned: PlannedSteps, blended: Float[np.ndarray, "steps 3"], *, from_stand: bool, to_stand: bool
) -> Timing:
    """The durations of a plan's steps."""
    out = np.array(blended)
    around = np.concatenate([out[:1, 1], out[:, 1], out[-1:, 1]])
    out[:, 1] = EVENED[0] * around[:-2] + EVENED[1] * around[1:-1] + EVENED[2] * around[2:]
    clamped = []
    asked = planned.swings[planned.prints[:, 1]]
    for k in np.flatnonzero(~np.isnan(asked)):
        given = float(np.clip(asked[k], HASTE[0] * blended[k, 1], HASTE[1] * blended[k, 1]))
        if abs(given - asked[k]) > 1e-9:
            clamped.append(f"steps[{k + 2}]: a swing of {asked[k]:.2f} s was asked, {given:.2f} s given")
        out[k, 1] = given
    if from_stand:
        out[0, 0] = max(out[0, 0], STARTING)
    if to_stand:
        out[-1, 2] = max(out[-1, 2], STARTING)
    clamped.extend(_rests(planned, out))
    return Timing(out, tuple(clamped))


def _rests(planned: PlannedSteps, durations: Float[np.ndarray, "steps 3"]) -> list[str]:
    """Double stances made longer or shorter until feet rest as long as is asked, in place."""
    spans: list[tuple[int, int, int]] = []
    for landing, number in enumerate(planned.prints[:, 1].tolist()):
        left = np.flatnonzero(planned.prints[:, 0] == number).tolist()
        if left and not np.isnan(planned.stances[number]):
            spans.append((landing, left[0], number))
    for _ in range(ROUNDS if spans else 0):
        for landing, leaving, number in spans:
            more = planned.stances[number] - _rest(durations, landing, leaving)
            halves = [(landing, 2), (landing + 1, 0), (leaving - 1, 2), (leaving, 0)]
            if leaving == landing + 1:
                halves = halves[:2]
            for half in halves:
                durations[half] = np.clip(durations[half] + more / len(halves), SHORTEST, LONGEST)
    said = []
    for landing, leaving, number in spans:
        given = _rest(durations, landing, leaving)
        if abs(given - planned.stances[number]) > 0.02:
            said.append(
                f"steps[{number}]: a stance of {planned.stances[number]:.2f} s was asked, {given:.2f} s given"
            )
    return said


def _rest(durations: Float[np.ndarray, "steps 3"], landing: int, leaving: int) -> float:
    """From a strike to the toe-off of the same foot."""
    between = durations[landing + 1 : leaving].sum()
    return float(durations[landing, 2] + between + durations[leaving, 0])
