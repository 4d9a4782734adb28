"""One frame as a controller sees it, and what a controller is."""

from __future__ import annotations

from typing import NamedTuple, Protocol, runtime_checkable

from footfall.figure.pose import Pose
from footfall.world.terrain import Terrain


class Tick(NamedTuple):
    """The pose that the controllers before this one made, the last frame's, and the time."""

    pose: Pose
    previous: Pose
    time: float  # s since the character began
    dt: float  # s since the last frame
    world: Terrain | None


@runtime_checkable
class Controller(Protocol):
    """One layer of a character. It overrides the pose, changes it, or passes it on; it never raises."""

    @property
    def name(self) -> str: ...

    def update(self, tick: Tick) -> Pose:
        """The pose after this layer."""
        ...
