"""Feet put elsewhere by a little, their legs following: bones keep their lengths, soles keep their turn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from jaxtyping import Float

from footfall.figure.motion import Motion
from footfall.geometry import quaternion as quat
from footfall.ik.two_link import Limb, leg_of, solve_two_link

STRAIGHTEST = 0.9995  # of the leg's length: moving a foot does not stretch its knee beyond this


def feet_at(motion: Motion, ankles: Mapping[str, Float[np.ndarray, "frames 3"]]) -> Motion:
    """The motion with its ankles, by side, at these places; frames in which an ankle is there are untouched.

    A foot out of reach stays on the line from its hip. A leg that was straighter than `STRAIGHTEST` may stay
    so.
    """
    rotations = np.array(motion.rotations)
    for side, ankle in ankles.items():
        limb = leg_of(motion.skeleton, side, motion)
        moved = (ankle != motion.positions[:, limb.end]).any(axis=-1)
        for joint, turned in _leg_turns(motion, limb, ankle).items():
            rotations[moved, joint] = turned[moved]
    return replace(motion, rotations=rotations)


def _leg_turns(
    motion: Motion, limb: Limb, ankle: Float[np.ndarray, "frames 3"]
) -> dict[int, Float[np.ndarray, "frames 4"]]:
    """Rotations of thigh, shank and foot; joints between these (twist bones) go with the one above."""
    joints = [limb.upper, limb.middle, limb.end]
    leg, turns = motion.positions[:, joints], motion.orientations
    upper, lower, _ = solve_two_link(limb, leg, turns[:, limb.upper], _within_reach(leg, ankle))
    still = quat.identity(len(motion))
    world = [still, upper, lower, still]  # what turns the bone above each joint, and below the last
    out = {}
    for i, joint in enumerate(joints):
        above = quat.multiply(world[i], turns[:, motion.skeleton.parents[joint]])
        own = quat.multiply(world[i + 1], turns[:, joint])
        out[joint] = quat.multiply(quat.conjugate(above), own)
    return out


def _within_reach(
    leg: Float[np.ndarray, "frames 3 3"], ankle: Float[np.ndarray, "frames 3"]
) -> Float[np.ndarray, "frames 3"]:
    hip = leg[:, 0]
    longest = STRAIGHTEST * np.linalg.norm(np.diff(leg, axis=1), axis=-1).sum(axis=-1)
    longest = np.maximum(longest, np.linalg.norm(leg[:, 2] - hip, axis=-1))
    away = np.linalg.norm(ankle - hip, axis=-1)
    share = np.where(away > longest, longest / np.maximum(away, longest), 1.0)
    # a foot within reach goes exactly where it is asked to
    return np.where((share < 1.0)[:, None], hip + share[:, None] * (ankle - hip), ankle)
