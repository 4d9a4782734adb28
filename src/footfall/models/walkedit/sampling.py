"""Tables read between their samples, and captured frames between frames."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, Int

from footfall.geometry import quaternion as quat


def sampled(values: Float[np.ndarray, "frames *dims"], at: Float[np.ndarray, "n"]) -> np.ndarray:
    """A smooth curve through frames, at places between them; only what lies near is looked at."""
    from scipy.interpolate import make_interp_spline

    first, last = max(int(np.floor(at.min())) - 4, 0), min(int(np.ceil(at.max())) + 5, len(values))
    order = min(3, last - first - 1)
    if order < 1:
        return np.repeat(values[first:last], len(at), axis=0)
    return make_interp_spline(np.arange(first, last), values[first:last], k=order)(at)


def sampled_turns(turns: Float[np.ndarray, "frames *joints 4"], at: Float[np.ndarray, "n"]) -> np.ndarray:
    return quat.normalize(sampled(quat.continuous(turns), at))


def spot(
    knots: Float[np.ndarray, "samples"], at: Float[np.ndarray, "n"]
) -> tuple[Int[np.ndarray, "n"], Float[np.ndarray, "n"]]:
    """The samples before `at`, and how far it is on the way to the next."""
    i = np.clip(np.searchsorted(knots, at, side="right") - 1, 0, len(knots) - 2)
    span = knots[i + 1] - knots[i]
    return i, np.clip((at - knots[i]) / np.where(span > 0.0, span, 1.0), 0.0, 1.0)


def even_spot(
    samples: int, share: Float[np.ndarray, "n"]
) -> tuple[Int[np.ndarray, "n"], Float[np.ndarray, "n"]]:
    """The same for samples that are evenly spaced over shares from 0 to 1."""
    x = np.clip(share, 0.0, 1.0) * (samples - 1)
    i = np.minimum(x.astype(int), samples - 2)
    return i, x - i


def mixed(
    table: Float[np.ndarray, "samples *dims"], i: Int[np.ndarray, "n"], f: Float[np.ndarray, "n"]
) -> np.ndarray:
    """Straight between two samples."""
    f = f.reshape(-1, *[1] * (table.ndim - 1))
    return table[i] * (1.0 - f) + table[i + 1] * f


def mixed_turns(
    table: Float[np.ndarray, "samples *joints 4"], i: Int[np.ndarray, "n"], f: Float[np.ndarray, "n"]
) -> np.ndarray:
    """The same for turns, whose samples must lie on one hemisphere."""
    out = mixed(table, i, f)
    return out / np.sqrt(np.einsum("...i,...i->...", out, out))[..., None]


def read(table: Float[np.ndarray, "samples *dims"], share: Float[np.ndarray, "n"]) -> np.ndarray:
    """An evenly sampled table at shares of its length."""
    return mixed(table, *even_spot(len(table), share))


def read_turns(table: Float[np.ndarray, "samples *joints 4"], share: Float[np.ndarray, "n"]) -> np.ndarray:
    return mixed_turns(table, *even_spot(len(table), share))
