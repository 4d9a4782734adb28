"""The examples of one kind as one table of frames, and their blend at any time ([movements] 3).

A row holds the root's place and every joint's quaternion. Between rows a cubic (Catmull-Rom) runs, so that
rates are continuous, and a row's own time gives the row. Signs of quaternions are chosen once for the whole
movement, on the hemisphere of the first example: chosen moment by moment they could flip.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float, Int

from footfall.align.generic_time import blended_keytimes
from footfall.align.smooth_time import cubics, time_at
from footfall.errors import RequestError
from footfall.figure.frozen import frozen_array
from footfall.geometry import quaternion as quat
from footfall.models.movements.prepared import Prepared

COMPARED = 4  # moments in each stretch between keytimes at which hemispheres are compared

Kernel = Callable[..., None]
KernelTables = tuple[np.ndarray, np.ndarray, np.ndarray]  # rows, first and last of each example, places


@dataclass(frozen=True, eq=False)
class Tables:
    """Frames of all examples, one after the other."""

    fps: float
    first: Int[np.ndarray, "n"]  # row of each example's first frame
    counts: Int[np.ndarray, "n"]
    leads: Float[np.ndarray, "n"]  # s from there to the first keytime
    keytimes: Float[np.ndarray, "n keys"]  # s, the first is 0
    rows: Float[np.ndarray, "rows channels"]  # root, then quaternions joint by joint

    @classmethod
    def of(cls, examples: Sequence[Prepared]) -> Tables:
        counts = np.array([len(e.motion) for e in examples])
        rotations = _one_hemisphere(examples)
        rows = [
            np.concatenate([e.motion.root, r.reshape(len(r), -1)], axis=1)
            for e, r in zip(examples, rotations, strict=True)
        ]
        return cls(
            fps=examples[0].motion.fps,
            first=np.concatenate([[0], np.cumsum(counts)[:-1]]),
            counts=counts,
            leads=np.array([e.lead for e in examples]),
            keytimes=np.stack([e.keytimes for e in examples]),
            rows=frozen_array(np.concatenate(rows), "rows"),
        )

    @cached_property
    def clocks(self) -> Float[np.ndarray, "n stretches 4"]:
        """Each example's time over generic time."""
        return cubics(self.keytimes)

    def __len__(self) -> int:
        return len(self.counts)

    @cached_property
    def shortest(self) -> Float[np.ndarray, "stretches"]:
        """The least time between two keytimes that any example takes, s."""
        return np.diff(self.keytimes, axis=1).min(axis=0)

    def blended_keytimes(self, weights: Float[np.ndarray, "n"]) -> Float[np.ndarray, "keys"]:
        """[movements] eq. 4, but no stretch is shorter than every example's.

        Weights that are a little negative can leave a thousandth of a second between the landing and the end
        where examples have a hundredth to a quarter: all would turn a hundred times too fast there.
        """
        keys = blended_keytimes(weights, self.keytimes)
        stretches = np.diff(keys)
        if (stretches >= self.shortest).all():
            return keys
        return np.concatenate([[0.0], np.cumsum(np.maximum(stretches, self.shortest))])

    @cached_property
    def _compiled(self) -> tuple[Kernel, Kernel, KernelTables]:
        """The kernels for one moment and for many, and what they read."""
        from footfall.models.movements.blend_kernel import blend_pose, blend_poses

        spans = np.stack([self.first, self.first + self.counts - 1], axis=1).astype(np.int64)
        places = self.clocks * self.fps
        places[:, :, 0] += (self.leads * self.fps)[:, None]
        rows = np.ascontiguousarray(self.rows, dtype=float)
        return blend_pose, blend_poses, (rows, spans, np.ascontiguousarray(places))

    def blend(
        self, weights: Float[np.ndarray, "n"], generic: Float[np.ndarray, "moments"]
    ) -> tuple[Float[np.ndarray, "moments 3"], Float[np.ndarray, "moments joints 4"]]:
        """Root and rotations at generic times of a blended movement ([movements] 3, steps 3 to 5)."""
        _, kernel, tables = self._compiled
        moments = np.ascontiguousarray(generic, dtype=float)
        root = np.empty((len(moments), 3))
        rotations = np.empty((len(moments), self._joints, 4))
        kernel(*tables, self._checked(weights), moments, root, rotations)
        return root, rotations

    def pose(
        self, weights: Float[np.ndarray, "n"], generic: float
    ) -> tuple[Float[np.ndarray, "3"], Float[np.ndarray, "joints 4"]]:
        """The same at one generic time, with less ado."""
        kernel, _, tables = self._compiled
        root, rotations = np.empty(3), np.empty((self._joints, 4))
        kernel(*tables, self._checked(weights), generic, root, rotations)
        return root, rotations

    @cached_property
    def _joints(self) -> int:
        return (self.rows.shape[1] - 3) // 4

    def _checked(self, weights: Float[np.ndarray, "n"]) -> Float[np.ndarray, "n"]:
        """As the kernels read them: they do not look where an array ends."""
        own = np.ascontiguousarray(weights, dtype=float)
        if own.shape != self.counts.shape:
            raise RequestError(f"{len(self)} examples need a weight each, not an array {own.shape}")
        return own

    def example_rows(
        self, example: int, times: Float[np.ndarray, "moments"]
    ) -> Float[np.ndarray, "moments channels"]:
        """One example's rows at times from its first keytime."""
        count = int(self.counts[example])
        own = self.rows[self.first[example] : self.first[example] + count]
        return cubic(own, (times + self.leads[example]) * self.fps)

    def at_generic(
        self, generic: Float[np.ndarray, "moments"], example: int
    ) -> Float[np.ndarray, "moments channels"]:
        """One example's rows at generic times."""
        return self.example_rows(example, time_at(generic, self.clocks[example]))


