"""Closing the gap: a curve that ends near where it began is made one that ends there ([rings] eq. 1, 2).

The paper fits a "biquadratic" spline of four control points; a cubic Bezier piece has four and is used here.
Its outer two lie on the curve, at t_b and t_e: fitted freely they miss it by what eq. 2 can only weigh.
The inner two are fitted by least squares (eq. 1). Both boundary terms of eq. 2 are second differences across
the border. All regions [t_b, t_e] are tried.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from jaxtyping import Float

from footfall.errors import RequestError
from footfall.geometry.decisions import first_least

BORDER_WEIGHT = 10.0  # alpha, [rings] 3.1
LEAST_REACH = 4  # frames on either side of the gap
MOST_REACH = 0.25  # of a cycle on either side,
MOST_FRAMES = 40  # and never more: all pairs are tried


@dataclass(frozen=True, eq=False)
class Seam:
    """The closure: `places` are the new points of frames -before, ..., after, counted from the gap.

    Frame -1 is the last of the cycle and frame 0 its first. The first and last place are the curve's own.
    """

    before: int
    after: int
    places: Float[np.ndarray, "frames dims"]
    cost: float  # m, the value of eq. 2


def best_seam(cycle: Float[np.ndarray, "frames dims"]) -> Seam:
    """Of all regions about the gap between the last and the first frame of a cycle, the one of least cost."""
    most = min(int(MOST_REACH * len(cycle)), MOST_FRAMES)
    if most < LEAST_REACH:
        raise RequestError(f"a cycle of {len(cycle)} frames is too short to be closed")
    tried = [
        close(cycle, before, after)
        for before in range(LEAST_REACH, most + 1)
        for after in range(LEAST_REACH, most + 1)
    ]
    return tried[int(first_least(np.array([seam.cost for seam in tried])))]


def close(cycle: Float[np.ndarray, "frames dims"], before: int, after: int) -> Seam:
    """The Bezier piece from `before` frames before the gap to `after` frames after it, and its cost."""
    region = np.concatenate([cycle[-before:], cycle[: after + 1]])
    places = fitted(region)
    # [rings] eq. 2: second differences across both borders, and how far the piece leads away
    start = 2.0 * region[0] - cycle[-before - 1] - places[1]
    end = 2.0 * region[-1] - cycle[after + 1] - places[-2]
    away = np.sqrt(np.square(region - places).sum() / (before + after))
    cost = BORDER_WEIGHT * (np.linalg.norm(start) + np.linalg.norm(end)) + away
    return Seam(before, after, places, float(cost))


def fitted(region: Float[np.ndarray, "frames dims"]) -> Float[np.ndarray, "frames dims"]:
    """The cubic Bezier piece from the first point to the last nearest to those between ([rings] eq. 1)."""
    outer, inner, fit = _bases(len(region))
    ends = outer @ region[[0, -1]]
    places = ends + inner @ (fit @ (region - ends))
    places[[0, -1]] = region[[0, -1]]
    return places


@cache
def _bases(frames: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What the outer and the inner control points weigh at each frame, and the fit of the inner ones."""
    basis = bernstein(np.linspace(0.0, 1.0, frames))
    return basis[:, [0, 3]], basis[:, 1:3], np.linalg.pinv(basis[:, 1:3])


def bernstein(share: Float[np.ndarray, "n"]) -> Float[np.ndarray, "n 4"]:
    """The cubic's four basis functions at shares from 0 to 1."""
    rest = 1.0 - share
    return np.stack([rest**3, 3 * rest**2 * share, 3 * rest * share**2, share**3], axis=-1)
