"""The body's way through a blended movement, from how fast the examples go, not from where they are.

At equal generic times examples run through a double support of a thirtieth of a second in one and a quarter
in another. A sum of places then moves as fast as the longer one says: the body gets a blow of half a metre
a second at every strike. A sum of the examples' own velocities has none. What its path misses at the end is
eased in over the whole movement.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.align.smooth_time import cubics, generic_at, time_at
from footfall.geometry.decisions import cells_up_to
from footfall.geometry.easing import smoother
from footfall.models.movements.tables import Tables, cubic, cubic_rate

RATE = 240.0  # Hz, at which velocities are summed up


@dataclass(frozen=True, eq=False)
class RootPath:
    """Places of the root over time, in the movement's base frame."""

    step: float  # s
    places: Float[np.ndarray, "samples 3"]

    @classmethod
    def of(
        cls, tables: Tables, weights: Float[np.ndarray, "n"], keytimes: Float[np.ndarray, "keys"]
    ) -> RootPath:
        seconds = float(keytimes[-1])
        count = max(int(cells_up_to(RATE * seconds, 1.0)), 4)
        times = np.linspace(0.0, seconds, 2 * count + 1)  # ends and middles
        generic = generic_at(times, cubics(keytimes))
        velocity, ends = np.zeros((len(times), 3)), np.zeros((2, 3))
        for i, weight in enumerate(weights):
            if weight != 0.0:
                own = time_at(generic, tables.clocks[i])
                velocity += weight * _velocity(tables, i, own)
                ends += weight * tables.example_rows(i, own[[0, -1]])[:, :3]
        step = seconds / count
        gone = np.zeros((count + 1, 3))
        # Simpson's rule: velocities are pieces of parabolas
        gone[1:] = np.cumsum(step / 6.0 * (velocity[:-2:2] + 4.0 * velocity[1::2] + velocity[2::2]), axis=0)
        missing = ends[1] - ends[0] - gone[-1]
        return cls(step, ends[0] + gone + smoother(times[::2] / seconds)[:, None] * missing)

    def at(self, times: Float[np.ndarray, "moments"]) -> Float[np.ndarray, "moments 3"]:
        return cubic(self.places, times / self.step)


def _velocity(
    tables: Tables, example: int, times: Float[np.ndarray, "moments"]
) -> Float[np.ndarray, "moments 3"]:
    """An example's own, m/s."""
    first, count = int(tables.first[example]), int(tables.counts[example])
    root = tables.rows[first : first + count, :3]
    return tables.fps * cubic_rate(root, (times + tables.leads[example]) * tables.fps)
