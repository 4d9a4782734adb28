"""Heels that rise for all frames at once, in plain NumPy: what the compiled ones are held against."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from jaxtyping import Float

from footfall.adapt.foot_roll import NEARLY
from footfall.adapt.legroom import over_peaks
from footfall.figure.sole import Sole
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.geometry.easing import smooth
from footfall.models.stepspace.feet import FootWay
from footfall.models.stepspace.heels_kernel import (
    AROUND_HEEL,
    EASED,
    GONE,
    IN_TIME,
    LONGEST,
    MOST,
    SLIGHT,
    TRAILING,
)

Numbers = Float[np.ndarray, "frames"]


def heels_raised(
    sole: Sole,
    way: FootWay,
    hip: Float[np.ndarray, "frames 3"],
    reach: float,
    fps: float,
) -> FootWay:
    """A foot's way with its heel raised for the leg from `hip`."""
    toe = way.ankle + quat.rotate(way.turn, sole.toe_joint)
    along = quat.rotate(way.turn, sole.ball - sole.heel)
    along = along * np.array([1.0, 0.0, 1.0])
    along = along / np.maximum(np.linalg.norm(along, axis=-1, keepdims=True), 1e-9)
    across = quat.cross(np.broadcast_to(ground.UP, along.shape), along)
    needed = _turns(hip - toe, way.ankle - toe, across, LONGEST * reach)
    lean = np.arctan2(np.sum((hip - way.ankle) * along, axis=-1), hip[:, 1] - way.ankle[:, 1])
    free = np.where(way.share > 0.0, 1.0 - smooth((way.share - EASED) / (GONE - EASED)), 1.0)
    rolls = way.toe_down | (way.share > 0.0)
    gate = np.where(rolls, free, 0.0) * smooth(lean / TRAILING) * way.free
    more = np.clip(needed, 0.0, MOST) * gate
    if more.max(initial=0.0) < NEARLY:
        return way
    # a foot on its heel cannot, and one that has just come down does not
    more = np.minimum(over_peaks(more, IN_TIME * fps), MOST) * way.free * _free_of_heels(way, fps)
    more = more * smooth((more - SLIGHT) / (2.0 * SLIGHT))
    turn = quat.exp(across * more[:, None])
    return replace(
        way,
        ankle=toe + quat.rotate(turn, way.ankle - toe),
        turn=quat.multiply(turn, way.turn),
        toe=None if way.toe is None else quat.multiply(_untwisted(way.turn, turn), way.toe),
        heel_down=way.heel_down & (more < NEARLY),
    )


def _untwisted(
    foot: Float[np.ndarray, "frames 4"], turn: Float[np.ndarray, "frames 4"]
) -> Float[np.ndarray, "frames 4"]:
    """What the toe must turn against the foot for not to turn in the world."""
    return quat.multiply(quat.conjugate(foot), quat.multiply(quat.conjugate(turn), foot))


def _turns(
    hip: Float[np.ndarray, "frames 3"],
    ankle: Float[np.ndarray, "frames 3"],
    axis: Float[np.ndarray, "frames 3"],
    length: float,
) -> Numbers:
    """The turn of an ankle about the toe joint after which it is `length` from the hip; 0 where it is anyway.

    hip . R(a) ankle = along + across cos(a) + swing sin(a); both are told from the toe joint.
    """
    wanted = 0.5 * (np.sum(hip * hip, axis=-1) + np.sum(ankle * ankle, axis=-1) - length * length)
    on_axis = np.sum(ankle * axis, axis=-1)
    along = np.sum(hip * axis, axis=-1) * on_axis
    across = np.sum(hip * ankle, axis=-1) - along
    swing = np.sum(hip * quat.cross(axis, ankle), axis=-1)
    radius = np.maximum(np.hypot(across, swing), 1e-9)
    base = np.arctan2(swing, across)  # the turn that brings the ankle nearest
    angle = base - np.arccos(np.clip((wanted - along) / radius, -1.0, 1.0))
    short = across >= wanted - along
    return np.where(short, 0.0, np.maximum(angle, 0.0))


def _free_of_heels(way: FootWay, fps: float) -> Numbers:
    """0 where a foot stands on its heel alone, over a moment before and after, 1 elsewhere."""
    heel = way.heel_down & ~way.toe_down
    if not heel.any():
        return np.ones(len(heel))
    frames = np.arange(len(heel), dtype=float)
    last = np.maximum.accumulate(np.where(heel, frames, -np.inf))
    first = np.minimum.accumulate(np.where(heel, frames, np.inf)[::-1])[::-1]
    return smooth(np.minimum(frames - last, first - frames) / (AROUND_HEEL * fps))
