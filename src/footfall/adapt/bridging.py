"""Corrections that are known in stances and must be carried smoothly through what lies between them."""

from __future__ import annotations

import numpy as np
from jaxtyping import Bool, Float

from footfall.figure.contacts import runs_of
from footfall.geometry.easing import smoother


def bridged(
    values: Float[np.ndarray, "frames dims"],
    known: Bool[np.ndarray, "frames"],
    fps: float,
    settle: float,
) -> Float[np.ndarray, "frames dims"]:
    """Values where they are known; elsewhere eased from one known stretch to the next.

    The rate at the edge of a known stretch is carried on and dies away within `settle` seconds, so that what
    is corrected has no kink there. Before the first and after the last stretch the edge's value is held.
    """
    out = np.array(values, dtype=float)
    if not known.any():
        return np.zeros_like(out)
    for first, last in runs_of(~known):
        before, after = first - 1, last
        frames = np.arange(first, last)
        left = out[before] if before >= 0 else out[after]
        right = out[after] if after < len(out) else out[before]
        span = max(after - before, 1)
        share = smoother((frames - before) / span)[:, None]
        out[first:last] = left + share * (right - left)
        window = max(min(settle * fps, 0.5 * span), 1.0)
        if before >= 0:
            rate = _edge_rate(values, known, before, -1)
            out[first:last] += _dying(frames - before, window)[:, None] * rate
        if after < len(out):
            rate = _edge_rate(values, known, after, +1)
            out[first:last] -= _dying(after - frames, window)[:, None] * rate
    return out


def _edge_rate(
    values: Float[np.ndarray, "frames dims"], known: Bool[np.ndarray, "frames"], edge: int, inward: int
) -> Float[np.ndarray, "dims"]:
    """Change a frame at the edge of a known stretch, looking inward, towards increasing time."""
    reach = 0
    while reach < 2 and 0 <= edge + inward * (reach + 1) < len(known) and known[edge + inward * (reach + 1)]:
        reach += 1
    if reach == 0:
        return np.zeros(values.shape[1])
    return (values[edge + inward * reach] - values[edge]) * inward / reach


def _dying(frames: Float[np.ndarray, "n"], window: float) -> Float[np.ndarray, "n"]:
    """Starts at 0 with slope 1 and is back at 0 with slope 0 after `window` frames."""
    t = np.clip(frames / window, 0.0, 1.0)
    return window * (t * t * t - 2.0 * t * t + t)
