"""Posture arithmetic, and the join of one movement to the next by it ([movements] 5, eq. 5).

The printed products are in the right order, read closely: with A - B = r_B^-1 r_A and A + B = r_B r_A the
sum (A - B) + B is A, while B + (A - B) is not. So the difference posture D = P - M(0) must be the *first*
summand of M'(t) = f(s) D + M(t), as eq. 5 has it, and M'(0) = P. A difference turns each joint in its own
frame.

Where it differs from the paper: f starts with rate 0, so that by eq. 5 alone the posture is continuous where
two movements meet but its rate jumps. `Join`, given rates, adds a second term for the difference of rates.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.errors import RequestError
from footfall.figure.frozen import frozen_array
from footfall.figure.pose import Pose
from footfall.geometry import quaternion as quat
from footfall.geometry.easing import ease_out, hermite

Numbers = Float[np.ndarray, "*batch"]
Vectors = Float[np.ndarray, "*batch 3"]

SMALL_ANGLE = 1e-3  # radians; below it the limit is off by angle^4 / 720, less than rounding


def add(a: Pose, b: Pose) -> Pose:
    """A + B = {t_A + t_B, r_B r_A}: a's turns in the frames that b has turned; does not commute."""
    _refuse_unlike(a, b)
    moved = None if a.translations is None or b.translations is None else a.translations + b.translations
    return Pose(a.root + b.root, quat.multiply(b.rotations, a.rotations), moved)


def subtract(a: Pose, b: Pose) -> Pose:
    """A - B = {t_A - t_B, r_B^-1 r_A}: the difference posture D for which D + B is A."""
    _refuse_unlike(a, b)
    moved = None if a.translations is None or b.translations is None else a.translations - b.translations
    return Pose(a.root - b.root, quat.multiply(quat.conjugate(b.rotations), a.rotations), moved)


def scale(pose: Pose, factor: Numbers | float) -> Pose:
    """cA: the share c of every translation and, the short way round, of every turn; c may be a batch."""
    c = np.asarray(factor, dtype=float)[..., None]
    turned = quat.exp(c[..., None] * quat.log(pose.rotations))  # slerp(1, r, c)
    moved = None if pose.translations is None else c[..., None] * pose.translations
    return Pose(c * pose.root, turned, moved)


@dataclass(frozen=True, eq=False)
class Rate:
    """How fast a posture changes; leading axes are a batch.

    A joint's turning w is in its own frame: r(t + dt) = r(t) exp(w dt).
    """

    root: Float[np.ndarray, "*batch 3"]  # m/s
    turning: Float[np.ndarray, "*batch joints 3"]  # rad/s
    translations: Float[np.ndarray, "*batch joints 3"] | None = None  # m/s

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "root", frozen_array(self.root, "root's rate", shape=(3,)))
        put(self, "turning", frozen_array(self.turning, "turning", shape=(None, 3)))
        if self.translations is not None:
            put(self, "translations", frozen_array(self.translations, "translations' rate", shape=(None, 3)))

    @classmethod
    def between(cls, before: Pose, after: Pose, seconds: float) -> Rate:
        """The mean rate from one posture to a near one; that of the moment midway to second order in time."""
        change, pace = subtract(after, before), 1.0 / _positive(seconds)
        moved = None if change.translations is None else pace * change.translations
        return cls(pace * change.root, pace * quat.log(change.rotations), moved)


