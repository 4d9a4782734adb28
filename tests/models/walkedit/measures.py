"""An edited walk measured beside what was asked, from its joints, its contacts and its ground alone.

Nothing here looks at how the motion was made: plants come from `detect_plants`, soles from `sole_places`, the
ground from `EditedWalk.ground`. On a curve of radius r the arc between two plants is r times the angle between
them about the curve's centre, so that no way along a curve is taken from the code that laid it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from jaxtyping import Float

import footfall as ff
from footfall.figure.contacts import runs_of
from footfall.figure.soles import sole_places
from footfall.models.walkedit.model import EditedWalk

DENSE = 960.0  # Hz: half a frame, by which mid-swing is uncertain, is half a millisecond
BETWEEN = np.linspace(0.0, 1.0, 9)[1:-1]  # places between two points of a sole
AROUND = 0.005  # s before and after a strike that belong to the seam
LOOK_DOWN = 0.3  # m over a point from where its ground is looked for

LENGTH, LIFT, RISE, SLIDE = 0.001, 0.001, 0.001, 0.001  # m: what the bars allow
PENETRATION = 0.002  # m
EXTENSION = 0.995  # of a leg's length, or what the clip has
RATIO = 2.0  # of acceleration, where steps are no quicker than captured
CADENCE = 1.005  # of the captured: quicker than this is quicker
SAME = 0.005  # m: mean joint distance from the capture where nothing is asked


@dataclass(frozen=True)
class Case:
    """One walk to ask for: a group of the grid and the parameters; angles in radians."""

    group: str
    asked: Mapping[str, object]

    @property
    def text(self) -> str:
        return " ".join(f"{name}={_plain(value)}" for name, value in self.asked.items())


def _plain(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value).replace(" ", "")


@dataclass(frozen=True)
class Figures:
    """What one motion came to; lengths in metres, errors the largest over all of its steps. None: not asked."""

    steps: int
    length: float  # error
    rise: float  # error
    lift: float | None  # error at mid-swing, four sole points
    lift_own: float | None  # the same at the motion's own rate, where mid-swing is known to half a frame
    lift_unsure: float | None  # what half a frame of the dense motion costs: the sole's rate times that
    lift_between: float | None  # error where points between the four count as well
    slide: float
    penetration: float
    penetration_dense: float
    extension: float
    extension_clip: float
    ratio: float  # of acceleration
    cadence: float  # of the captured
    speed: float | None  # error, as a share
    seam_jump: float  # m/s: largest change of a joint's velocity between dense frames, around strikes
    other_jump: float  # anywhere else
    seam_move: float  # m: largest move of a joint between dense frames, around strikes
    other_move: float
    clamped: tuple[str, ...] = field(default=())

    @cached_property
    def missed(self) -> tuple[str, ...]:
        """Bars that are not met, with their values."""
        most = max(EXTENSION, self.extension_clip) + 1e-6
        rows = (
            ("step length", self.length, LENGTH, 1e3, "mm"),
            ("rise", self.rise, RISE, 1e3, "mm"),
            ("lift", self.lift or 0.0, LIFT, 1e3, "mm"),
            ("slide", self.slide, SLIDE, 1e3, "mm"),
            ("penetration", self.penetration, PENETRATION, 1e3, "mm"),
            ("penetration between frames and points", self.penetration_dense, PENETRATION, 1e3, "mm"),
            ("leg extension", self.extension, most, 1.0, ""),
            ("acceleration ratio", self.ratio if self.cadence <= CADENCE else 0.0, RATIO, 1.0, ""),
        )
        out = [f"{name} {scale * value:.4g} {unit}".strip() for name, value, bar, scale, unit in rows if value >= bar]
        return (*out, *(f"clamped: {text}" for text in self.clamped))


def measured(edit: ff.WalkEdit, case: Case, steps: int = 8) -> Figures:
    """One motion of the case at its own rate and one at `DENSE`, measured."""
    walk = edit.synthesize(steps=steps, **case.asked)  # type: ignore[arg-type]
    dense = edit.synthesize(steps=steps, fps=DENSE, **case.asked)  # type: ignore[arg-type]
    written = walk.certificate()
    length, rise = _step_errors(edit, walk, case.asked)
    lift = case.asked.get("lift")
    clearance, rate, between = _clearances(dense)
    own = _clearances(walk)[0]
    cadence, speed = _pace(edit, dense, case.asked)
    seams = _seams(dense)
    assert written.slide_max_m is not None
    assert written.penetration_max_m is not None
    assert written.leg_extension_max is not None
    assert written.leg_extension_examples is not None
    assert written.acceleration_ratio is not None
    return Figures(
        steps=written.plants - 1,
        length=length,
        rise=rise,
        lift=_off(clearance, lift),
        lift_own=_off(own, lift),
        lift_unsure=None if lift is None else float(np.abs(rate).max() * 0.5 / DENSE),
        lift_between=_off(between, lift),
        slide=written.slide_max_m,
        penetration=written.penetration_max_m,
        penetration_dense=_depth(dense),
        extension=written.leg_extension_max,
        extension_clip=written.leg_extension_examples,
        ratio=written.acceleration_ratio,
        cadence=cadence,
        speed=speed,
        seam_jump=seams[0],
        other_jump=seams[1],
        seam_move=seams[2],
        other_move=seams[3],
        clamped=walk.clamped,
    )


def _off(values: Float[np.ndarray, "n"], asked: object) -> float | None:
    return None if asked is None else float(np.abs(values - asked).max())  # type: ignore[operator]


def _step_errors(edit: ff.WalkEdit, walk: EditedWalk, asked: Mapping[str, object]) -> tuple[float, float]:
    """How far step lengths and rises are from what was asked, at worst."""
    plants = _plants(walk)
    feet = [p.foot for p in plants]
    assert all(a != b for a, b in zip(feet, feet[1:], strict=False)), "feet must take turns"
    places = np.array([p.position for p in plants])
    advance, rise = np.diff(_along(places, asked.get("curve"))), np.diff(places[:, 1])
    wanted = np.array([_wanted(edit, foot, asked) for foot in feet[1:]])
    if "stairs" in asked:
        length = advance  # a tread is measured on the level
        wanted_length = wanted[:, 0]
    else:
        length, wanted_length = np.hypot(advance, rise), np.hypot(wanted[:, 0], wanted[:, 1])
    return float(np.abs(length - wanted_length).max()), float(np.abs(rise - wanted[:, 1]).max())


def _wanted(edit: ff.WalkEdit, foot: str, asked: Mapping[str, object]) -> tuple[float, float]:
    """Advance on the ground plan and rise of a step, from the definitions of the parameters."""
    if "stairs" in asked:
        riser, tread = asked["stairs"]  # type: ignore[misc]
        return float(tread), float(riser)
    length = edit.cycle.step_lengths[0 if foot == "left" else 1]
    if "step_length" in asked:
        length = float(asked["step_length"])  # type: ignore[arg-type]
    elif "speed" in asked:
        length = edit.step_length * np.sqrt(float(asked["speed"]) / edit.speed)  # type: ignore[arg-type]
    slope = float(asked.get("slope", 0.0))  # type: ignore[arg-type]
    return length * np.cos(slope), length * np.sin(slope)


def _along(places: Float[np.ndarray, "n 3"], curve: object) -> Float[np.ndarray, "n"]:
    """How far along the way places are: along +Z, or around a centre to the left of the origin."""
    if not curve:
        return places[:, 2]
    radius = 1.0 / float(curve)  # type: ignore[arg-type]
    # the way is at angle s / r about (r, 0), seen from the origin's side
    angle = np.unwrap(np.arctan2(places[:, 2], radius - places[:, 0])) if radius > 0 else -np.unwrap(
        np.arctan2(places[:, 2], places[:, 0] - radius)
    )
    return radius * angle


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
    return [(end - 1, start) for (_, end), (start, _) in zip(stances, stances[1:], strict=False)]


def _clearances(walk: EditedWalk) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of each swing at its middle: the lowest sole point over the ground, how fast that changes [m/s], and
    the lowest of the points between them as well.

    The middle lies halfway between the last frame with contact and the next with contact; as contact ends and
    begins between frames, it is known to half a frame either way.
    """
    rows = []
    for side in walk.skeleton.sides:
        soles = sole_places(walk, side)
        lowest, between = _over(walk, soles).min(axis=-1), _over(walk, _dense_soles(soles)).min(axis=-1)
        for last, first in _swings(walk, side):
            middle = 0.5 * (last + first)
            at = [np.interp(middle, np.arange(len(walk)), values) for values in (lowest, between)]
            i = int(middle)
            rows.append((at[0], (lowest[i + 1] - lowest[i - 1]) * 0.5 * walk.fps, at[1]))
    clearance, rate, also = np.array(rows).T
    return clearance, rate, also


