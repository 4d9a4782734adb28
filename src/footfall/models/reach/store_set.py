"""One set of reaches as arrays in a model file, and back, every part checked against the others."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
import numpy as np
from jaxtyping import Bool, Float

from footfall.adapt.foot_roll import Footprint
from footfall.errors import LoadError
from footfall.figure.contacts import Contacts
from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.formats.rotation_vectors import HALF_TURN, STILL, rotation_vectors
from footfall.formats.stored import Arrays, StoredArrays
from footfall.geometry import quaternion as quat
from footfall.models.movements.prepared import Prepared
from footfall.models.reach.reach_set import KEYTIMES, ReachSet

RATES = (1.0, 1000.0)  # Hz
SHORTEST = 1e-6  # s between keytimes
EARLY = 1e-6  # s by which a first keytime may lie before the first frame, from rounding
MOST_EXAMPLES, MOST_POINTS = 500, 20_000
SUMS = 1e-6  # of a row of weights: how far from 1
LARGEST_WEIGHT = 10.0

Name = Annotated[str, msgspec.Meta(max_length=1000)]


class ToldSet(msgspec.Struct):
    """What the file's text says about a set."""

    hand: Literal["left", "right", "both"]
    posture: Literal["standing", "sitting"]
    examples: Annotated[list[Name], msgspec.Meta(min_length=1, max_length=MOST_EXAMPLES)]
    fps: Annotated[float, msgspec.Meta(ge=RATES[0], le=RATES[1])]


def told_set(own: ReachSet) -> ToldSet:
    return ToldSet(own.hand, own.posture, [e.name for e in own.examples], own.tables.fps)  # type: ignore[arg-type]


def set_arrays(own: ReachSet) -> Arrays:
    assert own.pseudo_weights is not None
    examples = own.examples
    prints = [[p for pair in e.prints for p in pair] for e in examples]
    turns = rotation_vectors(np.concatenate([e.motion.rotations for e in examples]))
    moving = np.abs(turns - turns[0]).max(axis=(0, 2)) > STILL
    return {
        "points": own.points,
        "pseudo_points": own.pseudo_points,
        "pseudo_weights": own.pseudo_weights,
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


class StoredSet:
    """One set in a file: its arrays, checked against each other."""

    def __init__(self, arrays: StoredArrays, number: int, told: ToldSet):
        self.arrays, self.number, self.told = arrays, number, told
        self.examples = len(told.examples)
        self.pseudo_points = arrays.lengths(self.at("pseudo_points"), None, 3)
        self.frames = len(arrays.take(self.at("root"), np.float32, None, 3))
        if len(self.pseudo_points) > MOST_POINTS:
            raise self.wrong(f"expected at most {MOST_POINTS} pseudo-examples")

    def at(self, name: str) -> str:
        return f"{self.number}.{name}"

    def wrong(self, problem: str) -> LoadError:
        return LoadError(f"{self.told.hand} {self.told.posture}: {problem}")

    def read(self, skeleton: Skeleton) -> ReachSet:
        take, n = self.arrays, self.examples
        points = take.lengths(self.at("points"), n, 3)
        weights = take.lengths(self.at("pseudo_weights"), len(self.pseudo_points), n)
        if (np.abs(weights) > LARGEST_WEIGHT).any() or (np.abs(weights.sum(axis=1) - 1.0) > SUMS).any():
            raise self.wrong("expected rows of weights that sum to 1")
        motions, keytimes = self._motions(skeleton), self._keytimes()
        leads = self._leads([m.seconds for m in motions], keytimes)
        prints = self._prints()
        examples = tuple(
            Prepared(motions[i], leads[i], keytimes[i], prints[i], (None, None), self.told.examples[i])
            for i in range(n)
        )
        return ReachSet(self.told.hand, self.told.posture, examples, points, self.pseudo_points, weights)

    def _motions(self, skeleton: Skeleton) -> list[Motion]:
        counts = self.arrays.take(self.at("counts"), np.int64, self.examples)
        if counts.min() < 1 or counts.max() > self.frames or counts.sum() != self.frames:
            raise self.wrong(f"the examples' counts of frames do not make up {self.frames}")
        root = self.arrays.lengths(self.at("root"), self.frames, 3, dtype=np.float32).astype(np.float64)
        rotations, ends = self._rotations(len(skeleton)), np.cumsum(counts)
        out = []
        for first, last in zip(ends - counts, ends, strict=True):
            stands = np.ones((int(last - first), 2), dtype=bool)
            turned = quat.continuous(rotations[first:last])
            out.append(
                Motion(skeleton, root[first:last], turned, self.told.fps, contacts=Contacts(stands, stands))
            )
        return out

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

    def _keytimes(self) -> Float[np.ndarray, "n 4"]:
        times = self.arrays.lengths(self.at("keytimes"), self.examples, KEYTIMES)
        if (times[:, 0] != 0.0).any() or (np.diff(times, axis=1) < SHORTEST).any():
            raise self.wrong("expected keytimes that start at 0 and increase")
        return times

    def _leads(self, seconds: list[float], keytimes: Float[np.ndarray, "n 4"]) -> list[float]:
        """Reaches must lie in their frames, the last keytime at most one frame beyond."""
        leads = self.arrays.lengths(self.at("leads"), self.examples)
        last = np.array(seconds) + 1.0 / self.told.fps + EARLY
        if (leads < -EARLY).any() or (leads + keytimes[:, -1] > last).any():
            raise self.wrong("keytimes lie outside the frames")
        return [float(lead) for lead in leads]

    def _prints(self) -> list[tuple[tuple[Footprint, Footprint], tuple[Footprint, Footprint]]]:
        n = self.examples
        places = self.arrays.lengths(self.at("places"), n, 4, 3)
        headings = self.arrays.lengths(self.at("headings"), n, 4)
        lying = self.arrays.turns(self.at("lying"), n, 4, 4)
        out = []
        for i in range(n):
            a, b, c, d = (Footprint(places[i, j], float(headings[i, j]), lying[i, j]) for j in range(4))
            out.append(((a, b), (c, d)))
        return out
