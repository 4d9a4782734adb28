"""A motion as a curve in few dimensions, in which it is searched for a cycle and closed ([rings] 3.1).

Classical multi-dimensional scaling of the distances between poses. A pose is where its joints are, seen from
the hips and with the heading taken out; two poses are as far apart as their joints are on average (root mean
square, metres). Fingers and eyes are left out: captured ones are noise.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.analysis.facing import trunk_headings
from footfall.errors import RequestError
from footfall.figure.motion import Motion
from footfall.figure.roles import SIDES
from footfall.figure.skeleton import Skeleton
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import signed_by_largest

DIMENSIONS = 4  # [rings] 3.1
LEAST_DRIFT = 0.005  # m in a cycle: frames of an exact repetition stay apart
MOST_FRAMES = 2000  # a distance matrix is frames squared; a cycle needs some sixty


def pose_curve(motion: Motion, dimensions: int = DIMENSIONS) -> Float[np.ndarray, "frames dims"]:
    """One point a frame, as far apart as the poses are (metres), as nearly as the dimensions allow."""
    return scaled(pose_distances(motion), dimensions)


def pose_distances(motion: Motion) -> Float[np.ndarray, "frames frames"]:
    """Root mean square over the joints of how far each is from its place in the other pose, metres."""
    if len(motion) > MOST_FRAMES:
        raise RequestError(
            f"a looped motion is a few steps long, at most {MOST_FRAMES} frames, but this has {len(motion)}"
        )
    bodies = seen_bodies(motion)
    squares = np.einsum("tk,tk->t", bodies, bodies)
    products = squares[:, None] + squares - 2.0 * bodies @ bodies.T
    return np.sqrt(np.maximum(products, 0.0))


def seen_bodies(motion: Motion) -> Float[np.ndarray, "frames places"]:
    """Rows as far apart as the poses: joints from the hips, heading taken out, over root of their count."""
    joints = seen_joints(motion.skeleton)
    away = motion.positions[:, joints] - motion.of("hips")[:, None]
    local = quat.rotate(ground.turn(-trunk_headings(motion))[:, None], away)
    return local.reshape(len(motion), -1) / np.sqrt(len(joints))


def seen_joints(skeleton: Skeleton) -> list[int]:
    """The joints that make a pose: all but the eyes, what hangs on a hand, and what hangs on those."""
    hands = {skeleton.roles.get(f"{side}_hand", -2) for side in SIDES}
    out = {skeleton.roles[role] for role in (f"{side}_eye" for side in SIDES) if role in skeleton.roles}
    for joint, parent in enumerate(skeleton.parents):
        if parent in out or parent in hands:
            out.add(joint)
    return [joint for joint in range(len(skeleton)) if joint not in out]


def scaled(
    apart: Float[np.ndarray, "points points"], dimensions: int = DIMENSIONS
) -> Float[np.ndarray, "points dims"]:
    """Classical multi-dimensional scaling: points whose distances are the given ones, as nearly as can be."""
    from scipy.linalg import eigh

    squares, count = np.square(apart), len(apart)
    means = squares.mean(axis=0)
    products = -0.5 * (squares - means - means[:, None] + means.mean())  # about the points' centre
    values, vectors = eigh(products, subset_by_index=(max(count - dimensions, 0), count - 1))
    axes = signed_by_largest(vectors.T).T
    points = (axes * np.sqrt(np.maximum(values, 0.0)))[:, ::-1]  # the largest first
    return np.pad(points, ((0, 0), (0, dimensions - points.shape[1])))


def lifted_curve(motion: Motion, cycle: int) -> Float[np.ndarray, "frames dims+1"]:
    """The curve, and one dimension more along which it drifts steadily by what the others do not show.

    Frames one cycle apart are near each other in four dimensions, however different they are in all others:
    kriging would leap from the ones to the others. In the fifth they are as far apart as they are unlike.
    """
    apart = pose_distances(motion)
    curve = scaled(apart)
    ahead = np.square(curve[cycle:] - curve[:-cycle]).sum(axis=1)
    unseen = np.square(np.diagonal(apart, cycle)) - ahead
    drift = max(float(np.sqrt(np.maximum(unseen, 0.0).mean())), LEAST_DRIFT)
    return np.column_stack([curve, np.arange(len(curve)) * (drift / cycle)])
