"""From a captured walk to one clean cycle that can be repeated without a seam.

A cycle runs from one foot's strike to its next; everything in it is taken from the same frames, so that with
nothing asked the walk is the captured one. Where its end does not meet its beginning, the gap in value and in
rate is closed near the seam.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from footfall.adapt.calibrate_feet import calibrate_feet
from footfall.adapt.clean_contacts import clean_contacts
from footfall.adapt.level_floor import level_floor
from footfall.adapt.normalize import placed
from footfall.adapt.rigid import rigid
from footfall.analysis.cycles import Cycle, detect_cycles
from footfall.analysis.plants import Plant, detect_plants
from footfall.errors import RequestError
from footfall.figure.motion import Motion
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import first_least, order_of
from footfall.geometry.ground import FORWARD
from footfall.ik.two_link import leg_of
from footfall.models.walkedit.closing import closed, closed_turns
from footfall.models.walkedit.course import captured_strides, lay
from footfall.models.walkedit.cycle import SIDES, WalkCycle, other_side
from footfall.models.walkedit.fidelity import departure, jerkiness
from footfall.models.walkedit.foot_tables import CapturedStride, foot_cycle
from footfall.models.walkedit.perform import captured_extension
from footfall.models.walkedit.phase import steps_at
from footfall.models.walkedit.sampling import read, read_turns, sampled, sampled_turns
from footfall.models.walkedit.way import STRAIGHT_ON

SAMPLES = 256  # of a cycle
TRIED = 4  # cycles, of which the one is taken that gives the capture back best
UNSTEADY = 0.018  # m, mean over joints: a cycle that must be changed by more is not one of a steady walk
FEWEST = 12  # frames
SLOWEST = 0.25  # m/s: what goes on more slowly is no walk
RUNNING, GRAVITY = 0.55, 9.81  # speed^2 over gravity and leg length (Froude), m/s^2: faster is running
GROUNDED = 0.6  # of a cycle
LIMPING = 0.17  # of a cycle by which one step may be longer than half of it
TURNING = np.radians(35.0)  # a cycle that turns by more is no straight walk
NEEDS = "a walk edit needs a clip with three steps or more of straight, forward walking on one level floor"


@dataclass(frozen=True, eq=False)
class CyclePlants:
    """Two strikes of one foot, and the other's plant between them with the one it came from."""

    first: Plant
    second: Plant
    before: Plant
    between: Plant

    @property
    def frames(self) -> int:
        return self.second.start - self.first.start

    @property
    def all(self) -> tuple[Plant, ...]:
        return self.first, self.second, self.before, self.between


def extract_cycle(clip: Motion) -> WalkCycle:
    """The steadiest cycle of a walk, cleaned and closed; refused where there is none."""
    clean = _cleaned(clip)
    cycles = [_tabled(*_facing_forward(clean, stride)) for stride in _steadiest(clean)]
    away = [departure(cycle) for cycle in cycles]
    costs = [a * max(jerkiness(c), 1.0) for a, c in zip(away, cycles, strict=True)]
    best = int(first_least(np.array(costs)))
    if away[best] > UNSTEADY:
        raise RequestError(
            f"the steadiest cycle of this clip is {100 * away[best]:.1f} cm from one that can be repeated: "
            f"{NEEDS}"
        )
    return cycles[best]


def _cleaned(clip: Motion) -> Motion:
    if not {"left", "right"} <= set(clip.skeleton.sides) or not clip.skeleton.has("hips"):
        raise RequestError(f"the figure has no two whole legs and hips: {NEEDS}")
    if not np.isfinite(clip.root).all() or not np.isfinite(clip.rotations).all():
        raise RequestError("the clip has frames that are not finite numbers")
    if len(clip) < FEWEST:
        raise RequestError(f"the clip has {len(clip)} frames: {NEEDS}")
    clip = rigid(clip)
    if clip.skeleton.feet is None:
        clip = replace(clip, skeleton=calibrate_feet(clip.skeleton, [clip]))
    try:
        clip = level_floor(clip)
    except RequestError as error:
        raise RequestError(f"{error}; {NEEDS}") from None
    return clean_contacts(clip)


def _steadiest(motion: Motion) -> list[CyclePlants]:
    """The few strides whose ends are most like their beginnings."""
    assert motion.contacts is not None
    plants = detect_plants(motion, motion.contacts)
    cycles = [c for c in detect_cycles(motion, motion.contacts, plants) if _straight_on(c, motion.fps)]
    leg = motion.skeleton.leg_length("left")
    if cycles and all(c.speed**2 > RUNNING * GRAVITY * leg for c in cycles):
        raise RequestError(f"this clip is a run ({max(c.speed for c in cycles):.1f} m/s): {NEEDS}")
    cycles = [c for c in cycles if c.speed**2 <= RUNNING * GRAVITY * leg and _grounded(motion, c)]
    body = motion.positions - motion.root[:, None] * np.array([1.0, 0.0, 1.0])
    speed = np.gradient(motion.positions, axis=0) * motion.fps
    found = []
    for cycle in cycles:
        stride = _stride(plants, cycle)
        if stride is not None:
            gaps = [np.linalg.norm(v[cycle.end] - v[cycle.start], axis=-1).mean() for v in (body, speed)]
            found.append((gaps[0] + 0.1 * gaps[1] + 0.3 * abs(cycle.turn_rate), stride))
    if not found:
        raise RequestError(f"no whole cycle of walking was found in this clip: {NEEDS}")
    order = order_of(np.array([gap for gap, _ in found]))
    return [found[i][1] for i in order[:TRIED]]


