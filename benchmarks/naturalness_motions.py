"""What is compared with captures: motions of the step space, of walk edit and of motion rings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from naturalness_clips import CleanClip, CommonSkeleton
from naturalness_held_out import followed
from naturalness_left_out import NearestHigh, over_all_steps
from naturalness_windows import FPS

import footfall as ff
from footfall.models.stepspace.selection import Selector

FOLDS = 4  # of clips left out
STEP_METHODS = ("fitted", "replay")  # the default, and the one nearest step with its feet solved
EDITED_STEPS = 8
RING_WALKS, RING_SECONDS = 14, 12.0
COMMAND_EVERY, FIRST_COMMAND = 2.0, 1.5  # s
STEP_LENGTHS, TURNS = (0.45, 0.75), (-0.6, 0.6)  # m, rad/s

Motions = dict[str, ff.Motion]


def step_space_motions(
    common: CommonSkeleton, clips: Mapping[str, CleanClip], begin: Callable[[str], None]
) -> dict[str, Motions]:
    """For every clip the motion on its own footprints, from step spaces without the clips of its fold.

    Clips without a plan, or whose plan is refused, are left out.
    """
    made: dict[str, Motions] = {method: {} for method in STEP_METHODS}
    fold_of = {file: number % FOLDS for number, file in enumerate(clips)}
    for fold in range(FOLDS):
        begin(f"step space without fold {fold + 1} of {FOLDS}")
        rest = [common.raw(file) for file in clips if fold_of[file] != fold]
        space = ff.build_step_space(rest, candidates=False)
        replay = over_all_steps(space, NearestHigh)
        selectors: dict[str, str | Selector] = {"fitted": "fitted", "replay": replay}
        for file, clip in clips.items():
            if fold_of[file] == fold:
                for method, motion in motions_on_footprints(space, clip, selectors).items():
                    made[method][file] = motion
    return made


def motions_on_footprints(
    space: ff.StepSpace, clip: CleanClip, selectors: Mapping[str, str | Selector]
) -> Motions:
    """Of each method the motion on a clip's footprints, where it can be made."""
    made: Motions = {}
    for method, selector in selectors.items():
        try:
            plan = ff.extract_plan(clip.motion, contacts=clip.contacts)
            made[method] = followed(space, plan, clip.motion, selector, fps=FPS)
        except ff.FootfallError:
            continue
    return made


def edited_walks(common: CommonSkeleton, files: Sequence[str]) -> Motions:
    """Each clip as walk edit gives it back with nothing changed; clips it refuses are left out."""
    made: Motions = {}
    for file in files:
        try:
            made[file] = common.brought(ff.WalkEdit(common.raw(file)).synthesize(steps=EDITED_STEPS, fps=FPS))
        except ff.FootfallError:
            continue
    return made


def ring_walks(common: CommonSkeleton, files: Sequence[str]) -> Motions:
    """Walks of motion rings built from the clips, under random commands with a fixed seed."""
    gaits = ff.build_gaits([common.raw(file) for file in files])
    rng = np.random.default_rng(1)
    made: Motions = {}
    for number in range(RING_WALKS):
        commands = [ff.Command(0.0, gait="walk", step_length=float(rng.uniform(*STEP_LENGTHS)))]
        for time in np.arange(FIRST_COMMAND, RING_SECONDS, COMMAND_EVERY):
            turn = float(rng.choice([0.0, 0.0, rng.uniform(*TURNS)]))
            length = float(rng.uniform(*STEP_LENGTHS))
            commands.append(ff.Command(float(time), turn=turn, step_length=length))
        made[f"ring walk {number}"] = ff.walk(gaits, commands, RING_SECONDS, fps=FPS)
    return made
