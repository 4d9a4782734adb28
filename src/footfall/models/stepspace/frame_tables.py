"""What the compiled frames are made from and written to: a figure's constants, a plan's steps, and frames.

Each is a few arrays, as kernels take them; names of columns say what lies where.
"""

from __future__ import annotations

from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from jaxtyping import Float, Int

from footfall.adapt.swing_clearance import BUMPS
from footfall.adapt.toes import lateral_axis
from footfall.figure.contacts import SIDES
from footfall.figure.sole import Sole
from footfall.geometry import quaternion as quat
from footfall.models.stepspace.foot_channels import CHANNELS
from footfall.models.stepspace.joined import JoinedSteps
from footfall.models.stepspace.planned import PlannedSteps
from footfall.models.stepspace.stage import Stage

# of a bone: its joint's reference turn and its offset
REFERENCE, OFFSET = 0, 4
# of a sole: points, the knee's hinge and turns in the leg it belongs to; the tip is told from the toe joint
HEEL, SUBTALAR, BALL, TOE_JOINT, TIP, ACROSS, HINGE, LYING, TOE_REST, REACH = range(0, 40, 4)
# of a leg's joints: from the root's child to the thigh's parent; from the thigh to the foot; knee and toe
ABOVE, CHAIN, KNEE_AND_TOE = range(3)
NO_JOINT = -1
# of a step: s at which it starts, that it lasts, after which its support foot lies; rolls, see `came`; lifts,
# and by how much it leaves its way
START, SECONDS, LIES, CAME, LIFTS, ASIDE = 0, 1, 2, 3, 7, 7 + BUMPS
# of a step, whole numbers: its swing foot, its prints, events of both feet and where steps meet, whether its
# swing foot lies when it starts and when it ends, whether its swing is lifted by bumps and whether it leaves
# its way
SWINGS, PRINTS, SWING, SUPPORT, MEETS, LIES_FIRST, LIES_LAST, LIFTED, MOVED = 0, 1, 4, 6, 8, 10, 11, 12, 13
# of a sample of the feet: channels, their slopes, what joins them, its slopes
SLOPES, GIVE = CHANNELS, 2 * CHANNELS
# of a print
PLACE, FACING = 0, 3
# of a foot's way, see `feet.FootWay`, and of its leg: its hip, how the bone above is turned, its length
ANKLE, TURN, TOE, BOUND, SHARE, LEVEL, FREE, HEEL_DOWN, TOE_DOWN = 0, 3, 7, 11, 12, 13, 14, 15, 16
HIP, PELVIS, CAPTURED, WAY = 17, 20, 24, 25


class FigureTable(NamedTuple):
    """A figure's constants; left and right are 0 and 1."""

    bones: Float[np.ndarray, "joints 7"]
    soles: Float[np.ndarray, "2 40"]
    chains: Int[np.ndarray, "2 3 longest"]


class StepsTable(NamedTuple):
    """A plan's joined steps, see `JoinedSteps` and `PlannedSteps`."""

    times: Float[np.ndarray, "steps samples"]
    body: Float[np.ndarray, "steps samples channels"]
    slopes: Float[np.ndarray, "steps samples channels"]
    feet_times: Float[np.ndarray, "steps 2 more"]  # of swing foot and support foot
    feet: Float[np.ndarray, "steps more 60"]
    marks: Float[np.ndarray, "steps 43"]
    whole: Int[np.ndarray, "steps 14"]
    prints: Float[np.ndarray, "prints 7"]


class FramesTable(NamedTuple):
    """Frames in the making."""

    root: Float[np.ndarray, "frames 3"]
    rotations: Float[np.ndarray, "frames joints 4"]
    ways: Float[np.ndarray, "2 frames 25"]
    down: Float[np.ndarray, "frames"]  # m by which the body comes down


_figures: WeakKeyDictionary[Stage, FigureTable] = WeakKeyDictionary()


def figure_of(stage: Stage) -> FigureTable:
    """A stage's constants, made once."""
    found = _figures.get(stage)
    if found is None:
        found = _figures[stage] = figure_table(stage)
    return found


