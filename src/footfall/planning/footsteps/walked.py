"""A foot plan that was walked: what room its trunk and soles had, frame by frame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.figure.motion import Motion
from footfall.figure.soles import sole_places
from footfall.geometry.decisions import first_least
from footfall.planning.footsteps.grounds import StepGround
from footfall.planning.footsteps.walker_body import BodySize, trunk_places

FAR = 0.5  # m: more room is not measured
NEARBY = 0.002  # m over which room is differentiated


@dataclass(frozen=True, eq=False)
class TrunkRoom:
    """m from the trunk's stadium to the nearest thing in each frame; negative where they overlap."""

    room: Float[np.ndarray, "frames"]
    places: Float[np.ndarray, "frames 2"]  # x and z of the trunk's middle
    facings: Float[np.ndarray, "frames"]
    levels: Float[np.ndarray, "frames"]  # of the lower foot

    @property
    def least(self) -> float:
        return float(self.room.min(initial=FAR))

    @property
    def where(self) -> Float[np.ndarray, "2"]:
        """x and z of the trunk where it has the least room."""
        return self.places[int(first_least(self.room))]


def trunk_room(motion: Motion, ground: StepGround, size: BodySize) -> TrunkRoom:
    """Of a motion on a ground: over the lower of its feet, as obstacles stand over the ground there."""
    from footfall.planning.footsteps.room_kernel import body_room

    places, headings = trunk_places(motion)
    soles = [sole_places(motion, side)[:, 1, 1] for side in motion.skeleton.sides]
    levels = np.min(soles, axis=0)
    room = ground.room.arrays
    enough = FAR + size.radius
    found = np.array(
        [
            body_room(room, x, z, heading, size.half, level, enough)
            for (x, z), heading, level in zip(places, headings, levels, strict=True)
        ]
    )
    return TrunkRoom(found - size.radius, places, headings, levels)


def room_gradient(room: TrunkRoom, frame: int, ground: StepGround, size: BodySize) -> Float[np.ndarray, "3"]:
    """By how much the room of a frame grows with each metre along x and z, and each radian to the left."""
    from footfall.planning.footsteps.room_kernel import body_room

    here = np.array([*room.places[frame], room.facings[frame]])

    def at(k: int, by: float) -> float:
        x, z, facing = here + by * np.eye(3)[k]
        level, enough = room.levels[frame], FAR + size.radius
        return float(body_room(ground.room.arrays, x, z, facing, size.half, level, enough))

    return np.array([at(k, NEARBY) - at(k, -NEARBY) for k in range(3)]) / (2.0 * NEARBY)
