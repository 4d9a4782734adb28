"""Which loops are enough: the most unlike of those not yet chosen, until none is unlike ([rings] 3.4)."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.geometry.decisions import clearly_less, first_greatest, first_least

ENOUGH = 0.30  # m
MANY = 16  # loops: of fewer none is redundant unless it is all but the same as another
SAME = 0.02  # m


def chosen_loops(
    strikes: Float[np.ndarray, "loops 2 3"], enough: float = ENOUGH, *, least: int = 1
) -> list[int]:
    """Numbers of the loops that are kept, in the order in which they were chosen.

    Of few loops only those that are the same are left out. The first is the one in the middle of all, so that
    a usual step is there as it was done: the paper begins with the shortest steps, and may keep little but
    steps up and down, of which a level one is mixed with deep knees. Two loops are as unlike as their strike
    points are far from each other, those of both halves added up.
    """
    enough = enough if len(strikes) > MANY else min(SAME, enough)
    # a loop and its mirror image are as far from all others
    kept = [int(first_least(np.array([_unlike(strikes, one).sum() for one in range(len(strikes))])))]
    away = _unlike(strikes, kept[0])
    while len(kept) < len(strikes):
        farthest = int(first_greatest(away))
        most = float(away[farthest])
        if clearly_less(most, enough) and len(kept) >= least:
            break
        if not clearly_less(0.0, most):
            break
        kept.append(farthest)
        away = np.minimum(away, _unlike(strikes, farthest))
    return kept


def _unlike(strikes: Float[np.ndarray, "loops 2 3"], one: int) -> Float[np.ndarray, "loops"]:
    return np.linalg.norm(strikes - strikes[one], axis=-1).sum(axis=-1)
