"""The path from here to there: searched, pulled tight, its corners rounded; or why there is none."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, Int

from footfall.errors import RequestError
from footfall.geometry.decisions import MARGIN, SLACK, clearly_less, nearest_cell, order_of, tie_break
from footfall.planning.grid_search import search_surfaces
from footfall.planning.path import Path
from footfall.planning.pulling import Way, pull
from footfall.planning.rounding import round_corners
from footfall.planning.standing import checked_place, nearest_of, surface_at, told, why_not
from footfall.planning.walk_map import WalkMap
from footfall.world.scene import Scene
from footfall.world.terrain import is_number

RADIUS = 0.25  # m
COMFORT = 0.2  # m beyond the radius that is kept where there is room
BEND = 0.6  # m, the radius of a rounded corner where there is room
DEARNESS = 1.0  # by how much more a metre costs where there is no comfort at all
TIES = 1e-4  # by so much more at most a metre costs, so that no two ways cost the same
TRIES = 4  # to find the room of a first or last leg
SHORT = 3.0  # cells
SURE = 1e-6  # m

Places = Float[np.ndarray, "k"]


class NoPathError(RequestError):
    """There is no path. `nearest` is the nearest place that can be reached, None where there is none."""

    def __init__(self, problem: str, nearest: Float[np.ndarray, "3"] | None = None):
        self.nearest = nearest
        super().__init__(problem)


def plan_path(
    world: WalkMap | Scene,
    start: object,
    goal: object,
    *,
    radius: float = RADIUS,
    comfort: float = COMFORT,
    bend: float = BEND,
    time: float = 0.0,
) -> Path:
    """A short path for an upright body of a radius, which it is never nearer than to an obstacle.

    Places are x and z, or x, y and z where there is ground over ground. Of a scene a map is made first, with
    obstacles where they are at `time`; a map has its own.
    """
    begin, end = checked_place(start, "start"), checked_place(goal, "goal")
    if isinstance(world, Scene):
        world = WalkMap.of_scene(world, time=time, around=[begin, end])
    _check_sizes(world, radius, comfort, bend)
    _check_ends(world, begin, end, radius)
    most = min(radius + comfort, world.widest)
    way = _straight(world, begin, end, radius, most)
    if way is None:
        way = pull(world, _searched(world, begin, end, radius, most), most)
    return _path(world, way, round_corners(world, way, radius, bend))


def _check_sizes(world: WalkMap, radius: float, comfort: float, bend: float) -> None:
    for name, value, low, high in (
        ("radius", radius, 0.01, world.widest),
        ("comfort", comfort, 0.0, 10.0),
        ("bend", bend, 0.0, 100.0),
    ):
        if not is_number(value) or not low <= value <= high:
            raise RequestError(f"the {name} must be {low:g} to {high:g} m, not {value!r}")


def _check_ends(world: WalkMap, begin: Places, end: Places, radius: float) -> None:
    problem = why_not(world, begin, radius)
    if problem:
        found = nearest_of(world, _free(world, radius), begin)
        if found is None:
            raise NoPathError(f"nowhere on the map is there room for a body of radius {radius:g} m")
        raise NoPathError(
            f"the start {told(begin)} {problem}; the nearest place to stand is {told(found[0])}", found[0]
        )
    problem = why_not(world, end, radius)
    if problem:
        place, away = _nearest_reached(world, begin, end, radius)
        raise NoPathError(
            f"the goal {told(end)} {problem}; the nearest place that can be reached from {told(begin)} is "
            f"{told(place)}, {away:.2f} m from it",
            place,
        )


def _free(world: WalkMap, radius: float) -> Int[np.ndarray, "k"]:
    return np.flatnonzero((world.clearance >= radius) & world.surfaces.walkable)


def _nearest_reached(
    world: WalkMap, begin: Places, end: Places, radius: float
) -> tuple[Float[np.ndarray, "3"], float]:
    """What can be reached from a start and is nearest to a goal, and how near it is."""
    node, _ = _entry(world, begin, radius, radius)
    reached = _reached(world, begin, radius)
    found = nearest_of(world, reached, end)
    if found is not None:
        return found
    own = np.array([begin[0], world.surfaces.level[node], begin[-1]])
    return own, float(np.linalg.norm((own - end) if len(end) == 3 else (own[[0, 2]] - end)))


def _reached(world: WalkMap, begin: Places, radius: float) -> Int[np.ndarray, "k"]:
    """All surfaces that a body can go to; none where it cannot even leave its cell."""
    _, entry = _entry(world, begin, radius, radius)
    if entry is None:
        return np.zeros(0, np.int64)
    ones = np.ones(len(world.surfaces))
    return search_surfaces(world.surfaces, world.passage, ones, radius, entry[0]).reached


def _entry(world: WalkMap, place: Places, radius: float, most: float) -> tuple[int, tuple[int, float] | None]:
    """The surface under a place; and where from there the lattice is entered, with that leg's room.

    The nearest that can be gone to straight, and from which a link leads on.
    """
    surfaces, node = world.surfaces, surface_at(world, place)
    plan = place[[0, -1]]
    near = np.append(surfaces.links[node][surfaces.links[node] >= 0], node)
    places = surfaces.places(near)[:, [0, 2]]
    order = order_of(np.hypot(*(places - plan).T))
    for k in order:
        if world.passage[near[k]].max() < radius:
            continue
        for room in np.linspace(most, radius, TRIES):
            if world.sees(node, np.array([plan, places[k]]), room) >= 0:
                return node, (int(near[k]), float(room))
    return node, None


def _straight(world: WalkMap, begin: Places, end: Places, radius: float, most: float) -> Way | None:
    """The way of one leg, where nothing is anywhere near it; or where it is shorter than a lattice shows."""
    node, last = surface_at(world, begin), surface_at(world, end)
    corners = np.array([begin[[0, -1]], end[[0, -1]]])
    short = clearly_less(np.hypot(*(corners[1] - corners[0])), SHORT * world.surfaces.lattice.cell)
    for room in (most, radius) if short else (most,):
        seen = world.sees(node, corners, room)
        if seen >= 0 and (seen == last or last in world.surfaces.links[seen]):
            return Way(np.array([node, last]), corners, np.array([room]))
    return None


def _searched(world: WalkMap, begin: Places, end: Places, radius: float, most: float) -> Way:
    """The cheapest way over the lattice, from and to the very places."""
    (first, entry), (last, exit_) = _entry(world, begin, radius, most), _entry(world, end, radius, most)
    if entry is None or exit_ is None:
        raise _unreachable(world, begin, end, radius)
    found = search_surfaces(
        world.surfaces, world.passage, dearness(world, radius, most), radius, entry[0], exit_[0]
    )
    way = found.way_to(exit_[0])
    if way is None:
        raise _unreachable(world, begin, end, radius)
    nodes = np.concatenate([[first], way, [last]])
    corners = np.vstack([begin[[0, -1]], world.surfaces.places(way)[:, [0, 2]], end[[0, -1]]])
    room = np.concatenate([[entry[1]], _passages(world, way), [exit_[1]]])
    keep = np.append(np.hypot(*np.diff(corners, axis=0).T) > MARGIN, True)  # who stands on a lattice point
    return Way(nodes[keep], corners[keep], np.clip(room[keep[:-1]], radius, most))


def dearness(world: WalkMap, radius: float, most: float) -> Float[np.ndarray, "n"]:
    """What a metre costs on each surface: 1 where there is comfort, more the less there is.

    Over open ground many ways are as short. A tenth of a millimetre a metre, another in each cell, tells
    which of them is taken.
    """
    lattice, cells = world.surfaces.lattice, world.surfaces.cells
    first = nearest_cell(np.array([lattice.x, lattice.z]), lattice.cell)
    ties = TIES * tie_break(first[0] + cells // lattice.rows, first[1] + cells % lattice.rows)
    if most <= radius:
        return 1.0 + ties
    lacking = np.clip((most - world.clearance) / (most - radius), 0.0, 1.0)
    return 1.0 + DEARNESS * lacking**2 + ties


def _passages(world: WalkMap, way: Int[np.ndarray, "k"]) -> Float[np.ndarray, "k-1"]:
    links = world.surfaces.links[way[:-1]]
    directions = np.argmax(links == way[1:, None], axis=1)
    return world.passage[way[:-1], directions].astype(float) - SURE


def _unreachable(world: WalkMap, begin: Places, end: Places, radius: float) -> NoPathError:
    place, away = _nearest_reached(world, begin, end, radius)
    square = world.surfaces.lattice.cell**2
    here, there = (square * len(_reached(world, place_, radius)) for place_ in (begin, end))
    shut = f"out of the {here:.1f} m2 round the start"
    if there < here:
        shut = f"into the {there:.1f} m2 round the goal"
    return NoPathError(
        f"the goal {told(end)} cannot be reached from {told(begin)} by a body of radius {radius:g} m, as no "
        f"way leads {shut}; the nearest place that can be is {told(place)}, {away:.2f} m from it",
        place,
    )


def _path(world: WalkMap, way: Way, line: Float[np.ndarray, "n 2"]) -> Path:
    """A line over the ground plan as a path on the ground, with points wherever its level may change."""
    steps = np.hypot(*np.diff(line, axis=0).T)
    parts = [line[:1]]
    for first, last, step in zip(line[:-1], line[1:], steps, strict=True):
        count = max(int(np.ceil(step / world.surfaces.lattice.cell - SLACK)), 1)
        if step > 0.0:
            shares = np.arange(1, count + 1)[:, None] / count
            parts.append(np.where(shares == 1.0, last, first + shares * (last - first)))
    plan = np.concatenate(parts)
    levels = world.levels(int(way.nodes[0]), plan)
    return Path(np.stack([plan[:, 0], levels, plan[:, 1]], axis=-1))
