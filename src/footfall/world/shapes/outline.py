"""Outlines of polygons: whether one is simple, which way it turns, how far points are from it."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.world.shapes.fields import SMALLEST, FieldError

FEWEST, MOST = 3, 512  # corners
APART = 1e-9  # of the outline's size: what comes nearer touches

Outline = Float[np.ndarray, "corners 2"]


def check_simple(corners: Outline) -> None:
    """Refuses an outline whose edges meet anywhere but at the corners they share."""
    if not FEWEST <= len(corners) <= MOST:
        raise FieldError("corners", f"must be {FEWEST} to {MOST}, not {len(corners)}")
    corners = corners - 0.5 * (corners.min(axis=0) + corners.max(axis=0))
    edges = np.roll(corners, -1, axis=0) - corners
    size = float(np.abs(corners).max())
    if size < SMALLEST:
        raise FieldError("corners", f"must not all lie within {SMALLEST:g} m")
    near = APART * size
    short = np.flatnonzero(np.hypot(edges[:, 0], edges[:, 1]) <= near)
    if len(short):
        raise FieldError("corners", f"must be different places, but {_following(short[0], corners)} are one")
    _check_touching(corners, edges, near)
    _check_crossing(corners, edges)


def _following(first: int, corners: Outline) -> str:
    return f"corners {first} and {(first + 1) % len(corners)}"


def _check_touching(corners: Outline, edges: Outline, near: float) -> None:
    """No corner may lie on an edge that is not its own."""
    count = len(corners)
    offset = corners[None] - corners[:, None]  # from where edge i begins to corner j
    along = np.einsum("ijk,ik->ij", offset, edges) / np.sum(edges**2, axis=-1)[:, None]
    away = offset - np.clip(along, 0.0, 1.0)[..., None] * edges[:, None]
    touches = np.hypot(away[..., 0], away[..., 1]) <= near
    own = np.arange(count)
    touches[own, own] = touches[own, (own + 1) % count] = False
    if touches.any():
        edge, corner = np.argwhere(touches)[0]
        raise FieldError(
            "corners", f"must not touch other edges, but corner {corner} lies on the edge after corner {edge}"
        )


def _check_crossing(corners: Outline, edges: Outline) -> None:
    """No two edges may cross. Neighbours cannot: what could be wrong with them is a corner on an edge."""
    count = len(corners)
    offset = corners[None] - corners[:, None]
    left = (edges[:, None, 0] * offset[..., 1] - edges[:, None, 1] * offset[..., 0]) > 0.0
    parted = left != np.roll(left, -1, axis=1)  # edge j begins and ends on different sides of edge i
    crosses = parted & parted.T
    own = np.arange(count)
    for other in (own, (own + 1) % count):
        crosses[own, other] = crosses[other, own] = False
    if crosses.any():
        one, two = np.argwhere(crosses)[0]
        raise FieldError(
            "corners", f"must not cross themselves, but the edges after corners {one} and {two} do"
        )


def area(corners: Outline) -> float:
    """Enclosed; positive where the corners turn from +Z towards +X, as headings do."""
    x, z = (corners - corners[0]).T
    return 0.5 * float(np.sum(z * np.roll(x, -1) - x * np.roll(z, -1)))


def outline_distance(
    corners: Outline, x: Float[np.ndarray, "*n"], z: Float[np.ndarray, "*n"]
) -> Float[np.ndarray, "*n"]:
    """Of points from an outline; negative inside."""
    square = np.full(np.shape(x), np.inf)
    inside = np.zeros(np.shape(x), dtype=bool)
    for (ax, az), (bx, bz) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        ux, uz, px, pz = bx - ax, bz - az, x - ax, z - az
        share = np.clip((px * ux + pz * uz) / (ux * ux + uz * uz), 0.0, 1.0)
        square = np.minimum(square, (px - share * ux) ** 2 + (pz - share * uz) ** 2)
        # a ray along +x meets the edge if it ends on both sides of it and ahead of the point
        passed = (az > z) != (bz > z)
        inside ^= passed & ((px * uz < pz * ux) == (uz > 0.0))
    return np.where(inside, -1.0, 1.0) * np.sqrt(square)
