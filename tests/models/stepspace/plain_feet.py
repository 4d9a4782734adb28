"""Both feet at all frames, in plain NumPy: what the compiled ones are held against."""

from __future__ import annotations

import numpy as np
from jaxtyping import Bool, Float, Int

from footfall.adapt.foot_roll import NEARLY, shaped
from footfall.figure.contacts import SIDES
from footfall.geometry.easing import smooth
from footfall.models.stepspace.curves import Moments
from footfall.models.stepspace.feet import (
    LIES,
    ON_TOES,
    ROLLS,
    SHORT,
    FootWay,
    beside,
    channels_at,
    lying_toe,
    swinging,
    unrocked,
)
from footfall.models.stepspace.foot_channels import SUPPORTING
from footfall.models.stepspace.joined import JoinedSteps
from footfall.models.stepspace.planned import PlannedSteps
from footfall.models.stepspace.stage import Soles

Numbers = Float[np.ndarray, "frames"]


def feet_on_prints(
    soles: Soles, planned: PlannedSteps, steps: JoinedSteps, moments: Moments
) -> dict[str, FootWay]:
    """Both feet at all frames."""
    step = moments.step
    swing = swinging(soles, planned, steps, step, moments.since)
    support = _standing(soles, planned, steps, step, moments.since)
    if steps.events.swing[:, 0].min() == 0:  # steps that are run: the support foot is in the air as well
        support = _over_flights(soles, planned, steps, moments, support)
    swings = planned.feet[step]
    return {side: _picked(swings == k, swing, support) for k, side in enumerate(SIDES)}


def _over_flights(
    soles: Soles, planned: PlannedSteps, steps: JoinedSteps, moments: Moments, support: FootWay
) -> FootWay:
    """Support feet before they land and after they have left: swing feet of the step before or the next."""
    step, seconds = moments.step, steps.times[:, -1]
    down, up = (steps.feet_times[step, steps.events.support[step, k]] for k in range(2))
    early = (moments.since < down) & (step > 0)
    late = (moments.since > up) & (step < len(planned) - 1)
    before, after = np.maximum(step - 1, 0), np.minimum(step + 1, len(planned) - 1)
    runs = steps.events.swing[:, 0] == 0
    # a foot that comes from a walking step, or goes on to one, stands
    early &= runs[before] & (planned.feet[before] != planned.feet[step])
    late &= runs[after] & (planned.feet[after] != planned.feet[step])
    other = np.where(early, before, after)
    since = np.where(early, moments.since + seconds[before], moments.since - seconds[step])
    return _picked(early | late, swinging(soles, planned, steps, other, since), support)


def _picked(own: Bool[np.ndarray, "frames"], swing: FootWay, support: FootWay) -> FootWay:
    def pick(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return np.where(own.reshape(-1, *([1] * (a.ndim - 1))), a, b)

    toe = None if swing.toe is None or support.toe is None else pick(swing.toe, support.toe)
    return FootWay(
        pick(swing.ankle, support.ankle),
        pick(swing.turn, support.turn),
        toe,
        pick(swing.bound, support.bound),
        pick(swing.heel_down, support.heel_down),
        pick(swing.toe_down, support.toe_down),
        pick(swing.share, support.share),
        pick(swing.level, support.level),
        pick(swing.free, support.free),
    )


def _standing(
    soles: Soles,
    planned: PlannedSteps,
    steps: JoinedSteps,
    step: Int[np.ndarray, "frames"],
    since: Numbers,
) -> FootWay:
    """The support feet of steps."""
    feet, support = 1 - planned.feet[step], planned.prints[step, 2]
    own, more = channels_at(steps, step, since, swings=False)
    late = since - steps.lies[step]
    came = steps.came[step, (late > 0.0).astype(int), 1]
    first, last = (steps.feet_times[step, steps.events.support[step, k]] for k in range(2))
    room = np.where(late > 0.0, last - steps.lies[step], steps.lies[step] - first)
    lies = smooth((np.abs(late) - LIES) / np.clip(room - LIES, SHORT, ROLLS))
    rolls = lies[:, None] * unrocked(own[:, SUPPORTING], more[:, SUPPORTING], came)
    # before a foot has lain its heel rises no more, unless it came on its toes
    free = lies * np.where(late > 0.0, 1.0, smooth(rolls[:, 0] / ON_TOES))
    roll = shaped(rolls)
    still = np.zeros(len(roll), dtype=bool)
    zero = np.zeros(len(roll))
    ankle, turn = beside(soles, feet, planned, support, roll, np.zeros(roll.shape), still, roll, zero)
    flat = np.abs(roll[:, 0]) < NEARLY
    return FootWay(
        ankle=ankle,
        turn=turn,
        toe=lying_toe(soles, feet, roll),
        bound=np.ones(len(roll)),
        heel_down=flat | (roll[:, 0] < 0.0),
        toe_down=flat | (roll[:, 0] > 0.0),
        share=zero,
        level=planned.places[support, 1],
        free=free,
    )
