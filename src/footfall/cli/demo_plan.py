"""The demo's foot plan: ahead, aside, back and round a bend, feet together between them."""

from __future__ import annotations

import numpy as np

from footfall.geometry import ground
from footfall.world.foot_plan import FEET, FootPlacement, FootPlan

ASTRIDE = 0.09  # m from the middle to a foot
# What the body does while each foot in turn comes to lie beside it: m ahead and to the left, rad turned
START = [(0.0, 0.0, 0.0)] * 2
AHEAD = [(0.45, 0.0, 0.0), (0.50, 0.0, 0.0), (0.45, 0.0, 0.0), (0.0, 0.0, 0.0)]
ASIDE = [(0.0, 0.35, 0.0), (0.0, 0.0, 0.0)] * 2
BACK = [(-0.35, 0.0, 0.0), (-0.35, 0.0, 0.0), (0.0, 0.0, 0.0)]
ROUND = [(0.30, 0.0, -0.4), (0.30, 0.0, -0.4), (0.30, 0.0, -0.4), (0.0, 0.0, 0.0)]


def demo_plan() -> FootPlan:
    middle, heading = np.zeros(3), 0.0
    placements = []
    for k, (ahead, aside, turn) in enumerate([*START, *AHEAD, *ASIDE, *BACK, *ROUND]):
        heading += turn
        left = ground.direction_of(heading + 0.5 * np.pi)
        middle = middle + ahead * ground.direction_of(heading) + aside * left
        placements.append(FootPlacement(FEET[k % 2], middle + (1 - 2 * (k % 2)) * ASTRIDE * left, heading))
    return FootPlan(tuple(placements))
