"""How weights, tilts, turns and pace go from where they are to where they must be, compiled."""

from __future__ import annotations

from footfall.geometry.kernel_cache import kernel
from footfall.geometry.kernels import smoothstep
from footfall.models.ring import layout
from footfall.models.ring.layout import SCALARS

PACE_UP, PACE_DOWN, PACE_OFF = 1.2, 10.0, 0.6  # of the pace, a second; the last of what is quicker than usual
SETTLED_BY = 0.7  # of a half cycle
GOES_HOME = 1.0  # s in which most of a wandered foot's way back is gone


@kernel()
def change_pace(state, seconds):  # type: ignore[no-untyped-def]
    change = state[layout.PACE_TO] - state[layout.PACE]
    down = PACE_OFF if state[layout.PACE] > 1.0 and state[layout.PACE_TO] >= 1.0 else PACE_DOWN
    state[layout.PACE] += min(max(change, -down * seconds), PACE_UP * seconds)


@kernel()
def settle(state, share):  # type: ignore[no-untyped-def]
    """A half's frame goes from where its foot came down to its ground: errors must not add up."""
    done = state[layout.SETTLES] * smoothstep(share / SETTLED_BY)
    state[layout.ORIGIN + 1] += done - state[layout.SETTLED]
    state[layout.SETTLED] = done


@kernel()
def go_home(state, seconds):  # type: ignore[no-untyped-def]
    """Feet of a rest go back, too slowly to be seen, to where they stood.

    Each half of its cycle is told beside one foot while the other wanders by a few millimetres, for what is
    blended is joints and not feet; from half to half that would add up.
    """
    half, share = int(state[layout.HALF]), min(seconds / GOES_HOME, 1.0)
    for c in range(3):
        back = share * (state[layout.HOMES + 3 * half + c] - state[layout.ORIGIN + c])
        state[layout.ORIGIN + c] += back
        state[layout.NEXT_ORIGIN + c] += back


@kernel()
def eased(t):  # type: ignore[no-untyped-def]
    """Hermite's weights of start, start's rate and end for a cubic that ends at rest."""
    t2, t3 = t * t, t * t * t
    rise = 3.0 * t2 - 2.0 * t3
    return 1.0 - rise, t3 - 2.0 * t2 + t, rise


@kernel()
def eased_rates(t):  # type: ignore[no-untyped-def]
    rise = 6.0 * t - 6.0 * t * t
    return -rise, 3.0 * t * t - 4.0 * t + 1.0, rise


@kernel()
def cubic_at(start, share, first, rate, last):  # type: ignore[no-untyped-def]
    """A value and its rate on the cubic that begins at a share with a rate and arrives at rest."""
    span = max(layout.ARRIVED - start, 1e-9)
    t = min(max((share - start) / span, 0.0), 1.0)
    a, b, c = eased(t)
    d, e, f = eased_rates(t)
    return a * first + b * span * rate + c * last, (d * first + e * span * rate + f * last) / span


@kernel("void(int64, float64[::1], float64, float64[::1], float64[::1])")
def weights_at(loops, state, share, weights, rates):  # type: ignore[no-untyped-def]
    """Weights and their rates (per half cycle) at a share of the half cycle."""
    start = state[layout.EASED_FROM]
    span = max(layout.ARRIVED - start, 1e-9)
    t = min(max((share - start) / span, 0.0), 1.0)
    a, b, c = eased(t)
    d, e, f = eased_rates(t)
    begun, moved = state[SCALARS : SCALARS + loops], state[SCALARS + loops : SCALARS + 2 * loops]
    planned = state[SCALARS + 2 * loops : SCALARS + 3 * loops]
    for s in range(loops):
        first, rate, last = begun[s], moved[s], planned[s]
        weights[s] = a * first + b * span * rate + c * last
        rates[s] = (d * first + e * span * rate + f * last) / span


@kernel("UniTuple(float64, 2)(float64[::1], float64, int64)")
def tilt_at(state, share, c):  # type: ignore[no-untyped-def]
    """The swinging foot's tilt (about x, y or z) and its rate at a share of the half cycle."""
    first, rate, last = state[layout.TILT_FROM + c], state[layout.TILT_RATE + c], state[layout.TILT_TO + c]
    return cubic_at(state[layout.EASED_FROM], share, first, rate, last)


@kernel()
def extra_at(state, share):  # type: ignore[no-untyped-def]
    """What is turned directly, and its rate, at a share of the half cycle."""
    first, rate, last = state[layout.EXTRA_FROM], state[layout.EXTRA_RATE], state[layout.EXTRA_TO]
    return cubic_at(state[layout.EASED_FROM], share, first, rate, last)


@kernel("float64(float64[::1], float64)")
def extra_now(state, share):  # type: ignore[no-untyped-def]
    return extra_at(state, share)[0]


@kernel()
def ease_from(loops, state, share, weights, rates):  # type: ignore[no-untyped-def]
    """From now on the weights go from what they are, at the rate they have, to those of the next strike."""
    extra, extra_rate = extra_at(state, share)
    for c in range(3):
        tilt, rate = tilt_at(state, share, c)
        state[layout.TILT_FROM + c], state[layout.TILT_RATE + c] = tilt, rate
    state[layout.EXTRA_FROM], state[layout.EXTRA_RATE] = extra, extra_rate
    state[layout.EASED_FROM] = share
    for s in range(loops):
        state[SCALARS + s] = weights[s]
        state[SCALARS + loops + s] = rates[s]
