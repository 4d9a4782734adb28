"""The objects of a scene while it is acted: where each is, in whose hand, and what it rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from jaxtyping import Float

from footfall.world.obstacle import Obstacle
from footfall.world.scene import Scene
from footfall.world.shapes.placed import Placed
from footfall.world.terrain import Terrain

GRAVITY = 9.81  # m/s^2


@dataclass(eq=False)
class Thing:
    """One object, where it is now."""

    name: str
    placed: Placed
    hands: tuple[str, ...] = ()  # that hold it
    dropped: bool = False  # it was let go: what a scene has in the air stays there until somebody takes it
    falling: float = 0.0  # m/s

    def at(self, position: Float[np.ndarray, "3"], orientation: Float[np.ndarray, "4"]) -> Placed:
        return Placed(self.placed.shape, position, orientation)

    @property
    def lowest(self) -> float:
        """m over the ground's 0."""
        return self.placed.along(np.array([0.0, 1.0, 0.0]))[0]


@dataclass(eq=False)
class Things:
    """All objects of a scene, and the obstacles and the ground they may lie on."""

    terrain: Terrain
    obstacles: tuple[Obstacle, ...]
    by_name: dict[str, Thing] = field(default_factory=dict)

    @classmethod
    def of(cls, scene: Scene, terrain: Terrain) -> Things:
        own = {one.name: Thing(one.name, one.placed) for one in scene.objects}
        return cls(terrain, scene.obstacles, own)

    def __getitem__(self, name: str) -> Thing:
        return self.by_name[name]

    def solids(self, time: float, without: Sequence[str] = ()) -> list[Placed]:
        """What one may run into: obstacles, and objects that nobody holds."""
        loose = [t.placed for t in self.by_name.values() if t.name not in without and not t.hands]
        return [obstacle.at(time) for obstacle in self.obstacles] + loose

    def level_under(self, thing: Thing, placed: Placed, time: float) -> float:
        """m: the highest surface under a thing's middle that is not over its top."""
        x, y, z = placed.position
        top = placed.along(np.array([0.0, 1.0, 0.0]))[1]
        found = float(self.terrain.height(np.array(x), np.array(z), np.array(top)))
        levels = [found] if np.isfinite(found) else []
        for solid in self.solids(time, without=(thing.name,)):
            high = solid.along(np.array([0.0, 1.0, 0.0]))[1]
            over = np.array([x, high, z])
            if high <= y and float(solid.distance_to(over)) <= 1e-6:
                levels.append(high)
        return max(levels, default=-np.inf)

    def carry(self, places: Mapping[str, tuple[Float[np.ndarray, "3"], Float[np.ndarray, "4"]]]) -> None:
        """Things in hands go where their hands are."""
        for name, (position, orientation) in places.items():
            thing = self.by_name[name]
            thing.placed = thing.at(position, orientation)

    def fall(self, dt: float, time: float) -> None:
        """What nobody holds and nothing bears falls until something does."""
        for thing in self.by_name.values():
            if thing.hands or not thing.dropped:
                continue
            level = self.level_under(thing, thing.placed, time)
            gap = thing.lowest - level
            if not np.isfinite(gap) or gap <= 1e-9:
                thing.dropped, thing.falling = False, 0.0
                continue
            thing.falling += GRAVITY * dt
            down = min(thing.falling * dt, gap)
            thing.placed = thing.at(
                thing.placed.position - np.array([0.0, down, 0.0]), thing.placed.orientation
            )
