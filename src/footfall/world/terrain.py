"""The ground as everything else sees it: one protocol, whatever it is made of.

There may be ground over ground (a bridge, a stair over a stair). So whoever asks for the ground at a place
may say from where it looks down: `start` is a height, and what is above it is not seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from jaxtyping import Bool, Float, Int

from footfall.errors import NO_NUMBER, RequestError
from footfall.geometry.ground import UP

Numbers = Float[np.ndarray, "*n"]
Points = Float[np.ndarray, "*n 3"]
DOWN = -UP
LARGEST_BITS = 1023  # of a whole number that a double can hold
GROUND = "ground"  # the label of a surface that has no other


@dataclass(frozen=True, eq=False)
class Hits:
    """Where rays meet a surface first. A ray that meets nothing has distance inf, the rest nan, face -1."""

    distance: Numbers  # m along the ray, from its origin
    point: Points
    normal: Points  # unit, on the side the ray comes from
    face: Int[np.ndarray, "*n"]

    @property
    def hit(self) -> Bool[np.ndarray, "*n"]:
        return self.face >= 0

    def reshaped(self, shape: tuple[int, ...]) -> Hits:
        """The same answers for questions in another shape."""
        return Hits(*_reshaped(self.distance, self.point, self.normal, self.face, shape=shape))


@dataclass(frozen=True, eq=False)
class Nearest:
    """The points of a surface that are nearest to others."""

    distance: Numbers  # m
    point: Points
    normal: Points  # of the face, unit, on the asker's side
    face: Int[np.ndarray, "*n"]

    def reshaped(self, shape: tuple[int, ...]) -> Nearest:
        """The same answers for questions in another shape."""
        return Nearest(*_reshaped(self.distance, self.point, self.normal, self.face, shape=shape))


def checked_terrain(terrain: object) -> Terrain:
    """A terrain; a user who gives anything else is told what one is."""
    if not isinstance(terrain, Terrain):
        raise RequestError(f"a terrain is needed, such as open_terrain('bumps:7') gives, not {terrain!r:.40}")
    return terrain


def is_number(value: object) -> bool:
    """Whether this is a number that a double can hold, however large, or not a number at all."""
    if isinstance(value, int) and value.bit_length() > LARGEST_BITS:
        return False
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)


def columns(x: object, z: object, start: object) -> tuple[Numbers, Numbers, Numbers]:
    """Places seen from above, and how high they are looked at from, as arrays of one shape.

    Raises:
        RequestError: They are no numbers, or of shapes that do not go together.
    """
    try:
        given = [np.asarray(values, dtype=float) for values in (x, z, start)]
        first, second, third = np.broadcast_arrays(*given)
    except NO_NUMBER:
        raise RequestError("x, z and start must be numbers, or arrays of shapes that go together") from None
    return first, second, third


def as_points(values: object, what: str) -> Points:
    """Places as an array of doubles; refused where they do not have three coordinates each."""
    try:
        points = np.asarray(values, dtype=float)
    except NO_NUMBER:
        raise RequestError(f"{what} must be an array of numbers") from None
    if points.ndim < 1 or points.shape[-1] != 3:
        raise RequestError(f"{what} must have three coordinates each, not the shape {points.shape}")
    return points


def _reshaped(*arrays: np.ndarray, shape: tuple[int, ...]) -> Iterator[np.ndarray]:
    for array in arrays:
        yield array.reshape((*shape, *array.shape[1:]))


class Ground(Protocol):
    """Heights by place: all that a certificate needs to know."""

    def height(self, x: Numbers, z: Numbers, start: Numbers | float = np.inf) -> Numbers:
        """Of the highest ground that is not above `start`; -inf where there is none."""
        ...


class Touchable(Protocol):
    """Something that spheres can touch."""

    def touching(self, centres: Points, radius: Numbers | float) -> Bool[np.ndarray, "*n"]:
        """Which spheres meet the surface. It is thin: a sphere wholly under the ground meets nothing."""
        ...


@runtime_checkable
class Terrain(Ground, Touchable, Protocol):
    """Ground that can be asked everything. Arrays of any shape; answers are of the same shape."""

    def normal(self, x: Numbers, z: Numbers, start: Numbers | float = np.inf) -> Points:
        """Of the ground that `height` finds, unit, upwards; nan where there is none."""
        ...

    def label(self, x: Numbers, z: Numbers, start: Numbers | float = np.inf) -> np.ndarray:
        """What the ground that `height` finds is of ("grass", "ice"), as strings; "" where there is none."""
        ...

    def project(self, points: Points, direction: Points = DOWN) -> Hits:
        """From points along directions (of any length) to the first surface, seen from either side.

        A surface on which a point lies may or may not be met at distance 0, as rounding will have it.
        """
        ...

    def closest(self, points: Points) -> Nearest:
        """The nearest points of the surface."""
        ...

    def near(self, centre: Float[np.ndarray, "3"], radius: float) -> Touchable:
        """The part that meets a large sphere, for many questions about small ones inside it."""
        ...
