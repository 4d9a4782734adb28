"""What a ring can do on level ground, read off its spheres: the gait states its own limits."""

from __future__ import annotations

import numpy as np

from footfall.errors import RequestError
from footfall.geometry.decisions import clearly_less
from footfall.models.gait_limits import GaitLimits
from footfall.models.ring.model import MotionRing

LEVEL = 0.25  # of the range of rises: so near to none a sphere tells of level steps
SURELY = 0.8  # of the sharpest turn and of the whole change of speed: what it does step after step
STRAIGHT = 0.15  # rad a step
SHORT = 0.33  # of a usual step: shorter ones a ring seldom takes, and hardly turns in them
SLOWEST = 0.05  # m/s: who goes slower stands
WIDEST = 100.0  # m: a curve so wide is none
STOPS = 0.75  # of a step that it goes on when it is told to stand


def limits_of(ring: MotionRing) -> GaitLimits:
    """Speeds, turns and changes of speed that a ring's steps allow."""
    if ring.resting:
        raise RequestError("a rest goes nowhere: it has no limits to steer by")
    halves = ring.seconds.reshape(len(ring), 2, -1).sum(axis=-1)
    usual_seconds = float((ring.usual_weights @ halves).mean())
    way = ring.velocity[[0, 2]] / ring.quickness
    speeds, turns, bends = [], [], []
    for half, spheres in enumerate(ring.spheres):
        rises = spheres.lattice[:, 1]
        flat = max(LEVEL * float(np.abs(rises).max()), float(np.abs(rises).min()))
        level = ~clearly_less(flat, np.abs(rises))
        usual = ring.tables.strikes(half, ring.usual_weights).point
        # feet are beside each other: what a step advances is told against a usual one
        more = (spheres.centres - usual)[level][:, [0, 2]] @ way
        seconds = spheres.weights[level] @ halves[:, half]
        advance = ring.quickness * usual_seconds + more
        steps = advance >= min(SHORT * ring.quickness * usual_seconds, float(advance.max()))
        straight = steps & (np.abs(spheres.turns[level]) <= STRAIGHT)
        speeds.append((advance / seconds)[straight if straight.any() else steps])
        turns.append(spheres.turns[level] / seconds)
        bends.append((spheres.turns[level] / np.maximum(advance, 1e-9))[steps])
    found = np.concatenate(speeds)
    low, high = max(float(found.min()), SLOWEST), max(float(found.max()), 2.0 * SLOWEST)
    # both feet must be able to turn to either side: the weaker of all
    sharpest, bend = (
        min(float(max(sign * one.max(), sign * one.min())) for one in each for sign in (1.0, -1.0))
        for each in (turns, bends)
    )
    if ring.combined:
        from footfall.models.ring.handover_kernel import MOST_TURNED

        sharpest, bend = MOST_TURNED / usual_seconds, np.inf
    change = SURELY * (high - low) / usual_seconds
    return GaitLimits(
        slowest=low,
        fastest=high,
        turn_rate=SURELY * max(sharpest, 0.0),
        acceleration=change,
        braking=change,
        step_seconds=usual_seconds,
        stopping=STOPS * low * usual_seconds,
        tightest=min(1.0 / max(bend, 1e-9), WIDEST),
    )
