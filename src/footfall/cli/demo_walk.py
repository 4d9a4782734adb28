"""The demo's stick: a stand, a walk with bends, a run, a walk again, and a stop, over hills."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from footfall.formats.commands_file import Command

if TYPE_CHECKING:
    from footfall.control.walked import WalkedGait
    from footfall.models.ring.graph import RingGraph
    from footfall.world.terrain import Terrain

SECONDS = 14.0
STICK = (
    Command(0.8, heading=0.0, step_length=0.65, gait="walk"),
    Command(3.0, turn=float(np.radians(60.0))),
    Command(5.0, heading=float(np.radians(-50.0))),
    Command(7.5, heading=0.0, step_length=1.0, gait="run"),
    Command(9.5, step_length=0.6, gait="walk"),
    Command(11.5, gait="rest"),
)


def demo_walk(gaits: RingGraph, ground: Terrain) -> WalkedGait:
    from footfall.control.walked import walk

    return walk(gaits, STICK, SECONDS, terrain=ground)
