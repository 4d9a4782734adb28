"""The ground of a plan map as an image: light where one can walk, grey where one cannot, obstacles dark.

A terrain is drawn as in every other picture, from straight above, with a line along every edge that one
steps up or down.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Bool, Float, Int

from footfall.picture.landscape import Landscape
from footfall.picture.plan_frame import PlanFrame
from footfall.picture.solids import SEGMENTS, height_over
from footfall.picture.stage import Stage
from footfall.planning.limits import WalkLimits
from footfall.planning.surfaces import Surfaces
from footfall.planning.walk_map import WalkMap
from footfall.world.plane import FlatTerrain
from footfall.world.shapes.placed import Placed
from footfall.world.terrain import Ground

BLOCKED = np.array([0.63, 0.63, 0.62])  # ground that cannot be walked
OBSTACLE = np.array([0.38, 0.375, 0.37])
HANGING = 0.25  # share of the colour of what one walks under
CLEAR = 0.5  # m from borders and obstacles where the ground is as light as it can be ...
CLOSE = 0.84  # ... and its light right beside them
EDGE, EDGE_LIGHT = 0.03, 0.62  # m between levels that make an edge, and the light of its line
OVER = 0.5  # m over all that is walked: ground so high is a wall
LIFT = 0.10  # by how much light the highest of a map's surfaces is over its lowest

Image = Float[np.ndarray, "h w 3"]


def draw_ground(
    frame: PlanFrame,
    scale: float,
    *,
    walked: Float[np.ndarray, "n 3"],
    walk_map: WalkMap | None = None,
    placed: Sequence[Placed] = (),
    terrain: Ground | None = None,
) -> Image:
    """At so many pixels a metre; `walked` are places where feet stand or a path leads."""
    stage = _stage(frame, scale, walked, terrain)
    bare = ~np.isfinite(stage.depth)
    highest = walked[:, 1].max() + OVER if len(walked) else np.inf
    _line_edges(stage)
    if walk_map is not None:
        plan, node = _plan_of_pixels(stage), _top(walk_map.surfaces, highest)
        blocked, light = _walking(walk_map, node, plan)
        if terrain is None:
            light = light * _lift(walk_map.surfaces, node, plan)
        stage.image *= light[..., None].astype(np.float32)
        bare |= blocked
    stage.image[bare] = BLOCKED
    if terrain is not None:
        stage.image[stage.camera.centre[1] - stage.depth > highest] = OBSTACLE
    limits = WalkLimits() if walk_map is None else walk_map.surfaces.limits
    for hanging in (False, True):
        corners = [
            vertices[triangles]
            for vertices, triangles in (one.mesh(SEGMENTS) for one in placed)
            if (height_over(vertices, walked).min() >= limits.headroom) == hanging
        ]
        stage.cover(np.concatenate([np.zeros((0, 3, 3)), *corners]), OBSTACLE, HANGING if hanging else 1.0)
    return stage.finished()


def _stage(frame: PlanFrame, scale: float, walked: Float[np.ndarray, "n 3"], terrain: Ground | None) -> Stage:
    camera = frame.camera(scale)
    if terrain is None or isinstance(terrain, FlatTerrain):
        return Stage(camera, 0.0 if terrain is None else terrain.level)
    corners = frame.world(np.array([[x, y] for x in (0, 1) for y in (0, 1)]) * frame.size + frame.low)
    if len(walked):
        corners[:, 1] = walked[:, 1].max()
    stage = Stage(camera, None)
    stage.land(Landscape.around(terrain, np.concatenate([corners, walked])))
    return stage


def _line_edges(stage: Stage) -> None:
    """Lines where the ground falls off: nothing else of an upright side is seen from above."""
    level = np.where(np.isfinite(stage.depth), stage.depth, 1e3)
    down, across = (np.abs(np.diff(level, axis=k)) > EDGE for k in (0, 1))
    edge = np.zeros(level.shape, dtype=bool)
    edge[1:] |= down
    edge[:-1] |= down
    edge[:, 1:] |= across
    edge[:, :-1] |= across
    stage.image[edge] *= EDGE_LIGHT


def _plan_of_pixels(stage: Stage) -> Float[np.ndarray, "h w 2"]:
    """x and z of every pixel."""
    return stage.camera.places(np.zeros(stage.depth.shape))[..., [0, 2]]


def _walking(
    walk_map: WalkMap, node: Int[np.ndarray, "columns rows"], plan: Float[np.ndarray, "h w 2"]
) -> tuple[Bool[np.ndarray, "h w"], Float[np.ndarray, "h w"]]:
    """Where one cannot walk, and how light the rest is by its clearance."""
    surfaces = walk_map.surfaces
    if not len(surfaces):
        return np.ones(plan.shape[:2], dtype=bool), np.ones(plan.shape[:2])
    walkable = np.where(node >= 0, surfaces.walkable[node], False)
    clearance = np.where(walkable, walk_map.clearance[node], 0.0)
    room = np.clip(_sampled(clearance, surfaces, plan, 0.0) / CLEAR, 0.0, 1.0)
    soft = room * room * (3.0 - 2.0 * room)
    blocked = _sampled(walkable.astype(float), surfaces, plan, 0.0) < 0.5
    return blocked, CLOSE + (1.0 - CLOSE) * soft


def _lift(
    surfaces: Surfaces, node: Int[np.ndarray, "columns rows"], plan: Float[np.ndarray, "h w 2"]
) -> Float[np.ndarray, "h w"]:
    """The higher the lighter, where surfaces lie at several levels."""
    if not (node >= 0).any():
        return np.ones(plan.shape[:2])
    levels = np.where(node >= 0, surfaces.level[node], np.nan)
    low, high = np.nanmin(levels), np.nanmax(levels)
    if not high - low > EDGE:
        return np.ones(plan.shape[:2])
    share = np.nan_to_num((levels - low) / (high - low))
    return 1.0 - LIFT * (1.0 - _sampled(share, surfaces, plan, 0.0))


def _top(surfaces: Surfaces, highest: float) -> Int[np.ndarray, "columns rows"]:
    """Of every cell the highest surface that one can walk on, not over a level, else any such surface.

    -1 where there is none.
    """
    lattice = surfaces.lattice
    node = np.full(lattice.columns * lattice.rows, -1)
    low = surfaces.level <= highest
    for nodes in (np.flatnonzero(low), np.flatnonzero(low & surfaces.walkable)):
        node[surfaces.cells[nodes]] = nodes  # sorted from below: the highest is the last
    return node.reshape(lattice.columns, lattice.rows)


def _sampled(
    values: Float[np.ndarray, "columns rows"],
    surfaces: Surfaces,
    plan: Float[np.ndarray, "h w 2"],
    outside: float,
) -> Float[np.ndarray, "h w"]:
    """Between the cells' middles, evenly from one to the next."""
    from scipy.ndimage import map_coordinates

    lattice = surfaces.lattice
    x, z = ((plan[..., k] - start) / lattice.cell for k, start in enumerate((lattice.x, lattice.z)))
    found = map_coordinates(values, [x, z], order=1, mode="nearest")
    inside = (np.abs(x - 0.5 * (lattice.columns - 1)) <= 0.5 * lattice.columns) & (
        np.abs(z - 0.5 * (lattice.rows - 1)) <= 0.5 * lattice.rows
    )
    return np.where(inside, found, outside)