def _dense_soles(soles: Float[np.ndarray, "n 4 3"]) -> Float[np.ndarray, "n points 3"]:
    """The four points and places between heel and ball, and between ball and tip."""
    heel, _, ball, tip = (soles[:, i : i + 1] for i in range(4))
    share = BETWEEN[:, None]
    return np.concatenate([soles, heel + share * (ball - heel), ball + share * (tip - ball)], axis=1)


def _depth(walk: EditedWalk) -> float:
    """The deepest place of a swinging foot under the ground."""
    worst = 0.0
    for side in walk.skeleton.sides:
        over = _over(walk, _dense_soles(sole_places(walk, side))).min(axis=-1)
        for last, first in _swings(walk, side):
            worst = max(worst, float(-over[last + 1 : first].min(initial=0.0)))
    return worst


def _pace(edit: ff.WalkEdit, walk: EditedWalk, asked: Mapping[str, object]) -> tuple[float, float | None]:
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
    return cadence, abs(float(along / seconds / asked["speed"]) - 1.0)  # type: ignore[operator]


def _seams(walk: ff.Motion) -> tuple[float, float, float, float]:
    """Largest changes of velocity [m/s] and moves [m] of a joint in a frame: around strikes, elsewhere."""
    moves = np.linalg.norm(np.diff(walk.positions, axis=0), axis=-1).max(axis=-1)
    jumps = np.linalg.norm(np.diff(walk.positions, n=2, axis=0), axis=-1).max(axis=-1) * walk.fps
    frames = np.arange(len(walk))
    strikes = np.array([p.start for p in _plants(walk) if p.start > 0])
    near = (np.abs(frames[:, None] - strikes) <= AROUND * walk.fps).any(axis=-1)
    return (
        float(jumps[near[1:-1]].max()),
        float(jumps[~near[1:-1]].max()),
        float(moves[near[1:]].max()),
        float(moves[~near[1:]].max()),
    )


