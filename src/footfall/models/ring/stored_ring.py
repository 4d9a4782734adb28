"""A ring in a file and back: its loops as scores along principal geodesics, and the curves beside them.

Nothing else is kept: tables, strike points, spheres and weights are made anew, so nothing in a file can
contradict another part. Scores, headings, anchors and seconds are kept to a quantum, which moves no joint by
a hundredth of a millimetre beside its support foot; axes in single precision.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
import numpy as np
from jaxtyping import Bool, Float

from footfall.analysis.reference import Reference
from footfall.blend.principal_geodesics import Geodesics
from footfall.errors import LoadError
from footfall.figure.skeleton import Skeleton
from footfall.formats.stored import Arrays, StoredArrays
from footfall.geometry.decisions import PRECISION
from footfall.models.ring.build import FEWEST
from footfall.models.ring.curve_bits import Curves, curve_arrays, read_curves
from footfall.models.ring.model import MotionRing

SCORE = 1e-6  # rad: quanta of what is kept
HEADING = 1e-7  # rad
PLACE = 1e-7  # m, of anchors
TIME = 1.0 / 60.0 / 2**20  # s; a frame at 60 or 30 Hz is told exactly
# A file's numbers decide how much is made of it. What goes beyond these is refused before it is made.
MOST_LOOPS = 500
FEWEST_FRAMES, MOST_FRAMES = 4, 2000
MOST_TURNS = 1_000_000  # loops times frames times joints, or times modes
SHORTEST, LONGEST = 0.05, 60.0  # s of a cycle
UNIT = 1e-6  # how far a mean quaternion's length may be from 1
WHOLE_TURN = 2.0 * np.pi  # rad: no rotation vector is as long
MOST_WORDS = 1000

Name = Annotated[str, msgspec.Meta(max_length=1000)]
Peak = Annotated[float, msgspec.Meta(ge=0.0, le=1e9)]
Share = Annotated[float, msgspec.Meta(ge=0.0, le=10.0)]


class ToldRing(msgspec.Struct):
    """What a file's text says of a ring."""

    gait: Name
    loops: Annotated[list[Name], msgspec.Meta(min_length=FEWEST, max_length=MOST_LOOPS)]
    frames: Annotated[int, msgspec.Meta(ge=FEWEST_FRAMES, le=MOST_FRAMES, multiple_of=2)]
    combined: bool
    resting: bool
    radius: Annotated[float, msgspec.Meta(ge=1e-3, le=10.0)]  # m
    steepest: Annotated[float, msgspec.Meta(ge=0.0, le=1.5)]  # rad
    peaks: Annotated[dict[Name, Peak], msgspec.Meta(max_length=MOST_WORDS)]
    leg_extension: Share | None

    @property
    def rows(self) -> int:
        """Loops times frames."""
        return len(self.loops) * self.frames


def told_ring(ring: MotionRing) -> ToldRing:
    extension = ring.reference.leg_extension
    return ToldRing(
        ring.gait,
        list(ring.names),
        ring.scores.shape[1],
        bool(ring.combined),
        bool(ring.resting),
        float(ring.radius),
        float(ring.steepest),
        dict(ring.reference.peaks),
        None if extension is None else float(extension),
    )


def ring_arrays(ring: MotionRing) -> Arrays:
    """All but the skeleton's."""
    geodesics, half = ring.geodesics, ring.headings.shape[-1]
    axes = geodesics.axes.astype(np.float32)
    moving = np.asarray(axes.any(axis=(0, 2)))
    return {
        "mean": geodesics.mean,
        "importance": np.maximum(geodesics.importance, PRECISION),  # rounded, none may become 0
        "moving": moving.astype(np.uint8),
        "axes": axes[:, moving],
        "contacts": np.packbits(ring.contacts),
        **curve_arrays("scores", ring.scores, SCORE),
        **curve_arrays("seconds", ring.seconds[..., None], TIME),
        **curve_arrays("headings", ring.headings.reshape(-1, half, 1), HEADING),
        **curve_arrays("anchors", ring.anchors.reshape(-1, half, 3), PLACE),
    }


