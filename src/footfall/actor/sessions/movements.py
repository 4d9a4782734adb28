"""[movements] 7: fifteen steps a side between stand, short, medium and long, and four standing jumps, 30 Hz.

A step runs from the middle of one double support to the middle of the next (its first and last keytime); its
parameters are how far the feet are apart at both ends. A little of what comes before and after is seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from footfall.actor.gait.footing import compose, other
from footfall.actor.gait.performance import perform
from footfall.actor.gait.stepping import stand_track
from footfall.actor.gait.ways import Advance, flat_ground, lay
from footfall.actor.performed import performed
from footfall.actor.virtual_actor import VirtualActor
from footfall.figure.example import Example

FPS = 30.0
LENGTHS = {"stand": 0.0, "short": 0.38, "medium": 0.58, "long": 0.78}  # m, for legs of 0.859 m
JUMPS = ((0.4, 0.22), (0.8, 0.27), (1.2, 0.31), (1.6, 0.34))  # m: length, height
RESTING = 0.25  # s of a stand that belong to the step
AROUND = 4  # steps of the same length before and after,
AROUND_SECONDS = 0.3  # of which so much is seen at both ends


def takes(actor: VirtualActor) -> Iterator[tuple[str, Example]]:
    for foot in ("left", "right"):
        for (before, a), (after, b) in product(LENGTHS.items(), LENGTHS.items()):
            if before != "stand" or after != "stand":
                yield f"{foot}_{before}_{after}", step(actor, foot, a, b)
    for length, height in JUMPS:
        size = actor.skeleton.leg_length() / 0.859
        yield f"jump_{length:g}", actor.jump(size * length, size * height)


def step(actor: VirtualActor, foot: str, before: float, after: float) -> Example:
    """One straight step of `foot`, which stands `before` behind the other and lands `after` ahead of it."""
    leg = actor.skeleton.leg_length()
    size = leg / 0.859
    a, b = size * before, size * after
    approach = [_advance(a, actor)] * AROUND if a > 0 else [Advance()]
    departure = [_advance(b, actor)] * AROUND if b > 0 else []
    advances = [*approach, _advance(b, actor, a), *departure]
    here = len(approach) + 1  # the footprint in which the step ends
    first = foot if here % 2 == 1 else other(foot)
    track = stand_track(actor.style, leg)
    prints = lay(advances, track, first, together=a == 0.0, origin=here - 1)
    score = compose(prints, actor.style, leg, flat_ground, stands_first=a == 0.0, stands_last=b == 0.0)
    landing, support = score.stances[here], score.stances[here - 1]
    off = score.stances[here - 2].off
    start = 0.5 * (support.strike + off) if a > 0.0 else off - RESTING
    end = 0.5 * (landing.strike + support.off) if b > 0.0 else landing.strike + RESTING
    cut = replace(score, start=start - AROUND_SECONDS, end=end + AROUND_SECONDS)
    motion = perform(cut, actor.skeleton, actor.style, actor.fps)
    keytimes = tuple(t - cut.start for t in (start, off, landing.strike, end))
    return performed(motion, keytimes, {"start_length": a, "end_length": b}, f"{foot}_step", f"{foot}_step")


def _advance(length: float, actor: VirtualActor, coming: float | None = None) -> Advance:
    """A step and how long people take for it; one that changes the length takes the mean of both."""
    mean = length if coming is None else 0.5 * (length + coming)
    return Advance(forward=length, seconds=(0.70 - 0.24 * mean) / actor.style.tempo)
