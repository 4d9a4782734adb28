"""Where a plan begins or ends: how its first or last step is there by itself, and a stand instead."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float


@dataclass(frozen=True, eq=False)
class Edge:
    """How a step starts or ends by itself: its body, its feet's rolls, and the prints they are on."""

    body: Float[np.ndarray, "channels"]
    rolls: Float[np.ndarray, "2"]  # of left and right: how far their heels may stay up
    places: Float[np.ndarray, "2 3"]
    headings: Float[np.ndarray, "2"]


@dataclass(frozen=True, eq=False)
class Stand:
    """A stand on given prints."""

    body: Float[np.ndarray, "channels"]
    rolls: Float[np.ndarray, "2"]  # rad by which the heels of left and right foot are up
