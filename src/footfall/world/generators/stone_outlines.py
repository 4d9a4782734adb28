"""Outlines of stones inside the cells of a grid: irregular octagons, large enough for a foot where one goes.

A cell is given by its corners and the middles of its sides in turn. A stone's corners lie on the lines from a
centre to these eight, so that what is left between a stone and its cell are eight convex pieces.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Bool, Float

ROUND = np.array([[0.72, 0.9], [0.9, 1.0]])  # how far corners and middles of sides reach out, from and to
SMALL, LARGE = 0.5, 0.85  # of its cell, a stone on which no foot goes
ROOMY = (0.1, 0.6)  # of what its cell has to spare a stone for a foot takes, from and to


def stone_outlines(
    rng: np.random.Generator, cells: Float[np.ndarray, "*n 8 2"]
) -> Float[np.ndarray, "*n 8 2"]:
    centre = cells.mean(axis=-2, keepdims=True)
    size = rng.uniform(SMALL, LARGE, cells.shape[:-2])
    return _convex_ones(centre, cells - centre, size, _reach(rng, size.shape), None)


def foothold_outlines(
    rng: np.random.Generator, cells: Float[np.ndarray, "n 8 2"], feet: Float[np.ndarray, "n 4 2"]
) -> Float[np.ndarray, "n 8 2"]:
    """Outlines that have the given corners of feet inside."""
    centre = feet.mean(axis=-2, keepdims=True)
    spokes = cells - centre
    least = _least_size(spokes[:, ::2], feet - centre)
    size = least + (1.0 - least) * rng.uniform(*ROOMY, len(cells))
    return _convex_ones(centre, spokes, size, _reach(rng, size.shape), feet - centre)


def _reach(rng: np.random.Generator, shape: tuple[int, ...]) -> Float[np.ndarray, "*n 8"]:
    low, high = np.tile(ROUND, (4, 1)).T
    return rng.uniform(low, high, (*shape, 8))


def _least_size(
    corners: Float[np.ndarray, "n 4 2"], feet: Float[np.ndarray, "n 4 2"]
) -> Float[np.ndarray, "n"]:
    """How large a cell must at least be drawn for the feet to be inside; both relative to the centre."""
    along = np.roll(corners, -1, axis=1) - corners
    outward = np.stack([along[..., 1], -along[..., 0]], axis=-1)
    away = np.sum(outward * corners, axis=-1)
    return (np.einsum("nek,nfk->nef", outward, feet).max(axis=-1) / away).max(axis=-1)


def _convex_ones(
    centre: Float[np.ndarray, "*n 1 2"],
    spokes: Float[np.ndarray, "*n 8 2"],
    size: Float[np.ndarray, "*n"],
    reach: Float[np.ndarray, "*n 8"],
    feet: Float[np.ndarray, "*n 4 2"] | None,
) -> Float[np.ndarray, "*n 8 2"]:
    """As rounded as wished where that is convex and leaves the feet inside, else less, or like the cell."""
    chosen = spokes * size[..., None, None]
    for share in (0.15, 0.4, 0.7, 1.0):
        rounded = spokes * (size[..., None] * (1.0 - share * (1.0 - reach)))[..., None]
        good = _keeps(rounded, feet)
        chosen = np.where(good[..., None, None], rounded, chosen)
    return centre + chosen


def _keeps(
    outline: Float[np.ndarray, "*n 8 2"], feet: Float[np.ndarray, "*n 4 2"] | None
) -> Bool[np.ndarray, "*n"]:
    side = np.roll(outline, -1, axis=-2) - outline
    onward = np.roll(side, -1, axis=-2)
    good = np.asarray((_cross(side, onward) > 0.0).all(axis=-1))
    if feet is not None:
        towards = feet[..., None, :] - outline[..., None, :, :]
        good = good & (_cross(side[..., None, :, :], towards) > 0.0).all(axis=(-1, -2))
    return good


def _cross(a: Float[np.ndarray, "*n 2"], b: Float[np.ndarray, "*n 2"]) -> Float[np.ndarray, "*n"]:
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
