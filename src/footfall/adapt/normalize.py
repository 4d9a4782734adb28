"""A motion moved to the origin, facing +Z: only the horizontal part of its first turn is taken out
([movements] 6), for bending forward or backward belongs to the motion."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from jaxtyping import Float

from footfall.analysis.facing import root_headings
from footfall.errors import RequestError
from footfall.figure.motion import Motion
from footfall.geometry import ground
from footfall.geometry import quaternion as quat


def normalize(motion: Motion, frame: int = 0) -> Motion:
    """The motion with the hips of one frame over the origin and facing +Z; heights are kept."""
    return placed(motion, *_placement(motion, frame))


def _placement(motion: Motion, frame: int) -> tuple[float, Float[np.ndarray, "3"]]:
    whole = isinstance(frame, (int, np.integer)) and not isinstance(frame, bool)
    if not whole or not -len(motion) <= frame < len(motion):
        raise RequestError(f"frame must be a whole number from 0 to {len(motion) - 1}, not {frame!r:.40}")
    heading = -float(root_headings(motion)[frame])
    start = motion.of("hips")[frame] * np.array([1.0, 0.0, 1.0])
    return heading, -quat.rotate(ground.turn(heading), start)


def placed(motion: Motion, heading: float, shift: Float[np.ndarray, "3"]) -> Motion:
    """The motion turned about the vertical through the origin, then shifted."""
    turn = ground.turn(heading)
    rotations = np.array(motion.rotations)
    rotations[..., 0, :] = quat.multiply(turn, rotations[..., 0, :])
    return replace(motion, root=quat.rotate(turn, motion.root) + shift, rotations=rotations)
