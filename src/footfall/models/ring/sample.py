"""Which pieces of a clip are looped: three steps each, a little more than one cycle ([rings] 5.1).

The paper takes the middle three steps of each capture. A clip that turns, or climbs and then goes level, has
more to give: every three steps in a row, each a sample of its own.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from footfall.analysis.contacts import detect_contacts
from footfall.analysis.plants import Plant, detect_plants
from footfall.errors import RequestError
from footfall.figure.motion import Motion
from footfall.geometry.decisions import nearest_cell
from footfall.models.ring.cycle_search import LONGEST, NEEDED, SHORTEST

STEPS = 3  # [rings] 5.1
MARGIN = 0.1  # s before the first strike and after the last
UNEVEN = 1.6  # a step that takes this many times as long as another is a start, a stop or a halt


def sample_of(clip: Motion) -> Motion:
    """The middle three steps of a clip, carrying their contacts; the whole clip where it has no more."""
    clip = _with_contacts(clip)
    pieces = _pieces(clip)
    if not pieces:
        return _whole(clip)
    first, end = pieces[len(pieces) // 2]
    return clip[first:end]


def samples_of(clip: Motion) -> tuple[Motion, ...]:
    """Every three steps in a row as a piece of its own; the whole clip where it has no more than those."""
    clip = _with_contacts(clip)
    return tuple(clip[first:end] for first, end in _pieces(clip)) or (_whole(clip),)


def _with_contacts(clip: Motion) -> Motion:
    if clip.root.ndim != 2:
        raise RequestError("samples are taken from one clip, not from a batch")
    return clip if clip.contacts is not None else replace(clip, contacts=detect_contacts(clip))


def _whole(clip: Motion) -> Motion:
    """A short clip may hold a cycle though not three steps; a longer one that steps nowhere does not."""
    if SHORTEST <= clip.seconds <= 2.0 * LONGEST:
        return clip
    raise RequestError(f"{NEEDED}, but no three steps were found in this clip of {clip.seconds:.2f} s")


def _pieces(clip: Motion) -> list[tuple[int, int]]:
    """Frames from a little before a strike to a little after the third one on."""
    assert clip.contacts is not None
    plants = [p for p in detect_plants(clip, clip.contacts) if p.start > 0]
    margin = int(nearest_cell(MARGIN * clip.fps, 1.0))
    rows = (plants[k : k + STEPS + 1] for k in range(len(plants) - STEPS))
    return [
        (max(row[0].start - margin, 0), min(row[-1].start + margin + 1, len(clip)))
        for row in rows
        if _is_gait(row, clip.fps)
    ]


def _is_gait(row: list[Plant], fps: float) -> bool:
    """Feet that take turns, at an even pace, as fast as people step."""
    if any(a.foot == b.foot for a, b in pairwise(row)):
        return False
    steps = np.diff([p.start for p in row])
    cycles = steps[:-1] + steps[1:]
    steady = steps.max() <= UNEVEN * steps.min()
    return bool(steady and cycles.min() >= SHORTEST * fps and cycles.max() <= LONGEST * fps)
