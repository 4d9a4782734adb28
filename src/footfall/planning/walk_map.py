"""Where a body can go: the walkable surfaces of an area and what stands on them at a time.

The obstacles are a layer over the surfaces: when some have moved, only what is near them is measured again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float, Float32, Int

from footfall.errors import RequestError
from footfall.planning.lattice import Lattice, area_of, checked_area, checked_cell
from footfall.planning.limits import WalkLimits
from footfall.planning.outlines import Outlines, outlines_of
from footfall.planning.surfaces import Surfaces
from footfall.world.obstacle import Obstacle
from footfall.world.plane import FlatTerrain
from footfall.world.scene import Scene
from footfall.world.shapes.placed import Placed
from footfall.world.terrain import Terrain, checked_terrain

CELL = 0.1  # m
REACH = 1.0  # m: borders and obstacles farther away are not measured
USUAL = WalkLimits()

Obstacles = Iterable[Obstacle | Placed]


@dataclass(frozen=True, eq=False)
class WalkMap:
    """`clearance` is of each surface's middle from borders and obstacles, `passage` of each link all along.

    Both are never too large. From obstacles they are exact to what round shapes are larger as `solids`.
    """

    surfaces: Surfaces
    placed: tuple[Placed, ...]
    shadows: tuple[Outlines, ...]  # one for each that is placed
    clearance: Float[np.ndarray, "n"]  # m
    passage: Float32[np.ndarray, "n 8"]  # m

    @classmethod
    def of(
        cls,
        terrain: Terrain,
        obstacles: Obstacles = (),
        *,
        area: Sequence[Sequence[float]] | None = None,
        cell: float = CELL,
        limits: WalkLimits = USUAL,
        time: float = 0.0,
        around: Iterable[Float[np.ndarray, "3"]] = (),
    ) -> WalkMap:
        """Of a terrain with obstacles where they are at a time.

        `area` is two corners ((low x, low z), (high x, high z)). Without it the map is of all the terrain; of
        one that is endless, of what holds the obstacles and the places `around`, and 2 m more.
        """
        terrain, placed, cell = checked_terrain(terrain), placed_at(obstacles, time), checked_cell(cell)
        bounds = area_of(terrain, placed, around) if area is None else checked_area(area)
        surfaces = Surfaces.of(terrain, Lattice.over(bounds, cell), limits, max(REACH, 4.0 * cell))
        return cls.with_obstacles(surfaces, placed)

    @classmethod
    def of_scene(cls, scene: Scene, *, time: float = 0.0, **options: object) -> WalkMap:
        """Of a scene's ground, obstacles and objects; options as for `of`."""
        terrain = FlatTerrain() if scene.terrain is None else scene.terrain
        around = [scene.start.position, *options.pop("around", ())]  # type: ignore[misc]
        return cls.of(terrain, scene.placed(time), around=around, **options)  # type: ignore[arg-type]

    @classmethod
    def with_obstacles(cls, surfaces: Surfaces, placed: Sequence[Placed]) -> WalkMap:
        bare = cls(surfaces, (), (), surfaces.border, surfaces.passage)
        return bare.renewed(placed)

    def renewed(self, obstacles: Obstacles, time: float = 0.0) -> WalkMap:
        """The map with obstacles where they are now; itself where none has moved."""
        placed = placed_at(obstacles, time)
        count = max(len(placed), len(self.placed))
        moved = [
            k
            for k in range(count)
            if k >= len(placed) or k >= len(self.placed) or not _same(placed[k], self.placed[k])
        ]
        if not moved:
            return self
        shadows = [
            outlines_of(placed[k], self.surfaces) if k in moved else self.shadows[k]
            for k in range(len(placed))
        ]
        changed = [self.shadows[k] for k in moved if k < len(self.shadows)]
        changed += [shadows[k] for k in moved if k < len(shadows)]
        return self._measured(placed, shadows, [part for part in changed if len(part)])

    def _measured(
        self, placed: Sequence[Placed], shadows: Sequence[Outlines], changed: Sequence[Outlines]
    ) -> WalkMap:
        """With clearances measured again round the outlines that are new or gone."""
        from footfall.planning.passage_kernel import keep_clear

        surfaces, lattice = self.surfaces, self.surfaces.lattice
        clearance, passage = self.clearance.copy(), self.passage.copy()
        near, margin = surfaces.reach + 2.0 * lattice.cell, lattice.cell
        corners = [(o.bounds[:, :2].min(axis=0) - near, o.bounds[:, 2:4].max(axis=0) + near) for o in changed]
        for low, high in corners:
            nodes = surfaces.within(lattice.window(low, high))
            clearance[nodes], passage[nodes] = surfaces.border[nodes], surfaces.passage[nodes]
        outlines = Outlines.joined(shadows)
        for low, high in corners:
            window = lattice.window(low - margin, high + margin)
            keep_clear(
                *lattice.arrays,
                surfaces.first,
                surfaces.level,
                surfaces.links,
                *outlines.arrays,
                window,
                surfaces.reach,
                clearance,
                passage,
            )
        clearance.flags.writeable = passage.flags.writeable = False
        return WalkMap(surfaces, tuple(placed), tuple(shadows), clearance, passage)

    @cached_property
    def outlines(self) -> Outlines:
        return Outlines.joined(self.shadows)

    @cached_property
    def _arrays(self) -> tuple[np.ndarray, ...]:
        """What the kernels of sight take."""
        s = self.surfaces
        return *s.lattice.arrays, s.cells, s.links, s.level, s.border, *self.outlines.arrays

    @property
    def widest(self) -> float:
        """m, the largest radius for which clearances are known."""
        return self.surfaces.reach - self.surfaces.lattice.cell

    def sees(self, node: int, points: Float[np.ndarray, "k 2"], radius: float) -> int:
        """The surface at the end of lines that a body of a radius can go along; -1 where it cannot.

        The first point is in the cell of surface `node`.
        """
        from footfall.planning.sight_kernel import follow_lines

        return int(follow_lines(self._arrays, node, np.ascontiguousarray(points, dtype=float), radius))

    def pulled(
        self,
        nodes: Int[np.ndarray, "k"],
        places: Float[np.ndarray, "k 2"],
        wide: Float[np.ndarray, "k-1"],
        most: float,
    ) -> tuple[Int[np.ndarray, "c"], Float[np.ndarray, "c-1"]]:
        """Which places of a way remain when it is pulled from one to the farthest in sight; legs' room."""
        from footfall.planning.sight_kernel import pull_tight

        kept, chosen = np.empty(len(nodes)), np.empty(len(nodes), np.int32)
        count = pull_tight(
            self._arrays, nodes.astype(np.int32), np.ascontiguousarray(places), wide, most, kept, chosen
        )
        return chosen[:count].astype(np.int64), kept[: count - 1]

    def levels(self, node: int, points: Float[np.ndarray, "k 2"]) -> Float[np.ndarray, "k"]:
        """The ground's level along points of a way that begins in the cell of a surface."""
        from footfall.planning.sight_kernel import levels_along

        levels = np.empty(len(points))
        levels_along(self._arrays, node, np.ascontiguousarray(points, dtype=float), levels)
        return levels


def placed_at(obstacles: Obstacles, time: float = 0.0) -> tuple[Placed, ...]:
    """Obstacles where they are at a time."""
    placed: list[Placed] = []
    for thing in obstacles:
        if not isinstance(thing, Obstacle | Placed):
            raise RequestError(f"obstacles must be of Obstacle or Placed, not of {type(thing).__name__}")
        placed.append(thing.at(time) if isinstance(thing, Obstacle) else thing)
    return tuple(placed)


def _same(a: Placed, b: Placed) -> bool:
    return a is b or (
        a.shape is b.shape
        and np.array_equal(a.position, b.position)
        and np.array_equal(a.orientation, b.orientation)
    )
