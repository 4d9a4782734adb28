"""Legs solved to end in feet that are where they must be: the last thing done to a motion."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import numpy as np
from jaxtyping import Float

from footfall.figure.skeleton import Skeleton
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.ik.two_link import Limb, solve_two_link

Hips = tuple[Float[np.ndarray, "n 3"], Float[np.ndarray, "n 4"]]


class Foot(Protocol):
    """Where a foot is: its ankle, its turn, and its toe's turn against it."""

    @property
    def ankle(self) -> Float[np.ndarray, "n 3"]: ...
    @property
    def turn(self) -> Float[np.ndarray, "n 4"]: ...
    @property
    def toe(self) -> Float[np.ndarray, "n 4"] | None: ...


def hips_of(
    skeleton: Skeleton,
    legs: Mapping[str, Limb],
    root: Float[np.ndarray, "n 3"],
    rotations: Float[np.ndarray, "n joints 4"],
) -> dict[str, Hips]:
    """Where each leg begins, and how the bone it hangs from is turned: only those joints are followed."""
    out = {}
    for side, limb in legs.items():
        chain = skeleton.tree.ancestors(limb.upper)[::-1]
        place, turn = root, rotations[:, 0]
        for joint in chain[1:]:
            place = place + quat.rotate(turn, skeleton.offsets[joint])
            if joint != limb.upper:
                turn = quat.multiply(turn, rotations[:, joint])
        out[side] = place, turn
    return out


def legs_to_feet(
    skeleton: Skeleton,
    legs: Mapping[str, Limb],
    rotations: Float[np.ndarray, "n joints 4"],
    hips: Mapping[str, Hips],
    down: Float[np.ndarray, "n"],
    feet: Mapping[str, Foot],
) -> Float[np.ndarray, "n joints 4"]:
    """All rotations, in place, the legs solved to end in their feet; the hips have come `down` so far."""
    for side, limb in legs.items():
        hip, pelvis = hips[side]
        hip = hip - down[:, None] * ground.UP
        chain = skeleton.tree.path(limb.upper, limb.end)
        places, turns = [hip], [quat.multiply(pelvis, rotations[:, limb.upper])]
        for joint in chain[1:]:
            places.append(places[-1] + quat.rotate(turns[-1], skeleton.offsets[joint]))
            turns.append(quat.multiply(turns[-1], rotations[:, joint]))
        knee = chain.index(limb.middle)
        joints = np.stack([hip, places[knee], places[-1]], axis=1)
        upper, lower, _ = solve_two_link(limb, joints, turns[0], feet[side].ankle)
        world = [quat.multiply(upper if i < knee else lower, t) for i, t in enumerate(turns)]
        world[-1] = feet[side].turn
        before = pelvis
        for joint, turn in zip(chain, world, strict=True):
            rotations[:, joint] = quat.multiply(quat.conjugate(before), turn)
            before = turn
        toe = feet[side].toe
        if toe is not None:
            rotations[:, skeleton.joint(f"{side}_toe")] = toe
    return rotations


def leg_lengths(
    skeleton: Skeleton, legs: Mapping[str, Limb], rotations: Float[np.ndarray, "n joints 4"]
) -> dict[str, Float[np.ndarray, "n"]]:
    """How long each leg is, hip to ankle, as a share of its reach."""
    out = {}
    for side, limb in legs.items():
        chain = skeleton.tree.path(limb.upper, limb.end)
        place, turn = np.zeros(3), rotations[:, limb.upper]
        for joint in chain[1:]:
            place = place + quat.rotate(turn, skeleton.offsets[joint])
            turn = quat.multiply(turn, rotations[:, joint])
        out[side] = np.linalg.norm(place, axis=-1) / limb.reach
    return out
