"""How far each joint of a person turns, by role, whatever frames a skeleton's joints have.

A joint's turn is told from the T-pose that faces +Z, in that pose's axes, relative to the bone above. It is
split into a twist about one axis and a swing across it. A ball joint twists about its bone and swings within
an ellipse in each quadrant; a hinge turns about the hinge's axis and has some play across it. Ranges hold
joint by joint: of joints that share a movement (spine, neck, pronation) each may take most of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Bool, Float, Int

from footfall.figure.frozen import frozen_array
from footfall.figure.naming import FINGERS
from footfall.figure.roles import SIDES
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat
from footfall.geometry.ground import LEFT, UP, wrap

Rotations = Float[np.ndarray, "*batch joints 4"]
Swings = Float[np.ndarray, "*batch 2"]
Span = tuple[float, float]

AXES = "xyz"  # left, up, forward
NEWTON_STEPS = 8  # to the nearest point of an ellipse; digits double with each


@dataclass(frozen=True)
class Range:
    """Degrees about the T-pose's left (x), up (y) and forward (z) axes, for a middle or a left joint."""

    axis: str  # of the twist
    x: Span
    y: Span
    z: Span
    hinged: bool = False  # the axis stays with the bone above, and swings are about axes that turned with it
    centre: tuple[float, float, float] = (0.0, 0.0, 0.0)  # the turn that the ranges are told from

    def mirrored(self) -> Range:
        """The same for the right side."""
        (y0, y1), (z0, z1), (a, b, c) = self.y, self.z, self.centre
        return replace(self, y=(-y1, -y0), z=(-z1, -z0), centre=(a, -b, -c))

    def shared(self, share: float) -> Range:
        x, y, z = ((share * low, share * high) for low, high in (self.x, self.y, self.z))
        return replace(self, x=x, y=y, z=z)

    @property
    def spans(self) -> Float[np.ndarray, "3 2"]:
        """Radians, the twist first, then the swings about the axes that follow it in turn."""
        first = AXES.index(self.axis)
        return np.radians([getattr(self, AXES[(first + i) % 3]) for i in range(3)])

    @property
    def frame(self) -> Float[np.ndarray, "4"]:
        """Turns x into the twist's axis, y and z into those of the swings."""
        return quat.from_axis_angle(np.ones(3), 2.0 * np.pi / 3.0 * AXES.index(self.axis))


# Healthy adults: American Academy of Orthopaedic Surgeons (1965; Greene and Heckman 1994), Boone and Azen
# (1979), Kapandji (Physiology of the Joints); clavicle: Neumann (Kinesiology); eyes: Lee et al. (2019).
# Skeletons are cruder than people: where captured people go beyond these tables, ranges are wider.
RANGES = {
    # extension 35 in the tables: captured pelves that rest tipped forward are made good by the lowest joint
    "spine": Range("y", x=(-50, 85), y=(-48, 48), z=(-38, 38)),  # all its joints together
    "neck": Range("y", x=(-70, 70), y=(-80, 80), z=(-45, 45)),  # with the head
    # flexion 125, extension 30 (here 35, as captured pelves do not move against the spine), rotation 45;
    # told from a thigh raised by 45, so that upright it abducts by 45 and adducts by 27
    "thigh": Range("y", x=(-80, 80), y=(-45, 50), z=(-35, 55), centre=(-45, 0, 0)),
    "shank": Range("x", x=(-5, 145), y=(-10, 10), z=(-8, 8), hinged=True),
    # dorsiflexion 40 in a lunge: captured feet rest with their toes up by 10 degrees; turned aside by 20:
    # captured knees only bend, so what the shank turns about itself shows here
    "foot": Range("x", x=(-48, 55), y=(-40, 40), z=(-32, 22), hinged=True),
    "toe": Range("x", x=(-75, 30), y=(-10, 10), z=(-10, 10), hinged=True),
    "clavicle": Range("x", x=(-50, 10), y=(-30, 30), z=(-12, 45)),
    # flexion 170, extension 55, abduction 175, across the body 130; told from an arm before and below its
    # T-pose. Wider: a level arm goes 75 back (45), and an arm raised forwards arrives turned by 122 (90)
    "upper_arm": Range("x", x=(-130, 80), y=(-100, 115), z=(-105, 110), centre=(0, -40, -20)),
    # elbows of a T-pose bend forwards, but those of CMU's 30 degrees upwards of that: hence the play upwards
    "forearm": Range("y", x=(-80, 80), y=(-150, 5), z=(-12, 42), hinged=True),
    "hand": Range("x", x=(-80, 80), y=(-20, 35), z=(-75, 70), hinged=True),
    "eye": Range("z", x=(-28, 47), y=(-45, 45), z=(-10, 10)),
    "thumb_1": Range("y", x=(-40, 40), y=(-30, 50), z=(-40, 40)),
    "thumb_2": Range("y", x=(-20, 20), y=(-15, 60), z=(-20, 20), hinged=True),
    "thumb_3": Range("y", x=(-20, 20), y=(-20, 80), z=(-20, 20), hinged=True),
    "finger_1": Range("z", x=(-12, 12), y=(-22, 22), z=(-90, 40), hinged=True),
    "finger_2": Range("z", x=(-10, 10), y=(-10, 10), z=(-105, 8), hinged=True),
    "finger_3": Range("z", x=(-10, 10), y=(-10, 10), z=(-80, 12), hinged=True),
}
FREE = Range("x", x=(-180, 180), y=(-360, 360), z=(-360, 360))
LUMBAR_SHARE = 0.7  # of the whole spine, for its lowest joint: captured trunks bend there most
THORACIC_SHARE = 1.5  # of the whole, over the number of joints, for each of the others
NECK_SHARE = 0.65  # for neck and head each, where there are both


