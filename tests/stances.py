"""Motions made from stances: a figure whose feet are exactly where a list of stances says, at any frame rate.

A stance rolls over heel, flat sole and toe by closed formulas, so a contact point moves by rounding alone.
Between stances an ankle runs along a cubic of continuous velocity. The pelvis keeps within the legs' reach.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from scipy.ndimage import gaussian_filter1d, minimum_filter1d

from footfall.actor.humanoid import humanoid
from footfall.figure.contacts import SIDE_INDEX, Contacts
from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.figure.soles import toe_point_on_toe
from footfall.geometry import easing, ground
from footfall.geometry import quaternion as quat
from footfall.geometry.ground import LEFT
from footfall.ik.two_link import leg_of, solve_two_link

DENSE = 480.0  # Hz: pelvis paths are smoothed at this rate, whatever the motion's own
SIDES = ("left", "right")
ROLL = {"heel": -0.35, "flat": 0.0, "toe": 0.7}  # rad: pitch of a foot that touches with this part only
SWINGING = {"left_upper_arm": (1, 0.3), "right_upper_arm": (1, 0.3), "chest": (1, 0.1), "neck": (0, 0.05)}

Arms = dict[str, np.ndarray]  # by phase: the point that is pinned, in the foot's frame


@dataclass(frozen=True)
class Stance:
    """One foot on the ground: `first` touches from strike to flat, `last` from lift to off (seconds)."""

    foot: str
    place: tuple[float, float, float]  # of the subtalar
    strike: float
    flat: float
    lift: float
    off: float
    first: str = "heel"
    last: str = "toe"
    heading: float = 0.0
    slope: float = 0.0  # rad, of the ground along the foot, up positive
    swivel: tuple[float, float, float, str] | None = None  # flat on the ground: from, to (s), angle, about
    shift: Callable[[np.ndarray], np.ndarray] | None = None  # seconds to metres (n, 3): the whole foot is off
    clearance: float = 0.08  # m, of the swing that follows

    def pitch(self, t: np.ndarray) -> np.ndarray:
        """Of the foot against the ground, toe down positive."""
        on = np.clip((self.flat - t) / (self.flat - self.strike), 0.0, 1.0)
        off = np.clip((t - self.lift) / (self.off - self.lift), 0.0, 1.0)
        return ROLL[self.first] * on**2 + ROLL[self.last] * off**2

    def toe_bend(self, t: np.ndarray) -> np.ndarray:
        """Turn of the toe against the foot: it lies on the ground while it touches."""
        return -np.maximum(self.pitch(t), 0.0)

    def headings(self, t: np.ndarray) -> np.ndarray:
        if self.swivel is None:
            return np.full(len(t), self.heading)
        start, end, angle, _ = self.swivel
        return self.heading + angle * easing.smooth((t - start) / (end - start))

    def turn(self, t: np.ndarray) -> np.ndarray:
        tilt = quat.exp((self.pitch(t) - self.slope)[:, None] * LEFT)
        return quat.multiply(ground.turn(self.headings(t)), tilt)

    def ankle(self, t: np.ndarray, arms: Arms) -> np.ndarray:
        """Where the pinned point of each moment puts the ankle."""
        kinds = np.where(t < self.flat, self.first, np.where(t < self.lift, "flat", self.last))
        out = np.zeros((len(t), 3))
        for kind in ("heel", "flat", "toe"):
            at = kinds == kind
            out[at] = self._pin(t[at], arms, kind) - quat.rotate(self.turn(t[at]), arms[kind])
        return out if self.shift is None else out + self.shift(t)

    def _pin(self, t: np.ndarray, arms: Arms, kind: str) -> np.ndarray:
        """A sole point of the flat foot, swung round with it where it swivels."""
        centre = "flat" if self.swivel is None else self.swivel[3]
        before = quat.multiply(ground.turn(self.heading), quat.exp(-self.slope * LEFT))
        level = quat.multiply(ground.turn(self.headings(t)), quat.exp(-self.slope * LEFT))
        held = np.array(self.place) + quat.rotate(before, arms[centre] - arms["flat"])
        return held + quat.rotate(level, arms[kind] - arms[centre])

    def ground(self, places: np.ndarray) -> np.ndarray:
        """Height of this stance's plane under places."""
        along = (places - np.array(self.place)) @ ground.direction_of(self.heading)
        return self.place[1] + np.tan(self.slope) * along

    def sunk(self, t: float) -> float:
        return 0.0 if self.shift is None else float(self.shift(np.array([t]))[0, 1])


