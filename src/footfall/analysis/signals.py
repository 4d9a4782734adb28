"""Small filters on sampled signals; time is the first axis and all widths are in seconds or frames."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from jaxtyping import Bool, Float

from footfall.figure.contacts import runs_of


def box(values: Float[np.ndarray, "frames *rest"], width: int) -> Float[np.ndarray, "frames *rest"]:
    """Mean over `width` frames (made odd), the ends continued."""
    from scipy.ndimage import uniform_filter1d

    width = max(int(width) | 1, 1)
    if width == 1 or len(values) < 2:
        return values
    return uniform_filter1d(np.asarray(values, dtype=float), width, axis=0, mode="nearest")


def despiked(
    places: Float[np.ndarray, "frames dims"], fps: float, seconds: float = 0.025
) -> Float[np.ndarray, "frames dims"]:
    """Short excursions replaced by the median around them; ordinary motion is left as it is.

    A frame counts as a spike when it is farther from its median neighbourhood than real acceleration allows.
    """
    from scipy.ndimage import median_filter

    half = max(round(seconds * fps / 2), 1)
    if len(places) < 2 * half + 1:
        return places
    calm = median_filter(places, size=(4 * half + 1, 1), mode="nearest")
    away = np.linalg.norm(places - calm, axis=-1)
    # feet accelerate up to about 150 m/s^2; over the window that moves a point this far from its median
    allowed = 0.5 * 150.0 * (2 * half / fps) ** 2 + 0.01
    return np.where((away > allowed)[:, None], calm, places)


def speed(places: Float[np.ndarray, "frames dims"], fps: float) -> Float[np.ndarray, "frames"]:
    """Length of the velocity by central differences."""
    if len(places) < 2:
        return np.zeros(len(places))
    return np.linalg.norm(np.gradient(places, 1.0 / fps, axis=0), axis=-1)


def smoothed_speed(
    places: Float[np.ndarray, "frames dims"], fps: float, seconds: float
) -> Float[np.ndarray, "frames"]:
    return box(speed(places, fps), round(seconds * fps))


def mended(mask: Bool[np.ndarray, "frames"], gap: int) -> Bool[np.ndarray, "frames"]:
    """Gaps of up to `gap` frames between true stretches filled."""
    out = mask.copy()
    stretches = runs_of(mask)
    for (_, end), (start, _) in pairwise(stretches):
        if start - end <= gap:
            out[end:start] = True
    return out
