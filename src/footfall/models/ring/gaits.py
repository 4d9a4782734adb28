"""Rings of all gaits that clips hold, connected: walk, run, back, to either side, and a rest.

Which gait a loop is follows from what it does: a run has moments in which no foot stands, the others are told
apart by where they go against where they face.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from footfall.analysis.facing import root_headings
from footfall.analysis.reference import Reference
from footfall.errors import RequestError
from footfall.figure.contacts import runs_of
from footfall.figure.example import Example
from footfall.figure.motion import Motion
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import clearly_less
from footfall.models.ring.build import FEWEST, Looped, looped, ring_of
from footfall.models.ring.graph import REST, RingGraph
from footfall.models.ring.loop import Loop
from footfall.models.ring.model import MotionRing
from footfall.models.ring.reduction import ENOUGH
from footfall.models.ring.resting import SHORTEST, build_rest

WALK, RUN, BACK, LEFT, RIGHT = "walk", "run", "back", "left", "right"
GAITS = (WALK, RUN, BACK, LEFT, RIGHT)
FLIES = 0.35  # of a cycle without a foot that stands; runs have 0.5 and more, pinned walks 0.2 at most
SIDEWAYS, BACKWARDS = np.radians(50.0), np.radians(130.0)  # from where it faces
LOOPED = 0.85  # of the work

Progress = Callable[[str, float], None]


def gait_of(loop: Loop) -> str:
    """What a loop is: walk, run, back, left or right."""
    contacts = loop.motion.contacts
    assert contacts is not None
    flies = ~(contacts.stands("left") | contacts.stands("right"))
    if flies.mean() > FLIES:
        return RUN
    # where it goes, seen from where it faces half way
    facing = float(root_headings(loop.motion).mean())
    way = quat.rotate(ground.turn(-facing), loop.motion.root[-1] - loop.motion.root[0])
    angle = float(ground.heading_of(way))
    if abs(angle) < SIDEWAYS:
        return WALK
    if abs(angle) > BACKWARDS:
        return BACK
    return LEFT if angle > 0.0 else RIGHT


def build_gaits(
    source: Sequence[Motion] | Sequence[Example],
    *,
    names: Sequence[str] | None = None,
    every: bool | None = None,
    mirrored: bool | None = None,
    enough: float = ENOUGH,
    labels: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> RingGraph:
    """A ring for each gait of the clips, and a rest where somebody stands long enough in one of them.

    For the other words see `build_ring`; `labels` tell which gait a kind of ground asks for.
    """

    def told(what: str, share: float) -> None:
        if progress is not None:
            progress(what, LOOPED * share)

    found = looped(source, names=names, every=every, mirrored=mirrored, progress=told)
    groups: dict[str, list[Loop]] = {gait: [] for gait in GAITS}
    for loop in found.loops:
        groups[gait_of(loop)].append(loop)
    rings: dict[str, MotionRing] = {}
    for gait, loops in groups.items():
        if len(loops) >= FEWEST:
            told(f"ring of {gait}", 1.0)
            rings[gait] = ring_of(loops, gait, Reference.of(_clips_of(found, loops)), enough=enough)
        elif loops:
            told(f"one loop only of {gait} is left out: a ring needs {FEWEST}", 1.0)
    if not rings:
        raise RequestError(
            f"{len(found.loops)} of {found.samples} samples could be closed to a loop, and no gait has "
            f"{FEWEST}: clips of three steps or more are needed, with different turns, lengths or rises"
        )
    stand = _longest_stand(found)
    if stand is not None:
        rings[REST] = build_rest(stand)
    return RingGraph(rings, labels or {})


def _clips_of(found: Looped, loops: Sequence[Loop]) -> list[Motion]:
    """The clips that gave these loops."""
    numbers = {found.sources[id(loop)] for loop in loops}
    return [found.clips[k] for k in sorted(numbers)]


def _longest_stand(found: Looped) -> Motion | None:
    """The clip in which both feet stand longest, if that is long enough for a rest."""
    best, longest = None, SHORTEST
    for clip in found.clips:
        assert clip.contacts is not None
        both = clip.contacts.stands("left") & clip.contacts.stands("right")
        stands = max((b - a for a, b in runs_of(both)), default=0) / clip.fps
        if clearly_less(longest, stands) or (best is None and not clearly_less(stands, longest)):
            best, longest = clip, stands
    return best
