"""The upper body leans: forwards uphill, a little back downhill, into a bend and into a change of speed.

[walk] replays it as it was captured, and names this as its open end. Pelvis and spine share the lean about
the middle between the hips, which stays; neck and head give half of it back, so that the eyes stay on the
way; arms hang from the shoulders and keep their phase.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.figure.skeleton import Skeleton
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.models.walkedit.body_way import spline
from footfall.models.walkedit.cycle import WalkCycle
from footfall.models.walkedit.steps import Footprints

GRAVITY = 9.81  # m/s^2
UPHILL, DOWNHILL = 0.45, 0.15  # of the slope: how far the trunk leans forwards and back
INTO_SPEED = 0.6  # of what a rigid body would need
MOST = np.radians(18.0)
PELVIS = 0.35  # of the lean; the spine has the rest
GIVEN_BACK = 0.5  # of the lean, by neck and head
HIPS_INTO_BEND = 0.4  # of leg length times lean: how far the hips go to the inside
SPINE = ("spine", "chest", "upper_chest")
HEAD = ("neck", "head")

Numbers = Float[np.ndarray, "n"]


@dataclass(frozen=True, eq=False)
class Lean:
    """Radians forwards and to the left, frame by frame."""

    forwards: Numbers
    left: Numbers

    @property
    def any(self) -> bool:
        return bool(self.forwards.any() or self.left.any())


def lean_over(prints: Footprints, numbers: Numbers) -> Lean:
    """What the way asks of a body, from the steps around each moment."""
    apart = np.diff(prints.places, axis=0)
    seconds = np.maximum(np.diff(prints.strikes), 1e-3)
    level = np.hypot(apart[:, 0], apart[:, 2])
    slope = np.arctan2(apart[:, 1], np.maximum(level, 0.2))
    speed = level / seconds
    bend = np.diff(np.unwrap(prints.ways)) / np.maximum(level, 0.2)
    faster = np.gradient(speed) / seconds if len(speed) > 1 else np.zeros(len(speed))
    forwards = np.where(slope > 0.0, UPHILL, DOWNHILL) * slope + INTO_SPEED * np.arctan(faster / GRAVITY)
    left = np.arctan(speed**2 * bend / GRAVITY)
    values = np.clip(np.stack([forwards, left], axis=-1), -MOST, MOST)
    values[np.abs(values) < 1e-6] = 0.0
    if not values.any():
        return Lean(np.zeros(len(numbers)), np.zeros(len(numbers)))
    # a step's value belongs to its middle; two steps are averaged where they meet
    calm = np.concatenate([values[:1], 0.5 * (values[1:] + values[:-1]), values[-1:]])
    found = spline(calm, numbers)
    return Lean(found[:, 0], found[:, 1])


def leaning(
    cycle: WalkCycle,
    root: Float[np.ndarray, "n 3"],
    rotations: Float[np.ndarray, "n joints 4"],
    turn: Numbers,
    lean: Lean,
) -> Float[np.ndarray, "n 3"]:
    """Leans the body in place; returns where its root is then."""
    skeleton = cycle.skeleton
    facing = ground.turn(turn)
    ahead = quat.rotate(facing, ground.FORWARD)
    left = quat.rotate(facing, ground.LEFT)
    axis = lean.forwards[:, None] * left - lean.left[:, None] * ahead
    hips = _middle_of_hips(cycle, root, rotations)
    pelvis = quat.exp(PELVIS * axis)
    moved = hips + quat.rotate(pelvis, root - hips)
    moved = moved + (HIPS_INTO_BEND * cycle.leg_length * lean.left)[:, None] * left
    rotations[:, 0] = quat.multiply(pelvis, rotations[:, 0])
    spine = [skeleton.joint(role) for role in SPINE if skeleton.has(role)]
    head = [skeleton.joint(role) for role in HEAD if skeleton.has(role)]
    share = {joint: (1.0 - PELVIS) / len(spine) for joint in spine}
    share |= {joint: -GIVEN_BACK / len(head) for joint in head}
    _turn_chain(skeleton, rotations, axis, share)
    return moved


def _turn_chain(
    skeleton: Skeleton,
    rotations: Float[np.ndarray, "n joints 4"],
    axis: Float[np.ndarray, "n 3"],
    share: dict[int, float],
) -> None:
    """Joints one above the other, each turned by its share of a rotation told in the world."""
    if not share:
        return
    chain = skeleton.tree.ancestors(max(share, key=lambda j: len(skeleton.tree.ancestors(j))))[::-1]
    world = rotations[:, chain[0]]
    for joint in chain[1:]:
        if joint in share:
            # in the parent's frame the same rotation, before the joint's own
            turn = quat.exp(share[joint] * quat.rotate(quat.conjugate(world), axis))
            rotations[:, joint] = quat.multiply(turn, rotations[:, joint])
        world = quat.multiply(world, rotations[:, joint])


def _middle_of_hips(
    cycle: WalkCycle, root: Float[np.ndarray, "n 3"], rotations: Float[np.ndarray, "n joints 4"]
) -> Float[np.ndarray, "n 3"]:
    """Between the two thighs' joints, along whatever joints lie before them."""
    places = []
    for limb in cycle.legs.values():
        place, turn = root, rotations[:, 0]
        for joint in cycle.skeleton.tree.ancestors(limb.upper)[::-1][1:]:
            place = place + quat.rotate(turn, cycle.skeleton.offsets[joint])
            turn = quat.multiply(turn, rotations[:, joint])
        places.append(place)
    return 0.5 * (places[0] + places[1])
