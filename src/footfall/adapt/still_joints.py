"""A motion in the mirror whose still joints stay still."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from footfall.figure.mirror import mirror
from footfall.figure.motion import Motion
from footfall.geometry import quaternion as quat

STILL = 1e-9


def mirrored_with_still_joints(captured: Motion) -> Motion:
    """Joints that are never turned (some skeletons have such) stay as they are, and those below make up for
    it.

    A lopsided rest pose would have the mirror turn them once and for all, and blends with what is not
    mirrored would move what never moves.
    """
    mirrored = mirror(captured)
    before, turns = quat.continuous(captured.rotations), np.array(mirrored.rotations)
    still = np.ptp(before, axis=0).max(axis=-1) < STILL
    for joint in np.flatnonzero(still[1:]) + 1:
        undone = quat.multiply(quat.conjugate(before[:, joint]), turns[:, joint])
        turns[:, joint] = before[:, joint]
        for below in captured.skeleton.tree.children[joint]:
            turns[:, below] = quat.multiply(undone, turns[:, below])
    return replace(mirrored, rotations=turns)
