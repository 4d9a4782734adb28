"""What was acted, frame by frame: poses, contacts, and where every object was."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from jaxtyping import Float

from footfall.acting.things import Things
from footfall.figure.contacts import Contacts
from footfall.figure.motion import Motion
from footfall.figure.pose import Pose
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat

LONGEST = 1800.0  # s of one recording


@dataclass(frozen=True, eq=False)
class Track:
    """One object over time."""

    name: str
    positions: Float[np.ndarray, "frames 3"]
    orientations: Float[np.ndarray, "frames 4"]


@dataclass(eq=False)
class Recording:
    """Frames are added one by one."""

    skeleton: Skeleton
    fps: float
    roots: list[np.ndarray] = field(default_factory=list)
    rotations: list[np.ndarray] = field(default_factory=list)
    touching: list[np.ndarray] = field(default_factory=list)
    objects: dict[str, list[tuple[np.ndarray, np.ndarray]]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.roots)

    @property
    def seconds(self) -> float:
        return max(len(self) - 1, 0) / self.fps

    def add(self, pose: Pose, contacts: np.ndarray, things: Things) -> None:
        self.roots.append(np.array(pose.root))
        self.rotations.append(np.array(pose.rotations))
        self.touching.append(np.array(contacts, dtype=bool))
        for name, thing in things.by_name.items():
            row = np.array(thing.placed.position), np.array(thing.placed.orientation)
            self.objects.setdefault(name, []).append(row)

    def motion(self) -> Motion:
        touching = np.array(self.touching)
        return Motion(
            self.skeleton,
            np.array(self.roots),
            quat.continuous(np.array(self.rotations)),
            self.fps,
            contacts=Contacts(touching[:, :2], touching[:, 2:]),
        )

    def tracks(self) -> tuple[Track, ...]:
        return tuple(
            Track(name, np.array([row[0] for row in rows]), np.array([row[1] for row in rows]))
            for name, rows in self.objects.items()
        )