@dataclass(frozen=True, eq=False)
class Join:
    """What makes a movement start where, and as fast as, the last one ended; it is gone after `seconds`."""

    root: Float[np.ndarray, "3"]  # m, the difference posture's
    turns: Float[np.ndarray, "joints 3"]  # rad, the difference posture's rotation vectors
    translations: Float[np.ndarray, "joints 3"] | None  # m
    rate: Rate | None  # of the difference, at the start; without it the rate jumps there, as in the paper
    seconds: float  # T, which the paper leaves open

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "root", frozen_array(self.root, "root", shape=(3,)))
        put(self, "turns", frozen_array(self.turns, "turns", shape=(None, 3)))
        if self.translations is not None:
            put(self, "translations", frozen_array(self.translations, "translations", shape=(None, 3)))
        put(self, "seconds", _positive(self.seconds))

    @classmethod
    def between(
        cls,
        last: Pose,
        first: Pose,
        seconds: float,
        *,
        last_rate: Rate | None = None,
        first_rate: Rate | None = None,
    ) -> Join:
        """From the last posture of what went before to the new movement's first; with both rates or none."""
        if (last_rate is None) != (first_rate is None):
            raise RequestError("a join needs the rates of both movements, or of neither")
        difference = subtract(last, first)  # D = P - M(0)
        turns = quat.log(difference.rotations)
        rate = None
        if last_rate is not None and first_rate is not None:
            rate = difference_rate(turns, last_rate, first_rate)
        return cls(difference.root, turns, difference.translations, rate, seconds)

    def adjusted(self, pose: Pose, times: Numbers | float) -> Pose:
        """The movement's postures with the join in them; `times` are seconds from its start, one for each.

        At time 0 posture and rate are the last movement's. From `seconds` on postures are returned as they
        are, bit for bit.
        """
        times = np.asarray(times, dtype=float)
        if times.shape != pose.root.shape[:-1]:
            raise RequestError(f"postures {pose.root.shape[:-1]} need as many times, not {times.shape}")
        _refuse_unlike(self, pose)
        joining = (times < self.seconds)[..., None]
        if not joining.any():
            return pose
        move, turn, shift = self._left(times / self.seconds)
        rotations = quat.multiply(pose.rotations, quat.exp(turn))  # [movements] eq. 5: f(s) D + M(t)
        moved = pose.translations
        if moved is not None and shift is not None:
            moved = np.where(joining[..., None], moved + shift, moved)
        return Pose(
            np.where(joining, pose.root + move, pose.root),
            np.where(joining[..., None], rotations, pose.rotations),
            moved,
        )

    def _left(self, s: Numbers) -> tuple[Vectors, Vectors, Vectors | None]:
        """What is left of the difference at the share s of the join: root, turns, translations."""
        f = ease_out(s)[..., None]
        h = hermite(s, 0.0, 0.0, self.seconds, 0.0)[..., None]  # t (1 - t/T)^2: rate 1 at 0, then dying away
        move, turn = f * self.root, f[..., None] * self.turns
        shift = None if self.translations is None else f[..., None] * self.translations
        if self.rate is not None:
            move, turn = move + h * self.rate.root, turn + h[..., None] * self.rate.turning
            if shift is not None and self.rate.translations is not None:
                shift = shift + h[..., None] * self.rate.translations
        return move, turn, shift


def difference_rate(turns: Float[np.ndarray, "joints 3"], last: Rate, first: Rate) -> Rate:
    """The rate of the difference posture, of rotation vectors d = `turns`, that makes the rates meet.

    With r' = r exp(d) a joint turns at w' = exp(-d) w + J d', where J is the right Jacobian: the movement's
    own turning seen through the difference, and the difference's. Here w' is the last movement's, d' sought.
    """
    for rate in (last, first):
        _refuse_unlike_counts(turns.shape[-2], rate.turning.shape[-2])
    seen = quat.rotate(quat.exp(-turns), first.turning)
    moved = None
    if last.translations is not None and first.translations is not None:
        moved = last.translations - first.translations
    return Rate(last.root - first.root, vector_rate(turns, last.turning - seen), moved)


def vector_rate(vectors: Vectors, turning: Vectors) -> Vectors:
    """How fast rotation vectors v change where exp(v) turns at w = `turning`, in its own frame.

    That is the inverse right Jacobian of SO(3): w + v x w / 2 + c v x (v x w), c = (1 - a cot a) / (2 a)^2, a
    half the angle. c is 1/12 at angle 0 and without bound only towards a whole turn, far from the short way.
    """
    angle = np.linalg.norm(vectors, axis=-1, keepdims=True)
    small = angle < SMALL_ANGLE
    safe = np.where(small, 1.0, angle)
    closed = (1.0 - 0.5 * safe / np.tan(0.5 * safe)) / (safe * safe)
    c = np.where(small, 1.0 / 12.0, closed)
    across = quat.cross(vectors, turning)
    return turning + 0.5 * across + c * quat.cross(vectors, across)


def _refuse_unlike(a: Pose | Join, b: Pose) -> None:
    joints = a.rotations if isinstance(a, Pose) else a.turns
    _refuse_unlike_counts(joints.shape[-2], b.rotations.shape[-2])
    if (a.translations is None) != (b.translations is None):
        raise RequestError("some postures have joint translations and some none; all need them, or none")


def _refuse_unlike_counts(one: int, other: int) -> None:
    if one != other:
        raise RequestError(f"postures of {one} and {other} joints do not add up; retarget one of them first")


def _positive(seconds: float) -> float:
    if not (np.isfinite(seconds) and seconds > 0.0):
        raise RequestError(f"the seconds of a join or a rate must be finite and over 0, not {seconds:g}")
    return float(seconds)
