"""Arms swing as steps go: less with short steps and on stairs, a little more with long ones, in phase."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.geometry import quaternion as quat
from footfall.models.walkedit.cycle import WalkCycle

FOLLOW = 0.6  # of what steps are longer or shorter: how far the swing of the arms follows
LEAST, MOST = 0.5, 1.15  # of the captured swing


def swing_arms(
    cycle: WalkCycle, rotations: Float[np.ndarray, "n joints 4"], stretch: Float[np.ndarray, "n"]
) -> None:
    """Scales the turns of upper arms and forearms about their means, in place."""
    if np.abs(stretch - 1.0).max(initial=0.0) < 1e-9:
        return
    share = np.clip(1.0 + FOLLOW * (stretch - 1.0), LEAST, MOST)[:, None]
    for joint, mean in cycle.arms.items():
        away = quat.log(quat.multiply(quat.conjugate(mean), rotations[:, joint]))
        turned = quat.multiply(mean, quat.exp(share * away))
        # on the hemisphere it was on
        flip = np.sum(turned * rotations[:, joint], axis=-1, keepdims=True) < 0.0
        rotations[:, joint] = np.where(flip, -turned, turned)
