"""The kernels do what the plain walker does, frame by frame, whatever is asked."""

from __future__ import annotations

import numpy as np
import pytest

from footfall.geometry import quaternion as quat
from footfall.models.locomotion import layout
from footfall.models.locomotion.model import Locomotion
from footfall.models.locomotion.walker import LocomotionWalker
from tests.models.locomotion.plain import PlainWalker
from tests.models.locomotion.spaces import actor_space, captured_space

COMMANDS = (
    ((1.2, 0.2, 0.0), 100),
    ((0.0, 0.0, 0.3), 70),
    ((2.4, 0.0, 0.0), 110),
    ((0.0, 0.0, 0.0), 190),  # comes to stand
    ((0.0, -0.9, 0.0), 80),
    ((-0.3, 0.1, 0.1), 60),
)
PRECISION = 3e-6  # m, rad: blends are summed in single precision


@pytest.mark.parametrize("space", [actor_space, captured_space])
def test_frame_by_frame(space: object) -> None:
    model: Locomotion = space()  # type: ignore[operator]
    kernel, plain = LocomotionWalker(model), PlainWalker(model)
    steps = 0.0
    for asked, frames in COMMANDS:
        wish = model.space.nearest(np.array(asked))
        kernel.state[layout.WISH : layout.WISH + 3] = plain.wish = wish
        for _ in range(frames):
            kernel.advance(1.0 / 60.0)
            plain.advance(1.0 / 60.0)
            turns = kernel.pose[3:].reshape(-1, 4)
            assert np.abs(kernel.pose[:3] - plain.root).max() < PRECISION
            assert quat.angle_between(turns, plain.rotations).max() < 10 * PRECISION
            stands = kernel.state[[layout.FEET, layout.FEET + layout.FOOT]] > 0.5
            assert [foot.stands for foot in plain.feet] == stands.tolist()
            assert abs(kernel.state[layout.DROP] - plain.drop) < PRECISION
        steps = kernel.state[layout.STRUCK]
    assert steps > 12
    assert np.abs(np.linalg.norm(kernel.pose[3:].reshape(-1, 4), axis=-1) - 1.0).max() < 1e-9
