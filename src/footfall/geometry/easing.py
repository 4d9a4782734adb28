"""Easing: how a change runs in time. Each takes t in [0, 1] (clamped) and returns values in [0, 1]."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

Numbers = Float[np.ndarray, "*batch"]


def smooth(t: Numbers | float) -> Numbers:
    """3 t^2 - 2 t^3: from 0 to 1 with zero rate at both ends ([rings] 4.1, see the errata)."""
    t = np.clip(t, 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)


def smoother(t: Numbers | float) -> Numbers:
    """6 t^5 - 15 t^4 + 10 t^3: zero rate and zero acceleration at both ends."""
    t = np.clip(t, 0.0, 1.0)
    return t * t * t * (t * (6.0 * t - 15.0) + 10.0)


def ease_out(t: Numbers | float) -> Numbers:
    """A difference that fades: 1 at t = 0, 0 at t = 1, zero rate at both ends ([movements] 6)."""
    return 1.0 - smooth(t)


def hermite(t: Numbers | float, start: float, end: float, start_rate: float, end_rate: float) -> Numbers:
    """The cubic with given values and rates (per unit of t) at 0 and 1."""
    t = np.clip(t, 0.0, 1.0)
    t2, t3 = t * t, t * t * t
    return (
        (2 * t3 - 3 * t2 + 1) * start
        + (t3 - 2 * t2 + t) * start_rate
        + (3 * t2 - 2 * t3) * end
        + (t3 - t2) * end_rate
    )
