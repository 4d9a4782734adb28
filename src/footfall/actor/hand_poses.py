"""Hand poses: relaxed, open, closed round a ball of five centimetres, and pinching.

A pose is one turn a finger segment, told in the T-pose's axes for a left hand (fingers along +X, palm down,
thumb ahead), so that it fits any skeleton that rests in one; the right hand's is its mirror image. Poses are
blended by their rotation vectors, which are small.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from jaxtyping import Float

from footfall.errors import RequestError
from footfall.figure import kinematics
from footfall.figure.naming import FINGERS
from footfall.figure.roles import SIDES
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat

# degrees: bends of the three segments, and how far a finger is spread towards the thumb
BENDS = {
    "relaxed": {
        "index": (15, 20, 10, 0),
        "middle": (20, 25, 15, 0),
        "ring": (25, 30, 15, 0),
        "little": (25, 30, 15, -5),
    },
    "open": {
        "index": (5, 5, 5, 5),
        "middle": (5, 10, 5, 0),
        "ring": (5, 10, 5, -5),
        "little": (5, 10, 5, -10),
    },
    "closed": {
        "index": (65, 45, 30, 0),
        "middle": (60, 50, 30, 0),
        "ring": (60, 50, 30, 0),
        "little": (75, 45, 30, 0),
    },
    "pinch": {
        "index": (35, 60, 35, 0),
        "middle": (45, 50, 30, 0),
        "ring": (55, 55, 35, 0),
        "little": (55, 60, 35, 0),
    },
}
# degrees: the thumb's first segment opposes about all three axes, the other two bend
THUMBS = {
    "relaxed": ((15, 10, 0), 10, 10),
    "open": ((5, -10, 5), 0, 0),
    "closed": ((30, 20, -10), 10, 5),
    "pinch": ((30, 20, -20), 25, 0),
}
HAND_POSES = tuple(BENDS)


def hand_pose(skeleton: Skeleton, side: str, name: str) -> dict[str, Float[np.ndarray, "4"]]:
    """Joint rotations of one hand's fingers by role; fingers that the skeleton lacks are left out."""
    one = {known: np.array([float(known == name)]) for known in HAND_POSES}
    if name not in HAND_POSES:
        raise RequestError(f"no hand pose is called {name!r}; there are {', '.join(HAND_POSES)}")
    return {role: turn[0] for role, turn in blended_hand(skeleton, side, one).items()}


def blended_hand(
    skeleton: Skeleton, side: str, weights: Mapping[str, Float[np.ndarray, "n"]]
) -> dict[str, Float[np.ndarray, "n 4"]]:
    """Joint rotations of one hand's fingers for weighted poses, by role; weights are thought to sum to one."""
    if side not in SIDES:
        raise RequestError(f"a hand is left or right, not {side!r}")
    unknown = [name for name in weights if name not in HAND_POSES]
    if unknown or not weights:
        raise RequestError(f"hand poses are {', '.join(HAND_POSES)}, not {', '.join(unknown) or 'none'}")
    out = {}
    for finger in FINGERS:
        for i, role in enumerate(f"{side}_{finger}_{segment}" for segment in (1, 2, 3)):
            if skeleton.has(role):
                turns = {name: _turns(name, finger)[i] for name in weights}
                blend = sum(np.asarray(weights[n], dtype=float)[:, None] * turns[n] for n in weights)
                out[role] = _in_joint(skeleton, role, np.asarray(blend) * _mirror(side))
    return out


def _turns(name: str, finger: str) -> Float[np.ndarray, "3 3"]:
    """Rotation vectors of a left finger's three segments, in the T-pose's axes."""
    if finger == "thumb":
        oppose, second, third = THUMBS[name]
        return np.radians([oppose, (0, second, 0), (0, third, 0)])
    first, second, third, spread = BENDS[name][finger]
    return np.radians([(0, -spread, -first), (0, 0, -second), (0, 0, -third)])


def _mirror(side: str) -> Float[np.ndarray, "3"]:
    """What the mirror at x = 0 does to rotation vectors."""
    return np.array([1.0, 1.0, 1.0]) if side == "left" else np.array([1.0, -1.0, -1.0])


def _in_joint(skeleton: Skeleton, role: str, turn: Float[np.ndarray, "n 3"]) -> Float[np.ndarray, "n 4"]:
    """A turn in the T-pose's axes as the joint's rotation in its parent's frame."""
    joint = skeleton.joint(role)
    own = quat.rotate(quat.conjugate(skeleton.rest_orientations[joint]), turn)
    return quat.multiply(skeleton.rest[joint], quat.exp(own))


def finger_tip(
    skeleton: Skeleton, side: str, finger: str, rotations: Mapping[str, Float[np.ndarray, "4"]]
) -> Float[np.ndarray, "3"]:
    """Where a finger ends in the hand's frame, with its segments turned by `rotations`.

    The tip is the last segment's end site; a finger without one ends in its last joint.
    """
    hand = skeleton.joint(f"{side}_hand")
    place, turn = np.zeros(3), quat.identity()
    last = hand
    for segment in (1, 2, 3):
        role = f"{side}_{finger}_{segment}"
        if not skeleton.has(role):
            break
        last = skeleton.joint(role)
        place = place + quat.rotate(turn, skeleton.offsets[last])
        turn = quat.multiply(turn, rotations.get(role, skeleton.rest[last]))
    ends = skeleton.end_offsets[skeleton.end_parents == last]
    return kinematics.attached(place[None], turn[None], [0], ends[0])[0] if len(ends) else place
