"""Worlds for gaits: a ground that only tells its heights, striped ground, and what every pose must keep."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from footfall.figure.pose import Pose
from footfall.figure.skeleton import Skeleton
from footfall.world.height_field import HeightField
from footfall.world.mesh import MeshTerrain
from footfall.world.terrain import DOWN, Hits, Nearest, Points, Touchable


@dataclass
class Waves:
    """Ground by a formula; all it can be asked is heights and labels, and it counts how often."""

    height_of: float = 0.05  # m
    name: str = "ground"
    asked: int = 0

    def height(self, x: object, z: object, start: object = np.inf) -> np.ndarray:
        self.asked += 1
        x, z = np.asarray(x, dtype=float), np.asarray(z, dtype=float)
        return self.height_of * np.sin(0.8 * x) * np.cos(0.7 * z)

    def label(self, x: object, z: object, start: object = np.inf) -> np.ndarray:
        return np.full(np.shape(x), self.name)

    def normal(self, x: object, z: object, start: object = np.inf) -> Points:
        raise NotImplementedError

    def project(self, points: Points, direction: Points = DOWN) -> Hits:
        raise NotImplementedError

    def touching(self, centres: Points, radius: object) -> np.ndarray:
        raise NotImplementedError

    def closest(self, points: Points) -> Nearest:
        raise NotImplementedError

    def near(self, centre: np.ndarray, radius: float) -> Touchable:
        raise NotImplementedError


class Island(Waves):
    """Level ground within a radius, nothing beyond."""

    def height(self, x: object, z: object, start: object = np.inf) -> np.ndarray:
        return np.where(np.hypot(x, z) < 2.5, 0.0, -np.inf)  # type: ignore[call-overload]


class Crater(Waves):
    """The other way round: a hole about the origin."""

    def height(self, x: object, z: object, start: object = np.inf) -> np.ndarray:
        return np.where(np.hypot(x, z) > 2.5, 0.0, -np.inf)  # type: ignore[call-overload]


def striped(label: str = "snow", first: float = 4.0, last: float = 9.0) -> MeshTerrain:
    """Level ground with a band of another label across the way."""
    edges = [-10.0, first, last, 40.0]
    vertices, triangles, kinds = [], [], []
    for k, (a, b) in enumerate(pairwise(edges)):
        start = len(vertices)
        vertices += [(-20.0, 0.0, a), (-20.0, 0.0, b), (20.0, 0.0, b), (20.0, 0.0, a)]
        triangles += [(start, start + 1, start + 2), (start, start + 2, start + 3)]
        kinds += [k % 2, k % 2]
    return MeshTerrain(np.array(vertices), np.array(triangles), ("ground", label), np.array(kinds))


def field(cell: float = 0.25, seed: int = 4) -> HeightField:
    """Soft hills as heights over a grid, with a few holes."""
    rng = np.random.default_rng(seed)
    x, z = np.meshgrid(np.arange(-10.0, 10.1, cell), np.arange(-10.0, 10.1, cell), indexing="ij")
    heights = 0.1 * np.sin(0.5 * x + rng.uniform(0.0, 6.0)) * np.cos(0.6 * z)
    heights[5:8, 30:34] = np.nan
    return HeightField(heights, cell, (-10.0, -10.0))


def sound(pose: Pose, skeleton: Skeleton) -> None:
    """Finite, unit rotations, bones as long as they are."""
    assert np.isfinite(pose.root).all()
    assert np.isfinite(pose.rotations).all()
    assert np.abs(np.linalg.norm(pose.rotations, axis=-1) - 1.0).max() < 1e-5
    joints, _ = pose.forward(skeleton)
    parents = np.array(skeleton.parents)
    lengths = np.linalg.norm(joints[1:] - joints[parents[1:]], axis=-1)
    assert np.abs(lengths - skeleton.bone_lengths[1:]).max() < 1e-4 + 1e-9 * np.abs(pose.root).max()