def figure_table(stage: Stage) -> FigureTable:
    skeleton, soles = stage.skeleton, stage.soles
    limbs = [stage.legs[side] for side in SIDES]
    chains = []
    for side, limb in zip(SIDES, limbs, strict=True):
        chain = skeleton.tree.path(limb.upper, limb.end)
        toe = NO_JOINT if soles.toe_rest is None else skeleton.joint(f"{side}_toe")
        chains.append([skeleton.tree.path(0, limb.upper)[1:-1], chain, [chain.index(limb.middle), toe]])
    columns = [
        *(soles.heel, soles.subtalar, soles.ball, soles.toe_joint),
        [Sole.of(skeleton, side).tip for side in SIDES],
        [lateral_axis(quat.identity(), skeleton.foot_points(side)) for side in SIDES],
        [limb.axis for limb in limbs],
        soles.lying,
        soles.lying if soles.toe_rest is None else soles.toe_rest,
        [[limb.reach] for limb in limbs],
    ]
    table = np.zeros((len(SIDES), 4 * len(columns)))
    for k, column in enumerate(np.asarray(c) for c in columns):
        table[:, 4 * k : 4 * k + column.shape[1]] = column
    bones = np.concatenate([stage.channels.reference, skeleton.offsets], axis=1)
    return FigureTable(np.ascontiguousarray(bones), table, _padded(chains))


_tables: WeakKeyDictionary[JoinedSteps, tuple[PlannedSteps, StepsTable]] = WeakKeyDictionary()


def steps_table(planned: PlannedSteps, steps: JoinedSteps) -> StepsTable:
    """A plan's joined steps; made once, though swings are looked at before they are performed."""
    found = _tables.get(steps)
    if found is None or found[0] is not planned:
        found = _tables[steps] = planned, _steps_table(planned, steps)
    return found[1]


def _steps_table(planned: PlannedSteps, steps: JoinedSteps) -> StepsTable:
    events, count = steps.events, len(planned)
    seconds = steps.times[:, -1]
    marks = np.zeros((count, ASIDE + 3 * BUMPS))
    marks[1:, START], marks[:, SECONDS] = np.cumsum(seconds)[:-1], seconds
    marks[:, LIES], marks[:, CAME:LIFTS] = steps.lies, steps.came.reshape(count, 4)
    if steps.lifts is not None:
        marks[:, LIFTS:ASIDE] = np.nan_to_num(steps.lifts)
    if steps.aside is not None:
        marks[:, ASIDE:] = steps.aside.reshape(count, -1)
    whole = np.zeros((count, MOVED + 1), dtype=np.int64)
    whole[:, SWINGS], whole[:, PRINTS:SWING] = planned.feet, planned.prints
    whole[:, SWING:SUPPORT], whole[:, SUPPORT:MEETS] = events.swing, events.support
    whole[:, MEETS:LIES_FIRST] = events.meets
    # swing feet lie in the stand they leave, in that they come to, and between two steps of one foot
    whole[1:, LIES_FIRST] = whole[:-1, LIES_LAST] = planned.feet[1:] == planned.feet[:-1]
    whole[0, LIES_FIRST], whole[-1, LIES_LAST] = steps.stands
    whole[:, LIFTED] = False if steps.lifts is None else np.isfinite(steps.lifts).all(axis=1)
    whole[:, MOVED] = marks[:, ASIDE:].any(axis=1)
    feet = np.concatenate([steps.feet, steps.feet_slopes, steps.give, steps.give_slopes], axis=-1)
    own = np.stack([steps.swing_times, steps.feet_times], axis=1)
    prints = np.concatenate([planned.places, planned.turns], axis=1)
    arrays = (steps.times, steps.body, steps.body_slopes, own, feet, marks, whole, prints)
    return StepsTable(*(np.ascontiguousarray(array) for array in arrays))


def frames_table(frames: int, joints: int) -> FramesTable:
    return FramesTable(
        np.empty((frames, 3)),
        np.empty((frames, joints, 4)),
        np.empty((len(SIDES), frames, WAY)),
        np.empty(frames),
    )


def _padded(chains: list[list[list[int]]]) -> Int[np.ndarray, "2 3 longest"]:
    longest = max(len(joints) for leg in chains for joints in leg)
    padded = [[joints + [NO_JOINT] * (longest - len(joints)) for joints in leg] for leg in chains]
    return np.array(padded, dtype=np.int64)
