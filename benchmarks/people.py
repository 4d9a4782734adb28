"""The actor beside people: gait cycles of real captures by speed, and the actor's at the same speeds.

Cycles are level, straight and steady. Real contacts are detected. The actor's are read twice, by the same
detector and by its own truth, because a detector's habits would else be taken for a difference in gait.
Captures are not part of the project: `real_strides` is empty where they are absent, and WHY_NOT says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from jaxtyping import Float
from tests.captured import ROWS, captured, clips
from tests.captures import FOLDER

from footfall.actor.style import Style
from footfall.actor.virtual_actor import VirtualActor
from footfall.adapt.calibrate_feet import calibrate_feet
from footfall.adapt.level_floor import level_floor
from footfall.analysis.contacts import detect_contacts
from footfall.analysis.cycles import Cycle, by_phase, detect_cycles
from footfall.analysis.joint_angles import (
    ankle_dorsiflexion,
    hip_flexion,
    knee_flexion,
    shoulder_flexion,
)
from footfall.analysis.plants import detect_plants
from footfall.errors import FootfallError
from footfall.figure.contacts import Contacts
from footfall.figure.motion import Motion

FOLDERS = ("walk", "run", "turn-side-back", "locomotion-set")
WHY_NOT = f"no captures in {FOLDER}; set FOOTFALL_DATA to their folder to compare the actor with people"
LEGS = {"hip": hip_flexion, "knee": knee_flexion, "ankle": ankle_dorsiflexion}
FIGURES = ("step_length", "width", "double_support", "rise", "sway")  # of a Stride
STRAIGHT = np.radians(25.0)  # a second
ASIDE = 0.3  # m/s
CLIMB = 0.06  # m a cycle: more is no level ground
UNSTEADY = 0.15  # of the speed, between both halves of a cycle
AVERAGE_HEIGHT = 1.75  # m
FPS = 240.0
STEPS = 10

Curve = Float[np.ndarray, "phases"]


@dataclass(frozen=True)
class Pace:
    """A speed at which people and the actor are compared; m/s."""

    speed: float
    tolerance: float = 0.12
    running: bool = False


PACES = (Pace(1.0), Pace(1.3), Pace(1.6), Pace(2.7, 0.25, True), Pace(3.5, 0.35, True))


@dataclass(frozen=True, eq=False)
class Stride:
    """One cycle: leg angles over phase, and the figures a laboratory writes beside them; metres."""

    clip: str
    person: str
    cycle: Cycle
    angles: Mapping[str, Curve]  # rad
    seconds: float
    step_length: float  # half a stride
    width: float
    double_support: float  # share of the cycle
    rise: float  # of the pelvis: highest less lowest
    sway: float  # of the pelvis: leftmost less rightmost
    arm_swing: float  # rad, foremost less hindmost
    unsteady: float


@dataclass(frozen=True)
class Figure:
    """One figure of people's cycles, of the actor's, and of the actor's by detected contacts."""

    low: float
    mean: float
    high: float
    actor: float
    actor_detected: float

    @property
    def within(self) -> bool:
        """The actor is no lower than the lowest and no higher than the highest of people's cycles."""
        return self.low <= self.actor <= self.high


@dataclass(frozen=True)
class Comparison:
    """People and the actor at one speed; figures are those of FIGURES, by name."""

    speed: float
    running: bool
    cycles: int
    clips: int
    people: int
    rms_deg: Mapping[str, float]  # between the mean curves of LEGS
    figures: Mapping[str, Figure]


def strides_of(motion: Motion, contacts: Contacts, clip: str = "", person: str = "") -> list[Stride]:
    """Every cycle of both feet."""
    found = detect_cycles(motion, contacts, detect_plants(motion, contacts))
    curves = {
        (name, side): angle(motion, side) for name, angle in LEGS.items() for side in motion.skeleton.sides
    }
    arms = {side: shoulder_flexion(motion, side) for side in motion.skeleton.sides}
    return [
        Stride(
            clip=clip,
            person=person,
            cycle=cycle,
            angles={name: by_phase(curves[name, cycle.foot], cycle) for name in LEGS},
            seconds=cycle.seconds(motion.fps),
            step_length=0.5 * cycle.stride,
            width=cycle.width,
            double_support=cycle.double_support,
            rise=float(np.ptp(by_phase(motion.root[:, 1], cycle))),
            sway=float(np.ptp(by_phase(_across(motion, cycle), cycle))),
            arm_swing=float(np.ptp(by_phase(arms[cycle.foot], cycle))),
            unsteady=_unsteady(motion, cycle),
        )
        for cycle in found
    ]