@dataclass(frozen=True, eq=False)
class JointLimits:
    """Ranges of all joints of one skeleton; joints that nothing is known of are free. See `limits_of`."""

    before: Float[np.ndarray, "joints 4"]  # before * rotation * after is the turn that is limited,
    after: Float[np.ndarray, "joints 4"]  # its twist about x
    twist: Float[np.ndarray, "joints 2"]  # rad
    swing: Float[np.ndarray, "joints 2 2"]  # rad, about y and about z: least (negative), most (positive)
    sign: Float[np.ndarray, "joints"]  # 1 where the swing comes after the twist, -1 before it (hinged)

    def __post_init__(self) -> None:
        for name in ("before", "after", "twist", "swing", "sign"):
            object.__setattr__(self, name, frozen_array(getattr(self, name), name))


def limits_of(skeleton: Skeleton) -> JointLimits:
    """The limits of a skeleton's joints, from their roles and its rest pose."""
    ranges = [FREE] * len(skeleton)
    for joint, limit in _ranges(skeleton):
        ranges[joint] = limit
    frames = np.stack([limit.frame for limit in ranges])
    centres = quat.exp(np.radians([limit.centre for limit in ranges]))
    spans = np.stack([limit.spans for limit in ranges])
    rest, bent = skeleton.rest_orientations, _from_t_pose(skeleton)
    told_from = quat.multiply(_of_parents(skeleton, bent), quat.multiply(centres, frames))
    return JointLimits(
        before=quat.multiply(quat.conjugate(told_from), _of_parents(skeleton, rest)),
        after=quat.multiply(quat.conjugate(rest), quat.multiply(bent, frames)),
        twist=spans[:, 0],
        swing=spans[:, 1:],
        sign=np.array([-1.0 if limit.hinged else 1.0 for limit in ranges]),
    )


def _of_parents(skeleton: Skeleton, turns: Rotations) -> Rotations:
    return np.concatenate([quat.identity(1), turns[skeleton.parents[1:]]])


def _ranges(skeleton: Skeleton) -> Iterator[tuple[int, Range]]:
    """Joints that are limited, and how."""
    for role, joint in skeleton.roles.items():
        side, _, part = role.partition("_")
        finger, _, segment = part.partition("_")
        name = f"finger_{segment}" if finger in FINGERS[1:] else part
        if side in SIDES and name in RANGES:
            yield joint, RANGES[name] if side == "left" else RANGES[name].mirrored()
    necks = [skeleton.joint(role) for role in ("neck", "head") if skeleton.has(role)]
    yield from ((joint, RANGES["neck"].shared(NECK_SHARE if len(necks) == 2 else 1.0)) for joint in necks)
    if skeleton.has("hips", "chest"):
        spine = skeleton.tree.path(skeleton.joint("hips"), skeleton.joint("chest"))[1:]
        upper = min(LUMBAR_SHARE, THORACIC_SHARE / max(len(spine), 1))
        shares = [1.0] if len(spine) == 1 else [LUMBAR_SHARE, *[upper] * (len(spine) - 1)]
        yield from ((j, RANGES["spine"].shared(share)) for j, share in zip(spine, shares, strict=False))


def _from_t_pose(skeleton: Skeleton) -> Float[np.ndarray, "joints 4"]:
    """How far each bone of the rest pose is turned from the T-pose: arms that hang, knees that rest bent."""
    role_of = {joint: role for role, joint in skeleton.roles.items()}
    bent = quat.identity(len(skeleton))
    for joint, parent in enumerate(skeleton.tree.parents):
        if parent >= 0:
            bent[joint] = bent[parent]  # as straight as the bone above
        bone = _bone(skeleton, role_of.get(joint, ""))
        if bone is not None and np.linalg.norm(bone[1]) > 1e-9:
            bent[joint] = quat.between(*bone)
    return bent


