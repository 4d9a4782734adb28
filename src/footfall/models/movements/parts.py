"""Body parts combined: the upper body of one movement on the legs of another ([movements] 8, left open
there).

Both are taken at the same generic time, so their keytimes must mean the same. The trunk is turned in the
world as in the movement it comes from, whatever the pelvis under it does: a pelvis that tilts otherwise
would throw it about.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.errors import RequestError
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat
from footfall.models.movements.kind import MovementKind

Turns = Float[np.ndarray, "moments joints 4"]


@dataclass(frozen=True, eq=False)
class UpperBody:
    """A blend whose upper body is borrowed."""

    kind: MovementKind
    weights: Float[np.ndarray, "n"]

    def put_on(self, rotations: Turns, generic: Float[np.ndarray, "moments"]) -> Turns:
        """The upper body at the generic times of another movement; both face +Z where they begin."""
        own = self.kind.tables.blend(self.weights, generic)[1]
        skeleton = self.kind.examples[0].motion.skeleton
        upper = upper_joints(skeleton)
        out = rotations.copy()
        out[:, upper] = own[:, upper]
        for joint in upper:
            parent = int(skeleton.parents[joint])
            if parent not in upper:
                beneath, theirs = _turned(skeleton, rotations, parent), _turned(skeleton, own, parent)
                held = quat.multiply(theirs, own[:, joint])
                out[:, joint] = quat.multiply(quat.conjugate(beneath), held)
        return out


def upper_joints(skeleton: Skeleton) -> list[int]:
    """All that hangs on the hips but the legs."""
    hips = skeleton.joint("hips")
    legs = {j for side in skeleton.sides for j in _limb(skeleton, side)}
    below = skeleton.tree.descendants(hips)
    stem = {a for j in legs for a in skeleton.tree.ancestors(j)}
    return sorted(j for j in below if j not in legs and j not in stem)


def _limb(skeleton: Skeleton, side: str) -> set[int]:
    thigh = skeleton.joint(f"{side}_thigh")
    return {thigh, *skeleton.tree.descendants(thigh)}


def _turned(skeleton: Skeleton, rotations: Turns, joint: int) -> Float[np.ndarray, "moments 4"]:
    """World turns of one joint."""
    turn = rotations[:, 0]
    for below in skeleton.tree.path(0, joint)[1:]:
        turn = quat.multiply(turn, rotations[:, below])
    return turn


def refuse_unlike(legs: MovementKind, upper: MovementKind) -> None:
    """Phases agree where keytimes are as many and feet leave and land at the same ones, or upper's stand."""
    same = upper.tables.keytimes.shape[1] == legs.tables.keytimes.shape[1]
    if not same or (upper.swings not in (legs.swings, (None, None))):
        raise RequestError(
            f"the upper body of {upper.name} cannot be put on the legs of {legs.name}: their phases do not "
            f"agree (as many keytimes are needed, and feet that leave and land at the same ones, or stand)"
        )