def _across(motion: Motion, cycle: Cycle) -> Float[np.ndarray, "frames"]:
    """The pelvis to the left of the line from where it is at one strike to where it is at the next."""
    ground_plan = motion.root[:, [0, 2]]
    ahead = ground_plan[cycle.end] - ground_plan[cycle.start]
    ahead = ahead / max(float(np.linalg.norm(ahead)), 1e-9)
    return (ground_plan - ground_plan[cycle.start]) @ np.array([ahead[1], -ahead[0]])


def _unsteady(motion: Motion, cycle: Cycle) -> float:
    """How much farther one half of the cycle goes than the other, as a share of their mean."""
    middle = (cycle.start + cycle.end) // 2
    way = motion.root[[cycle.start, middle, cycle.end]][:, [0, 2]]
    first, second = np.linalg.norm(np.diff(way, axis=0), axis=1)
    return float(2.0 * abs(first - second) / max(first + second, 1e-9))


@cache
def real_strides() -> tuple[Stride, ...]:
    """All cycles of the captured walks and runs; none where the captures are absent."""
    strides: list[Stride] = []
    for file in clips(*FOLDERS):
        motion = captured(file)
        motion = replace(motion, skeleton=calibrate_feet(motion.skeleton, [motion]))
        with suppress(FootfallError):  # too few stances to tell how the floor lies: taken as captured
            motion = level_floor(motion)
        strides += strides_of(motion, detect_contacts(motion), file, ROWS[file]["skeleton"])
    return tuple(strides)


def at_pace(strides: Sequence[Stride], pace: Pace) -> list[Stride]:
    """Those that are level, straight, steady, and as fast."""
    return [
        s
        for s in strides
        if abs(s.cycle.speed - pace.speed) < pace.tolerance
        and abs(s.cycle.side_speed) < ASIDE
        and abs(s.cycle.turn_rate) < STRAIGHT
        and abs(s.cycle.rise) < CLIMB
        and s.unsteady < UNSTEADY
    ]


def average_actor() -> VirtualActor:
    return VirtualActor(height=AVERAGE_HEIGHT, style=Style(), fps=FPS)


def acted_strides(actor: VirtualActor, pace: Pace, *, detected: bool) -> list[Stride]:
    """The actor's cycles, by contacts that are detected or by those it knows to be true."""
    take = actor.run if pace.running else actor.walk
    motion = take(pace.speed, steps=STEPS).motion
    contacts = motion.contacts
    if detected or contacts is None:
        contacts = detect_contacts(replace(motion, contacts=None))
    return strides_of(motion, contacts)


def mean_of(strides: Sequence[Stride], name: str) -> float:
    return float(np.mean([getattr(s, name) for s in strides]))


def mean_curve(strides: Sequence[Stride], name: str) -> Curve:
    return np.mean([s.angles[name] for s in strides], axis=0)


def comparisons() -> list[Comparison]:
    """At every speed of which there are captured cycles."""
    by_pace = {pace: at_pace(real_strides(), pace) for pace in PACES}
    return [compare(pace, people) for pace, people in by_pace.items() if people]


def compare(pace: Pace, people: Sequence[Stride]) -> Comparison:
    """The average actor beside people's cycles; its curves are cut at its true strikes."""
    true, detected = (acted_strides(average_actor(), pace, detected=way) for way in (False, True))
    return Comparison(
        speed=pace.speed,
        running=pace.running,
        cycles=len(people),
        clips=len({s.clip for s in people}),
        people=len({s.person for s in people}),
        rms_deg={name: rms_deg(mean_curve(people, name), mean_curve(true, name)) for name in LEGS},
        figures={
            name: Figure(
                low=min(getattr(s, name) for s in people),
                mean=mean_of(people, name),
                high=max(getattr(s, name) for s in people),
                actor=mean_of(true, name),
                actor_detected=mean_of(detected, name),
            )
            for name in FIGURES
        },
    )


def rms_deg(one: Curve, other: Curve) -> float:
    return float(np.degrees(np.sqrt(np.mean((one - other) ** 2))))
