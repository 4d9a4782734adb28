"""The apex of jumps and reaches: when the body is highest, or the hand farthest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from footfall.analysis.facing import root_headings
from footfall.analysis.plants import Plant, detect_plants
from footfall.analysis.signals import smoothed_speed
from footfall.figure.contacts import Contacts, runs_of
from footfall.figure.motion import Motion
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import first_greatest, first_least

SHORTEST_FLIGHT = 0.10  # s
NEAR = 0.9  # of the largest distance: a reach's apex is the stillest moment out here


@dataclass(frozen=True, eq=False)
class Jump:
    """A flight from one or both feet. Frames; lengths in metres."""

    takeoff: int
    apex: int
    landing: int
    length: float  # along the ground, between the feet's plants before and after
    height: float  # of the hips at the apex over where they stood before
    rise: float  # of the landing's level over the take-off's


def detect_jumps(motion: Motion, contacts: Contacts) -> tuple[Jump, ...]:
    """All flights of a tenth of a second or more (a run is a row of them)."""
    if not motion.skeleton.has("hips") or not motion.skeleton.sides:
        return ()
    plants = detect_plants(motion, contacts)
    aloft = ~(contacts.stands("left") | contacts.stands("right"))
    hips = motion.of("hips")[:, 1]
    jumps = []
    for first, last in runs_of(aloft):
        before = [p for p in plants if p.end <= first]
        after = [p for p in plants if p.start >= last]
        if last - first < SHORTEST_FLIGHT * motion.fps or not before or not after:
            continue
        jumps.append(_jump(first, last, before, after, hips))
    return tuple(jumps)


def _jump(first: int, last: int, before: list[Plant], after: list[Plant], hips: np.ndarray) -> Jump:
    left, landed = _latest(before, first), _earliest(after, last)
    places = [np.mean([p.toe for p in group], axis=0) for group in (left, landed)]
    away = places[1] - places[0]
    stood = float(np.percentile(hips[min(p.start for p in left) : first], 80))  # a crouch is no standing
    apex = first + int(first_greatest(hips[first:last]))
    return Jump(
        takeoff=first,
        apex=apex,
        landing=last,
        length=float(np.hypot(away[0], away[2])),
        height=float(hips[apex]) - stood,
        rise=float(np.mean([p.level for p in landed]) - np.mean([p.level for p in left])),
    )


def _latest(plants: list[Plant], frame: int) -> list[Plant]:
    """The plant of each foot that ended last, if it ended with the take-off."""
    last = {foot: [p for p in plants if p.foot == foot][-1:] for foot in ("left", "right")}
    found = [p for group in last.values() for p in group]
    newest = max(p.end for p in found)
    # the other foot may leave a little earlier; one that left a step earlier had no part in it
    return [p for p in found if newest - p.end <= 0.5 * max(p.end - p.start, 1)]


def _earliest(plants: list[Plant], frame: int) -> list[Plant]:
    first = {foot: [p for p in plants if p.foot == foot][:1] for foot in ("left", "right")}
    found = [p for group in first.values() for p in group]
    soonest = min(p.start for p in found)
    return [p for p in found if p.start - soonest <= 0.5 * max(p.end - p.start, 1)]


def reach_apex(motion: Motion, hand: str) -> int:
    """The frame at which a hand ("left" or "right") has reached farthest from where it rests.

    Told in the frame of where the figure stood; among frames near the farthest, the stillest.
    """
    heading = root_headings(motion)[0]
    origin = motion.of("hips")[0]
    wrist = quat.rotate(ground.turn(-heading), motion.of(f"{hand}_hand") - origin)
    resting = np.linspace(0.0, 1.0, len(wrist))[:, None]
    away = np.linalg.norm(wrist - ((1 - resting) * wrist[0] + resting * wrist[-1]), axis=-1)
    out_here = np.flatnonzero(away >= NEAR * away.max(initial=0.0))
    pace = smoothed_speed(wrist, motion.fps, 0.1)
    return int(out_here[first_least(pace[out_here])])
