"""From stances to a motion: feet first and exactly, then the body that balances over them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from jaxtyping import Float

from footfall.actor.curves import POSTURE
from footfall.actor.gait.balance import carried, flights, heights, support
from footfall.actor.gait.carriage import Carriage, carriage, trunk_lean
from footfall.actor.gait.guide import DENSE, Guide, calm, dense_times, guide
from footfall.actor.gait.legs import flat_bend, highest_hips, hip_places, solve_leg
from footfall.actor.gait.roll import landed, lifted, rolled
from footfall.actor.gait.stance import Sole, Stance, Times
from footfall.actor.gait.swing import FootPath, Ground, Swing, SwingShape
from footfall.actor.hand_poses import hand_pose
from footfall.actor.style import Style
from footfall.figure.contacts import SIDE_INDEX, Contacts
from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import MARGIN, nearest_cell

STRETCH = (0.978, 0.992)  # of a leg: nobody is on straighter ones, in a slow step and in a brisk walk
OUTWARDS = 0.03  # m: how far outside the subtalar a passing foot presses
YIELDING = 0.05  # s: how softly the hips give way where a leg would be too straight
YIELDS = 3  # times
SIDES = ("left", "right")


Overlay = Callable[[Times, Float[np.ndarray, "n roles 3"]], Float[np.ndarray, "n roles 3"]]


@dataclass(frozen=True, eq=False)
class Score:
    """What is to be performed: stances in time, and how each swing is shaped."""

    stances: tuple[Stance, ...]
    start: float
    end: float
    shapes: Mapping[int, SwingShape]  # by the place in `stances` of the stance in which a swing ends
    height: Ground  # of the ground
    leaving: float = 0.0  # m: the hips over their base where a flight begins,
    landing: float = 0.0  # and where it ends
    overlay: Overlay | None = None  # what changes the posture that the pace gives


def perform(score: Score, skeleton: Skeleton, style: Style, fps: float) -> Motion:
    """The motion of a figure that takes these stances; its contacts are the stances' own."""
    stage = _Stage(score, skeleton, style)
    times = score.start + np.arange(int(nearest_cell((score.end - score.start) * fps, 1.0)) + 1) / fps
    return stage.motion(times, fps)


def _span(score: Score) -> Times:
    """Dense times that cover the performance and whatever stands before and after it."""
    strikes = [s.strike for s in score.stances if np.isfinite(s.strike)]
    offs = [s.off for s in score.stances if np.isfinite(s.off)]
    return dense_times(min([score.start, *strikes]) - 0.5, max([score.end, *offs]) + 0.5)


