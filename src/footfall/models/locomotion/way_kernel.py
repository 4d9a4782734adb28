"""The clock and the way, compiled: how fast the phase runs, where the character is, whether it stands."""

from __future__ import annotations

import numpy as np

from footfall.geometry.decisions_kernel import clearly_less, shortest_turn
from footfall.geometry.kernel_cache import kernel
from footfall.models.locomotion.layout import (
    AT_LEGS,
    AT_LOOPS,
    AT_SCALARS,
    EVENTS,
    FEET,
    FOOT,
    GROUND,
    HEADING,
    IDLE,
    IDLE_FPS,
    IDLE_TIME,
    KEEPS_ON,
    LEG,
    LEVEL,
    LIMP,
    LOOP,
    LOOPS,
    PHASE,
    PLACE,
    POINT,
    PRINT,
    ROOT_RATE,
    SECONDS,
    STANDING,
    STANDING_RATE,
    STANDS,
    STANDS_NOW,
    STANDS_TO,
    TRAVEL,
    VELOCITY,
    WEIGHTS,
    WISH,
)
from footfall.models.locomotion.weights_kernel import NUMBERS, SIZES

STOPS = 9.0  # 1/s: how fast a stand is taken up, and left
LEVELS, CLIMBS = 8.0, 2.0  # 1/s, and at most m/s: how fast the body follows the ground
GOES = 0.02  # m/s, and so many rad/s: who is asked for less stands
SLOW = 0.05  # m/s, and so many rad/s: who goes slower may come to stand
BESIDE, ALONG = 0.035, 0.1  # m, rad: feet that are so near to where they stand
BEFORE = 0.03  # of a cycle before a foot leaves, that who sets out begins


@kernel()
def event(sizes, numbers, state, side, which):  # type: ignore[no-untyped-def]
    """Of the blend: the phase after its strike at which a foot lies flat (0), its heel rises, it leaves."""
    total, weight = 0.0, 0.0
    for s in range(sizes[LOOPS]):
        i = sizes[AT_LOOPS] + LOOP * s
        own = state[WEIGHTS + s] * numbers[i + TRAVEL]
        weight += own
        total += own * numbers[i + EVENTS + 3 * side + which]
    return total / weight


@kernel()
def follow_level(state, level, speed, ground, rate, fastest, dt):  # type: ignore[no-untyped-def]
    """A level on its way to the ground's, critically damped: at an edge neither it nor its speed jumps."""
    # what is always `far` away is followed at the rate's half of it
    far = 2.0 * fastest / rate
    off = min(max(state[level] - ground, -far), far)
    push, fades = state[speed] + rate * off, np.exp(-rate * dt)
    state[level] += (off + push * dt) * fades - off
    state[speed] = (state[speed] - push * rate * dt) * fades


@kernel(f"void({SIZES}, {NUMBERS}, float64[::1])")
def set_out_or_stop(sizes, numbers, state):  # type: ignore[no-untyped-def]
    """Who stands and is asked to go sets out with the foot of that side; who goes and is asked to stand steps
    on the spot until the feet are side by side.
    """
    if state[KEEPS_ON] > 0.5:
        return
    asked = 0.0
    for k in range(3):
        asked = max(asked, abs(state[WISH + k]))
    if clearly_less(GOES, asked):
        if state[STANDS_TO] > 0.5 and state[STANDING] > 0.98:
            aside = state[WISH + 1] + 2.0 * state[WISH + 2]
            side = 0 if clearly_less(0.05, aside) else 1
            phase = 0.5 * side + event(sizes, numbers, state, side, 2) - BEFORE
            state[PHASE] = phase - np.floor(phase)
        state[STANDS_TO] = 0.0
        return
    if state[STANDS_TO] > 0.5:
        return
    for k in range(3):
        if abs(state[VELOCITY + k]) > SLOW:
            return
    c, s = np.cos(state[HEADING]), np.sin(state[HEADING])
    for side in range(2):
        foot, leg = FEET + FOOT * side, sizes[AT_LEGS] + LEG * side
        if state[foot + STANDS_NOW] < 0.5:
            return
        x, z = numbers[leg + STANDS], numbers[leg + STANDS + 2]
        dx = state[PLACE] + c * x + s * z - state[foot + PRINT]
        dz = state[PLACE + 1] + c * z - s * x - state[foot + PRINT + 2]
        turn = shortest_turn(state[HEADING] + numbers[leg + STANDS + 3] - state[foot + PRINT + 3])
        if dx * dx + dz * dz > BESIDE * BESIDE or abs(turn) > ALONG:
            return
    state[STANDS_TO] = 1.0


@kernel(f"void({SIZES}, {NUMBERS}, float64[::1], float64)")
def go_on(sizes, numbers, state, dt):  # type: ignore[no-untyped-def]
    """So many seconds on: the share of the stand, the phase, place and heading."""
    off = state[STANDING] - state[STANDS_TO]
    push, fades = state[STANDING_RATE] + STOPS * off, np.exp(-STOPS * dt)
    state[STANDING] = min(max(state[STANDS_TO] + (off + push * dt) * fades, 0.0), 1.0)
    state[STANDING_RATE] = (state[STANDING_RATE] - push * STOPS * dt) * fades
    if abs(state[STANDING] - state[STANDS_TO]) < 1e-4 and abs(state[STANDING_RATE]) < 1e-3:
        state[STANDING], state[STANDING_RATE] = state[STANDS_TO], 0.0
    # seconds a phase, and how far and round it goes in one
    wave, lasts = np.sin(2.0 * np.pi * state[PHASE]), 0.0
    ahead = turn = aside = 0.0
    for s in range(sizes[LOOPS]):
        i = sizes[AT_LOOPS] + LOOP * s
        own = state[WEIGHTS + s] * numbers[i + SECONDS] * (1.0 + numbers[i + LIMP] * wave)
        lasts += own
        ahead += own * numbers[i + POINT]
        turn += own * numbers[i + POINT + 1]
        aside += own * numbers[i + POINT + 2]
    ahead, turn, aside = ahead / lasts, turn / lasts, aside / lasts
    goes = dt * (1.0 - state[STANDING])
    share = 1.0 - state[STANDING]
    state[VELOCITY], state[VELOCITY + 1], state[VELOCITY + 2] = share * ahead, share * turn, share * aside
    phase = state[PHASE] + goes / lasts
    state[PHASE] = phase - np.floor(phase)
    middle = state[HEADING] + 0.5 * turn * goes
    c, s = np.cos(middle), np.sin(middle)
    state[PLACE] += goes * (c * aside + s * ahead)
    state[PLACE + 1] += goes * (c * ahead - s * aside)
    state[HEADING] += turn * goes
    period = sizes[IDLE] / numbers[sizes[AT_SCALARS] + IDLE_FPS]
    state[IDLE_TIME] = (state[IDLE_TIME] + dt) % period
    follow_level(state, LEVEL, ROOT_RATE, state[GROUND], LEVELS, CLIMBS, dt)
