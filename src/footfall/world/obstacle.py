"""What is in the way: shapes that stand still or follow a course."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from jaxtyping import Float

from footfall.geometry import quaternion as quat
from footfall.geometry.ground import turn, wrap
from footfall.world.shapes.fields import FieldError, number, numbers, place
from footfall.world.shapes.placed import Placed, unit
from footfall.world.shapes.shape import Shape


@dataclass(frozen=True, eq=False)
class Course:
    """Places, and if it turns headings, at certain times; straight and even between them.

    Before the first time and after the last it stands still. With `repeat` it begins again at the first key
    when it has reached the last, and has done so for ever: where the two differ, it jumps.
    """

    times: Float[np.ndarray, "keys"]  # s, each later than the one before
    positions: Float[np.ndarray, "keys 3"]
    headings: Float[np.ndarray, "keys"] | None = None  # rad; from one to the next by the short way
    repeat: bool = False

    def __post_init__(self) -> None:
        times = numbers(self.times, "times", None)
        if not len(times):
            raise FieldError("times", "must be at least one")
        if not (np.diff(times) > 0.0).all():
            at = int(np.argmax(np.diff(times) <= 0.0)) + 1
            raise FieldError(
                "times",
                f"must each be later than the one before, but {times[at]:g} follows {times[at - 1]:g}",
            )
        if self.repeat and len(times) < 2:
            raise FieldError("repeat", "needs at least two keys")
        object.__setattr__(self, "times", times)
        object.__setattr__(self, "positions", place(self.positions, "positions", len(times), 3))
        if self.headings is not None:
            object.__setattr__(self, "headings", numbers(self.headings, "headings", len(times)))

    def _within(self, time: Float[np.ndarray, "*n"] | float) -> Float[np.ndarray, "*n"]:
        """The time between the first and the last key at which it is at the same place."""
        time = np.asarray(time, dtype=float)
        first, last = self.times[0], self.times[-1]
        if self.repeat:
            return np.clip(first + np.mod(time - first, last - first), first, last)
        return np.clip(time, first, last)

    def position(self, time: Float[np.ndarray, "*n"] | float) -> Float[np.ndarray, "*n 3"]:
        within = self._within(time)
        return np.stack([np.interp(within, self.times, axis) for axis in self.positions.T], axis=-1)

    def heading(self, time: Float[np.ndarray, "*n"] | float) -> Float[np.ndarray, "*n"] | None:
        """None where the course does not turn."""
        if self.headings is None:
            return None
        steps = wrap(np.diff(self.headings))
        unrolled = self.headings[0] + np.concatenate([[0.0], np.cumsum(steps)])
        return np.interp(self._within(time), self.times, unrolled)

    def velocity(self, time: Float[np.ndarray, "*n"] | float) -> Float[np.ndarray, "*n 3"]:
        """In m/s; at a key that of what follows. A jump of a course that repeats has none."""
        time = np.asarray(time, dtype=float)
        if len(self.times) < 2:
            return np.zeros((*time.shape, 3))
        legs = np.diff(self.positions, axis=0) / np.diff(self.times)[:, None]
        leg = np.searchsorted(self.times, self._within(time), side="right") - 1
        # the last key begins the first leg again, if any
        speed = legs[np.where(leg < len(legs), leg, 0)]
        moving = self.repeat | ((time >= self.times[0]) & (time < self.times[-1]))
        return np.where(np.asarray(moving)[..., None], speed, 0.0)


@dataclass(frozen=True, eq=False)
class Obstacle:
    """A shape in the way. One with a course is where that says; else it stays at its position.

    A course with headings stands it upright; one without leaves its orientation.
    """

    shape: Shape
    position: Float[np.ndarray, "3"]  # of the shape's middle
    orientation: Float[np.ndarray, "4"] = field(default_factory=quat.identity)
    course: Course | None = None
    name: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "position", place(self.position, "position", 3))
        object.__setattr__(self, "orientation", unit(self.orientation))

    @classmethod
    def upright(
        cls,
        shape: Shape,
        position: Float[np.ndarray, "3"],
        heading: float = 0.0,
        course: Course | None = None,
        name: str = "",
    ) -> Obstacle:
        return cls(shape, position, turn(number(heading, "heading")), course, name)

    def at(self, time: float = 0.0) -> Placed:
        """Where it is at a time."""
        if self.course is None:
            return Placed(self.shape, self.position, self.orientation)
        heading = self.course.heading(time)
        orientation = self.orientation if heading is None else turn(heading)
        return Placed(self.shape, self.course.position(time), orientation)

    def velocity(self, time: float = 0.0) -> Float[np.ndarray, "3"]:
        """In m/s."""
        return np.zeros(3) if self.course is None else self.course.velocity(time)
