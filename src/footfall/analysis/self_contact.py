"""Whether a limb passes through the body: capsules about a figure's bones, and how deep they overlap.

Radii are those of lean people, and the trunk's still smaller, so that an arm that brushes past the hips does
not count. Parts that meet in a joint are not compared, nor are thighs with the belly they press in a squat.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from jaxtyping import Float, Int

from footfall.errors import RequestError
from footfall.figure.frozen import frozen_array
from footfall.figure.kinematics import attached
from footfall.figure.motion import Motion
from footfall.figure.naming import FINGERS
from footfall.figure.roles import SIDES
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import clearly_less, first_greatest
from footfall.geometry.ground import FORWARD, LEFT, UP

Points = Float[np.ndarray, "*batch 3"]

# Shares of leg length (thigh and shank; 0.86 m in a person of 1.75 m). Radii of the trunk:
PELVIS, LOWER_TRUNK, CHEST, NECK, HEAD = 0.085, 0.100, 0.116, 0.055, 0.105
PELVIS_HALF = 0.6  # of the way from its middle to the hip joints, without rounded ends
CHEST_HALF = 0.050  # of the chest's line across, without rounded ends
CHEST_DROP = 0.060  # of that line under the shoulders
SKULL, SKULL_FORWARD = (0.080, 0.160), 0.022  # the ends of the skull's line over the head joint
HAND, PALM = 0.035, 0.095  # radius, and length from the wrist to the knuckles
FOOT = 0.040
# Limbs: from one role to the next, shares of that bone where a capsule starts and ends, radius. Thighs start
# under the hips, where arms pass; knees and ankles are narrower than what is above them
LIMBS = (
    ("upper_arm", "forearm", (0.0, 1.0), 0.049),
    ("forearm", "hand", (0.0, 1.0), 0.040),
    ("thigh", "shank", (0.2, 0.55), 0.072),
    ("thigh", "shank", (0.55, 1.0), 0.058),
    ("shank", "foot", (0.0, 0.55), 0.052),
    ("shank", "foot", (0.55, 1.0), 0.038),
)
TRUNK = ("pelvis", "lower_trunk", "chest", "neck", "head")
ARM, LEG = {"upper_arm", "forearm", "hand"}, {"thigh", "shank", "foot"}
# Where limbs begin
ROOTS = {("pelvis", "thigh"), ("lower_trunk", "thigh"), ("chest", "upper_arm"), ("neck", "upper_arm")}
CHUNK = 256  # frames at a time, so that arrays of all pairs stay in the cache


@dataclass(frozen=True, eq=False)
class SelfContact:
    """How deep each pair of body parts overlaps at its deepest, over the frames of a motion."""

    pairs: tuple[tuple[str, str], ...]
    depths: Float[np.ndarray, "pairs"]  # m; negative is clearance
    frames: Int[np.ndarray, "pairs"]  # in which they are that deep

    def __post_init__(self) -> None:
        object.__setattr__(self, "depths", frozen_array(self.depths, "depths", shape=(len(self.pairs),)))
        frames = np.array(self.frames, dtype=np.int64)
        frames.flags.writeable = False
        object.__setattr__(self, "frames", frames)

    @property
    def depth_max_m(self) -> float:
        return float(self.depths.max())

    @property
    def pair(self) -> tuple[str, str]:
        """The two parts that overlap most, or come nearest to each other."""
        return self.pairs[int(first_greatest(self.depths))]

    @property
    def frame(self) -> int:
        return int(self.frames[first_greatest(self.depths)])

    def depth_of(self, first: str, second: str) -> float:
        """The deepest overlap of two parts, in either order."""
        for pair, depth in zip(self.pairs, self.depths, strict=True):
            if set(pair) == {first, second}:
                return float(depth)
        raise RequestError(f"{first!r} and {second!r} are not compared; `pairs` lists the parts that are")


@dataclass(frozen=True, eq=False)
class Capsule:
    """All places within a radius of a stretch of the line between two points, each fixed to a joint."""

    part: str
    joints: tuple[int, int]
    points: Float[np.ndarray, "2 3"]  # world places in the rest pose, the root at the origin
    radius: float  # m
    stretch: tuple[float, float] = (0.0, 1.0)  # shares of the line


def self_contact(motion: Motion) -> SelfContact:
    """The deepest overlap of every pair of parts that are not neighbours, over all frames."""
    if motion.root.ndim != 2 or not len(motion):
        raise RequestError(f"self contact is told of one motion with frames, not of {motion.root.shape[:-1]}")
    capsules = list(body(motion.skeleton))
    numbered = combinations(range(len(capsules)), 2)
    index = [(i, j) for i, j in numbered if compared(capsules[i].part, capsules[j].part)]
    if not index:
        raise RequestError("self contact needs a figure with two limbs at least whose roles are known")
    depths = _depths(motion, capsules, np.array(index))
    deepest: dict[tuple[str, str], tuple[float, int]] = {}
    for column, (i, j) in enumerate(index):
        frame = int(first_greatest(depths[:, column]))
        pair = (capsules[i].part, capsules[j].part)
        depth, (known, when) = float(depths[:, column].max()), deepest.get(pair, (-np.inf, frame))
        deepest[pair] = max(known, depth), frame if clearly_less(known, depth) else when
    values, frames = zip(*deepest.values(), strict=True)
    return SelfContact(tuple(deepest), np.array(values), np.array(frames))


def compared(first: str, second: str) -> bool:
    """Whether two parts are no neighbours: not both trunk, not of one limb, and no limb with its root."""
    if second in TRUNK:
        first, second = second, first
    side, _, part = second.partition("_")
    if first in TRUNK:
        return second not in TRUNK and (first, part) not in ROOTS
    other_side, _, other = first.partition("_")
    return side != other_side or not ({part, other} <= ARM or {part, other} <= LEG)


def body(skeleton: Skeleton) -> Iterator[Capsule]:
    """The capsules of the parts whose roles are known."""
    leg = skeleton.leg_length()
    yield from _trunk(skeleton, leg)
    for side in SIDES:
        for start, end, stretch, radius in LIMBS:
            if skeleton.has(f"{side}_{start}", f"{side}_{end}"):
                yield _bone(skeleton, f"{side}_{start}", f"{side}_{end}", radius * leg, stretch)
        if skeleton.has(f"{side}_forearm", f"{side}_hand"):
            yield _hand(skeleton, side, leg)
        if side in skeleton.sides:
            yield _foot(skeleton, side, FOOT * leg)


def _place(skeleton: Skeleton, role: str) -> Float[np.ndarray, "3"]:
    return skeleton.rest_positions[skeleton.joint(role)]


def _bone(skeleton: Skeleton, start: str, end: str, radius: float, stretch: tuple[float, float]) -> Capsule:
    """A capsule along the line between two joints, named after the first."""
    joints = (skeleton.joint(start), skeleton.joint(end))
    return Capsule(start, joints, skeleton.rest_positions[list(joints)], radius, stretch)


def _carried(skeleton: Skeleton, part: str, role: str, line: list[np.ndarray], radius: float) -> Capsule:
    """A capsule that moves with one joint."""
    return Capsule(part, (skeleton.joint(role),) * 2, np.stack(line), radius)


def _trunk(skeleton: Skeleton, leg: float) -> Iterator[Capsule]:
    if skeleton.has("hips", "left_thigh", "right_thigh"):
        joints = [_place(skeleton, f"{side}_thigh") for side in SIDES]
        middle = np.mean(joints, axis=0)
        # hip joints of captured skeletons lie up to 7 cm before the pelvis
        behind = (_place(skeleton, "hips") - middle) * FORWARD
        line = [middle + behind + PELVIS_HALF * (joint - middle) for joint in joints]
        yield _carried(skeleton, "pelvis", "hips", line, PELVIS * leg)
    if not skeleton.has("hips", "chest", "left_upper_arm", "right_upper_arm"):
        return
    yield replace(_bone(skeleton, "hips", "chest", LOWER_TRUNK * leg, (0.0, 1.0)), part="lower_trunk")
    shoulders = np.mean([_place(skeleton, f"{side}_upper_arm") for side in SIDES], axis=0)
    breast = shoulders - CHEST_DROP * leg * UP
    across = [breast + sign * CHEST_HALF * leg * LEFT for sign in (1.0, -1.0)]
    yield _carried(skeleton, "chest", "chest", across, CHEST * leg)
    yield _carried(skeleton, "chest", "chest", [_place(skeleton, "chest"), breast], CHEST * leg)
    if skeleton.has("head"):
        head, ends = _place(skeleton, "head"), (skeleton.joint("chest"), skeleton.joint("head"))
        yield Capsule("neck", ends, np.stack([shoulders, head]), NECK * leg)
        skull = [head + leg * (up * UP + SKULL_FORWARD * FORWARD) for up in SKULL]
        yield _carried(skeleton, "head", "head", skull, HEAD * leg)


def _hand(skeleton: Skeleton, side: str, leg: float) -> Capsule:
    """From the wrist towards the knuckles, else along the forearm."""
    wrist = _place(skeleton, f"{side}_hand")
    knuckles = [_place(skeleton, r) for f in FINGERS[1:] if skeleton.has(r := f"{side}_{f}_1")]
    forearm = wrist - _place(skeleton, f"{side}_forearm")
    along = np.mean(knuckles, axis=0) - wrist if len(knuckles) > 2 else forearm
    line = [wrist, wrist + PALM * leg * _unit(along)]
    return _carried(skeleton, f"{side}_hand", f"{side}_hand", line, HAND * leg)


def _foot(skeleton: Skeleton, side: str, radius: float) -> Capsule:
    """On the sole from heel to toe tip, which turns with the toe."""
    foot = skeleton.joint(f"{side}_foot")
    points = skeleton.foot_points(side)
    ankle, turn = skeleton.rest_positions[foot], skeleton.rest_orientations[foot]
    heel, under, tip = (ankle + quat.rotate(turn, p) for p in (points.heel, points.subtalar, points.toe))
    up, along = radius * _unit(ankle - under), radius * _unit(tip - heel)
    toe = skeleton.joint(f"{side}_toe") if skeleton.has(f"{side}_toe") else foot
    return Capsule(f"{side}_foot", (foot, toe), np.stack([heel + up + along, tip + up - along]), radius)


def _unit(vector: Float[np.ndarray, "3"]) -> Float[np.ndarray, "3"]:
    return vector / max(float(np.linalg.norm(vector)), 1e-9)


def _depths(
    motion: Motion, capsules: list[Capsule], index: Int[np.ndarray, "n 2"]
) -> Float[np.ndarray, "frames n"]:
    """How deep pairs of capsules overlap, frame by frame."""
    skeleton = motion.skeleton
    joints = np.array([c.joints for c in capsules]).ravel()
    arms = np.concatenate([c.points for c in capsules]) - skeleton.rest_positions[joints]
    local = quat.rotate(quat.conjugate(skeleton.rest_orientations[joints]), arms)
    stretch = np.array([c.stretch for c in capsules])[..., None]
    radii = np.array([c.radius for c in capsules])
    i, j = index.T
    out = np.empty((len(motion), len(index)))
    for start in range(0, len(motion), CHUNK):
        part = slice(start, start + CHUNK)
        places = attached(motion.positions[part], motion.orientations[part], joints, local)
        first, line = places[:, 0::2], places[:, 1::2] - places[:, 0::2]
        a, b = first + stretch[:, 0] * line, first + stretch[:, 1] * line
        out[part] = radii[i] + radii[j] - segment_distances(a[:, i], b[:, i], a[:, j], b[:, j])
    return out


def segment_distances(a: Points, b: Points, c: Points, d: Points) -> Float[np.ndarray, "*batch"]:
    """Between the nearest points of the lines from a to b and from c to d; a line may be a point.

    After Ericson, Real-Time Collision Detection 5.1.9: the nearest points of the endless lines, drawn in to
    the ends of one, then of the other. Where they are parallel any point of the first will do to begin with.
    """
    first, second, gap = b - a, d - c, a - c
    aa, bb, ab = _dot(first, first), _dot(second, second), _dot(first, second)
    ag, bg = _dot(first, gap), _dot(second, gap)
    s = _share(ab * bg - ag * bb, aa * bb - ab * ab)
    t = _share(ab * s + bg, bb)
    s = _share(ab * t - ag, aa)
    apart = gap + s[..., None] * first - t[..., None] * second
    return np.sqrt(_dot(apart, apart))


def _dot(a: Points, b: Points) -> Float[np.ndarray, "*batch"]:
    return np.einsum("...k,...k->...", a, b)


def _share(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """part / whole between 0 and 1; 0 where there is no whole."""
    some = whole > 0.0
    return np.where(some, np.clip(part / np.where(some, whole, 1.0), 0.0, 1.0), 0.0)
