"""Steps of a figure at rest: which foot, by what turn, how far ahead, so that it stands as it should.

Every step puts one foot where it belongs in the end, as far as one step leads; then the other one follows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import cos, hypot, sin

import numpy as np
from jaxtyping import Float

from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import MARGIN, cells_up_to, shortest_turn
from footfall.geometry.ground import wrap
from footfall.models.ring import layout
from footfall.models.ring.intent import FACES_WELL, Intent
from footfall.models.ring.model import MotionRing
from footfall.models.ring.setting_out import State

STEP_TURN = 0.9  # rad by which a figure turns in one step
STEP_AHEAD = 0.16  # of the leg's length by which a foot is put ahead or behind
STANDS_WELL = 0.04  # m from where a foot should stand
MIDDLE_WELL = 0.05  # m from where the middle between the feet should be,
ASIDE_WELL = 0.04  # and to either side of it
SIDLES = 0.5  # rad by which it turns to step to a side
SPARING = 0.02  # what a metre of a step costs beside a metre that is missing in the end, each squared
TURNS = 0.3  # rad: who has less to turn only puts its feet straight

Heading = Float[np.ndarray, "*n"] | float


@dataclass(frozen=True)
class SpotStep:
    support: int  # the foot that stands: 0 left, 1 right
    turn: float  # rad
    ahead: float  # m


def turn_left(state: State) -> float:
    """By what a figure must turn to face as is wished, rad."""
    return float(shortest_turn(state[layout.WISH_HEADING] - state[layout.HEADING]))


def middle(state: State) -> Float[np.ndarray, "3"]:
    """Between the feet of a figure at rest."""
    return 0.5 * (
        state[layout.ORIGIN : layout.ORIGIN + 3] + state[layout.NEXT_ORIGIN : layout.NEXT_ORIGIN + 3]
    )


def stands_well(state: State, intent: Intent) -> bool:
    """Whether both feet, and the middle between them, are where they should be. Asked in every frame."""
    if intent.place is None:
        return True
    (x, z), sine, cosine = intent.place, sin(state[layout.HEADING]), cos(state[layout.HEADING])
    away, ahead = [], []
    for at in (layout.ORIGIN, layout.NEXT_ORIGIN):
        off = float(state[at]) - x, float(state[at + 2]) - z
        away.append(off)
        ahead.append(abs(sine * off[0] + cosine * off[1]))
    (x1, z1), (x2, z2) = away
    return max(ahead) <= STANDS_WELL and hypot(x1 + x2, z1 + z2) <= 2.0 * MIDDLE_WELL


def spot_steps(state: State, ring: MotionRing, intent: Intent) -> Iterator[SpotStep]:
    """Steps to try, the best first; none where it stands and faces as it should."""
    turn = turn_left(state)
    if intent.closes is None and abs(turn) <= FACES_WELL + MARGIN and stands_well(state, intent):
        return
    by, first = _turn_now(state, ring, intent, turn), intent.closes
    if first is None:  # what is farther from its place goes first; who turns begins with that side
        off = [abs(_ahead(state, ring, intent, foot, 0.0)) for foot in (0, 1)]
        alike = abs(off[0] - off[1]) < STANDS_WELL or abs(by) > TURNS
        first = int(by > 0.0) if alike else int(off[0] > off[1])
    for share in (1.0, 0.5):
        for support in (first, 1 - first):
            ahead = _ahead(state, ring, intent, support, share * by)
            yield SpotStep(support, share * by, share * ahead)


def _turn_now(state: State, ring: MotionRing, intent: Intent, turn: float) -> float:
    """By what the next step turns: evenly, in as many steps as it takes.

    Who stands too far to one side and has little to turn turns a little to that side first, and back with
    the other foot: so it sidles there.
    """
    steps = max(int(cells_up_to(abs(turn), STEP_TURN)), 1)
    if intent.place is None or intent.closes is not None:
        return turn / steps
    if abs(turn) > 2.0 * TURNS:
        return turn / max(steps, 2)  # the last but one leads to the place
    aside = _aside(state, ring, intent, int(turn > 0.0))
    if abs(aside) <= ASIDE_WELL:
        return turn / steps
    sidles = float(np.copysign(SIDLES, aside))
    return turn + sidles if abs(turn + sidles) <= STEP_TURN else turn - sidles


def _aside(state: State, ring: MotionRing, intent: Intent, support: int) -> float:
    """How far to the left its place is, once it has turned about a foot to where it should face, m."""
    if intent.place is None:
        return 0.0
    ankle, across, _ = _stance(state, ring, support)
    left = _left(float(state[layout.HEADING]) + turn_left(state))
    return float(left @ (np.array(intent.place) - ankle) - 0.5 * across)


def _ahead(state: State, ring: MotionRing, intent: Intent, support: int, turn: float) -> float:
    """How far ahead of a foot that stands the other one belongs, once the figure has turned by so much.

    A figure turns about the ankle it stands on, and puts the other foot ahead or behind, never aside; but as
    it turns, ahead is another way in each step. What is missing in the end is shared among all that are left.
    """
    if intent.place is None:
        return 0.0
    heading, left = float(state[layout.HEADING]) + turn, turn_left(state) - turn
    more = int(cells_up_to(abs(left), STEP_TURN))
    headings = heading + left * np.linspace(0.0, 1.0, more + 1)
    ankle, across, behind = _stance(state, ring, support)
    to_other = across * np.where(np.arange(more + 1) % 2, -1.0, 1.0)  # each step is about the other foot
    last = 0.5 * to_other[-1] * _left(headings[-1]) + behind * _forward(headings[-1])
    missing = np.array(intent.place) + last - ankle - to_other @ _left(headings)
    ways = _forward(headings)
    steps = np.linalg.solve(ways @ ways.T + SPARING * np.eye(more + 1), ways @ missing)
    most = STEP_AHEAD * ring.skeleton.leg_length()
    return float(np.clip(steps[0], -most, most))


def _stance(state: State, ring: MotionRing, support: int) -> tuple[Float[np.ndarray, "2"], float, float]:
    """The ankle of a foot, x and z; how far to the left of it the other one belongs; and how far ahead of
    the middle between the feet both do. Feet are splayed alike.
    """
    own = support == int(state[layout.HALF])
    at, pivot = (layout.ORIGIN, layout.PIVOT) if own else (layout.NEXT_ORIGIN, layout.NEXT_PIVOT)
    heading, toe = float(state[layout.HEADING]), float(state[pivot + 1])
    foot = float(state[layout.SUPPORT_HEADING if own else layout.NEXT_SUPPORT_HEADING])
    splay = float(wrap(foot - heading)) if np.isfinite(foot) else 0.0
    aside, back = _foot_length(ring, support) * np.array([np.sin(splay), np.cos(splay)])
    ankle = state[[at, at + 2]] + (toe - back) * _forward(heading) - aside * _left(heading)
    across = float(np.median(ring.spheres[support].kriging.points[:, 0])) + 2.0 * aside
    return ankle, across, toe - back


def _foot_length(ring: MotionRing, foot: int) -> float:
    """m over the ground, from its ankle to its toe joint."""
    first = ring.packed.sizes[layout.AT_SOLES] + layout.SOLE * foot
    sole = ring.packed.numbers[first : first + layout.SOLE]
    x, _, z = quat.rotate(sole[layout.LYING : layout.LYING + 4], sole[:3])
    return float(np.hypot(x, z))


def _forward(heading: Heading) -> Float[np.ndarray, "*n 2"]:
    return np.stack([np.sin(heading), np.cos(heading)], axis=-1)


def _left(heading: Heading) -> Float[np.ndarray, "*n 2"]:
    return np.stack([np.cos(heading), -np.sin(heading)], axis=-1)
