"""The ground under a character in a locomotion space: beneath its body and beneath each foot."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from jaxtyping import Float

from footfall.models.locomotion import layout
from footfall.world.plane import InclinedTerrain
from footfall.world.terrain import Terrain

STOREY = 0.6  # m over the ground it is on: ground beneath that is of its storey

State = Float[np.ndarray, "state"]


class GroundUnder:
    """Level ground is asked once, any other in every frame. What goes wrong is told, never raised."""

    def __init__(self, world: Terrain, told: Callable[[str], object]) -> None:
        self.world, self._told = world, told
        self.uneven = not (isinstance(world, InclinedTerrain) and world.slope == 0.0)
        self._missed = False

    def feel(self, state: State, *, anew: bool = False) -> float:
        """Levels under body and feet into the state; the body's. `anew`, from the top."""
        try:
            levels = self._levels(state, np.inf if anew else float(state[layout.LEVEL]) + STOREY)
        except Exception as what:  # whatever an object that is no terrain does
            self.uneven = False
            self._told(f"{type(self.world).__name__} is no ground: {what!s:.60}")
            return float(state[layout.GROUND])
        known = np.isfinite(levels)
        if not known[0] and not self._missed:
            self._told(f"there is no ground at ({state[layout.PLACE]:.2f}, {state[layout.PLACE + 1]:.2f})")
        self._missed = not known[0]
        ground = state[layout.GROUND : layout.GROUND + 3]
        ground[known] = levels[known]
        return float(ground[0])

    def _levels(self, state: State, start: float) -> Float[np.ndarray, "3"]:
        feet = [layout.FEET + layout.FOOT * k + layout.WAS for k in range(2)]
        x = np.array([state[layout.PLACE], *(state[at] for at in feet)])
        z = np.array([state[layout.PLACE + 1], *(state[at + 2] for at in feet)])
        return np.asarray(self.world.height(x, z, np.full(3, start)), dtype=float).reshape(3)
