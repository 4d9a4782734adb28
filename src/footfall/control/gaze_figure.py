"""What a gaze needs to know of a figure: which joints share a turn, which are aimed, and how far they go.

Shares are of two turns: that of the trunk, which rises from the hips to the chest, and that of the head over
it, which rises from the chest to the head. Joints are found by their roles; what is missing is said.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from footfall.figure.joint_limits import JointLimits, limits_of
from footfall.figure.roles import SIDES
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat
from footfall.geometry.ground import FORWARD

HEAD_RADIUS = 0.07  # of a figure's height: what is nearer to the eyes is in the head
BARE_HEAD = np.radians([-60.0, 60.0, -75.0, 75.0])  # over the neck, where the head is aimed for want of eyes
NECK_FIRST = 0.45  # of the head's turn is made below the head itself


@dataclass(frozen=True, eq=False)
class GazeFigure:
    """Tables over the joints on the way from the root to the eyes, parents first; see `gaze_figure`."""

    joints: Int[np.ndarray, "slots 2"]  # the joint, and the slot of the one above it
    shares: Float[np.ndarray, "slots 3"]  # of the trunk's turn, of the head's; whether it is turned
    marked: Int[np.ndarray, "marked"]  # slots of hips and head, then of what is aimed
    aims: Float[np.ndarray, "aimed numbers"]  # see `gaze_layout`
    body: Float[np.ndarray, "numbers"]
    limits: JointLimits
    remarks: tuple[str, ...]

    @property
    def has_eyes(self) -> bool:
        return bool(self.marked[2] != self.marked[1])

    @property
    def tables(self) -> tuple[np.ndarray, ...]:
        return self.joints, self.shares, self.marked, self.aims, self.body


def gaze_figure(skeleton: Skeleton) -> GazeFigure | None:
    """None where there is no head that could be turned."""
    if not skeleton.has("head") or skeleton.joint("head") == 0:
        return None
    tree, head = skeleton.tree, skeleton.joint("head")
    eyes = [skeleton.joint(f"{side}_eye") for side in SIDES if skeleton.has(f"{side}_eye")]
    eyes = [eye for eye in eyes if eye in tree.descendants(head)]
    aimed = eyes or [head]
    on_the_way = sorted({joint for end in (head, *aimed) for joint in tree.ancestors(end)})
    slot = {joint: s for s, joint in enumerate(on_the_way)} | {-1: -1}
    hips = skeleton.joint("hips") if skeleton.has("hips") else 0
    hips = hips if hips in slot else 0
    limits = limits_of(skeleton)
    shares, remarks = _shares(skeleton, on_the_way, hips)
    if not eyes:
        remarks.append("the figure has no eyes: its head is aimed")
    rest, places = skeleton.rest_orientations, skeleton.rest_positions
    to_rest = quat.conjugate(rest)
    centre = quat.rotate(to_rest[head], np.mean(places[aimed], axis=0) - places[head])
    body = [*to_rest[hips], *quat.rotate(to_rest[head], FORWARD), *centre, HEAD_RADIUS * skeleton.height]
    aims = [
        [*to_rest[tree.parent(j)], *quat.rotate(to_rest[j], FORWARD), *_spans(limits, j, bool(eyes))]
        for j in aimed
    ]
    return GazeFigure(
        joints=np.array([[joint, slot[tree.parent(joint)]] for joint in on_the_way]),
        shares=shares,
        marked=np.array([slot[joint] for joint in (hips, head, *aimed)]),
        aims=np.array(aims),
        body=np.array(body),
        limits=limits,
        remarks=tuple(remarks),
    )


def _shares(
    skeleton: Skeleton, on_the_way: list[int], hips: int
) -> tuple[Float[np.ndarray, "slots 3"], list[str]]:
    """By how much each joint on the way is turned by then, and what is missing."""
    tree, head = skeleton.tree, skeleton.joint("head")
    above_hips = [j for j in tree.path(hips, head) if j != hips]
    chest = skeleton.joint("chest") if skeleton.has("chest") else -1
    trunk = above_hips[: above_hips.index(chest) + 1] if chest in above_hips else []
    neck = above_hips[len(trunk) : -1]
    remarks = []
    if not trunk:
        remarks.append("the figure has no chest over its hips: head and eyes look alone")
    if not neck:
        remarks.append("the figure has no neck: its head turns alone")
    out = np.zeros((len(on_the_way), 3))
    for k, joint in enumerate(trunk):
        out[on_the_way.index(joint)] = (k + 1) / len(trunk), 0.0, 1.0
    whole = 1.0 if trunk else 0.0
    for k, joint in enumerate(neck):
        out[on_the_way.index(joint)] = whole, NECK_FIRST * (k + 1) / len(neck), 1.0
    out[on_the_way.index(head)] = whole, 1.0, 1.0
    return out, remarks


def _spans(limits: JointLimits, joint: int, is_eye: bool) -> Float[np.ndarray, "4"]:
    """Least and most nod, least and most turn; an eye's twist is about its ray, its swings are these."""
    return np.abs(limits.swing[joint].reshape(4) if is_eye else BARE_HEAD)
