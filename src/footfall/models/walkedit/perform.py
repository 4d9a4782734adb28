"""From footprints to a motion: body and feet go their ways, the body comes down for legs, feet are exact."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

from footfall.adapt.legroom import Leg, coming_down
from footfall.adapt.legs_to_feet import hips_of, legs_to_feet
from footfall.adapt.swing_clearance import bumps
from footfall.figure.contacts import Contacts
from footfall.figure.motion import Motion
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.models.walkedit.arms import swing_arms
from footfall.models.walkedit.body_way import body_turn, body_way, stretch
from footfall.models.walkedit.cycle import SIDES, WalkCycle
from footfall.models.walkedit.foot_way import FootWay, foot_way
from footfall.models.walkedit.lean import lean_over, leaning
from footfall.models.walkedit.phase import Clock, steps_at
from footfall.models.walkedit.sampling import even_spot, mixed, mixed_turns
from footfall.models.walkedit.steps import Footprints
from footfall.models.walkedit.swing_lift import Lifts

Numbers = Float[np.ndarray, "n"]


@dataclass(frozen=True, eq=False)
class _Walk:
    """Body and feet at some moments, before the legs have had their say."""

    root: Float[np.ndarray, "n 3"]
    rotations: Float[np.ndarray, "n joints 4"]
    feet: dict[str, FootWay]
    phase: Numbers


def moments(cycle: WalkCycle, prints: Footprints, clock: Clock, fps: float) -> Numbers:
    """Phases of the frames, from when the second print lies flat to when the last but two does."""
    shown = np.array([1, len(prints) - 3])
    flat = [cycle.feet[prints.side(int(k))].flat for k in shown]
    begin, end = clock.time(clock.strikes[shown] + flat)
    # a frame of both, so that they lie and do not only come to lie
    times = begin + (np.arange(int(np.floor((end - begin) * fps + 1e-6)) + 2) + 1e-3) / fps
    return clock.phase(times)


def perform(
    cycle: WalkCycle, prints: Footprints, clock: Clock, fps: float, lifts: Lifts | None = None
) -> Motion:
    """The walk over its footprints."""
    return performed_at(cycle, prints, moments(cycle, prints, clock, fps), fps, lifts)


def performed_at(
    cycle: WalkCycle, prints: Footprints, phase: Numbers, fps: float, lifts: Lifts | None = None
) -> Motion:
    """The walk at given phases, one a frame."""
    walk = _walk(cycle, prints, phase, lifts)
    hips = hips_of(cycle.skeleton, cycle.legs, walk.root, walk.rotations)
    at = even_spot(len(cycle.root), walk.phase % 1.0)
    legs = {
        side: Leg(cycle.legs[side].reach, hips[side][0], walk.feet[side], mixed(cycle.extension[side], *at))
        for side in SIDES
    }
    down = coming_down(list(legs.values()), fps)
    feet = {side: leg.drawn_in(down) for side, leg in legs.items()}
    root = walk.root - down[:, None] * ground.UP
    rotations = legs_to_feet(cycle.skeleton, cycle.legs, walk.rotations, hips, down, feet)
    contacts = Contacts(
        np.stack([feet[s].heel_down for s in SIDES], axis=1),
        np.stack([feet[s].toe_down for s in SIDES], axis=1),
    )
    solved = [0, *(j for limb in cycle.legs.values() for j in cycle.skeleton.tree.path(limb.upper, limb.end))]
    rotations[:, solved] = quat.continuous(rotations[:, solved])  # the others come from one hemisphere
    return Motion(cycle.skeleton, root, rotations, fps, contacts=contacts)


def _walk(cycle: WalkCycle, prints: Footprints, phase: Numbers, lifts: Lifts | None) -> _Walk:
    steps = steps_at(phase, cycle.right_strike)
    feet = {s: foot_way(cycle.feet[s], prints, phase, cycle.strike_phase(s)) for s in SIDES}
    if lifts is not None:
        feet = {side: _lifted(way, lifts) for side, way in feet.items()}
    turn = body_turn(prints, steps)
    rotations = mixed_turns(cycle.rotations, *even_spot(len(cycle.rotations), phase % 1.0))
    rotations[:, 0] = quat.multiply(ground.turn(turn), rotations[:, 0])
    swing_arms(cycle, rotations, stretch(cycle, prints, steps - prints.offset))
    root = body_way(cycle, prints, phase, steps, turn)
    lean = lean_over(prints, steps - prints.offset)
    if lean.any:
        root = leaning(cycle, root, rotations, turn, lean)
    return _Walk(root, rotations, feet, phase)


def _lifted(way: FootWay, lifts: Lifts) -> FootWay:
    """The foot raised by the bumps of the swing it is in."""
    air = np.flatnonzero((way.share > 0.0) & (way.at + 2 < len(lifts)))
    height = np.sum(bumps(way.share[air]) * lifts[way.at[air] + 2], axis=-1)
    ankle = way.ankle.copy()
    ankle[air, 1] += height
    return replace(way, ankle=ankle)


def captured_extension(cycle: WalkCycle, prints: Footprints, samples: int) -> dict[str, Numbers]:
    """How long each leg is, by phase, where the walk goes as it was captured."""
    phase = 2.0 + np.linspace(0.0, 1.0, samples)
    walk = _walk(cycle, prints, phase, None)
    hips = hips_of(cycle.skeleton, cycle.legs, walk.root, walk.rotations)
    return {
        side: np.linalg.norm(hips[side][0] - walk.feet[side].ankle, axis=-1) / cycle.legs[side].reach
        for side in SIDES
    }
