"""One foot in the air, from the point it left to the point it comes down on.

The ankle follows the cubic that takes over the roll's speed at both ends, plus what people add to it: bubbles
that vanish with their rate at both ends, so that the foot still leaves and lands exactly and smoothly. Where
a sole would graze the ground (a stair's edge) the swing is raised by the least that clears it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from jaxtyping import Float

from footfall.actor.gait.stance import TERMS, Sole, Stance, Times, bubbles
from footfall.geometry import easing, ground
from footfall.geometry import quaternion as quat
from footfall.geometry.ground import LEFT, UP

RELAXED = 0.10  # rad: the toe's bend in mid-swing
UNBENDS = 0.55  # of the swing: until here the toe is on its way back
MARGIN = 0.006  # m that a sole keeps over the ground in mid-swing
SAMPLES = 129  # where a swing is held against the ground
LIFTS = 5  # bumps that may raise it
HALF_SOLE, GRAZE = 0.04, 0.003  # m: a sole's half width, and how near its ends still count as under it

BRISK = (27.0, 14.0)  # m/s^2: a foot leaves the ground, and brakes before it, at least this hard, in slow
SLOW, FAST = 0.9, 1.9  # and in fast swings (m/s); captured walks brake harder still
_LEADING = (LIFTS + 3) * (LIFTS + 2) / 2.0

Lowest = Callable[[Times, Float[np.ndarray, "n 3"]], Times]
Ground = Callable[[Float[np.ndarray, "*n 3"]], Float[np.ndarray, "*n"]]


def bumps(u: Times) -> Float[np.ndarray, "n lifts"]:
    """Bernstein polynomials that vanish with their rate at both ends: narrower bubbles, none negative."""
    from scipy.special import comb

    degree = LIFTS + 3
    k = np.arange(2, 2 + LIFTS)
    u = np.clip(u, 0.0, 1.0)[:, None]
    return comb(degree, k) * u**k * (1.0 - u) ** (degree - k)


@dataclass(frozen=True, eq=False)
class SwingShape:
    """What people add to the plain way: bubbles along, upwards, outwards and of the pitch."""

    along: Float[np.ndarray, "terms"]  # of the distance covered
    up: Float[np.ndarray, "terms"]  # m
    out: Float[np.ndarray, "terms"]  # m away from the other leg
    pitch: Float[np.ndarray, "terms"]  # rad
    ahead: Float[np.ndarray, "terms"] = field(default_factory=lambda: np.zeros(TERMS))  # m, where feet cross


@dataclass(frozen=True, eq=False)
class FootPath:
    """Where one foot is: its ankle, its world orientation, its toe's bend and which way it points."""

    ankle: Float[np.ndarray, "n 3"]
    turn: Float[np.ndarray, "n 4"]
    bend: Times
    heading: Times
    free: Times | float = 0.0  # 0 where it stands, 1 in mid-swing


