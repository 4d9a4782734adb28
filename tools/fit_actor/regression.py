"""From many cycles to few coefficients: Fourier series of phase, then ridge regression on the features."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.actor.curves import ORDER

RIDGE = 0.02  # of each feature's spread


def fourier(values: Float[np.ndarray, "phases *k"]) -> Float[np.ndarray, "coefficients *k"]:
    """The mean, then cosine and sine of each harmonic up to ORDER."""
    spectrum = np.fft.rfft(values, axis=0) / len(values)
    parts = [spectrum[0].real]
    for k in range(1, ORDER + 1):
        parts += [2.0 * spectrum[k].real, -2.0 * spectrum[k].imag]
    return np.stack(parts)


def regress(
    design: Float[np.ndarray, "n features"],
    values: Float[np.ndarray, "n k"],
    weight: Float[np.ndarray, "n"],
) -> Float[np.ndarray, "features k"]:
    """Weighted ridge regression; the constant, which comes first, is not held back."""
    root = np.sqrt(weight / weight.sum())[:, None]
    spread = np.sqrt((design**2 * root**2).sum(axis=0))
    held = RIDGE * spread * (np.arange(design.shape[1]) > 0)
    left = np.concatenate([design * root, np.diag(held)])
    right = np.concatenate([values * root, np.zeros((design.shape[1], values.shape[1]))])
    return np.linalg.lstsq(left, right, rcond=None)[0]
