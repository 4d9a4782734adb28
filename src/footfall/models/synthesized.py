"""What synthesizers return: a motion that knows its ground, its footprints and what it was made from."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from footfall.analysis.certificate import Certificate, certificate
from footfall.analysis.reference import Reference
from footfall.figure.contacts import SIDES, runs_of
from footfall.figure.motion import Motion
from footfall.world.foot_plan import FootPlan
from footfall.world.terrain import Ground


@dataclass(frozen=True, eq=False, repr=False)
class Synthesized(Motion):
    """A motion that knows the ground it is on, its footprints, and what could not be given as asked.

    What is made from it (a part, a mirror image) is elsewhere: its certificate tells nothing of these.
    """

    ground: Ground | None = None
    plan: FootPlan | None = None
    clamped: tuple[str, ...] = ()
    examples: tuple[Motion, ...] = ()  # what it was made from, cleaned,
    reference: Reference | None = None  # or what is kept of that
    made: tuple[np.ndarray, np.ndarray] | None = None  # its root and rotations, as they were made

    def certificate(self) -> Certificate:
        same = self.made is not None and self.made[0] is self.root and self.made[1] is self.rotations
        plan, ground = (self.plan, self.ground) if same else (None, None)
        return certificate(
            self,
            plan=plan,
            terrain=ground,
            reference=self.reference or self.examples or None,
            clamped=self.clamped,
        )


def lain_in(plan: FootPlan, motion: Motion) -> FootPlan:
    """The footprints in which feet come to lie: not those they only leave or touch as a motion ends."""
    return FootPlan(tuple(plan.placements[k] for k in numbers_lain_in(plan, motion)))


def numbers_lain_in(plan: FootPlan, motion: Motion, left: Collection[int] = ()) -> list[int]:
    """Their numbers in the plan, in the order in which feet come there.

    Those of the plan that are `left` already when the motion begins are not stood on in it.
    """
    contacts = motion.contacts
    assert contacts is not None
    kept = []
    for side in SIDES:
        own = [k for k, p in enumerate(plan.placements) if p.foot == side and k not in left]
        for (first, last), number in zip(runs_of(contacts.stands(side)), own, strict=False):
            if contacts.flat(side)[first:last].any():
                kept.append((first, number))
    return [number for _, number in sorted(kept, key=lambda pair: pair[0])]