class _Stage:
    """One performance, worked out at the dense rate and sampled at any other."""

    def __init__(self, score: Score, skeleton: Skeleton, style: Style) -> None:
        self.skeleton, self.score = skeleton, score
        self.soles = {side: Sole.of(skeleton, side) for side in SIDES}
        self.times = _span(score)
        tracks = guide(score.stances, self.times)
        posture = carriage(tracks, style)
        self.turns, self.facing = posture.turns, tracks.heading
        self.stretch = STRETCH[0] + (STRETCH[1] - STRETCH[0]) * posture.straight
        if score.overlay is not None:
            self.turns = score.overlay(self.times, self.turns)
        root = self._balanced(tracks, posture, style)
        self.stances = score.stances
        # heels rise as the hips need it, and the hips sink as the heels leave them room: twice settles it
        self.root = root
        for final in (False, True):
            self.stances = self._rolled(self.root)
            self.swings = {side: self._swings(side, root, clear=final) for side in SIDES}
            self.root = self._within_reach(root, {side: self.foot(side, self.times) for side in SIDES})

    def _rolled(self, root: Float[np.ndarray, "n 3"]) -> tuple[Stance, ...]:
        """The stances with their heels raised as legs and ankles need it."""
        hips = self._hips(slice(None))
        starts = {side: hip_places(self.skeleton, side, root, hips) for side in SIDES}
        out = []
        for stance in self.stances:
            hip, sole = starts[stance.foot], self.soles[stance.foot]
            leg = self.skeleton.leg_length(stance.foot)
            at = np.array([np.interp(stance.off, self.times, column) for column in hip.T])
            stance = rolled(stance, sole, at, leg)
            near = (self.times >= stance.strike) & (self.times <= stance.off)
            bend = flat_bend(stance, sole, hip[near], self.skeleton)
            stance = landed(stance, float(bend[0])) if near.any() else stance
            out.append(lifted(stance, self.times[near], bend))
        return tuple(out)

    def _swings(
        self, side: str, root: Float[np.ndarray, "n 3"], *, clear: bool
    ) -> list[tuple[Swing, Float[np.ndarray, "lifts"] | None]]:
        """The swings of one foot, with the lifts that clear the ground where that is asked for."""
        own = [(i, s) for i, s in enumerate(self.stances) if s.foot == side]
        own.sort(key=lambda pair: pair[1].strike)
        hip = hip_places(self.skeleton, side, root, self._hips(slice(None)))
        reach = STRETCH[1] * self.skeleton.leg_length(side)

        def lowest(times: Times, ankle: Float[np.ndarray, "n 3"]) -> Times:
            at = np.stack([np.interp(times, self.times, column) for column in hip.T], axis=-1)
            aside = np.hypot(*(ankle - at)[:, [0, 2]].T)
            return at[:, 1] - np.sqrt(np.maximum(reach**2 - aside**2, 1e-4))

        found = []
        for (_, before), (i, after) in pairwise(own):
            swing = Swing(before, after, self.soles[side], self.score.shapes[i])
            found.append((swing, swing.clearing(self.score.height, lowest) if clear else None))
        return found

    def foot(self, side: str, t: Times) -> FootPath:
        """One foot at any times."""
        sole = self.soles[side]
        own = sorted((s for s in self.stances if s.foot == side), key=lambda s: s.strike)
        ankle, turn = np.zeros((len(t), 3)), quat.identity(len(t))
        bend, heading, free = (np.zeros(len(t)) for _ in range(3))
        for i, stance in enumerate(own):
            at = (t >= (stance.strike if i else -np.inf)) & (t < (stance.off if i + 1 < len(own) else np.inf))
            pitch = stance.pitch(np.clip(t[at], stance.strike, stance.off))
            ankle[at], turn[at] = sole.ankle(stance, pitch), stance.turn(pitch)
            bend[at], heading[at] = sole.bend(pitch), stance.heading
        for swing, lifts in self.swings[side]:
            at = (t >= swing.before.off) & (t < swing.after.strike)
            path = swing.path(t[at], lifts)
            ankle[at], turn[at], bend[at], heading[at] = path.ankle, path.turn, path.bend, path.heading
            free[at] = path.free
        return FootPath(ankle, turn, bend, heading, free)

    def _balanced(self, tracks: Guide, posture: Carriage, style: Style) -> Float[np.ndarray, "n 3"]:
        leg = self.skeleton.leg_length()
        pressed = support(self.score.stances, self.soles, self.times, outwards=OUTWARDS * style.sway)
        self.base = tracks.place[:, 1] + leg * posture.height
        height = self._height(np.zeros(len(self.times)))
        # what the pace's own posture leans is in its figures already
        lean = trunk_lean(self.turns) - trunk_lean(posture.turns)
        return carried(self.times, pressed, height, tracks.place, tracks.heading, lean, tracks.stepping)

    def _height(self, lowered: Times) -> Times:
        """The hips' height over a base that is lowered somewhere: in the air they still fall freely."""
        aloft = flights(self.score.stances)
        return heights(self.times, self.base - lowered, aloft, self.score.leaving, self.score.landing)

    def _within_reach(
        self, root: Float[np.ndarray, "n 3"], feet: dict[str, FootPath]
    ) -> Float[np.ndarray, "n 3"]:
        """Lowered, smoothly, where a leg would be too straight."""
        from scipy.ndimage import maximum_filter1d

        highest = highest_hips(self.skeleton, root, self._hips(slice(None)), feet, self.stretch)
        wide = 2 * round(4.0 * YIELDING * DENSE) + 1
        down = np.zeros(len(root))
        # what is taken in one place comes back, a little, in a flight beside it
        for _ in range(YIELDS):
            over = np.maximum(self._height(down) - highest, 0.0)
            down = down + calm(maximum_filter1d(over, wide, mode="nearest"), YIELDING)
        return np.stack([root[:, 0], self._height(down), root[:, 2]], axis=-1)

    def _hips(self, at: slice) -> Float[np.ndarray, "n 4"]:
        turn = quat.exp(self.turns[at, POSTURE.index("hips")])
        return quat.multiply(ground.turn(self.facing[at]), turn)

    def motion(self, times: Times, fps: float) -> Motion:
        from scipy.interpolate import CubicSpline

        skeleton = self.skeleton
        packed = np.concatenate(
            [self.root, self.facing[:, None], self.turns.reshape(len(self.times), -1)], axis=1
        )
        # only the stretch that is asked for, and a little beyond
        near = (self.times >= times[0] - 0.1) & (self.times <= times[-1] + 0.1)
        sampled = CubicSpline(self.times[near], packed[near])(times)
        root, facing = sampled[:, :3], sampled[:, 3]
        turns = quat.exp(sampled[:, 4:].reshape(len(times), len(POSTURE), 3))
        rotations = np.tile(skeleton.rest, (len(times), 1, 1))
        for k, role in enumerate(POSTURE):
            rotations[:, skeleton.index(role)] = turns[:, k]
        rotations[:, 0] = quat.multiply(ground.turn(facing), turns[:, 0])
        for side in SIDES:
            for role, turn in hand_pose(skeleton, side, "relaxed").items():
                rotations[:, skeleton.joint(role)] = turn
        for side in SIDES:
            for role, local in solve_leg(
                skeleton, side, root, rotations[:, 0], self.foot(side, times)
            ).items():
                rotations[:, skeleton.joint(role)] = local
        return Motion(skeleton, root, quat.continuous(rotations), fps, contacts=self.contacts(times))

    def contacts(self, times: Times) -> Contacts:
        heel, toe = (np.zeros((len(times), 2), dtype=bool) for _ in range(2))
        t = times + MARGIN  # a frame at the very instant of an event comes after it
        for stance in self.stances:
            heel[:, SIDE_INDEX[stance.foot]] |= stance.on_heel(t)
            toe[:, SIDE_INDEX[stance.foot]] |= stance.on_toe(t)
        return Contacts(heel, toe)
