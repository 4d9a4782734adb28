"""What a switch of source would make jump, eased out: the difference posture, as where two movements meet.

A layer that goes over to another source (another motion, another place to hold) shows the new one at once,
with the difference to what it showed on top ([movements] eq. 5). The difference decays as a critically damped
spring does, so it may switch again in every frame: posture and rate stay continuous. The pull of the spring
is bounded, so that a source that is far away is approached without hurry.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from jaxtyping import Float

from footfall.blend.posture_arithmetic import Rate, difference_rate, subtract
from footfall.control.pace import Pace
from footfall.figure.pose import Pose
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat
from footfall.ik.full_body import FullBodyIK

HIPS, TURN, PARTS = 1.2, 0.8, 1.2  # m/s; rad/s of hips, and of other parts round them: no fade goes faster
PEAK = 1.5  # the largest rate of `smooth`, per unit of its time
MOVES, SWINGS = 1.2, 1.0  # m/s: a transition moves hips no faster, nor the end of what a joint carries
SPARE = 1.1  # times as fast as people hardly ever exceed may parts go in a paced transition
RUNS, LEAST = 3.0, 0.35  # m/s, at which there is only so much left of these speeds
JUMPS, SPINS = 5.0, 25.0  # m/s, rad/s: rates that differ by more are no rates, something was put elsewhere
NEAREST = 0.1  # m: of a joint to the hips; nearer ones move little whatever turns
SETTLES = 4.74  # rates of a critically damped spring until it has 5 % of its way to go
GONE = 1e-4  # m, rad: less is nothing


def slowest(skeleton: Skeleton, one: Pose, other: Pose) -> float:
    """Seconds that it takes to go from one pose to another so that no part of the body hurries.

    Args:
        skeleton: Of both poses.
        one, other: Where it begins and where it ends, in the world.

    Returns:
        The least time, s, of a straight way at an even pace.
    """
    ik = placing(skeleton)
    (places, turns), (there, turned) = ik.placed(one), ik.placed(other)
    hips = skeleton.joint("hips") if skeleton.has("hips") else 0
    away = float(np.linalg.norm(there[hips] - places[hips]))
    angle = float(quat.angle_between(turns[hips], turned[hips]))
    moved = np.linalg.norm((there - there[hips]) - (places - places[hips]), axis=-1)
    arms = np.maximum(
        np.linalg.norm(skeleton.rest_positions - skeleton.rest_positions[hips], axis=-1), NEAREST
    )
    return max(away / HIPS, angle / TURN, float((moved / arms).max()) / PARTS)


@lru_cache(maxsize=16)
def placing(skeleton: Skeleton) -> FullBodyIK:
    """One for all layers of a figure: it tells where joints are, quickly, and plants feet."""
    return FullBodyIK(skeleton)


class Transition:
    """From what a layer showed to what it shows now.

    >>> transition = Transition(skeleton)
    >>> transition.begin(shown, first, seconds=0.4)
    >>> pose = transition.smoothed(source_pose, dt)
    """

    def __init__(self, skeleton: Skeleton) -> None:
        from footfall.control.transition_kernel import spring_back, turn_by

        self._spring_back, self._turn_by = spring_back, turn_by
        self.active = False
        self._swings = SWINGS / np.maximum(carried_by(skeleton), NEAREST)  # rad/s by joint
        self._swings[0] = min(self._swings[0], TURN)
        self._rate = 1.0  # 1/s, of the spring
        count = len(skeleton)
        self._moves = np.array([MOVES])
        self._root, self._root_rate = np.zeros((1, 3)), np.zeros((1, 3))
        self._turns, self._turning = np.zeros((count, 3)), np.zeros((count, 3))
        self._last: Float[np.ndarray, "3"] | None = None  # the source's root

    def begin(
        self, shown: Pose, source: Pose, seconds: float, rates: tuple[Rate, Rate] | None = None
    ) -> None:
        """Eases out the difference between two poses of one moment.

        Args:
            shown: What was shown.
            source: The pose of the new source then.
            seconds: How long it takes about, s; longer where the poses are far apart, and 0 is at once.
            rates: How fast both went then; without them the rate jumps to that of the source.
        """
        self.active = seconds > 0.0 and shown.translations is None and source.translations is None
        if not self.active:
            return
        difference = subtract(shown, source)
        self._rate, self._last = SETTLES / seconds, None
        self._root[0], self._turns[:] = difference.root, quat.log(difference.rotations)
        self._root_rate[:] = self._turning[:] = 0.0
        if rates is not None and _likely(*rates):
            rate = difference_rate(self._turns, *rates)
            self._root_rate[0], self._turning[:] = rate.root, rate.turning

    def end(self) -> None:
        """At once."""
        self.active = False

    def smoothed(self, source: Pose, dt: float) -> Pose:
        """The source's pose `dt` later, with what is left of the difference."""
        if self.active and dt > 0.0:
            self._advance(source, dt)
        if not self.active:
            return source
        rotations = np.empty((len(self._turns), 4))
        self._turn_by(np.ascontiguousarray(source.rotations), self._turns, rotations)
        return Pose.sound(source.root + self._root[0], rotations)

    def _advance(self, source: Pose, dt: float) -> None:
        goes = np.zeros(3) if self._last is None else source.root - self._last
        speed = float(np.linalg.norm(self._root_rate[0]) + np.linalg.norm(goes) / dt)
        self._last = source.root
        # who runs is near the fastest that people go already
        share = max(1.0 - speed / RUNS, LEAST)
        before = self._root[0].copy()
        moved = self._spring_back(self._root, self._root_rate, self._rate, self._moves, share, dt)
        self._hold_hips_to(goes, before, dt)
        turned = self._spring_back(self._turns, self._turning, self._rate, self._swings, share, dt)
        self.active = max(moved, turned) > GONE

    def _hold_hips_to(self, goes: Float[np.ndarray, "3"], before: Float[np.ndarray, "3"], dt: float) -> None:
        """A source that changes its way at once does not throw the hips: they go as fast as it, or run."""
        shown, most = goes + self._root[0] - before, max(float(np.linalg.norm(goes)), RUNS * dt)
        length = float(np.linalg.norm(shown))
        if length > most:
            self._root[0] = before + most / length * shown - goes
            self._root_rate[0] = (self._root[0] - before) / dt


