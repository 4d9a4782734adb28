"""The first layer: where in the world a figure is, and which way it faces ([body] table 1)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float

from footfall.control.tick import Tick
from footfall.errors import NO_NUMBER, RequestError
from footfall.figure.pose import Pose
from footfall.figure.skeleton import Skeleton
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.world.terrain import is_number

FARTHEST = 1e6  # m


class WorldOffset:
    """Puts the rest pose somewhere; the layers after it make it move from there.

    >>> figure = Character(skeleton, [WorldOffset(skeleton, (2, 3), heading=1.0), idle])

    A place is (x, z) on the ground of the world, or (x, y, z).
    """

    name = "world offset"

    def __init__(self, skeleton: Skeleton, place: Sequence[float] = (0.0, 0.0), heading: float = 0.0) -> None:
        self.skeleton = skeleton
        self._rest = Pose.at_rest(skeleton)
        self.move_to(place, heading)

    def __repr__(self) -> str:
        where = ", ".join(f"{value:.2f}" for value in self._place)
        return f"WorldOffset(({where}), {np.degrees(self.heading):.0f} degrees)"

    def move_to(self, place: Sequence[float], heading: float | None = None) -> None:
        """Puts the figure elsewhere, at once."""
        try:
            values = [float(value) for value in place]
        except NO_NUMBER:
            values = []
        if len(values) not in (2, 3) or not all(abs(value) <= FARTHEST for value in values):
            raise RequestError(f"a place is two or three finite numbers, not {place!r:.60}")
        if heading is not None:
            if not is_number(heading) or not np.isfinite(float(heading)):
                raise RequestError(f"a heading is a finite number of radians, not {heading!r:.40}")
            self.heading = float(heading)
        self._place = tuple(values)

    def update(self, tick: Tick) -> Pose:
        """The rest pose, there. Never raises."""
        x, z = self._place[0], self._place[-1]
        level = self._place[1] if len(self._place) == 3 else 0.0
        if len(self._place) == 2 and tick.world is not None:
            found = float(tick.world.height(np.array(x), np.array(z)))
            level = found if np.isfinite(found) else 0.0
        turn = ground.turn(self.heading)
        rotations: Float[np.ndarray, "joints 4"] = np.array(self._rest.rotations)
        rotations[0] = quat.multiply(turn, rotations[0])
        root = quat.rotate(turn, self._rest.root) + np.array([x, level, z])
        return Pose(root, rotations)
