"""Toes of a locked foot: bent no more than toes can be, and where they do not lie, up over the ground."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from jaxtyping import Bool, Float

from footfall.adapt.foot_lock_foot import RecordedFoot
from footfall.adapt.foot_lock_ground import FootGround
from footfall.adapt.foot_lock_way import LockedWay
from footfall.adapt.toes import STEEP
from footfall.analysis.signals import box
from footfall.figure.contacts import runs_of
from footfall.geometry import quaternion as quat

SHARES = (1.0, 0.7, 0.4)  # of a toe, from its joint to its tip, over which the ground is looked at
LOOKS = 2  # a bent toe ends elsewhere than a straight one, over other ground
THERE = 1e-6  # rad: a toe that lacks no more is there, or rounding would turn it all the way round
SOON = 0.05  # s in which toes are bent before they must be, and straight again afterwards

Numbers = Float[np.ndarray, "frames"]


def toes_over(way: LockedWay, foot: RecordedFoot, ground: FootGround, fps: float) -> LockedWay:
    """The way with toes bent up where they would be in the ground and can be bent out of it.

    Before a riser they cannot: there the foot must be raised.
    """
    if way.toe is None:
        return way
    joint = way.ankle + quat.rotate(way.turn, foot.sole.toe_joint)
    arm = quat.rotate(quat.multiply(way.turn, way.toe), foot.sole.tip)
    across = quat.rotate(way.turn, foot.toes.axis)
    steep = STEEP * np.linalg.norm(foot.sole.tip)
    free, room = ~way.lying, foot.toes.room(way.toe)
    toes, levels = way.toe, np.full(len(joint), -np.inf)
    for _ in range(LOOKS):
        levels = np.maximum(levels, _levels(way, foot, ground, toes))
        height = levels - joint[:, 1]
        wrong = free & (arm[:, 1] < height) & (height <= steep)
        up = np.where(wrong, np.minimum(_turn_up(arm, across, height), room), 0.0)
        # in time, but what is bent by itself is not bent as much again for its neighbours' sake
        toes = foot.toes.bent(way.toe, np.minimum(_in_good_time(up, free, fps), room))
    return replace(way, toe=toes)


def _levels(
    way: LockedWay, foot: RecordedFoot, ground: FootGround, toes: Float[np.ndarray, "frames 4"]
) -> Numbers:
    """How high the tip must be: as the ground under it, or over what is between it and the toe's joint."""
    joint = way.ankle + quat.rotate(way.turn, foot.sole.toe_joint)
    tip = foot.sole.points(way.ankle, way.turn, toes)[:, 3]
    frames = np.arange(len(tip), dtype=float)
    found = [ground.height(frames, joint + share * (tip - joint)) for share in SHARES]
    return np.max([joint[:, 1] + (y - joint[:, 1]) / s for y, s in zip(found, SHARES, strict=True)], axis=0)


def _turn_up(
    arm: Float[np.ndarray, "frames 3"], axis: Float[np.ndarray, "frames 3"], height: Numbers
) -> Numbers:
    """The least turn up that brings an arm's end to a height over its start, or nearest to it.

    Up, though a foot that stands steeply on its toes has a smaller one: to fold them under it. After a turn a
    the height is along + across cos(a) + swing sin(a).
    """
    along = np.sum(arm * axis, axis=-1) * axis[:, 1]
    across, swing = arm[:, 1] - along, quat.cross(axis, arm)[:, 1]
    radius = np.maximum(np.hypot(across, swing), 1e-9)
    away = np.arccos(np.clip((np.where(np.isfinite(height), height, 0.0) - along) / radius, -1.0, 1.0))
    base = np.arctan2(swing, across)
    turns = np.stack([base - away, base + away])
    return np.maximum(np.mod(turns + THERE, 2.0 * np.pi).min(axis=0) - THERE, 0.0)


def _in_good_time(up: Numbers, free: Bool[np.ndarray, "frames"], fps: float) -> Numbers:
    """Bends that are never less, begin before they are needed, and end after: toes do not snap."""
    from scipy.ndimage import maximum_filter1d

    few = max(round(0.5 * SOON * fps), 1)
    out = np.zeros(len(up))
    for first, last in runs_of(free):
        own = up[first:last]
        if own.any():
            # widened first, or smoothing would make less of it
            wide = np.pad(maximum_filter1d(own, 4 * few + 1, mode="nearest"), 2 * few, mode="edge")
            out[first:last] = np.maximum(box(box(wide, few), few)[2 * few : -2 * few], own)
    return out
