"""A simple polygon cut into triangles by its ears, and these joined into few convex parts.

Ears: a corner whose triangle with its neighbours holds no other corner can be cut off (Meisters 1975). Parts:
diagonals that no part needs to stay convex are left out, which gives at most four times as many parts as
the fewest possible (Hertel, Mehlhorn 1983).
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Bool, Float, Int

from footfall.world.shapes.outline import Outline


def _turns(before: Outline, here: Outline, after: Outline) -> Float[np.ndarray, "*n"]:
    """Twice the area of the triangle; positive where the outline turns as it should at `here`."""
    a, b = here - before, after - here
    return a[..., 1] * b[..., 0] - a[..., 0] * b[..., 1]


def triangulate(corners: Outline) -> Int[np.ndarray, "triangles 3"]:
    """Of an outline that turns from +Z towards +X; triangles turn the same way and use every corner."""
    count = len(corners)
    before, after = np.roll(np.arange(count), 1), np.roll(np.arange(count), -1)
    turn = _turns(corners[before], corners, corners[after])
    left = np.ones(count, dtype=bool)
    ears = np.array([_is_ear(corners, before, after, turn, left, i) for i in range(count)])
    triangles = []
    for _ in range(count - 3):
        tip = _next_ear(ears, turn, left)
        a, b = before[tip], after[tip]
        triangles.append((a, tip, b))
        left[tip] = ears[tip] = False
        after[a], before[b] = b, a
        for i in (a, b):
            turn[i] = _turns(corners[before[i]], corners[i], corners[after[i]])
        for i in (a, b):
            ears[i] = _is_ear(corners, before, after, turn, left, i)
    last = np.flatnonzero(left)
    return np.array([*triangles, tuple(last)])


def _is_ear(
    corners: Outline,
    before: Int[np.ndarray, "corners"],
    after: Int[np.ndarray, "corners"],
    turn: Float[np.ndarray, "corners"],
    left: Bool[np.ndarray, "corners"],
    tip: int,
) -> bool:
    """Whether the triangle at a corner has an area and holds none of the corners that turn the other way."""
    if turn[tip] <= 0.0:
        return False
    a, b = before[tip], after[tip]
    others = left & (turn <= 0.0)
    others[[a, b]] = False
    p, q, r, points = corners[a], corners[tip], corners[b], corners[others]
    held = (_turns(p, q, points) >= 0.0) & (_turns(q, r, points) >= 0.0) & (_turns(r, p, points) >= 0.0)
    return not held.any()


def _next_ear(
    ears: Bool[np.ndarray, "corners"], turn: Float[np.ndarray, "corners"], left: Bool[np.ndarray, "corners"]
) -> int:
    """The ear with the most area: slivers are left for later, when they may be part of something better.

    A simple outline has always an ear; where rounding hides it, the corner that turns most will do.
    """
    candidates = ears & left
    if not candidates.any():
        candidates = left
    return int(np.argmax(np.where(candidates, turn, -np.inf)))


def convex_parts(corners: Outline, triangles: Int[np.ndarray, "triangles 3"]) -> list[list[int]]:
    """The triangles joined over diagonals while that leaves convex parts; each part as a ring of corners."""
    parts = {i: [int(c) for c in triangle] for i, triangle in enumerate(triangles)}
    owner = {edge: i for i, part in parts.items() for edge in _edges(part)}
    for a, b in sorted(edge for edge in owner if edge[0] < edge[1] and edge[::-1] in owner):
        one, two = owner[a, b], owner[b, a]
        ring = _joined(parts[one], parts[two], a, b)
        if not _convex_at(corners, ring, a) or not _convex_at(corners, ring, b):
            continue
        parts[one] = ring
        del parts[two]
        owner.update(dict.fromkeys(_edges(ring), one))
    return [parts[i] for i in sorted(parts)]


def _edges(ring: list[int]) -> list[tuple[int, int]]:
    return list(zip(ring, [*ring[1:], ring[0]], strict=True))


def _joined(one: list[int], two: list[int], a: int, b: int) -> list[int]:
    """Two rings as one, without the edge from a to b of the first and from b to a of the second."""
    i, j = one.index(b), two.index(a)
    return [*one[i:], *one[:i], *(two[j:] + two[:j])[1:-1]]


def _convex_at(corners: Outline, ring: list[int], corner: int) -> bool:
    at = ring.index(corner)
    before, after = ring[at - 1], ring[(at + 1) % len(ring)]
    return bool(_turns(corners[before], corners[corner], corners[after]) >= 0.0)
