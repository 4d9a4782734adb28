"""How far each joint of a person turns, by role, whatever frames a skeleton's joints have.

A joint's turn is told from the T-pose that faces +Z, in that pose's world axes, relative to the bone above. It
is split into a twist about one axis and a swing across it. A ball joint twists about its bone and swings within
an ellipse of its own in each quadrant; a hinge turns about the hinge's axis, with some play across it. Ranges
hold joint by joint: joints that share a movement (spine, neck, pronation) may each take most of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Bool, Float

from footfall.figure.frozen import frozen_array
from footfall.figure.naming import FINGERS
from footfall.figure.roles import SIDES
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat
from footfall.geometry.ground import LEFT, UP, wrap

Rotations = Float[np.ndarray, "*batch joints 4"]
Span = tuple[float, float]

AXES = "xyz"  # left, up, forward
NEWTON_STEPS = 8  # to the nearest point of an ellipse; digits double with each


@dataclass(frozen=True)
class Range:
    """Degrees about the T-pose's left (x), up (y) and forward (z) axes, of a middle or a left joint."""

    axis: str  # of the twist
    x: Span
    y: Span
    z: Span
    hinged: bool = False  # the axis stays with the bone above, and swings are about axes that turned with it
    centre: tuple[float, float, float] = (0.0, 0.0, 0.0)  # the turn that the ranges are told from
    tilt: float = 0.0  # of the axes about x

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
        third = 2.0 * np.pi / 3.0 * AXES.index(self.axis)
        return quat.multiply(
            quat.from_axis_angle(LEFT, np.radians(self.tilt)), quat.from_axis_angle(np.ones(3), third)
        )


# Healthy adults: American Academy of Orthopaedic Surgeons (1965; Greene and Heckman 1994), Boone and Azen 1979,
# Kapandji (The Physiology of the Joints), clavicle: Neumann (Kinesiology of the Musculoskeletal System), eyes: Lee
# et al. 2019. Skeletons are cruder than people, and so some ranges are wider; "captured" says why.
RANGES = {
    # together: flexion 85, extension 35, to the side 38, axial 48. Captured pelves tip forward by 20 degrees
    # and more where nothing moves between hips and thighs, and the lowest spine joint makes that good: 50
    "spine": Range("y", x=(-50, 85), y=(-48, 48), z=(-38, 38)),
    # together: flexion 70, extension 70, to the side 45, axial 80
    "neck": Range("y", x=(-70, 70), y=(-80, 80), z=(-45, 45)),
    # flexion 125, extension 30, abduction 45, adduction 30, rotation 45, told from a thigh raised by 45 degrees
    "thigh": Range("y", x=(-80, 80), y=(-45, 50), z=(-35, 55), centre=(-45, 0, 0)),
    "shank": Range("x", x=(-5, 145), y=(-10, 10), z=(-8, 8), hinged=True),
    "foot": Range("x", x=(-48, 55), y=(-40, 40), z=(-32, 22), hinged=True),
    "toe": Range("x", x=(-75, 30), y=(-10, 10), z=(-10, 10), hinged=True),
    "clavicle": Range("x", x=(-50, 10), y=(-30, 30), z=(-12, 45)),
    "upper_arm": Range("x", x=(-90, 80), y=(-100, 115), z=(-105, 110), centre=(0, -40, -20)),
    "forearm": Range("y", x=(-80, 80), y=(-150, 5), z=(-18, 18), hinged=True, tilt=-15),
    "hand": Range("x", x=(-80, 80), y=(-20, 35), z=(-75, 70), hinged=True),
    "eye": Range("z", x=(-28, 47), y=(-45, 45), z=(-10, 10)),
    "thumb_1": Range("y", x=(-40, 40), y=(-30, 50), z=(-40, 40)),
    "thumb_2": Range("y", x=(-20, 20), y=(-15, 60), z=(-20, 20), hinged=True),
    "thumb_3": Range("y", x=(-20, 20), y=(-20, 85), z=(-20, 20), hinged=True),
    "finger_1": Range("z", x=(-12, 12), y=(-22, 22), z=(-90, 40), hinged=True),
    "finger_2": Range("z", x=(-10, 10), y=(-10, 10), z=(-105, 8), hinged=True),
    "finger_3": Range("z", x=(-10, 10), y=(-10, 10), z=(-80, 12), hinged=True),
}
FREE = Range("x", x=(-180, 180), y=(-360, 360), z=(-360, 360))
LUMBAR_SHARE = 0.7  # of the whole spine, for its lowest joint: captured trunks bend there most
THORACIC_SHARE = 1.5  # of the whole, over the number of joints, for the others
NECK_SHARE = 0.65  # for neck and head each, where there are both


