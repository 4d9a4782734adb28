"""A movement library as a file: its skeleton, and of each kind the examples and what is known of weights.

Frames are kept small: joints that never move in a kind once, the others as rotation vectors in float32, with
the root's place. Parameters, keytimes and footprints are kept in float64, as they decide where feet stand.
Tables, foot paths and weights are made anew from these, so nothing in a file can contradict another part.
"""

from __future__ import annotations

from os import PathLike
from typing import Annotated

import msgspec
import numpy as np
from jaxtyping import Bool, Float, Float32, UInt8

from footfall.errors import FootfallError, LoadError, SaveError
from footfall.figure.contacts import Contacts
from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.figure.sole import Sole
from footfall.formats.skeleton_arrays import checked_names, read_skeleton, skeleton_arrays
from footfall.formats.stored import Arrays, StoredArrays
from footfall.geometry import quaternion as quat
from footfall.models.model_file import StoredModel, checked_target, model_bytes, opened_model, save_bytes
from footfall.models.movements.footing import SIDES, Footprint, Swing
from footfall.models.movements.kind import MovementKind
from footfall.models.movements.model import MovementLibrary
from footfall.models.movements.prepared import Prepared

SYSTEM = "movements"
STILL = 5e-7  # rad: a joint that turns by no more never moves; float32 holds turns to 2e-7
HALF_TURN = np.pi * (1.0 + 1e-6)  # rad: no rotation vector is longer
INWARD = 1.0 - 2e-7  # takes a vector that rounding made longer than a half turn back
CONTACT_BITS = np.array([1, 2, 4, 8], np.uint8)  # left heel, right heel, left toe, right toe
STANDS = (-1, -1)  # the swing of a foot that stands throughout
RATES = (1.0, 1000.0)  # Hz
SHORTEST = 1e-6  # s between keytimes
EARLY = 1e-6  # s by which a first keytime may lie before the first frame, from rounding
# A file's numbers decide how much is made of it. What goes beyond these is refused before it is made.
MOST_KINDS = 200
MOST_PARAMETERS = 32
MOST_KEYTIMES = 32
MOST_POINTS = 500  # examples and pseudo-examples of a kind,
MOST_POINTS_IN_ALL = 2000  # and of a library
MOST_TURNS = 4_000_000  # joints times frames

Name = Annotated[str, msgspec.Meta(max_length=1000)]


class _Kind(msgspec.Struct):
    name: Name
    parameters: Annotated[list[Name], msgspec.Meta(min_length=1, max_length=MOST_PARAMETERS)]
    examples: Annotated[list[Name], msgspec.Meta(min_length=1, max_length=MOST_POINTS)]
    fps: Annotated[float, msgspec.Meta(ge=RATES[0], le=RATES[1])]


class _Library(msgspec.Struct):
    joints: list[str]
    roles: dict[str, int]
    kinds: Annotated[list[_Kind], msgspec.Meta(min_length=1, max_length=MOST_KINDS)]


def save_library(library: MovementLibrary, path: str | PathLike[str]) -> None:
    """Writes a library (.ffmodel), whole or not at all."""
    target = checked_target(path)
    content = library_bytes(library)
    try:
        read_library(opened_model(content, (SYSTEM,)))
    except LoadError as error:
        raise SaveError(f"{target}: it could not be read again ({error.problem})") from None
    save_bytes(content, target)


def library_bytes(library: MovementLibrary) -> bytes:
    arrays = skeleton_arrays(library.skeleton)
    for k, kind in enumerate(library.members):
        arrays |= {f"{k}.{name}": array for name, array in _kind_arrays(kind).items()}
    kinds = [
        _Kind(kind.name, list(kind.space.names), [e.name for e in kind.examples], kind.tables.fps)
        for kind in library.members
    ]
    skeleton = library.skeleton
    return model_bytes(SYSTEM, _Library(list(skeleton.names), dict(skeleton.roles), kinds), arrays)


