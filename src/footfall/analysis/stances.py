"""Stances: plants of one foot between which it never left the ground are one.

A foot that turns on its ball, slips, or rolls over its toe moves faster for a moment than feet that stand, so
it is seen to stand twice. It took no step: that takes a sole of which every point leaves the ground, or of
which no point stays where it was. One that is lifted and set down where it was has stepped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from jaxtyping import Float

from footfall.analysis.contacts import SAME_PLACE
from footfall.analysis.plants import Plant
from footfall.figure.motion import Motion
from footfall.figure.soles import sole_places

# captured feet that pivot or tremble stay under 0.015, the lowest steps that end where they began rise 0.022
STEPPED = 0.2  # s
LIFTED = 0.018  # m by which the lowest point of a sole rises over its rest when a foot is lifted


def stances_of(motion: Motion, plants: Sequence[Plant], *, known: bool = False) -> tuple[Plant, ...]:
    """The plants of a motion, those of one stance joined, in the order in which they begin.

    A foot that turns while it stands has one footprint: where its sole lay flat for longest. Where contacts
    are `known`, and not only seen, a foot that is in the air for as long as a step takes has stepped.
    """
    joined: list[Plant] = []
    for foot in sorted({p.foot for p in plants}):
        soles = sole_places(motion, foot)
        own: list[Plant] = []
        for plant in sorted((p for p in plants if p.foot == foot), key=lambda p: p.start):
            stepped = known and own and plant.start - own[-1].end >= STEPPED * motion.fps
            if own and not stepped and not _left(soles, own[-1], plant):
                own[-1] = _joined(own[-1], plant)
            else:
                own.append(plant)
        joined += own
    return tuple(sorted(joined, key=lambda p: (p.start, p.foot)))


def _left(soles: Float[np.ndarray, "frames 4 3"], one: Plant, other: Plant) -> bool:
    """Whether the foot left its place, upwards or along the ground, between two plants."""
    return lift(soles, one, other) > LIFTED or stray(soles, one, other) > SAME_PLACE


def lift(soles: Float[np.ndarray, "frames 4 3"], one: Plant, other: Plant) -> float:
    """How high the sole's lowest point rises between two plants; each point over its own resting level."""
    heights = soles[..., 1]
    standing = np.concatenate([heights[one.start : one.end], heights[other.start : other.end]])
    # the lower quarter: a heel that was lifted for long must not raise the level it left
    level = np.percentile(standing, 25, axis=0)
    return float((heights[_between(one, other)] - level).min(axis=1).max())


def stray(soles: Float[np.ndarray, "frames 4 3"], one: Plant, other: Plant) -> float:
    """How far the sole goes along the ground between two plants, told by the point that goes least far."""
    path = soles[_between(one, other)][..., [0, 2]]
    return float(np.linalg.norm(path - path[0], axis=-1).min(axis=1).max())


def _between(one: Plant, other: Plant) -> slice:
    """From the last frame of the one to the first of the other."""
    return slice(one.end - 1, other.start + 1)


def _joined(one: Plant, other: Plant) -> Plant:
    flats = [p.flat for p in (one, other) if p.flat is not None]
    return replace(
        max((one, other), key=_rest),
        start=one.start,
        end=other.end,
        flat=(flats[0][0], flats[-1][1]) if flats else None,
        heel_first=one.heel_first,
        whole=one.whole and other.whole,
    )


def _rest(plant: Plant) -> tuple[bool, int]:
    """What makes a footprint: a flat sole rather than heel or toes, and for long."""
    first, last = plant.flat or (plant.start, plant.end)
    return plant.flat is not None, last - first
