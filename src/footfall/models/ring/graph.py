"""Rings connected: which gaits a figure has, and how it goes from one to another.

The paper connected its rings by hand; here every pair is connected where their poses and velocities are
nearest (see `transitions`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike
from types import MappingProxyType

import numpy as np

from footfall.errors import RequestError
from footfall.figure.skeleton import Skeleton
from footfall.models.ring.model import MotionRing
from footfall.models.ring.transitions import Transition, find_transition

REST = "rest"
AGAINST = 0.35  # cosine between two ways, under which one must stand before going the other


@dataclass(frozen=True, eq=False)
class RingGraph:
    """Rings of one figure by the names of their gaits.

    `labels` tell which gait a kind of ground asks for: {"snow": "trudge"}.
    """

    rings: Mapping[str, MotionRing]
    labels: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        rings, labels = dict(self.rings), dict(self.labels)
        if not rings or all(ring.resting for ring in rings.values()):
            raise RequestError("a ring graph needs at least one ring that goes somewhere")
        first = next(iter(rings.values())).skeleton
        for name, ring in rings.items():
            if not ring.skeleton.same_bones(first):
                raise RequestError(
                    f"the ring {name!r} is of another figure than the first: build them together"
                )
        for label, gait in labels.items():
            if gait not in rings:
                raise RequestError(f"{label!r} asks for the gait {gait!r}; there are {', '.join(rings)}")
        object.__setattr__(self, "rings", MappingProxyType(rings))
        object.__setattr__(self, "labels", MappingProxyType(labels))

    @classmethod
    def of(cls, source: MotionRing | RingGraph) -> RingGraph:
        return source if isinstance(source, RingGraph) else cls({source.gait: source})

    def __repr__(self) -> str:
        return f"RingGraph({', '.join(f'{name}: {len(ring)} loops' for name, ring in self.rings.items())})"

    def __iter__(self) -> Iterator[str]:
        return iter(self.rings)

    def __getitem__(self, gait: str) -> MotionRing:
        if gait not in self.rings:
            raise RequestError(f"there is no gait {gait!r}; there are {', '.join(self.rings)}")
        return self.rings[gait]

    @property
    def skeleton(self) -> Skeleton:
        return next(iter(self.rings.values())).skeleton

    @cached_property
    def rest(self) -> str | None:
        """The gait that stays, where there is one."""
        return next((name for name, ring in self.rings.items() if ring.resting), None)

    @cached_property
    def first(self) -> str:
        """The gait one begins with: the first that goes."""
        return next(name for name, ring in self.rings.items() if not ring.resting)

    @cached_property
    def _found(self) -> dict[tuple[str, str], Transition]:
        return {}

    def transition(self, first: str, second: str) -> Transition:
        """How one gait is left for another; found when it is first needed."""
        pair = first, second
        if pair not in self._found:
            self._found[pair] = find_transition(self[first], self[second])
        return self._found[pair]

    def towards(self, first: str, second: str) -> str:
        """The gait to take up next on the way to another: nobody turns from going ahead to going back in one
        step, there is a rest between, if the figure has one.
        """
        if self.rest is None or self.rest in (first, second):
            return second
        here, there = self[first].velocity[[0, 2]], self[second].velocity[[0, 2]]
        against = float(here @ there) < AGAINST * float(np.linalg.norm(here) * np.linalg.norm(there))
        return self.rest if against else second

    def save(self, path: str | PathLike[str]) -> None:
        from footfall.models.ring.store import save_graph

        save_graph(self, path)
