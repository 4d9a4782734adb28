"""A loop on the ring's frames, told beside its support feet ([rings] 3.3).

Ring frame 0 is where the left foot has come down, frame T/2 where the right foot has. Each half of the cycle
has a frame on the ground of its own: under the middle of the sole that supports, were it to lie facing as the
loop goes. The root is not told by its place but by that of the support foot's toe joint, which stands still
as long as the foot does, in all loops at the same place: whatever is blended, the root is then put where that
joint must be, and no foot slides because weights change.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int

from footfall.analysis.facing import root_headings
from footfall.figure.contacts import SIDES
from footfall.figure.kinematics import attached, forward
from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.figure.sole import Sole
from footfall.geometry import easing, ground
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import nearest_cell
from footfall.models.ring.loop import Loop
from footfall.models.ring.toe_levels import with_toes_up
from footfall.models.ring.touching import leaving, lying

FRAMES = 60  # T: of a ring, as in the paper
HALF = FRAMES // 2


@dataclass(frozen=True, eq=False)
class AlignedLoop:
    """One cycle at the ring's frames. Half 0 stands on the left foot, half 1 on the right."""

    name: str
    rotations: Float[np.ndarray, "frames joints 4"]  # the root's is its tilt: its heading is taken out
    seconds: Float[np.ndarray, "frames"]  # that one of the ring's frames lasts: the time-warp channel
    headings: Float[np.ndarray, "2 half+1"]  # of the root, in the half's frame
    anchors: Float[np.ndarray, "2 half+1 3"]  # of the support foot's toe joint, in the half's frame
    contacts: Bool[np.ndarray, "frames 4"]  # left heel, right heel, left toe, right toe

    @property
    def turn(self) -> float:
        """Of the whole cycle: what each half turns until the next begins, rad."""
        return float(sum(self.headings[h, -1] - self.headings[1 - h, 0] for h in (0, 1)))


def mid_sole(skeleton: Skeleton, side: str) -> Float[np.ndarray, "3"]:
    """The middle between heel and toe tip in the foot's frame: what is put on the ground."""
    points = skeleton.foot_points(side)
    return 0.5 * (points.heel + points.toe)


def lying_toe(skeleton: Skeleton, side: str) -> Float[np.ndarray, "3"]:
    """The toe joint beside the middle of its sole when that lies on level ground and points along +Z."""
    sole = Sole.of(skeleton, side)
    x, y, z = quat.rotate(sole.lying, sole.toe_joint - mid_sole(skeleton, side))
    return np.array([0.0, y, np.hypot(x, z)])


def align_loop(loop: Loop, places: Float[np.ndarray, "frames+1"]) -> AlignedLoop:
    """A loop at the ring's frames; `places` are these in frames of the loop, from one left strike to the
    next.
    """
    count, frames = len(loop.motion), len(places) - 1
    half_frames = frames // 2
    turns = loop.cycles(5)
    at = np.asarray(places, dtype=float) + count * (2 - int(np.floor(places[0] / count)))
    around = np.concatenate([at[:-1] - count, at[:-1], at + count])  # a cycle before and after
    moved = _at(turns, around)
    headings = _spline(root_headings(turns), at)
    points = {side: _points(moved, side) for side in SIDES}
    own = slice(frames, 2 * frames + 1)
    moved = with_toes_up(moved, {side: points[side][:, 2, 1] for side in SIDES}, frames)[own]
    toes = {side: points[side][own, 1] for side in SIDES}
    trend = _trend(headings, loop.turn)
    contacts = _contacts(turns, at) & _lying(points, frames)
    told_headings, told_anchors = [], []
    for half, side in enumerate(SIDES):
        start = half * half_frames
        own = slice(start, start + half_frames + 1)
        told_headings.append(headings[own] - trend[start])
        way = quat.rotate(ground.turn(-trend[start]), toes[side][own] - toes[side][start])
        leaves = leaving(way[:, 1])
        told_anchors.append(lying_toe(moved.skeleton, side) + _stilled(way, leaves))
        contacts[start : start + half_frames, 2 + half] = np.arange(half_frames) < leaves
    tilts = np.array(moved.rotations)
    tilts[:, 0] = quat.multiply(ground.turn(-headings), tilts[:, 0])
    rate = np.gradient(np.concatenate([at[:-1] - count, at, at[1:] + count]))[frames:-frames][:frames]
    return AlignedLoop(
        loop.name,
        tilts[:frames],
        rate / turns.fps,
        np.stack(told_headings),
        np.stack(told_anchors),
        contacts,
    )


def _trend(headings: Float[np.ndarray, "frames+1"], turn: float) -> Float[np.ndarray, "frames+1"]:
    """Where the loop goes: its heading without what swings to and fro within a cycle."""
    even = np.linspace(0.0, turn, len(headings))
    return even + np.mean((headings - even)[:-1])


def _stilled(path: Float[np.ndarray, "half+1 3"], leaves: int) -> Float[np.ndarray, "half+1 3"]:
    """A toe joint's path without what it goes before it leaves; from then on it goes as it did.

    By what it has risen before it leaves it is made up for until the strike: it would be missing there, and
    every step would lead down.
    """
    out = path - path[leaves - 1]
    out[:leaves] = 0.0
    risen = path[leaves - 1, 1] - path[:leaves, 1].min()
    out[leaves:, 1] += risen * easing.smooth(np.linspace(0.0, 1.0, len(path) - leaves + 1)[1:])
    return out


def _at(motion: Motion, at: Float[np.ndarray, "n"]) -> Motion:
    turns = quat.normalize(_spline(quat.continuous(motion.rotations), at))
    return Motion(motion.skeleton, _spline(motion.root, at), turns, motion.fps)


def _spline(values: Float[np.ndarray, "frames *rest"], at: Float[np.ndarray, "n"]) -> np.ndarray:
    from scipy.interpolate import make_interp_spline

    return make_interp_spline(np.arange(len(values)), values, k=3)(at)


def _points(motion: Motion, side: str) -> Float[np.ndarray, "frames 3 3"]:
    """A foot's heel, toe joint and the middle of its sole."""
    skeleton = motion.skeleton
    joints, orientations = forward(skeleton.tree, skeleton.offsets, motion.root, motion.rotations)
    sole = Sole.of(skeleton, side)
    local = np.stack([sole.heel, sole.toe_joint, mid_sole(skeleton, side)])
    return attached(joints, orientations, [skeleton.joint(f"{side}_foot")] * 3, local)


def _lying(
    points: Mapping[str, Float[np.ndarray, "around 3 3"]], frames: int
) -> Bool[np.ndarray, "frames 4"]:
    """Contacts by where the feet are, of the middle one of three cycles."""
    found = []
    for half, side in enumerate(SIDES):
        first = half * (frames // 2)
        strikes = (first, first + frames, first + 2 * frames)
        found.append(lying(points[side][:, 0], points[side][:, 1], strikes)[frames : 2 * frames])
    return np.stack([found[0][:, 0], found[1][:, 0], found[0][:, 1], found[1][:, 1]], axis=1)


def _contacts(motion: Motion, at: Float[np.ndarray, "frames+1"]) -> Bool[np.ndarray, "frames 4"]:
    assert motion.contacts is not None
    near: Int[np.ndarray, "frames"] = np.clip(nearest_cell(at[:-1], 1.0), 0, len(motion) - 1)
    return np.concatenate([motion.contacts.heel[near], motion.contacts.toe[near]], axis=1)
