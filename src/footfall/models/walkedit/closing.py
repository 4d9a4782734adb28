"""Cycles closed: what was captured over a cycle, changed near its seam until it can be repeated."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.geometry import quaternion as quat

NEAR = 0.15  # of a cycle, on either side of the seam


def closed(values: Float[np.ndarray, "samples dims"]) -> Float[np.ndarray, "samples dims"]:
    """Values over a cycle whose end meets its beginning, in rate as well; the first sample is the last."""
    gap = values[-1] - values[0]
    out = values + _offsets(len(values), gap, _rate_gap(np.diff(values, axis=0), np.diff(values, axis=0)))
    out[-1] = out[0]
    return out


def closed_turns(turns: Float[np.ndarray, "samples joints 4"]) -> Float[np.ndarray, "samples joints 4"]:
    """The same for rotations, in the frame of the bone that turns."""
    gap = quat.log(quat.multiply(quat.conjugate(turns[0]), turns[-1]))
    rates = quat.log(quat.multiply(quat.conjugate(turns[:-1]), turns[1:]))
    # both ends are turned to meet half way, and their rates with them
    last, first = quat.rotate(quat.exp(0.5 * gap), rates), quat.rotate(quat.exp(-0.5 * gap), rates)
    out = quat.multiply(turns, quat.exp(_offsets(len(turns), gap, _rate_gap(first, last))))
    out = quat.continuous(out)
    out[-1] = out[0]  # of one sign all round: no joint of a walk turns by half a turn
    return out


def _rate_gap(
    first: Float[np.ndarray, "samples-1 *dims"], last: Float[np.ndarray, "samples-1 *dims"]
) -> np.ndarray:
    """Per cycle, at the seam: from two frames or so on either side, led on to it by what lies before these.

    Single steps are noisy, and means alone would take a bend at the seam for a corner.
    """
    few = max(len(first) // 64, 1)
    near, far = last[-few:].mean(axis=0), last[-2 * few : -few].mean(axis=0)
    end = near + 0.5 * (near - far)
    near, far = first[:few].mean(axis=0), first[few : 2 * few].mean(axis=0)
    return (end - (near + 0.5 * (near - far))) * len(first)


def _offsets(samples: int, gap: np.ndarray, rate: np.ndarray) -> np.ndarray:
    """Cubics that take half of a gap, and of a gap in rate, away at either end and vanish within NEAR."""
    past = np.linspace(0.0, 1.0, samples).reshape(-1, *[1] * gap.ndim)
    out = np.zeros((samples, *gap.shape))
    for away, sign in ((past / NEAR, 1.0), ((1.0 - past) / NEAR, -1.0)):
        t = np.minimum(away, 1.0)
        value, slope = 2.0 * t**3 - 3.0 * t**2 + 1.0, t**3 - 2.0 * t**2 + t
        out = out + 0.5 * (sign * gap * value + rate * NEAR * slope)
    return out
