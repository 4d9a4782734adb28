"""Toes of a locked foot that do not lie are bent up over the ground before them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from jaxtyping import Float

from footfall.adapt.foot_lock_foot import RecordedFoot
from footfall.adapt.foot_lock_ground import FootGround
from footfall.adapt.foot_lock_way import LockedWay
from footfall.adapt.toes import STEEP, raised_toes
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat

SHARES = (1.0, 0.7, 0.4)  # of a toe, from its joint to its tip, over which the ground is looked at


def toes_over(way: LockedWay, foot: RecordedFoot, ground: FootGround, skeleton: Skeleton) -> LockedWay:
    """The way with toes bent up where they would be in the ground.

    A bent toe ends elsewhere than a straight one, on a slope over other ground: so they are looked at twice.
    """
    if way.toe is None:
        return way
    toes, levels = way.toe, np.full(len(way.ankle), -np.inf)
    for _ in range(2):
        levels = np.maximum(levels, _levels(way, foot, ground, toes))
        toes = raised_toes(skeleton, foot.side, way.ankle, way.turn, way.toe, levels, ~way.lying, STEEP)
    return replace(way, toe=toes)


def _levels(
    way: LockedWay, foot: RecordedFoot, ground: FootGround, toes: Float[np.ndarray, "frames 4"]
) -> Float[np.ndarray, "frames"]:
    """How high the tip must be: as the ground under it, or over what is between it and the toe's joint."""
    joint = way.ankle + quat.rotate(way.turn, foot.sole.toe_joint)
    tip = foot.sole.points(way.ankle, way.turn, toes)[:, 3]
    frames = np.arange(len(tip), dtype=float)
    found = [ground.height(frames, joint + share * (tip - joint)) for share in SHARES]
    return np.max([joint[:, 1] + (y - joint[:, 1]) / s for y, s in zip(found, SHARES, strict=True)], axis=0)
