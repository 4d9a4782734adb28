"""A locomotion space as a file: its skeleton, its loops, its stand. All else is made of these when needed."""

from __future__ import annotations

from os import PathLike
from typing import Annotated

import msgspec
import numpy as np

from footfall.analysis.reference import Reference
from footfall.errors import FootfallError, LoadError, SaveError
from footfall.formats.skeleton_arrays import skeleton_arrays
from footfall.formats.stored import Arrays, StoredArrays
from footfall.geometry.decisions import PRECISION
from footfall.models.locomotion.foot_clock import EARLIEST, LATEST
from footfall.models.locomotion.loop import FRAMES, LIMP
from footfall.models.locomotion.model import Locomotion
from footfall.models.locomotion.tables import STRAIGHTEST, LocomotionTables
from footfall.models.model_file import (
    StoredModel,
    checked_target,
    model_bytes,
    opened_model,
    read_walker,
    save_bytes,
)

SYSTEM = "locomotion"
MOST_LOOPS = 500
MOST_JOINTS = 1000
MOST_IDLE = 5000  # frames of a stand
MOST_TURNS = 4_000_000  # loops times frames times joints
SHORTEST, LONGEST = 0.05, 60.0  # s of a cycle
MOST_WORDS = 1000
WHOLE = 6.5  # rad: no rotation vector is longer

Name = Annotated[str, msgspec.Meta(max_length=1000)]
Peak = Annotated[float, msgspec.Meta(ge=0.0, le=1e9)]


class _Space(msgspec.Struct):
    joints: list[str]
    roles: dict[str, int]
    loops: Annotated[list[Name], msgspec.Meta(min_length=1, max_length=MOST_LOOPS)]
    idle_fps: Annotated[float, msgspec.Meta(ge=1.0, le=1000.0)]
    straightest: Annotated[float, msgspec.Meta(ge=STRAIGHTEST[0], le=STRAIGHTEST[1])]
    peaks: Annotated[dict[Name, Peak], msgspec.Meta(max_length=MOST_WORDS)]
    leg_extension: Annotated[float, msgspec.Meta(ge=0.0, le=10.0)] | None


def save_locomotion(model: Locomotion, path: str | PathLike[str]) -> None:
    """Writes a locomotion space (.ffmodel), whole or not at all."""
    target = checked_target(path)
    try:
        content = locomotion_bytes(model)
        read_locomotion(opened_model(content, (SYSTEM,)))
    except LoadError as error:
        raise SaveError(f"{target}: it could not be read again ({error.problem})") from None
    except UnicodeError:
        raise SaveError(f"{target}: a name in it is no text that can be written") from None
    save_bytes(content, target)


def locomotion_bytes(model: Locomotion) -> bytes:
    tables, skeleton = model.tables, model.skeleton
    moving = tables.moving
    arrays: Arrays = skeleton_arrays(skeleton) | {
        "moving": moving.astype(np.int64),
        "mean": tables.mean,
        "points": tables.points,
        "seconds": tables.seconds,
        "limps": tables.limps,
        "events": tables.events,
        "tangents": tables.tangents[:, :, moving],
        "roots": tables.roots,
        "feet": tables.feet,
        "idle_tangents": tables.idle_tangents[:, moving],
        "idle_roots": tables.idle_roots,
        "idle_feet": tables.idle_feet,
        "knees": tables.knees,
    }
    told = _Space(
        list(skeleton.names),
        dict(skeleton.roles),
        list(tables.names),
        tables.idle_fps,
        tables.straightest,
        dict(model.reference.peaks),
        model.reference.leg_extension,
    )
    return model_bytes(SYSTEM, told, arrays)


def read_locomotion(stored: StoredModel) -> Locomotion:
    """A locomotion space from a file's parts; whatever does not fit is a LoadError."""
    told = stored.described(_Space)
    if len(told.joints) > MOST_JOINTS:
        raise LoadError(f"expected at most {MOST_JOINTS} joints, found {len(told.joints)}")
    turns = len(told.joints) * len(told.loops) * FRAMES
    if turns > MOST_TURNS:
        raise LoadError(f"{turns} rotations are more than the {MOST_TURNS} that are read")
    try:
        model = Locomotion(_tables(stored.arrays, told), Reference(told.peaks, told.leg_extension))
        _ = model.packed, model.scheme  # what asks for roles and tetrahedra asks now
    except LoadError:
        raise
    except FootfallError as error:
        raise LoadError(str(error)) from None
    return model


def _tables(arrays: StoredArrays, told: _Space) -> LocomotionTables:
    skeleton = read_walker(arrays, told.joints, told.roles)
    joints, loops = len(skeleton), len(told.loops)
    moving = arrays.take("moving", np.int64, None)
    if not (len(moving) and moving.min() >= 0 and moving.max() < joints and (np.diff(moving) > 0).all()):
        raise LoadError(f"expected rising numbers of the {joints} joints in 'moving'")
    still = _vectors(arrays, "idle_tangents", None, len(moving), 3)
    if not 2 <= len(still) <= MOST_IDLE:
        raise LoadError(f"expected a stand of 2 to {MOST_IDLE} frames, found {len(still)}")
    tangents = np.zeros((loops, FRAMES, joints, 3), dtype=np.float32)
    tangents[:, :, moving] = _vectors(arrays, "tangents", loops, FRAMES, len(moving), 3)
    idle = np.zeros((len(still), joints, 3), dtype=np.float32)
    idle[:, moving] = still
    return LocomotionTables(
        skeleton,
        tuple(told.loops),
        arrays.lengths("points", loops, 3),
        _between(arrays, "seconds", SHORTEST, LONGEST, loops),
        _between(arrays, "limps", -LIMP, LIMP, loops),
        _events(arrays, loops),
        arrays.turns("mean", joints, 4),
        tangents,
        arrays.lengths("roots", loops, FRAMES, 3, dtype=np.float32),
        arrays.lengths("feet", loops, 2, FRAMES, 9, dtype=np.float32),
        idle,
        arrays.lengths("idle_roots", len(still), 3, dtype=np.float32),
        arrays.lengths("idle_feet", 2, 6),
        told.idle_fps,
        _knees(arrays),
        told.straightest,
    )


def _vectors(arrays: StoredArrays, name: str, *shape: int | None) -> np.ndarray:
    found = arrays.lengths(name, *shape, dtype=np.float32)
    if found.size and float(np.abs(found).max()) > WHOLE:
        raise LoadError(f"expected rotation vectors of at most a turn in {name!r}")
    return found


def _between(arrays: StoredArrays, name: str, low: float, high: float, *shape: int) -> np.ndarray:
    found = arrays.lengths(name, *shape)
    if not ((found >= low - PRECISION) & (found <= high + PRECISION)).all():  # limits are rounded too
        raise LoadError(f"expected numbers from {low:g} to {high:g} in {name!r}")
    return found


def _events(arrays: StoredArrays, loops: int) -> np.ndarray:
    found = _between(arrays, "events", 0.0, 1.0, loops, 2, 3)
    off = found[..., 2]
    early, late = EARLIEST - PRECISION, LATEST + PRECISION
    if not ((np.diff(found, axis=-1) > 0.0).all() and (off >= early).all() and (off <= late).all()):
        raise LoadError(
            "expected a foot to lie flat, to raise its heel and to leave in 'events', in this order"
        )
    return found


def _knees(arrays: StoredArrays) -> np.ndarray:
    found = arrays.lengths("knees", 2, 3)
    if not (np.abs(np.linalg.norm(found, axis=-1) - 1.0) < 1e-6).all():
        raise LoadError("expected unit axes in 'knees'")
    return found
