"""What the compiled frames are made from and written to: a figure's constants, a plan's steps, and frames.

All are tuples of arrays with names, as kernels take them; read-only where kernels only read.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int

from footfall.adapt.swing_clearance import BUMPS
from footfall.adapt.toes import lateral_axis
from footfall.figure.contacts import SIDES
from footfall.figure.sole import Sole
from footfall.geometry import quaternion as quat
from footfall.models.stepspace.joined import JoinedSteps
from footfall.models.stepspace.planned import PlannedSteps
from footfall.models.stepspace.stage import Stage

NO_JOINT = -1
# columns of a foot's way, see `feet.FootWay`; its toe follows its turn
ANKLE, TURN, TOE, BOUND, SHARE, LEVEL, FREE = 0, 3, 7, 11, 12, 13, 14
WAY = 15
# columns of a leg before it is solved: its hip, how the bone it hangs from is turned, its captured length
HIP, PELVIS, CAPTURED = 0, 3, 7
LEG = 8


class FigureTable(NamedTuple):
    """A figure's constants; the first axis of most is left and right."""

    reference: Float[np.ndarray, "joints 4"]
    offsets: Float[np.ndarray, "joints 3"]
    above: Int[np.ndarray, "2 above"]  # joints between the root and the hip's, NO_JOINT where there are less
    chain: Int[np.ndarray, "2 chain"]  # joints from the thigh's to the foot's, likewise
    joints: Int[np.ndarray, "2 2"]  # which of the chain is the knee, and the toe's joint or NO_JOINT
    hinge: Float[np.ndarray, "2 3"]
    reach: Float[np.ndarray, "2"]
    sole: Float[np.ndarray, "2 6 3"]  # heel, subtalar, ball, toe joint, tip from there, the axis across
    lying: Float[np.ndarray, "2 4"]
    toe_rest: Float[np.ndarray, "2 4"]


class StepsTable(NamedTuple):
    """A plan's joined steps, see `JoinedSteps` and `PlannedSteps`."""

    starts: Float[np.ndarray, "steps"]  # s
    times: Float[np.ndarray, "steps samples"]
    body: Float[np.ndarray, "steps samples channels"]
    body_slopes: Float[np.ndarray, "steps samples channels"]
    feet_times: Float[np.ndarray, "2 steps more"]  # of swing foot and support foot
    feet: Float[np.ndarray, "steps more 15"]
    feet_slopes: Float[np.ndarray, "steps more 15"]
    give: Float[np.ndarray, "steps more 15"]
    give_slopes: Float[np.ndarray, "steps more 15"]
    came: Float[np.ndarray, "steps 2 2"]
    lies: Float[np.ndarray, "steps"]
    lifts: Float[np.ndarray, "lifted bumps"]  # of all steps, or of none
    events: Int[np.ndarray, "3 steps 2"]  # of the swing foot, of the support foot, where steps meet
    swings: Int[np.ndarray, "steps"]  # the swing foot
    prints: Int[np.ndarray, "steps 3"]
    places: Float[np.ndarray, "prints 3"]
    turns: Float[np.ndarray, "prints 4"]
    stands: Int[np.ndarray, "2"]


class FramesTable(NamedTuple):
    """Frames in the making."""

    root: Float[np.ndarray, "frames 3"]
    rotations: Float[np.ndarray, "frames joints 4"]
    ways: Float[np.ndarray, "2 frames 15"]
    legs: Float[np.ndarray, "2 frames 8"]
    down: Float[np.ndarray, "frames"]  # m by which the body comes down
    heels: Bool[np.ndarray, "frames 2"]
    toes: Bool[np.ndarray, "frames 2"]


def figure_table(stage: Stage) -> FigureTable:
    skeleton, soles = stage.skeleton, stage.soles
    limbs = [stage.legs[side] for side in SIDES]
    above = [skeleton.tree.ancestors(limb.upper)[::-1][1:-1] for limb in limbs]
    chains = [skeleton.tree.path(limb.upper, limb.end) for limb in limbs]
    knees = [chain.index(limb.middle) for chain, limb in zip(chains, limbs, strict=True)]
    has_toes = soles.toe_rest is not None
    toes = [skeleton.joint(f"{side}_toe") if has_toes else NO_JOINT for side in SIDES]
    tips = [Sole.of(skeleton, side).tip for side in SIDES]
    axes = [lateral_axis(quat.identity(), skeleton.foot_points(side)) for side in SIDES]
    points = [soles.heel, soles.subtalar, soles.ball, soles.toe_joint, np.stack(tips), np.stack(axes)]
    return FigureTable(
        reference=_numbers(stage.channels.reference),
        offsets=_numbers(skeleton.offsets),
        above=_padded(above),
        chain=_padded(chains),
        joints=_indices(np.stack([knees, toes], axis=1)),
        hinge=_numbers(np.stack([limb.axis for limb in limbs])),
        reach=_numbers(np.array([limb.reach for limb in limbs])),
        sole=_numbers(np.stack(points, axis=1)),
        lying=_numbers(soles.lying),
        toe_rest=_numbers(soles.lying if soles.toe_rest is None else soles.toe_rest),
    )


def steps_table(planned: PlannedSteps, steps: JoinedSteps) -> StepsTable:
    events = steps.events
    seconds = steps.times[:, -1]
    return StepsTable(
        starts=_numbers(np.concatenate([[0.0], np.cumsum(seconds)[:-1]])),
        times=_numbers(steps.times),
        body=_numbers(steps.body),
        body_slopes=_numbers(steps.body_slopes),
        feet_times=_numbers(np.stack([steps.swing_times, steps.feet_times])),
        feet=_numbers(steps.feet),
        feet_slopes=_numbers(steps.feet_slopes),
        give=_numbers(steps.give),
        give_slopes=_numbers(steps.give_slopes),
        came=_numbers(steps.came),
        lies=_numbers(steps.lies),
        lifts=_numbers(np.zeros((0, BUMPS)) if steps.lifts is None else steps.lifts),
        events=_indices(np.stack([events.swing, events.support, events.meets])),
        swings=_indices(planned.feet),
        prints=_indices(planned.prints),
        places=_numbers(planned.places),
        turns=_numbers(planned.turns),
        stands=_indices(np.array(steps.stands)),
    )


def frames_table(frames: int, joints: int) -> FramesTable:
    return FramesTable(
        root=np.empty((frames, 3)),
        rotations=np.empty((frames, joints, 4)),
        ways=np.empty((2, frames, WAY)),
        legs=np.empty((2, frames, LEG)),
        down=np.empty(frames),
        heels=np.empty((frames, 2), dtype=bool),
        toes=np.empty((frames, 2), dtype=bool),
    )


def _numbers(values: np.ndarray) -> np.ndarray:
    return _read_only(np.ascontiguousarray(values, dtype=np.float64))


def _indices(values: np.ndarray) -> np.ndarray:
    return _read_only(np.ascontiguousarray(values, dtype=np.int64))


def _read_only(array: np.ndarray) -> np.ndarray:
    view = array.view()
    view.flags.writeable = False
    return view


def _padded(chains: list[list[int]]) -> Int[np.ndarray, "2 longest"]:
    out = np.full((len(chains), max(max(map(len, chains)), 1)), NO_JOINT)
    for row, chain in zip(out, chains, strict=True):
        row[: len(chain)] = chain
    return _indices(out)
