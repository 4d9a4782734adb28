"""How prints lie on the ground: tilted as the ground is under the whole sole.

The plane through what is under a sole, from a few places of it; places where the ground falls away (the edge
of a block under the toes) or rises like a wall do not count.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, Int

from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.models.stepspace.stage import Soles
from footfall.world.terrain import Ground

WIDE = 0.035  # m to either side of a sole's middle line
NEAR = 0.05  # m that the ground under a sole may be over or under its print, and as much a metre of sole
STEEPEST = np.radians(35.0)
LOOK_DOWN = 0.4  # m over a print from where its ground is looked for


def normals_under(
    soles: Soles,
    feet: Int[np.ndarray, "prints"],
    places: Float[np.ndarray, "prints 3"],
    headings: Float[np.ndarray, "prints"],
    terrain: Ground,
) -> Float[np.ndarray, "prints 3"]:
    """Unit normals of the ground under prints, upwards."""
    points = _under_soles(soles, feet)  # (prints, points, 3), told from the print
    world = places[:, None] + quat.rotate(ground.turn(headings)[:, None], points)
    start = np.broadcast_to((places[:, 1] + LOOK_DOWN)[:, None], world.shape[:2])
    rise = terrain.height(world[..., 0], world[..., 2], start) - places[:, None, 1]
    far = np.linalg.norm(points[..., [0, 2]], axis=-1)
    seen = np.abs(rise) < NEAR + np.tan(STEEPEST) * far
    out = np.empty(places.shape)
    for k in range(len(places)):
        kept = seen[k]
        flat = points[k][kept][:, [0, 2]]
        if kept.sum() < 3 or np.linalg.matrix_rank(flat, tol=1e-3) < 2:
            out[k] = ground.UP
            continue
        # through the print itself: only the slopes are free
        slopes = np.linalg.lstsq(flat, rise[k][kept], rcond=None)[0]
        normal = np.array([-slopes[0], 1.0, -slopes[1]])
        steep = float(np.hypot(*slopes))
        if steep > np.tan(STEEPEST):
            normal[[0, 2]] *= np.tan(STEEPEST) / steep
        out[k] = quat.rotate(ground.turn(headings[k]), normal / np.linalg.norm(normal))
    return out


def _under_soles(soles: Soles, feet: Int[np.ndarray, "prints"]) -> Float[np.ndarray, "prints points 3"]:
    """Heel, ball and between, left and right of the middle line, as the sole lies in its print."""
    lying = soles.lying[feet]
    heel, ball = (
        quat.rotate(lying, point[feet] - soles.subtalar[feet]) for point in (soles.heel, soles.ball)
    )
    along = [heel + share * (ball - heel) for share in (0.0, 0.5, 1.0)]
    aside = np.array([WIDE, 0.0, 0.0])
    points = np.stack([p + sign * aside for p in along for sign in (-1.0, 1.0)], axis=1)
    points[..., 1] = 0.0
    return points


def print_turns(
    headings: Float[np.ndarray, "prints"], normals: Float[np.ndarray, "prints 3"]
) -> Float[np.ndarray, "prints 4"]:
    """From a print's frame to the world: turned to its heading, then tilted with the ground."""
    tilt = quat.between(np.broadcast_to(ground.UP, normals.shape), normals)
    return quat.multiply(tilt, ground.turn(headings))