@dataclass(frozen=True, eq=False)
class JointLimits:
    """Ranges of all joints of one skeleton; joints that nothing is known of are free. See `limits_of`."""

    before: Float[np.ndarray, "joints 4"]  # before * rotation * after is the turn that is limited,
    after: Float[np.ndarray, "joints 4"]  # its x axis that of the twist
    twist: Float[np.ndarray, "joints 2"]  # rad
    swing: Float[np.ndarray, "joints 2 2"]  # rad, about y and about z: least (negative), most (positive)
    hinged: Bool[np.ndarray, "joints"]

    def __post_init__(self) -> None:
        for name in ("before", "after", "twist", "swing"):
            object.__setattr__(self, name, frozen_array(getattr(self, name), name))
        hinged = np.array(self.hinged, dtype=bool)
        hinged.flags.writeable = False
        object.__setattr__(self, "hinged", hinged)


def limits_of(skeleton: Skeleton) -> JointLimits:
    """The limits of a skeleton's joints, from their roles and its rest pose."""
    ranges = [FREE] * len(skeleton)
    for joint, span in _ranges(skeleton):
        ranges[joint] = span
    frames = np.stack([span.frame for span in ranges])
    centres = quat.exp(np.radians([span.centre for span in ranges]))
    spans = np.stack([span.spans for span in ranges])
    bent = _from_t_pose(skeleton)
    above = [max(parent, 0) for parent in skeleton.tree.parents]
    rest_above = np.array(skeleton.rest_orientations[above])
    bent_above = bent[above]
    rest_above[0] = bent_above[0] = quat.identity()
    to_turn = quat.multiply(quat.conjugate(quat.multiply(centres, frames)), quat.conjugate(bent_above))
    return JointLimits(
        before=quat.multiply(to_turn, rest_above),
        after=quat.multiply(quat.conjugate(skeleton.rest_orientations), quat.multiply(bent, frames)),
        twist=spans[:, 0],
        swing=spans[:, 1:],
        hinged=np.array([span.hinged for span in ranges]),
    )


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
        others = min(LUMBAR_SHARE, THORACIC_SHARE / max(len(spine), 1))
        for i, joint in enumerate(spine):
            share = 1.0 if len(spine) == 1 else others if i else LUMBAR_SHARE
            yield joint, RANGES["spine"].shared(share)


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


def _bone(skeleton: Skeleton, role: str) -> tuple[Float[np.ndarray, "3"], Float[np.ndarray, "3"]] | None:
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
    rotations = _checked(limits, rotations)
    inside, nearest = _nearest(limits, rotations)
    return np.where(inside, 0.0, quat.angle_between(rotations, nearest))


def clamped(limits: JointLimits, rotations: Rotations) -> Rotations:
    """Joint rotations within their limits: unchanged inside, else the nearest twist and the nearest swing."""
    rotations = _checked(limits, rotations)
    inside, nearest = _nearest(limits, rotations)
    return np.where(inside[..., None], rotations, nearest)


def _checked(limits: JointLimits, rotations: Rotations) -> Rotations:
    return frozen_array(rotations, "rotations", shape=(len(limits.hinged), 4))


