"""A hand: its finger segments as capsules, its palm and the directions it knows ([body] 5.3).

Everything is told in the hand joint's own frame with the fingers at rest. Thicknesses are shares of the
hand's length, since skeletons have bones and no flesh: on a hand of 190 mm a finger is 19 mm thick at its
first joint and 16 mm at its tip, a thumb 23 mm and 20 mm, the palm 25 mm.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from footfall.errors import SkeletonError
from footfall.figure.frozen import frozen_array
from footfall.figure.naming import FINGERS
from footfall.figure.roles import SIDES
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat
from footfall.geometry.ground import FORWARD, UP
from footfall.validation import one_of

Vector = Float[np.ndarray, "3"]

THUMB = FINGERS[0]
# shares of the hand's length, from wrist to finger tip
FINGER_RADII = (0.050, 0.046, 0.042)
THUMB_RADII = (0.060, 0.057, 0.052)
PALM_RADIUS, THENAR_RADIUS = 0.066, 0.062
PALM_FROM, THENAR_FROM = 0.3, 0.45  # of the way from the wrist to a knuckle: where the palm's flesh begins
LITTLE_SHARE = 0.88  # a little finger is thinner
TIP_SHARE = 0.8  # of the bone before it: a last segment whose end is not told
SHORT = 1e-4  # m: what is shorter has no direction


@dataclass(frozen=True, eq=False)
class Hand:
    """Finger by finger, from the thumb on where there is one, segments from the knuckle to the tip."""

    skeleton: Skeleton
    side: str
    joint: int
    roles: tuple[str, ...]  # of the segments
    joints: Int[np.ndarray, "segments"]
    starts: Int[np.ndarray, "fingers+1"]  # where each finger's segments begin
    places: Float[np.ndarray, "segments 3"]
    bones: Float[np.ndarray, "segments 3"]  # a capsule's axis, from its joint on
    radii: Float[np.ndarray, "segments"]
    palm: Float[np.ndarray, "pieces 2 3"]  # axes of capsules
    palm_radii: Float[np.ndarray, "pieces"]
    along: Vector  # from the wrist to the knuckles
    across: Vector  # towards the index finger's side
    normal: Vector  # out of the palm
    length: float  # m, from the wrist to the farthest tip, stretched
    palm_length: float  # m, from the wrist to the knuckles

    def __post_init__(self) -> None:
        for name in ("places", "bones", "radii", "palm", "palm_radii", "along", "across", "normal"):
            object.__setattr__(self, name, frozen_array(getattr(self, name), name))
        for name in ("joints", "starts"):
            own = np.array(getattr(self, name), dtype=np.int64)
            own.flags.writeable = False
            object.__setattr__(self, name, own)

    @property
    def fingers(self) -> tuple[str, ...]:
        return tuple(_finger_of(self.roles[first]) for first in self.starts[:-1])

    @property
    def has_thumb(self) -> bool:
        return self.fingers[0] == THUMB

    @property
    def finger_of(self) -> Int[np.ndarray, "segments"]:
        """Which finger a segment is of."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    @property
    def frame(self) -> Float[np.ndarray, "3 3"]:
        """Columns: along, across, normal. A left hand's is left-handed, so it is no rotation."""
        return np.stack([self.along, self.across, self.normal], axis=-1)


def hand_of(skeleton: Skeleton, side: str) -> Hand:
    """The hand of a side, for any skeleton that has fingers there."""
    one_of(side, SIDES, "side")
    joint = skeleton.joint(f"{side}_hand")
    chains = {finger: chain for finger in FINGERS if (chain := _chain(skeleton, side, finger))}
    if not set(chains) - {THUMB}:
        known = ", ".join(chains) or "none at all"
        raise SkeletonError(f"the {side} hand cannot grasp: it needs fingers, and this skeleton has {known}")
    joints = [j for chain in chains.values() for j in chain]
    places = _in_hand(skeleton, joint, skeleton.rest_positions[joints])
    starts = np.cumsum([0, *(len(chain) for chain in chains.values())])
    bones = np.concatenate([_bones(skeleton, joint, chain) for chain in chains.values()])
    knuckles = dict(zip(chains, places[starts[:-1]], strict=True))
    along, across, normal = _palm_axes(skeleton, side, knuckles)
    reaches = [
        np.linalg.norm(places[a]) + np.linalg.norm(bones[a:b], axis=-1).sum()
        for a, b, finger in zip(starts[:-1], starts[1:], chains, strict=True)
        if finger != THUMB
    ]
    length = float(max(reaches))
    radii = length * np.array([r for finger, chain in chains.items() for r in _radii(finger, len(chain))])
    palm, palm_radii = _palm(knuckles, length)
    return Hand(
        skeleton,
        side,
        joint,
        roles=tuple(f"{side}_{f}_{i}" for f, i in _segments(skeleton, side)),
        joints=np.array(joints),
        starts=starts,
        places=places,
        bones=_up_to_skin(bones, radii, starts),
        radii=radii,
        palm=palm,
        palm_radii=palm_radii,
        along=along,
        across=across,
        normal=normal,
        length=length,
        palm_length=float(np.mean([k @ along for finger, k in knuckles.items() if finger != THUMB])),
    )


