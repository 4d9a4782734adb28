"""From footprints to a motion: body and feet go their ways, the pelvis mediates, legs are solved last."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.adapt.pelvis import LegCorrection, lowering, pelvis_shift
from footfall.figure.contacts import Contacts
from footfall.figure.motion import Motion
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.ik.two_link import solve_two_link
from footfall.models.walkedit.body_way import body_turn, body_way
from footfall.models.walkedit.cycle import SIDES, WalkCycle
from footfall.models.walkedit.foot_way import FootWay, foot_way
from footfall.models.walkedit.phase import steps_at, strike_phases
from footfall.models.walkedit.sampling import read_turns
from footfall.models.walkedit.steps import Footprints

STRAIGHTEST = 0.995


def perform(cycle: WalkCycle, prints: Footprints, fps: float) -> Motion:
    """The walk from the second print's strike to that of the last but two."""
    from scipy.interpolate import PchipInterpolator

    numbers = np.arange(len(prints)) + prints.offset
    begin, end = prints.strikes[1], prints.strikes[-3]
    times = begin + np.arange(int(np.floor((end - begin) * fps + 1e-6)) + 1) / fps
    phase = PchipInterpolator(prints.strikes, strike_phases(numbers, cycle.right_strike))(times)
    steps = steps_at(phase, cycle.right_strike)
    feet = {s: foot_way(cycle.feet[s], prints, phase, cycle.strike_phase(s)) for s in SIDES}
    turn = body_turn(cycle, prints, steps)
    root = body_way(cycle, prints, phase, steps, turn)
    rotations = read_turns(cycle.rotations, phase % 1.0)
    rotations[:, 0] = quat.multiply(ground.turn(turn), rotations[:, 0])
    body = Motion(cycle.skeleton, root, rotations, fps)
    legs = [LegCorrection(cycle.legs[s], feet[s].ankle, STRAIGHTEST * cycle.legs[s].reach) for s in SIDES]
    shift = pelvis_shift(body, legs)
    shift = shift - lowering(body, legs, [np.ones(len(body), bool)] * 2, shift)[:, None] * ground.UP
    return _with_legs(cycle, body, shift, feet)


def _with_legs(
    cycle: WalkCycle, body: Motion, shift: Float[np.ndarray, "n 3"], feet: dict[str, FootWay]
) -> Motion:
    skeleton = cycle.skeleton
    places = body.positions + shift[:, None]
    turns = np.array(body.orientations)
    local = np.array(body.rotations)
    for side, limb in cycle.legs.items():
        way = feet[side]
        joints = [limb.upper, limb.middle, limb.end]
        upper, lower, _ = solve_two_link(limb, places[:, joints], turns[:, limb.upper], way.ankle)
        turns[:, limb.upper] = quat.multiply(upper, turns[:, limb.upper])
        turns[:, limb.middle] = quat.multiply(lower, turns[:, limb.middle])
        turns[:, limb.end] = way.turn
        for joint in joints:
            parent = turns[:, skeleton.parents[joint]]
            local[:, joint] = quat.multiply(quat.conjugate(parent), turns[:, joint])
        if way.toe is not None:
            local[:, skeleton.joint(f"{side}_toe")] = way.toe
    contacts = Contacts(
        np.stack([feet[s].heel_down for s in SIDES], axis=1), np.stack([feet[s].toe_down for s in SIDES], axis=1)
    )
    return Motion(skeleton, body.root + shift, quat.continuous(local), body.fps, contacts=contacts)