def _nearest(
    limits: JointLimits, rotations: Rotations
) -> tuple[Bool[np.ndarray, "*batch joints"], Rotations]:
    """Which rotations are within their limits, and for all the nearest that is."""
    turn = quat.multiply(quat.multiply(limits.before, quat.normalize(rotations)), limits.after)
    w, x, y, z = np.moveaxis(turn, -1, 0)
    length = np.hypot(w, x)
    known = length > 1e-12  # a swing by half a turn has no twist of its own
    cosine, sine = (np.where(known, part / np.where(known, length, 1.0), one) for part, one in ((w, 1), (x, 0)))
    # the twist taken off: from the right where the axis turns with the bone, from the left where it is hinged
    sign = np.where(limits.hinged, -1.0, 1.0)
    across = np.stack([y * cosine - sign * z * sine, z * cosine + sign * y * sine], axis=-1)
    half = np.linalg.norm(across, axis=-1)
    swing = across * (2.0 * np.arctan2(half, length) / np.where(half > 0.0, half, 1.0))[..., None]
    middle = limits.twist.mean(axis=-1)
    twist = middle + wrap(2.0 * np.arctan2(sine, cosine) - middle)
    held = np.clip(twist, limits.twist[:, 0], limits.twist[:, 1])
    within = _within(limits.swing, swing)
    inside = (held == twist) & (within == swing).all(axis=-1)
    return inside, _composed(limits, held, within, rotations)


def _within(spans: Float[np.ndarray, "joints 2 2"], swing: Float[np.ndarray, "*batch joints 2"]) -> np.ndarray:
    """Swings drawn to the nearest point of their quadrant's ellipse where they are outside it."""
    radii = np.where(swing < 0.0, -spans[..., 0], spans[..., 1])
    outside = np.sum((swing / radii) ** 2, axis=-1) > 1.0
    out = swing.copy()
    out[outside] = np.copysign(_on_ellipse(np.abs(swing[outside]), radii[outside]), swing[outside])
    return out


def _on_ellipse(points: Float[np.ndarray, "n 2"], radii: Float[np.ndarray, "n 2"]) -> Float[np.ndarray, "n 2"]:
    """The nearest points of ellipses to points outside, all in the first quadrant.

    They are r^2 p / (t + r^2), where sum (r p / (t + r^2))^2 = 1 (Eberly, Distance from a Point to an Ellipse).
    The sum is convex in t, so that Newton's steps from below the root stay below it.
    """
    squares = radii**2
    t = np.max(radii * points - squares, axis=-1, keepdims=True)
    for _ in range(NEWTON_STEPS):
        shares = (radii * points / (t + squares)) ** 2
        slope = -2.0 * np.sum(shares / (t + squares), axis=-1, keepdims=True)
        t = t - (shares.sum(axis=-1, keepdims=True) - 1.0) / slope
    return squares * points / (t + squares)


def _composed(
    limits: JointLimits,
    twist: Float[np.ndarray, "*batch joints"],
    swing: Float[np.ndarray, "*batch joints 2"],
    like: Rotations,
) -> Rotations:
    """Joint rotations from twist and swing, of the same sign as others."""
    half = 0.5 * np.linalg.norm(swing, axis=-1)
    y, z = np.moveaxis(0.5 * np.sinc(half / np.pi)[..., None] * swing, -1, 0)
    cosine, sine, length = np.cos(0.5 * twist), np.sin(0.5 * twist), np.cos(half)
    sign = np.where(limits.hinged, -1.0, 1.0)
    parts = [length * cosine, length * sine, y * cosine + sign * z * sine, z * cosine - sign * y * sine]
    turn = np.stack(parts, axis=-1)
    out = quat.multiply(quat.multiply(quat.conjugate(limits.before), turn), quat.conjugate(limits.after))
    return np.where(np.sum(out * like, axis=-1, keepdims=True) < 0.0, -out, out)
