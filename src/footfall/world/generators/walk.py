"""Where feet go along a line that edges cross: never onto an edge, never farther than the stride."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, Int

from footfall.world.generators.limits import CLEAR, StepLimits


def places_between(
    edges: Float[np.ndarray, "pieces+1"], limits: StepLimits, cruise: float, *, start: float, goal: float
) -> tuple[Float[np.ndarray, "places"], Int[np.ndarray, "places"]]:
    """Subtalar places from `start` to `goal` along a line, at most `cruise` apart, and the piece each is on.

    `edges` are where pieces of ground end. Every piece is trodden on: in its middle where one step can reach
    it, else on its near end first. The cruise must be as long as the room that a foot needs.
    """
    low, high = edges[:-1] + limits.behind + CLEAR, edges[1:] - limits.ahead - CLEAR
    piece, last = 0, len(low) - 1
    places, pieces = [start], [0]
    while piece < last or places[-1] < goal:
        at = places[-1]
        if piece < last and low[piece + 1] <= at + cruise:
            piece += 1
            wanted = max(low[piece], 0.5 * (low[piece] + high[piece]))
        else:
            wanted = high[piece]
        wanted = min(wanted, goal) if piece == last else wanted
        if not at < min(wanted, at + cruise):
            raise ValueError(f"no foot finds room at {at} of {edges}")
        places.append(min(wanted, at + cruise))
        pieces.append(piece)
    return np.array(places), np.array(pieces)


def closed(values: np.ndarray) -> np.ndarray:
    """The same with the first and the last twice: the walk begins and ends with the feet side by side."""
    return np.concatenate([values[:1], values, values[-1:]])
