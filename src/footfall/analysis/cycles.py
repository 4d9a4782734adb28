"""Gait cycles: one foot's strike to its next, with what a laboratory would write beside them.

A curve over a cycle is told by phase, 0 at the strike and 1 at the next, so that people of any tempo can be
averaged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from jaxtyping import Float

from footfall.analysis.facing import locomotion, root_headings
from footfall.analysis.plants import Plant
from footfall.figure.contacts import Contacts
from footfall.figure.motion import Motion

PHASES = 101  # samples of a curve, both ends included


@dataclass(frozen=True, eq=False)
class Cycle:
    """From frame `start` to frame `end`, two strikes of one foot with one plant of the other between."""

    foot: str
    start: int
    end: int
    toe_off: int  # of this foot
    speed: float  # m/s forwards
    side_speed: float  # m/s to the left
    turn_rate: float  # rad/s
    stride: float  # m along the ground
    rise: float  # m
    width: float  # m across the path from this foot's line to the other foot
    double_support: float  # share of the cycle in which both feet stand

    def seconds(self, fps: float) -> float:
        return (self.end - self.start) / fps

    @property
    def slope(self) -> float:
        """Radians."""
        return float(np.arctan2(self.rise, self.stride))


def detect_cycles(motion: Motion, contacts: Contacts, plants: Sequence[Plant]) -> tuple[Cycle, ...]:
    """All whole cycles of both feet, in the order of their strikes."""
    if not motion.skeleton.has("hips") or not plants:
        return ()
    headings = root_headings(motion)
    cycles = []
    for foot, other in (("left", "right"), ("right", "left")):
        own = [p for p in plants if p.foot == foot]
        for first, second in pairwise(own):
            between = [p for p in plants if p.foot == other and first.start < p.start < second.start]
            if first.start > 0 and len(between) == 1:
                cycles.append(_cycle(motion, contacts, headings, first, second, between[0]))
    return tuple(sorted(cycles, key=lambda c: c.start))


def _cycle(
    motion: Motion,
    contacts: Contacts,
    headings: Float[np.ndarray, "frames"],
    first: Plant,
    second: Plant,
    other: Plant,
) -> Cycle:
    forwards, turn, sideways = locomotion(motion, headings, first.start, second.start)
    path = (second.position - first.position)[[0, 2]]
    stride = float(np.linalg.norm(path))
    across = np.array([path[1], -path[0]]) / max(stride, 1e-9)
    both = contacts.stands("left") & contacts.stands("right")
    return Cycle(
        foot=first.foot,
        start=first.start,
        end=second.start,
        toe_off=first.end,
        speed=forwards,
        side_speed=sideways,
        turn_rate=turn,
        stride=stride,
        rise=float(second.level - first.level),
        width=abs(float((other.position - first.position)[[0, 2]] @ across)),
        double_support=float(both[first.start : second.start].mean()),
    )


def by_phase(values: Float[np.ndarray, "frames"], cycle: Cycle) -> Float[np.ndarray, "phases"]:
    """A signal over one cycle at evenly spaced phases."""
    places = np.linspace(cycle.start, min(cycle.end, len(values) - 1), PHASES)
    return np.interp(places, np.arange(len(values)), values)
