"""Strike frames of one gait cycle: when each foot has come down ([rings] 3.2).

Candidates are zero crossings of a foot's acceleration along its path, from braking to not braking: there
its speed is least. Of all pairs the slowest are taken that lie about half a cycle apart.

A cycle that repeats is looked at as it is played, again and again, so that no strike is lost at its ends; and
where contacts are known a foot has come down when heel and toe both touch and the foot is still.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, Int

from footfall.analysis.contacts import FootSignals
from footfall.analysis.plants import plants_of
from footfall.analysis.signals import box, smoothed_speed
from footfall.errors import RequestError
from footfall.figure.motion import Motion
from footfall.geometry.decisions import MARGIN, clearly_less

SMOOTHING = 0.03  # s
HALF_CYCLE_WEIGHT = 4.0  # m/s for a pair that is a whole half cycle off
SETTLING = 0.1  # s after heel and toe first touch together in which a foot comes to rest
AS_STILL = 0.05  # m/s: the first frame this near to the slowest one will do
NOT_FLAT = 1.0  # m/s that a foot which rests on its toe or heel counts more: a quarter of half a cycle off


def strike_frames(motion: Motion) -> tuple[int, int]:
    """The left and the right foot's strike frame in a motion of one gait cycle."""
    if len(motion) < 6 or len(motion.skeleton.sides) < 2:
        raise RequestError("strike frames need one gait cycle of a figure with two legs")
    left, right = (_braked(_speed(motion, side), 0, len(motion)) for side in ("left", "right"))
    return _half_a_cycle_apart(left, right, len(motion))


def looped_strikes(played: Motion, cycle: int) -> tuple[int, int]:
    """The strike frames of a cycle of that many frames, from a motion that plays it three times, moved on."""
    if cycle < 6 or len(played) != 3 * cycle or len(played.skeleton.sides) < 2:
        raise RequestError("strike frames of a loop need three whole cycles of a figure with two legs")
    left, right = (_came_down(played, side, cycle) for side in ("left", "right"))
    return _half_a_cycle_apart(left, right, cycle)


Candidates = list[tuple[int, float]]  # frame in the cycle, how fast the foot is there (m/s) or counts as


def _half_a_cycle_apart(lefts: Candidates, rights: Candidates, cycle: int) -> tuple[int, int]:
    """Of all pairs the one whose feet are slowest and nearest to half a cycle apart."""
    best: tuple[float, int, int] | None = None
    for left, left_speed in lefts:
        for right, right_speed in rights:
            apart = abs(right - left) / cycle
            off = abs(min(apart, 1.0 - apart) - 0.5) / 0.5
            cost = left_speed + right_speed + HALF_CYCLE_WEIGHT * off
            if best is None or clearly_less(cost, best[0]):
                best = cost, left, right
    if best is None:
        raise RequestError("no foot comes down in this motion: one full gait cycle is needed")
    return best[1], best[2]


def _came_down(played: Motion, side: str, cycle: int) -> Candidates:
    """Where a foot has come to rest in the middle cycle: by its contacts, else where it stops braking.

    Flat, or on a part of it: up stairs a heel may come down long after the toe, or never.
    """
    foot = FootSignals.of(played, side)
    heel, toe = (smoothed_speed(places, foot.fps, SMOOTHING) for places in (foot.heel, foot.toe))
    whole, part = np.maximum(heel, toe), np.minimum(heel, toe)
    found: Candidates = []
    for plant in [] if played.contacts is None else plants_of(played, played.contacts, side):
        if plant.flat is not None:
            frame = _settled(plant.flat, whole, foot.fps)
            found.append((frame, float(whole[frame])))
        frame = _settled((plant.start, plant.end), part, foot.fps)
        found.append((frame, float(part[frame]) + NOT_FLAT))
    inside = [(frame - cycle, cost) for frame, cost in found if cycle <= frame < 2 * cycle]
    return inside or _braked(whole, cycle, 2 * cycle)


def _settled(stands: tuple[int, int], speed: Float[np.ndarray, "frames"], fps: float) -> int:
    """The first frame of a stance at which what stands is as good as still."""
    first, end = stands
    coming = speed[first : min(first + round(SETTLING * fps) + 1, end)]
    return first + int(np.argmax(coming <= coming.min() + AS_STILL))


def _braked(speed: Float[np.ndarray, "frames"], first: int, end: int) -> Candidates:
    return [(int(f) - first, float(speed[f])) for f in brake_ends(speed) if first <= f < end]


def _speed(motion: Motion, side: str) -> Float[np.ndarray, "frames"]:
    return FootSignals.of(motion, side).slower(SMOOTHING)


def brake_ends(speed: Float[np.ndarray, "frames"]) -> Int[np.ndarray, "found"]:
    """Frames at which a foot stops braking: its acceleration along the path rises through zero.

    The speed of a foot that stands still trembles by its last digits; that is no braking.
    """
    braking = box(np.gradient(speed), 3) < -MARGIN
    return np.flatnonzero(braking[:-1] & ~braking[1:]) + 1