def _straight_on(cycle: Cycle, fps: float) -> bool:
    return (
        cycle.speed > SLOWEST
        and abs(cycle.side_speed) < 0.5 * cycle.speed
        and abs(cycle.turn_rate) * cycle.seconds(fps) < TURNING
    )


def _grounded(motion: Motion, cycle: Cycle) -> bool:
    """Whether a foot stands all but throughout: feet are read as standing too short, never by half."""
    assert motion.contacts is not None
    stands = motion.contacts.stands("left") | motion.contacts.stands("right")
    return float(stands[cycle.start : cycle.end].mean()) > GROUNDED


def _stride(plants: Sequence[Plant], cycle: Cycle) -> CyclePlants | None:
    """The plants of a cycle; None where one is missing or never lies flat."""
    own = [p for p in plants if p.foot == cycle.foot]
    others = [p for p in plants if p.foot == other_side(cycle.foot)]
    i = next(k for k, p in enumerate(own) if p.start == cycle.start)
    j = next(k for k, p in enumerate(others) if cycle.start < p.start < cycle.end)
    if j == 0 or i + 1 == len(own):
        return None
    found = CyclePlants(own[i], own[i + 1], others[j - 1], others[j])
    if abs((found.between.start - found.first.start) / found.frames - 0.5) > LIMPING:
        return None
    whole = found.between.whole and found.first.whole
    return found if whole and all(p.flat is not None for p in found.all) else None


def _facing_forward(motion: Motion, stride: CyclePlants) -> tuple[Motion, CyclePlants]:
    """The motion walking along +Z, the cycle's first footprint at the origin."""
    heading = float(ground.heading_of(stride.second.position - stride.first.position))
    turn = ground.turn(-heading)
    origin = quat.rotate(turn, stride.first.position * np.array([1.0, 0.0, 1.0]))

    def moved(plant: Plant) -> Plant:
        return replace(
            plant,
            position=quat.rotate(turn, plant.position) - origin,
            toe=quat.rotate(turn, plant.toe) - origin,
            heading=float(ground.wrap(plant.heading - heading)),
        )

    return placed(motion, -heading, -origin), CyclePlants(*(moved(p) for p in stride.all))


def _tabled(motion: Motion, stride: CyclePlants) -> WalkCycle:
    first, between = stride.first, stride.between
    share = (between.start - first.start) / stride.frames
    at = first.start + np.linspace(0.0, 1.0, SAMPLES + 1) * stride.frames
    onward = (stride.second.position - first.position)[2] * FORWARD
    past = np.linspace(0.0, 1.0, SAMPLES + 1)
    drift = closed(sampled(motion.root, at) - past[:, None] * onward)
    turns = closed_turns(sampled_turns(motion.rotations, at))

    # phase 0 is the left foot's strike, whichever foot the cycle was cut at
    left_first = first.foot == "left"
    later, right_strike = (0.0, share) if left_first else (share, 1.0 - share)
    left, right = (first, between) if left_first else (between, stride.second)
    phase = past + later
    root = read(drift, phase % 1.0) + phase[:, None] * onward
    middle = 0.5 * (left.position + right.position - onward)
    root = root - middle - 0.5 * steps_at(past, right_strike)[:, None] * onward
    root[-1] = root[0]
    rotations = read_turns(turns, phase % 1.0)
    rotations[-1] = rotations[0]

    own = CapturedStride(motion, first, stride.second, first, stride.frames, stride.second.start)
    other = CapturedStride(motion, between, between, stride.before, stride.frames, stride.second.start)
    feet = {made.side: made for made in (foot_cycle(own), foot_cycle(other))}
    right_step = float(right.position[2] - left.position[2])
    cycle = WalkCycle(
        skeleton=motion.skeleton,
        captured=motion[first.start : stride.second.start + 1],
        strikes={first.foot: 0, between.foot: between.start - first.start},
        seconds=stride.frames / motion.fps,
        right_strike=right_strike,
        step_lengths=(float(onward[2]) - right_step, right_step),
        beside=(float(left.position[0] - middle[0]), float(right.position[0] - middle[0])),
        headings=(left.heading, right.heading),
        rotations=rotations,
        root=root,
        feet={side: feet[side] for side in SIDES},
        legs={side: leg_of(motion.skeleton, side, motion) for side in SIDES},
        extension={},
    )
    prints = lay(cycle, captured_strides(cycle, "left", 10), STRAIGHT_ON, "left").prints
    return replace(cycle, extension=captured_extension(cycle, prints, SAMPLES + 1))
