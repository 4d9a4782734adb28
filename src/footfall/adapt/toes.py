"""Toes of a pinned foot: still and straight while they lie on the ground, never under it."""

from __future__ import annotations

import numpy as np
from jaxtyping import Bool, Float

from footfall.adapt.bridging import bridged
from footfall.adapt.footprints import Phase, Print, mean_turn
from footfall.figure.feet import FootPoints
from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.figure.soles import toe_point_on_toe
from footfall.geometry import quaternion as quat

STEEP = 0.35  # of a toe's length that its tip may be over its joint, where known ground rises
EXACTLY = 0.6  # of a toe's length that its joint is over the ground: so far its tip is laid on it exactly


def toe_turns(
    motion: Motion,
    plants: list[list[Phase]],
    prints: list[list[Print]],
    wanted: Float[np.ndarray, "frames 4"],
    side: str,
    settle: float,
) -> Float[np.ndarray, "frames 4"] | None:
    """Turns of the toe relative to the foot: while the toe touches, it lies still in the world.

    Under a flat sole it lies straight, as at rest: the tip then rests in the sole's plane.
    """
    skeleton = motion.skeleton
    if not skeleton.has(f"{side}_toe") or skeleton.parents[skeleton.joint(f"{side}_toe")] != skeleton.joint(
        f"{side}_foot"
    ):
        return None
    toe = skeleton.joint(f"{side}_toe")
    local = motion.rotations[:, toe]
    known = np.zeros(len(motion), dtype=bool)
    change = np.zeros((len(motion), 3))
    for phases, footprints in zip(plants, prints, strict=True):
        lying = [p for p in phases if p.kind in ("flat", "toe")]
        flat = [turn for p, (turn, _, _) in zip(phases, footprints, strict=True) if p.kind == "flat"]
        if not lying:
            continue
        if flat:
            still = quat.multiply(flat[0], skeleton.rest[toe])
        else:
            still = mean_turn(np.concatenate([motion.orientations[p.frames, toe] for p in lying]))
        for phase in lying:
            held = quat.multiply(quat.conjugate(wanted[phase.frames]), still)
            change[phase.frames] = quat.log(quat.multiply(held, quat.conjugate(local[phase.frames])))
            known[phase.frames] = True
    return quat.multiply(quat.exp(bridged(change, known, motion.fps, settle)), local)


def raised_toes(
    skeleton: Skeleton,
    side: str,
    ankle: Float[np.ndarray, "frames 3"],
    turn: Float[np.ndarray, "frames 4"],
    toes: Float[np.ndarray, "frames 4"],
    levels: Float[np.ndarray, "frames"],
    free: Bool[np.ndarray, "frames"],
    steep: float = 0.0,
) -> Float[np.ndarray, "frames 4"]:
    """Toes of a free foot bent up where their tip would be under the ground, until they are level at most.

    Where the ground is known they may rise with it, by `steep` of their length.
    """
    points = skeleton.foot_points(side)
    joint = ankle + quat.rotate(turn, skeleton.offsets[skeleton.joint(f"{side}_toe")])
    world = quat.multiply(turn, toes)
    arm = quat.rotate(world, toe_point_on_toe(skeleton, side, points))
    axis = lateral_axis(turn, points)
    # a foot whose toe joint is under the level stands on lower ground than was thought
    height = np.minimum(levels - joint[:, 1], steep * np.linalg.norm(arm, axis=-1))
    angle = np.where(free, turns_up(arm, axis, height), 0.0)
    return quat.multiply(quat.conjugate(turn), quat.multiply(quat.exp(axis * angle[:, None]), world))


def lateral_axis(turn: Float[np.ndarray, "frames 4"], points: FootPoints) -> Float[np.ndarray, "frames 3"]:
    """The axis across a foot, in the world."""
    across = quat.cross(points.ball - points.heel, -points.subtalar)
    return quat.rotate(turn, across / np.linalg.norm(across))


def turns_up(
    arm: Float[np.ndarray, "frames 3"],
    axis: Float[np.ndarray, "frames 3"],
    height: Float[np.ndarray, "frames"],
) -> Float[np.ndarray, "frames"]:
    """The turns up about `axis` that bring an arm's end to `height` over its start or more, or nearest to it.

    Up, though what hangs down steeply has a smaller turn: to fold under. After a turn a the height is
    along + radius sin(pitch + a).
    """
    along = np.sum(arm * axis, axis=-1) * axis[:, 1]
    across, swing = arm[:, 1] - along, quat.cross(axis, arm)[:, 1]
    radius = np.maximum(np.hypot(across, swing), 1e-9)
    wanted = pitch_over((np.where(np.isnan(height), -np.inf, height) - along) / radius)
    return np.maximum(wanted - np.arctan2(across, swing), 0.0)


def pitch_over(height: Float[np.ndarray, "n"]) -> Float[np.ndarray, "n"]:
    """How steeply an arm of length 1 may point down whose end must not be under `height`.

    What has all but room to hang is held a little higher than it must be: the steepest pitch itself falls
    ever faster there, and toes that leave the ground would snap straight within a frame.
    """
    eased = (height + EXACTLY) / np.sqrt(1.0 - EXACTLY**2) - np.arcsin(EXACTLY)
    return np.where(height < -EXACTLY, eased, np.arcsin(np.clip(height, -EXACTLY, 1.0)))
