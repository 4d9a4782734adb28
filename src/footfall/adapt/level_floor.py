"""A tilted or offset capture floor made level, at height zero."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from footfall.analysis.contacts import detect_contacts
from footfall.analysis.floor import Floor, fit_floor, turn_to_level
from footfall.analysis.plants import detect_plants
from footfall.errors import RequestError
from footfall.figure.motion import Motion
from footfall.geometry import quaternion as quat


def level_floor(motion: Motion, floor: Floor | None = None) -> Motion:
    """The whole motion turned and shifted until its plants rest on the level y = 0.

    The floor is fitted to the plants unless it is given. Stairs and blocks have no one plane: they are
    refused, for levelling them would tilt the figure.
    """
    if floor is None:
        contacts = motion.contacts if motion.contacts is not None else detect_contacts(motion)
        floor = fit_floor(detect_plants(motion, contacts))
        if floor is None:
            raise RequestError("no foot stands anywhere in this motion, so it has no floor to level")
        if not floor.one:
            raise RequestError(
                f"the plants lie up to {100 * floor.residual:.1f} cm from a plane tilted by "
                f"{np.degrees(floor.tilt):.1f} degrees: stairs, blocks and ramps have no floor to level"
            )
    turn = turn_to_level(floor)
    root = floor.point + quat.rotate(turn, motion.root - floor.point)
    rotations = np.array(motion.rotations)
    rotations[..., 0, :] = quat.multiply(turn, rotations[..., 0, :])
    return replace(motion, root=root - np.array([0.0, floor.point[1], 0.0]), rotations=rotations)
