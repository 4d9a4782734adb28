"""A judge of walks that shares nothing with the planner: points of the trunk's rim and of soles."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float

from footfall.figure.motion import Motion
from footfall.world.foot_plan import FootPlan
from footfall.world.shapes.placed import Placed
from footfall.world.terrain import Terrain

HEIGHTS = (0.3, 0.8, 1.2, 1.6)  # m over the ground at which the trunk is looked at
RIM = 48


def trunk_of(motion: Motion) -> tuple[Float[np.ndarray, "frames 2"], Float[np.ndarray, "frames 2"]]:
    """The trunk's middle, and a unit vector to its left, from hips and shoulders alone."""
    middle = 0.5 * (motion.of("hips") + motion.of("neck"))[:, [0, 2]]
    across = np.zeros((len(motion), 2))
    for part in ("thigh", "upper_arm"):
        line = (motion.of(f"left_{part}") - motion.of(f"right_{part}"))[:, [0, 2]]
        across += line / np.linalg.norm(line, axis=1, keepdims=True)
    return middle, across / np.linalg.norm(across, axis=1, keepdims=True)


def trunk_distance(
    motion: Motion, placed: Sequence[Placed], width: float = 0.50, depth: float = 0.28, every: int = 3
) -> float:
    """m from the stadium's rim to the nearest thing over all frames; negative where it is inside of one."""
    middle, left = trunk_of(motion)
    ahead = np.stack([-left[:, 1], left[:, 0]], axis=1)
    angles = np.linspace(0.0, 2.0 * np.pi, RIM, endpoint=False)
    half, radius = 0.5 * (width - depth), 0.5 * depth
    aside = radius * np.cos(angles) + half * np.sign(np.cos(angles))
    along = radius * np.sin(angles)
    feet = np.minimum(motion.of("left_foot")[:, 1], motion.of("right_foot")[:, 1])
    least = np.inf
    for frame in range(0, len(motion), every):
        rim = middle[frame] + aside[:, None] * left[frame] + along[:, None] * ahead[frame]
        points = np.concatenate(
            [np.stack([rim[:, 0], np.full(RIM, feet[frame] + h), rim[:, 1]], axis=1) for h in HEIGHTS]
        )
        for one in placed:
            least = min(least, float(one.distance_to(points).min()))
    return least


def sole_outline(
    place: Float[np.ndarray, "3"], heading: float, back: float, ahead: float, wide: float
) -> Float[np.ndarray, "points 3"]:
    """Points of a sole's middle line and of its rim, which is round at both ends."""
    angles = np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False)
    ends = np.where(np.cos(angles) > 0.0, ahead - wide, wide - back)
    along = np.concatenate([np.linspace(-back, ahead, 9), ends + wide * np.cos(angles)])
    across = np.concatenate([np.zeros(9), wide * np.sin(angles)])
    forward = np.array([np.sin(heading), 0.0, np.cos(heading)])
    left = np.array([np.cos(heading), 0.0, -np.sin(heading)])
    return place + along[:, None] * forward + across[:, None] * left


def sole_gaps(
    plan: FootPlan, terrain: Terrain, back: float, ahead: float, wide: float
) -> Float[np.ndarray, "prints"]:
    """m by which the ground under each print's sole is off the level of the print, at most."""
    gaps = []
    for one in plan.placements:
        points = sole_outline(one.position, float(one.heading or 0.0), back, ahead, wide)
        levels = terrain.height(points[:, 0], points[:, 2], one.position[1] + 0.3)
        gaps.append(np.abs(levels - one.position[1]).max())
    return np.array(gaps)


def sole_distance(plan: FootPlan, placed: Sequence[Placed], back: float, ahead: float, wide: float) -> float:
    """m from soles, a little over the ground, to the nearest thing."""
    least = np.inf
    for one in plan.placements:
        points = sole_outline(one.position, float(one.heading or 0.0), back, ahead, wide)
        points[:, 1] += 0.05
        for thing in placed:
            least = min(least, float(thing.distance_to(points).min()))
    return least
