"""Joined steps as frames: the body from its channels, the feet on their prints, the legs solved last.

Frames are made by kernels, in two parts: between them the ground under toes in the air is asked for.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np
from jaxtyping import Bool, Float

from footfall.figure.contacts import SIDES, Contacts
from footfall.figure.motion import Motion
from footfall.figure.sole import Sole
from footfall.models.stepspace.frame_tables import (
    ANKLE,
    HEEL_DOWN,
    LEVEL,
    SHARE,
    TOE,
    TOE_DOWN,
    TURN,
    FigureTable,
    FramesTable,
    figure_table,
    frames_table,
    steps_table,
)
from footfall.models.stepspace.joined import JoinedSteps
from footfall.models.stepspace.planned import PlannedSteps
from footfall.models.stepspace.stage import Stage
from footfall.world.terrain import Ground

LOOK_DOWN = 0.3  # m over an ankle from where the ground under its toes is looked for
FAR_DOWN = 1e3  # m: no ground at all

_figures: WeakKeyDictionary[Stage, FigureTable] = WeakKeyDictionary()


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
        _find_ground(stage, frames, terrain)
    solve_legs(*figure, *frames)
    for array in frames:
        array.flags.writeable = False  # a motion then takes it as it is
    heels, toes = (frames.ways[:, :, which].T > 0.0 for which in (HEEL_DOWN, TOE_DOWN))
    contacts = Contacts(heels, toes)
    return Motion(stage.skeleton, frames.root, frames.rotations, fps, contacts=contacts), frames.down


def figure_of(stage: Stage) -> FigureTable:
    """A stage's constants, made once."""
    found = _figures.get(stage)
    if found is None:
        found = _figures[stage] = figure_table(stage)
    return found


def _find_ground(stage: Stage, frames: FramesTable, terrain: Ground) -> None:
    """The level under feet in the air: that of the ground under the tips of their toes, straight or bent."""
    air: Bool[np.ndarray, "2 frames"] = frames.ways[:, :, SHARE] > 0.0
    tips, tops = [], []
    for side, way, flies in zip(SIDES, frames.ways, air, strict=True):
        sole, own = Sole.of(stage.skeleton, side), way[flies]
        ankle, turn = own[:, ANKLE : ANKLE + 3], own[:, TURN : TURN + 4]
        straight = np.broadcast_to(stage.skeleton.rest[stage.skeleton.joint(f"{side}_toe")], turn.shape)
        bent = own[:, TOE : TOE + 4]
        tips.append(np.stack([sole.points(ankle, turn, toe)[:, 3] for toe in (bent, straight)]))
        tops.append(np.stack([ankle[:, 1]] * 2) + LOOK_DOWN)
    tip, top = np.concatenate(tips, axis=1), np.concatenate(tops, axis=1)
    heights = terrain.height(tip[..., 0], tip[..., 2], top)
    frames.ways[air, LEVEL] = np.where(np.isfinite(heights), heights, -FAR_DOWN).max(axis=0)