def _finger_of(role: str) -> str:
    return role.split("_")[1]


def _segments(skeleton: Skeleton, side: str) -> Iterator[tuple[str, int]]:
    for finger in FINGERS:
        yield from ((finger, i) for i in (1, 2, 3) if skeleton.has(f"{side}_{finger}_{i}"))


def _chain(skeleton: Skeleton, side: str, finger: str) -> list[int]:
    return [skeleton.joint(f"{side}_{f}_{i}") for f, i in _segments(skeleton, side) if f == finger]


def _in_hand(skeleton: Skeleton, hand: int, points: Float[np.ndarray, "*n 3"]) -> Float[np.ndarray, "*n 3"]:
    turn = quat.conjugate(skeleton.rest_orientations[hand])
    return quat.rotate(turn, points - skeleton.rest_positions[hand])


def _bones(skeleton: Skeleton, hand: int, chain: list[int]) -> Float[np.ndarray, "n 3"]:
    """From each joint to the next; the last to the finger's tip."""
    line = [skeleton.rest_positions[j] for j in chain]
    before = line[-2] if len(line) > 1 else skeleton.rest_positions[hand]
    line.append(_tip(skeleton, chain[-1], before))
    line_in_hand = _in_hand(skeleton, hand, np.array(line))
    return np.diff(line_in_hand, axis=0)


def _tip(skeleton: Skeleton, joint: int, before: Vector) -> Vector:
    """An end site, a joint beyond the last segment, or as far again as the bone before tells."""
    own = skeleton.rest_positions[joint]
    children = [j for j, parent in enumerate(skeleton.tree.parents) if parent == joint]
    told = [*skeleton.rest_ends[skeleton.end_parents == joint], *skeleton.rest_positions[children]]
    far = max(told, key=lambda point: float(np.linalg.norm(point - own)), default=own)
    return far if np.linalg.norm(far - own) > SHORT else own + TIP_SHARE * (own - before)


def _radii(finger: str, count: int) -> list[float]:
    """The last segment is the thinnest, however many there are."""
    if finger == THUMB:
        return list(THUMB_RADII[-count:])
    return [r * (LITTLE_SHARE if finger == FINGERS[-1] else 1.0) for r in FINGER_RADII[-count:]]


def _up_to_skin(
    bones: Float[np.ndarray, "n 3"], radii: Float[np.ndarray, "n"], starts: Int[np.ndarray, "f+1"]
) -> Float[np.ndarray, "n 3"]:
    """A tip is where the skin ends: the last capsule's axis stops a radius before it."""
    out = bones.copy()
    for last in starts[1:] - 1:
        size = float(np.linalg.norm(bones[last]))
        out[last] *= max(1.0 - radii[last] / size, 0.2) if size > SHORT else 0.0
    return out


def _palm_axes(skeleton: Skeleton, side: str, knuckles: dict[str, Vector]) -> tuple[Vector, Vector, Vector]:
    """Along, across and out of the palm. Knuckles tell; where there is but one, the rest pose's forward."""
    fingers = [place for finger, place in knuckles.items() if finger != THUMB]
    along = _unit(np.mean(fingers, axis=0))
    turn = quat.conjugate(skeleton.rest_orientations[skeleton.joint(f"{side}_hand")])
    told = [fingers[0] - fingers[-1], quat.rotate(turn, FORWARD), quat.rotate(turn, UP)]
    across = next(a for v in told if np.linalg.norm(a := v - (v @ along) * along) > 10.0 * SHORT)
    across = _unit(across)
    normal = quat.cross(along, across)
    return along, across, normal if side == "left" else -normal


def _palm(
    knuckles: dict[str, Vector], length: float
) -> tuple[Float[np.ndarray, "pieces 2 3"], Float[np.ndarray, "pieces"]]:
    """Flesh between wrist and knuckles, and the ball of the thumb."""
    starts = {f: (THENAR_FROM if f == THUMB else PALM_FROM) for f in knuckles}
    axes = np.array([[starts[f] * place, place] for f, place in knuckles.items()])
    return axes, length * np.array([THENAR_RADIUS if f == THUMB else PALM_RADIUS for f in knuckles])


def _unit(v: Vector) -> Vector:
    return v / max(float(np.linalg.norm(v)), 1e-12)
