"""Where to stand in front of a thing: near it, facing it, with both feet on the ground."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Float

from footfall.geometry.decisions import order_of
from footfall.planning.footsteps.reasons import why_not_there
from footfall.world.shapes.placed import Placed

if TYPE_CHECKING:
    from footfall.planning.footsteps.planner import FootPlanner

AWAY = (0.12, 0.2, 0.3, 0.45, 0.6)  # m from the chest to the thing, the nearest first
SIDES = 24  # directions in which it is tried
A_CORNER = 15.0  # m one would go for each metre by which a thing recedes to both sides
SHOULDER = 0.15  # m to either side
NEARBY = 0.005  # m over which distances are differentiated

Place = Float[np.ndarray, "3"]


def stand_before(planner: FootPlanner, thing: Placed, here: Place) -> tuple[Place, float] | None:
    """The place before a thing that is nearest to `here`, and the heading that faces it, if there is any.

    One stands as near as one can, for hands to reach it.
    """
    middle = thing.body.places[0][[0, 2]]
    angles = np.linspace(0.0, 2.0 * np.pi, SIDES, endpoint=False)
    outward = np.stack([np.sin(angles), np.cos(angles)], axis=1)
    reach = np.array([thing.along(np.array([u, 0.0, w]))[1] - middle @ (u, w) for u, w in outward])
    for away in AWAY:
        far = reach + away + 0.5 * planner.body.depth
        places = middle + far[:, None] * outward
        facings = np.array([_towards(thing, x, z) for x, z in places])
        corners = np.array(
            [_recedes(thing, at[0], at[1], way) for at, way in zip(places, facings, strict=True)]
        )
        far_away = np.hypot(*(places - here[[0, 2]]).T)
        for k in order_of(far_away + A_CORNER * corners):
            x, z = places[k]
            level = float(planner.ground.terrain.height(x, z, here[1] + 10.0 * planner.limits.step))
            if not np.isfinite(level):
                continue
            place, facing = np.array([x, level, z]), float(facings[k])
            if not why_not_there(planner, place, facing):
                return place, facing
    return None


def _towards(thing: Placed, x: float, z: float) -> float:
    """The heading from a place straight to the nearest side of a thing."""
    at = np.array([x, thing.body.places[0][1], z])
    east, north = (
        float(thing.distance_to(at - by) - thing.distance_to(at + by)) for by in NEARBY * np.eye(3)[[0, 2]]
    )
    return float(np.arctan2(east, north))


def _recedes(thing: Placed, x: float, z: float, facing: float) -> float:
    """m that a thing is farther from one's shoulders than from one's chest: little before a flat side."""
    height = thing.body.places[0][1]
    left = SHOULDER * np.array([np.cos(facing), 0.0, -np.sin(facing)])
    middle = np.array([x, height, z])
    own, one, other = (float(thing.distance_to(middle + by)) for by in (0.0 * left, left, -left))
    return max(0.5 * (one + other) - own, 0.0)
