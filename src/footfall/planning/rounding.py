"""Corners of a way rounded by arcs, as wide as there is room for; a corner without room stays.

An arc lies inside its corner, where the obstacle is: the room that legs keep beyond the body is what it uses.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.geometry.decisions import MARGIN, SLACK
from footfall.planning.pulling import Way
from footfall.planning.walk_map import WalkMap

STRAIGHT = np.radians(1.0)  # rad: a corner that turns less is none
SMALLEST = 0.005  # m of a leg that an arc may take
SHRINK = 0.75  # of an arc's radius, from one try to the next
CHORD = np.radians(8.0)  # rad that a chord of an arc turns at most

Place = Float[np.ndarray, "2"]


def round_corners(world: WalkMap, way: Way, radius: float, bend: float) -> Float[np.ndarray, "n 2"]:
    """The way as a line of points for a body of a radius; arcs have a radius of `bend` at most."""
    corners, node = way.corners, int(way.nodes[0])
    points = [corners[0]]
    lengths = np.hypot(*np.diff(corners, axis=0).T)
    # an arc has half of a leg, and all of one that no other needs
    shares = np.where(np.isin(np.arange(len(lengths)), (0, len(lengths) - 1)), 1.0, 0.5) * lengths
    for k in range(1, len(corners) - 1):
        arc = _arc(world, node, (points[-1], corners[k], corners[k + 1]), shares[k - 1 : k + 1], radius, bend)
        part = corners[k : k + 1] if arc is None else arc
        there = world.sees(node, np.vstack([points[-1:], part]), -1.0)
        node = there if there >= 0 else int(way.nodes[k])
        points += [place for place in part if _apart(place, points[-1])]
    if not _apart(corners[-1], points[-1]):  # the way ends at its very end
        points.pop()
    return np.array([*points, corners[-1]])


def _apart(one: Place, other: Place) -> bool:
    """Whether two points are two: where arcs meet in the middle of a leg, rounding alone parts them."""
    return bool(np.hypot(*(one - other)) > MARGIN)


def _arc(
    world: WalkMap,
    node: int,
    legs: tuple[Place, Place, Place],
    shares: Float[np.ndarray, "2"],
    radius: float,
    bend: float,
) -> Float[np.ndarray, "n 2"] | None:
    """The widest clear arc of a corner, points and chords; None where there is none."""
    before, here, after = legs
    back, ahead = before - here, after - here
    lengths = np.hypot(*back), np.hypot(*ahead)
    if min(lengths) < MARGIN:
        return None
    back, ahead = back / lengths[0], ahead / lengths[1]
    turn = np.pi - np.arccos(np.clip(back @ ahead, -1.0, 1.0))
    if turn < STRAIGHT or turn > np.pi - STRAIGHT:
        return None
    most = min(lengths[0], *shares)
    size = min(bend, most / np.tan(0.5 * turn))
    while size * np.tan(0.5 * turn) >= SMALLEST:
        arc = _points(here, back, ahead, turn, size)
        if world.sees(node, np.vstack([before, arc]), radius) >= 0:
            return arc
        size *= SHRINK
    return None


def _points(here: Place, back: Place, ahead: Place, turn: float, size: float) -> Float[np.ndarray, "n 2"]:
    """On an arc of a radius between both legs of a corner, ends included."""
    inwards = (back + ahead) / np.linalg.norm(back + ahead)
    middle = here + size / np.cos(0.5 * turn) * inwards
    across = (ahead - back) / np.linalg.norm(ahead - back)
    count = max(int(np.ceil(turn / CHORD - SLACK)), 2)
    angles = np.linspace(-0.5 * turn, 0.5 * turn, count + 1)
    return middle + size * (np.sin(angles)[:, None] * across - np.cos(angles)[:, None] * inwards)
