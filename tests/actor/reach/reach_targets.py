"""Targets all around a figure, and where a reach's finger tip is."""

from __future__ import annotations

import numpy as np

from footfall.actor.hand_poses import finger_tips, hand_pose
from footfall.actor.reach.reach_pose import ReachPose
from footfall.figure.motion import Motion
from footfall.geometry import quaternion as quat


def apex_motion(pose: ReachPose) -> Motion:
    """The apex of a reach as a motion of one frame; its head is at rest."""
    bodies = pose.bearing.bodies(pose.apex[None])
    turns, _ = pose.posed(pose.apex[None], bodies, {side: t[None] for side, t in pose.targets.items()})
    return pose.station.motion(bodies.root, turns, 60.0)


def spread_targets(arm: str, seat: float | None, count: int, seed: int) -> list[np.ndarray]:
    """Places within arm's reach and a little beyond: floor to overhead, ahead, across, beside, behind."""
    rng = np.random.default_rng(seed)
    sign = 1.0 if arm == "left" else -1.0
    out = []
    for _ in range(count):
        heading = sign * np.radians(rng.uniform(-45.0, 130.0))
        height = rng.uniform(0.02, 2.0) if seat is None else rng.uniform(0.55, 1.55)
        away = rng.uniform(0.32, 0.6 if height < 1.6 else 0.4)
        middle = 0.05 if seat is None else -0.35
        out.append(np.array([away * np.sin(heading), height, middle + away * np.cos(heading)]))
    return out


def tip_of(motion: Motion, arm: str) -> np.ndarray:
    """Where the middle finger of an open hand ends in the first frame, by forward kinematics."""
    skeleton = motion.skeleton
    fingers = {role: turn[None] for role, turn in hand_pose(skeleton, arm, "open").items()}
    tip = finger_tips(skeleton, arm, fingers)["middle"][0]
    hand = skeleton.joint(f"{arm}_hand")
    return motion.positions[0, hand] + quat.rotate(motion.orientations[0, hand], tip)