def read_part(arrays: StoredArrays, told: ToldRing, skeleton: Skeleton) -> MotionRing:
    """A ring from its arrays, on a skeleton; what cannot be walked with is refused now."""
    refuse_too_much(told, len(skeleton))
    loops, frames = len(told.loops), told.frames
    geodesics = _geodesics(arrays, told, len(skeleton))
    half = frames // 2 + 1
    ring = MotionRing(
        told.gait,
        geodesics,
        _curves(arrays, "scores", SCORE, (loops, frames, len(geodesics.axes))),
        _seconds(arrays, loops, frames),
        _curves(arrays, "headings", HEADING, (2 * loops, half, 1)).reshape(loops, 2, half),
        _curves(arrays, "anchors", PLACE, (2 * loops, half, 3)).reshape(loops, 2, half, 3),
        _contacts(arrays, loops, frames),
        skeleton,
        tuple(told.loops),
        Reference(told.peaks, told.leg_extension),
        combined=told.combined,
        resting=told.resting,
        radius=told.radius,
        steepest=told.steepest,
    )
    if not (np.linalg.norm(ring.tables.tangents, axis=-1) < WHOLE_TURN).all():
        raise LoadError("expected rotations of less than a turn from the mean in 'scores.bits' and 'axes'")
    _ = ring.usual_weights, ring.packed  # loops whose steps are alike cannot be told apart
    return ring


def refuse_too_much(told: ToldRing, joints: int) -> None:
    if told.rows * joints > MOST_TURNS:
        raise LoadError(
            f"{told.rows * joints} rotations are more than the {MOST_TURNS} of a ring that are read"
        )


def _geodesics(arrays: StoredArrays, told: ToldRing, joints: int) -> Geodesics:
    mean = arrays.lengths("mean", joints, 4)
    if not (np.abs(np.linalg.norm(mean, axis=-1) - 1.0) < UNIT).all():
        raise LoadError("expected unit quaternions in 'mean'")
    moving = arrays.take("moving", np.uint8, joints)
    if moving.max(initial=0) > 1:
        raise LoadError("expected 0 or 1 in 'moving'")
    moves = moving == 1
    found = arrays.lengths("axes", None, int(moves.sum()), 3, dtype=np.float32)
    if told.rows * len(found) > MOST_TURNS:
        raise LoadError(
            f"{told.rows * len(found)} scores are more than the {MOST_TURNS} of a ring that are read"
        )
    axes = np.zeros((len(found), joints, 3))
    axes[:, moves] = found
    return Geodesics(mean, axes, arrays.lengths("importance", joints))


def _curves(arrays: StoredArrays, name: str, quantum: float, shape: tuple[int, int, int]) -> Curves:
    return _kept(read_curves(arrays, name, quantum, shape))


def _seconds(arrays: StoredArrays, loops: int, frames: int) -> Float[np.ndarray, "loops frames"]:
    seconds = _curves(arrays, "seconds", TIME, (loops, frames, 1))[..., 0]
    cycles = seconds.sum(axis=1)
    if not ((seconds >= 0.0).all() and (cycles >= SHORTEST).all() and (cycles <= LONGEST).all()):
        raise LoadError(
            f"expected times from 0 on, of {SHORTEST:g} to {LONGEST:g} s a cycle, in 'seconds.bits'"
        )
    return seconds


def _contacts(arrays: StoredArrays, loops: int, frames: int) -> Bool[np.ndarray, "loops frames 4"]:
    count = loops * frames * 4
    bits = np.unpackbits(arrays.take("contacts", np.uint8, -(-count // 8)), count=count)
    return _kept(bits.reshape(loops, frames, 4).astype(bool))


def _kept(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array
