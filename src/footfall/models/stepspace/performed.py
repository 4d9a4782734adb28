"""Joined steps as frames: the body from its channels, the feet on their prints, the legs solved last.

Frames are made by kernels, in two parts: between them the ground under toes in the air is asked for.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.figure.contacts import Contacts
from footfall.figure.motion import Motion
from footfall.models.stepspace.frame_tables import (
    HEEL_DOWN,
    TOE_DOWN,
    figure_of,
    frames_table,
    steps_table,
)
from footfall.models.stepspace.joined import JoinedSteps
from footfall.models.stepspace.planned import PlannedSteps
from footfall.models.stepspace.stage import Stage
from footfall.models.stepspace.toe_ground import find_ground
from footfall.world.terrain import Ground


def performed(
    stage: Stage,
    planned: PlannedSteps,
    steps: JoinedSteps,
    times: Float[np.ndarray, "frames"],
    fps: float,
    terrain: Ground | None = None,
) -> tuple[Motion, Float[np.ndarray, "frames"]]:
    """The motion at times from the first step's start, and how far its body came down."""
    from footfall.models.stepspace.frames_kernel import lay_frames, solve_legs

    figure = figure_of(stage)
    frames = frames_table(len(times), len(stage.skeleton))
    moments = np.ascontiguousarray(times, dtype=np.float64)
    lay_frames(*figure, *steps_table(planned, steps), moments, fps, *frames)
    if terrain is not None and stage.soles.toe_rest is not None:
        find_ground(stage, frames, terrain)
    solve_legs(*figure, *frames)
    for array in frames:
        array.flags.writeable = False  # a motion then takes it as it is
    heels, toes = (frames.ways[:, :, which].T > 0.0 for which in (HEEL_DOWN, TOE_DOWN))
    contacts = Contacts(heels, toes)
    return Motion(stage.skeleton, frames.root, frames.rotations, fps, contacts=contacts), frames.down
