"""Loops on one clock: which of a loop's frames each of the ring's frames is ([rings] 3.3).

Strikes are held: the left foot's at the ring's frame 0, the right foot's half a cycle later. Between them
poses that are alike come together, by dynamic time warping against one of the loops.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float

from footfall.align.time_warp import registered
from footfall.geometry.decisions import first_least
from footfall.models.ring.aligned import FRAMES, HALF, AlignedLoop, align_loop
from footfall.models.ring.loop import Loop
from footfall.models.ring.pose_curve import seen_bodies


def keys_of(loop: Loop) -> tuple[float, float]:
    """The frames of the left strike and of the right one after it."""
    left, right = loop.strikes
    return float(left), float(right if right > left else right + len(loop))


def straight(loop: Loop) -> Float[np.ndarray, "frames+1"]:
    """The ring's frames in a loop at an even pace from strike to strike."""
    left, right = keys_of(loop)
    return np.interp(np.arange(FRAMES + 1), [0, HALF, FRAMES], [left, right, left + len(loop)])


def align_loops(loops: Sequence[Loop]) -> list[AlignedLoop]:
    """All loops at the ring's frames."""
    reference = loops[_usual(loops)]
    places, bodies = straight(reference), seen_bodies(reference.motion)
    return [
        align_loop(loop, places if loop is reference else _warped(loop, reference, bodies, places))
        for loop in loops
    ]


def _warped(
    loop: Loop,
    reference: Loop,
    bodies: Float[np.ndarray, "n places"],
    places: Float[np.ndarray, "frames+1"],
) -> Float[np.ndarray, "frames+1"]:
    keys, own = np.array(keys_of(reference)), np.array(keys_of(loop))
    warp = registered(bodies, seen_bodies(loop.motion), keys, own)
    return np.asarray(warp(places))


def _usual(loops: Sequence[Loop]) -> int:
    """The loop whose way is nearest to the median of all."""
    ways = np.stack([loop.advance for loop in loops])
    ways[:, 0] = np.hypot(ways[:, 0], ways[:, 2])
    told = np.column_stack([ways[:, :2], [loop.turn for loop in loops]])
    return int(first_least(np.abs(told - np.median(told, axis=0)).sum(axis=1)))
