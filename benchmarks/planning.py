"""How fast paths are found: maps built, A* over them, whole paths, and maps renewed when something moves.

    python benchmarks/planning.py [--json]
    python benchmarks/planning.py following [--json]

All on one thread, the best of five. Exits with 1 where A* over 256 x 256 cells takes 10 ms or more, or a map
(20 x 20 m of a mesh of ten thousand triangles with 20 obstacles is one) a second or more. `following` is how
paths are followed: see `planning_following.py`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from timing import best_seconds

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.planning.worlds import bridge, random_obstacles
from tests.world.meshes import hills, terrain_of

from footfall.planning.grid_search import Search, search_costs, search_surfaces
from footfall.planning.lattice import Lattice
from footfall.planning.limits import WalkLimits
from footfall.planning.replanning import Replanner
from footfall.planning.route import plan_path
from footfall.planning.surfaces import Surfaces
from footfall.planning.walk_map import WalkMap
from footfall.world.plane import FlatTerrain
from footfall.world.shapes.placed import Placed

ROUNDS = 5
SEARCH_BAR, MAP_BAR = 0.010, 1.0  # s
SIDE = 256  # cells
Runs = dict[str, Callable[[], object]]


def random_costs(share: float, dearest: float, seed: int = 0) -> np.ndarray:
    """A plain map: a share of its cells cannot be walked on, the others cost 1 to `dearest`."""
    rng = np.random.default_rng(seed)
    costs = rng.uniform(1.0, dearest, (SIDE, SIDE))
    costs[rng.random(costs.shape) < share] = np.inf
    costs[0, 0] = costs[-1, -1] = 1.0
    return costs


def search_of(costs: np.ndarray) -> Callable[[], Search]:
    """A* from corner to corner over a map whose links are known."""
    bar = np.isinf(costs).astype(np.uint8).reshape(-1)
    lattice, cells = Lattice(0.0, 0.0, 0.1, *costs.shape), np.arange(costs.size)
    surfaces = Surfaces.linked(lattice, WalkLimits(), 0.3, cells, np.zeros(costs.size), bar, np.zeros((0, 4)))
    wide, factor = np.ones((costs.size, 8), np.float32), np.where(bar, 1.0, costs.reshape(-1))
    return lambda: search_surfaces(surfaces, wide, factor, 0.0, 0, costs.size - 1)


def searches() -> Runs:
    maps = {
        "open": random_costs(0.0, 1.0),
        "1 in 5 shut": random_costs(0.2, 1.0),
        "1 in 5 shut, dear": random_costs(0.2, 1.5),
        "open, dear": random_costs(0.0, 1.5),
        "1 in 5 shut, no way": random_costs(0.2, 1.0),
    }
    maps["1 in 5 shut, no way"][-3:-1, -3:] = maps["1 in 5 shut, no way"][-1, -3:-1] = np.inf
    runs: Runs = {f"A*, {name}": search_of(costs) for name, costs in maps.items()}
    return runs | {"A* and links, 1 in 5 shut": lambda: search_costs(maps["1 in 5 shut"], (0, 0), (255, 255))}


def worlds() -> tuple[Runs, Runs]:
    """Maps built; and what is asked of them."""
    ground = hills(100, 50, 0.2)
    ground.apply_scale([1.0, 0.6, 2.0])
    terrain = terrain_of(ground)
    things = [
        Placed(o.shape, o.position + np.array([10.0, 0.0, 10.0]), o.orientation)
        for o in random_obstacles(np.random.default_rng(1), 20, 18.0)
    ]
    assert terrain.tree is not None
    flat = WalkMap.of(FlatTerrain(), things, area=((0.0, 0.0), (20.0, 20.0)))
    moved = [Placed(things[0].shape, things[0].position + 0.1, things[0].orientation), *things[1:]]
    walk = Replanner(flat, (0.5, 0.5), (19.5, 19.5))
    built: Runs = {
        "map of 10,000 triangles, 20 obstacles": lambda: WalkMap.of(terrain, things),
        "map of level ground, 20 obstacles": lambda: WalkMap.of(
            FlatTerrain(), things, area=((0.0, 0.0), (20.0, 20.0))
        ),
        "map of a bridge and stairs, 16 x 10 m": lambda: WalkMap.of(bridge()),
    }
    asked: Runs = {
        "a path of 27 m": lambda: plan_path(flat, (0.5, 0.5), (19.5, 19.5)),
        "one of 20 obstacles moved": lambda: flat.renewed(moved),
        "nothing moved": lambda: walk.update(walk.path.points[0], things),
    }
    return built, asked


def follow_paths(as_json: bool) -> int:
    from planning_following import print_rows, study

    rows = study()
    if not as_json:
        return 0 if print_rows(rows) else 1
    print(json.dumps({"following": rows}))
    return 0 if all(row["met"] == row["seeds"] for row in rows) else 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("study", nargs="?", choices=["following"], help="another one than of times")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    asked = parser.parse_args()
    as_json = asked.json
    if asked.study == "following":
        return follow_paths(as_json)
    found = best_seconds(searches(), ROUNDS)
    slowest = max(seconds for name, seconds in found.items() if name.startswith("A*,"))
    built, asked = worlds()
    maps = best_seconds(built, ROUNDS)
    slowest_map = max(maps.values())
    found |= maps | best_seconds(asked, ROUNDS)
    met = slowest < SEARCH_BAR and slowest_map < MAP_BAR
    if as_json:
        print(json.dumps({"seconds": found, "met": met}))
        return 0 if met else 1
    for name, seconds in found.items():
        print(f"  {name:<44}{1e3 * seconds:>10.2f} ms")
    print(f"A* over {SIDE} x {SIDE}: {1e3 * slowest:.1f} ms, bar {1e3 * SEARCH_BAR:g} ms")
    print(f"maps: {slowest_map:.2f} s, bar {MAP_BAR:g} s")
    print("the bars are met" if met else "A BAR IS MISSED")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
