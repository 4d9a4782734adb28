"""How fast the ground answers, beside trimesh and Open3D, on ten thousand triangles and on a million.

    python benchmarks/terrain.py [--json]

A character's 125 contact spheres (5 x 5 x 5, 20 cm) and 125 rays straight down, at 200 places all over the
ground, so that nothing is warm from the question before. A million triangles in two ways: the same ground
finer, and a wider ground. All on one thread, arrays in and arrays out. Exits with 1 where a peer is faster,
where a million triangles cost more than 4 times ten thousand, or where a slice of a time-sliced search costs
twice the mean.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from timing import best_seconds

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.world.meshes import hills, terrain_of

from footfall.world.mesh import MeshTerrain
from footfall.world.sliced_touch import SlicedTouch
from footfall.world.tree_spheres_kernel import touch_together

SIZES = {"10,000": (100, 50, 0.2), "1,000,000 finer": (1000, 500, 0.02), "1,000,000 wider": (1000, 500, 0.2)}
GROWING = ((30, 17), (100, 50), (300, 167), (1000, 500))  # cells of one size: 1,020 to 1,000,000 triangles
PLACES, ROUNDS, SLICES = 200, 5, 15
RADIUS = 0.2  # m
LATTICE = np.stack(
    np.meshgrid(np.linspace(-0.3, 0.3, 5), np.linspace(-0.3, 0.3, 5), np.linspace(0, 1, 5), indexing="ij"), -1
).reshape(-1, 3)
GROWTH_BAR, SLICE_BAR, LOG_BAR = 4.0, 2.0, 2.0
SLOW = 20  # as many times fewer places for what takes a thousand times as long

Questions = list[np.ndarray]


def questions(terrain: MeshTerrain, count: int = PLACES) -> Questions:
    """Contact spheres before a character, at random places."""
    low, high = terrain.bounds
    places = np.random.default_rng(0).uniform(low[[0, 2]] + 1.2, high[[0, 2]] - 1.2, (count, 2))
    levels = terrain.height(places[:, 0], places[:, 1])
    return [LATTICE + np.array([x, y, z]) for (x, z), y in zip(places, levels, strict=True)]


def ours(terrain: MeshTerrain, asked: Questions) -> dict[str, Callable[[], object]]:
    above = [centres + np.array([0.0, 1.0, 0.0]) for centres in asked]
    return {
        "spheres": lambda: [terrain.touching(centres, RADIUS) for centres in asked],
        "rays": lambda: [terrain.project(points) for points in above],
        "nearest": lambda: [terrain.closest(points) for points in asked],
    }


def with_trimesh(terrain: MeshTerrain, asked: Questions) -> dict[str, Callable[[], object]]:
    import trimesh

    mesh = trimesh.Trimesh(terrain.vertices, terrain.triangles, process=False)
    down = np.tile([0.0, -1.0, 0.0], (125, 1))
    above = [centres + np.array([0.0, 1.0, 0.0]) for centres in asked]
    few = asked[:: len(asked) // (PLACES // SLOW)]
    mesh.ray.intersects_first(above[0], down)  # builds its tree
    return {
        "spheres": lambda: [trimesh.proximity.closest_point(mesh, c)[1] <= RADIUS for c in few],
        "rays": lambda: [mesh.ray.intersects_first(points, down) for points in above],
        "nearest": lambda: [trimesh.proximity.closest_point(mesh, c) for c in few],
    }


def with_open3d(terrain: MeshTerrain, asked: Questions) -> dict[str, Callable[[], object]]:
    import open3d

    scene = open3d.t.geometry.RaycastingScene(nthreads=1)
    scene.add_triangles(terrain.vertices.astype(np.float32), terrain.triangles.astype(np.uint32))
    down = np.tile([0.0, -1.0, 0.0], (125, 1))
    above = [centres + np.array([0.0, 1.0, 0.0]) for centres in asked]

    def tensor(values: np.ndarray) -> object:
        return open3d.core.Tensor(values.astype(np.float32))

    def rays(points: np.ndarray) -> object:
        return scene.cast_rays(tensor(np.concatenate([points, down], axis=1)), nthreads=1)["t_hit"].numpy()

    made = [tensor(np.concatenate([points, down], axis=1)) for points in above]
    return {
        "spheres": lambda: [scene.compute_distance(tensor(c), nthreads=1).numpy() <= RADIUS for c in asked],
        "rays": lambda: [rays(points) for points in above],
        "rays, tensors made before": lambda: [scene.cast_rays(made_, nthreads=1) for made_ in made],
        "nearest": lambda: [scene.compute_closest_points(tensor(c), nthreads=1) for c in asked],
    }


PEERS = {"footfall": ours, "trimesh": with_trimesh, "Open3D": with_open3d}


def contenders(terrain: MeshTerrain) -> tuple[dict[str, Callable[[], object]], list[str]]:
    """All questions to all who are installed, and who is not."""
    asked, found, missing = questions(terrain), {}, []
    for name, peer in PEERS.items():
        try:
            found |= {f"{what}: {name}": run for what, run in peer(terrain, asked).items()}
        except ImportError:
            missing.append(name)
    return found, missing


def a_question(seconds: dict[str, float]) -> dict[str, float]:
    """Microseconds for one sphere or ray."""
    slow = {f"{what}: trimesh" for what in ("spheres", "nearest")}
    return {
        name: 1e6 * value / (125 * PLACES / (SLOW if name in slow else 1)) for name, value in seconds.items()
    }


def opened(terrain: MeshTerrain) -> float:
    """Nodes that the search of one sphere opens."""
    arrays, radii, touching = terrain.tree.arrays, np.full(125, RADIUS), np.empty(125, dtype=bool)
    asked = questions(terrain, 100)
    return sum(touch_together(*arrays, centres, radii, touching) for centres in asked) / (125 * len(asked))


def slices(terrain: MeshTerrain) -> float:
    """The worst slice's time over the mean's; of each slice its best of some rounds."""
    worst = []
    for centres in questions(terrain, 40):
        best = np.full(SLICES, np.inf)
        for _ in range(25):
            touch = SlicedTouch(terrain, centres, RADIUS, SLICES)
            for k in range(SLICES):
                start = time.perf_counter()
                touch.advance()
                best[k] = min(best[k], time.perf_counter() - start)
        worst.append(best.max() / best.mean())
    return float(np.max(worst))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--json", action="store_true", help="one JSON object instead of tables")
    as_json = parser.parse_args().json
    micro: dict[str, dict[str, float]] = {}
    built: dict[str, float] = {}
    missing: list[str] = []
    for name, (nx, nz, cell) in SIZES.items():
        terrain = terrain_of(hills(nx, nz, cell))
        start = time.perf_counter()
        assert terrain.tree is not None
        built[name] = time.perf_counter() - start
        runs, missing = contenders(terrain)
        micro[name] = a_question(best_seconds(runs, ROUNDS))
    nodes = {2 * nx * nz: opened(terrain_of(hills(nx, nz, 0.2))) for nx, nz in GROWING}
    uneven = slices(terrain_of(hills(*SIZES["10,000"])))
    few = micro["10,000"]
    growth = {
        what: max(micro[name][f"{what}: footfall"] for name in SIZES) / few[f"{what}: footfall"]
        for what in ("spheres", "rays")
    }
    slower = [
        f"{key} on {name}"
        for name, times in micro.items()
        for key, value in times.items()
        if key.split(":")[0] in ("spheres", "rays") and value < times[f"{key.split(':')[0]}: footfall"]
    ]
    met = not slower and max(growth.values()) <= GROWTH_BAR and uneven < SLICE_BAR
    # a thousand times the triangles have twice the logarithm
    met = met and max(nodes.values()) <= LOG_BAR * min(nodes.values())
    if as_json:
        values = {"microseconds": micro, "build_seconds": built, "opened_nodes": nodes, "growth": growth}
        print(json.dumps(values | {"worst_slice": uneven, "missing": missing, "slower": slower, "met": met}))
        return 0 if met else 1
    for name, times in micro.items():
        print(f"\n{name} triangles (tree built in {built[name]:.2f} s): microseconds a question")
        for key, value in times.items():
            own = times.get(f"{key.split(':')[0].split(',')[0]}: footfall", value)
            print(f"  {key:<36}{value:>10.3f} {value / own:>8.2f}x")
    print("\nnodes opened a sphere, grounds of one density")
    for count, value in nodes.items():
        print(f"  {count:>9,} triangles {value:>8.2f}")
    for what, value in growth.items():
        print(f"{what}: a million triangles cost {value:.2f} times ten thousand, bar {GROWTH_BAR:g}")
    print(f"worst of {SLICES} slices over the mean: {uneven:.2f}, bar {SLICE_BAR:g}")
    for peer in missing:
        print(f"{peer} is not installed: not compared")
    for row in slower:
        print(f"A PEER IS FASTER: {row}")
    print("the bars are met" if met else "A BAR IS MISSED")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
