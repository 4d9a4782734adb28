"""A motion whose bones keep their lengths, from one whose file moves joints against their parents.

Some exporters leave the root where it is and move the hips, and write positions for every joint though only
the hips move. Then the root can carry the movement, and offsets do for the rest.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from footfall.errors import RequestError
from footfall.figure.motion import Motion
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import first_greatest

LOOSE = 0.02  # m that a joint may stray from where it mostly is


def rigid(motion: Motion) -> Motion:
    """The motion without translations; refused where a joint other than the hips really moves."""
    moved = motion.translations
    if moved is None:
        return motion
    skeleton = motion.skeleton
    offsets = np.median(moved, axis=0)
    offsets[0] = skeleton.offsets[0]
    strays = np.linalg.norm(moved - offsets, axis=-1).max(axis=0)
    strays[0] = 0.0
    hips = skeleton.joint("hips") if skeleton.has("hips") else 0
    carries = hips != 0 and strays[hips] > LOOSE and skeleton.parents[hips] == 0
    if carries:
        offsets[hips], strays[hips] = skeleton.offsets[hips], 0.0
    loosest = int(first_greatest(strays))
    if strays.max() > LOOSE:
        raise RequestError(
            f"the joint {skeleton.names[loosest]!r} moves by {strays[loosest]:.3f} m against its parent: "
            f"bones that keep their lengths are needed"
        )
    root = motion.root
    if carries:
        root = motion.positions[:, hips] - quat.rotate(motion.rotations[:, 0], offsets[hips])
    return replace(motion, skeleton=replace(skeleton, offsets=offsets), root=root, translations=None)
