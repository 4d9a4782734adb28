"""What a ring can do on level ground, read off its spheres: the gait states its own limits."""

from __future__ import annotations

import numpy as np

from footfall.errors import RequestError
from footfall.models.gait_limits import GaitLimits
from footfall.models.ring.model import MotionRing

LEVEL = 0.25  # of the range of rises: so near to none a sphere tells of level steps
SURELY = 0.8  # of the sharpest turn and of the whole change of speed: what it does step after step
STRAIGHT = 0.15  # rad a step
SLOWEST = 0.05  # m/s: who goes slower stands
STOPS = 0.75  # of a step that it goes on when it is told to stand


def limits_of(ring: MotionRing) -> GaitLimits:
    """Speeds, turns and changes of speed that a ring's steps allow."""
    if ring.resting:
        raise RequestError("a rest goes nowhere: it has no limits to steer by")
    halves = ring.seconds.reshape(len(ring), 2, -1).sum(axis=-1)
    usual_seconds = float((ring.usual_weights @ halves).mean())
    way = ring.velocity[[0, 2]] / ring.quickness
    speeds, turns = [], []
    for half, spheres in enumerate(ring.spheres):
        rises = spheres.lattice[:, 1]
        level = np.abs(rises) <= max(LEVEL * float(np.abs(rises).max()), float(np.abs(rises).min()) + 1e-9)
        usual = ring.tables.strikes(half, ring.usual_weights).point
        # feet are beside each other: what a step advances is told against a usual one
        more = (spheres.centres - usual)[level][:, [0, 2]] @ way
        seconds = spheres.weights[level] @ halves[:, half]
        straight = np.abs(spheres.turns[level]) <= STRAIGHT
        advance = ring.quickness * usual_seconds + more
        speeds.append((advance / seconds)[straight] if straight.any() else advance / seconds)
        turns.append(spheres.turns[level] / seconds)
    found = np.concatenate(speeds)
    low, high = max(float(found.min()), SLOWEST), max(float(found.max()), 2.0 * SLOWEST)
    # both feet must be able to turn to either side: the weaker of all
    sharpest = min(float(max(sign * one.max(), sign * one.min())) for one in turns for sign in (1.0, -1.0))
    if ring.combined:
        from footfall.models.ring.handover_kernel import MOST_TURNED

        sharpest = MOST_TURNED / usual_seconds
    change = SURELY * (high - low) / usual_seconds
    return GaitLimits(
        slowest=low,
        fastest=high,
        turn_rate=SURELY * max(sharpest, 0.0),
        acceleration=change,
        braking=change,
        step_seconds=usual_seconds,
        stopping=STOPS * low * usual_seconds,
    )
