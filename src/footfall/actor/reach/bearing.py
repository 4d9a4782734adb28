"""How a body is borne while its feet stay, in 27 numbers: hips, spine, two arms, and where that puts it.

Numbers are turns away from the posture at rest (rad) and the shift of the hips (m); those of the right arm
are told as the left's mirror image. Everything is worked out for many rows at once, with rotation matrices,
which is what makes a search over postures quick; legs are the plain two-link ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float

from footfall.actor.gait.legs import KNEE_FOLLOWS_FOOT
from footfall.actor.reach.station import Station
from footfall.figure.roles import SIDES
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.geometry.ground import FORWARD, LEFT
from footfall.ik.two_link import arm_of

Rows = Float[np.ndarray, "n 27"]
Points = Float[np.ndarray, "n 3"]
Pairs = Float[np.ndarray, "n 2 3"]  # of the left and the right

SHIFT, HIPS, SPINE = slice(0, 3), slice(3, 6), slice(6, 9)
BODY = 9
# of one arm: the clavicle back (y) and up (z), the upper arm back (x) and outwards (z), its twist, the elbow,
# and the hand: pronation, deviation, bend
ARM = 9
GIRDLE, SWING, TWIST, ELBOW, HAND = slice(0, 2), slice(2, 4), 4, 5, slice(6, 9)
COUNT = BODY + 2 * ARM
MIRROR = np.array([[1.0, 1.0, 1.0], [1.0, -1.0, -1.0]])  # of rotation vectors, left and right
SPINE_JOINTS = ("spine", "spine_2", "chest")
SPINE_SHARES = np.array([[0.30, 0.20, 0.30], [0.38, 0.40, 0.37], [0.32, 0.40, 0.33]])  # of bend, twist, side
PRONATED_BELOW_ELBOW = 0.5  # of a pronation, along the forearm; the rest is the wrist's
# de Leva 1996, shares of body mass: lower, middle and upper trunk, head; then upper arm, forearm with hand,
# thigh, shank and foot of one side
TRUNK_MASS = np.array([0.112, 0.163, 0.160, 0.069])
LIMB_MASS = np.array([0.027, 0.022, 0.142, 0.043, 0.014])


@dataclass(frozen=True, eq=False)
class Borne:
    """Rows of bodies: where joints are and how they are turned (matrices), in the world."""

    hips: Float[np.ndarray, "n 3 3"]
    chest: Float[np.ndarray, "n 3 3"]
    root: Points
    ribs: Points  # the chest's joint
    neck: Points
    head: Points  # the middle of the skull
    shoulder: Pairs
    elbow: Pairs
    wrist: Pairs
    knuckle: Pairs  # of the middle fingers
    hand: Float[np.ndarray, "n 2 3 3"]
    hip: Pairs
    knee: Pairs
    ankle: Pairs
    stretch: Float[np.ndarray, "n 2"]  # of the legs: hip to ankle over their length
    mass: Points  # its centre

    def touching(self, point: Float[np.ndarray, "2 3"]) -> Pairs:
        """Where points fixed in the hands' frames are."""
        return self.wrist + _turned(self.hand, point)


