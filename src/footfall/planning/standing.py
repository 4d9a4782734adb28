"""Where a body can stand: the surface under a place, and in words why it cannot be there."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, Int

from footfall.errors import NO_NUMBER, RequestError
from footfall.geometry.decisions import first_least
from footfall.planning.surfaces import WHY
from footfall.planning.walk_map import WalkMap

Place = Float[np.ndarray, "3"]


def checked_place(values: object, what: str) -> Float[np.ndarray, "k"]:
    """x and z, or x, y and z."""
    try:
        place = np.array(values, dtype=float)
    except NO_NUMBER:
        place = np.zeros(0)
    if place.shape not in ((2,), (3,)) or not np.isfinite(place).all():
        raise RequestError(f"the {what} must be two or three finite numbers, x and z or x, y and z")
    return place


def told(place: Float[np.ndarray, "k"]) -> str:
    """A place in a sentence."""
    return f"({', '.join(f'{c:.2f}' for c in np.round(place, 2) + 0.0)})"


def surface_at(world: WalkMap, place: Float[np.ndarray, "k"]) -> int:
    """The surface under a place, -1 where there is none: of several the one nearest to its height.

    A place without a height is at the highest that one can walk on, else at the highest.
    """
    surfaces = world.surfaces
    here = surfaces.over(place[0], place[-1])
    nodes = np.arange(here.start, here.stop)
    if not len(nodes):
        return -1
    walkable = nodes[surfaces.bar[nodes] == 0]
    if len(place) == 2:
        return int((walkable if len(walkable) else nodes)[-1])
    near = walkable[np.abs(surfaces.level[walkable] - place[1]) <= 0.5 * surfaces.limits.headroom]
    nodes = near if len(near) else nodes
    return int(nodes[first_least(np.abs(surfaces.level[nodes] - place[1]))])


def why_not(world: WalkMap, place: Float[np.ndarray, "k"], radius: float) -> str:
    """Why a body cannot stand at a place; nothing where it can."""
    surfaces, lattice = world.surfaces, world.surfaces.lattice
    if lattice.cell_at(place[0], place[-1]) < 0:
        return f"lies outside the map, which goes from {told(lattice.low)} to {told(lattice.high)} in x and z"
    node = surface_at(world, place)
    if node < 0:
        return "has no ground under it"
    if len(place) == 3 and abs(surfaces.level[node] - place[1]) > 0.5 * surfaces.limits.headroom:
        return f"is not on the ground, which is at {surfaces.level[node]:.2f} m there"
    if surfaces.bar[node]:
        return f"cannot be walked on: {WHY[int(surfaces.bar[node])]}"
    plan = place[[0, -1]]
    if world.sees(node, np.array([plan, plan]), radius) >= 0:
        return ""
    distances = obstacle_distances(world, node, plan)
    if len(distances) and distances.min() < radius:
        nearest = int(first_least(distances))
        if distances[nearest] <= 0.0:
            return f"is inside obstacle {nearest}"
        return f"is {distances[nearest]:.2f} m from obstacle {nearest}, less than the radius of {radius:g} m"
    return f"is nearer than the radius of {radius:g} m to where the walkable ground ends"


def obstacle_distances(
    world: WalkMap, node: int, plan: Float[np.ndarray, "2"]
) -> Float[np.ndarray, "obstacles"]:
    """Of a place on a surface from all obstacles, over the ground; inf from those that are not in the way."""
    from footfall.planning.outline_kernel import point_to_outline

    level = world.surfaces.level[node]
    found = np.full(len(world.shadows), np.inf)
    for k, shadow in enumerate(world.shadows):
        for m in np.flatnonzero((shadow.bounds[:, 4] <= level) & (level <= shadow.bounds[:, 5])):
            away = point_to_outline(shadow.corners, shadow.starts[m], shadow.starts[m + 1], plan[0], plan[1])
            found[k] = min(found[k], away)
    return found


def nearest_of(
    world: WalkMap, nodes: Int[np.ndarray, "k"], place: Float[np.ndarray, "k"]
) -> tuple[Place, float] | None:
    """The place of some surfaces that is nearest to another, and how far it is; None of no surfaces."""
    if not len(nodes):
        return None
    places = world.surfaces.places(nodes)
    away = places - place if len(place) == 3 else places[:, [0, 2]] - place
    distances = np.linalg.norm(away, axis=-1)
    best = int(first_least(distances))
    return places[best], float(distances[best])
