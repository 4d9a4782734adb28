"""How well a foot would stand at places of a terrain: how it lies, what pokes into it, what is missing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float

from footfall.figure.sole import Sole
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import clearly_less
from footfall.world.terrain import Ground

HALF_WIDTH = 0.04  # m, of a sole
ACROSS = np.array([-HALF_WIDTH, 0.0, HALF_WIDTH])
ROOM = (0.008, 0.025, 0.06)  # m from heel and toes: there must, should, and had better be nothing higher
LIP, WALL = 0.004, 0.02  # m: what is higher, and what bars a place
TOUCHING = 8  # times as bad as a wall near by is a lip that heel or toes all but touch
HEADROOM, EVEN = 0.9, 1e-6  # m over the expected level in which nothing may be but the ground
OVERHEAD = 0.45  # m over the expected level from where ground is looked for
MISSING, POKING = 0.012, 0.006  # m that ground may be lower, or higher, than the sole
PIERCED = 0.001  # m that ground may be higher than a point about which the foot stands or rolls
STEEPEST = np.radians(32.0)

Numbers = Float[np.ndarray, "*n"]


@dataclass(frozen=True, eq=False)
class Footing:
    """Of feet at places: where they stand, on what plane, and how well."""

    places: Float[np.ndarray, "*n 3"]
    normals: Float[np.ndarray, "*n 3"]
    firm: Bool[np.ndarray, "*n"]  # all of the sole is borne, and nothing pokes into it
    roughness: Numbers  # m between the ground and the sole, root mean square
    steepness: Numbers  # rad
    crowded: Numbers  # how many of heel and toes are near something higher; what they touch counts more
    tops: Numbers  # m: the highest ground under the sole, wherever it bears or not


@dataclass(frozen=True, eq=False)
class Footprint:
    """The outline of one sole in its print's frame: +Z along the foot, +X to its left."""

    along: Float[np.ndarray, "rows"]  # m: from the heel, over subtalar (0) and ball, to the tip
    aside: float  # m, of the sole's middle

    @classmethod
    def of(cls, sole: Sole, lying: Float[np.ndarray, "4"]) -> Footprint:
        tip = sole.toe_joint + sole.tip
        points = np.stack([sole.heel, sole.ball, tip]) - sole.subtalar
        heel, ball, toes = quat.rotate(lying, points)
        fore = ball[2] + (toes[2] - ball[2]) * np.array([0.25, 0.5, 0.75, 1.0])
        along = np.concatenate([heel[2] * np.array([1.0, 0.5]), ball[2] * np.arange(7) / 6.0, fore])
        return cls(along, float(0.5 * (heel[0] + ball[0])))


def footing(
    terrain: Ground, shape: Footprint, x: Numbers, z: Numbers, heading: Numbers, expected: Numbers
) -> Footing:
    """At places on the ground plan; `expected` is about how high the ground is there."""
    start = expected + OVERHEAD
    height = terrain.height(x, z, start)
    ahead = np.stack([np.sin(heading), np.cos(heading)], axis=-1)
    left = np.stack([np.cos(heading), -np.sin(heading)], axis=-1)
    along = np.repeat(shape.along, 3)
    aside = shape.aside + np.tile(ACROSS, len(shape.along))
    around = np.concatenate([shape.along[0] - np.array(ROOM), shape.along[-1] + np.array(ROOM)])
    along = np.concatenate([along, np.repeat(around, 3)])
    aside = np.concatenate([aside, shape.aside + np.tile(ACROSS, len(around))])
    plan = np.stack([x, z], axis=-1)[..., None, :]
    spots = plan + along[:, None] * ahead[..., None, :] + aside[:, None] * left[..., None, :]
    level = terrain.height(spots[..., 0], spots[..., 1], start[..., None])
    under = 3 * len(shape.along)
    borne = np.isfinite(height) & np.isfinite(level[..., :under]).all(axis=-1)
    overhead = terrain.height(x, z, start + HEADROOM - OVERHEAD)
    relative = np.where(borne[..., None], level - np.where(borne, height, 0.0)[..., None], 0.0)
    rows = relative[..., :under].reshape(*relative.shape[:-1], len(shape.along), 3)
    pitch = _pitch(rows, shape.along)
    roll = _roll(rows)
    plane = pitch[..., None, None] * shape.along[:, None]
    plane = plane + roll[..., None, None] * ACROSS
    over = rows - plane
    middle = over[..., 1]
    walls = relative[..., under:].reshape(*relative.shape[:-1], len(around), 3)
    walls = (walls - roll[..., None, None] * ACROSS).max(axis=-1)
    walls = walls - pitch[..., None] * around  # heel and toes, from near to far
    steepness = np.hypot(pitch, roll)
    firm = (
        borne
        & (overhead <= height + EVEN)
        & ~clearly_less(over.min(axis=(-2, -1)), -MISSING)
        & ~clearly_less(POKING, over.max(axis=(-2, -1)))
        & ~clearly_less(PIERCED, middle.max(axis=-1))
        & ~clearly_less(WALL, walls[..., [0, 3]].max(axis=-1))
        & ~clearly_less(np.tan(STEEPEST), steepness)
    )
    forward = np.stack([ahead[..., 0], pitch, ahead[..., 1]], axis=-1)
    sideways = np.stack([left[..., 0], roll, left[..., 1]], axis=-1)
    normal = quat.cross(forward, sideways)
    normal = normal / np.linalg.norm(normal, axis=-1, keepdims=True)
    return Footing(
        np.stack([x, np.where(borne, height, -np.inf), z], axis=-1),
        np.where(borne[..., None], normal, ground.UP),
        firm,
        np.sqrt((over**2).mean(axis=(-2, -1))),
        np.arctan(steepness),
        clearly_less(WALL, walls[..., [2, 5]]).sum(axis=-1)
        + TOUCHING * clearly_less(LIP, walls[..., [1, 4]]).sum(axis=-1),
        np.maximum(level[..., :under].max(axis=-1), overhead),
    )


def _pitch(rows: Float[np.ndarray, "*n rows 3"], along: Float[np.ndarray, "rows"]) -> Numbers:
    """The grade at which a sole through its subtalar rests: what heel and toes allow, else in balance."""
    middle = rows[..., 1]
    fit = np.sum(rows.mean(axis=-1) * along, axis=-1) / np.sum(along**2)
    behind, before = along < -1e-6, along > 1e-6
    # a grade m puts the sole at m z: behind the subtalar not steeper than this, before it not flatter
    most = (middle[..., behind] / along[behind]).min(axis=-1)
    least = (middle[..., before] / along[before]).max(axis=-1)
    inside = np.clip(fit, least, most)
    ball, heel = along[before].max(), -along[behind].min()
    balanced = (least * ball + most * heel) / (ball + heel)
    return np.where(least <= most, inside, balanced)


def _roll(rows: Float[np.ndarray, "*n rows 3"]) -> Numbers:
    """The grade across: to the left positive."""
    return (rows[..., 2] - rows[..., 0]).mean(axis=-1) / (2.0 * HALF_WIDTH)
