"""Frames in pieces: a part is cut out and another put in its place without copying the rest.

A plan that is edited is changed more often than looked at: the pieces are laid together when it is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float

from footfall.figure.motion import Motion

MOST_PIECES = 48


@dataclass(frozen=True, eq=False)
class Frames:
    """What frames hold."""

    root: Float[np.ndarray, "frames 3"]
    rotations: Float[np.ndarray, "frames joints 4"]
    heel: Bool[np.ndarray, "frames 2"]
    toe: Bool[np.ndarray, "frames 2"]
    down: Float[np.ndarray, "frames"]  # m by which the pelvis came down

    @classmethod
    def of(cls, motion: Motion, down: Float[np.ndarray, "frames"]) -> Frames:
        assert motion.contacts is not None
        return cls(motion.root, motion.rotations, motion.contacts.heel, motion.contacts.toe, down)

    def __len__(self) -> int:
        return len(self.down)

    def part(self, first: int, last: int) -> Frames:
        return Frames(*(getattr(self, name)[first:last] for name in FIELDS))


FIELDS = ("root", "rotations", "heel", "toe", "down")


@dataclass(frozen=True, eq=False)
class Film:
    """Pieces of frames, one after the other."""

    pieces: tuple[Frames, ...]

    def __len__(self) -> int:
        return sum(len(piece) for piece in self.pieces)

    @property
    def down(self) -> Float[np.ndarray, "frames"]:
        return np.concatenate([piece.down for piece in self.pieces])

    def part(self, first: int, last: int) -> Film:
        """From one frame to before another."""
        kept, begin = [], 0
        for piece in self.pieces:
            start, stop = max(first - begin, 0), min(last - begin, len(piece))
            if start < stop:
                kept.append(piece.part(start, stop))
            begin += len(piece)
        return Film(tuple(kept))

    def with_more(self, *others: Film) -> Film:
        film = Film(sum((other.pieces for other in others), self.pieces))
        return film if len(film.pieces) <= MOST_PIECES else Film((film.whole(),))

    def whole(self) -> Frames:
        """All frames in one piece."""
        if len(self.pieces) == 1:
            return self.pieces[0]
        return Frames(*(np.concatenate([getattr(p, name) for p in self.pieces]) for name in FIELDS))
