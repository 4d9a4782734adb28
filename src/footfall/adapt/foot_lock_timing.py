"""Swings that wait before they go, or are there before they come down.

A foot that stands close before a riser, or comes down close behind one, would have to be thrown up if it went
on as recorded. People raise such a foot first and bring it forward then. So a swing takes its own way over
the ground at other times: no foot goes where it has not gone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

AMOUNTS = (0.5, 1.0)  # of a foot's pace at the end of its swing that is taken off it
WITHIN = (0.4, 0.8)  # of a swing, in which a foot that has waited catches up


@dataclass(frozen=True)
class Timing:
    """How much a swing waits, and how early it is; and within which share of it."""

    waits: float = 0.0
    waits_within: float = 0.4
    early: float = 0.0
    early_within: float = 0.4

    def moved(self, places: Float[np.ndarray, "frames dims"]) -> Float[np.ndarray, "frames dims"]:
        """By how much other timing moves a swing, from the last frame that stands to the next that does."""
        from scipy.interpolate import make_interp_spline

        share = np.linspace(0.0, 1.0, len(places))
        late = self.waits * _lag(share, self.waits_within)
        soon = self.early * _lag(1.0 - share, self.early_within)
        way = make_interp_spline(share, places, k=min(3, len(places) - 1))
        return way(np.clip(share - late + soon, 0.0, 1.0)) - places

    def later(self) -> Iterator[Timing]:
        """The same, but for how it waits."""
        return (replace(self, waits=a, waits_within=w) for a in AMOUNTS for w in WITHIN)

    def earlier(self) -> Iterator[Timing]:
        """The same, but for how early it is."""
        return (replace(self, early=a, early_within=w) for a in AMOUNTS for w in WITHIN)


def _lag(share: Float[np.ndarray, "n"], within: float) -> Float[np.ndarray, "n"]:
    """Grows as the share does at first, and is back at nothing, without a kink, at `within`."""
    t = np.clip(share / within, 0.0, 1.0)
    return within * t * (1.0 - t) ** 2
