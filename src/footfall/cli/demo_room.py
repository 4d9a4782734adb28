"""The demo's room: two walls with gaps narrower than shoulders, and a table behind them."""

from __future__ import annotations

from footfall.world.obstacle import Obstacle
from footfall.world.scene import Scene, Task
from footfall.world.shapes.box import Box

HIGH = 1.1  # m of the walls: one looks over them
# low x and z, high x and z, m
WALLS = (
    *((-1.6, 0.9, -0.22, 2.0), (0.22, 0.9, 1.6, 2.0)),  # a gap of 0.44 m
    *((-1.6, 2.9, 0.45, 3.5), (0.95, 2.9, 1.6, 3.5)),  # one of 0.50 m
    *((-1.7, -0.8, -1.6, 5.3), (1.6, -0.8, 1.7, 5.3)),  # to either side
    *((-1.6, -0.9, 1.6, -0.8), (-1.6, 5.2, 1.6, 5.3)),
)
TABLE = (-0.9, 4.6, 0.3, 5.2)


def demo_room() -> Scene:
    """From the one side to the table at the other."""
    walls = [_box(*wall, HIGH) for wall in WALLS]
    return Scene(obstacles=(*walls, _box(*TABLE, 0.75, "table")), tasks=(Task("go_to", "table"),))


def _box(west: float, south: float, east: float, north: float, high: float, name: str = "") -> Obstacle:
    middle = (0.5 * (west + east), 0.5 * high, 0.5 * (south + north))
    return Obstacle(Box((east - west, high, north - south)), middle, name=name)  # type: ignore[arg-type]