@dataclass(frozen=True, eq=False)
class Swing:
    """From `before` to `after`."""

    before: Stance
    after: Stance
    sole: Sole
    shape: SwingShape

    @property
    def seconds(self) -> float:
        return self.after.strike - self.before.off

    def path(self, t: Times, lifts: Float[np.ndarray, "lifts"] | None = None) -> FootPath:
        u = (t - self.before.off) / self.seconds
        around = bubbles(u)
        pitch = self._pitch(u) + around @ self.shape.pitch
        heading = self._heading(u)
        turn = quat.multiply(self._level_turn(u, heading), quat.exp(-pitch[:, None] * LEFT))
        ankle = self._plain_way(u)
        covered = (self._ends[1] - self._ends[0]) * np.array([1.0, 0.0, 1.0])
        ankle = ankle + (around @ self.shape.along)[:, None] * covered
        ankle = ankle + (around @ self.shape.up)[:, None] * UP
        sign = 1.0 if self.before.foot == "left" else -1.0
        outwards = quat.rotate(ground.turn(heading), sign * LEFT)
        ankle = ankle + (around @ self.shape.out)[:, None] * outwards
        ankle = ankle + (around @ self.shape.ahead)[:, None] * ground.direction_of(heading)
        if lifts is not None:
            ankle = ankle + (bumps(u) @ lifts)[:, None] * UP
        return FootPath(ankle, turn, self._bend(u), heading, easing.smooth(1.3 * around[:, 0]))

    def _pitch(self, u: Times) -> Times:
        a, b, span = self.before, self.after, self.seconds
        return easing.hermite(u, a.off_pitch, b.strike_pitch, a.off_rate * span, b.strike_rate * span)

    def _heading(self, u: Times) -> Times:
        change = float(ground.wrap(self.after.heading - self.before.heading))
        return self.before.heading + change * easing.smooth(u)

    def _level_turn(self, u: Times, heading: Times) -> Float[np.ndarray, "n 4"]:
        """The foot flat on a ground that leans from one stance's to the next one's."""
        if self.before.is_level and self.after.is_level:
            return ground.turn(heading)
        one, other = (
            np.broadcast_to(quat.between(UP, s.normal), (len(u), 4)) for s in (self.before, self.after)
        )
        tilt = quat.slerp(one, other, easing.smooth(u))
        return quat.multiply(tilt, ground.turn(heading))

    @cached_property
    def _ends(self) -> tuple[Float[np.ndarray, "3"], ...]:
        """The ankle's places and rates (for the whole swing) at both ends."""
        a, b, sole, span = self.before, self.after, self.sole, self.seconds
        return (
            sole.ankle(a, np.array([a.off_pitch]))[0],
            sole.ankle(b, np.array([b.strike_pitch]))[0],
            sole.ankle_rate(a, a.off_pitch, a.off_rate) * span,
            sole.ankle_rate(b, b.strike_pitch, b.strike_rate) * span,
        )

    def _plain_way(self, u: Times) -> Float[np.ndarray, "n 3"]:
        u = np.clip(u, 0.0, 1.0)[:, None]
        start, end, leaving, landing = self._ends
        rest = 1.0 - u
        return rest * rest * ((1.0 + 2.0 * u) * start + u * leaving) + u * u * (
            (1.0 + 2.0 * rest) * end - rest * landing
        )

    def _bend(self, u: Times) -> Times:
        """From the roll's bend to relaxed, and on to the bend at the strike.

        Slowly at both ends: a toe that unbent as soon as the foot rises would dip into the ground.
        """
        a, b, span = self.before, self.after, self.seconds
        leaving = _unbending(u / UNBENDS, -a.off_pitch, -a.off_rate * span * UNBENDS)
        rest = 1.0 - UNBENDS
        coming = _unbending((1.0 - u) / rest, -b.strike_pitch, b.strike_rate * span * rest)
        return np.where(u < UNBENDS, leaving, coming)

    def clearing(self, height: Ground, lowest: Lowest) -> Float[np.ndarray, "lifts"] | None:
        """The least lifts that keep the whole sole over the ground and the ankle within the leg's reach.

        `lowest` tells how low an ankle may be at a time and place; None where no lift is needed.
        """
        u = np.linspace(0.0, 1.0, SAMPLES)[1:-1]
        times = self.before.off + u * self.seconds
        path = self.path(times)
        soles = along_sole(self.sole.points(path.ankle, path.turn, path.bend))
        margin = MARGIN * np.minimum(1.0, 16.0 * u * u * (1.0 - u) ** 2 / 0.3)
        # an edge may lie between two moments: each counts with its neighbours' ground
        level = self._where_it_stands(soles, height(soles))
        level[1:-1] = np.maximum(np.maximum(level[:-2], level[2:]), level[1:-1])
        short = (level - soles[..., 1]).max(axis=-1) + margin
        # near its ends a swing has no say in how long the leg is
        far = np.where((u > 0.1) & (u < 0.9), lowest(times, path.ankle) - path.ankle[:, 1], -1.0)
        least = self._brisk()
        shapes = bumps(u)
        short, far = short - shapes @ least, far - shapes @ least
        if (np.maximum(short, far) <= 0.0).all():
            return least if least.any() else None
        more = _least_lifts(shapes, np.maximum(short, far))
        more = more if more is not None else _least_lifts(shapes, short)
        return least if more is None else least + more

    def _where_it_stands(
        self, soles: Float[np.ndarray, "n points 3"], level: Float[np.ndarray, "n points"]
    ) -> Float[np.ndarray, "n points"]:
        """Where the foot stood and will stand nothing is higher, though other feet stood there on a block."""
        for stance in (self.before, self.after):
            local = quat.rotate(ground.turn(-stance.heading), soles - stance.place)
            heel, tip = self.sole.heel[2] - GRAZE, (self.sole.toe_joint + self.sole.tip)[2] + GRAZE
            under = (np.abs(local[..., 0]) < HALF_SOLE) & (local[..., 2] > heel) & (local[..., 2] < tip)
            if stance.is_level:
                level = np.where(under, np.minimum(level, stance.level), level)
        return level

    @cached_property
    def _onwards(self) -> Float[np.ndarray, "3"]:
        way = (self.after.place - self.before.place) * np.array([1.0, 0.0, 1.0])
        return way / max(float(np.linalg.norm(way)), 1e-6)

    def _brisk(self) -> Float[np.ndarray, "lifts"]:
        """Lifts with which a slow foot still leaves and lands as briskly as people's do."""
        moment = 0.01
        out = np.zeros(LIFTS)
        speed = float(np.linalg.norm(self.after.place - self.before.place)) / self.seconds
        brisk = BRISK[0] + (BRISK[1] - BRISK[0]) * float(easing.smooth((speed - SLOW) / (FAST - SLOW)))
        for end, at in ((0, (0.0, moment)), (-1, (1.0, 1.0 - moment))):
            path = self.path(self.before.off + np.array(at) * self.seconds)
            pivot = self.sole.toe_joint
            pitch = self.before.off_pitch if end == 0 else self.after.strike_pitch
            if pitch > 0.0:
                pivot = self.sole.heel
            places = path.ankle + quat.rotate(path.turn, pivot)
            away = 2.0 * (places[1] - places[0]) / (moment * self.seconds) ** 2
            # upwards, or onwards: a toe that is only pushed back by its turning foot is not leaving
            pull = max(float(away[1]), (1.0 if end == 0 else -1.0) * float(away @ self._onwards))
            # a bump's own acceleration at its end: twice its leading coefficient
            out[end] = max(brisk - pull, 0.0) * self.seconds**2 / (2.0 * _LEADING)
        return out


