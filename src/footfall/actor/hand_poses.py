"""Hand poses: relaxed, open, closed round a ball of five centimetres, and pinching.

A pose is one turn a finger segment, told in the T-pose's axes for a left hand (fingers along +X, palm down,
thumb ahead), so that it fits any skeleton that rests in one; the right hand's is its mirror image. Poses are
blended by their rotation vectors, which are small.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.errors import RequestError
from footfall.figure.naming import FINGERS
from footfall.figure.roles import SIDES
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat
from footfall.geometry.ground import UP
from footfall.validation import one_of

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
# what touches: the tip of the middle finger, the palm's surface, the middle of the ball that a closed hand
# holds, the place where thumb and index finger meet
TOUCHES = ("fingertip", "palm", "grip", "pinch")
TOUCH_OF = {"relaxed": "fingertip", "open": "fingertip", "closed": "grip", "pinch": "pinch"}
SHAPED = {"closed": 0.35, "pinch": 0.5}  # of the pose that an open hand has before it grasps
PALM, GRIP = (0.60, 0.018), (0.85, 0.051)  # of the way to the middle knuckle, and of leg length off the bones


def hand_pose(skeleton: Skeleton, side: str, name: str) -> dict[str, Float[np.ndarray, "4"]]:
    """Joint rotations of one hand's fingers by role; fingers that the skeleton lacks are left out."""
    if name not in HAND_POSES:
        raise RequestError(f"no hand pose is called {name!r}; there are {', '.join(HAND_POSES)}")
    return {role: turn[0] for role, turn in blended_hand(skeleton, side, {name: np.ones(1)}).items()}


def blended_hand(
    skeleton: Skeleton, side: str, weights: Mapping[str, Float[np.ndarray, "n"]]
) -> dict[str, Float[np.ndarray, "n 4"]]:
    """Joint rotations of one hand's fingers by role, for poses whose weights sum to one."""
    one_of(side, SIDES, "side")
    unknown = [name for name in weights if name not in HAND_POSES]
    if unknown or not weights:
        raise RequestError(f"hand poses are {', '.join(HAND_POSES)}, not {', '.join(unknown) or 'none'}")
    segments = [(finger, i) for finger in FINGERS for i in range(3) if skeleton.has(_role(side, finger, i))]
    if not segments:
        return {}
    roles = [_role(side, finger, i) for finger, i in segments]
    turns = sum(
        np.asarray(weight, dtype=float)[:, None, None] * np.stack([_turns(name, f)[i] for f, i in segments])
        for name, weight in weights.items()
    )
    local = _in_joints(skeleton, [skeleton.joint(role) for role in roles], turns * _mirror(side))
    return {role: local[:, k] for k, role in enumerate(roles)}


def _role(side: str, finger: str, segment: int) -> str:
    return f"{side}_{finger}_{segment + 1}"


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


def _in_joints(
    skeleton: Skeleton, joints: list[int], turns: Float[np.ndarray, "n joints 3"]
) -> Float[np.ndarray, "n joints 4"]:
    """Turns in the T-pose's axes as joint rotations in the parents' frames."""
    own = quat.rotate(quat.conjugate(skeleton.rest_orientations[joints]), turns)
    return quat.multiply(skeleton.rest[joints], quat.exp(own))


def finger_tips(
    skeleton: Skeleton, side: str, rotations: Mapping[str, Float[np.ndarray, "n 4"]]
) -> dict[str, Float[np.ndarray, "n 3"]]:
    """Where fingers end in the hand's frame, their segments turned by `rotations`.

    A tip is the last segment's end site; a finger without one ends in its last joint.
    """
    out = {}
    for finger in FINGERS:
        roles = [r for r in (_role(side, finger, i) for i in range(3)) if skeleton.has(r)]
        if roles:
            out[finger] = _tip(skeleton, [skeleton.joint(r) for r in roles], [rotations[r] for r in roles])
    return out


def _tip(
    skeleton: Skeleton, joints: list[int], rotations: list[Float[np.ndarray, "n 4"]]
) -> Float[np.ndarray, "n 3"]:
    """The end of a chain of joints, in the frame that the first hangs in."""
    ends = skeleton.end_offsets[skeleton.end_parents == joints[-1]]
    place = ends[0] if len(ends) else np.zeros(3)
    for joint, turn in zip(reversed(joints), reversed(rotations), strict=True):
        place = skeleton.offsets[joint] + quat.rotate(turn, np.broadcast_to(place, (len(turn), 3)))
    return place


@dataclass(frozen=True, eq=False)
class Touch:
    """What of a hand touches; where fingers end as it comes, closes and holds. In the hand's frame."""

    point: Float[np.ndarray, "3"]
    tips: Float[np.ndarray, "tips 3"]


def touch_of(skeleton: Skeleton, side: str, hand: str, touch: str | None = None) -> Touch:
    """A hand that takes a pose and touches in some way, by default in the pose's own."""
    if hand not in HAND_POSES:
        raise RequestError(f"no hand pose is called {hand!r}; there are {', '.join(HAND_POSES)}")
    kind = TOUCH_OF[hand] if touch is None else touch
    if kind not in TOUCHES:
        raise RequestError(f"a hand touches with {', '.join(TOUCHES)}, not with {touch!r}")
    turns = blended_hand(skeleton, side, grasping(hand, np.array([0.0, 0.5, 1.0])))
    tips = finger_tips(skeleton, side, turns)
    if kind == "fingertip":
        point = tips["middle"][-1]
    elif kind == "pinch":
        point = 0.5 * (tips["thumb"] + tips["index"])[-1]
    else:
        point = palm(skeleton, side, *(PALM if kind == "palm" else GRIP))
    return Touch(point, np.concatenate(list(tips.values())))


def palm(
    skeleton: Skeleton, side: str, along: float = PALM[0], depth: float = PALM[1]
) -> Float[np.ndarray, "3"]:
    """A point along the way to the middle knuckle, off the palm; in the hand's frame."""
    knuckle = skeleton.offsets[skeleton.joint(f"{side}_middle_1")]
    turn = skeleton.rest_orientations[skeleton.joint(f"{side}_hand")]
    return along * knuckle - depth * skeleton.leg_length() * quat.rotate(quat.conjugate(turn), UP)


def grasping(hand: str, held: Float[np.ndarray, "n"]) -> dict[str, Float[np.ndarray, "n"]]:
    """Weights of the poses of a hand that comes (0: open, a little shaped already) and takes its pose (1)."""
    shaped = SHAPED.get(hand, 1.0)
    own = shaped + (1.0 - shaped) * np.asarray(held, dtype=float)
    return {hand: own} if shaped == 1.0 else {"open": 1.0 - own, hand: own}
