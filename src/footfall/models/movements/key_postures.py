"""Where feet, hips and trunk are in blends, at the first and the last keytime: what parameters are measured
from.

Only the joints that lead there are followed, for thousands of blends at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.adapt.foot_roll import print_under
from footfall.figure import kinematics
from footfall.figure.contacts import SIDES
from footfall.figure.sole import Sole
from footfall.figure.tree import Tree
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.models.movements.prepared import Prepared
from footfall.models.movements.tables import Tables

LINES = (("left_thigh", "right_thigh"), ("left_upper_arm", "right_upper_arm"))
PARTS = ("thigh", "shank", "foot", "upper_arm")


@dataclass(frozen=True, eq=False)
class Stand:
    """A figure at one moment, for many blends."""

    hips: Float[np.ndarray, "q 3"]
    heading: Float[np.ndarray, "q"]  # of the trunk
    places: Float[np.ndarray, "q 2 3"]  # of the footprints, left and right
    headings: Float[np.ndarray, "q 2"]


class KeyPostures:
    """The examples' postures at some generic times."""

    def __init__(self, examples: Sequence[Prepared], tables: Tables, generic: Sequence[float]):
        skeleton = examples[0].motion.skeleton
        wanted = [skeleton.joint(r) for s in SIDES for p in PARTS if skeleton.has(r := f"{s}_{p}")]
        wanted.append(skeleton.joint("hips"))
        kept = sorted({a for joint in wanted for a in skeleton.tree.ancestors(joint)})
        self.index = {joint: k for k, joint in enumerate(kept)}
        self.tree = Tree(np.array([self.index.get(int(skeleton.parents[j]), -1) for j in kept]))
        self.offsets = skeleton.offsets[kept]
        self.roles = {role: self.index[j] for role, j in skeleton.roles.items() if j in self.index}
        self.soles = [Sole.of(skeleton, side) for side in SIDES]
        rows = np.stack([tables.at_generic(np.array(generic, dtype=float), i) for i in range(len(tables))])
        self.roots = rows[..., :3]
        self.turns = rows[..., 3:].reshape(*rows.shape[:2], -1, 4)[:, :, kept]

    def stand(self, weights: Float[np.ndarray, "q n"], which: int) -> Stand:
        """The blends at one of the generic times."""
        turns = quat.normalize(np.tensordot(weights, self.turns[:, which], axes=1))
        root = weights @ self.roots[:, which]
        places, orientations = kinematics.forward(self.tree, self.offsets, root, turns)
        feet = [
            print_under(places[:, self.roles[f"{s}_foot"]], orientations[:, self.roles[f"{s}_foot"]], sole)
            for s, sole in zip(SIDES, self.soles, strict=True)
        ]
        return Stand(
            hips=places[:, self.roles["hips"]],
            heading=self._trunk(places),
            places=np.stack([place for place, _ in feet], axis=1),
            headings=np.stack([heading for _, heading in feet], axis=1),
        )

    def _trunk(self, places: Float[np.ndarray, "q joints 3"]) -> Float[np.ndarray, "q"]:
        """Heading of hip line and shoulder line together, as `trunk_headings` has it."""
        across = np.zeros((len(places), 3))
        for left, right in LINES:
            if left in self.roles and right in self.roles:
                line = (places[:, self.roles[left]] - places[:, self.roles[right]]) * np.array(
                    [1.0, 0.0, 1.0]
                )
                across += line / np.maximum(np.linalg.norm(line, axis=-1, keepdims=True), 1e-9)
        return ground.heading_of(quat.cross(across, ground.UP))
