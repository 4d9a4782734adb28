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
from footfall.geometry.decisions import first_least
from footfall.models.ring.going_over import BRAKES
from footfall.models.ring.model import MotionRing
from footfall.models.ring.transitions import Moments, Transition, find_transition, moments_of

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
    def _moments(self) -> dict[str, tuple[Moments, Moments]]:
        return {name: moments_of(ring) for name, ring in self.rings.items()}

    @cached_property
    def transitions(self) -> Mapping[tuple[str, str], Transition]:
        """How each gait is left for each other one."""
        return MappingProxyType(
            {
                (a, b): find_transition(first, second, self._moments[a], self._moments[b])
                for a, first in self.rings.items()
                for b, second in self.rings.items()
                if a != b
            }
        )

    def transition(self, first: str, second: str) -> Transition:
        """How one gait is left for another."""
        if (first, second) not in self.transitions:
            raise RequestError(
                f"no way leads from {first!r} to {second!r}; there are {', '.join(self.rings)}"
            )
        return self.transitions[first, second]

    def towards(self, first: str, second: str) -> str:
        """The gait to take up next on the way to another.

        Nobody turns from going ahead to going back in one step: there is a rest between, if the figure has
        one. Nobody stops out of a run in one step either: there is a walk between.
        """
        if self.rest is None or self.rest == first:
            return second
        if self.rest == second or self._against(first, second):
            slower = self._slower(first)
            return self.rest if slower is None else slower
        return second

    def _against(self, first: str, second: str) -> bool:
        here, there = self[first].velocity[[0, 2]], self[second].velocity[[0, 2]]
        return float(here @ there) < AGAINST * float(np.linalg.norm(here) * np.linalg.norm(there))

    def _slower(self, gait: str) -> str | None:
        """The slowest gait that goes the same way and is slow enough to stop from, if this one is not."""
        speeds = {
            name: ring.quickness
            for name, ring in self.rings.items()
            if name != gait and not ring.resting and not self._against(gait, name)
        }
        if not speeds:
            return None
        slowest = list(speeds)[int(first_least(np.array(list(speeds.values()))))]
        if self[gait].quickness < BRAKES * speeds[slowest]:
            return None
        return slowest

    def save(self, path: str | PathLike[str]) -> None:
        from footfall.models.ring.store import save_graph

        save_graph(self, path)
