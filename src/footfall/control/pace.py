"""How fast people move, and layers that hold to it: no part of the body goes faster because of one.

A layer changes a pose that itself moves. What it adds is held back where the two together would be faster
than people are, and follows as soon as it may.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.figure.pose import Pose
from footfall.figure.skeleton import Skeleton

SHORTEST = 1e-3  # s: frames are taken to last so long at least
CALM = 0.95  # of the speeds below, over which a layer that can should slow down
SLOWEST, QUICKENS = (
    0.25,
    4.0,
)  # of its usual tempo, and of it in each s: a layer slows down and picks up again
# m/s by role, hips in the world and the others beside them: the 99.99th percentile over the virtual actor's
# locomotion and reaches ([body] 4.1, 5.1), a person whose legs are 0.858 m long
SPEEDS = {
    **{"hips": 2.9, "spine": 0.095, "chest": 0.45, "neck": 0.98, "head": 1.17, "clavicle": 0.91},
    **{"upper_arm": 1.32, "forearm": 2.04, "hand": 2.75, "thigh": 0.148, "shank": 2.6, "foot": 4.0},
}
LEG = 0.858  # m


class Pace:
    """Holds back what one layer adds to the poses it is given.

    >>> pace = Pace(skeleton)
    >>> pose = pace.held(tick.pose, made, tick.dt)

    `spare` is by how many times parts may go faster than people hardly ever exceed; `as_given`, whether they
    may go as fast as those of the pose that is given do by themselves.
    """

    def __init__(self, skeleton: Skeleton, spare: float = 1.0, *, as_given: bool = False) -> None:
        from footfall.control.correction_kernel import (
            hold_back,
            hurries,
            put_elsewhere,
            raise_to_own,
            take_added,
        )

        self._take, self._hold_back, self._hurries = take_added, hold_back, hurries
        self._put_elsewhere, self._raise_to_own, self._as_given = put_elsewhere, raise_to_own, as_given
        count = len(skeleton)
        self._hips = skeleton.joint("hips") if skeleton.has("hips") else 0
        self._fastest, self._calm = spare * fastest_parts(skeleton), CALM / spare
        self._parents = np.array(skeleton.parents, dtype=np.int64)
        self._offsets = np.ascontiguousarray(skeleton.offsets, dtype=float)
        self._any = np.full(count + 1, np.inf)
        self._none, self._added = nothing_added(count), nothing_added(count)
        self._before: Pose | None = None  # that was shown last,
        self._given: Pose | None = None  # and that of the layers before
        self._adds = self._lags = False
        self.haste = 0.0

    @property
    def lags(self) -> bool:
        """Whether the last pose was held back."""
        return self._lags

    def jumped(self, given: Pose, made: Pose) -> Pose:
        """A pose that is shown as it is: somebody wants it at once."""
        self._before = None
        return self.held(given, made, 0.0)

    def saw(self, pose: Pose) -> None:
        """A frame in which the layer passed its pose on."""
        self._before = self._given = pose
        self.haste = 0.0
        if self._adds:
            self._added, self._adds = nothing_added(len(self._parents)), False

    def held(self, given: Pose, made: Pose, dt: float) -> Pose:
        """What is shown of what is made: see `limited`."""
        shown = self.limited(given, made, dt)
        self.showed(given, shown)
        return shown

    def limited(self, given: Pose, made: Pose, dt: float) -> Pose:
        """What is made, as far as no part of the body goes faster than people do because of it.

        Afterwards `haste` is by how many times too fast it would have been.

        Args:
            given: The pose of the layers before.
            made: What this layer makes of it.
            dt: s since the last frame.

        Returns:
            The pose that may be shown.
        """
        self._lags = False
        if self._before is not None and self._given is not None:
            made_root, made_turns = np.array(made.root), np.array(made.rotations)
            most = self._fastest * max(dt, SHORTEST)
            if self._as_given:
                self._raise_to_own(
                    self._parents, self._offsets, self._hips, *_arrays(self._given), *_arrays(given), most
                )
            share, self.haste = self._hold_back(
                self._parents,
                self._offsets,
                self._hips,
                most,
                self._calm,
                *_arrays(self._before),
                *_arrays(self._given),
                *_arrays(given),
                *self._added,
                made_root,
                made_turns,
                self.elsewhere(self._given, given, dt),
            )
            if share < 1.0:
                made, self._lags = Pose.sound(made_root, made_turns), True
        return made

    def allows(self, pose: Pose, dt: float) -> bool:
        """Whether a pose is one that people get to in `dt` from what was shown last."""
        if self._before is None:
            return True
        most = self._fastest * max(dt, SHORTEST)
        before, then = _arrays(self._before), _arrays(pose)
        return not self._hurries(self._parents, self._offsets, self._hips, most, *before, *then)

    def showed(self, given: Pose, shown: Pose) -> None:
        """Hears what was shown in this frame over the pose that the layers before gave."""
        self._take(*_arrays(given), *_arrays(shown), self._any, *self._none, *self._added)
        self._before, self._given, self._adds = shown, given, True

    def elsewhere(self, before: Pose, now: Pose, dt: float) -> bool:
        """Whether a figure is somewhere else `dt` later, as by a command to be there."""
        return bool(self._put_elsewhere(*_arrays(before), *_arrays(now), dt))


class Tempo:
    """How fast the time of a layer goes, so that what it adds does not hurry.

    >>> tempo = Tempo()
    >>> advance(tempo.rate * dt)
    >>> tempo.after(pace.haste, dt)
    """

    def __init__(self) -> None:
        self.rate = 1.0
        self._last = 0.0  # haste at the usual tempo, a frame ago

    def after(self, haste: float, dt: float) -> None:
        """Hears how hasty a frame of `dt` s was."""
        usual = haste / self.rate
        coming = usual + max(usual - self._last, 0.0)  # it goes on as it grew
        self._last = usual
        wanted = 1.0 / coming if coming > 1.0 else 1.0
        self.rate = max(min(wanted, self.rate + QUICKENS * dt), SLOWEST)


def fastest_parts(skeleton: Skeleton) -> Float[np.ndarray, "joints"]:
    """m/s by joint that people hardly ever exceed: hips in the world, others beside the hips.

    Joints without a role of theirs, fingers, toes and eyes may go as they like.
    """
    legs = [
        skeleton.leg_length(side) for side in skeleton.sides if skeleton.has(f"{side}_thigh", f"{side}_foot")
    ]
    scale = float(np.mean(legs)) / LEG if legs else 1.0
    found = np.full(len(skeleton), np.inf)
    for role, joint in skeleton.roles.items():
        part = role.removeprefix("left_").removeprefix("right_")
        if part in SPEEDS:
            found[joint] = scale * SPEEDS[part]
    return found


def _arrays(pose: Pose) -> tuple[Float[np.ndarray, "3"], Float[np.ndarray, "joints 4"]]:
    return np.ascontiguousarray(pose.root), np.ascontiguousarray(pose.rotations)


def nothing_added(count: int) -> tuple[Float[np.ndarray, "3"], Float[np.ndarray, "joints 4"]]:
    """What a layer adds that passes its pose on."""
    return np.zeros(3), np.tile([1.0, 0.0, 0.0, 0.0], (count, 1))