def _unbending(s: Times, bend: float, rate: float) -> Times:
    """From a bend and its rate at s = 0 to relaxed at 1; a foot that touches with its heel has no bend."""
    bend, rate = (bend, rate) if bend > 0.0 else (0.0, 0.0)
    s = np.clip(s, 0.0, 1.0)
    return RELAXED + (bend - RELAXED) * (1.0 - easing.smoother(s)) + rate * s * (1.0 - s) ** 3


def along_sole(points: Float[np.ndarray, "n 4 3"]) -> Float[np.ndarray, "n 9 3"]:
    """The sole's points and places between them: edges may poke where no point is."""
    heel, _, ball, tip = (points[:, i] for i in range(4))
    rear = [heel + s * (ball - heel) for s in (0.2, 0.4, 0.6, 0.8)]
    return np.concatenate([points, np.stack([*rear, 0.5 * (ball + tip)], axis=1)], axis=1)


def _least_lifts(shapes: Float[np.ndarray, "n lifts"], short: Times) -> Float[np.ndarray, "lifts"] | None:
    """The smallest sum of lifts with shapes @ lifts >= short: a small linear program; None where it fails."""
    from scipy.optimize import linprog

    # at the very ends no bump can help, and none is needed: the foot still stands there
    useful = shapes.max(axis=1) > 1e-4
    cost = shapes.mean(axis=0) + 0.05
    found = linprog(cost, A_ub=-shapes[useful], b_ub=-short[useful], bounds=(0.0, 2.0), method="highs")
    return found.x if found.success else None
