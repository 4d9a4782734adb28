"""One frame as a controller sees it, and what a controller is."""

from __future__ import annotations

from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np

from footfall.figure.pose import Pose
from footfall.world.terrain import Terrain


def sound_seconds(dt: object, longest: float = np.inf) -> float:
    """A step in time as a number: what is none, negative or endless is no time, what is too long is cut."""
    try:
        seconds = float(dt)  # type: ignore[arg-type]
    except Exception:  # whatever its `__float__` raises
        return 0.0
    seconds = min(seconds, longest)
    return seconds if 0.0 <= seconds < np.inf else 0.0


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