def captured_distance(edit: ff.WalkEdit) -> tuple[float, float]:
    """Mean joint distance, m, between a walk of which nothing is asked and the cleaned capture.

    Over the chosen cycle, from the left foot's strike to its next, and over all of its strikes. Moments are
    matched through the strikes; one shift on the ground plan lays one over the other.
    """
    captured, ((a, b), (c, d)) = edit.cycle.captured, edit.cycle.strides
    events = sorted([(a, "left"), (b, "left"), (c, "right"), (d, "right")])
    walk = edit.synthesize(steps=12, fps=DENSE)
    strikes = [p for p in _plants(walk) if p.start > 0]
    first = next(i for i in range(2, len(strikes)) if strikes[i].foot == events[0][1])
    found = strikes[first : first + 4]
    assert [p.foot for p in found] == [foot for _, foot in events]

    def apart(start: int, end: int) -> float:
        frames = np.arange(start, end + 1)
        at = np.interp(frames, [frame for frame, _ in events], [p.start for p in found])
        i = np.minimum(at.astype(int), len(walk) - 2)
        share = (at - i)[:, None, None]
        ours = (1.0 - share) * walk.positions[i] + share * walk.positions[i + 1]
        away = ours - captured.positions[frames]
        away = away - away.mean(axis=(0, 1)) * np.array([1.0, 0.0, 1.0])
        return float(np.linalg.norm(away, axis=-1).mean())

    return apart(a, b), apart(events[0][0], events[-1][0])
