"""A ring's tables and spheres as compiled code wants them (see `layout`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from footfall.figure.contacts import SIDES
from footfall.figure.skeleton import Skeleton
from footfall.figure.sole import Sole
from footfall.geometry import quaternion as quat
from footfall.models.ring import layout
from footfall.models.ring.aligned import lying_toe, mid_sole
from footfall.models.ring.spheres import ContactSpheres
from footfall.models.ring.tables import RingTables

STEEPEST = 0.42  # rad
QUICKER, SLOWER = 0.8, 1.25  # than any loop ever is: weights may be negative
NOWHERE = -1.0  # in place of a joint: the shorter leg's chain ends here


@dataclass(frozen=True, eq=False)
class PackedRing:
    sizes: Int[np.ndarray, "sizes"]
    rows: Float[np.ndarray, "frames loops channels"]  # single precision
    numbers: Float[np.ndarray, "numbers"]


def pack(
    tables: RingTables,
    spheres: Sequence[ContactSpheres],
    *,
    steepest: float = STEEPEST,
    kind: int = layout.STANDARD,
) -> PackedRing:
    """All that a walk needs of a ring, in three arrays. Soles lie on ground inclined up to `steepest`."""
    skeleton, moving = tables.skeleton, tables.moving
    chains = [_chain(skeleton, side) for side in SIDES]
    links = [0, *chains[0], *chains[1]]
    sizes = np.zeros(layout.SIZES, dtype=np.int64)
    sizes[layout.FRAMES], sizes[layout.LOOPS] = tables.frames, len(tables)
    sizes[layout.MOVING], sizes[layout.JOINTS] = len(moving), len(skeleton)
    sizes[layout.SPHERES], sizes[layout.LINKS] = len(spheres[0]), len(links)
    sizes[layout.KIND] = kind
    sizes[layout.CHAIN] = max(map(len, chains))
    paths = np.concatenate([tables.anchors, tables.headings[..., None]], axis=-1)
    before = tables.half // layout.APPROACH
    ends = [
        [tables.tangents[:, ((h + 1) * tables.half - back) % tables.frames][:, links] for h in (0, 1)]
        for back in (0, before)
    ]
    parts = {
        layout.AT_PATHS: paths.transpose(1, 2, 0, 3),
        layout.AT_STRIKES: np.stack(ends),
        layout.AT_MEANS: tables.mean[moving],
        layout.AT_MOVED: moving,
        layout.AT_LINK_MEANS: tables.mean[links],
        layout.AT_CHAINS: np.stack([_rows(skeleton, c, links, sizes[layout.CHAIN]) for c in chains]),
        layout.AT_SOLES: np.stack([_sole(skeleton, side) for side in SIDES]),
        layout.AT_POINTS: np.stack([s.kriging.points for s in spheres]),
        layout.AT_INVERSE: np.stack([s.kriging.inverse for s in spheres]),
        layout.AT_CENTRES: np.stack([s.centres for s in spheres]),
        layout.AT_SPHERE_WEIGHTS: np.stack([s.weights for s in spheres]),
        layout.AT_COLUMNS: np.stack([s.weights.T for s in spheres]),
        layout.AT_TRAITS: np.stack([_traits(s) for s in spheres]),
        layout.AT_STILLS: _stills(tables),
        layout.AT_TOES: np.stack([_toe(skeleton, side) for side in SIDES]),
        layout.AT_RADIUS: np.array([spheres[0].radius, steepest, *_paces(tables)]),
    }
    pieces, begin = [], 0
    for place, part in parts.items():
        piece = np.asarray(part, dtype=float).reshape(-1)
        sizes[place] = begin
        pieces.append(piece)
        begin += piece.size
    numbers, rows = np.concatenate(pieces), _channels(tables)
    for array in (sizes, numbers, rows):
        array.flags.writeable = False
    return PackedRing(sizes, rows, numbers)


def _paces(tables: RingTables) -> tuple[float, float]:
    """The seconds that a ring frame lasts at least and at most, whatever the weights."""
    return QUICKER * float(tables.seconds.min()), SLOWER * float(tables.seconds.max())


def _stills(tables: RingTables) -> Float[np.ndarray, "still 5"]:
    joints = np.setdiff1d(np.arange(len(tables.skeleton)), tables.moving)
    return np.column_stack([joints, tables.mean[joints]])


def _channels(tables: RingTables) -> Float[np.ndarray, "frames loops channels"]:
    """Tangents (all x, all y, all z), seconds a frame, contacts; what is blended at once lies together."""
    loops, frames = len(tables), tables.frames
    tangents = tables.tangents[:, :, tables.moving].transpose(1, 0, 3, 2).reshape(frames, loops, -1)
    seconds, contacts = tables.seconds.T[..., None], tables.contacts.transpose(1, 0, 2)
    return np.ascontiguousarray(np.concatenate([tangents, seconds, contacts], axis=-1), dtype=np.float32)


def _chain(skeleton: Skeleton, side: str) -> list[int]:
    """Joints from below the root to a foot."""
    return list(skeleton.tree.path(0, skeleton.joint(f"{side}_foot"))[1:])


def _rows(
    skeleton: Skeleton, chain: Sequence[int], links: Sequence[int], length: int
) -> Float[np.ndarray, "chain 5"]:
    rows = np.full((length, 5), NOWHERE)
    for k, joint in enumerate(chain):
        rows[k] = [joint, links.index(joint), *skeleton.offsets[joint]]
    return rows


def _sole(skeleton: Skeleton, side: str) -> Float[np.ndarray, "18"]:
    points = skeleton.foot_points(side)
    along = points.toe - points.heel
    sole, foot = Sole.of(skeleton, side), skeleton.joint(f"{side}_foot")
    chain, high = _chain(skeleton, side), lying_toe(skeleton, side)[1]
    thigh, shank = (chain.index(skeleton.joint(f"{side}_{part}")) for part in ("thigh", "shank"))
    length = 0.5 * np.linalg.norm(along)
    middle = mid_sole(skeleton, side)
    return np.array([*sole.toe_joint, *middle, *along, length, foot, high, thigh, *sole.lying, shank])


def _toe(skeleton: Skeleton, side: str) -> Float[np.ndarray, "5"]:
    sole = Sole.of(skeleton, side)
    if not sole.has_toe:
        return np.full(5, NOWHERE)
    up = quat.rotate(quat.conjugate(sole.lying), np.array([0.0, 1.0, 0.0]))
    high = float((sole.toe_joint - sole.ball) @ up)
    return np.array([skeleton.joint(f"{side}_toe"), *sole.tip, high])


def _traits(spheres: ContactSpheres) -> Float[np.ndarray, "3 spheres"]:
    beyond = np.minimum(spheres.weights, 0.0).sum(axis=-1)  # how far from any mixture of loops
    return np.stack([spheres.turns, spheres.step_lengths, -beyond])
