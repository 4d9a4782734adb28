"""Waiting on both feet: the weight goes from foot to foot, the chest breathes, the head looks about.

Every track is a smooth function of time, drawn by a seed and sampled at any rate: steps of minimum jerk at
drawn moments, and slow sways that are sums of a few waves. The feet do not move at all.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.actor.gait.legs import highest_hips
from footfall.actor.gait.stance import Times
from footfall.actor.hand_poses import blended_hand
from footfall.actor.performed import performed
from footfall.actor.reach.bearing import (
    ARM,
    BODY,
    COUNT,
    ELBOW,
    GIRDLE,
    HIPS,
    SHIFT,
    SPINE,
    SWING,
    Bearing,
    Rows,
)
from footfall.actor.reach.gaze import NECK_SHARE
from footfall.actor.reach.station import Station, standing
from footfall.actor.seeded import seeded
from footfall.actor.style import Style
from footfall.errors import RequestError
from footfall.figure.example import Example
from footfall.figure.motion import checked_rate
from footfall.figure.roles import SIDES
from footfall.figure.skeleton import Skeleton
from footfall.geometry import easing
from footfall.geometry import quaternion as quat
from footfall.geometry.ground import UP

LONGEST = 3600.0  # s
STREAM = 5  # of a seed's random numbers
STRETCH = 0.990  # of a leg
SHIFTS = (0.023, 0.046)  # of leg length: the weight to one side, 2 to 4 cm
SHIFT_EVERY, SHIFT_LASTS = (2.0, 4.0), (0.9, 1.4)  # s
LIST = 1.3  # rad of the pelvis a leg length of shift: the hip without load sinks ...
UPRIGHT = 0.9  # ... and the spine makes up for so much of it
TURN = 0.7  # rad of the pelvis a leg length of shift: it turns towards the leg that stands
TURNING = np.radians(1.5)
LOOKS = (np.radians(5.0), np.radians(14.0))  # to one side
LOOK_EVERY, LOOK_LASTS = (1.8, 4.5), (0.4, 0.8)  # s
NOD, EYES = np.radians(3.5), 0.3
BREATH = 3.8  # s
CHEST_BREATHES, SHOULDERS_BREATHE = np.radians(0.9), np.radians(1.4)
SWAY = 0.009  # of leg length
SWAY_RATES, WAVES = (0.08, 0.45), 4  # Hz
ARMS_SWING = np.radians(2.0)
OPEN_HANDS = 0.1  # of the open pose in a relaxed hand


def idle(
    skeleton: Skeleton, style: Style, *, seconds: float = 10.0, fps: float = 60.0, seed: int = 0
) -> Example:
    """Quiet standing for some seconds. Keytimes: the middles of the shifts of weight."""
    rate = checked_rate(fps)
    if not (isinstance(seconds, (int, float)) and 0.0 < seconds <= LONGEST):
        raise RequestError(f"one can wait for 0 to {LONGEST:g} s, not {seconds}")
    times = np.arange(round(seconds * rate) + 1) / rate
    random = seeded(seed, STREAM)
    station = standing(skeleton, style)
    shifts = Steps.drawn(random, seconds, SHIFT_EVERY, SHIFT_LASTS, SHIFTS)
    looks = Steps.drawn(random, seconds, LOOK_EVERY, LOOK_LASTS, LOOKS)
    rows = _rows(station, style.sway * shifts.at(times), times, random)
    bearing = Bearing(station)
    turns = bearing.rotations(rows) | _head(station, looks.at(times), times, random)
    root = _within_reach(station, bearing.bodies(rows).root, turns["hips"])
    for side in SIDES:
        opened = OPEN_HANDS * (1.0 + 0.5 * _sway(random, times))
        turns |= blended_hand(skeleton, side, {"relaxed": 1.0 - opened, "open": opened})
    middles = shifts.starts + 0.5 * shifts.spans
    return performed(
        station.motion(root, turns, rate),
        tuple(middles[middles < times[-1]]),
        {"seconds": seconds, "seed": float(seed)},
        "idle",
    )


@dataclass(frozen=True, eq=False)
class Steps:
    """A value that changes now and then, from side to side, with minimum jerk."""

    first: float
    starts: Times
    spans: Times
    changes: Times

    @classmethod
    def drawn(
        cls,
        random: np.random.Generator,
        seconds: float,
        every: tuple[float, float],
        lasts: tuple[float, float],
        size: tuple[float, float],
    ) -> Steps:
        # as many as are needed at the most, so that a longer wait begins like a shorter one
        count = int(seconds / every[0]) + 2
        draws = random.uniform(size=(int(LONGEST / every[0]) + 2, 3))[: count + 1]
        gaps, spans, sizes = (
            low + draws[:, i] * (high - low) for i, (low, high) in enumerate((every, lasts, size))
        )
        side = 1.0 if random.uniform() < 0.5 else -1.0
        values = side * sizes * (-1.0) ** np.arange(len(sizes))
        starts = np.cumsum(gaps)[:-1] - 0.5 * every[0]
        return cls(float(values[0]), starts, spans[1:], np.diff(values))

    def at(self, times: Times) -> Times:
        out = np.full(len(times), self.first)
        for start, span, change in zip(self.starts, self.spans, self.changes, strict=True):
            out += change * easing.smoother((times - start) / span)
        return out


def _sway(random: np.random.Generator, times: Times) -> Times:
    """A slow sway, within -1 and 1."""
    rates = random.uniform(*SWAY_RATES, size=WAVES)
    phases = random.uniform(0.0, 2.0 * np.pi, size=WAVES)
    return np.sin(2.0 * np.pi * rates * times[:, None] + phases).mean(axis=-1)


def _breath(random: np.random.Generator, times: Times) -> Times:
    """-1 out, 1 in; never quite even, and in faster than out."""
    phase = 2.0 * np.pi * times / BREATH + random.uniform(0.0, 2.0 * np.pi) + 0.8 * _sway(random, times)
    return np.sin(phase + 0.3 * np.sin(phase))


def _rows(station: Station, shift: Times, times: Times, random: np.random.Generator) -> Rows:
    """The numbers of a bearing, frame by frame; `shift` in leg lengths."""
    rows = np.zeros((len(times), COUNT))
    aside, ahead, about, arms = (_sway(random, times) for _ in range(4))
    breath = _breath(random, times)
    listing, turning = LIST * shift, TURN * shift + TURNING * about
    lean = -SWAY * ahead  # hips that come forwards leave the trunk where it is
    rows[:, SHIFT] = station.leg * np.stack([shift + SWAY * aside, 0.0 * shift, SWAY * ahead], axis=-1)
    rows[:, HIPS] = np.stack([lean, turning, listing], axis=-1)
    rows[:, SPINE] = np.stack(
        [-0.5 * lean - CHEST_BREATHES * breath, -0.7 * turning, -UPRIGHT * listing], axis=-1
    )
    for i, side in enumerate((1.0, -1.0)):
        arm = rows[:, BODY + ARM * i : BODY + ARM * (i + 1)]
        own = _sway(random, times)
        arm[:, GIRDLE.stop - 1] = SHOULDERS_BREATHE * breath
        # arms hang: they make up for the list of the trunk, not quite
        arm[:, SWING] = ARMS_SWING * np.stack([arms + own, 0.5 * (breath + own)], axis=-1)
        arm[:, SWING.stop - 1] -= 0.4 * side * (1.0 - UPRIGHT) * listing
        arm[:, ELBOW] = ARMS_SWING * (1.0 + own)
    return rows


def _head(
    station: Station, look: Times, times: Times, random: np.random.Generator
) -> dict[str, Float[np.ndarray, "n 4"]]:
    """The head looks to one side and the other, and nods a little; the eyes go a little farther."""
    moved = np.stack([NOD * _sway(random, times), look, 0.5 * NOD * _sway(random, times)], axis=-1)
    out = {
        "neck": quat.exp(station.turn("neck") + NECK_SHARE * moved),
        "head": quat.exp(station.turn("head") + (1.0 - NECK_SHARE) * moved),
    }
    for role in (f"{side}_eye" for side in SIDES):
        if station.skeleton.has(role):
            out[role] = quat.exp(EYES * moved * [1.0, 1.0, 0.0])
    return out


def _within_reach(
    station: Station, root: Float[np.ndarray, "n 3"], hips: Float[np.ndarray, "n 4"]
) -> Float[np.ndarray, "n 3"]:
    """Lower all the time by as much as keeps the legs from being too straight at any."""
    feet = {side: station.foot(side, len(root)) for side in SIDES}
    over = root[:, 1] - highest_hips(station.skeleton, root, hips, feet, np.full(len(root), STRETCH))
    return root - max(float(over.max()), 0.0) * UP
