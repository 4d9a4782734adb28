"""Contacts of made motions to the frame: while heel or toe rests, and not while it comes or goes.

Detected contacts take in a few frames in which a foot brakes or leaves, millimetres from where it stands.
Captured feet never stand quite still, so nothing better can be told of them. Made ones do: with their true
soles it shows in which frames they rest.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Bool, Float

from footfall.analysis.contacts import detect_contacts
from footfall.figure.contacts import Contacts, runs_of
from footfall.figure.motion import Motion
from footfall.figure.soles import sole_places, toe_places

AT_REST = 2e-7  # m a frame: more than files round, less than any foot that moves
SAME_LEVEL = 1e-5  # m
MADE = 0.3  # of a point's contact frames at rest: captured points are still only where frames were repeated

Frames = Bool[np.ndarray, "frames"]


def resting_contacts(motion: Motion) -> Contacts:
    """Detected contacts; of feet that stand quite still, with a sole flat only while all of it rests."""
    found = detect_contacts(motion)
    heel, toe = np.array(found.heel), np.array(found.toe)
    for column, side in enumerate(("left", "right")):
        if side in motion.skeleton.sides:
            points = sole_places(motion, side)[:, 0], toe_places(motion, side)
            heel[:, column], toe[:, column] = _resting(points, heel[:, column], toe[:, column])
    return Contacts(heel, toe)


def _resting(
    points: tuple[Float[np.ndarray, "frames 3"], Float[np.ndarray, "frames 3"]], heel: Frames, toe: Frames
) -> tuple[Frames, Frames]:
    rests = [_rests(points[0], heel, heel | toe), _rests(points[1], toe, heel | toe)]
    shares = [rest.sum() / max(touches.sum(), 1) for rest, touches in zip(rests, (heel, toe), strict=True)]
    if min(shares) < MADE:
        return heel, toe
    heel, toe = _cut(heel, rests[0]), _cut(toe, rests[1])
    # while a foot rolls over its toe the joint may rise by a hair: one of the two is held all the same
    return heel & (rests[0] | ~toe), toe & (rests[1] | ~rests[0])


def _rests(place: Float[np.ndarray, "frames 3"], touches: Frames, stands: Frames) -> Frames:
    """Where a touching point is as it was in the frame before or will be in the next, and on the ground.

    A figure that holds a pose holds lifted heels too: of each stance only the lowest rests count.
    """
    still = np.linalg.norm(np.diff(place, axis=0), axis=-1) < AT_REST
    rests = touches & (np.concatenate([[False], still]) | np.concatenate([still, [False]]))
    for first, last in runs_of(stands):
        height = np.where(rests[first:last], place[first:last, 1], np.inf)
        rests[first:last] &= height < height.min() + SAME_LEVEL
    return rests


def _cut(touches: Frames, rests: Frames) -> Frames:
    """Each contact from the first frame to the last in which it rests; whole where it never does."""
    out = touches.copy()
    for first, last in runs_of(touches):
        still = np.flatnonzero(rests[first:last])
        if len(still):
            out[first : first + still[0]] = False
            out[first + still[-1] + 1 : last] = False
    return out
