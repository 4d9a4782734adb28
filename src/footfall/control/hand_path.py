"""Hands led along ways, in the world or beside the chest: the layer before the reach, that tells it where.

A hand that takes something goes up to it, lifts it and carries it. Each of these is a way from a place to a
place; either may go along with the chest, so that what is carried goes with the body.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.control.reach import ReachController
from footfall.control.tick import Tick
from footfall.errors import RequestError
from footfall.figure.pose import Pose
from footfall.geometry import quaternion as quat
from footfall.geometry.easing import smoother
from footfall.ik.full_body import FullBodyIK

WORLD, CHEST = "world", "chest"

Vector = Float[np.ndarray, "3"]
Turn = Float[np.ndarray, "4"]


@dataclass(frozen=True, eq=False)
class HandPlace:
    """Where a hand's joint is and how it is turned, in the world or in the frame of the chest."""

    position: Vector
    turn: Turn
    frame: str = WORLD

    def __post_init__(self) -> None:
        if self.frame not in (WORLD, CHEST):
            raise RequestError(f"a hand's place is told in the world or beside the chest, not {self.frame!r}")

    def moved(self, by: Vector) -> HandPlace:
        return HandPlace(np.asarray(self.position) + by, self.turn, self.frame)


@dataclass(eq=False)
class _Way:
    """From one place to another with minimum jerk, over an arc where it has one."""

    start: HandPlace
    end: HandPlace
    seconds: float
    over: Vector
    gone: float = 0.0

    @property
    def share(self) -> float:
        return 1.0 if self.gone >= self.seconds else float(smoother(self.gone / self.seconds))


class HandPaths:
    """Tells a reach layer where hands are to be, frame by frame.

    >>> hands = HandPaths(reaching)
    >>> figure = Character(skeleton, [walks, hands, reaching])
    >>> hands.lead("right", HandPlace(position, turn), seconds=0.5)
    """

    name = "hand paths"

    def __init__(self, reach: ReachController) -> None:
        self.reach, self.skeleton = reach, reach.skeleton
        self._chest = self.skeleton.joint("chest")
        self._ways: dict[str, _Way] = {}
        self._ik = FullBodyIK(self.skeleton)

    def __repr__(self) -> str:
        told = [f"{side} {'led' if way.share < 1.0 else 'kept'}" for side, way in self._ways.items()]
        return f"HandPaths({', '.join(told) or 'none'})"

    @property
    def left(self) -> float:
        """s until all hands are where they are led."""
        return max((max(way.seconds - way.gone, 0.0) for way in self._ways.values()), default=0.0)

    def lead(
        self,
        side: str,
        end: HandPlace,
        *,
        seconds: float,
        start: HandPlace | None = None,
        over: Vector | None = None,
    ) -> None:
        """From where the hand is led now, or from `start`, to a place; its middle bulges by `over`."""
        way = self._ways.get(side)
        if start is None:
            if way is None:
                raise RequestError(f"the {side} hand is led nowhere yet: tell where it starts")
            start = way.end
        bulge = np.zeros(3) if over is None else np.asarray(over, dtype=float)
        self._ways[side] = _Way(start, end, max(float(seconds), 1e-3), bulge)

    def end(self, side: str) -> None:
        """The hand is led no more; the reach layer has the last place."""
        self._ways.pop(side, None)

    def place(self, side: str) -> HandPlace | None:
        """Where a hand is led to in the end."""
        way = self._ways.get(side)
        return None if way is None else way.end

    def in_world(self, pose: Pose, place: HandPlace) -> tuple[Vector, Turn]:
        if place.frame == WORLD:
            return np.asarray(place.position), np.asarray(place.turn)
        places, turns = self._ik.placed(pose)
        there, turn = places[self._chest], turns[self._chest]
        return there + quat.rotate(turn, place.position), quat.multiply(turn, place.turn)

    def update(self, tick: Tick) -> Pose:
        """Tells the reach layer, and passes the pose on. Never raises."""
        targets, turns = {}, {}
        for side, way in self._ways.items():
            way.gone += tick.dt
            first, last = self.in_world(tick.pose, way.start), self.in_world(tick.pose, way.end)
            share = way.share
            bulge = 16.0 * share**2 * (1.0 - share) ** 2 * way.over
            targets[side] = (1.0 - share) * first[0] + share * last[0] + bulge
            turns[side] = quat.slerp(first[1], last[1], share)
        if targets:
            points = {side: np.zeros(3) for side in targets}
            try:
                self.reach.reach(targets, orientation=turns, point=points)
            except RequestError as error:
                self.reach.remarks.append(f"hands are not led: {error}")
        return tick.pose
