"""A sequence as the paper has it: blended, carried on by its base, joined by difference postures; no
constraints.

Position and heading of the body at the end of a movement are the base of the next ([movements] 5). Feet
slide.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float

from footfall.analysis.facing import trunk_headings
from footfall.figure.contacts import Contacts
from footfall.figure.motion import Motion
from footfall.figure.pose import Pose
from footfall.figure.skeleton import Skeleton
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.models.movements.movement import Channels, Movement
from footfall.models.movements.perform import MOMENT, End, end_of, frames_of, led

LEVEL = np.array([1.0, 0.0, 1.0])


def perform_plain(skeleton: Skeleton, movements: Sequence[Movement], fps: float) -> Motion:
    """The movements one after the other."""
    poses: list[Pose] = []
    heels, toes = [], []
    end: End | None = None
    heading, place, begin = 0.0, np.zeros(3), 0.0
    for number, movement in enumerate(movements):
        times = frames_of(begin, movement.seconds, fps, last=number == len(movements) - 1)
        extra = [0.0, MOMENT, movement.seconds - MOMENT, movement.seconds]
        asked = np.concatenate([times, extra])
        made = _based(movement, asked, heading, place)
        if end is not None:
            made = led(made, asked, end, slice(len(times), len(times) + 2), movement.seconds)
        end = end_of(made)
        poses.append(Pose(made.pose.root[: len(times)], made.pose.rotations[: len(times)]))
        keys = movement.channels(movement.keytimes)
        feet = movement.feet(movement.channels(times), times, keys)
        heels.append(np.stack([foot.heel_down for foot in feet], axis=1))
        toes.append(np.stack([foot.toe_down for foot in feet], axis=1))
        heading, place = _base(skeleton, end.pose)
        begin += movement.seconds
    root = np.concatenate([p.root for p in poses])
    rotations = quat.continuous(np.concatenate([p.rotations for p in poses]))
    return Motion(
        skeleton, root, rotations, fps, contacts=Contacts(np.concatenate(heels), np.concatenate(toes))
    )


def _based(
    movement: Movement, times: Float[np.ndarray, "n"], heading: float, place: Float[np.ndarray, "3"]
) -> Channels:
    """A movement in the world, its base at a place and heading."""
    generic = movement.generic(times)
    root, rotations = movement.kind.tables.blend(movement.weights, generic)
    if movement.upper is not None:
        rotations = movement.upper.put_on(rotations, generic)
    facing = ground.turn(heading)
    rotations = rotations.copy()
    rotations[:, 0] = quat.multiply(facing, rotations[:, 0])
    level = float(movement.before.places[movement.kind.anchored, 1].mean())
    base = place + level * ground.UP
    still = np.zeros((len(times), 12))
    return Channels(Pose(base + quat.rotate(facing, root), rotations), (still, still))


def _base(skeleton: Skeleton, pose: Pose) -> tuple[float, Float[np.ndarray, "3"]]:
    """Under the hips, as the trunk faces."""
    last = Motion(skeleton, pose.root[None], pose.rotations[None], 1.0)
    return float(trunk_headings(last)[0]), last.of("hips")[0] * LEVEL
