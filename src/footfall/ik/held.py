"""What a hand can hold: spheres, boxes and capsules, which are all boxes with round edges.

A sphere is a box without size under a thick skin, a capsule one with a length alone. So one distance, and one
closing of the fingers, serves all three ([body] 5.3).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from jaxtyping import Float, Int

from footfall.errors import RequestError
from footfall.figure.frozen import frozen_array
from footfall.geometry import quaternion as quat

TOUCH = 5e-4  # m: what is nearer touches
FLAT = 1e-9  # m: a side that is shorter is none


class Core(Protocol):
    """Points, a disc and a ball whose sum a shape is; see `footfall.world.shapes.core`."""

    @property
    def middle(self) -> Float[np.ndarray, "3"]: ...
    @property
    def points(self) -> Float[np.ndarray, "points 3"]: ...
    @property
    def starts(self) -> Int[np.ndarray, "pieces+1"]: ...
    @property
    def disc(self) -> float: ...
    @property
    def ball(self) -> float: ...


class Shape(Protocol):
    @property
    def core(self) -> Core: ...


class Solid(Protocol):
    """A shape somewhere in the world."""

    @property
    def shape(self) -> Shape: ...
    @property
    def position(self) -> Float[np.ndarray, "3"]: ...
    @property
    def orientation(self) -> Float[np.ndarray, "4"]: ...


@dataclass(frozen=True, eq=False)
class Held:
    """All within `skin` of a box about `position` with half sides `half` along its own axes."""

    half: Float[np.ndarray, "3"]  # m
    skin: float  # m
    position: Float[np.ndarray, "3"]
    orientation: Float[np.ndarray, "4"]

    def __post_init__(self) -> None:
        object.__setattr__(self, "half", frozen_array(self.half, "half sides", shape=(3,)))
        object.__setattr__(self, "position", frozen_array(self.position, "position", shape=(3,)))
        turn = quat.normalize(np.asarray(self.orientation, dtype=float))
        object.__setattr__(self, "orientation", frozen_array(turn, "orientation", shape=(4,)))

    @property
    def kind(self) -> str:
        sides = int(np.sum(self.half > FLAT))
        return {0: "sphere", 1: "capsule"}.get(sides, "box")

    @property
    def extent(self) -> Float[np.ndarray, "3"]:
        """From side to side along its own axes, skin included."""
        return 2.0 * (self.half + self.skin)

    @property
    def axes(self) -> Float[np.ndarray, "3 3"]:
        """Its own axes in the world, one a row."""
        return quat.rotate(self.orientation, np.eye(3))

    def nearest(self, points: Float[np.ndarray, "*n 3"]) -> Float[np.ndarray, "*n 3"]:
        """Unit directions from the inner box to points of its own frame: how a touch there presses."""
        out = points - np.clip(points, -self.half, self.half)
        return out / np.maximum(np.linalg.norm(out, axis=-1, keepdims=True), 1e-12)


def held_of(solid: Solid) -> Held:
    """What the kernels need of a sphere, a box or a capsule; other shapes are refused."""
    core = solid.shape.core
    half = np.max(np.abs(core.points), axis=0)
    half = np.where(half > FLAT, half, 0.0)
    corners = len(core.points) == 2 ** int(np.sum(half > 0.0)) and np.allclose(np.abs(core.points), half)
    if len(core.starts) != 2 or core.disc > 0.0 or not corners:
        raise RequestError(
            f"hands hold spheres, boxes and capsules, not a {type(solid.shape).__name__}; "
            "put one of these round it"
        )
    middle = np.asarray(solid.position) + quat.rotate(np.asarray(solid.orientation), core.middle)
    return Held(half, core.ball, middle, solid.orientation)
