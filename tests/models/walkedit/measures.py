"""An edited walk measured beside what was asked, from its joints, its contacts and its ground alone.

Nothing here looks at how the motion was made: plants come from `detect_plants`, soles from `sole_places`, the
ground from `EditedWalk.ground`. On a curve of radius r the arc between two plants is r times the angle that
they are apart about its centre, so that no way along a curve is taken from the code that laid it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from jaxtyping import Float

import footfall as ff
from footfall.figure.contacts import runs_of
from footfall.figure.soles import sole_places
from footfall.models.walkedit.model import EditedWalk

DENSE = 960.0  # Hz: half a frame, by which mid-swing is uncertain, is half a millisecond
BETWEEN = np.linspace(0.0, 1.0, 9)[1:-1]  # places between two points of a sole
PLAN = np.array([1.0, 0.0, 1.0])  # the ground plan
LOOK_DOWN = 0.3  # m over a point from where its ground is looked for

LENGTH, LIFT, RISE, SLIDE = 0.001, 0.001, 0.001, 0.001  # m: what the bars allow
PENETRATION = 0.002  # m
EXTENSION = 0.995  # of a leg's length, or what the clip has
RATIO = 2.0  # of acceleration, where steps are no quicker than captured
CADENCE = 1.005  # of the captured: quicker than this is quicker
JUMP = 0.0005  # m: what no joint jumps at a strike, where cycles meet; less cannot be told from a quick knee
KINK = 1.0  # of the largest change of velocity from frame to frame in the capture, joint by joint
STILL = 0.02  # m/s: joints that change less in the capture are compared with this
SAME = 0.005  # m: mean joint distance from the capture where nothing is asked

Asked = Mapping[str, Any]  # parameters of `WalkEdit.synthesize` by name


@dataclass(frozen=True)
class Case:
    """One walk to ask for: a group of the grid and the parameters; angles in radians."""

    group: str
    asked: Asked

    @property
    def text(self) -> str:
        return " ".join(f"{name}={_plain(value)}" for name, value in self.asked.items())


def _plain(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value).replace(" ", "")


@dataclass(frozen=True)
class Figures:
    """What one motion came to; metres; errors are the largest over all of its steps. None: not asked."""

    lost: int  # plants that should be there and are not
    length: float  # error
    rise: float  # error
    lift: float | None  # error at mid-swing, four sole points
    lift_own: float | None  # the same at the motion's own rate, where mid-swing is known to half a frame
    lift_unsure: float | None  # what half a frame of the dense motion costs: the sole's rate times that
    lift_whole: float | None  # error where points between the four count as well
    slide: float
    penetration: float
    penetration_dense: float
    extension: float
    extension_clip: float
    ratio: float  # of acceleration
    cadence: float  # of the captured
    speed: float | None  # error, as a share
    jump: float  # m: of a joint's place at a strike, where cycles meet
    jump_elsewhere: float  # the same measure where nothing meets
    kink: float  # change of a joint's velocity at a strike, over its largest between frames of the capture
    kink_elsewhere: float
    clamped: tuple[str, ...] = field(default=())

    @property
    def missed(self) -> tuple[str, ...]:
        """Bars that are not met, with their values."""
        return tuple(f"{name} {text}" for name, _, text in self.missed_bars)

    @cached_property
    def missed_bars(self) -> tuple[tuple[str, float, str], ...]:
        """Name, value and the value in words of each bar that is not met."""
        most = max(EXTENSION, self.extension_clip) + 1e-6
        rows = (
            ("lost plants", self.lost, 1, 1.0, ""),
            ("step length", self.length, LENGTH, 1e3, "mm"),
            ("rise", self.rise, RISE, 1e3, "mm"),
            ("lift", self.lift or 0.0, LIFT, 1e3, "mm"),
            ("slide", self.slide, SLIDE, 1e3, "mm"),
            ("penetration", self.penetration, PENETRATION, 1e3, "mm"),
            ("penetration of the swing, 960 Hz", self.penetration_dense, PENETRATION, 1e3, "mm"),
            ("leg extension", self.extension, most, 1.0, ""),
            ("jump at a strike", self.jump, JUMP, 1e3, "mm"),
            ("change of velocity at a strike", self.kink, KINK, 1.0, "of the capture's"),
            ("acceleration ratio", self.ratio if self.cadence <= CADENCE else 0.0, RATIO, 1.0, ""),
        )
        out = [
            (name, float(value), f"{scale * value:.4g} {unit}".strip())
            for name, value, bar, scale, unit in rows
            if not value < bar  # what is not a number is missed too
        ]
        return (*out, *(("clamped", 0.0, text) for text in self.clamped))


def measured(edit: ff.WalkEdit, case: Case, steps: int = 8) -> Figures:
    """One motion of the case at its own rate and one at `DENSE`, measured."""
    walk = edit.synthesize(steps=steps, **case.asked)
    dense = edit.synthesize(steps=steps, fps=DENSE, **case.asked)
    written = walk.certificate()
    length, rise = _step_errors(edit, walk, case.asked)
    lift = case.asked.get("lift")
    swings = _mid_swings(dense)
    cadence, speed = _pace(edit, dense, case.asked)
    jump, jump_elsewhere, kink, kink_elsewhere = _seams(dense, edit.cycle.captured)
    assert written.slide_max_m is not None
    assert written.penetration_max_m is not None
    assert written.leg_extension_max is not None
    assert written.leg_extension_examples is not None
    assert written.acceleration_ratio is not None
    return Figures(
        lost=abs(steps + 2 - written.plants),
        length=length,
        rise=rise,
        lift=swings.error(lift),
        lift_own=_mid_swings(walk).error(lift),
        lift_unsure=None if lift is None else float(swings.rate.max() * 0.5 / DENSE),
        lift_whole=swings.error(lift, whole=True),
        slide=written.slide_max_m,
        penetration=written.penetration_max_m,
        penetration_dense=_depth(dense),
        extension=written.leg_extension_max,
        extension_clip=written.leg_extension_examples,
        ratio=written.acceleration_ratio,
        cadence=cadence,
        speed=speed,
        jump=jump,
        jump_elsewhere=jump_elsewhere,
        kink=kink,
        kink_elsewhere=kink_elsewhere,
        clamped=walk.clamped,
    )


def _step_errors(edit: ff.WalkEdit, walk: EditedWalk, asked: Asked) -> tuple[float, float]:
    """How far step lengths and rises are from what was asked, at worst."""
    plants = _plants(walk)
    feet = [p.foot for p in plants]
    assert all(a != b for a, b in pairwise(feet)), "feet must take turns"
    places = np.array([p.position for p in plants])
    advance, rise = np.diff(_along(places, asked.get("curve"))), np.diff(places[:, 1])
    wanted = np.array([_wanted(edit, foot, asked) for foot in feet[1:]])
    if "stairs" in asked:
        length = advance  # a tread is measured on the level
        wanted_length = wanted[:, 0]
    else:
        length, wanted_length = np.hypot(advance, rise), np.hypot(wanted[:, 0], wanted[:, 1])
    return float(np.abs(length - wanted_length).max()), float(np.abs(rise - wanted[:, 1]).max())


def _wanted(edit: ff.WalkEdit, foot: str, asked: Asked) -> tuple[float, float]:
    """Advance on the ground plan and rise of a step, from the definitions of the parameters."""
    if "stairs" in asked:
        riser, tread = asked["stairs"]
        return tread, riser
    length = edit.cycle.step_lengths[0 if foot == "left" else 1]
    if "step_length" in asked:
        length = asked["step_length"]
    elif "speed" in asked:
        length = edit.step_length * np.sqrt(asked["speed"] / edit.speed)
    slope = asked.get("slope", 0.0)
    return length * np.cos(slope), length * np.sin(slope)


def _along(places: Float[np.ndarray, "n 3"], curve: float | None) -> Float[np.ndarray, "n"]:
    """How far along the way places are: along +Z, or around a centre to the left of the origin."""
    if not curve:
        return places[:, 2]
    radius, side = 1.0 / abs(curve), np.sign(curve)
    # the centre lies at (side r, 0); from there the origin is at angle 0
    return radius * np.unwrap(np.arctan2(places[:, 2], radius - side * places[:, 0]))


def _plants(walk: ff.Motion) -> tuple[ff.Plant, ...]:
    assert walk.contacts is not None
    return ff.detect_plants(walk, walk.contacts)


def _over(walk: EditedWalk, points: Float[np.ndarray, "n points 3"]) -> Float[np.ndarray, "n points"]:
    assert walk.ground is not None
    x, y, z = np.moveaxis(points, -1, 0)
    return y - walk.ground.height(x, z, y + LOOK_DOWN)


def _swings(walk: ff.Motion, side: str) -> list[tuple[int, int]]:
    """Last frame of a stance and first of the next."""
    assert walk.contacts is not None
    stances = runs_of(walk.contacts.stands(side))
    return [(end - 1, start) for (_, end), (start, _) in pairwise(stances)]


@dataclass(frozen=True, eq=False)
class _MidSwings:
    """Each swing at its middle: halfway between the last frame with contact and the next with contact.

    Contact ends and begins between frames, so the middle is known to half a frame either way. Where it lies
    between two frames both are kept: an edge may pass under a point just then.
    """

    clearance: Float[np.ndarray, "swings 2"]  # m: of the lowest of the four sole points
    whole: Float[np.ndarray, "swings 2"]  # of the points between them as well
    rate: Float[np.ndarray, "swings"]  # m/s: how fast the clearance of the lowest point changes

    def error(self, asked: float | None, whole: bool = False) -> float | None:
        """The largest over swings of how far the clearance is from what was asked."""
        if asked is None:
            return None
        off = np.abs((self.whole if whole else self.clearance) - asked)
        return float(off.min(axis=1).max())


def _mid_swings(walk: EditedWalk) -> _MidSwings:
    clearance, whole, rate = [], [], []
    for side in walk.skeleton.sides:
        soles = sole_places(walk, side)
        for last, first in _swings(walk, side):
            middle = [(last + first) // 2, (last + first + 1) // 2]
            over = _over(walk, soles[middle])
            clearance.append(over.min(axis=-1))
            whole.append(_over(walk, _dense_soles(soles[middle])).min(axis=-1))
            lowest = int(over[0].argmin())
            around = _over(walk, soles[middle[0] - 1 : middle[0] + 2, lowest : lowest + 1])[:, 0]
            rate.append(np.abs(np.diff(around)).min() * walk.fps)  # the larger may be an edge
    return _MidSwings(np.array(clearance), np.array(whole), np.array(rate))


def _dense_soles(soles: Float[np.ndarray, "n 4 3"]) -> Float[np.ndarray, "n points 3"]:
    """The four points and places between heel and ball, and between ball and tip."""
    heel, _, ball, tip = (soles[:, i : i + 1] for i in range(4))
    share = BETWEEN[:, None]
    return np.concatenate([soles, heel + share * (ball - heel), ball + share * (tip - ball)], axis=1)


def _depth(walk: EditedWalk) -> float:
    """The deepest place of a swinging foot under the ground."""
    worst = 0.0
    for side in walk.skeleton.sides:
        soles = sole_places(walk, side)
        for last, first in _swings(walk, side):
            over = _over(walk, _dense_soles(soles[last + 1 : first]))
            worst = max(worst, float(-over.min(initial=0.0)))
    return worst


def _pace(edit: ff.WalkEdit, walk: EditedWalk, asked: Asked) -> tuple[float, float | None]:
    """Cadence over the captured one, and by what share the speed along the ground is off."""
    strikes = [p for p in _plants(walk) if p.start > 0]
    whole = strikes[: len(strikes) - (len(strikes) + 1) % 2]  # from one foot's strike to the same foot's
    seconds = (whole[-1].start - whole[0].start) / walk.fps
    cadence = (len(whole) - 1) / seconds * edit.cycle.step_seconds
    if "speed" not in asked:
        return cadence, None
    places = np.array([p.position for p in whole])
    advance, rise = np.diff(_along(places, asked.get("curve"))), np.diff(places[:, 1])
    along = advance.sum() if "stairs" in asked else np.hypot(advance, rise).sum()
    return cadence, abs(float(along / seconds / asked["speed"]) - 1.0)


def _seams(walk: ff.Motion, example: ff.Motion) -> tuple[float, float, float, float]:
    """Largest jump of a joint at strikes [m] and elsewhere; largest change of velocity in the same order.

    A jump is what a joint moves in the interval before a strike over the mean of the intervals beside it,
    less what a change of velocity within it explains. A change of velocity is from the interval before to the
    one after, over the largest from frame to frame that the same joint has in the capture (and as many times
    that as the walk is faster).
    """
    moves = np.diff(walk.positions, axis=0)
    changes = np.linalg.norm(moves[2:] - moves[:-2], axis=-1)
    jumps = np.linalg.norm(moves[1:-1] - 0.5 * (moves[:-2] + moves[2:]), axis=-1) - 0.5 * changes
    captured = np.linalg.norm(np.diff(example.positions, n=2, axis=0), axis=-1).max(axis=0) * example.fps
    captured = np.maximum(captured, STILL) * max(1.0, _speed(walk) / _speed(example))
    kinks = changes * walk.fps / captured
    # entry k is about the interval from frame k + 1 to k + 2; a strike's is the one that ends in it
    strikes = np.array([p.start - 2 for p in _plants(walk) if 3 < p.start < len(walk) - 3])
    away = (np.abs(np.arange(len(jumps))[:, None] - strikes) > 3).all(axis=-1)
    return (
        float(jumps[strikes].max(initial=0.0)),
        float(jumps[away].max(initial=0.0)),
        float(kinks[strikes].max()),
        float(kinks[away].max()),
    )


def _speed(motion: ff.Motion) -> float:
    """Of the root, m/s."""
    return float(np.linalg.norm(np.diff(motion.root, axis=0), axis=-1).sum() / motion.seconds)


@dataclass(frozen=True)
class Likeness:
    """A walk of which nothing is asked beside the cleaned capture, over the cycle it was made from."""

    distance: float  # m: mean over joints and frames
    largest: float  # m
    without_drift: float  # m: mean, less a steady drift, which no walk that repeats can have
    step_seconds: float  # s: the largest difference between a step's time and the captured one's


def likeness(edit: ff.WalkEdit) -> Likeness:
    """Moments are matched through the strikes; one shift on the ground plan lays one over the other."""
    captured = edit.cycle.captured
    (first, start), (second, middle) = sorted(edit.cycle.strikes.items(), key=lambda pair: pair[1])
    frames = np.array([start, middle, len(captured) - 1])  # the last is the first foot's next strike
    walk = edit.synthesize(steps=12, fps=DENSE)
    strikes = [p for p in _plants(walk) if p.start > 0]
    i = next(k for k in range(2, len(strikes)) if strikes[k].foot == first)
    assert strikes[i + 1].foot == second
    found = np.array([p.start for p in strikes[i : i + 3]])
    at = np.interp(np.arange(start, len(captured)), frames, found)
    k = np.minimum(at.astype(int), len(walk) - 2)
    share = (at - k)[:, None, None]
    away = (1.0 - share) * walk.positions[k] + share * walk.positions[k + 1] - captured.positions[start:]
    away = away - away.mean(axis=(0, 1)) * PLAN
    time = np.linspace(-1.0, 1.0, len(away))
    drift = (time[:, None] * away.mean(axis=1)).sum(axis=0) / (time @ time) * PLAN
    return Likeness(
        distance=_mean_length(away),
        largest=float(np.linalg.norm(away, axis=-1).max()),
        without_drift=_mean_length(away - time[:, None, None] * drift),
        step_seconds=float(np.abs(np.diff(found) / walk.fps - np.diff(frames) / captured.fps).max()),
    )


def _mean_length(vectors: Float[np.ndarray, "*n 3"]) -> float:
    return float(np.linalg.norm(vectors, axis=-1).mean())
