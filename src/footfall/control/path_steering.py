"""A character that follows a path: the layer before its gait, that tells the gait where to go."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.control.gait import GaitController
from footfall.control.tick import Tick
from footfall.errors import RequestError
from footfall.figure.pose import Pose
from footfall.geometry.ground import wrap
from footfall.models.ring import layout
from footfall.models.ring.limits import limits_of
from footfall.planning.path import Path
from footfall.planning.steering import Steering

ARRIVED, FACING = 0.08, 0.06  # m, rad: there
STEPS_ASIDE = 0.07  # m: who stands so far beside the goal turns to it before stepping there
SHUFFLED = 0.45  # m that steps on the spot lead; who is farther away sets out again
SETTLES = 0.4  # s at a rest before it is judged


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
        self.steering = Steering(path, limits_of(gait.graph[self.going]))
        self.heading = heading
        self.s = 0.0
        self._rested, self._stopping, self._speed = 0.0, False, 0.0

    def __repr__(self) -> str:
        return f"PathController({self.path}, {self.steering.path.remaining(self.s):.2f} m to go)"

    @property
    def path(self) -> Path:
        return self.steering.path

    @path.setter
    def path(self, path: Path) -> None:
        self.steering = Steering(path, self.steering.limits)
        self.s, self._stopping = 0.0, False

    @property
    def place(self) -> Float[np.ndarray, "3"]:
        """Where the figure is: at a rest between its feet, else under its hips."""
        walker = self.gait.walker
        if walker.ring.resting:
            state = walker.state
            return 0.5 * (
                state[layout.ORIGIN : layout.ORIGIN + 3] + state[layout.NEXT_ORIGIN : layout.NEXT_ORIGIN + 3]
            )
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
        resting = self.gait.walker.ring.resting
        return resting and self._rested > SETTLES and away < ARRIVED and turned < FACING

    def update(self, tick: Tick) -> Pose:
        """Tells the gait where to go. Never raises."""
        self.steer(tick.dt)
        return tick.pose

    def steer(self, dt: float) -> None:
        """One frame's wishes."""
        walker = self.gait.walker
        if walker.ring.resting and self._stopping:
            self._rested += dt
            self._settle()
            return
        self._rested = 0.0
        place = self.place
        told = self.steering.at(place, self._speed, self.s)
        self.s = told.s
        limits = self.steering.limits
        ahead = min(limits.acceleration * dt, max(told.speed - self._speed, 0.0))
        self._speed = min(max(self._speed + ahead, limits.slowest), told.speed)
        if told.remaining <= limits.stopping or self._stopping:
            self._stopping = True
            self.gait.command(gait=walker.graph.rest, heading=told.heading)
            return
        self.gait.command(gait=self.going, heading=told.heading, step_length=limits.step_length(self._speed))

    def _settle(self) -> None:
        """At a rest: the last steps to the place, then the heading."""
        goal, place, walker = self.path.points[-1], self.place, self.gait.walker
        away = goal - place
        far = float(np.hypot(away[0], away[2]))
        if walker.stepping:
            return
        if far > SHUFFLED:
            self._stopping = False
            return
        if far > ARRIVED:
            way = float(np.arctan2(away[0], away[2]))
            turned = wrap(way - walker.heading)
            aside = far * abs(np.sin(turned))
            if aside > STEPS_ASIDE:  # it turns to the goal, forward or with its back, whichever is nearer
                back = abs(turned) > 0.5 * np.pi
                self.gait.command(heading=float(wrap(way + np.pi)) if back else way)
            walker.stand_at(float(goal[0]), float(goal[2]))
        elif self.heading is not None:
            self.gait.command(heading=self.heading)
