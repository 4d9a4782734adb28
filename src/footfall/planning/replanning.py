"""Keeping a path open while things move: planned anew when what is left of it is cut, and only then."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.errors import FootfallError
from footfall.planning.path import Path
from footfall.planning.route import BEND, COMFORT, RADIUS, plan_path
from footfall.planning.standing import surface_at
from footfall.planning.walk_map import Obstacles, WalkMap

GRAZE = 2e-6  # m by which a path may seem nearer to something than it was planned: rounding


class Replanner:
    """A path to a goal, and the map it is on.

    It is planned anew where an obstacle has moved so that what is left of the path is nearer to it than the
    radius; a way that becomes shorter because something moved away is not looked for. Where there is no other
    path, the old one stays, `problem` says why, and every later move is a reason to try again.
    """

    def __init__(
        self,
        world: WalkMap,
        start: object,
        goal: object,
        *,
        radius: float = RADIUS,
        comfort: float = COMFORT,
        bend: float = BEND,
    ):
        self.goal, self.radius, self.comfort, self.bend = goal, radius, comfort, bend
        self.world = world
        self.path: Path = self._planned(start)
        self.s = 0.0  # m along the path, where one is
        self.problem = ""

    def _planned(self, start: object) -> Path:
        return plan_path(
            self.world, start, self.goal, radius=self.radius, comfort=self.comfort, bend=self.bend
        )

    def update(self, position: Float[np.ndarray, "3"], obstacles: Obstacles, time: float = 0.0) -> bool:
        """Whether there is a new path, from a position, now that obstacles are where they are at a time."""
        here = np.asarray(position, dtype=float)
        if here.shape != (3,) or not np.isfinite(here).all():
            self.problem = "the position must be three finite numbers"
            return False
        self.s = self.path.nearest(here, around=self.s)
        world = self.world.renewed(obstacles, time)
        if world is self.world:
            return False
        self.world = world
        if not self.problem and self._is_open():
            return False
        try:
            self.path, self.s, self.problem = self._planned(here), 0.0, ""
        except FootfallError as error:
            self.problem = str(error)
            return False
        return True

    def _is_open(self) -> bool:
        """Whether what is left of the path is still clear."""
        rest = self.path.after(self.s).points
        node = surface_at(self.world, rest[0])
        plan = rest[:, [0, 2]] if len(rest) > 1 else rest[[0, 0]][:, [0, 2]]
        return node >= 0 and self.world.sees(node, plan, self.radius - GRAZE) >= 0
