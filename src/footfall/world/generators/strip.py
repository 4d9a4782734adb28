"""A straight strip of level pieces one after another along +Z: how stairs are laid out and walked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float

from footfall.world.foot_plan import FootPlan
from footfall.world.generators.footprints import alternating, side_of
from footfall.world.generators.limits import StepLimits, stance_for
from footfall.world.generators.walk import closed, places_between

BEFORE, AFTER = 1.1, 1.1  # m of level ground behind and before the origin
END = 1.6  # m, the landing at the far end


def walk_levels(
    edges: Float[np.ndarray, "pieces+1"], levels: Sequence[float], limits: StepLimits, kind: str
) -> FootPlan:
    """Along x = 0 from the origin to the middle of the last piece, over level pieces that end at `edges`."""
    stance = stance_for(limits, kind, limits.room)
    goal = 0.5 * (edges[-2] + edges[-1])
    along, piece = places_between(edges, limits, stance.cruise, start=0.0, goal=goal)
    z, piece = closed(along), closed(piece)
    x = 0.5 * stance.apart * side_of(len(z))
    return alternating(np.stack([x, z], axis=-1), np.asarray(levels)[piece], np.zeros_like(z))