def _kind_arrays(kind: MovementKind) -> Arrays:
    examples = kind.examples
    prints = [[p for pair in e.prints for p in pair] for e in examples]
    turns = rotation_vectors(np.concatenate([e.motion.rotations for e in examples]))
    moving = np.abs(turns - turns[0]).max(axis=(0, 2)) > STILL
    return {
        "points": kind.space.points,
        "pseudo_points": kind.pseudo_points,
        "pseudo_weights": kind.pseudo_weights,
        "counts": np.array([len(e.motion) for e in examples], np.int64),
        "leads": np.array([e.lead for e in examples]),
        "keytimes": np.stack([e.keytimes for e in examples]),
        "swings": np.array([[s or STANDS for s in e.swings] for e in examples], np.int64),
        "places": np.array([[p.place for p in row] for row in prints]),
        "headings": np.array([[p.heading for p in row] for row in prints]),
        "lying": np.array([[p.lying for p in row] for row in prints]),
        "root": np.concatenate([e.motion.root for e in examples]).astype(np.float32),
        "moving": moving.astype(np.uint8),
        "turns": turns[:, moving],
        "still": turns[0, ~moving],
        "contacts": np.concatenate([_contact_bits(e.motion) for e in examples]),
    }


def rotation_vectors(rotations: Float[np.ndarray, "*n 4"]) -> Float32[np.ndarray, "*n 3"]:
    """In single precision and, for what was read from a file, the vectors that were in it."""
    vectors = quat.log(rotations).astype(np.float32)
    length = np.linalg.norm(vectors.astype(np.float64), axis=-1, keepdims=True)
    # beyond a half turn the short way is the other way round: the vector would come back as its opposite
    return np.where(length > np.pi, vectors * INWARD, vectors).astype(np.float32)


def _contact_bits(motion: Motion) -> UInt8[np.ndarray, "frames"]:
    assert motion.contacts is not None  # all that is prepared has them
    touches = np.concatenate([motion.contacts.heel, motion.contacts.toe], axis=1)
    return (touches * CONTACT_BITS).sum(axis=1).astype(np.uint8)


def read_library(stored: StoredModel) -> MovementLibrary:
    """A library from a file's parts; whatever does not fit is a LoadError."""
    told = stored.described(_Library)
    checked_names(told.joints)
    names = [kind.name for kind in told.kinds]
    if len(set(names)) < len(names):
        raise LoadError("expected kinds of different names")
    parts = [_Part(stored.arrays, k, kind) for k, kind in enumerate(told.kinds)]
    _refuse_too_much(parts, len(told.joints))
    try:
        skeleton = read_skeleton(stored.arrays, told.joints, told.roles)
        for side in SIDES:
            Sole.of(skeleton, side)
        library = MovementLibrary(tuple(part.read(skeleton) for part in parts))
        # what asks the skeleton for roles asks now, not when something is synthesized
        _ = library.legs, library.captured[0], library.members[0].examples[0].turn
        return library
    except LoadError:
        raise
    except FootfallError as error:
        raise LoadError(str(error)) from None