def cubic(
    rows: Float[np.ndarray, "rows channels"], place: Float[np.ndarray, "moments"]
) -> Float[np.ndarray, "moments channels"]:
    """Catmull-Rom through rows; at the ends their neighbours are guessed by going straight on."""
    t, a, b, slope_a, slope_b = _piece(rows, place)
    t2, t3 = t * t, t * t * t
    return (
        (2 * t3 - 3 * t2 + 1) * a + (t3 - 2 * t2 + t) * slope_a + (3 * t2 - 2 * t3) * b + (t3 - t2) * slope_b
    )


def cubic_rate(
    rows: Float[np.ndarray, "rows channels"], place: Float[np.ndarray, "moments"]
) -> Float[np.ndarray, "moments channels"]:
    """How fast it runs, a row."""
    t, a, b, slope_a, slope_b = _piece(rows, place)
    t2 = t * t
    return 6 * (t2 - t) * (a - b) + (3 * t2 - 4 * t + 1) * slope_a + (3 * t2 - 2 * t) * slope_b


def _piece(rows: np.ndarray, place: np.ndarray) -> tuple[np.ndarray, ...]:
    """The share of a piece that is done, its ends, and the slopes there."""
    last = len(rows) - 1
    place = np.clip(place, 0.0, last)
    i = np.clip(place.astype(int), 0, max(last - 1, 0))
    a, b = rows[i], rows[np.minimum(i + 1, last)]
    before = np.where((i > 0)[:, None], rows[np.maximum(i - 1, 0)], 2.0 * a - b)
    after = np.where((i + 2 <= last)[:, None], rows[np.minimum(i + 2, last)], 2.0 * b - a)
    return (place - i)[:, None], a, b, 0.5 * (b - before), 0.5 * (after - a)


def _one_hemisphere(examples: Sequence[Prepared]) -> list[Float[np.ndarray, "frames joints 4"]]:
    """Rotations that run without flips, and on the side of the first example's."""
    keys = len(examples[0].keytimes)
    moments = np.linspace(0.0, keys - 1.0, COMPARED * (keys - 1) + 1)
    steady = [quat.continuous(example.motion.rotations) for example in examples]
    own = [_sampled(rotations, e, moments) for rotations, e in zip(steady, examples, strict=True)]
    alike = [np.sum(turns * own[0], axis=(0, 2)) >= 0.0 for turns in own]
    return [r * np.where(same, 1.0, -1.0)[:, None] for r, same in zip(steady, alike, strict=True)]


def _sampled(
    rotations: Float[np.ndarray, "frames joints 4"], example: Prepared, moments: Float[np.ndarray, "moments"]
) -> Float[np.ndarray, "moments joints 4"]:
    place = (time_at(moments, cubics(example.keytimes)) + example.lead) * example.motion.fps
    return cubic(rotations.reshape(len(rotations), -1), place).reshape(len(moments), -1, 4)
