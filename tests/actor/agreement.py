"""How well detected plants agree with the contacts that the actor knows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from footfall.analysis.contacts import detect_contacts
from footfall.analysis.plants import detect_plants
from footfall.figure.contacts import runs_of
from footfall.figure.motion import Motion
from footfall.figure.roles import SIDES

SEEN = 0.1  # s: a plant cut off by a clip's end must be found where so much of it is seen


@dataclass
class Agreement:
    """Seconds by which strikes and toe-offs are late, plants not found, and plants that are none."""

    strikes: list[float] = field(default_factory=list)
    offs: list[float] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    invented: list[str] = field(default_factory=list)

    def within(self, seconds: float) -> tuple[float, float]:
        """Shares of strikes and of toe-offs that are no farther off."""
        strikes, offs = (np.abs(events) <= seconds + 1e-9 for events in (self.strikes, self.offs))
        return float(np.mean(strikes)), float(np.mean(offs))


def agreement(takes: Iterable[tuple[str, Motion]]) -> Agreement:
    """Motions that carry their true contacts, against what is detected without them."""
    found = Agreement()
    for name, motion in takes:
        assert motion.contacts is not None
        blind = replace(motion, contacts=None)
        plants = detect_plants(blind, detect_contacts(blind))
        for side in SIDES:
            detected = [(p.start, p.end) for p in plants if p.foot == side]
            _compare(found, f"{name}, {side}", runs_of(motion.contacts.stands(side)), detected, motion)
    return found


def _compare(
    found: Agreement, name: str, true: list[tuple[int, int]], detected: list[tuple[int, int]], motion: Motion
) -> None:
    taken: set[int] = set()
    for start, end in true:
        shared = [min(end, b) - max(start, a) for a, b in detected]
        best = int(np.argmax(shared)) if shared else -1
        if best < 0 or shared[best] <= 0 or best in taken:
            if (start > 0 and end < len(motion)) or end - start > SEEN * motion.fps:
                found.missed.append(f"{name}, frames {start} to {end}")
            continue
        taken.add(best)
        if start > 0:
            found.strikes.append((detected[best][0] - start) / motion.fps)
        if end < len(motion):
            found.offs.append((detected[best][1] - end) / motion.fps)
    found.invented += [f"{name}, frames {a} to {b}" for i, (a, b) in enumerate(detected) if i not in taken]
