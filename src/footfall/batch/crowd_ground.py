"""The ground of a crowd: each figure on the piece that it would have alone, each piece cut once for all."""

from __future__ import annotations

from copy import copy
from itertools import pairwise
from typing import Any, Self

import numpy as np
from jaxtyping import Float, Int

from footfall.control.standing_ground import StandingGround
from footfall.world.box_tree import TreeArrays

KEPT = 32  # pieces that are kept though nobody stands on them, in case somebody comes back

Run = tuple[slice, TreeArrays]  # figures that follow each other in the list, and the tree they stand on


class CrowdGround:
    """Trees of a terrain under many figures.

    Ground that is not whole is cut as a lone figure's is, so that a figure among others finds the very
    ground it finds alone. `runs` has the figures of each of `parts` parts, about as many in each.
    """

    def __init__(
        self, ground: StandingGround, places: Float[np.ndarray, "figures 2"], parts: int = 1
    ) -> None:
        self._ground = ground
        self._trees: dict[tuple[int, int], TreeArrays] = {}
        self._pieces: Int[np.ndarray, "figures 2"] = np.zeros((len(places), 2), dtype=np.int64)
        self._bounds: list[int] = np.linspace(0, len(places), parts + 1).astype(int).tolist()
        self.runs: list[list[Run]] = []
        if ground.whole:
            assert ground.tree is not None
            self._trees[0, 0] = ground.tree  # the only piece there is
        self._stand(self._pieces if ground.whole else ground.lattice.pieces_at(places))

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Figures may go their own ways from here; ground that is cut never changes, and is shared."""
        other = copy(self)
        other._trees = dict(self._trees)
        return other

    def follow(self, places: Float[np.ndarray, "figures 2"]) -> None:
        """Other pieces for those who have left theirs."""
        if self._ground.whole:
            return
        stay = self._ground.lattice.near(self._pieces, places)
        if not stay.all():
            self._stand(np.where(stay[:, None], self._pieces, self._ground.lattice.pieces_at(places)))

    def under(self, figure: int) -> TreeArrays:
        """The tree of the ground about a figure."""
        x, z = self._pieces[figure].tolist()
        return self._trees[x, z]

    def _stand(self, pieces: Int[np.ndarray, "figures 2"]) -> None:
        """Everybody on a piece: cuts those that are missing, and forgets some of those that were left."""
        self._pieces = pieces
        needed = {(x, z) for x, z in np.unique(pieces, axis=0).tolist()}
        for piece in needed - self._trees.keys():
            self._trees[piece] = self._ground.cut(np.array(piece)).tree.arrays
        left = [piece for piece in self._trees if piece not in needed]  # cut longest ago first
        for piece in left[: max(len(left) - KEPT, 0)]:
            del self._trees[piece]
        changes = np.flatnonzero((np.diff(pieces, axis=0) != 0).any(axis=1)) + 1
        cuts = np.union1d(changes, self._bounds)
        runs = [(slice(a, b), self.under(a)) for a, b in pairwise(cuts.tolist())]
        firsts = np.searchsorted(cuts, self._bounds).tolist()
        self.runs = [runs[a:b] for a, b in pairwise(firsts)]
