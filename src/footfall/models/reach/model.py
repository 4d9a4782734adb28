"""`ReachLibrary`: reaches of either hand or both, standing or sitting, to any place near the figure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from types import MappingProxyType

import numpy as np

from footfall.errors import NO_NUMBER, RequestError
from footfall.figure.skeleton import Skeleton
from footfall.models.reach.reach_set import HANDS, POSTURES, ReachSet
from footfall.models.synthesized import Synthesized
from footfall.weights.space import Space

FPS = 60.0


@dataclass(frozen=True, eq=False, repr=False)
class ReachLibrary:
    """Sets of reaches, one for each hand (or both) and posture.

    >>> library = build_reach(VirtualActor().perform("body"))
    >>> library.synthesize("right", position=(-0.2, 1.1, 0.45))
    """

    sets: tuple[ReachSet, ...]

    def __post_init__(self) -> None:
        names = [one.name for one in self.sets]
        if not names or len(set(names)) < len(names):
            raise RequestError(f"a reach library needs different sets, not {', '.join(names) or 'none'}")

    @cached_property
    def by_name(self) -> Mapping[str, ReachSet]:
        return MappingProxyType({one.name: one for one in self.sets})

    @cached_property
    def space(self) -> Mapping[str, Space]:
        """By set, such as right_standing: where the palm can be asked to be, in the figure's frame."""
        return MappingProxyType({one.name: one.space for one in self.sets})

    @property
    def spaces(self) -> Mapping[str, Space]:
        return self.space

    @property
    def skeleton(self) -> Skeleton:
        return self.sets[0].skeleton

    def set_of(self, hand: str, posture: str = "standing") -> ReachSet:
        if hand not in HANDS:
            raise RequestError(f"a hand is {', '.join(HANDS)}, not {hand!r:.40}")
        if posture not in POSTURES:
            raise RequestError(f"a posture is {' or '.join(POSTURES)}, not {posture!r:.40}")
        found = self.by_name.get(f"{hand}_{posture}")
        if found is None:
            raise RequestError(
                f"there are no reaches of {hand} {posture}; there are {', '.join(self.by_name)}"
            )
        return found

    def synthesize(
        self,
        hand: str = "right",
        *,
        position: object,
        posture: str = "standing",
        hold: float | None = None,
        fps: float = FPS,
    ) -> Synthesized:
        """To a place, on it, and back. The figure is at the origin and faces +Z; `position` is where the palm
        (of two the middle) goes, `hold` the seconds it stays there.
        """
        from footfall.models.reach.perform import perform

        own = self.set_of(hand, posture)
        return perform(own, _place(position), hold=hold, fps=fps)

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the library (.ffmodel): arrays and names only, so that reading one can never run code."""
        from footfall.models.reach.store import save_reach

        save_reach(self, path)

    def __repr__(self) -> str:
        told = ", ".join(f"{one.name} ({len(one.examples)})" for one in self.sets)
        return f"ReachLibrary({told}; {len(self.skeleton)} joints)"


def _place(position: object) -> np.ndarray:
    try:
        found = np.array(position, dtype=float)
    except NO_NUMBER:
        found = np.zeros(0)
    if found.shape != (3,) or not (np.abs(found) <= 1e3).all():
        raise RequestError(f"position must be three finite numbers (x, y, z), not {position!r:.60}")
    return found