@dataclass(frozen=True, eq=False)
class Made:
    """A motion, which carries no contacts, and the truth about it."""

    motion: Motion
    contacts: Contacts
    stances: tuple[Stance, ...]

    @property
    def given(self) -> Motion:
        return replace(self.motion, contacts=self.contacts)


def make(
    stances: Sequence[Stance],
    seconds: float,
    fps: float,
    *,
    skeleton: Skeleton | None = None,
    reach: float = 0.97,
) -> Made:
    """The motion of a figure that takes these stances; no leg is straighter than `reach`."""
    figure = skeleton or humanoid()
    times = np.arange(round(seconds * fps) + 1) / fps
    dense = np.arange(round(seconds * DENSE) + 1) / DENSE
    by_foot = {s: sorted((x for x in stances if x.foot == s), key=lambda x: x.strike) for s in SIDES}
    paths, fine = ({s: _foot_path(figure, s, by_foot[s], t) for s in SIDES} for t in (times, dense))
    root, facing = _pelvis(figure, fine, reach)
    places = np.stack([np.interp(times, dense, column) for column in root.T], axis=-1)
    motion = _solved(figure, paths, places, np.interp(times, dense, facing), fps)
    return Made(motion, _contacts(stances, times), tuple(stances))


def _contacts(stances: Sequence[Stance], times: np.ndarray) -> Contacts:
    heel, toe = (np.zeros((len(times), 2), dtype=bool) for _ in range(2))
    t = times + 1e-9  # a frame at the very instant of an event comes after it
    for stance in stances:
        stands = (t >= stance.strike) & (t < stance.off)
        for mask, other in ((heel, "toe"), (toe, "heel")):
            rolls_on = (t < stance.flat) & (stance.first == other)
            rolls_off = (t >= stance.lift) & (stance.last == other)
            mask[:, SIDE_INDEX[stance.foot]] |= stands & ~rolls_on & ~rolls_off
    return Contacts(heel, toe)


def pinned_points(figure: Skeleton, side: str) -> Arms:
    points = figure.foot_points(side)
    toe = figure.offsets[figure.joint(f"{side}_toe")] if figure.has(f"{side}_toe") else points.ball
    return {"heel": points.heel, "flat": points.subtalar, "toe": toe}


@dataclass(frozen=True, eq=False)
class _FootPath:
    ankle: np.ndarray
    turn: np.ndarray
    bend: np.ndarray
    heading: np.ndarray


def _foot_path(figure: Skeleton, side: str, stances: list[Stance], t: np.ndarray) -> _FootPath:
    arms = pinned_points(figure, side)
    out = _FootPath(np.zeros((len(t), 3)), quat.identity(len(t)), np.zeros(len(t)), np.zeros(len(t)))
    for i, stance in enumerate(stances):
        start = stance.strike if i else -np.inf
        end = stance.off if i + 1 < len(stances) else np.inf
        at = (t >= start) & (t <= end)
        out.ankle[at], out.turn[at] = stance.ankle(t[at], arms), stance.turn(t[at])
        out.bend[at], out.heading[at] = stance.toe_bend(t[at]), stance.headings(t[at])
    for before, after in pairwise(stances):
        at = (t > before.off) & (t < after.strike)
        swing = _swing(figure, side, before, after, t[at])
        out.ankle[at], out.turn[at], out.bend[at], out.heading[at] = swing
    return out


