"""The body as numbers that may be added: root, yaw, tilt, joints by their logarithms ([stepping] 5.2.1).

A rotation is told by its logarithm from a reference: the mean of that joint over all steps. So logarithms are
short, none is near half a turn, and sums, differences and rates of them mean what they say. The root's turn
is taken apart into a yaw, which adds up over a walk, and a tilt.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.adapt.footprints import mean_turn
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.models.stepspace.step_table import StepTable

ROOT, YAW, TILT = slice(0, 3), 3, slice(4, 7)
FIRST = 7  # channel of the first joint's logarithm


@dataclass(frozen=True, eq=False)
class BodyChannels:
    """How rotations are told as channels; the same for both swing feet."""

    reference: Float[np.ndarray, "joints 4"]  # the root's is of its tilt

    @classmethod
    def of(cls, table: StepTable) -> BodyChannels:
        _, tilt = parted(table.rotations[:, :, 0])
        turns = np.array(table.rotations)
        turns[:, :, 0] = tilt
        joints = turns.shape[2]
        return cls(np.stack([mean_turn(turns[:, :, j].reshape(-1, 4)) for j in range(joints)]))

    @property
    def count(self) -> int:
        return FIRST + 3 * (len(self.reference) - 1)

    def told(
        self, root: Float[np.ndarray, "*n 3"], rotations: Float[np.ndarray, "*n joints 4"]
    ) -> Float[np.ndarray, "*n channels"]:
        """Channels of postures. Yaws are between half a turn left and right."""
        yaw, tilt = parted(rotations[..., 0, :])
        turns = np.array(rotations)
        turns[..., 0, :] = tilt
        logs = quat.log(quat.multiply(quat.conjugate(self.reference), turns))
        return np.concatenate(
            [root, yaw[..., None], logs.reshape(*root.shape[:-1], 3 * len(self.reference))], axis=-1
        )

    def rotations(self, channels: Float[np.ndarray, "*n channels"]) -> Float[np.ndarray, "*n joints 4"]:
        logs = channels[..., TILT.start :].reshape(*channels.shape[:-1], -1, 3)
        turns = quat.multiply(self.reference, quat.exp(logs))
        turns[..., 0, :] = quat.multiply(ground.turn(channels[..., YAW]), turns[..., 0, :])
        return turns


def parted(
    turn: Float[np.ndarray, "*n 4"],
) -> tuple[Float[np.ndarray, "*n"], Float[np.ndarray, "*n 4"]]:
    """A turn as a yaw about the vertical after a tilt about a level axis."""
    w, y = turn[..., 0], turn[..., 2]
    yaw = ground.wrap(2.0 * np.arctan2(y, w))
    return yaw, quat.multiply(ground.turn(-yaw), turn)
