"""How a reach runs: its clock, and how far the hand is led away from the blended way ([body] 5.2).

The paper's offset grows in a straight line, which gives the hand a blow where it sets out and where it
arrives: here it grows with minimum jerk. It is the whole correction through the hold, and fades on the way
back.
"""

from __future__ import annotations

from footfall.geometry.easing import smoother
from footfall.models.reach.reach_set import APEX, LEAVE


def share_at(generic: float) -> float:
    """Of the correction at a generic time: 0 at rest, 1 from the apex until the hand leaves."""
    if APEX <= generic <= LEAVE:
        return 1.0
    return float(smoother(generic)) if generic < APEX else float(1.0 - smoother(generic - LEAVE))


def anchor_at(generic: float) -> float:
    """The moment with the whole correction that a moment belongs to."""
    return min(max(generic, APEX), LEAVE)
