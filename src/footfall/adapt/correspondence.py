"""Which joints of two skeletons answer to each other, and how their rest poses differ."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.figure.motion import Motion
from footfall.figure.naming import FINGERS
from footfall.figure.roles import SIDES
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat

# bones whose directions are carried over: each role with the role its bone leads to
BONES = {
    **{f"{s}_{a}": f"{s}_{b}" for s in SIDES for a, b in (("thigh", "shank"), ("shank", "foot"))},
    **{f"{s}_{a}": f"{s}_{b}" for s in SIDES for a, b in (("upper_arm", "forearm"), ("forearm", "hand"))},
    **{f"{s}_{f}_{i}": f"{s}_{f}_{i + 1}" for s in SIDES for f in FINGERS for i in (1, 2)},
}
# roles that rest with another: a hand lies along its forearm, a toe with its foot, a last finger bone ...
FOLLOWS = {
    **{f"{s}_hand": f"{s}_forearm" for s in SIDES},
    **{f"{s}_toe": f"{s}_foot" for s in SIDES},
    **{f"{s}_{f}_3": f"{s}_{f}_2" for s in SIDES for f in FINGERS},
}
CHAINS = (("hips", "chest"), ("chest", "head"))
# a chain's joints keep the direction of this line; hips and head keep their turn, the head for its gaze
LINES = {"hips": ("hips", "neck"), "chest": ("neck", "head")}
TRUNK = ("spine", "chest", "neck")


@dataclass(frozen=True, eq=False)
class Correspondence:
    """For joints of `target`: where on `source` their turn comes from, and the turn between the rests.

    A turn comes from between two source joints (equal ones for a role), `share` of the way.
    """

    source: Skeleton
    target: Skeleton
    lower: dict[int, int]
    upper: dict[int, int]
    share: dict[int, float]
    align: dict[int, Float[np.ndarray, "4"]]

    def world_turns(self, motion: Motion) -> Float[np.ndarray, "frames joints 4"]:
        """World orientations of the target's joints; a joint without an answer rests on its parent."""
        departures = quat.multiply(motion.orientations, quat.conjugate(self.source.rest_orientations))
        target = self.target
        out = np.empty((len(motion), len(target), 4))
        first = self.lower[min(self.lower)]
        for joint in range(len(target)):
            parent = int(target.parents[joint])
            if joint in self.lower:
                a, b = departures[:, self.lower[joint]], departures[:, self.upper[joint]]
                turn = a if self.share[joint] == 0.0 else quat.slerp(a, b, self.share[joint])
                rest = quat.multiply(self.align[joint], target.rest_orientations[joint])
                out[:, joint] = quat.multiply(turn, rest)
            elif parent >= 0:
                out[:, joint] = quat.multiply(out[:, parent], target.rest[joint])
            else:  # a root above the hips goes with them
                out[:, joint] = quat.multiply(departures[:, first], target.rest_orientations[joint])
        return out


def correspond(source: Skeleton, target: Skeleton) -> Correspondence:
    """Roles answer to roles; joints between hips, chest and head by their share of the way."""
    match = Correspondence(source, target, {}, {}, {}, {})

    def answer(joint: int, lower: int, upper: int, share: float, align: Float[np.ndarray, "4"]) -> None:
        match.lower[joint], match.upper[joint] = lower, upper
        match.share[joint], match.align[joint] = share, align

    for top, bottom in CHAINS:
        if source.has(top, bottom) and target.has(top, bottom):
            theirs = source.tree.path(source.joint(top), source.joint(bottom))
            shares = _shares(source, theirs)
            own = target.tree.path(target.joint(top), target.joint(bottom))
            for joint, place in zip(own, _shares(target, own), strict=True):
                i = int(np.clip(np.searchsorted(shares, place, side="right") - 1, 0, len(theirs) - 1))
                j = min(i + 1, len(theirs) - 1)
                gap = shares[j] - shares[i]
                between = 0.0 if gap <= 0 else float(np.clip((place - shares[i]) / gap, 0.0, 1.0))
                align = quat.identity() if place == 0.0 else _line_alignment(source, target, *LINES[top])
                answer(joint, theirs[i], theirs[j], between, align)
    for role, joint in target.roles.items():
        if role in source.roles:
            known = role in TRUNK and joint in match.align
            align = match.align[joint] if known else _alignment(source, target, role)
            answer(joint, source.roles[role], source.roles[role], 0.0, align)
    return match


def _line_alignment(source: Skeleton, target: Skeleton, start: str, end: str) -> Float[np.ndarray, "4"]:
    """The turn between the directions in which two figures' trunks, or necks, rest."""
    if not (source.has(start, end) and target.has(start, end)):
        return quat.identity()
    lines = [f.rest_positions[f.joint(end)] - f.rest_positions[f.joint(start)] for f in (target, source)]
    # only the lean forwards counts: captured figures stand a little crooked to the side
    flat = [line * np.array([0.0, 1.0, 1.0]) for line in lines]
    return quat.between(flat[0], flat[1]) if min(np.linalg.norm(f) for f in flat) > 1e-6 else quat.identity()


def _shares(skeleton: Skeleton, chain: list[int]) -> Float[np.ndarray, "joints"]:
    """How far along a chain each of its joints lies, 0 to 1; joints without length between them by rank."""
    steps = np.linalg.norm(np.diff(skeleton.rest_positions[chain], axis=0), axis=-1) + 1e-6
    travelled = np.concatenate([[0.0], np.cumsum(steps)])
    return travelled / travelled[-1] if travelled[-1] > 0 else travelled


def _alignment(source: Skeleton, target: Skeleton, role: str) -> Float[np.ndarray, "4"]:
    """The turn that brings the target's resting bone, or sole, to where the source's rests."""
    part = role.partition("_")[2]
    if part == "foot" and role[: -len("_foot")] in source.sides and role[: -len("_foot")] in target.sides:
        side = role[: -len("_foot")]
        return quat.multiply(_sole_turn(source, side), quat.conjugate(_sole_turn(target, side)))
    if role in FOLLOWS and FOLLOWS[role] in source.roles and FOLLOWS[role] in target.roles:
        return _alignment(source, target, FOLLOWS[role])
    end = BONES.get(role)
    if end is None or not (source.has(end) and target.has(end)):
        return quat.identity()
    bones = [
        figure.rest_positions[figure.joint(end)] - figure.rest_positions[figure.joint(role)]
        for figure in (target, source)
    ]
    if min(np.linalg.norm(b) for b in bones) < 1e-6:
        return quat.identity()
    return quat.between(bones[0], bones[1])


def _sole_turn(skeleton: Skeleton, side: str) -> Float[np.ndarray, "4"]:
    """The sole's axes at rest, in the world: z along it, y out of it."""
    points = skeleton.foot_points(side)
    turn = skeleton.rest_orientations[skeleton.joint(f"{side}_foot")]
    z = quat.rotate(turn, points.ball - points.heel)
    z = z / np.linalg.norm(z)
    y = quat.rotate(turn, -points.subtalar)
    y = y - (y @ z) * z
    y = y / np.linalg.norm(y)
    return quat.from_matrix(np.stack([quat.cross(y, z), y, z], axis=1))
