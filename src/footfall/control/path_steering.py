"""A character that follows a path: the layer before its gait, that tells the gait where to go."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.control.gait import GaitController
from footfall.control.tick import Tick
from footfall.errors import RequestError
from footfall.figure.pose import Pose
from footfall.geometry.decisions import first_least
from footfall.geometry.ground import wrap
from footfall.models.ring import layout
from footfall.models.ring.limits import limits_of
from footfall.models.ring.on_the_spot import middle
from footfall.models.ring.walker import WINDOW
from footfall.planning.path import Path
from footfall.planning.steering import SteeredStretch, Steering

ARRIVED, FACING = 0.06, 0.04  # m, rad: there
SHUFFLED = 0.45  # m that steps on the spot lead; who is farther away sets out again
SETTLES = 0.4  # s at a rest before it is judged
FACES = 0.25  # rad: who faces so well along its way sets out
EVEN = 4  # steps before an end in which they are made to fit
NOTICED = 0.3  # rad: a turn that one prepares for
TURNS = 4.0  # s: who could not turn to it by then sets out as it stands


class PathController:
    """Steers a gait along a path to its end; there it stands, and faces `heading` if one is told.

    >>> gait = GaitController(gaits, place=(0, 0))
    >>> walker = Character(gaits.skeleton, [PathController(gait, path), gait], world=terrain)

    It passes the pose on; the gait after it in the stack moves the figure.
    """

    name = "path"

    def __init__(
        self, gait: GaitController, path: Path, *, heading: float | None = None, going: str | None = None
    ) -> None:
        if not isinstance(gait, GaitController) or not isinstance(path, Path):
            raise RequestError("a path is followed by a GaitController along a Path")
        if heading is not None and not np.isfinite(heading):
            raise RequestError(f"a heading must be a finite number, not {heading!r}")
        self.gait, self.going = gait, gait.graph.first if going is None else going
        self._limits = limits_of(gait.graph[self.going])
        self.heading = heading
        self.path = path

    def __repr__(self) -> str:
        return f"PathController({self.path}, {self.path.remaining(self.s):.2f} m to go)"

    @property
    def path(self) -> Path:
        return self.steering.path

    @path.setter
    def path(self, path: Path) -> None:
        self._follow(Steering(path, self._limits))
        self.steering = self._steering

    def _follow(self, steering: Steering) -> None:
        self._steering, self._at, self._along = steering, 0, 0.0
        self._rested, self._speed = 0.0, 0.0
        self._stopping = steering.path.length < SHUFFLED

    @property
    def s(self) -> float:
        """m along the path where the figure is."""
        if self._steering is not self.steering:
            return self.path.length
        return self._stretch.whole(self._along)

    @property
    def _stretch(self) -> SteeredStretch:
        return self._steering.stretches[self._at]

    @property
    def place(self) -> Float[np.ndarray, "3"]:
        """Where the figure is: at a rest between its feet, else under its hips."""
        walker = self.gait.walker
        if walker.ring.resting:
            return middle(walker.state)
        return np.array([walker.pose[0], walker.state[layout.ORIGIN + 1], walker.pose[2]])

    @property
    def off(self) -> tuple[float, float]:
        """How far the figure is from the end, m, and from the heading it should have there, rad."""
        goal, walker = self.path.points[-1], self.gait.walker
        away = goal - self.place
        turned = 0.0 if self.heading is None else float(wrap(self.heading - walker.heading))
        return float(np.hypot(away[0], away[2])), abs(turned)

    @property
    def arrived(self) -> bool:
        """It stands at the end of the path and faces as it should."""
        away, turned = self.off
        walker = self.gait.walker
        stands = walker.ring.resting and not walker.stepping and self._rested > SETTLES
        return stands and away < ARRIVED and turned < FACING

    def update(self, tick: Tick) -> Pose:
        """Tells the gait where to go. Never raises."""
        self.steer(tick.dt)
        return tick.pose

    def steer(self, dt: float) -> None:
        """One frame's wishes."""
        walker = self.gait.walker
        if not walker.ring.resting:
            self._rested = 0.0
            self._go(dt)
            return
        self._rested += dt
        if self._stopping and not walker.stepping and self._at + 1 < len(self._steering.stretches):
            self._begin_next()
        if not self._stopping:
            self._set_out()
        elif not walker.stepping:
            self._settle()

    def _go(self, dt: float) -> None:
        """Along the stretch; near its end it stops where its feet come nearest to it."""
        limits = self._limits
        told = self._stretch.at(self.place, self._speed, self._along)
        self._along = told.s
        faster = min(limits.acceleration * dt, max(told.speed - self._speed, 0.0))
        self._speed = min(max(self._speed + faster, limits.slowest), told.speed)
        left, foot = self._to_go()
        if self._stopping or left <= 0.5 * limits.step_length(limits.slowest):
            self._stopping, rest = True, self.gait.graph.rest
            if rest is None and self._at + 1 < len(self._steering.stretches):
                self._begin_next()  # who has no rest goes round corners as sharply as it can
            self.gait.command(gait=rest, heading=told.heading)
            return
        length = self._step_length(left, foot)
        self.gait.command(gait=self.going, heading=told.heading, step_length=length)

    def _begin_next(self) -> None:
        self._at, self._along, self._rested, self._stopping = self._at + 1, 0.0, 0.0, False

    def _to_go(self) -> tuple[float, int]:
        """m to the end of the stretch from where it would stand if it were told to now, and on which foot."""
        walker, line = self.gait.walker, self._stretch.line
        state, half = walker.state, int(walker.state[layout.HALF])
        share = state[layout.FRAME] / walker.ring.tables.half - half
        rest = walker.graph.rest
        leaves = 0.0 if rest is None else walker.graph.transition(walker.status.gait, rest).leave[half]
        # the other foot comes beside the one that stands, or beside the next one
        soon = share <= leaves + WINDOW
        at, foot = (layout.ORIGIN, half) if soon else (layout.NEXT_ORIGIN, 1 - half)
        return float(line.remaining(line.nearest(state[at : at + 3], self._along))), foot

    def _step_length(self, left: float, foot: int) -> float:
        """As long as the speed is; towards the end so long that a step ends there.

        Who has to turn there sets out with the foot of that side: so it should stand on that one, and close
        with the other.
        """
        limits = self._limits
        length, shortest = limits.step_length(self._speed), limits.step_length(limits.slowest)
        if left >= EVEN * length:
            return length
        usual, turn = max(round(left / length), 1), self._turn_at_end
        counts = [k for k in range(1, EVEN + 2) if left >= k * shortest and left <= k * limits.longest]
        wished = [k for k in counts if abs(turn) < NOTICED or (foot + k) % 2 == int(turn < 0.0)]
        possible = wished or counts or [usual]
        count = possible[int(first_least(np.abs(np.array(possible) - left / length)))]
        return float(np.clip(left / count, shortest, limits.longest))

    @property
    def _turn_at_end(self) -> float:
        """By what it has to turn where the stretch ends, rad."""
        line, more = self._stretch.line, self._at + 1
        ends = float(line.heading(line.length))
        if more < len(self._steering.stretches):
            return float(wrap(self._steering.stretches[more].line.heading(0.0) - ends))
        return 0.0 if self.heading is None else float(wrap(self.heading - ends))

    def _set_out(self) -> None:
        """From a rest, along a stretch that is faced first."""
        walker, stretch = self.gait.walker, self._stretch
        told = stretch.at(self.place, 0.0, self._along)
        self._speed = self._limits.slowest
        if abs(wrap(told.heading - walker.heading)) <= FACES or self._rested > TURNS:
            length = self._limits.step_length(self._speed)
            self.gait.command(gait=self.going, heading=told.heading, step_length=length)
        elif not walker.stepping:
            self._face(told.heading, stretch.line.point(told.s))

    def _settle(self) -> None:
        """At a rest: it turns where it should face, and steps to the place as it does; then what is left."""
        goal, walker = self.path.points[-1], self.gait.walker
        far, turned = self.off
        if far > SHUFFLED:
            self._follow(Steering(Path(np.array([self.place, goal])), self._limits))
        elif turned > FACING:
            assert self.heading is not None
            self._face(self.heading, goal)
        elif far > ARRIVED:
            walker.stand_at(float(goal[0]), float(goal[2]))

    def _face(self, heading: float, place: Float[np.ndarray, "3"]) -> None:
        """Turns on the spot, and its steps lead to a place meanwhile if it is near."""
        self.gait.command(heading=heading)
        away = place - self.place
        if np.hypot(away[0], away[2]) <= SHUFFLED:
            self.gait.walker.stand_at(float(place[0]), float(place[2]))
