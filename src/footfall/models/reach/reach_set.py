"""The reaches of one hand, or of both, in one posture: examples, where they lead, and the map to weights.

A reach's parameters are where the palm is at the apex (of two the middle), in the frame of the figure: its
origin lies on the ground under the hips at the start, z ahead of the trunk. Under the hips, not between the
feet: what can be reached depends on where the trunk is, also of one who sits or stands with a foot ahead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from jaxtyping import Float, Int

from footfall.errors import RequestError
from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.models.movements.prepared import Prepared
from footfall.models.movements.tables import Tables
from footfall.models.reach.effector import palm_point
from footfall.weights.nearest import Nearest
from footfall.weights.space import Space

HANDS = ("left", "right", "both")
POSTURES = ("standing", "sitting")
NAMES, UNITS = ("x", "y", "z"), ("m", "m", "m")
KEYTIMES = 4  # the hand sets out, arrives, leaves, is back
START, APEX, LEAVE, END = 0.0, 1.0, 2.0, 3.0  # the same in generic time


@dataclass(frozen=True, eq=False, repr=False)
class ReachSet:
    """Examples with their apexes, and pseudo-examples: places and the weights that lead there."""

    hand: str
    posture: str
    examples: tuple[Prepared, ...]
    points: Float[np.ndarray, "n 3"]
    pseudo_points: Float[np.ndarray, "pseudo 3"] = field(default_factory=lambda: np.zeros((0, 3)))
    pseudo_weights: Float[np.ndarray, "pseudo n"] | None = None

    def __post_init__(self) -> None:
        if self.hand not in HANDS or self.posture not in POSTURES:
            raise RequestError(
                f"a set is of {', '.join(HANDS)} and {' or '.join(POSTURES)}, not of "
                f"{self.hand!r:.40} and {self.posture!r:.40}"
            )
        if not self.examples or any(len(e.keytimes) != KEYTIMES for e in self.examples):
            raise RequestError("a reach has four keytimes: the hand sets out, arrives, leaves, is back")
        if self.pseudo_weights is None:
            object.__setattr__(self, "pseudo_weights", np.zeros((0, len(self.examples))))

    @classmethod
    def of(cls, hand: str, posture: str, examples: Sequence[Prepared]) -> ReachSet:
        """A set whose points are measured; without pseudo-examples."""
        bare = cls(hand, posture, tuple(examples), np.zeros((len(examples), 3)))
        return replace(bare, points=bare.apexes(np.eye(len(examples))))

    def with_pseudo_examples(
        self, points: Float[np.ndarray, "pseudo 3"], weights: Float[np.ndarray, "pseudo n"]
    ) -> ReachSet:
        return replace(self, pseudo_points=points, pseudo_weights=weights)

    @property
    def name(self) -> str:
        return f"{self.hand}_{self.posture}"

    def __repr__(self) -> str:
        return f"ReachSet({self.name}: {len(self.examples)} examples, {len(self.pseudo_points)} more points)"

    @property
    def skeleton(self) -> Skeleton:
        return self.examples[0].motion.skeleton

    @property
    def sides(self) -> tuple[str, ...]:
        return ("left", "right") if self.hand == "both" else (self.hand,)

    @property
    def motions(self) -> tuple[Motion, ...]:
        return tuple(e.motion for e in self.examples)

    @cached_property
    def tables(self) -> Tables:
        return Tables.of(self.examples)

    @cached_property
    def space(self) -> Space:
        return Space(NAMES, UNITS, self.points)

    @cached_property
    def scheme(self) -> Nearest:
        assert self.pseudo_weights is not None
        known = np.vstack([np.eye(len(self.examples)), self.pseudo_weights])
        return Nearest(np.vstack([self.points, self.pseudo_points]), known)

    @cached_property
    def hand_joints(self) -> Int[np.ndarray, "hands"]:
        return np.array([self.skeleton.joint(f"{side}_hand") for side in self.sides], dtype=np.int64)

    @cached_property
    def palms(self) -> Float[np.ndarray, "hands 3"]:
        return np.array([palm_point(self.skeleton, side) for side in self.sides])

    @cached_property
    def kernel_tables(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """What blending kernels read: rows, the span of each example, and clocks."""
        tables = self.tables
        spans = np.stack([tables.first, tables.first + tables.counts - 1], axis=1).astype(np.int64)
        clocks = tables.clocks * tables.fps
        clocks[:, :, 0] += (tables.leads * tables.fps)[:, None]
        return np.ascontiguousarray(tables.rows, dtype=float), spans, np.ascontiguousarray(clocks)

    def apexes(self, weights: Float[np.ndarray, "q n"]) -> Float[np.ndarray, "q 3"]:
        """Where blends put the palm (of two the middle) at the apex."""
        from footfall.models.reach.effector_kernel import blended_effectors

        skeleton = self.skeleton
        found = np.empty((len(weights), 3))
        blended_effectors(
            *self.kernel_tables,
            np.array(skeleton.parents, dtype=np.int64),
            np.ascontiguousarray(skeleton.offsets, dtype=float),
            self.hand_joints,
            self.palms,
            np.ascontiguousarray(weights, dtype=float),
            APEX,
            found,
        )
        return found

    def misses(self, places: Float[np.ndarray, "q 3"]) -> Float[np.ndarray, "q"]:
        """How far from where it was asked to be blending alone puts the palm, m."""
        return np.linalg.norm(self.apexes(self.scheme(places)) - places, axis=-1)

    def keytimes(self, weights: Float[np.ndarray, "n"]) -> Float[np.ndarray, "4"]:
        return self.tables.blended_keytimes(weights)
