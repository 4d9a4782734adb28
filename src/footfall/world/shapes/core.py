"""What a shape is to the kernels: points, a disc and a ball whose sum it is.

A sphere is one point and a ball, a capsule two points and a ball, a cylinder two points and a disc across its
axis. What is not convex is several pieces.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

TOUCH = 1e-12  # of the sizes of two shapes: what is nearer touches


@dataclass(frozen=True, eq=False)
class Core:
    """Convex pieces in the shape's own frame, and spheres round them; points are relative to `middle`."""

    middle: Float[np.ndarray, "3"]
    points: Float[np.ndarray, "points 3"]
    starts: Int[np.ndarray, "pieces+1"]  # where each piece's points begin
    spheres: Float[np.ndarray, "pieces 4"]  # round the whole of each piece: centre, radius
    ends: Int[np.ndarray, "2"]  # nothing, and the number of pieces
    disc: float  # m, across y
    ball: float  # m
    reach: float  # m, of a sphere about the middle round everything

    @classmethod
    def of(
        cls, pieces: Sequence[Float[np.ndarray, "points 3"]], *, disc: float = 0.0, ball: float = 0.0
    ) -> Core:
        points = np.concatenate(pieces)
        middle = 0.5 * (points.min(axis=0) + points.max(axis=0))
        centres = [0.5 * (piece.min(axis=0) + piece.max(axis=0)) for piece in pieces]
        spheres = [
            np.append(centre - middle, _radius(piece - centre, disc, ball))
            for piece, centre in zip(pieces, centres, strict=True)
        ]
        starts = np.concatenate([[0], np.cumsum([len(piece) for piece in pieces])]).astype(np.int64)
        arrays = (
            middle,
            np.ascontiguousarray(points - middle),
            starts,
            np.stack(spheres),
            np.array([0, len(pieces)]),
        )
        for array in arrays:
            array.flags.writeable = False
        return cls(*arrays, disc, ball, _radius(arrays[1], disc, ball))

    def along(self, direction: Float[np.ndarray, "3"]) -> tuple[float, float]:
        """The shape's shadow on a line through the origin with this unit direction: from where to where."""
        shadow = (self.middle + self.points) @ direction
        wide = self.disc * float(np.hypot(direction[0], direction[2])) + self.ball
        return float(shadow.min()) - wide, float(shadow.max()) + wide


def _radius(points: Float[np.ndarray, "points 3"], disc: float, ball: float) -> float:
    """How far from the origin the sum of points, disc and ball goes."""
    across = np.hypot(points[:, 0], points[:, 2]) + disc
    return float(np.hypot(across, points[:, 1]).max()) + ball
