"""A ring character that follows a path to its end, recorded."""

from __future__ import annotations

import numpy as np

from footfall.control.gait import GaitController
from footfall.control.path_steering import PathController
from footfall.control.walked import FPS, Recording, WalkedGait, checked_frames
from footfall.errors import RequestError
from footfall.models.ring.graph import RingGraph
from footfall.models.ring.model import MotionRing
from footfall.planning.path import Path
from footfall.world.plane import FlatTerrain
from footfall.world.terrain import Terrain, checked_terrain

LONGEST = 120.0  # s
STANDS = 0.5  # s at the end


def follow_path(
    rings: MotionRing | RingGraph,
    path: Path,
    *,
    heading: float | None = None,
    terrain: Terrain | None = None,
    longest: float = LONGEST,
    fps: float = FPS,
    foot_lock: bool = True,
) -> WalkedGait:
    """A walk along a path to a stand at its end, where it faces `heading` if one is told.

    It begins facing along the path. What is not reached within the `longest` time is said in `clamped`.
    """
    if not isinstance(rings, MotionRing | RingGraph):
        raise RequestError(f"a MotionRing or a RingGraph is needed, not {rings!r:.40}")
    if not isinstance(path, Path):
        raise RequestError(f"a Path is needed, such as plan_path gives, not {path!r:.40}")
    graph, ground = RingGraph.of(rings), FlatTerrain() if terrain is None else checked_terrain(terrain)
    frames = checked_frames(longest, fps)
    gait = GaitController(graph, place=tuple(path.points[0]), heading=float(path.heading(0.0)))
    leader = PathController(gait, path, heading=heading)
    recorded = Recording(gait, ground, frames, float(fps))
    stood = 0.0
    for k in range(frames):
        recorded.keep(k)
        leader.steer(1.0 / fps)
        stood = stood + 1.0 / fps if leader.arrived else 0.0
        if stood > STANDS:
            recorded.frames = k + 1
            break
        recorded.step()
    away, turned = leader.off
    missed = (
        f"after {longest:g} s the end of the path is {away:.2f} m and {np.degrees(turned):.0f} degrees away"
    )
    return recorded.made(foot_lock=foot_lock, clamped=() if leader.arrived else (missed,))
