"""A locomotion space as compiled code wants it (see `layout`)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from footfall.figure.contacts import SIDES
from footfall.figure.skeleton import Skeleton
from footfall.figure.sole import Sole
from footfall.geometry import quaternion as quat
from footfall.models.locomotion import layout
from footfall.models.locomotion.tables import LocomotionTables

NOWHERE = -1.0


@dataclass(frozen=True, eq=False)
class PackedLocomotion:
    sizes: Int[np.ndarray, "sizes"]
    numbers: Float[np.ndarray, "numbers"]
    rows: Float[np.ndarray, "loops frames channels"]  # single precision: all x, all y, all z, the root
    feet: Float[np.ndarray, "loops 2 frames 9"]  # single precision
    idle: Float[np.ndarray, "idle channels"]  # single precision


def pack(
    tables: LocomotionTables,
    simplices: Int[np.ndarray, "simplices 4"],
    coordinates: Float[np.ndarray, "simplices 4 4"],
) -> PackedLocomotion:
    """`coordinates` give barycentric ones in each simplex of speed, turn rate, side speed and 1."""
    skeleton, moving = tables.skeleton, tables.moving
    chains = [list(skeleton.tree.path(0, skeleton.joint(f"{side}_foot"))[1:]) for side in SIDES]
    sizes = np.zeros(layout.SIZES, dtype=np.int64)
    sizes[layout.FRAMES], sizes[layout.LOOPS] = tables.frames, len(tables)
    sizes[layout.MOVING], sizes[layout.SIMPLICES] = len(moving), len(simplices)
    sizes[layout.CHAIN], sizes[layout.IDLE] = max(map(len, chains)), len(tables.idle_roots)
    parts = {
        layout.AT_SIMPLICES: np.concatenate([simplices, coordinates.reshape(len(simplices), 16)], axis=1),
        layout.AT_LOOPS: np.column_stack(
            [
                tables.seconds,
                tables.limps,
                tables.points,
                tables.events.reshape(len(tables), 6),
                tables.travel,
            ]
        ),
        layout.AT_MEANS: np.column_stack([moving, tables.mean[moving]]),
        layout.AT_CHAINS: np.stack([_chain(skeleton, chain, int(sizes[layout.CHAIN])) for chain in chains]),
        layout.AT_LEGS: np.stack([_leg(tables, k, chains[k]) for k in range(2)]),
        layout.AT_SCALARS: np.array([tables.idle_fps, tables.straightest]),
    }
    pieces, begin = [], 0
    for place, part in parts.items():
        piece = np.asarray(part, dtype=float).reshape(-1)
        sizes[place] = begin
        pieces.append(piece)
        begin += piece.size
    made = PackedLocomotion(
        sizes,
        np.concatenate(pieces),
        _rows(tables.tangents[:, :, moving], tables.roots),
        np.ascontiguousarray(tables.feet, dtype=np.float32),
        _rows(tables.idle_tangents[:, moving], tables.idle_roots),
    )
    for array in vars(made).values():
        array.flags.writeable = False
    return made


def _rows(tangents: Float[np.ndarray, "*n moving 3"], roots: Float[np.ndarray, "*n 3"]) -> np.ndarray:
    apart = np.swapaxes(tangents, -1, -2).reshape(*tangents.shape[:-2], -1)
    return np.ascontiguousarray(np.concatenate([apart, roots], axis=-1), dtype=np.float32)


def _chain(skeleton: Skeleton, chain: list[int], length: int) -> Float[np.ndarray, "chain 4"]:
    rows = np.full((length, 4), NOWHERE)
    for k, joint in enumerate(chain):
        rows[k] = [joint, *skeleton.offsets[joint]]
    return rows


def _leg(tables: LocomotionTables, k: int, chain: list[int]) -> Float[np.ndarray, "leg"]:
    skeleton, side = tables.skeleton, SIDES[k]
    sole = Sole.of(skeleton, side)
    row = np.zeros(layout.LEG)
    row[layout.THIGH] = chain.index(skeleton.joint(f"{side}_thigh"))
    row[layout.SHANK] = chain.index(skeleton.joint(f"{side}_shank"))
    row[layout.TOE] = row[layout.TOE_MOVES] = NOWHERE
    if sole.has_toe:
        toe = skeleton.joint(f"{side}_toe")
        row[layout.TOE] = toe
        row[layout.TOE_MOVES] = int(np.searchsorted(tables.moving, toe))
    row[layout.KNEE : layout.KNEE + 3] = tables.knees[k]
    for at, point in (
        (layout.HEEL, sole.heel),
        (layout.SUBTALAR, sole.subtalar),
        (layout.TOE_JOINT, sole.toe_joint),
        (layout.LYING, sole.lying),
        (layout.TIP, sole.tip),
    ):
        row[at : at + len(point)] = point
    row[layout.TOE_OVER] = quat.rotate(sole.lying, sole.toe_joint - sole.subtalar)[1]
    row[layout.REACH] = skeleton.leg_length(side)
    row[layout.STANDS : layout.STANDS + 6] = tables.idle_feet[k]
    return row
