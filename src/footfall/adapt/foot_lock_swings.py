"""Swings of locked feet raised over what they would cut through."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from jaxtyping import Float

from footfall.adapt.foot_lock_foot import RecordedFoot
from footfall.adapt.foot_lock_ground import FAR_DOWN, FootGround
from footfall.adapt.foot_lock_prints import LOOK_DOWN
from footfall.adapt.foot_lock_way import LockedWay
from footfall.adapt.swing_clearance import (
    BUMPS,
    SLIGHT,
    along_sole,
    bumps,
    held_between,
    least_lifts,
    moments,
)
from footfall.geometry import quaternion as quat
from footfall.geometry.ground import UP

LEAPS = 30.0  # bending (m^2) of a leap
HIGH = 0.25  # m: more than any swing is raised
ENDS = (0.0, 0.08, 0.14, 0.2, 0.27, 0.35)  # of a swing, that are not looked at where it would leap otherwise
PARTS = 5  # places looked at between two moments of a swing

Swings = Sequence[tuple[int, int]]


def cleared(way: LockedWay, foot: RecordedFoot, ground: FootGround) -> LockedWay:
    """The way with every swing that cuts the ground raised over it, as smoothly as can be."""
    depth = swing_depths(way, foot, ground)
    swings = [swing for swing, deep in zip(way.swings, depth, strict=True) if deep > SLIGHT]
    return _raised(way, swings, foot, ground) if swings else way


def swing_depths(way: LockedWay, foot: RecordedFoot, ground: FootGround) -> list[float]:
    """How deep in the ground each swing is in any of its frames, m."""
    soles = along_sole(foot.sole.points(way.ankle, way.turn, way.toe))
    under = ground.height(np.arange(len(soles), dtype=float), soles)
    depth = (under - soles[..., 1]).max(axis=1)
    return [float(depth[max(a + 1, 0) : b].max()) for a, b in way.swings]


def _raised(way: LockedWay, swings: Swings, foot: RecordedFoot, ground: FootGround) -> LockedWay:
    share = moments()[0]
    first, last = (np.array([swing[k] for swing in swings], dtype=float)[:, None] for k in range(2))
    times = first + share * (last - first)
    soles = _soles_at(way, foot, times.ravel()).reshape(*times.shape, 8, 3)
    # the level of a stance is none of its swing's
    over, sure = _clearances(soles, np.clip(np.rint(times), first + 1, last - 1), ground)
    ankle = way.ankle.copy()
    for (a, b), above, surely in zip(swings, over, sure, strict=True):
        lifts = _without_leaps(share, above, surely)
        inner = np.arange(max(a + 1, 0), min(b, len(ankle)))
        ankle[inner] += (bumps((inner - a) / (b - a)) @ lifts)[:, None] * UP
    return replace(way, ankle=ankle)


def _clearances(
    soles: Float[np.ndarray, "swings moments 8 3"],
    frames: Float[np.ndarray, "swings moments"],
    ground: FootGround,
) -> tuple[Float[np.ndarray, "swings moments"], Float[np.ndarray, "swings moments"]]:
    """How far soles are over the ground: at each moment, and at and around it."""
    start = np.broadcast_to(soles[..., 1].max(axis=(1, 2))[:, None] + LOOK_DOWN, frames.shape)

    def beneath(x: np.ndarray, z: np.ndarray) -> np.ndarray:
        count = x.shape[1]  # moments, or what lies between each two of them
        places = np.stack([x, soles[:, :count, :, 1], z], axis=-1).reshape(-1, x.shape[2], 3)
        found = ground.height(frames[:, :count].ravel(), places, start[:, :count].ravel())
        return found.reshape(x.shape)

    under = beneath(soles[..., 0], soles[..., 2])
    over = np.minimum(soles[..., 1] - under, FAR_DOWN)[..., :4].min(axis=-1)
    return over, held_between(soles, under, beneath, ours=False, parts=PARTS)


def _without_leaps(
    share: Float[np.ndarray, "moments"],
    over: Float[np.ndarray, "moments"],
    sure: Float[np.ndarray, "moments"],
) -> Float[np.ndarray, "bumps"]:
    """The lifts of one swing; an edge so near to a print that only a leap would clear it is not looked at."""
    best, least = np.zeros(BUMPS), np.inf
    for near in ENDS:
        inner = (share > near) & (share < 1.0 - near)
        held, edges = np.where(inner, over, FAR_DOWN), np.where(inner, sure, FAR_DOWN)
        lifts, _, bending = least_lifts(np.append(held, held[len(held) // 2]), edges, np.nan, 0.5)
        if bending < least:
            best, least = lifts, bending
        if bending <= LEAPS and (moments()[1] @ lifts).max() <= HIGH:
            break
    return best


def _soles_at(
    way: LockedWay, foot: RecordedFoot, times: Float[np.ndarray, "n"]
) -> Float[np.ndarray, "n 8 3"]:
    """Places along the sole at times, in frames: between frames, and as at a clip's end beyond it."""
    from scipy.interpolate import make_interp_spline

    inside = np.clip(times, 0.0, len(way.ankle) - 1.0)
    before = np.minimum(inside.astype(int), max(len(way.ankle) - 2, 0))
    after = np.minimum(before + 1, len(way.ankle) - 1)
    part = inside - before
    # a straight line from frame to frame would dip under an ankle that speeds up
    frames = np.arange(len(way.ankle), dtype=float)
    ankle = make_interp_spline(frames, way.ankle, k=min(3, len(frames) - 1))(inside)
    turn = quat.slerp(way.turn[before], way.turn[after], part)
    toe = None if way.toe is None else quat.slerp(way.toe[before], way.toe[after], part)
    return along_sole(foot.sole.points(ankle, turn, toe))
