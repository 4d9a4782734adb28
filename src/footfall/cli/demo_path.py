"""The demo's path: over hills, round posts, to a place and a heading."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from footfall.world.generators.generate import generate
from footfall.world.shapes.cylinder import Cylinder
from footfall.world.shapes.placed import Placed

if TYPE_CHECKING:
    from footfall.control.walked import WalkedGait
    from footfall.models.ring.graph import RingGraph
    from footfall.world.terrain import Terrain

START, GOAL, FACING = (0.0, 0.0), (0.6, 7.0), 1.2  # x and z; rad
POSTS = ((0.1, 2.0), (-0.9, 3.7), (0.9, 4.2), (-0.2, 5.8))
RADIUS = 0.35  # m, of the body
LONGEST = 40.0  # s


def path_world(seed: int) -> tuple[Terrain, tuple[Placed, ...]]:
    """Hills with posts on them."""
    hills = generate("bumps", seed).terrain
    levels = hills.height(*np.array(POSTS).T)
    places = [np.array([x, level + 0.5, z]) for (x, z), level in zip(POSTS, levels, strict=True)]
    return hills, tuple(Placed.upright(Cylinder(0.2, 1.2), place) for place in places)


def demo_path_walk(gaits: RingGraph, ground: Terrain, posts: tuple[Placed, ...]) -> WalkedGait:
    from footfall.control.path_walk import follow_path
    from footfall.planning.route import plan_path
    from footfall.planning.walk_map import WalkMap

    world = WalkMap.of(ground, posts)
    path = plan_path(world, START, GOAL, radius=RADIUS)
    return follow_path(gaits, path, heading=FACING, terrain=ground, longest=LONGEST)
