"""Offsets that are eased out, in plain NumPy: what the compiled ones are held against."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

Values = Float[np.ndarray, "steps samples channels"]


def eased(
    since: Float[np.ndarray, "steps samples"],
    seconds: Float[np.ndarray, "steps"],
    value: Float[np.ndarray, "steps channels"],
    rate: Float[np.ndarray, "steps channels"],
) -> tuple[Values, Values]:
    """An offset and its rate that begin as `value` and `rate` and are gone, with all rates, after `seconds`.

    Quintics: no acceleration is left over at either end.
    """
    u = np.clip(since / seconds[:, None], 0.0, 1.0)
    u2 = u * u
    u3 = u2 * u
    fade = 1.0 - u3 * (10.0 - 15.0 * u + 6.0 * u2)
    fading = -30.0 * u2 * (1.0 - u) ** 2
    carry = u - 6.0 * u3 + 8.0 * u2 * u2 - 3.0 * u3 * u2
    carrying = np.where(u < 1.0, 1.0 - 18.0 * u2 + 32.0 * u3 - 15.0 * u2 * u2, 0.0)
    long = seconds[:, None, None]
    offset = fade[..., None] * value[:, None] + carry[..., None] * long * rate[:, None]
    return offset, fading[..., None] / long * value[:, None] + carrying[..., None] * rate[:, None]
