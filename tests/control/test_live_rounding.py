"""Live poses do not depend on rounding, even where hands are asked for what no figure can do."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import footfall as ff
from footfall.figure.pose import Pose
from tests.models.locomotion.spaces import actor_space
from tests.models.reach.libraries import actor_library

pytestmark = pytest.mark.cpu

FPS, SECONDS = 30.0, 4.0
ROUNDING, SAME = 1e-12, 1e-7  # m: noise of the pose that comes in; how far apart joints may then be


class Noisy:
    """A layer whose poses are off by rounding."""

    def __init__(self, layer: object, seed: int | None) -> None:
        self._layer, self._rng = layer, None if seed is None else np.random.default_rng(seed)
        self.name, self.skeleton = layer.name, layer.skeleton  # type: ignore[attr-defined]

    def update(self, tick: object) -> Pose:
        pose = self._layer.update(tick)  # type: ignore[attr-defined]
        if self._rng is None:
            return pose
        return Pose(pose.root + ROUNDING * self._rng.normal(size=3), pose.rotations)


def held(seed: int | None) -> tuple[ff.Character, dict[int, Callable[[], None]]]:
    """Hands held where two arms do not reach together, while the figure walks aside."""
    legs = ff.LocomotionController(actor_space())
    keep = ff.ConstraintController(legs.skeleton)
    figure = ff.Character(legs.skeleton, [Noisy(legs, seed), keep])
    return figure, {
        3: lambda: legs.command(side_speed=0.3),
        15: lambda: keep.hold("left_hand", position=[0.5, 0.9, 0.45], orientation=[0.7, 0.7, 0.0, 0.1]),
        18: lambda: keep.hold("right_hand", position=[-0.2, 2.4, 0.45], level=2),
        60: lambda: keep.hold("hips", orientation=[1.0, 0.0, 0.1, 0.0], level=1),
    }


def reached(seed: int | None) -> tuple[ff.Character, dict[int, Callable[[], None]]]:
    """Hands sent behind the trunk, crossed, and turned as no wrist turns."""
    reach = ff.ReachController(actor_library())
    offset = ff.WorldOffset(reach.skeleton)
    idle = ff.IdleController(ff.VirtualActor().idle(4.0).motion)
    figure = ff.Character(reach.skeleton, [Noisy(offset, seed), idle, reach])
    across = {"left": [0.2, 1.2, 0.45], "right": [-0.2, 1.2, 0.45]}
    turns = {"left": [0.7, 0.0, 0.7, 0.1], "right": [0.7, 0.0, -0.7, 0.1]}
    return figure, {
        3: lambda: reach.reach([-0.45, 0.8, -0.25]),
        36: lambda: reach.reach(across, orientation=turns),
        75: lambda: reach.reach([0.35, 1.1, -0.2], hand="left"),
    }


@pytest.mark.parametrize("stack", [held, reached])
def test_noise_of_rounding_does_not_grow(stack: Callable[..., tuple[ff.Character, dict]]) -> None:
    runs = []
    for seed in (None, 1):
        figure, orders = stack(seed)
        poses = []
        for k in range(int(FPS * SECONDS)):
            orders.get(k, lambda: None)()
            poses.append(figure.step(1.0 / FPS).forward(figure.skeleton)[0])
        runs.append(np.array(poses))
    apart = np.abs(runs[0] - runs[1]).max(axis=(1, 2))
    assert 0.0 < apart.max() < SAME
