"""How long steps take: as the blended steps do, evened along the plan, and as the plan asks.

Steps are chosen one by one, so quick and slow ones may follow each other where the plan says nothing of time:
swings are evened with their neighbours'. Swings that are asked for are given as asked within what a body can
do; rests are given by longer or shorter double stances.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float

from footfall.models.stepspace.planned import PlannedSteps

EVENED = (0.25, 0.5, 0.25)  # of a swing's neighbours and itself
HASTE = (0.6, 1.8)  # times as long as the blended steps' a swing may be asked for
SHORTEST, LONGEST = 1.0 / 60.0, 0.5  # s of half a double stance
STARTING = 0.3  # s of half a double stance at least, out of a stand or into one: the weight is shifted in it
STANDS = 0.3  # s of a stand before the first step and after the last
AS_ASKED = 0.02  # s: what is as asked
HAIR = 1e-5  # s, of flights that are none
ROUNDS = 8


@dataclass(frozen=True, eq=False)
class Timing:
    """Durations of all steps, and what of the asked times could not be given."""

    durations: Float[np.ndarray, "steps 3"]  # s: half a double stance, swing, half a double stance
    flights: Float[np.ndarray, "steps 2"]  # s before and after running steps
    clamped: tuple[str, ...]


def timing_of(
    planned: PlannedSteps,
    blended: Float[np.ndarray, "steps 3"],
    flights: Float[np.ndarray, "steps 2"] | None = None,
    runs: Bool[np.ndarray, "steps"] | None = None,
    *,
    from_stand: bool,
    to_stand: bool,
) -> Timing:
    """The durations of a plan's steps; of running ones with the flights around them."""
    out = np.array(blended)
    runs = np.zeros(len(out), dtype=bool) if runs is None else runs
    flights = np.zeros((len(out), 2)) if flights is None else np.array(flights)
    out[:, 1] = _evened(out[:, 1], runs)
    asked = planned.swings[planned.prints[:, 1]]
    for k in np.flatnonzero(~np.isnan(asked)):
        own = float(blended[k].sum() + flights[k].sum()) if runs[k] else float(blended[k, 1])
        given = float(np.clip(asked[k], HASTE[0] * own, HASTE[1] * own))
        if runs[k]:
            out[k], flights[k] = out[k] * given / own, flights[k] * given / own
        else:
            out[k, 1] = given
    if from_stand:
        out[0, 0] = max(out[0, 0], STARTING) if not runs[0] else out[0, 0]
    if to_stand:
        out[-1, 2] = max(out[-1, 2], STARTING) if not runs[-1] else out[-1, 2]
    if runs.any():
        _agreed(out, flights, runs)
    _rests(planned, out, runs)
    stands = STANDS * from_stand, STANDS * to_stand
    return Timing(out, flights, tuple(_said(planned, out, flights, runs, stands)))


def _said(
    planned: PlannedSteps,
    durations: Float[np.ndarray, "steps 3"],
    flights: Float[np.ndarray, "steps 2"],
    runs: Bool[np.ndarray, "steps"],
    stands: tuple[float, float],
) -> Iterator[str]:
    """Swings and rests that are not as asked."""
    seconds = durations.sum(axis=1)
    begin, end = -stands[0], seconds.sum() + stands[1]
    # in the middle of a run the motion begins as the support foot lands and ends as it leaves
    begin += durations[0, 0] * runs[0]
    end -= durations[-1, 2] * runs[-1]
    starts = np.concatenate([[0.0], np.cumsum(seconds)[:-1]])
    leaves = starts + np.where(runs, -flights[:, 0], durations[:, 0])
    lands = starts + np.where(runs, seconds + flights[:, 1], durations[:, 0] + durations[:, 1])
    for number in np.flatnonzero(~(np.isnan(planned.swings) & np.isnan(planned.stances))):
        arriving = np.flatnonzero(planned.prints[:, 1] == number)
        leaving = np.flatnonzero(planned.prints[:, 0] == number)
        came = lands[arriving[0]] if len(arriving) else begin
        went = leaves[leaving[0]] if len(leaving) else end
        swing = lands[arriving[0]] - leaves[arriving[0]] if len(arriving) else np.nan
        for word, asked, given in (
            ("swing", planned.swings[number], swing),
            ("stance", planned.stances[number], went - came if went > came else np.nan),
        ):
            if not np.isnan(asked) and not abs(given - asked) <= AS_ASKED:
                told = "none is" if np.isnan(given) else f"{given:.2f} s"
                yield f"steps[{number}]: a {word} of {asked:.2f} s was asked, {told} given"


def _evened(swings: Float[np.ndarray, "steps"], runs: Bool[np.ndarray, "steps"]) -> np.ndarray:
    """Evened with neighbours of the same gait."""
    before, after = np.roll(swings, 1), np.roll(swings, -1)
    before[0], after[-1] = swings[0], swings[-1]
    before[1:] = np.where(runs[1:] == runs[:-1], before[1:], swings[1:])
    after[:-1] = np.where(runs[1:] == runs[:-1], after[:-1], swings[:-1])
    return EVENED[0] * before + EVENED[1] * swings + EVENED[2] * after


def _agreed(
    durations: Float[np.ndarray, "steps 3"],
    flights: Float[np.ndarray, "steps 2"],
    runs: Bool[np.ndarray, "steps"],
) -> None:
    """Two steps that meet agree when a foot lands and when one leaves, in place.

    Between two running steps there is one flight; between a walking and a running one there is none. A plan
    that begins or ends in the middle of a run keeps the flight there: its swing foot is in the air already.
    """
    for k in range(len(runs) - 1):
        if runs[k] and runs[k + 1]:
            lands = 0.5 * (flights[k, 1] + durations[k + 1, 0])
            leaves = 0.5 * (durations[k, 2] + flights[k + 1, 0])
            flights[k, 1] = durations[k + 1, 0] = lands
            durations[k, 2] = flights[k + 1, 0] = leaves
        elif runs[k + 1]:
            flights[k + 1, 0] = HAIR
        elif runs[k]:
            flights[k, 1] = HAIR


def _rests(
    planned: PlannedSteps, durations: Float[np.ndarray, "steps 3"], runs: Bool[np.ndarray, "steps"]
) -> None:
    """Double stances made longer or shorter until feet rest as long as is asked, in place; not in runs."""
    spans: list[tuple[int, int, int]] = []
    for landing, number in enumerate(planned.prints[:, 1].tolist()):
        if not np.isnan(planned.stances[number]):
            left = np.flatnonzero(planned.prints[:, 0] == number).tolist()
            walked = [leaving for leaving in left[:1] if not runs[landing : leaving + 1].any()]
            spans += [(landing, leaving, number) for leaving in walked]
    for _ in range(ROUNDS if spans else 0):
        for landing, leaving, number in spans:
            more = planned.stances[number] - _rest(durations, landing, leaving)
            halves = [(landing, 2), (landing + 1, 0), (leaving - 1, 2), (leaving, 0)]
            if leaving == landing + 1:
                halves = halves[:2]
            for half in halves:
                durations[half] = np.clip(durations[half] + more / len(halves), SHORTEST, LONGEST)


def _rest(durations: Float[np.ndarray, "steps 3"], landing: int, leaving: int) -> float:
    """From a strike to the toe-off of the same foot."""
    between = durations[landing + 1 : leaving].sum()
    return float(durations[landing, 2] + between + durations[leaving, 0])
