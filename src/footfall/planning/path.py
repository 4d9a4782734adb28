"""A path over the ground, told by the length one has gone along it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float

from footfall.errors import RequestError
from footfall.figure.frozen import frozen_array
from footfall.geometry.decisions import MARGIN, first_least
from footfall.geometry.ground import heading_of, wrap

AROUND = 2.0  # m along the path, each way, in which the nearest point is looked for
Numbers = Float[np.ndarray, "*n"]


@dataclass(frozen=True, eq=False)
class Path:
    """Straight from point to point. `s` is always metres along it, in space; beyond an end is at the end.

    One point alone is a path of no length: one is there.
    """

    points: Float[np.ndarray, "n 3"]

    def __post_init__(self) -> None:
        points = frozen_array(self.points, "the points of a path", shape=(3,))
        if points.ndim != 2 or not len(points):
            raise RequestError(f"a path must have points in rows of three, not the shape {points.shape}")
        plan = np.hypot(*np.diff(points[:, [0, 2]], axis=0).T)
        if not (plan > 0.0).all():
            at = int(np.argmax(plan <= 0.0))
            raise RequestError(f"points {at} and {at + 1} of a path are one place on the ground")
        object.__setattr__(self, "points", points)

    def __len__(self) -> int:
        return len(self.points)

    def __repr__(self) -> str:
        return f"Path({len(self)} points, {self.length:.2f} m)"

    @cached_property
    def along(self) -> Float[np.ndarray, "n"]:
        """The length to each point."""
        steps = np.linalg.norm(np.diff(self.points, axis=0), axis=-1)
        along = np.concatenate([[0.0], np.cumsum(steps)])
        along.flags.writeable = False
        return along

    @property
    def length(self) -> float:
        return float(self.along[-1])

    def remaining(self, s: Numbers | float) -> Numbers:
        """From s to the end."""
        return self.length - np.clip(s, 0.0, self.length)

    def point(self, s: Numbers | float) -> Float[np.ndarray, "*n 3"]:
        s = np.asarray(s, dtype=float)
        return np.stack([np.interp(s, self.along, axis) for axis in self.points.T], axis=-1)

    @cached_property
    def headings(self) -> Float[np.ndarray, "n"]:
        """At each point, half way between those of its legs; unrolled, rad."""
        if len(self) < 2:
            return np.zeros(len(self))
        legs = np.unwrap(heading_of(np.diff(self.points, axis=0)))
        return np.concatenate([legs[:1], 0.5 * (legs[:-1] + legs[1:]), legs[-1:]])

    def heading(self, s: Numbers | float) -> Numbers:
        """In [-pi, pi); it turns evenly from point to point."""
        return wrap(np.interp(np.asarray(s, dtype=float), self.along, self.headings))

    def curvature(self, s: Numbers | float) -> Numbers:
        """By how much the heading turns in a metre over the ground, rad/m; positive to the left."""
        s = np.asarray(s, dtype=float)
        if len(self) < 2:
            return np.zeros(s.shape)
        plan = np.hypot(*np.diff(self.points[:, [0, 2]], axis=0).T)
        bends = np.diff(self.headings) / plan
        leg = np.clip(np.searchsorted(self.along, s, side="right") - 1, 0, len(bends) - 1)
        return bends[leg]

    def nearest(
        self, point: Float[np.ndarray, "3"], around: float | None = None, within: float = AROUND
    ) -> float:
        """The s of the point of the path that is nearest.

        With `around`, of the part that is at most `within` from there: so one keeps to one's own way where
        the path crosses itself, or passes over itself on a bridge.
        """
        point = frozen_array(point, "point", shape=(3,))
        if len(self) < 2:
            return 0.0
        low, high = 0.0, self.length
        if around is not None:
            low, high = np.clip([around - within, around + within], 0.0, self.length)
        legs = np.arange(
            max(int(np.searchsorted(self.along, low, side="right")) - 1, 0),
            max(int(np.searchsorted(self.along, high, side="left")), 1),
        )
        legs = legs[legs < len(self) - 1]
        if not len(legs):
            legs = np.array([len(self) - 2])
        first, move = self.points[legs], self.points[legs + 1] - self.points[legs]
        square = np.sum(move**2, axis=-1)
        share = np.clip(np.sum((point - first) * move, axis=-1) / square, 0.0, 1.0)
        s = np.clip(self.along[legs] + share * np.sqrt(square), low, high)
        return float(s[first_least(np.linalg.norm(self.point(s) - point, axis=-1))])

    def after(self, s: float) -> Path:
        """What is left of the path from s on."""
        s = float(np.clip(s, 0.0, self.length))
        first = int(np.searchsorted(self.along, s + MARGIN, side="right"))
        rest = np.vstack([self.point(s), self.points[first:]])
        if len(rest) > 1 and np.hypot(*(rest[1] - rest[0])[[0, 2]]) < MARGIN:
            rest = rest[1:]
        return Path(rest)