class PacedTransition:
    """A transition in which no part of the body goes faster than people do, or than the new source does.

    Used as `Transition` is. Where it is held back it lasts longer.
    """

    def __init__(self, skeleton: Skeleton) -> None:
        self._transition = Transition(skeleton)
        self._pace = Pace(skeleton, spare=SPARE, as_given=True)

    @property
    def active(self) -> bool:
        """Whether anything is still eased out."""
        return self._transition.active or self._pace.lags

    def begin(
        self, shown: Pose, source: Pose, seconds: float, rates: tuple[Rate, Rate] | None = None
    ) -> None:
        """See `Transition.begin`."""
        self._transition.begin(shown, source, seconds, rates)
        self._pace.saw(source)  # what is at once is not held back
        if self._transition.active:
            self._pace.showed(source, shown)

    def smoothed(self, source: Pose, dt: float) -> Pose:
        """The source's pose `dt` later, with what is left of the difference."""
        if self.active and dt > 0.0:
            return self._pace.held(source, self._transition.smoothed(source, dt), dt)
        if not self.active:
            self._pace.saw(source)
        return self._transition.smoothed(source, dt)


def carried_by(skeleton: Skeleton) -> Float[np.ndarray, "joints"]:
    """m from each joint to the farthest one that it carries, in the rest pose."""
    places = skeleton.rest_positions
    reach = np.zeros(len(skeleton))
    for joint in range(len(skeleton)):
        for above in skeleton.tree.ancestors(joint):
            reach[above] = max(reach[above], float(np.linalg.norm(places[joint] - places[above])))
    return reach


def _likely(before: Rate, after: Rate) -> bool:
    """Whether two rates are those of a body that moves."""
    away, turning = before.root - after.root, before.turning - after.turning
    return bool(np.linalg.norm(away) < JUMPS and np.linalg.norm(turning, axis=-1).max() < SPINS)
