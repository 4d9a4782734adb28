"""The ground under toes in the air, which are bent up over it.

Toes may be straight or bent; one that is bent up over what is found there ends elsewhere, and on a slope over
higher ground: that is looked at last. An edge may poke between joint and tip: then the tip must be as much
higher as it is farther from the joint.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Bool, Float

from footfall.adapt.toes import STEEP, raised_toes
from footfall.figure.contacts import SIDES
from footfall.figure.sole import Sole
from footfall.geometry import quaternion as quat
from footfall.models.stepspace.frame_tables import ANKLE, LEVEL, SHARE, TOE, TURN, FramesTable
from footfall.models.stepspace.stage import Stage
from footfall.world.terrain import Ground

LOOK_DOWN = 0.3  # m over an ankle from where the ground under its toes is looked for
FAR_DOWN = 1e3  # m: no ground at all
SHARES = (1.0, 0.7, 0.4)  # of a toe, from its joint to its tip, over which the ground is looked at


def find_ground(stage: Stage, frames: FramesTable, terrain: Ground) -> None:
    """Puts the level under feet in the air: the highest under the tips that their toes may have."""
    air: Bool[np.ndarray, "2 frames"] = frames.ways[:, :, SHARE] > 0.0
    left, right = (way[flies] for way, flies in zip(frames.ways, air, strict=True))
    feet = dict(zip(SIDES, (left, right), strict=True))
    top = np.concatenate([left[:, ANKLE + 1], right[:, ANKLE + 1]]) + LOOK_DOWN
    level = np.full(len(top), -FAR_DOWN)
    joint = np.concatenate([_joints(stage, side, way) for side, way in feet.items()])
    for tips in (_as_they_are, _straight, _raised):
        parts = zip(feet.items(), np.split(level, [len(left)]), strict=True)
        tip = np.concatenate([tips(stage, side, way, found) for (side, way), found in parts])
        for share in SHARES:
            place = joint + share * (tip - joint)
            found = terrain.height(place[:, 0], place[:, 2], top)
            found = joint[:, 1] + (found - joint[:, 1]) / share
            level = np.maximum(level, np.where(np.isfinite(found), found, -FAR_DOWN))
    frames.ways[air, LEVEL] = level


Ways = Float[np.ndarray, "n way"]
Levels = Float[np.ndarray, "n"]
Tips = Float[np.ndarray, "n 3"]


def _as_they_are(stage: Stage, side: str, way: Ways, level: Levels) -> Tips:
    return _tips(stage, side, way, way[:, TOE : TOE + 4])


def _straight(stage: Stage, side: str, way: Ways, level: Levels) -> Tips:
    rest = stage.skeleton.rest[stage.skeleton.joint(f"{side}_toe")]
    return _tips(stage, side, way, np.broadcast_to(rest, (len(way), 4)))


def _raised(stage: Stage, side: str, way: Ways, level: Levels) -> Tips:
    ankle, turn, toe = way[:, ANKLE : ANKLE + 3], way[:, TURN : TURN + 4], way[:, TOE : TOE + 4]
    free = np.ones(len(way), dtype=bool)
    return _tips(stage, side, way, raised_toes(stage.skeleton, side, ankle, turn, toe, level, free, STEEP))


def _joints(stage: Stage, side: str, way: Ways) -> Tips:
    arm = stage.skeleton.offsets[stage.skeleton.joint(f"{side}_toe")]
    return way[:, ANKLE : ANKLE + 3] + quat.rotate(way[:, TURN : TURN + 4], arm)


def _tips(stage: Stage, side: str, way: Ways, toe: Float[np.ndarray, "n 4"]) -> Tips:
    sole = Sole.of(stage.skeleton, side)
    return sole.points(way[:, ANKLE : ANKLE + 3], way[:, TURN : TURN + 4], toe)[:, 3]
