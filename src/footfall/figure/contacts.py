"""When heels and toes stand: one truth value a frame for each of the four."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from footfall.errors import NO_NUMBER, RequestError

if TYPE_CHECKING:
    from jaxtyping import Bool

SIDES = ("left", "right")
SIDE_INDEX = {"left": 0, "right": 1}


@dataclass(frozen=True, eq=False)
class Contacts:
    """Which heels and toes touch the ground, frame by frame; columns are left, right."""

    heel: Bool[np.ndarray, "frames 2"]
    toe: Bool[np.ndarray, "frames 2"]

    def __post_init__(self) -> None:
        for name in ("heel", "toe"):
            try:
                array = np.array(getattr(self, name), dtype=bool)
            except NO_NUMBER:
                raise RequestError(f"{name} contacts must be frames x 2") from None
            if array.ndim != 2 or array.shape[1] != 2:
                raise RequestError(f"{name} contacts must be frames x 2, not {array.shape}")
            array.flags.writeable = False
            object.__setattr__(self, name, array)
        if self.heel.shape != self.toe.shape:
            raise RequestError("heel and toe contacts must have the same frames")

    @classmethod
    def none(cls, frames: int) -> Contacts:
        return cls(np.zeros((frames, 2), dtype=bool), np.zeros((frames, 2), dtype=bool))

    def __len__(self) -> int:
        return len(self.heel)

    def heel_of(self, side: str) -> Bool[np.ndarray, "frames"]:
        return self.heel[:, SIDE_INDEX[side]]

    def toe_of(self, side: str) -> Bool[np.ndarray, "frames"]:
        return self.toe[:, SIDE_INDEX[side]]

    def stands(self, side: str) -> Bool[np.ndarray, "frames"]:
        """Frames in which any part of a foot touches."""
        return self.heel_of(side) | self.toe_of(side)

    def flat(self, side: str) -> Bool[np.ndarray, "frames"]:
        """Frames in which heel and toe both touch."""
        return self.heel_of(side) & self.toe_of(side)

    def frames(self, index: slice | np.ndarray) -> Contacts:
        return Contacts(self.heel[index], self.toe[index])

    def swapped(self) -> Contacts:
        """Left and right exchanged."""
        return Contacts(self.heel[:, ::-1], self.toe[:, ::-1])


def runs_of(mask: Bool[np.ndarray, "frames"]) -> list[tuple[int, int]]:
    """Stretches of true frames as (first, one past the last)."""
    edges = np.diff(np.concatenate([[0], mask.astype(np.int8), [0]]))
    return [
        (int(a), int(b)) for a, b in zip(np.flatnonzero(edges == 1), np.flatnonzero(edges == -1), strict=True)
    ]


def joined(parts: Sequence[Contacts | None]) -> Contacts | None:
    """Contacts one after the other; None where any part's are unknown."""
    known = [part for part in parts if part is not None]
    if len(known) < len(parts) or not known:
        return None
    return Contacts(np.concatenate([p.heel for p in known]), np.concatenate([p.toe for p in known]))
