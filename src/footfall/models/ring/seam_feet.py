"""Feet that stand while a loop is closed: what the root must do beside, so that they do (beyond [rings]).

Two frames one cycle apart have their feet at different places under the hips. Where poses go over from the
ones to the others a standing foot would slide by that difference, be the root's velocity as smooth as it may.
So what standing feet do is blended as the root is, in velocity space, and the root goes along with them. Only
their places: were the root turned along with their directions too, which differ by degrees from stride to
stride, a straight walk would become a curve.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.analysis.facing import root_headings
from footfall.figure.contacts import SIDES
from footfall.figure.motion import Motion
from footfall.figure.soles import sole_places, toe_places
from footfall.models.ring.root_path import local_steps


@dataclass(frozen=True, eq=False)
class FeetPath:
    """Heels and toes (left heel, left toe, right heel, right toe) from each frame to the next."""

    standing: Float[np.ndarray, "frames 4"]  # 1 where a point touches; blends lie between
    moving: Float[np.ndarray, "frames 4 3"]  # m a frame, in the frame of the root's heading

    @classmethod
    def of(cls, motion: Motion) -> FeetPath:
        assert motion.contacts is not None
        places = np.stack(
            [p for side in SIDES for p in (sole_places(motion, side)[:, 0], toe_places(motion, side))], axis=1
        )
        standing = np.stack(
            [c for side in SIDES for c in (motion.contacts.heel_of(side), motion.contacts.toe_of(side))],
            axis=1,
        )
        return cls(standing.astype(float), local_steps(places, root_headings(motion)))

    def blended(self, rows: Float[np.ndarray, "blends frames"]) -> FeetPath:
        return FeetPath(
            np.clip(rows @ self.standing, 0.0, 1.0),
            np.einsum("bf,fpc->bpc", rows, self.moving),
        )

    def ahead_of(self, other: FeetPath) -> Float[np.ndarray, "frames 3"]:
        """How much more than the other's these points move, on average over those that stand; 0 in flight."""
        more = np.einsum("fpd,fp->fd", self.moving - other.moving, self.standing)
        return more / np.maximum(self.standing.sum(axis=1), 1.0)[:, None]
