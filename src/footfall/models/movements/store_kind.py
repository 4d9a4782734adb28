"""One kind of movement as arrays in a model file, and back, every part checked against the others.

Frames are kept small: joints that never move in a kind once, the others as rotation vectors in float32, with
the root's place. Parameters, keytimes and footprints are kept in float64, as they decide where feet stand.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
import numpy as np
from jaxtyping import Bool, Float, UInt8

from footfall.adapt.foot_roll import Footprint
from footfall.errors import LoadError
from footfall.figure.contacts import Contacts
from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.formats.rotation_vectors import HALF_TURN, STILL, rotation_vectors
from footfall.formats.stored import Arrays, StoredArrays
from footfall.geometry import quaternion as quat
from footfall.models.movements.footing import Swing
from footfall.models.movements.kind import MovementKind
from footfall.models.movements.prepared import Prepared

CONTACT_BITS = np.array([1, 2, 4, 8], np.uint8)  # left heel, right heel, left toe, right toe
STANDS = (-1, -1)  # the swing of a foot that stands throughout
RATES = (1.0, 1000.0)  # Hz
SHORTEST = 1e-6  # s between keytimes
EARLY = 1e-6  # s by which a first keytime may lie before the first frame, from rounding
MOST_PARAMETERS = 32
MOST_KEYTIMES = 32
MOST_POINTS = 500  # examples and pseudo-examples

Name = Annotated[str, msgspec.Meta(max_length=1000)]


class ToldKind(msgspec.Struct):
    """What the file's text says about a kind."""

    name: Name
    parameters: Annotated[list[Name], msgspec.Meta(min_length=1, max_length=MOST_PARAMETERS)]
    examples: Annotated[list[Name], msgspec.Meta(min_length=1, max_length=MOST_POINTS)]
    fps: Annotated[float, msgspec.Meta(ge=RATES[0], le=RATES[1])]


def told_kind(kind: MovementKind) -> ToldKind:
    return ToldKind(kind.name, list(kind.space.names), [e.name for e in kind.examples], kind.tables.fps)


def kind_arrays(kind: MovementKind) -> Arrays:
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


def _contact_bits(motion: Motion) -> UInt8[np.ndarray, "frames"]:
    assert motion.contacts is not None  # all that is prepared has them
    touches = np.concatenate([motion.contacts.heel, motion.contacts.toe], axis=1)
    return (touches * CONTACT_BITS).sum(axis=1).astype(np.uint8)


class StoredKind:
    """One kind in a file: its arrays, checked against each other."""

    def __init__(self, arrays: StoredArrays, number: int, told: ToldKind):
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
        rows = [
            [Footprint(places[i, k], float(headings[i, k]), lying[i, k]) for k in range(4)] for i in range(n)
        ]
        return [((a, b), (c, d)) for a, b, c, d in rows]
