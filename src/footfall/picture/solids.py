"""Obstacles as bodies in a picture. Tall ones are cut off low, or walls would hide what goes on in a room.

The cut runs along the ground that is walked nearby: beside stairs it climbs with them. What hangs over it,
what is no taller than a table or a counter, and what moves stays whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.geometry.quaternion import cross
from footfall.picture.cut_mesh import cut_under
from footfall.world.shapes.placed import Placed

SEGMENTS = 48  # of a circle
TALL = 0.95  # m over the ground: what is taller is cut off ...
CUT = 0.2  # m, ... so high
NEARBY = 1.0  # m round an obstacle: ground that is walked there is its ground
STIFF = 0.5  # m: ground walked over less than this way tells little of a slope
SIDE = np.array([0.72, 0.68, 0.64])
LID = np.array([0.48, 0.46, 0.45])  # where something is cut, as in drawings of houses


@dataclass(frozen=True, eq=False)
class Solids:
    """Triangles to draw, each with its own corners."""

    corners: Float[np.ndarray, "triangles 3 3"]
    normals: Float[np.ndarray, "triangles 3"]  # outwards
    colours: Float[np.ndarray, "triangles 3"]

    @classmethod
    def of(
        cls, placed: Sequence[Placed], walked: Float[np.ndarray, "n 3"], moving: Sequence[Placed] = ()
    ) -> Solids:
        """Obstacles beside ground that is known by places where feet stood."""
        cut = [_cut(one, walked) for one in placed] + [_whole(one) for one in moving]
        sides, lids = (np.concatenate([np.zeros((0, 3, 3)), *(pair[k] for pair in cut)]) for k in (0, 1))
        corners = np.concatenate([sides, lids])
        colours = np.concatenate([np.tile(SIDE, (len(sides), 1)), np.tile(LID, (len(lids), 1))])
        normals = cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        sizes = np.linalg.norm(normals, axis=-1)
        seen = sizes > 0.0
        return cls(corners[seen], normals[seen] / sizes[seen, None], colours[seen])

    def __len__(self) -> int:
        return len(self.corners)

    def joined(self, other: Solids) -> Solids:
        return Solids(
            np.concatenate([self.corners, other.corners]),
            np.concatenate([self.normals, other.normals]),
            np.concatenate([self.colours, other.colours]),
        )

    def near(self, low: Float[np.ndarray, "3"], high: Float[np.ndarray, "3"]) -> Float[np.ndarray, "n 3"]:
        """Points that hold what stands over a rectangle of ground, as far as it does and not under `low`."""
        box, plan = np.stack([self.corners.min(axis=1), self.corners.max(axis=1)]), [0, 2]
        apart = ((box[0] > high)[:, plan] | (box[1] < low)[:, plan]).any(axis=1)
        points = self.corners[~apart].reshape(-1, 3).copy()
        points[:, plan] = np.clip(points[:, plan], low[plan], high[plan])
        points[:, 1] = np.maximum(points[:, 1], low[1])
        return points


def _whole(placed: Placed) -> tuple[np.ndarray, np.ndarray]:
    vertices, triangles = placed.mesh(SEGMENTS)
    return vertices[triangles], np.zeros((0, 3, 3))


def _cut(placed: Placed, walked: Float[np.ndarray, "n 3"]) -> tuple[np.ndarray, np.ndarray]:
    """The triangles of an obstacle, and the lids where it is cut off."""
    vertices, triangles = placed.mesh(SEGMENTS)
    over = height_over(vertices, walked)
    if over.max() <= TALL or over.min() >= CUT:
        return _whole(placed)
    return cut_under((vertices, triangles), over - CUT)


def height_over(
    vertices: Float[np.ndarray, "v 3"], walked: Float[np.ndarray, "n 3"]
) -> Float[np.ndarray, "v"]:
    """How high the vertices of an obstacle are over the ground that is walked near it."""
    level, *rise = _ground(vertices, walked)
    return vertices[:, 1] - level - vertices[:, [0, 2]] @ np.array(rise)


def _ground(vertices: Float[np.ndarray, "v 3"], walked: Float[np.ndarray, "n 3"]) -> Float[np.ndarray, "3"]:
    """A plane along the ground walked near an obstacle, nowhere under it: level at the origin, rises."""
    if not len(walked):
        return np.zeros(3)
    plan = walked[:, [0, 2]]
    low, high = vertices[:, [0, 2]].min(axis=0), vertices[:, [0, 2]].max(axis=0)
    away = np.linalg.norm(np.maximum(np.maximum(low - plan, plan - high), 0.0), axis=-1)
    near = away <= max(NEARBY, float(away.min()) + 1e-9)
    plan, levels = plan[near], walked[near, 1]
    around = plan - plan.mean(axis=0)
    # least squares that would rather have level ground where little is known
    rise = np.linalg.solve(around.T @ around + STIFF**2 * np.eye(2), around.T @ (levels - levels.mean()))
    return np.array([(levels - plan @ rise).max(), *rise])
