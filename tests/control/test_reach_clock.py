"""The clock of a reach: the examples' own time, a stop at the target, and turning round."""

from __future__ import annotations

import numpy as np
import pytest

from footfall.align.smooth_time import cubics, time_at
from footfall.control.reach_clock import SETS_OUT, Extents, ReachClock
from footfall.models.reach.reach_set import APEX, END, LEAVE

EXTENTS = Extents(np.linspace(0, 1, 33) ** 2, np.linspace(1, 0, 33))
STRETCHES = np.array([0.8, 0.4, 1.0])
DT = 1 / 240


def clock() -> ReachClock:
    made = ReachClock(stretches=STRETCHES)
    made.ask("out", EXTENTS)
    return made


def test_time_goes_as_in_the_examples() -> None:
    """Once it has set out, generic time goes by as `align.smooth_time` tells it."""
    own = clock()
    while own.generic < 0.3:
        own.advance(DT)
    before, seconds = own.generic, 0.0
    while own.generic < 0.95:
        own.advance(DT)
        seconds += DT
    keys = np.concatenate([[0.0], np.cumsum(STRETCHES)])
    told = time_at(np.array([before, own.generic]), cubics(keys))
    assert abs(float(told[1] - told[0]) - seconds) < 1e-4


def test_it_stays_on_the_target_and_goes_back_from_there() -> None:
    own = clock()
    assert own.stage == "to"
    left = own.seconds_out
    assert abs(left - 0.8) < 1e-9
    seconds = 0.0
    while own.stage == "to":
        own.advance(DT)
        seconds += DT
    assert abs(seconds - 0.8 - 0.5 * SETS_OUT) < 0.02
    for _ in range(2400):
        own.advance(DT)
    assert own.stage == "on"
    assert APEX < own.generic <= LEAVE
    own.ask("back", EXTENTS)
    assert own.stage == "back"
    assert own.fading == 0.0
    while own.stage == "back":
        own.advance(DT)
    assert own.stage == "rest"
    assert own.generic == END


@pytest.mark.parametrize("generic", [0.1, 0.5, 0.9])
def test_turning_round_the_hand_is_as_far_out(generic: float) -> None:
    turned = EXTENTS.turned_round(generic)
    assert LEAVE <= turned <= END
    shares = np.linspace(0, 1, 33)
    out = np.interp(generic, shares, EXTENTS.out)
    assert abs(np.interp(turned - LEAVE, shares, EXTENTS.back) - out) < 1e-9
    assert abs(EXTENTS.turned_round(turned) - generic) < 1e-9


def test_one_turn_after_the_other() -> None:
    own = clock()
    for _ in range(80):
        own.advance(DT)
    own.ask("back", EXTENTS)
    assert own.fading == 1.0
    kept = own.generic
    own.ask("out", EXTENTS)  # not yet
    assert own.wants == "back"
    assert own.generic == kept
    while own.fading > 0.0:
        own.advance(DT)
    own.ask("out", EXTENTS)
    assert own.wants == "out"