@dataclass(frozen=True, eq=False)
class Bearing:
    """Turns the numbers into bodies, and into joint rotations."""

    station: Station

    @cached_property
    def _offsets(self) -> dict[str, np.ndarray]:
        skeleton = self.station.skeleton
        chain = {role: skeleton.offsets[skeleton.index(role)] for role in (*SPINE_JOINTS, "neck", "head")}
        top = skeleton.end_offsets[skeleton.end_parents == skeleton.joint("head")]
        chain["skull"] = 0.5 * top.max(axis=0) if len(top) else chain["head"]
        for part in ("clavicle", "upper_arm", "forearm", "hand", "middle_1", "thigh"):
            chain[part] = np.stack([skeleton.offsets[skeleton.joint(f"{s}_{part}")] for s in SIDES])
        return chain

    @cached_property
    def _at_rest(self) -> dict[str, np.ndarray]:
        turn = self.station.turn
        out = {role: turn(role) for role in ("hips", *SPINE_JOINTS, "neck", "head")}
        for part in ("clavicle", "upper_arm", "forearm", "hand"):
            out[part] = np.stack([turn(f"{side}_{part}") for side in SIDES])
        return out

    @cached_property
    def _legs(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Lengths of thighs and shanks, ankles, headings of the feet; the left's and the right's."""
        skeleton, station = self.station.skeleton, self.station
        lengths = np.linalg.norm(
            [[skeleton.offsets[skeleton.joint(f"{s}_{p}")] for p in ("shank", "foot")] for s in SIDES],
            axis=-1,
        )
        ankles = np.concatenate([station.foot(side, 1).ankle for side in SIDES])
        return lengths, ankles, np.array([station.feet[side].heading for side in SIDES])

    @cached_property
    def elbow_axes(self) -> Float[np.ndarray, "2 3"]:
        """About which elbows bend, in the upper arms' frames."""
        return np.stack([arm_of(self.station.skeleton, side).axis for side in SIDES])

    @cached_property
    def bones(self) -> Float[np.ndarray, "2 3"]:
        """Along the upper arms, in their frames (the forearms' are alike)."""
        along = self._offsets["forearm"]
        return along / np.linalg.norm(along, axis=-1, keepdims=True)

    @cached_property
    def between_hips(self) -> Float[np.ndarray, "3"]:
        return self._offsets["thigh"].mean(axis=0)

    def turns(self, rows: Rows) -> dict[str, Float[np.ndarray, "n ... 3"]]:
        """Rotation vectors of all moved joints; an upper arm has three, to be multiplied, a forearm two."""
        rest = self._at_rest
        arms = rows[:, BODY:].reshape(len(rows), 2, ARM)
        zero = np.zeros((len(rows), 2, 1))
        out = {"hips": rest["hips"] + rows[:, HIPS]}
        for joint, shares in zip(SPINE_JOINTS, SPINE_SHARES, strict=True):
            out[joint] = rest[joint] + shares * rows[:, SPINE]
        out["clavicle"] = rest["clavicle"] + MIRROR * np.concatenate([zero, arms[..., GIRDLE]], axis=-1)
        swing = arms[..., SWING]
        out["swing"] = MIRROR * np.concatenate([swing[..., :1], zero, swing[..., 1:]], axis=-1)
        out["hanging"] = np.broadcast_to(rest["upper_arm"], (*swing.shape[:-1], 3))
        sides = np.array([1.0, -1.0])[:, None]
        out["twist"] = arms[..., [TWIST]] * self.bones * sides
        out["forearm"] = rest["forearm"] + arms[..., [ELBOW]] * self.elbow_axes
        hand = MIRROR * arms[..., HAND]
        roll = PRONATED_BELOW_ELBOW * hand[..., :1]
        out["roll"] = roll * LEFT
        out["hand"] = rest["hand"] + hand - roll * LEFT
        return out

    def bodies(self, rows: Rows) -> Borne:
        """Rows of bodies."""
        turns, offset = _matrices(self.turns(rows)), self._offsets
        n = len(rows)
        hips = turns["hips"]
        rest_hips = quat.rotate(quat.exp(self._at_rest["hips"]), self.between_hips)
        # hips turn about the middle between the hip joints, so that turning them moves no leg
        pivot = self.station.root + rest_hips + rows[:, SHIFT]
        root = pivot - _turned(hips, self.between_hips)
        places, turn, place = [], hips, root
        for joint in SPINE_JOINTS:
            place = place + _turned(turn, offset[joint])
            turn = turn @ turns[joint]
            places.append(place)
        neck = place + _turned(turn, offset["neck"])
        head = neck + _turned(turn, offset["head"] + offset["skull"])
        chest = turn[:, None]
        base = place[:, None] + _turned(chest, offset["clavicle"])
        girdle = chest @ turns["clavicle"]
        shoulder = base + _turned(girdle, offset["upper_arm"])
        upper = girdle @ turns["swing"] @ turns["hanging"] @ turns["twist"]
        elbow = shoulder + _turned(upper, offset["forearm"])
        forearm = upper @ turns["forearm"] @ turns["roll"]
        wrist = elbow + _turned(forearm, offset["hand"])
        hand = forearm @ turns["hand"]
        hip = root[:, None] + _turned(hips[:, None], offset["thigh"])
        knee, stretch = self._knees(hip, hips, root)
        ankle = np.broadcast_to(self._legs[1], (n, 2, 3))
        trunk = np.stack([root, places[0], 0.5 * (place + neck), head], axis=1)
        limbs = np.stack(
            [
                0.56 * shoulder + 0.44 * elbow,
                0.4 * elbow + 0.6 * wrist,
                0.6 * hip + 0.4 * knee,
                0.57 * knee + 0.43 * ankle,
                ankle + 0.05 * self.station.leg * FORWARD,
            ],
            axis=1,
        )
        mass = np.einsum("nki,k->ni", trunk, TRUNK_MASS) + np.einsum("nksi,k->ni", limbs, LIMB_MASS)
        return Borne(
            hips=hips,
            chest=turn,
            root=root,
            ribs=place,
            neck=neck,
            head=head,
            shoulder=shoulder,
            elbow=elbow,
            wrist=wrist,
            knuckle=wrist + _turned(hand, offset["middle_1"]),
            hand=hand,
            hip=hip,
            knee=knee,
            ankle=ankle,
            stretch=stretch,
            mass=mass,
        )

    def _knees(
        self, hip: Pairs, hips: Float[np.ndarray, "n 3 3"], root: Points
    ) -> tuple[Pairs, Float[np.ndarray, "n 2"]]:
        """Where knees are, and how far legs are stretched."""
        lengths, ankles, headings = self._legs
        facing = ground.heading_of(hips[:, :, 2])[:, None]
        outwards = self.station.knees_outwards(root[:, 1])[:, None] * [1.0, -1.0]
        ahead = ground.direction_of(facing + KNEE_FOLLOWS_FOOT * ground.wrap(headings - facing) + outwards)
        along = ankles - hip
        distance = np.linalg.norm(along, axis=-1)
        along = along / distance[..., None]
        across = ahead - np.sum(ahead * along, axis=-1, keepdims=True) * along
        across = across / np.maximum(np.linalg.norm(across, axis=-1, keepdims=True), 1e-6)
        thigh, shank = lengths[:, 0], lengths[:, 1]
        d = np.minimum(distance, 0.9999 * (thigh + shank))
        share = (thigh**2 - shank**2 + d**2) / (2.0 * d)
        out = np.sqrt(np.maximum(thigh**2 - share**2, 1e-8))
        return hip + share[..., None] * along + out[..., None] * across, distance / (thigh + shank)

    def rotations(self, rows: Rows) -> dict[str, Float[np.ndarray, "n 4"]]:
        """Joint rotations by joint name, without those of neck, head and legs."""
        turns = {name: quat.exp(vectors) for name, vectors in self.turns(rows).items()}
        out = {joint: turns[joint] for joint in ("hips", *SPINE_JOINTS)}
        upper = quat.multiply(quat.multiply(turns["swing"], turns["hanging"]), turns["twist"])
        forearm = quat.multiply(turns["forearm"], turns["roll"])
        for i, side in enumerate(SIDES):
            out[f"{side}_clavicle"] = turns["clavicle"][:, i]
            out[f"{side}_upper_arm"] = upper[:, i]
            out[f"{side}_forearm"] = forearm[:, i]
            out[f"{side}_hand"] = turns["hand"][:, i]
        return out


def _turned(turn: Float[np.ndarray, "*n 3 3"], v: Float[np.ndarray, "*n 3"]) -> Float[np.ndarray, "*n 3"]:
    return np.einsum("...ij,...j->...i", turn, v)


def _matrices(turns: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """All rotation vectors as matrices, in one go: many small calls would cost more than the arithmetic."""
    rows = len(turns["hips"])
    flat = np.concatenate([v.reshape(rows, -1, 3) for v in turns.values()], axis=1)
    matrices = quat.to_matrix(quat.exp(flat))
    out, start = {}, 0
    for name, vectors in turns.items():
        count = vectors.size // (3 * rows)
        out[name] = matrices[:, start : start + count].reshape(*vectors.shape[:-1], 3, 3)
        start += count
    return out
