"""A character's state in a locomotion space, and one frame after the other of it."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.figure.contacts import SIDES
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.models.locomotion import layout
from footfall.models.locomotion.model import Locomotion
from footfall.models.locomotion.response import CHANGE


class LocomotionWalker:
    """Stands at a place and goes as it is asked; `state` and `pose` are told in `layout`."""

    def __init__(
        self,
        model: Locomotion,
        place: tuple[float, float] = (0.0, 0.0),
        heading: float = 0.0,
        level: float = 0.0,
        *,
        foot_lock: bool = True,
    ) -> None:
        from footfall.models.locomotion.frame_kernel import advance

        packed = model.packed
        self.model = model
        self.state: Float[np.ndarray, "state"] = np.zeros(layout.state_size(len(model)))
        self.pose: Float[np.ndarray, "numbers"] = np.zeros(3 + 4 * len(model.skeleton))
        self.pose[3:] = model.tables.mean.reshape(-1)
        self._total = np.zeros(packed.rows.shape[-1], dtype=np.float32)
        self._tables = packed.sizes, packed.numbers, packed.rows, packed.feet, packed.idle
        self._advance = advance
        state = self.state
        state[layout.PLACE], state[layout.PLACE + 1] = place
        state[layout.HEADING] = heading
        state[layout.LEVEL] = state[layout.GROUND : layout.GROUND + 3] = level
        state[layout.CHANGE : layout.CHANGE + 3] = CHANGE
        state[layout.STANDING] = state[layout.STANDS_TO] = 1.0
        state[layout.LOCKS] = float(foot_lock)
        state[layout.LAST_DT] = 1.0 / 60.0
        self.aim(np.zeros(3))
        self._stand()
        self.renew()

    def aim(self, parameters: Float[np.ndarray, "3"]) -> None:
        """At once, without any way there: the shares of a command inside the hull."""
        loops, state = len(self.model), self.state
        state[layout.WISH : layout.WISH + 3] = state[layout.NOW : layout.NOW + 3] = parameters
        shares = self.model.shares(self.model.scheme(parameters * self.model.space.scales))
        state[layout.WEIGHTS :] = np.concatenate([shares, np.zeros(loops), shares])

    def _stand(self) -> None:
        """Both feet where the stand has them."""
        state = self.state
        for k, foot in enumerate(self.model.tables.idle_feet):
            turned = quat.rotate(ground.turn(state[layout.HEADING]), foot[:3])
            sole = self._sole(k, float(state[layout.HEADING] + foot[3]))
            at = layout.FEET + layout.FOOT * k
            place = np.array([state[layout.PLACE], 0.0, state[layout.PLACE + 1]]) + turned + sole
            state[at + layout.STANDS_NOW] = 1.0
            state[at + layout.PRINT : at + layout.PRINT + 4] = [
                place[0],
                state[layout.LEVEL],
                place[2],
                state[layout.HEADING] + foot[3],
            ]
            state[at + layout.UNDER] = state[layout.LEVEL]
            state[at + layout.SINCE] = (state[layout.PHASE] - 0.5 * k) % 1.0

    def _sole(self, k: int, yaw: float) -> Float[np.ndarray, "3"]:
        """From the ankle to the middle of a sole that lies flat."""
        from footfall.figure.sole import Sole

        sole = Sole.of(self.model.skeleton, SIDES[k])
        return quat.rotate(quat.multiply(ground.turn(yaw), sole.lying), sole.subtalar)

    def renew(self) -> None:
        """The pose of the state as it is, as if nothing had been before."""
        self.state[layout.FRESH] = 1.0
        self.advance(0.0)

    def advance(self, seconds: float) -> None:
        """So many seconds on; a kernel does all of it."""
        self._advance(*self._tables, seconds, self.state, self._total, self.pose)
