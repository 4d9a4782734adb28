"""A foot's own clock: stance and swing of all examples run together on it, whatever gait they are of.

[body] 4.1 blends only between the same foot placements. A run's foot has left long before a walk's has, so
one phase for the body is not enough: a blend would be half in the air. So each foot has a clock that tells
what it does: it strikes at 0, lies flat from FLAT to HEEL_OFF, leaves at OFF and strikes again at 1.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

FLAT, HEEL_OFF, OFF = 0.15, 0.35, 0.5
MARKS = np.array([0.0, FLAT, HEEL_OFF, OFF, 1.0])
EASES = 0.2  # of the clock in which a sole that should lie flat comes to and leaves it
LATEST = 0.92  # of a cycle: no foot leaves later
EARLIEST = 0.12

Phases = Float[np.ndarray, "3"]  # of a cycle after the strike: flat, heel off, off


def phase_at(clock: Float[np.ndarray, "n"], events: Phases) -> Float[np.ndarray, "n"]:
    """The phase after its strike at which a foot's clock shows a time."""
    return np.interp(clock, MARKS, np.concatenate([[0.0], events, [1.0]]))


def clock_at(phase: Float[np.ndarray, "n"], events: Phases) -> Float[np.ndarray, "n"]:
    """What a foot's clock shows at a phase after its strike."""
    return np.interp(phase, np.concatenate([[0.0], events, [1.0]]), MARKS)


def sound_events(flat: float, heel_off: float, off: float) -> Phases:
    """Events in order, and none of no length."""
    off = float(np.clip(off, EARLIEST, LATEST))
    apart = 0.04 * off
    flat = float(np.clip(flat, apart, off - 2 * apart))
    return np.array([flat, float(np.clip(heel_off, flat + apart, off - apart)), off])


def laid_flat(angles: Float[np.ndarray, "n 3"], clock: Float[np.ndarray, "n"]) -> Float[np.ndarray, "n 3"]:
    """Yaw, pitch and roll of a sole that lies flat while it should, and never rolls while it stands."""
    made = angles.copy()
    lies = (clock >= FLAT) & (clock <= HEEL_OFF)
    # what is left when it should lie flat is taken out there, and less and less away from it
    at = [np.interp([FLAT, HEEL_OFF], clock, angles[:, 1])]
    before = np.interp(clock, [0.0, FLAT], [0.0, 1.0]) * at[0][0]
    after = np.interp(clock, [HEEL_OFF, OFF], [1.0, 0.0]) * at[0][1]
    made[:, 1] -= np.where(clock < FLAT, before, np.where(clock > HEEL_OFF, after, angles[:, 1]))
    made[lies, 1] = 0.0
    swing = np.clip(np.minimum(clock - OFF, 1.0 - clock) / EASES, 0.0, 1.0)
    made[:, 2] *= swing * swing * (3.0 - 2.0 * swing)
    return made
