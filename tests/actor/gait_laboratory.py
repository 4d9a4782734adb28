"""Cycles of captured walks and runs, and of the actor, as a gait laboratory tells them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from footfall.actor.style import Style
from footfall.actor.virtual_actor import VirtualActor
from footfall.adapt.calibrate_feet import calibrate_feet
from footfall.adapt.level_floor import level_floor
from footfall.analysis.contacts import detect_contacts
from footfall.analysis.cycles import by_phase, detect_cycles
from footfall.analysis.joint_angles import ankle_dorsiflexion, hip_flexion, knee_flexion
from footfall.analysis.plants import detect_plants
from footfall.errors import RequestError
from footfall.figure.contacts import Contacts
from footfall.figure.motion import Motion
from tests.captured import captured, clips

JOINTS = {"hip": hip_flexion, "knee": knee_flexion, "ankle": ankle_dorsiflexion}
FOLDERS = ("walk", "run", "turn-side-back", "locomotion-set")
STEADY, STRAIGHT, AHEAD, LEVEL = 0.15, np.radians(25.0), 0.3, 0.06  # share, rad/s, m/s aside, rad


@dataclass(frozen=True, eq=False)
class Measured:
    """One cycle."""

    speed: float
    curves: dict[str, np.ndarray]  # rad by phase
    step_length: float
    width: float
    double_support: float
    rise_and_fall: float  # m, of the pelvis
    sway: float  # m, of the pelvis
    steady: bool


def measured(motion: Motion, contacts: Contacts) -> Iterator[Measured]:
    told = {
        (joint, side): angle(motion, side) for joint, angle in JOINTS.items() for side in ("left", "right")
    }
    over_ground = motion.root[:, [0, 2]]
    for cycle in detect_cycles(motion, contacts, detect_plants(motion, contacts)):
        start, end, middle = cycle.start, cycle.end, (cycle.start + cycle.end) // 2
        halves = [
            np.linalg.norm(over_ground[b] - over_ground[a]) for a, b in ((start, middle), (middle, end))
        ]
        uneven = 2.0 * abs(halves[0] - halves[1]) / max(sum(halves), 1e-9)
        way = over_ground[end] - over_ground[start]
        across = np.array([way[1], -way[0]]) / max(float(np.linalg.norm(way)), 1e-9)
        straight = abs(cycle.turn_rate) < STRAIGHT and abs(cycle.side_speed) < AHEAD
        yield Measured(
            speed=cycle.speed,
            curves={joint: by_phase(told[joint, cycle.foot], cycle) for joint in JOINTS},
            step_length=0.5 * cycle.stride,
            width=cycle.width,
            double_support=cycle.double_support,
            rise_and_fall=float(np.ptp(motion.root[start : end + 1, 1])),
            sway=float(np.ptp(over_ground[start : end + 1] @ across)),
            steady=bool(uneven < STEADY and straight and abs(cycle.slope) < LEVEL),
        )


@cache
def real_cycles() -> tuple[Measured, ...]:
    """Steady, straight cycles on the level of all captured walks and runs."""
    found: list[Measured] = []
    for file in clips(*FOLDERS):
        motion = captured(file)
        motion = replace(motion, skeleton=calibrate_feet(motion.skeleton, [motion]))
        with suppress(RequestError):  # with too few plants to tell a floor by it is taken as it is
            motion = level_floor(motion)
        found += [cycle for cycle in measured(motion, detect_contacts(motion)) if cycle.steady]
    return tuple(found)


def at_speed(speed: float, tolerance: float) -> list[Measured]:
    return [cycle for cycle in real_cycles() if abs(cycle.speed - speed) < tolerance]


@cache
def actors_cycles(speed: float) -> tuple[Measured, ...]:
    """The average person's, with the contacts it knows."""
    actor = VirtualActor(0, 1.75, Style(), fps=240.0)
    motion = (actor.run if speed > 2.2 else actor.walk)(speed, steps=8).motion
    assert motion.contacts is not None
    return tuple(measured(replace(motion, contacts=None), motion.contacts))
