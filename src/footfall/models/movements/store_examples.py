"""Prepared examples as arrays in a model file, and back, every part checked against the others.

Frames are kept small: joints that never move once, the others as rotation vectors in float32, with the root's
place. Keytimes and footprints are kept in float64, as they decide where feet stand.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Bool, Float, Int

from footfall.adapt.foot_roll import Footprint
from footfall.errors import LoadError
from footfall.formats.rotation_vectors import HALF_TURN, STILL, rotation_vectors
from footfall.formats.stored import Arrays, StoredArrays
from footfall.geometry import quaternion as quat
from footfall.models.movements.prepared import Prepared

SHORTEST = 1e-6  # s between keytimes
EARLY = 1e-6  # s by which a first keytime may lie before the first frame, from rounding

Prints = tuple[tuple[Footprint, Footprint], tuple[Footprint, Footprint]]


def example_arrays(examples: Sequence[Prepared]) -> Arrays:
    prints = [[p for pair in e.prints for p in pair] for e in examples]
    turns = rotation_vectors(np.concatenate([e.motion.rotations for e in examples]))
    moving = np.abs(turns - turns[0]).max(axis=(0, 2)) > STILL
    return {
        "counts": np.array([len(e.motion) for e in examples], np.int64),
        "leads": np.array([e.lead for e in examples]),
        "keytimes": np.stack([e.keytimes for e in examples]),
        "places": np.array([[p.place for p in row] for row in prints]),
        "headings": np.array([[p.heading for p in row] for row in prints]),
        "lying": np.array([[p.lying for p in row] for row in prints]),
        "root": np.concatenate([e.motion.root for e in examples]).astype(np.float32),
        "moving": moving.astype(np.uint8),
        "turns": turns[:, moving],
        "still": turns[0, ~moving],
    }


class StoredExamples:
    """The examples of one part of a file, by its number; `words` is what errors call it."""

    def __init__(self, arrays: StoredArrays, number: int, examples: int, fps: float, words: str):
        self.arrays, self.number, self.examples = arrays, number, examples
        self._fps, self._words = fps, words
        self.frames = len(arrays.take(self.at("root"), np.float32, None, 3))

    def at(self, name: str) -> str:
        return f"{self.number}.{name}"

    def wrong(self, problem: str) -> LoadError:
        return LoadError(f"{self._words}: {problem}")

    def spans(self) -> list[slice]:
        """The frames of each example."""
        counts: Int[np.ndarray, "n"] = self.arrays.take(self.at("counts"), np.int64, self.examples)
        if counts.min() < 1 or counts.max() > self.frames or counts.sum() != self.frames:
            raise self.wrong(f"the examples' counts of frames do not make up {self.frames}")
        ends = np.cumsum(counts)
        return [slice(int(a), int(b)) for a, b in zip(ends - counts, ends, strict=True)]

    def root(self) -> Float[np.ndarray, "frames 3"]:
        return self.arrays.lengths(self.at("root"), self.frames, 3, dtype=np.float32).astype(np.float64)

    def rotations(self, joints: int) -> Float[np.ndarray, "frames joints 4"]:
        moving = self.flags("moving", joints)
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

    def flags(self, name: str, count: int) -> Bool[np.ndarray, "count"]:
        flags = self.arrays.take(self.at(name), np.uint8, count)
        if flags.max(initial=0) > 1:
            raise self.wrong(f"expected 0 or 1 in {name!r}")
        return flags.astype(bool)

    def keytimes(self, count: int | None = None) -> Float[np.ndarray, "n keys"]:
        times = self.arrays.lengths(self.at("keytimes"), self.examples, count)
        if (times[:, 0] != 0.0).any() or (np.diff(times, axis=1) < SHORTEST).any():
            raise self.wrong("expected keytimes that start at 0 and increase")
        return times

    def leads(self, seconds: Sequence[float], keytimes: Float[np.ndarray, "n keys"]) -> list[float]:
        """Examples must lie in their frames, the last keytime at most one frame beyond."""
        leads = self.arrays.lengths(self.at("leads"), self.examples)
        last = np.array(seconds) + 1.0 / self._fps + EARLY
        if (leads < -EARLY).any() or (leads + keytimes[:, -1] > last).any():
            raise self.wrong("keytimes lie outside the frames")
        return [float(lead) for lead in leads]

    def prints(self) -> list[Prints]:
        n = self.examples
        places = self.arrays.lengths(self.at("places"), n, 4, 3)
        headings = self.arrays.lengths(self.at("headings"), n, 4)
        lying = self.arrays.turns(self.at("lying"), n, 4, 4)
        out: list[Prints] = []
        for i in range(n):
            a, b, c, d = (Footprint(places[i, j], float(headings[i, j]), lying[i, j]) for j in range(4))
            out.append(((a, b), (c, d)))
        return out
