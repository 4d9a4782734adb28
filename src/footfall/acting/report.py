"""What became of a task, and of a whole scene."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from footfall.acting.recording import Track
from footfall.errors import RequestError
from footfall.models.synthesized import Synthesized


class TaskError(RequestError):
    """A task that cannot be done, in a sentence; the character stays as it is."""


@dataclass(frozen=True)
class TaskReport:
    """One task: whether it is done, by what it was missed, how long it took, and why not."""

    task: str
    done: bool
    seconds: float
    error: float | None = None  # m: of a hand, a foot or a thing from where it should be
    says: str = ""

    def row(self) -> dict[str, Any]:
        """As the command line tells it."""
        told: dict[str, Any] = {"task": self.task, "done": self.done, "error_m": self.error}
        told["seconds"] = self.seconds
        if self.says:
            told["says"] = self.says
        return told


@dataclass(frozen=True, eq=False, repr=False)
class ActedScene(Synthesized):
    """A scene as it was acted: the motion, what became of each task, and where objects were."""

    tasks: tuple[TaskReport, ...] = ()
    objects: tuple[Track, ...] = field(default=())

    @property
    def done(self) -> bool:
        return all(task.done for task in self.tasks)

    def object_named(self, name: str) -> Track:
        for track in self.objects:
            if track.name == name:
                return track
        known = ", ".join(track.name for track in self.objects) or "none"
        raise RequestError(f"the scene has no object {name!r:.40}; it has {known}")
