"""How much room a body has among things: its capsules beside every obstacle."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float

from footfall.figure.capsules import BodyCapsules
from footfall.world.shapes.placed import Placed

SPACING = 0.03  # m between the points of a capsule's axis that are looked at


def body_room(
    capsules: BodyCapsules,
    positions: Float[np.ndarray, "*n joints 3"],
    orientations: Float[np.ndarray, "*n joints 4"],
    things: Sequence[Placed],
) -> Float[np.ndarray, "*n capsules"]:
    """m from each capsule's skin to the nearest thing; negative inside, infinite where there is nothing.

    Of an axis some points are looked at, so a corner between two of them may be nearer by half their spacing
    squared over the distance: under 2 mm from 5 cm on.
    """
    ends = capsules.ends(positions, orientations)
    least = np.full(ends.shape[:-2], np.inf)
    if not things:
        return least
    longest = float(np.linalg.norm(ends[..., 1, :] - ends[..., 0, :], axis=-1).max(initial=0.0))
    shares = np.linspace(0.0, 1.0, max(int(np.ceil(longest / SPACING)) + 1, 2))[:, None]
    points = ends[..., None, 0, :] + shares * (ends[..., 1, :] - ends[..., 0, :])[..., None, :]
    for thing in things:
        np.minimum(least, thing.distance_to(points).min(axis=-1), out=least)
    return least - capsules.radii
