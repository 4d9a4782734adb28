"""Generic time without corners: the same moments at the keytimes, and rates that do not jump there.

Eq. 3 of [movements] runs straight from keytime to keytime. Where two examples share a short stretch before
a keytime and a long one after it, time in one of them runs on there at another rate than in the blend, all
at once: hands and head get a blow at every toe-off. Here time is the monotone cubic of Fritsch and Carlson
(1980) through the keytimes, over generic time. An example blended with itself still gives itself.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

Times = Float[np.ndarray, "*queries"]
ROUNDS = 60  # of a bisection at most; Newton's steps are few


def cubics(keytimes: Float[np.ndarray, "*examples keys"]) -> Float[np.ndarray, "*examples keys-1 4"]:
    """For each stretch the coefficients of time over the share of the stretch, constant first."""
    keys = np.asarray(keytimes, dtype=float)
    length = np.diff(keys, axis=-1)
    rate = np.empty(keys.shape)
    rate[..., 0], rate[..., -1] = length[..., 0], length[..., -1]
    before, after = length[..., :-1], length[..., 1:]
    # the harmonic mean: never more than twice the smaller, so that time always goes forwards
    rate[..., 1:-1] = 2.0 * before * after / (before + after)
    start, end = rate[..., :-1], rate[..., 1:]
    return np.stack(
        [keys[..., :-1], start, 3.0 * length - 2.0 * start - end, start + end - 2.0 * length], axis=-1
    )


def time_at(generic: Times | float, coefficients: Float[np.ndarray, "*examples stretches 4"]) -> Times:
    """Times of one example, or of each of many, at generic times: (*examples, *queries)."""
    stretches = coefficients.shape[-2]
    g = np.clip(np.asarray(generic, dtype=float), 0.0, stretches)
    i = np.minimum(g.astype(int), stretches - 1)
    u = g - i
    c = coefficients[..., i, :]
    return c[..., 0] + u * (c[..., 1] + u * (c[..., 2] + u * c[..., 3]))


def generic_at(times: Times | float, coefficients: Float[np.ndarray, "stretches 4"]) -> Times:
    """The generic times of times: what `time_at` undoes; held at the ends."""
    t = np.asarray(times, dtype=float)
    keys = np.append(coefficients[:, 0], coefficients[-1].sum())
    t = np.clip(t, keys[0], keys[-1])
    i = np.clip(np.searchsorted(keys, t, side="right") - 1, 0, len(coefficients) - 1)
    c0, c1, c2, c3 = np.moveaxis(coefficients[i], -1, 0)
    low, high = np.zeros(t.shape), np.ones(t.shape)
    u = (t - keys[i]) / (keys[i + 1] - keys[i])
    for _ in range(ROUNDS):
        over = c0 + u * (c1 + u * (c2 + u * c3)) - t
        low, high = np.where(over < 0.0, u, low), np.where(over > 0.0, u, high)
        rate = c1 + u * (2.0 * c2 + u * 3.0 * c3)
        step = u - over / np.where(rate > 0.0, rate, 1.0)
        # Newton where it stays between what is known, else the middle
        closer = np.where((step > low) & (step < high) & (rate > 0.0), step, 0.5 * (low + high))
        closer = np.where(over == 0.0, u, closer)
        if np.abs(closer - u).max(initial=0.0) <= 1e-16:
            break
        u = closer
    return np.where(t >= keys[-1], float(len(coefficients)), i + u)
