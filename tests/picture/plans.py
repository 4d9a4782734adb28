"""A corridor with steps through it, askew in the world, and a reader of plan maps that were drawn."""

from __future__ import annotations

from typing import Any

import numpy as np

from footfall.geometry.ground import direction_of, turn, wrap
from footfall.geometry.quaternion import rotate
from footfall.planning.path import Path as WalkPath
from footfall.world.foot_plan import FootPlacement, FootPlan
from footfall.world.shapes.box import Box
from footfall.world.shapes.placed import Placed

TURNED_BY = 0.7


def world(x: float, z: float, y: float = 0.0) -> np.ndarray:
    return rotate(turn(TURNED_BY), np.array([x, y, z]))


def steps(count: int, rise: float = 0.0) -> FootPlan:
    """Along a corridor, 0.4 m a step."""
    placements = []
    for k in range(count + 2):
        foot, x = ("left", 0.1) if k % 2 == 0 else ("right", -0.1)
        at = world(x, 0.4 * max(k - 1, 0), rise * max(k - 1, 0))
        placements.append(FootPlacement(foot, at, TURNED_BY))
    return FootPlan(tuple(placements))


PLAN = steps(8)
WALLS = [
    Placed.upright(Box(np.array([0.3, 2.5, 4.6])), world(x, 1.6, 1.25), TURNED_BY) for x in (-0.65, 0.65)
]
PATH = WalkPath(np.array([world(0.0, 0.0), world(0.05, 1.0), world(0.0, 3.2)]))
SWAY = np.linspace(0.0, 3.2, 50)
TRUNK_WAY = (
    np.array([world(0.03 * np.sin(9 * z), z)[[0, 2]] for z in SWAY]),
    TURNED_BY + 0.2 * np.sin(5.0 * SWAY),
)


def drawn(figure: Any) -> np.ndarray:
    figure.canvas.draw()
    return np.asarray(figure.canvas.buffer_rgba())[..., :3] / 255.0


def map_of(figure: Any) -> tuple[Any, Any]:
    """The axes of the map and those of its key."""
    return figure.axes[0], figure.axes[1]


class Seen:
    """A drawn plan map that can be asked for the colour of places in the world."""

    def __init__(self, figure: Any) -> None:
        self.axes, self.key = map_of(figure)
        self.image = drawn(figure)
        self.heading = self._heading()

    def _heading(self) -> float:
        """From the key's arrows, as a reader would tell."""
        (z,) = (t for t in self.key.texts if t.get_text() == "z")
        (x,) = (t for t in self.key.texts if t.get_text() == "x")
        away = np.array(z.get_position()) - np.array(x.get_position())
        # where the heading is 0, +Z points right and +X up: from x to z it is an eighth of a turn downwards
        return float(wrap(0.25 * -np.pi - np.arctan2(away[1], away[0])))

    def pixel(self, place: np.ndarray) -> np.ndarray:
        right, up = direction_of(self.heading), direction_of(self.heading + 0.5 * np.pi)
        x, y = self.axes.transData.transform([place @ right, place @ up])
        return np.array([self.image.shape[0] - y, x])

    def colour(self, place: np.ndarray) -> np.ndarray:
        row, column = self.pixel(place).astype(int)
        return self.image[row, column]
