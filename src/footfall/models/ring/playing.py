"""A ring played with weights that do not change: the plain form of what `walk_kernel` does frame by frame."""

from __future__ import annotations

import numpy as np
from jaxtyping import Bool, Float

from footfall.figure.contacts import SIDES
from footfall.figure.kinematics import attached, forward
from footfall.figure.sole import Sole
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import clearly_less
from footfall.models.ring.tables import RingTables

Frames = Float[np.ndarray, "n"]


def played(
    tables: RingTables, weights: Float[np.ndarray, "loops"], frames: Frames, *, still: bool = False
) -> tuple[Float[np.ndarray, "n 3"], Float[np.ndarray, "n joints 4"], Bool[np.ndarray, "n 4"]]:
    """Root, rotations and contacts at ring frames, which may run on over many cycles.

    The first half's frame is at the origin and faces +Z; with `still` every half's is.
    """
    half = np.floor(frames / tables.half).astype(int)
    origins, headings = _frames(tables, weights, int(half.max(initial=0)) + 1)
    if still:
        origins, headings = np.zeros_like(origins), np.zeros_like(headings)
    i = np.floor(frames).astype(int)
    share = frames - i
    rows = np.tensordot(weights, tables.tangents, axes=1)
    tangents = _mixed(rows[i % tables.frames], rows[(i + 1) % tables.frames], share)
    rotations = quat.multiply(tables.mean, quat.exp(tangents))
    paths = np.tensordot(weights, tables.anchors, axes=1), np.tensordot(weights, tables.headings, axes=1)
    k, side = np.clip(i - half * tables.half, 0, tables.half - 1), half % 2
    anchors = _mixed(paths[0][side, k], paths[0][side, k + 1], share)
    anchors[:, 1] = np.maximum(anchors[:, 1], paths[0][side, 0, 1])  # a toe never sinks
    turned = headings[half] + _mixed(paths[1][side, k], paths[1][side, k + 1], share)
    rotations[:, 0] = quat.multiply(ground.turn(turned), rotations[:, 0])
    places = origins[half] + quat.rotate(ground.turn(headings[half]), anchors)
    return places - _toes(tables, rotations, side), rotations, _contacts(tables, weights, i, share)


def _frames(
    tables: RingTables, weights: Float[np.ndarray, "loops"], halves: int
) -> tuple[Float[np.ndarray, "halves 3"], Float[np.ndarray, "halves"]]:
    """Where each half's frame lies: each strike hands over to the next."""
    strikes = [tables.strikes(half, weights) for half in (0, 1)]
    origins, headings = np.zeros((halves, 3)), np.zeros(halves)
    for k in range(1, halves):
        strike = strikes[(k - 1) % 2]
        origins[k] = origins[k - 1] + quat.rotate(ground.turn(headings[k - 1]), strike.origin)
        headings[k] = headings[k - 1] + strike.turn
    return origins, headings


def _toes(
    tables: RingTables, rotations: Float[np.ndarray, "n joints 4"], side: np.ndarray
) -> Float[np.ndarray, "n 3"]:
    """The support feet's toe joints, seen from the root."""
    skeleton = tables.skeleton
    joints, turns = forward(skeleton.tree, skeleton.offsets, np.zeros((len(rotations), 3)), rotations)
    both = [
        attached(joints, turns, [skeleton.joint(f"{s}_foot")], Sole.of(skeleton, s).toe_joint[None])[:, 0]
        for s in SIDES
    ]
    return np.where((side == 0)[:, None], both[0], both[1])


def _contacts(
    tables: RingTables, weights: Float[np.ndarray, "loops"], i: np.ndarray, share: Frames
) -> Bool[np.ndarray, "n 4"]:
    rows = np.tensordot(weights, tables.contacts.astype(float), axes=1)
    # half way between two frames of the ring, where a motion at twice its rate has every other one, feet that
    # begin or cease to touch half touch
    mixed = _mixed(rows[i % tables.frames], rows[(i + 1) % tables.frames], share)
    return np.asarray(clearly_less(0.5, mixed))


def _mixed(a: np.ndarray, b: np.ndarray, share: Frames) -> np.ndarray:
    share = share.reshape(-1, *[1] * (a.ndim - 1))
    return a + share * (b - a)
