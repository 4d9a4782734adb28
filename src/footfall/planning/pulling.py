"""String pulling: the way over a lattice becomes the short way a person would take round the same obstacles.

First from place to place by the farthest one in sight, then every corner is drawn in as far as its legs stay
clear: it stays one corner, with legs on which an arc can lie. No leg comes nearer to anything than the way it
replaces did, up to the room that is comfortable.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from footfall.geometry.decisions import clearly_less
from footfall.planning.walk_map import WalkMap

SWEEPS = 4  # over all corners
HALVINGS = 5  # of how far a corner is drawn in
WORTH = 1e-3  # m by which a sweep must shorten a way
LONGEST = 0.98  # of a leg by which its end is drawn: corners never become one
SHORT = 0.01  # m: a leg that is left alone

Legs = tuple[Int[np.ndarray, "k"], Float[np.ndarray, "k 2"], Float[np.ndarray, "k-1"]]


@dataclass(frozen=True, eq=False)
class Way:
    """Straight legs over the ground plan; `nodes` are the surfaces under the corners."""

    nodes: Int[np.ndarray, "k"]
    corners: Float[np.ndarray, "k 2"]
    room: Float[np.ndarray, "k-1"]  # m, the radius that each leg is clear for

    @property
    def length(self) -> float:
        return float(np.hypot(*np.diff(self.corners, axis=0).T).sum())


def pull(world: WalkMap, way: Way, most: float) -> Way:
    """The way pulled tight; `most` is the room that is enough."""
    way = _farthest(world, way, most)
    for _ in range(SWEEPS):
        shorter = _farthest(world, _drawn_in(world, way), most)
        done = way.length - shorter.length < WORTH
        way = shorter if clearly_less(shorter.length, way.length) else way
        if done:
            break
    return way


def _farthest(world: WalkMap, way: Way, most: float) -> Way:
    chosen, room = world.pulled(way.nodes, way.corners, way.room, most)
    return Way(way.nodes[chosen], way.corners[chosen], room)


def _drawn_in(world: WalkMap, way: Way) -> Way:
    """With each corner drawn along its legs, then in between them, as far as can be."""
    legs = way.nodes.copy(), way.corners.copy(), way.room
    nodes, corners, _ = legs
    for k in range(1, len(corners) - 1):
        for towards in (k - 1, k + 1, None):
            back, ahead = np.hypot(*(corners[k] - corners[k - 1])), np.hypot(*(corners[k + 1] - corners[k]))
            if min(back, ahead) < SHORT:
                break
            inner = (ahead * corners[k - 1] + back * corners[k + 1]) / (back + ahead)  # on the bisector
            end = inner if towards is None else corners[towards]
            nodes[k], corners[k] = _drawn_to(world, legs, k, corners[k] + LONGEST * (end - corners[k]))
    return Way(*legs)


def _drawn_to(world: WalkMap, legs: Legs, k: int, end: Float[np.ndarray, "2"]) -> tuple[int, np.ndarray]:
    """The surface and place of corner k, moved towards a place as far as its legs stay clear."""
    best, here = (int(legs[0][k]), legs[1][k].copy()), legs[1][k].copy()
    clear, share = 0.0, 1.0
    for halving in range(1, HALVINGS + 1):
        tried = here + share * (end - here)
        node = _reached(world, legs, k, tried)
        if node >= 0:
            clear, best = share, (node, tried)
        if clear == 1.0:
            break
        share += 0.5**halving if clear == share else -(0.5**halving)
    return best


def _reached(
    world: WalkMap,
    legs: Legs,
    k: int,
    tried: Float[np.ndarray, "2"],
) -> int:
    """The surface under another place for corner k; -1 where a leg would not be clear."""
    nodes, corners, room = legs
    node = world.sees(int(nodes[k - 1]), np.array([corners[k - 1], tried]), room[k - 1])
    if node < 0:
        return -1
    there = world.sees(node, np.array([tried, corners[k + 1]]), room[k])
    arrived = there >= 0 and (there == nodes[k + 1] or nodes[k + 1] in world.surfaces.links[there])
    return node if arrived else -1
