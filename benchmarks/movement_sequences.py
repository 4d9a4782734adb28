"""Sequences of random steps and jumps, measured on the finished motion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

import footfall as ff
from footfall.analysis.facing import trunk_headings
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.models.movements.chain import Chain, chained
from footfall.models.movements.model import MovementLibrary, PlayedMovements
from footfall.models.movements.request import Request

SIDES = ("left", "right")
DENSE = 960.0  # Hz
JUMPS = 0.2  # of the movements of a sequence


def random_requests(library: MovementLibrary, seed: int, count: int = 100) -> list[Request]:
    """Steps of feet that take turns, and jumps."""
    rng = np.random.default_rng(seed)
    foot, made = str(rng.choice(["left", "right"])), list[Request]()
    while len(made) < count:
        kind = "jump" if rng.random() < JUMPS else f"{foot}_step"
        space = library.space[kind]
        wanted = space.named(space.sample(1, int(rng.integers(2**31)))[0])
        made.append(Request(kind, {n: v for n, v in wanted.items() if not n.startswith("start_")}))
        foot = {"left": "right", "right": "left"}[foot]
    return made


@dataclass(frozen=True)
class SequenceFigures:
    """What one sequence came to; metres and seconds."""

    seed: int
    constraints: bool
    movements: int
    clamped: int
    slide: float
    ratio: float  # of acceleration
    placement: float | None  # of plants from their footprints
    prints: float  # of footprints from what the parameters say, by plants,
    postures: float  # by postures
    jump: float  # of a joint's place at a join,
    jump_elsewhere: float
    kink: float  # m/s: change of a joint's velocity from one interval to the next at a join, at 960 Hz
    kink_elsewhere: float


def sequence_figures(library: MovementLibrary, seed: int, constraints: bool) -> SequenceFigures:
    requests = random_requests(library, seed)
    chain = chained(library.kinds, requests)
    motion = library.play(requests, constraints=constraints)
    written = motion.certificate()
    dense = library.play(requests, constraints=constraints, fps=DENSE)
    assert written.slide_max_m is not None
    assert written.acceleration_ratio is not None
    return SequenceFigures(
        seed,
        constraints,
        len(chain.movements),
        len(motion.clamped),
        written.slide_max_m,
        written.acceleration_ratio,
        written.placement_max_m,
        plant_error(motion, chain),
        posture_error(chain),
        *seams(dense),
    )


def plant_error(motion: PlayedMovements, chain: Chain) -> float:
    """Largest distance of footprints, as plants tell them, from what each movement's parameters say."""
    assert motion.contacts is not None
    plants = {
        side: [p for p in ff.detect_plants(motion, motion.contacts) if p.foot == side] for side in SIDES
    }
    headings = trunk_headings(motion)
    frames = [*(round(t * motion.fps) for t in motion.begins), len(motion) - 1]
    worst = 0.0
    for movement, (first, last) in zip(chain.movements, pairwise(frames), strict=True):
        left, right = (_standing(plants[side], first, last) for side in SIDES)
        if left is None or right is None:
            continue  # the motion ends before a foot lies
        asked = movement.kind.space.named(movement.parameters)
        if movement.kind.family == "jump":
            heading = movement.before.heading if motion.plan else headings[first]
            way, wanted = 0.5 * (left[1] + right[1] - left[0] - right[0]), asked["length"]
        else:
            heading = movement.after.heading if motion.plan else headings[last]
            way, wanted = right[1] - left[1], asked["end_length"]
            way = way if movement.kind.swings[0] is None else -way
        worst = max(worst, abs(_as_faced(way, heading)[2] - wanted))
    return float(worst)


def posture_error(chain: Chain) -> float:
    """The same as the postures at each movement's start and end tell it: without constraints feet slide.

    Of movements among the examples; what lies beyond them is given by constraints alone.
    """
    return max(
        float(np.abs(m.kind.measured(m.weights[None])[0] - m.kind.space.to_metric(m.parameters)).max())
        for m in chain.movements
        if m.kind.space.contains(m.parameters)
    )


def _standing(plants: Sequence[ff.Plant], *frames: int) -> list[np.ndarray] | None:
    """Where a foot stands at frames, or next to them; None where it never lies there."""
    found = [min(plants, key=lambda p: max(p.start - f, f - p.end + 1, 0)) for f in frames]
    return None if any(p.flat is None for p in found) else [p.position for p in found]


def _as_faced(way: np.ndarray, heading: float) -> np.ndarray:
    return quat.rotate(ground.turn(-float(heading)), way)


def seams(motion: PlayedMovements) -> tuple[float, float, float, float]:
    """Largest jump of a joint at joins [m] and elsewhere, and of its velocity [m/s].

    A jump is what a joint moves in an interval over the mean of the intervals beside it, less what a change
    of velocity within it explains.
    """
    moves = np.diff(motion.positions, axis=0)
    changes = np.linalg.norm(moves[2:] - moves[:-2], axis=-1)
    jumps = (np.linalg.norm(moves[1:-1] - 0.5 * (moves[:-2] + moves[2:]), axis=-1) - 0.5 * changes).max(
        axis=1
    )
    kinks = changes.max(axis=1) * motion.fps
    joins = np.ceil(np.array(motion.begins[1:]) * motion.fps).astype(int) - 2
    near = np.zeros(len(jumps), dtype=bool)
    for shift in (-1, 0, 1):
        near[np.clip(joins + shift, 0, len(near) - 1)] = True
    return (
        float(jumps[near].max(initial=0.0)),
        float(jumps[~near].max()),
        float(kinks[near].max(initial=0.0)),
        float(kinks[~near].max()),
    )
