"""What hands do, move by move: the same script is rehearsed on a figure that stands still and then acted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from footfall.control.hand_path import HandPaths, HandPlace
from footfall.control.reach import ReachController
from footfall.figure.pose import Pose
from footfall.geometry import quaternion as quat

LONGEST = 5.0  # s of a reach
GLANCE = 0.05  # s between looks whether a hand has arrived
USUAL, FAR, WIDE = 1.1, 0.45, 0.45  # s in which a hand is led so far, m, or turned by so much, rad
SHORTEST = 0.4  # s
BULGES = 1.5  # m of a way for each by which it bulges

Go = Callable[[float], None]  # lets some seconds go by


@dataclass(frozen=True, eq=False)
class Move:
    """What hands do next: "reach" for places from wherever they are, as examples reach; be "led" to places,
    on a way whose middle is `over` higher; or go "back" to rest.
    """

    places: Mapping[str, HandPlace]
    how: str = "led"
    over: float = 0.0


def play(moves: tuple[Move, ...], base: Pose, reaching: ReachController, hands: HandPaths, go: Go) -> None:
    """One move after another. `base` is the body that stands."""
    for move in moves:
        if move.how == "reach":
            _reach(move.places, base, reaching, hands, go)
        elif move.how == "back":
            _back(tuple(move.places), reaching, hands, go)
        else:
            seconds = max(
                _seconds(hands, base, side, place, move.over) for side, place in move.places.items()
            )
            for side, place in move.places.items():
                hands.lead(side, place, seconds=seconds, over=np.array([0.0, move.over, 0.0]))
            go(seconds)


def _seconds(hands: HandPaths, base: Pose, side: str, end: HandPlace, over: float) -> float:
    """As long as an example's hand would take: accelerations are alike on long ways and short ones."""
    start = hands.place(side) or end
    (a, turn_a), (b, turn_b) = hands.in_world(base, start), hands.in_world(base, end)
    way = float(np.linalg.norm(b - a)) + BULGES * over
    turn = float(quat.angle_between(turn_a, turn_b))
    return max(SHORTEST, USUAL * np.sqrt(way / FAR), USUAL * np.sqrt(turn / WIDE))


def _reach(
    places: Mapping[str, HandPlace], base: Pose, reaching: ReachController, hands: HandPaths, go: Go
) -> None:
    world = {side: hands.in_world(base, place) for side, place in places.items()}
    reaching.reach(
        {side: at[0] for side, at in world.items()},
        orientation={side: at[1] for side, at in world.items()},
        point={side: np.zeros(3) for side in world},
    )
    _wait(reaching, tuple(places), "on", go)
    for side, place in places.items():
        hands.lead(side, place, start=place, seconds=GLANCE)


def _back(sides: tuple[str, ...], reaching: ReachController, hands: HandPaths, go: Go) -> None:
    for side in sides:
        hands.end(side)
        reaching.let_go(side)
    _wait(reaching, sides, "rest", go)


def _wait(reaching: ReachController, sides: tuple[str, ...], stage: str, go: Go) -> None:
    waited = 0.0
    while waited < LONGEST and any(reaching.status[side].stage != stage for side in sides):
        go(GLANCE)
        waited += GLANCE
