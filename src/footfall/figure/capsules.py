"""A body as capsules: what of a figure may touch things, bone by bone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat

# radii as shares of leg length (see `mannequin`), by the role a bone begins at; a bone ends at the next role
LIMBS = {
    "thigh": ("shank", 0.085),
    "shank": ("foot", 0.055),
    "upper_arm": ("forearm", 0.050),
    "forearm": ("hand", 0.040),
}
TRUNK = (("hips", "chest", 0.125), ("chest", "neck", 0.120), ("head", "", 0.100))
HAND = 0.045
FINGERTIPS = 0.12  # of leg length from wrist to fingertips, where nothing tells
TOP = 0.16  # of leg length from the head's joint to the middle of the upper skull


@dataclass(frozen=True, eq=False)
class BodyCapsules:
    """Segments between two points, each of which is fixed in a joint's frame, and their radii."""

    names: tuple[str, ...]  # of the role that each begins at
    joints: Int[np.ndarray, "capsules 2"]
    points: Float[np.ndarray, "capsules 2 3"]  # in the joints' frames
    radii: Float[np.ndarray, "capsules"]

    def __len__(self) -> int:
        return len(self.names)

    def ends(
        self, positions: Float[np.ndarray, "*n joints 3"], orientations: Float[np.ndarray, "*n joints 4"]
    ) -> Float[np.ndarray, "*n capsules 2 3"]:
        """Where segments begin and end in the world."""
        turns = orientations[..., self.joints, :]
        points = np.broadcast_to(self.points, (*turns.shape[:-1], 3))
        return positions[..., self.joints, :] + quat.rotate(turns, points)

    def only(self, roles: tuple[str, ...]) -> BodyCapsules:
        """Those that begin at some roles."""
        own = np.array([name in roles for name in self.names])
        return BodyCapsules(
            tuple(np.array(self.names)[own]), self.joints[own], self.points[own], self.radii[own]
        )


def body_capsules(skeleton: Skeleton) -> BodyCapsules:
    """Of a figure: trunk, head, limbs and hands; feet are left to the ground."""
    leg = skeleton.leg_length()
    rows: list[tuple[str, int, int, Float[np.ndarray, "3"], Float[np.ndarray, "3"], float]] = []
    none = np.zeros(3)
    for first, last, share in TRUNK:
        if last and skeleton.has(first, last):
            rows.append((first, skeleton.joint(first), skeleton.joint(last), none, none, share * leg))
        elif not last and skeleton.has(first):
            up = _in_frame(skeleton, first, np.array([0.0, TOP * leg, 0.0]))
            rows.append((first, skeleton.joint(first), skeleton.joint(first), 0.3 * up, up, share * leg))
    for side in skeleton.sides:
        for part, (next_part, share) in LIMBS.items():
            first, last = f"{side}_{part}", f"{side}_{next_part}"
            if skeleton.has(first, last):
                rows.append((first, skeleton.joint(first), skeleton.joint(last), none, none, share * leg))
        if skeleton.has(f"{side}_hand"):
            hand = skeleton.joint(f"{side}_hand")
            tip = _fingers_end(skeleton, side, leg)
            rows.append((f"{side}_hand", hand, hand, none, tip, HAND * leg))
    return BodyCapsules(
        tuple(row[0] for row in rows),
        np.array([[row[1], row[2]] for row in rows]),
        np.array([[row[3], row[4]] for row in rows]),
        np.array([row[5] for row in rows]),
    )


def _in_frame(skeleton: Skeleton, role: str, vector: Float[np.ndarray, "3"]) -> Float[np.ndarray, "3"]:
    return quat.rotate(quat.conjugate(skeleton.rest_orientations[skeleton.joint(role)]), vector)


def _fingers_end(skeleton: Skeleton, side: str, leg: float) -> Float[np.ndarray, "3"]:
    """In the hand's frame: the knuckles of the middle finger and a little more, or along the forearm."""
    hand, rest = skeleton.joint(f"{side}_hand"), skeleton.rest_positions
    if skeleton.has(f"{side}_middle_1"):
        ahead = rest[skeleton.joint(f"{side}_middle_1")] - rest[hand]
        return _in_frame(skeleton, f"{side}_hand", 1.3 * ahead)
    ahead = rest[hand] - rest[skeleton.joint(f"{side}_forearm")]
    return _in_frame(skeleton, f"{side}_hand", FINGERTIPS * leg * ahead / np.linalg.norm(ahead))
