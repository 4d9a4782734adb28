"""Where and when feet rest, measured from a motion's soles; what was asked of the actor is not consulted."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from footfall.figure.contacts import runs_of
from footfall.figure.motion import Motion
from footfall.figure.roles import SIDES
from footfall.figure.soles import sole_places
from footfall.geometry import ground
from footfall.geometry import quaternion as quat


@dataclass(frozen=True, eq=False)
class Rest:
    """One flat stance. A strike before the first frame is unknown."""

    foot: str
    strike: float | None  # s
    place: np.ndarray  # of the subtalar
    heading: float


@dataclass(frozen=True)
class Gait:
    """A step of a steady gait, from strides of both feet along their bow."""

    forward: float  # m along the way, the way the feet point
    side: float  # m to the left
    rise: float  # m
    turn: float  # rad
    seconds: float


def rests_of(motion: Motion) -> list[Rest]:
    """Both feet's, in the order of time; rests that a clip's end cuts off are none."""
    assert motion.contacts is not None
    found = []
    for side in SIDES:
        soles, flat = sole_places(motion, side), motion.contacts.flat(side)
        for start, end in runs_of(motion.contacts.stands(side)):
            lying = start + np.flatnonzero(flat[start:end])
            if not len(lying):
                continue
            along = (soles[lying, 2] - soles[lying, 0]).mean(axis=0)
            strike = start / motion.fps if start > 0 else None
            place = soles[lying, 1].mean(axis=0)
            found.append((lying[0], Rest(side, strike, place, float(ground.heading_of(along)))))
    return [rest for _, rest in sorted(found, key=lambda pair: pair[0])]


def of_foot(rests: list[Rest], foot: str) -> list[Rest]:
    return [rest for rest in rests if rest.foot == foot]


def gait_of(motion: Motion) -> Gait:
    """Means over all strides of both feet.

    On a bow of radius R the feet go along R - w/2 and R + w/2, so the mean of both feet's chords is that of
    the way itself: 2 R sin(turn) a stride; the way along the bow is longer by turn / sin(turn).
    """
    rests = rests_of(motion)
    moved, turned = {}, {}
    for foot in SIDES:
        own = of_foot(rests, foot)
        turns = [float(ground.wrap(b.heading - a.heading)) for a, b in pairwise(own)]
        toe_out = _toe_out(own, foot, rests)
        chords = [
            quat.rotate(ground.turn(-(a.heading + 0.5 * turn + toe_out)), b.place - a.place)
            for (a, b), turn in zip(pairwise(own), turns, strict=True)
        ]
        assert chords
        moved[foot], turned[foot] = np.mean(chords, axis=0), float(np.mean(turns))
    stride = 0.5 * (moved["left"] + moved["right"])
    turn = 0.25 * (turned["left"] + turned["right"])
    bow = 1.0 / np.sinc(turn / np.pi)
    strikes = _strikes(motion)
    seconds = (strikes[-1] - strikes[0]) / (motion.fps * (len(strikes) - 1))
    return Gait(0.5 * bow * stride[2], 0.5 * bow * stride[0], 0.5 * stride[1], turn, seconds)


def _strikes(motion: Motion) -> list[int]:
    """Frames in which either foot begins to stand."""
    assert motion.contacts is not None
    return sorted(a for side in SIDES for a, _ in runs_of(motion.contacts.stands(side)) if a > 0)


def _toe_out(own: list[Rest], foot: str, rests: list[Rest]) -> float:
    """What turns a foot's own heading into the way's: half of what both feet point apart."""
    others = [r for r in rests if r.foot != foot]
    pairs = [(a.heading, b.heading) for a, b in zip(own, others, strict=False)]
    turns = [float(ground.wrap(b.heading - a.heading)) for a, b in zip(rests, rests[2:], strict=False)]
    later = 0.5 * float(np.mean(turns)) * (1.0 if own[0] is rests[0] else -1.0)
    return 0.5 * float(np.mean([ground.wrap(b - a) for a, b in pairs]) - later)
