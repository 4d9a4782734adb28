"""A skinned body made from any skeleton's bones, so that a motion shows a person in every viewer.

The body is built in the rest pose from lofts (see `loft`): trunk, limbs, head, hands and feet where the
roles are known, plain capsules along the bones where they are not. Sizes are shares of leg length.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float, Int

from footfall.figure import loft
from footfall.figure.kinematics import attached
from footfall.figure.naming import FINGERS
from footfall.figure.rings import Surface
from footfall.figure.roles import SIDES
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat
from footfall.geometry.curve import arc_lengths
from footfall.geometry.ground import FORWARD, LEFT, UP

Vector = Float[np.ndarray, "3"]

NEUTRAL = (0.86, 0.85, 0.82)
TINTS = {"left": (0.42, 0.60, 0.86), "right": (0.92, 0.60, 0.38)}

# Shares of leg length
THIGH, KNEE, CALF, ANKLE = 0.100, 0.066, 0.068, 0.044
SHOULDER, UPPER_ARM, ELBOW, FOREARM, WRIST = 0.066, 0.058, 0.046, 0.047, 0.033
SKULL_HALF, SKULL_OVER_JOINT = 0.140, 0.115
# Winter: acromion at 0.818 of stature, legs 0.491 of it; de Leva: the shoulder's centre 0.02 lower
TOP_OVER_SHOULDERS = (1.0 - 0.818 + 0.02) / 0.491
TOP_RANGE = (0.20, 0.40)  # over the head joint: an end site here is the top of the head
MOST_NECK = 0.10  # that a head is raised by: beyond this the shoulders are what is odd
NECK, FINGER = 0.066, 0.0105
CROTCH = 0.16  # how far under the hips, as a share of the trunk's length


@dataclass(frozen=True, eq=False)
class Mannequin:
    """A triangle mesh in the rest pose, each vertex carried by up to two joints."""

    vertices: Float[np.ndarray, "vertices 3"]
    normals: Float[np.ndarray, "vertices 3"]
    colours: Float[np.ndarray, "vertices 3"]
    triangles: Int[np.ndarray, "triangles 3"]
    joints: Int[np.ndarray, "vertices 2"]
    weights: Float[np.ndarray, "vertices 2"]

    def posed(
        self,
        skeleton: Skeleton,
        positions: Float[np.ndarray, "*frames joints 3"],
        orientations: Float[np.ndarray, "*frames joints 4"],
    ) -> tuple[Float[np.ndarray, "*frames vertices 3"], Float[np.ndarray, "*frames vertices 3"]]:
        """Vertices and normals in the world for joint positions and orientations (linear skinning)."""
        turns = quat.to_matrix(quat.multiply(orientations, quat.conjugate(skeleton.rest_orientations)))
        places = np.zeros((*positions.shape[:-2], *self.vertices.shape))
        normals = np.zeros_like(places)
        for joint, own, weights in self._carried:
            turn, place = turns[..., joint, None, :, :], positions[..., joint, None, :]
            arms = weights * (self.vertices[own] - skeleton.rest_positions[joint])
            places[..., own, :] += weights * place + _turned(turn, arms)
            normals[..., own, :] += _turned(turn, weights * self.normals[own])
        normals /= np.maximum(np.sqrt((normals * normals).sum(axis=-1, keepdims=True)), 1e-12)
        return places, normals

    @cached_property
    def _carried(self) -> list[tuple[int, Int[np.ndarray, "n"], Float[np.ndarray, "n 1"]]]:
        """For each joint the vertices that it carries, and with which weights."""
        return [
            (joint, own, self.weights[own, k, None])
            for k in range(self.joints.shape[1])
            for joint in range(self.joints.max() + 1)
            if len(own := np.flatnonzero((self.joints[:, k] == joint) & (self.weights[:, k] > 0.0)))
        ]


def _turned(
    turn: Float[np.ndarray, "*frames 1 3 3"], arms: Float[np.ndarray, "n 3"]
) -> Float[np.ndarray, "*frames n 3"]:
    return sum(turn[..., k] * arms[:, k, None] for k in range(3))


def build_mannequin(skeleton: Skeleton) -> Mannequin:
    """The body of a skeleton; bones of unknown role become capsules only where no person is recognised."""
    parts: list[tuple[Surface, tuple[float, float, float]]] = []
    person = len(skeleton.sides) == 2 and skeleton.has("hips") and skeleton.leg_length() > loft.STUB
    if person:
        parts += [(surface, NEUTRAL) for surface in _trunk(skeleton) + _head(skeleton)]
        for side in SIDES:
            limbs = (
                _leg(skeleton, side) + _foot(skeleton, side) + _arm(skeleton, side) + _hand(skeleton, side)
            )
            parts += [(surface, TINTS[side]) for surface in limbs]
    else:
        parts += [(surface, NEUTRAL) for surface in _capsules(skeleton)]
    return _joined(parts)


def _joined(parts: list[tuple[Surface, tuple[float, float, float]]]) -> Mannequin:
    surfaces = [surface for surface, _ in parts]
    starts = np.cumsum([0, *(len(s.vertices) for s in surfaces)])
    return Mannequin(
        vertices=np.concatenate([s.vertices for s in surfaces]),
        normals=np.concatenate([s.normals for s in surfaces]),
        colours=np.concatenate([np.tile(c, (len(s.vertices), 1)) for s, c in parts]),
        triangles=np.concatenate([s.triangles + n for s, n in zip(surfaces, starts, strict=False)]),
        joints=np.concatenate([s.joints for s in surfaces]),
        weights=np.concatenate([s.weights for s in surfaces]),
    )


def _at(skeleton: Skeleton, role: str) -> Vector:
    return skeleton.rest_positions[skeleton.joint(role)]


def _trunk(skeleton: Skeleton) -> list[Surface]:
    """One loft from the crotch to the base of the neck, bending with every spine joint."""
    leg = skeleton.leg_length()
    hips = skeleton.joint("hips")
    thighs = [_at(skeleton, f"{s}_thigh") for s in SIDES]
    hip_line = np.mean(thighs, axis=0)
    hip_width = 0.5 * float(np.linalg.norm(thighs[0] - thighs[1])) + 0.085 * leg
    if not skeleton.has("chest", "left_upper_arm", "right_upper_arm"):
        top = skeleton.rest_positions[hips] + 0.6 * leg * UP
        return [loft.capsule(hip_line, top, 0.5 * hip_width, (hips, hips))]
    chest = skeleton.joint("chest")
    upper = skeleton.joint("neck") if skeleton.has("neck") else chest
    spine = [j for j in skeleton.tree.path(hips, chest) if j != hips]
    shoulders = [_at(skeleton, f"{s}_upper_arm") for s in SIDES]
    shoulder_width = max(0.5 * float(np.linalg.norm(shoulders[0] - shoulders[1])), 0.8 * hip_width)
    shoulder_line = np.mean(shoulders, axis=0)
    base = skeleton.rest_positions[upper] if upper != chest else shoulder_line + 0.06 * leg * UP
    base = base if base[1] > shoulder_line[1] else shoulder_line + 0.06 * leg * UP
    # share of the way from hips to neck, half width, half depth
    profile = [
        (-CROTCH, 0.60 * hip_width, 0.085 * leg),
        (-0.04, 0.98 * hip_width, 0.125 * leg),
        (0.12, 0.97 * hip_width, 0.128 * leg),
        (0.34, 0.84 * hip_width, 0.105 * leg),
        (0.62, 0.5 * (0.9 * hip_width + 0.86 * shoulder_width), 0.128 * leg),
        (0.82, 0.90 * shoulder_width, 0.122 * leg),
        (0.95, 0.80 * shoulder_width, 0.092 * leg),
        (1.03, 0.42 * shoulder_width, 0.070 * leg),
    ]
    spine = [j for j in spine if skeleton.rest_positions[j][1] > hip_line[1]]
    line = np.array([hip_line, *skeleton.rest_positions[spine], base])
    # the crotch lies straight under the hips, whichever way the spine sets out
    crotch = hip_line - CROTCH * arc_lengths(line)[-1] * UP
    shifted = [((share + CROTCH) / (1 + CROTCH), width, depth) for share, width, depth in profile]
    return [
        loft.along(np.array([crotch, *line]), [hips, hips, *spine], shifted, across=LEFT, blend=0.05 * leg)
    ]


def _head(skeleton: Skeleton) -> list[Surface]:
    if not skeleton.has("head"):
        return []
    leg, head = skeleton.leg_length(), skeleton.joint("head")
    base = skeleton.rest_positions[head]
    middle = base + _skull_over_joint(skeleton) * leg * UP + 0.022 * leg * FORWARD
    out = [
        loft.ellipsoid(middle, np.array([0.093, SKULL_HALF, 0.115]) * leg, head),
        loft.ellipsoid(
            middle + leg * (0.115 * FORWARD - 0.02 * UP), np.array([0.018, 0.030, 0.026]) * leg, head
        ),
    ]
    below = skeleton.joint("neck") if skeleton.has("neck") else skeleton.tree.parent(head)
    if below >= 0:
        start = skeleton.rest_positions[below] - 0.04 * leg * UP
        out.append(loft.capsule(start, middle, NECK * leg, (below, head)))
    return out


def _skull_over_joint(skeleton: Skeleton) -> float:
    """How far the skull's middle lies over the head joint, in leg lengths.

    The skeleton's own top of the head is believed where it can be one. Else, as some captures have their head
    joint low in the neck, the top is where a person of these shoulders and legs has it.
    """
    leg, head = skeleton.leg_length(), skeleton.joint("head")
    base = skeleton.rest_positions[head][1]
    ends = skeleton.rest_ends[skeleton.end_parents == head][:, 1]
    own_top = float(ends.max(initial=-np.inf) - base) / leg
    if TOP_RANGE[0] <= own_top <= TOP_RANGE[1]:
        return own_top - SKULL_HALF
    roles = [f"{side}_upper_arm" for side in SIDES]
    if not skeleton.has(*roles):
        return SKULL_OVER_JOINT
    shoulders = float(np.mean([_at(skeleton, role)[1] for role in roles]))
    wanted = (shoulders - base) / leg + TOP_OVER_SHOULDERS - SKULL_HALF
    return float(np.clip(wanted, SKULL_OVER_JOINT, SKULL_OVER_JOINT + MOST_NECK))


def _limb(
    skeleton: Skeleton, roles: tuple[str, str, str], radii: tuple[float, float, float, float, float]
) -> list[Surface]:
    """A two-bone limb whose radius runs start, first middle, joint, second middle, end."""
    if not skeleton.has(*roles):
        return []
    leg = skeleton.leg_length()
    first, second, end = (skeleton.joint(r) for r in roles)
    line = skeleton.rest_positions[[first, second, end]]
    bend = float(np.linalg.norm(line[1] - line[0]))
    length = bend + float(np.linalg.norm(line[2] - line[1]))
    if length < 1e-6:
        return []
    knee = bend / length
    places = (0.0, 0.4 * knee, knee, knee + 0.35 * (1 - knee), 1.0)
    profile = [(place, r * leg, r * leg) for place, r in zip(places, radii, strict=True)]
    return [loft.along(line, [first, second], profile, across=LEFT, blend=0.05 * leg, rounded=True)]


def _leg(skeleton: Skeleton, side: str) -> list[Surface]:
    roles = (f"{side}_thigh", f"{side}_shank", f"{side}_foot")
    return _limb(skeleton, roles, (THIGH, 0.97 * THIGH, KNEE, CALF, ANKLE))


def _arm(skeleton: Skeleton, side: str) -> list[Surface]:
    roles = (f"{side}_upper_arm", f"{side}_forearm", f"{side}_hand")
    out = _limb(skeleton, roles, (SHOULDER, UPPER_ARM, ELBOW, FOREARM, WRIST))
    if out and skeleton.has("chest"):
        # fills the shoulder between trunk and arm
        carrier = skeleton.joint(f"{side}_clavicle" if skeleton.has(f"{side}_clavicle") else "chest")
        joint = skeleton.joint(f"{side}_upper_arm")
        inner = (
            0.6 * _at(skeleton, f"{side}_upper_arm") + 0.4 * skeleton.rest_positions[skeleton.joint("chest")]
        )
        inner[1] = skeleton.rest_positions[joint][1]
        out.append(
            loft.capsule(
                inner, skeleton.rest_positions[joint], SHOULDER * skeleton.leg_length(), (carrier, joint)
            )
        )
    return out


def _hand(skeleton: Skeleton, side: str) -> list[Surface]:
    """A palm towards the knuckles, and fingers where the skeleton has them."""
    if not skeleton.has(f"{side}_hand", f"{side}_forearm"):
        return []
    leg, hand = skeleton.leg_length(), skeleton.joint(f"{side}_hand")
    wrist = skeleton.rest_positions[hand]
    along = wrist - _at(skeleton, f"{side}_forearm")
    along = along / max(float(np.linalg.norm(along)), 1e-9)
    knuckles = [f"{side}_{finger}_1" for finger in FINGERS[1:] if skeleton.has(f"{side}_{finger}_1")]
    fingers: list[Surface] = []
    length = 0.21 * leg
    if len(knuckles) >= 3:
        middle = np.mean([_at(skeleton, r) for r in knuckles], axis=0)
        length = float(np.linalg.norm(middle - wrist))
        along = (middle - wrist) / max(length, 1e-9)
        fingers = [s for finger in FINGERS for s in _finger(skeleton, side, finger)]
    # the palm's broad side lies across arm and spread: knuckles tell, else the rest pose's forward
    spread = _at(skeleton, knuckles[0]) - _at(skeleton, knuckles[-1]) if len(knuckles) >= 3 else FORWARD
    profile = [
        (-0.05, 0.036 * leg, 0.024 * leg),
        (0.45, 0.050 * leg, 0.020 * leg),
        (1.0, 0.044 * leg, 0.013 * leg),
    ]
    line = np.array([wrist, wrist + length * along])
    return [loft.along(line, [hand], profile, across=spread, blend=0.0, rounded=True), *fingers]


def _finger(skeleton: Skeleton, side: str, finger: str) -> list[Surface]:
    joints = [skeleton.joint(r) for i in (1, 2, 3) if skeleton.has(r := f"{side}_{finger}_{i}")]
    if len(joints) < 2:
        return []
    line = [skeleton.rest_positions[j] for j in joints]
    line.append(line[-1] + 0.8 * (line[-1] - line[-2]))
    radius = FINGER * skeleton.leg_length() * (1.25 if finger == "thumb" else 1.0)
    profile = [(0.0, 1.1 * radius, 1.1 * radius), (0.6, radius, radius), (1.0, 0.75 * radius, 0.75 * radius)]
    return [
        loft.along(np.array(line), joints, profile, across=FORWARD, blend=0.3 * radius, rounded=True, sides=8)
    ]


def _foot(skeleton: Skeleton, side: str) -> list[Surface]:
    """A shoe on the sole's points; its front turns with the toe joint where there is one."""
    leg, foot = skeleton.leg_length(), skeleton.joint(f"{side}_foot")
    points = skeleton.foot_points(side)
    rest = (skeleton.rest_positions, skeleton.rest_orientations)
    heel, subtalar, ball, tip = attached(
        *rest, [foot] * 4, np.array([points.heel, points.subtalar, points.ball, points.toe])
    )
    rise = skeleton.rest_positions[foot] - subtalar
    rise = rise / max(float(np.linalg.norm(rise)), 1e-9)
    toe = skeleton.joint(f"{side}_toe") if skeleton.has(f"{side}_toe") else foot
    # half width and height of the shoe over each point of the sole
    sizes = [(heel, 0.036, 0.075), (subtalar, 0.044, 0.095), (ball, 0.056, 0.055), (tip, 0.040, 0.030)]
    line = np.array([p + 0.5 * h * leg * rise for p, _, h in sizes])
    # soles whose points coincide still need places for their rings
    steps = np.maximum(np.linalg.norm(np.diff(line, axis=0), axis=-1), loft.STUB)
    shares = np.concatenate([[0.0], np.cumsum(steps)]) / steps.sum()
    profile = [(float(s), w * leg, 0.5 * h * leg) for s, (_, w, h) in zip(shares, sizes, strict=True)]
    across = quat.cross(rise, tip - heel)
    return [loft.along(line, [foot, foot, toe], profile, across=across, blend=0.02 * leg, rounded=True)]


def _capsules(skeleton: Skeleton) -> list[Surface]:
    """A capsule along every bone and end site of a skeleton that is no person."""
    rest, ends = skeleton.rest_positions, skeleton.rest_ends
    bones = [(int(p), rest[p], rest[j]) for j, p in enumerate(skeleton.parents) if p >= 0]
    bones += [(int(p), rest[p], ends[i]) for i, p in enumerate(skeleton.end_parents)]
    lengths = [float(np.linalg.norm(b - a)) for _, a, b in bones]
    size = max(lengths, default=0.0) or 1.0
    out = [
        loft.capsule(a, b, 0.12 * length, (joint, joint))
        for (joint, a, b), length in zip(bones, lengths, strict=True)
        if length > 1e-3 * size
    ]
    return out or [loft.ellipsoid(rest[0], np.full(3, 0.1 * size), 0)]
