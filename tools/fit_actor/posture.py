"""Joint turns away from rest, as rotation vectors of all roles of POSTURE."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from jaxtyping import Float
from tools.fit_actor.captures import STANDING, on_figure

from footfall.actor.curves import POSTURE
from footfall.analysis.facing import root_headings
from footfall.figure.mirror import mirror
from footfall.figure.motion import Motion
from footfall.geometry import ground
from footfall.geometry import quaternion as quat

HIPS = POSTURE.index("hips")

Turns = Float[np.ndarray, "n roles 3"]


def posture_rotations(motion: Motion) -> Float[np.ndarray, "frames roles 4"]:
    return motion.rotations[:, [motion.skeleton.index(role) for role in POSTURE]]


def turns_of(
    rotations: Float[np.ndarray, "n roles 4"], heading: Float[np.ndarray, "n"] | float
) -> Float[np.ndarray, "n roles 3"]:
    """The shorter way from rest to each rotation; the hips' relative to a heading."""
    local = np.array(rotations)
    local[:, HIPS] = quat.multiply(ground.turn(-heading), local[:, HIPS])
    return quat.log(np.where(local[..., :1] < 0, -local, local))


def standing(captures: Path) -> dict[str, Float[np.ndarray, "3"]]:
    """The posture of people who stand and wait: the mean over quiet clips."""
    rows = []
    for file in STANDING:
        motion = on_figure(captures / file)
        rows += [
            turns_of(posture_rotations(seen), root_headings(seen)).mean(axis=0)
            for seen in (motion, mirror(motion))
        ]
    return dict(zip(POSTURE, np.mean(rows, axis=0), strict=True))