class _Part:
    """One kind in a file: its arrays, checked against each other."""

    def __init__(self, arrays: StoredArrays, number: int, told: _Kind):
        self.arrays, self.number, self.told = arrays, number, told
        self.examples, self.dims = len(told.examples), len(told.parameters)
        self.pseudo_points = arrays.lengths(self.at("pseudo_points"), None, self.dims)
        self.frames = len(arrays.take(self.at("root"), np.float32, None, 3))

    def at(self, name: str) -> str:
        return f"{self.number}.{name}"

    def wrong(self, problem: str) -> LoadError:
        return LoadError(f"{self.told.name[:40]!r}: {problem}")

    def read(self, skeleton: Skeleton) -> MovementKind:
        take, n = self.arrays, self.examples
        points = take.lengths(self.at("points"), n, self.dims)
        weights = take.lengths(self.at("pseudo_weights"), len(self.pseudo_points), n)
        motions, keytimes, swings = self._motions(skeleton), self._keytimes(), self._swings()
        leads = self._leads([m.seconds for m in motions], keytimes)
        prints = self._prints()
        examples = [
            Prepared(motions[i], leads[i], keytimes[i], prints[i], swings[i], self.told.examples[i])
            for i in range(n)
        ]
        names = tuple(self.told.parameters)
        return MovementKind.of(
            self.told.name, examples, names, given=points, pseudo=(self.pseudo_points, weights)
        )

    def _motions(self, skeleton: Skeleton) -> list[Motion]:
        counts = self.arrays.take(self.at("counts"), np.int64, self.examples)
        if counts.min() < 1 or counts.max() > self.frames or counts.sum() != self.frames:
            raise self.wrong(f"the examples' counts of frames do not make up {self.frames}")
        root = self.arrays.lengths(self.at("root"), self.frames, 3, dtype=np.float32).astype(np.float64)
        rotations, contacts = self._rotations(len(skeleton)), self._contacts()
        ends = np.cumsum(counts)
        return [
            Motion(
                skeleton,
                root[first:last],
                quat.continuous(rotations[first:last]),
                self.told.fps,
                contacts=Contacts(contacts[first:last, :2], contacts[first:last, 2:]),
            )
            for first, last in zip(ends - counts, ends, strict=True)
        ]

    def _rotations(self, joints: int) -> Float[np.ndarray, "frames joints 4"]:
        moving = self._flags("moving", joints)
        moved = int(moving.sum())
        out = np.empty((self.frames, joints, 4))
        out[:, moving] = self._turned("turns", self.frames, moved, 3)
        out[:, ~moving] = self._turned("still", joints - moved, 3)
        return out

    def _turned(self, name: str, *shape: int) -> Float[np.ndarray, "*batch 4"]:
        vectors = self.arrays.lengths(self.at(name), *shape, dtype=np.float32).astype(np.float64)
        if (np.linalg.norm(vectors, axis=-1) > HALF_TURN).any():
            raise self.wrong(f"expected rotations of at most a half turn in {name!r}")
        return quat.exp(vectors)

    def _flags(self, name: str, count: int) -> Bool[np.ndarray, "count"]:
        flags = self.arrays.take(self.at(name), np.uint8, count)
        if flags.max(initial=0) > 1:
            raise self.wrong(f"expected 0 or 1 in {name!r}")
        return flags.astype(bool)

    def _contacts(self) -> Bool[np.ndarray, "frames 4"]:
        bits = self.arrays.take(self.at("contacts"), np.uint8, self.frames)
        if bits.max(initial=0) >= 2 * CONTACT_BITS[-1]:
            raise self.wrong("expected four bits in 'contacts'")
        return (bits[:, None] & CONTACT_BITS) > 0

    def _keytimes(self) -> Float[np.ndarray, "n keys"]:
        times = self.arrays.lengths(self.at("keytimes"), self.examples, None)
        if not 2 <= times.shape[1] <= MOST_KEYTIMES:
            raise self.wrong(f"expected 2 to {MOST_KEYTIMES} keytimes, found {times.shape[1]}")
        if (times[:, 0] != 0.0).any() or (np.diff(times, axis=1) < SHORTEST).any():
            raise self.wrong("expected keytimes that start at 0 and increase")
        return times

    def _leads(self, seconds: list[float], keytimes: Float[np.ndarray, "n keys"]) -> list[float]:
        """Movements must lie in their frames, the last keytime at most one frame beyond."""
        leads = self.arrays.lengths(self.at("leads"), self.examples)
        last = np.array(seconds) + 1.0 / self.told.fps + EARLY
        if (leads < -EARLY).any() or (leads + keytimes[:, -1] > last).any():
            raise self.wrong("keytimes lie outside the frames")
        return [float(lead) for lead in leads]

    def _swings(self) -> list[tuple[Swing, Swing]]:
        keys = self.arrays.stored[self.at("keytimes")].shape[1]
        stored = self.arrays.take(self.at("swings"), np.int64, self.examples, 2, 2)
        off, strike = stored[..., 0], stored[..., 1]
        if not (((off == -1) & (strike == -1)) | ((off >= 0) & (off < strike) & (strike < keys))).all():
            raise self.wrong("expected feet that leave at a keytime and land at a later one")

        def swing(pair: list[int]) -> Swing:
            return None if pair[0] < 0 else (pair[0], pair[1])

        return [(swing(left), swing(right)) for left, right in stored.tolist()]

    def _prints(
        self,
    ) -> list[tuple[tuple[Footprint, Footprint], tuple[Footprint, Footprint]]]:
        n, take = self.examples, self.arrays
        places = take.lengths(self.at("places"), n, 4, 3)
        headings = take.lengths(self.at("headings"), n, 4)
        lying = take.turns(self.at("lying"), n, 4, 4)
        rows = [[Footprint(places[i, k], float(headings[i, k]), lying[i, k]) for k in range(4)] for i in range(n)]
        return [((a, b), (c, d)) for a, b, c, d in rows]


def _refuse_too_much(parts: list[_Part], joints: int) -> None:
    points = [part.examples + len(part.pseudo_points) for part in parts]
    if max(points) > MOST_POINTS or sum(points) > MOST_POINTS_IN_ALL:
        raise LoadError(
            f"expected at most {MOST_POINTS} examples and pseudo-examples in a kind and {MOST_POINTS_IN_ALL} in "
            f"all, found up to {max(points)} and {sum(points)}"
        )
    turns = joints * sum(part.frames for part in parts)
    if turns > MOST_TURNS:
        raise LoadError(f"{turns} rotations are more than the {MOST_TURNS} that are read")
