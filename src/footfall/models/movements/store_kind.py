"""One kind of movement as arrays in a model file, and back, every part checked against the others."""

from __future__ import annotations

from typing import Annotated

import msgspec
import numpy as np
from jaxtyping import Bool, Float, UInt8

from footfall.figure.contacts import Contacts
from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.formats.stored import Arrays, StoredArrays
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import PRECISION
from footfall.models.movements.footing import Swing
from footfall.models.movements.kind import MovementKind
from footfall.models.movements.prepared import Prepared
from footfall.models.movements.store_examples import StoredExamples, example_arrays

CONTACT_BITS = np.array([1, 2, 4, 8], np.uint8)  # left heel, right heel, left toe, right toe
STANDS = (-1, -1)  # the swing of a foot that stands throughout
RATES = (1.0, 1000.0)  # Hz
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
    return example_arrays(examples) | {
        "points": kind.space.points,
        "pseudo_points": kind.pseudo_points,
        "pseudo_weights": kind.pseudo_weights,
        "swings": np.array([[s or STANDS for s in e.swings] for e in examples], np.int64),
        "contacts": np.concatenate([_contact_bits(e.motion) for e in examples]),
    }


def _contact_bits(motion: Motion) -> UInt8[np.ndarray, "frames"]:
    assert motion.contacts is not None  # all that is prepared has them
    touches = np.concatenate([motion.contacts.heel, motion.contacts.toe], axis=1)
    return (touches * CONTACT_BITS).sum(axis=1).astype(np.uint8)


class StoredKind(StoredExamples):
    """One kind in a file: its arrays, checked against each other."""

    def __init__(self, arrays: StoredArrays, number: int, told: ToldKind):
        self.told, self.dims = told, len(told.parameters)
        super().__init__(arrays, number, len(told.examples), told.fps, f"{told.name[:40]!r}")
        self.pseudo_points = arrays.lengths(self.at("pseudo_points"), None, self.dims)

    def read(self, skeleton: Skeleton) -> MovementKind:
        take, n = self.arrays, self.examples
        points = take.lengths(self.at("points"), n, self.dims)
        weights = take.lengths(self.at("pseudo_weights"), len(self.pseudo_points), n)
        off = 1.0 - weights.sum(axis=1, keepdims=True)
        weights = np.where(np.abs(off) < n * PRECISION, weights + off / n, weights)  # they were rounded
        motions, keytimes, swings = self._motions(skeleton), self._all_keytimes(), self._swings()
        leads = self.leads([m.seconds for m in motions], keytimes)
        prints = self.prints()
        examples = [
            Prepared(motions[i], leads[i], keytimes[i], prints[i], swings[i], self.told.examples[i])
            for i in range(n)
        ]
        names = tuple(self.told.parameters)
        return MovementKind.of(
            self.told.name, examples, names, given=points, pseudo=(self.pseudo_points, weights)
        )

    def _motions(self, skeleton: Skeleton) -> list[Motion]:
        spans, root = self.spans(), self.root()
        rotations, contacts = self.rotations(len(skeleton)), self._contacts()
        return [
            Motion(
                skeleton,
                root[own],
                quat.continuous(rotations[own]),
                self.told.fps,
                contacts=Contacts(contacts[own, :2], contacts[own, 2:]),
            )
            for own in spans
        ]

    def _contacts(self) -> Bool[np.ndarray, "frames 4"]:
        bits = self.arrays.take(self.at("contacts"), np.uint8, self.frames)
        if bits.max(initial=0) >= 2 * CONTACT_BITS[-1]:
            raise self.wrong("expected four bits in 'contacts'")
        return (bits[:, None] & CONTACT_BITS) > 0

    def _all_keytimes(self) -> Float[np.ndarray, "n keys"]:
        count = self.arrays.lengths(self.at("keytimes"), self.examples, None).shape[1]
        if not 2 <= count <= MOST_KEYTIMES:
            raise self.wrong(f"expected 2 to {MOST_KEYTIMES} keytimes, found {count}")
        return self.keytimes(count)

    def _swings(self) -> list[tuple[Swing, Swing]]:
        keys = self.arrays.stored[self.at("keytimes")].shape[1]
        stored = self.arrays.take(self.at("swings"), np.int64, self.examples, 2, 2)
        off, strike = stored[..., 0], stored[..., 1]
        if not (((off == -1) & (strike == -1)) | ((off >= 0) & (off < strike) & (strike < keys))).all():
            raise self.wrong("expected feet that leave at a keytime and land at a later one")

        def swing(pair: list[int]) -> Swing:
            return None if pair[0] < 0 else (pair[0], pair[1])

        return [(swing(left), swing(right)) for left, right in stored.tolist()]
