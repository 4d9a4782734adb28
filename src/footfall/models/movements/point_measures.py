"""Parameters of movements of any other kind: where a joint is at the movement's middle keytime.

They are told by name: `right_hand_x`, `right_hand_y`, `right_hand_z` are where the joint in the role
right_hand is then, in the movement's base frame (left, up, ahead).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float

from footfall.figure import kinematics
from footfall.figure.roles import ROLE_NAMES
from footfall.geometry import quaternion as quat
from footfall.models.movements.prepared import Prepared
from footfall.models.movements.tables import Tables

AXES = "xyz"


def point_of(name: str) -> tuple[str, int] | None:
    """The role and the axis that a parameter's name tells; None where it tells none."""
    role, _, axis = name.rpartition("_")
    return (role, AXES.index(axis)) if role in ROLE_NAMES and axis in tuple(AXES) else None


class PointFamily:
    """Where joints are at the middle keytime, of examples and of blends."""

    def __init__(self, names: Sequence[str], examples: Sequence[Prepared], tables: Tables):
        self.names = tuple(names)
        self.points = [p for name in names if (p := point_of(name)) is not None]
        self.skeleton = examples[0].motion.skeleton
        for role, _ in self.points:
            self.skeleton.joint(role)
        moment = np.array([float(tables.keytimes.shape[1] // 2)])
        rows = np.stack([tables.at_generic(moment, i)[0] for i in range(len(tables))])
        self.roots, self.turns = rows[:, :3], rows[:, 3:].reshape(len(rows), -1, 4)
        self.examples = self(np.eye(len(examples)))

    def __call__(self, weights: Float[np.ndarray, "q n"]) -> Float[np.ndarray, "q values"]:
        turns = quat.normalize(np.tensordot(weights, self.turns, axes=1))
        places, _ = kinematics.forward(self.skeleton.tree, self.skeleton.offsets, weights @ self.roots, turns)
        return np.stack([places[:, self.skeleton.joint(role), axis] for role, axis in self.points], axis=-1)