def _bone(skeleton: Skeleton, role: str) -> tuple[np.ndarray, np.ndarray] | None:
    """A limb's direction in the T-pose and at rest; a foot's is that from the ankle to its sole."""
    side, _, part = role.partition("_")
    if part == "foot" and side in skeleton.sides:
        turn = skeleton.rest_orientations[skeleton.joint(role)]
        return -UP, quat.rotate(turn, skeleton.foot_points(side).subtalar)
    end = {"thigh": "shank", "shank": "foot", "upper_arm": "forearm", "forearm": "hand"}.get(part)
    if end is None or not skeleton.has(f"{side}_{end}"):
        return None
    start, stop = (skeleton.rest_positions[skeleton.joint(r)] for r in (role, f"{side}_{end}"))
    outwards = LEFT if side == "left" else -LEFT
    return (outwards if "arm" in part else -UP), stop - start


def excess(limits: JointLimits, rotations: Rotations) -> Float[np.ndarray, "*batch joints"]:
    """By how much joints are turned beyond their limits: the angle, rad, to where `clamped` puts them."""
    given = frozen_array(rotations, "rotations", shape=limits.before.shape)
    outside, nearest = _nearest(limits, given)
    out = np.zeros(outside.shape)
    out[outside] = quat.angle_between(quat.normalize(given[outside]), nearest)
    return out


def clamped(limits: JointLimits, rotations: Rotations) -> Rotations:
    """Joint rotations within their limits: unchanged inside, else of the nearest twist and nearest swing."""
    given = frozen_array(rotations, "rotations", shape=limits.before.shape)
    outside, nearest = _nearest(limits, given)
    out = given.copy()
    out[outside] = nearest
    return out


def _nearest(
    limits: JointLimits, rotations: Rotations
) -> tuple[Bool[np.ndarray, "*batch joints"], Float[np.ndarray, "outside 4"]]:
    """Which rotations are beyond their limits, and for these the nearest within."""
    turn = quat.multiply(quat.multiply(limits.before, quat.normalize(rotations)), limits.after)
    w, x, y, z = np.moveaxis(turn, -1, 0)
    half = np.arctan2(x, w)  # of the twist; none where the swing is half a turn
    cosine, sine = np.cos(half), limits.sign * np.sin(half)
    across = np.stack([y * cosine - z * sine, z * cosine + y * sine], axis=-1)
    length = np.linalg.norm(across, axis=-1)
    angle = 2.0 * np.arctan2(length, np.hypot(w, x))
    swing = across * (angle / np.where(length > 0.0, length, 1.0))[..., None]
    low, high = limits.twist.T
    twist = 0.5 * (low + high) + wrap(2.0 * half - 0.5 * (low + high))
    held = np.clip(twist, low, high)
    radii = np.where(swing < 0.0, -limits.swing[..., 0], limits.swing[..., 1])
    wide = np.sum((swing / radii) ** 2, axis=-1) > 1.0
    swing[wide] = np.copysign(_on_ellipse(np.abs(swing[wide]), radii[wide]), swing[wide])
    outside = wide | (held != twist)
    nearest = _composed(limits, np.nonzero(outside)[-1], held[outside], swing[outside])
    opposite = np.sum(nearest * rotations[outside], axis=-1, keepdims=True) < 0.0
    return outside, np.where(opposite, -nearest, nearest)


def _on_ellipse(points: Swings, radii: Swings) -> Swings:
    """The nearest points r^2 p / (t + r^2) of ellipses to points p outside, all in the first quadrant.

    There the sum of (r p / (t + r^2))^2 is 1 (Eberly, Distance from a Point to an Ellipse). It is convex in
    t: Newton's steps from below the root stay below it.
    """
    squares = radii**2
    t = np.max(radii * points - squares, axis=-1, keepdims=True)
    for _ in range(NEWTON_STEPS):
        shares = (radii * points / (t + squares)) ** 2
        slope = -2.0 * np.sum(shares / (t + squares), axis=-1, keepdims=True)
        t = t - (shares.sum(axis=-1, keepdims=True) - 1.0) / slope
    return squares * points / (t + squares)


def _composed(
    limits: JointLimits, joints: Int[np.ndarray, "n"], twist: Float[np.ndarray, "n"], swing: Swings
) -> Float[np.ndarray, "n 4"]:
    """Joint rotations from twists and swings."""
    half = 0.5 * np.linalg.norm(swing, axis=-1)
    y, z = np.moveaxis(0.5 * np.sinc(half / np.pi)[..., None] * swing, -1, 0)
    cosine, sine, length = np.cos(0.5 * twist), np.sin(0.5 * twist), np.cos(half)
    turned = limits.sign[joints] * sine
    turn = [length * cosine, length * sine, y * cosine + z * turned, z * cosine - y * turned]
    before, after = quat.conjugate(limits.before[joints]), quat.conjugate(limits.after[joints])
    return quat.multiply(quat.multiply(before, np.stack(turn, axis=-1)), after)
