"""Locomotion: a layer that goes ahead, back, aside and round as it is asked ([body] 4)."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float

from footfall.control.ground_under import GroundUnder
from footfall.control.pace import Pace
from footfall.control.step_goal import StepGoal
from footfall.control.tick import Tick, sound_seconds
from footfall.control.transition import placing
from footfall.errors import NO_NUMBER, RequestError
from footfall.figure.pose import Pose
from footfall.figure.skeleton import Skeleton
from footfall.ik.full_body import Goal
from footfall.models.gait_limits import GaitLimits
from footfall.models.locomotion import layout
from footfall.models.locomotion.model import Locomotion
from footfall.models.locomotion.walker import LocomotionWalker
from footfall.world.terrain import Terrain

REMARKS = 20  # that are remembered
LARGEST = 1e6  # m from the origin
WILDEST = 1e6  # m/s or rad/s: no wish
COARSEST = 1.0 / 30.0  # s: longer steps in time are cut up
LONGEST = 1.0  # s, and longer ones are cut
CLAMPED = 1e-6
SPARE = 1.15  # times the speeds that people hardly ever exceed: loops of captures may be a little faster


@dataclass(frozen=True)
class LocomotionStatus:
    """What it does, and what of the last command it cannot do."""

    says: str  # standing, starting, going, stopping
    speed: float  # m/s
    turn_rate: float  # rad/s
    side_speed: float  # m/s
    clamped: tuple[str, ...]


class LocomotionController:
    """Goes through a locomotion space; begins standing at a place (x, z), facing along `heading`.

    >>> legs = LocomotionController(model)
    >>> walker = Character(model.skeleton, [legs])
    >>> walker.command(speed=1.2, turn_rate=0.3)

    Feet that stand are held where they came down unless `foot_lock` is off. Ground may rise and fall gently;
    soles are put down level.
    """

    name = "locomotion"

    def __init__(
        self,
        model: Locomotion,
        *,
        place: Sequence[float] = (0.0, 0.0),
        heading: float = 0.0,
        foot_lock: bool = True,
    ) -> None:
        if not isinstance(model, Locomotion):
            raise RequestError(f"locomotion needs a Locomotion model, not {type(model).__name__}")
        self.model = model
        x, z, facing = _begin(place, heading)
        self._walker = LocomotionWalker(model, (x, z), facing, foot_lock=bool(foot_lock))
        self._asked = np.zeros(3)
        self._clamped: tuple[str, ...] = ()
        self._goal: StepGoal | None = None
        self._world: Terrain | None = None
        self._ground: GroundUnder | None = None
        self._moved = False
        self.remarks: deque[str] = deque(maxlen=REMARKS)
        self._ik = placing(model.skeleton)
        self._feet = [model.skeleton.joint(f"{side}_foot") for side in ("left", "right")]
        self._pace = Pace(model.skeleton, spare=SPARE)

    @property
    def skeleton(self) -> Skeleton:
        return self.model.skeleton

    def __repr__(self) -> str:
        return f"LocomotionController({self.model}, {self.status.says})"

    # what it knows of itself

    @property
    def place(self) -> Float[np.ndarray, "2"]:
        """x and z beneath it; steady, where hips sway."""
        return self._walker.state[layout.PLACE : layout.PLACE + 2].copy()

    @property
    def heading(self) -> float:
        """Where it faces, rad; counted on over whole turns."""
        return float(self._walker.state[layout.HEADING])

    @property
    def standing(self) -> bool:
        """Whether it stands and means to."""
        state = self._walker.state
        return bool(state[layout.STANDS_TO] > 0.5 and state[layout.STANDING] > 0.98)

    @property
    def contacts(self) -> Bool[np.ndarray, "4"]:
        """Whether left heel, right heel, left toe and right toe stand now."""
        return self._walker.state[layout.CONTACTS : layout.CONTACTS + 4] > 0.5

    @property
    def weights(self) -> Float[np.ndarray, "loops"]:
        """Shares of the loops now."""
        return self._walker.state[layout.WEIGHTS : layout.WEIGHTS + len(self.model)].copy()

    @property
    def limits(self) -> GaitLimits:
        return self.model.limits

    @property
    def status(self) -> LocomotionStatus:
        state = self._walker.state
        towards = "standing" if self.standing else "stopping"
        if state[layout.STANDS_TO] < 0.5:
            asked = np.abs(state[layout.WISH : layout.WISH + 3]).max() > 0.0
            towards = (
                "going" if asked and state[layout.STANDING] < 0.02 else "starting" if asked else "stopping"
            )
        speed, turn, side = (float(v) for v in state[layout.VELOCITY : layout.VELOCITY + 3])
        return LocomotionStatus(towards, speed, turn, side, self._clamped)

    # what it is asked

    def command(
        self, *, speed: float | None = None, turn_rate: float | None = None, side_speed: float | None = None
    ) -> None:
        """A wish: m/s ahead, rad/s to the left, m/s to the left; what is not named stays as it was asked.

        What no loops can do is brought to what they can, and said; what is no number is not heard, and said.
        """
        for k, (word, value) in enumerate(
            (("speed", speed), ("turn_rate", turn_rate), ("side_speed", side_speed))
        ):
            number = None if value is None else _number(value)
            if number is not None:
                self._asked[k] = number
            elif value is not None:
                self.remarks.append(f"{word} {value!r:.40} is no number: it was not heard")
        self._goal = None
        self._wish(self._asked)

    def step(self, dx: float, dz: float, turn: float = 0.0) -> None:
        """A step or two to a place nearby: so far to the left, ahead (m) and round (rad), then it stands."""
        numbers = [_number(value) for value in (dx, dz, turn)]
        aside, ahead, around = numbers
        if aside is None or ahead is None or around is None:
            self.remarks.append("a step needs three numbers: it was not heard")
            return
        self._asked[:] = 0.0
        self._goal = StepGoal.from_here(self.place, self.heading, aside, ahead, around)

    def _wish(self, asked: Float[np.ndarray, "3"], *, told: bool = True) -> None:
        space = self.model.space
        given = space.nearest(asked)
        self._walker.state[layout.WISH : layout.WISH + 3] = given
        if told:
            self._clamped = tuple(
                f"{name} {a:.2f} {unit}: {b:.2f} given"
                for name, unit, a, b in zip(space.names, space.units, asked, given, strict=True)
                if abs(a - b) > CLAMPED
            )
            self.remarks.extend(self._clamped)

    # time

    def update(self, tick: Tick) -> Pose:
        """The pose so many seconds later. Never raises.

        Steps onto uneven ground may bend knees faster than people do: there the pose is held back. Feet that
        stand stay where they are.
        """
        self.advance(tick.dt, tick.world)
        pose = self.pose
        if self._ground is None or not self._ground.uneven:
            return pose
        shown = self._pace.limited(pose, pose, sound_seconds(tick.dt, LONGEST))
        if self._pace.lags:
            places, turns = self._ik.placed(pose)
            stands = self.contacts[:2] | self.contacts[2:]
            goals = [Goal(j, places[j], turns[j]) for j, on in zip(self._feet, stands, strict=True) if on]
            shown, _ = self._ik.planted(shown, goals)
        self._pace.showed(pose, shown)
        return shown

    def advance(self, seconds: float, world: Terrain | None = None) -> Float[np.ndarray, "numbers"]:
        """The same without a pose made of it: root and rotations in one array, written over each frame."""
        if world is not self._world and world is not None:
            self._stand_on(world)
        walker = self._walker
        left = sound_seconds(seconds, LONGEST)
        while left > 0.0:
            part = left if left <= COARSEST * 1.001 else min(COARSEST, left)
            if self._goal is not None:
                self._pursue(self._goal)
            if self._ground is not None and self._ground.uneven:
                self._ground.feel(walker.state)
            walker.advance(part)
            left -= part
            self._moved = True
        return walker.pose

    @property
    def pose(self) -> Pose:
        numbers = self._walker.pose.copy()
        return Pose.sound(numbers[:3], numbers[3:].reshape(-1, 4))

    def _pursue(self, goal: StepGoal) -> None:
        velocity = self._walker.state[layout.VELOCITY : layout.VELOCITY + 3]
        wish = goal.wish(self.place, self.heading, velocity)
        self._wish(np.zeros(3) if wish is None else wish, told=False)
        if wish is None:
            self._goal = None

    def _stand_on(self, world: Terrain) -> None:
        """On other ground; who has not moved yet is put on it."""
        self._world = world
        walker, state = self._walker, self._walker.state
        self._ground = GroundUnder(world, self.remarks.append)
        level = self._ground.feel(state, anew=not self._moved)
        if not self._moved:
            place = (float(state[layout.PLACE]), float(state[layout.PLACE + 1]))
            locks = bool(state[layout.LOCKS] > 0.5)
            self._walker = LocomotionWalker(self.model, place, self.heading, level, foot_lock=locks)
            self._walker.state[layout.WISH : layout.WISH + 3] = walker.state[layout.WISH : layout.WISH + 3]


def _begin(place: object, heading: object) -> tuple[float, float, float]:
    try:
        told = [_number(value) for value in (*place, heading)]  # type: ignore[misc]
    except TypeError:
        told = []
    begin = [value for value in told if value is not None and abs(value) <= LARGEST]
    if len(begin) != len(told) or len(begin) != 3:
        raise RequestError(
            f"the place (x, z, within {LARGEST:g} m) and heading at which locomotion begins must be finite "
            f"numbers, not {place!r:.40} and {heading!r:.40}"
        )
    return begin[0], begin[1], begin[2]


def _number(value: object) -> float | None:
    """A wish as a number; None where it is none, or none that anybody could mean."""
    try:
        number = float(value)  # type: ignore[arg-type]
    except NO_NUMBER:
        return None
    return number if abs(number) <= WILDEST else None
