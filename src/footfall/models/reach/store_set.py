"""One set of reaches as arrays in a model file, and back, every part checked against the others."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
import numpy as np

from footfall.figure.contacts import Contacts
from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.formats.stored import Arrays, StoredArrays
from footfall.geometry import quaternion as quat
from footfall.models.movements.prepared import Prepared
from footfall.models.movements.store_examples import StoredExamples, example_arrays
from footfall.models.reach.reach_set import KEYTIMES, ReachSet

RATES = (1.0, 1000.0)  # Hz
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
    return example_arrays(own.examples) | {
        "points": own.points,
        "pseudo_points": own.pseudo_points,
        "pseudo_weights": own.pseudo_weights,
    }


class StoredSet(StoredExamples):
    """One set in a file: its arrays, checked against each other."""

    def __init__(self, arrays: StoredArrays, number: int, told: ToldSet):
        self.told = told
        super().__init__(arrays, number, len(told.examples), told.fps, f"{told.hand} {told.posture}")
        self.pseudo_points = arrays.lengths(self.at("pseudo_points"), None, 3)
        if len(self.pseudo_points) > MOST_POINTS:
            raise self.wrong(f"expected at most {MOST_POINTS} pseudo-examples")

    def read(self, skeleton: Skeleton) -> ReachSet:
        take, n = self.arrays, self.examples
        points = take.lengths(self.at("points"), n, 3)
        weights = take.lengths(self.at("pseudo_weights"), len(self.pseudo_points), n)
        if (np.abs(weights) > LARGEST_WEIGHT).any() or (np.abs(weights.sum(axis=1) - 1.0) > SUMS).any():
            raise self.wrong("expected rows of weights that sum to 1")
        motions, keytimes = self._motions(skeleton), self.keytimes(KEYTIMES)
        leads = self.leads([m.seconds for m in motions], keytimes)
        prints = self.prints()
        examples = tuple(
            Prepared(motions[i], leads[i], keytimes[i], prints[i], (None, None), self.told.examples[i])
            for i in range(n)
        )
        return ReachSet(self.told.hand, self.told.posture, examples, points, self.pseudo_points, weights)

    def _motions(self, skeleton: Skeleton) -> list[Motion]:
        spans, root, rotations = self.spans(), self.root(), self.rotations(len(skeleton))
        out = []
        for own in spans:
            stands = np.ones((own.stop - own.start, 2), dtype=bool)
            turned = quat.continuous(rotations[own])
            out.append(Motion(skeleton, root[own], turned, self.told.fps, contacts=Contacts(stands, stands)))
        return out