def _swing(
    figure: Skeleton, side: str, before: Stance, after: Stance, t: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Ankle, turn, toe bend and heading; the lowest point of the sole keeps its clearance over the ground."""
    arms = pinned_points(figure, side)
    ankle = _carried(before, after, t, lambda s, x: s.ankle(x, arms))
    pitch, bend, heading = (
        _carried(before, after, t, value)[:, 0]
        for value in (lambda s, x: s.pitch(x) - s.slope, Stance.toe_bend, Stance.headings)
    )
    turn = quat.multiply(ground.turn(heading), quat.exp(pitch[:, None] * LEFT))
    u = (t - before.off) / (after.strike - before.off)
    share = easing.smoother(u)

    def blended(one: np.ndarray | float, other: np.ndarray | float) -> np.ndarray:
        return (1 - share) * one + share * other

    slope = blended(np.tan(before.slope), np.tan(after.slope))
    level = blended(before.ground(ankle), after.ground(ankle))
    level += blended(before.sunk(before.off), after.sunk(after.strike))
    lift = before.clearance * 16 * u**2 * (1 - u) ** 2
    ankle[:, 1] = (
        level + lift + _depth(figure, side, turn, bend, slope[:, None] * ground.direction_of(heading))
    )
    return ankle, turn, bend, heading


def _carried(
    before: Stance, after: Stance, t: np.ndarray, value: Callable[[Stance, np.ndarray], np.ndarray]
) -> np.ndarray:
    """The cubic from one stance's last value and rate to the next one's first."""
    step, span = 1e-5, after.strike - before.off
    left = value(before, before.off - step * np.array([0.0, 1.0, 2.0])).reshape(3, -1)
    right = value(after, after.strike + step * np.array([0.0, 1.0, 2.0])).reshape(3, -1)
    rates = [
        sign * (1.5 * v[0] - 2 * v[1] + 0.5 * v[2]) * span / step for sign, v in ((1, left), (-1, right))
    ]
    u = (t - before.off) / span
    ends = np.stack([left[0], right[0], *rates], axis=-1)
    return np.stack([easing.hermite(u, *row) for row in ends], axis=-1)


def _depth(figure: Skeleton, side: str, turn: np.ndarray, bend: np.ndarray, rising: np.ndarray) -> np.ndarray:
    """How high an ankle is over a plane, given by its gradient, when the lowest sole point touches it."""
    points = figure.foot_points(side)
    tip = np.broadcast_to(points.toe, (len(turn), 3))
    if figure.has(f"{side}_toe"):
        joint = figure.offsets[figure.joint(f"{side}_toe")]
        tip = joint + quat.rotate(quat.exp(bend[:, None] * LEFT), toe_point_on_toe(figure, side, points))
    sole = [np.broadcast_to(p, (len(turn), 3)) for p in (points.heel, points.subtalar, points.ball)]
    world = [quat.rotate(turn, p) for p in (*sole, tip)]
    return np.max([np.sum(p * rising, axis=-1) - p[:, 1] for p in world], axis=0)


def _pelvis(figure: Skeleton, feet: dict[str, _FootPath], reach: float) -> tuple[np.ndarray, np.ndarray]:
    """Root places and headings at the dense rate: between the feet, as high as both legs allow."""
    wide, tails = 0.12 * DENSE, 2.5

    def calm(values: np.ndarray) -> np.ndarray:
        return gaussian_filter1d(values, wide, axis=0, mode="nearest", truncate=tails)

    facing = calm(0.5 * (feet["left"].heading + feet["right"].heading))
    root = calm(0.5 * (feet["left"].ankle + feet["right"].ankle))
    highest = np.full(len(root), np.inf)
    for side in SIDES:
        hip = quat.rotate(ground.turn(facing), figure.rest_positions[figure.joint(f"{side}_thigh")])
        level = np.linalg.norm((root + hip - feet[side].ankle)[:, [0, 2]], axis=-1)
        room = np.sqrt((reach * figure.leg_length(side)) ** 2 - level**2)
        highest = np.minimum(highest, feet[side].ankle[:, 1] + room - hip[:, 1])
    # as wide as the smoothing reaches, so that the limit holds after it
    root[:, 1] = calm(minimum_filter1d(highest, 2 * round(tails * wide) + 3, mode="nearest"))
    return root, facing


def _solved(
    figure: Skeleton, feet: dict[str, _FootPath], root: np.ndarray, facing: np.ndarray, fps: float
) -> Motion:
    rotations = np.tile(quat.identity(len(figure)), (len(root), 1, 1))
    rotations[:, 0] = ground.turn(facing)
    swing = np.sin(2 * np.pi * np.arange(len(root)) / fps)
    for role, (axis, size) in SWINGING.items():
        if figure.has(role):
            rotations[:, figure.joint(role)] = quat.exp(size * swing[:, None] * np.eye(3)[axis])
    bare = Motion(figure, root, rotations, fps)
    for side in SIDES:
        limb = leg_of(figure, side)
        joints = [limb.upper, limb.middle, limb.end]
        upper, lower, reached = solve_two_link(
            limb, bare.positions[:, joints], bare.orientations[:, limb.upper], feet[side].ankle
        )
        assert reached.all(), "a made gait must be within reach"
        thigh = quat.multiply(upper, bare.orientations[:, limb.upper])
        shank = quat.multiply(lower, bare.orientations[:, limb.middle])
        chain = [rotations[:, 0], thigh, shank, feet[side].turn]
        for joint, above, own in zip(joints, chain, chain[1:], strict=False):
            rotations[:, joint] = quat.multiply(quat.conjugate(above), own)
        if figure.has(f"{side}_toe"):
            rotations[:, figure.joint(f"{side}_toe")] = quat.exp(feet[side].bend[:, None] * LEFT)
    return Motion(figure, root, quat.continuous(rotations), fps)
