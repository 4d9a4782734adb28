"""The gaze: a layer that looks at a point with eyes, head and trunk, whatever the layers before it do."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from footfall.control import gaze_layout as at
from footfall.control.gaze_figure import gaze_figure
from footfall.control.pace import Pace
from footfall.control.saccades import LISTENING, TALKING, Saccades
from footfall.control.tick import Tick, sound_seconds
from footfall.errors import NO_NUMBER, RequestError
from footfall.figure.pose import Pose
from footfall.figure.skeleton import Skeleton

REMARKS = 20  # that are remembered
LONGEST = 10.0  # s of one frame; all is at rest by then
LARGEST = 1e6  # m from the origin
SPARE = 1.15  # times as fast as people hardly ever exceed: what layers before do leaves some for the head
PARTS = ("eyes", "head", "trunk")
ON_TARGET = np.radians(0.5)
ARRIVED = np.radians(1.0)  # of head and trunk


class _AsBefore:
    def __repr__(self) -> str:
        return "as before"


AS_BEFORE = _AsBefore()


@dataclass(frozen=True)
class GazeStatus:
    """What a gaze is doing."""

    says: str  # "at ease", "turning", "on the target", "glancing aside" or "as far as it goes"
    missed: float  # rad between the eyes' rays and the target, the larger one; 0 at ease

    @property
    def reached(self) -> bool:
        return self.says == "on the target"


class GazeController:
    """Looks where it is told: the eyes leap first, the head follows, the trunk joins in for large turns.

    >>> gaze = GazeController(skeleton)
    >>> figure = Character(skeleton, [first_layer, gaze])
    >>> gaze.command(look_at=(1.0, 1.5, 2.0))

    With `saccades` the eyes glance aside of the target now and then, more often when `talking`; the same seed
    gives the same glances. Where the skeleton has no eyes, the head is aimed. `parts` says what joins in: the
    eyes always do.
    """

    name = "gaze"

    def __init__(
        self,
        skeleton: Skeleton,
        *,
        saccades: bool = True,
        talking: bool = False,
        seed: int = 0,
        parts: Collection[str] = PARTS,
    ) -> None:
        if not isinstance(skeleton, Skeleton):
            raise RequestError(f"a gaze needs a Skeleton, not {type(skeleton).__name__}")
        if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
            raise RequestError(f"a seed is a whole number from 0, not {seed!r:.40}")
        if (wrong := _wrong_part(parts)) is not None:
            raise RequestError(wrong)
        self.skeleton = skeleton
        self.remarks: deque[str] = deque(maxlen=REMARKS)
        self._figure = gaze_figure(skeleton)
        self._saccades = Saccades(int(seed), TALKING if talking else LISTENING) if saccades else None
        self._state, self._wish = np.zeros(at.STATE), np.zeros(9)
        self._state[at.MODE] = -1.0
        self._pace = Pace(skeleton, spare=SPARE)
        self._join(parts)
        if self._figure is None:
            self.remarks.append("the figure has no head over its root: it looks nowhere")
            return
        from footfall.control.gaze_kernel import gaze_on

        limits, self._kernel = self._figure.limits, gaze_on
        self._tables = self._figure.tables
        self._limits = limits.before, limits.after, limits.twist, limits.swing, limits.sign
        self._offsets = np.ascontiguousarray(skeleton.offsets)
        self._room = np.zeros((len(self._figure.joints), 7))
        self.remarks.extend(self._figure.remarks)
        if not self._figure.has_eyes:
            self._saccades = None

    def __repr__(self) -> str:
        return f"GazeController({self.status.says}, {'with' if self._saccades else 'without'} saccades)"

    # what it knows of itself

    @property
    def target(self) -> tuple[float, float, float] | None:
        """What it was told to look at."""
        x, y, z, there = self._wish[:4].tolist()
        return (x, y, z) if there else None

    @property
    def status(self) -> GazeStatus:
        state = self._state
        missed = float(state[at.MISSED])
        if state[at.MODE] < 1.0:
            return GazeStatus("at ease", 0.0)
        if missed <= ON_TARGET:
            return GazeStatus("on the target", missed)
        if state[at.CLOCK] >= state[at.SPAN] and state[at.GLANCE : at.GLANCE + 2].any():
            return GazeStatus("glancing aside", missed)
        there = state[at.TO_GO] < ARRIVED and state[at.CLOCK] >= state[at.SPAN]
        return GazeStatus("as far as it goes" if there else "turning", missed)

    # what it is asked

    def command(
        self,
        *,
        look_at: Sequence[float] | _AsBefore | None = AS_BEFORE,
        gaze_parts: Collection[str] | None = None,
    ) -> None:
        """A wish: a point (x, y, z) in the world to look at, or None to let go; and what joins in, of eyes,
        head and trunk. What is no point is not heard, and said.
        """
        if gaze_parts is not None:
            wrong = _wrong_part(gaze_parts)
            if wrong is None:
                self._join(gaze_parts)
            else:
                self.remarks.append(f"{wrong}: it was not heard")
        if look_at is AS_BEFORE:
            return
        if look_at is None:
            self._wish[3] = 0.0
            return
        point = _point(look_at)
        if point is None:
            self.remarks.append(
                f"look_at takes a point (x, y, z) within {LARGEST:g} m or None; {look_at!r:.60} was not heard"
            )
            return
        if not self._wish[3] and self._saccades is not None:
            self._saccades.begin()
        self._wish[:3], self._wish[3] = point, 1.0

    def _join(self, parts: Collection[str]) -> None:
        self._wish[4:6] = "head" in parts, "trunk" in parts

    # time

    def update(self, tick: Tick) -> Pose:
        """The pose with the gaze turned to its target. Never raises."""
        pose = tick.pose
        if self._figure is None or pose.rotations.ndim != 2 or len(pose.rotations) != len(self.skeleton):
            return pose
        wish, state = self._wish, self._state
        wish[8] = seconds = sound_seconds(tick.dt, LONGEST)
        if self._saccades is not None and wish[3]:
            wish[6], wish[7] = self._saccades.advance(seconds)
        near = state[at.NEAR]
        rotations = pose.rotations.copy()
        offsets, root = self._offsets, np.ascontiguousarray(pose.root)
        if pose.translations is not None:
            offsets = np.ascontiguousarray(pose.translations)
        sound = self._kernel(self._tables, self._limits, offsets, root, rotations, wish, state, self._room)
        if not sound:
            self._begin_anew("the pose that came in is not made of numbers: it was passed on")
            return pose
        if state[at.NEAR] > near:
            self.remarks.append("the target is in the head: there is nothing to look at")
        made = Pose.sound(pose.root, rotations)
        if pose.translations is not None:
            object.__setattr__(made, "translations", pose.translations)
            return made
        return self._pace.held(pose, made, seconds)

    def _begin_anew(self, why: str) -> None:
        self._state[:] = 0.0
        self._state[at.MODE] = -1.0
        if not self.remarks or self.remarks[-1] != why:
            self.remarks.append(why)


def _wrong_part(parts: object) -> str | None:
    """What is wrong with a list of parts."""
    listed = [parts] if isinstance(parts, str) else parts
    if not isinstance(listed, Collection):
        return f"parts of a gaze are a list of {', '.join(PARTS)}, not {parts!r:.40}"
    wrong = [part for part in listed if part not in PARTS]
    return f"a gaze has the parts {', '.join(PARTS)}, not {wrong[0]!r:.40}" if wrong else None


def _point(told: object) -> tuple[float, float, float] | None:
    """A wish as a point; None where it is none."""
    try:
        x, y, z = (float(value) for value in told)  # type: ignore[attr-defined]
    except NO_NUMBER:
        return None
    return (x, y, z) if all(abs(value) <= LARGEST for value in (x, y, z)) else None
