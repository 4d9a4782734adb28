"""When feet stand, found from how fast they move; no floor height is assumed anywhere.

First each foot's motion is cut into plants: stretches in which ankle or toe is slow, with a slowest moment
that is really slow. Then, within a plant, heel and toe are looked at apart. Ground is local: a point stands
near the level at which it rests in its own plant, so stairs, slopes and blocks need no rule of their own.
Thresholds follow the clip: how fast its feet swing, and how much they tremble when they stand.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float

from footfall.analysis.signals import despiked, mended, smoothed_speed
from footfall.figure.contacts import Contacts, runs_of
from footfall.figure.motion import Motion
from footfall.figure.soles import sole_places, toe_places

# Walking figures, then what running feet need; between the two the swing's speed decides
WALK_SWING, RUN_SWING = 4.5, 7.5  # m/s, a foot's 95th percentile of speed
SEGMENT_SHARE = 0.15  # of the swing's speed: slower than this is a plant, where it is ...
SEGMENT_RANGE = (0.6, 1.3)  # m/s, ... within these
SLOWEST = (0.15, 0.70)  # m/s that a plant must dip under, walking and running
SHORTEST = (0.10, 0.05)  # s a plant lasts at least
SMOOTHING = (0.05, 0.025)  # s
TOUCH_SHARE = 0.6  # of the segmenting speed: slower than this a heel or toe touches
GAP = 0.06  # s, shorter gaps are bridged
SAME_PLACE, SAME_TIME = 0.05, 0.2  # m, s: plants of one foot nearer than this are one
LEVEL = 0.030  # of leg length: how far over its resting level a touching point may be
SHORTEST_TOUCH = 0.03  # s
AERIAL_RISE = 0.035  # m: a foot at the top of a jump is higher than before and after; a squat's is not
AERIAL_WINDOW = 0.12  # s
QUITE_STILL = 0.005  # m/s
AT_REST = 0.010  # of leg length: a point this near to where it rests is there
BRAKING = 0.04  # s over which a foot's braking is measured at a contact's edge,
MOST_EARLY = 0.042  # s by which the edge is moved inwards at most
TREMBLE = 3.0  # a standing foot's median speed times this is noise, not motion


@dataclass(frozen=True)
class Thresholds:
    """What a clip's feet call slow. Found by `thresholds_of`; all may be overridden."""

    segment: float  # m/s
    slowest: float  # m/s
    touch: float  # m/s
    shortest: float  # s
    smoothing: float  # s
    tremble: float  # m/s: what is slower is noise


def thresholds_of(swing_speed: float, tremble: float) -> Thresholds:
    """From how fast the feet swing (95th percentile) and how fast they tremble while they stand."""
    run = float(np.clip((swing_speed - WALK_SWING) / (RUN_SWING - WALK_SWING), 0.0, 1.0))
    floor = TREMBLE * tremble
    segment = max(float(np.clip(SEGMENT_SHARE * swing_speed, *SEGMENT_RANGE)), 2.0 * floor)

    def between(pair: tuple[float, float]) -> float:
        return pair[0] + run * (pair[1] - pair[0])

    return Thresholds(
        segment=segment,
        slowest=max(between(SLOWEST), floor),
        touch=max(TOUCH_SHARE * segment, floor),
        shortest=between(SHORTEST),
        smoothing=between(SMOOTHING),
        tremble=floor,
    )


@dataclass(frozen=True, eq=False)
class FootSignals:
    """One foot's places, spikes taken out."""

    ankle: Float[np.ndarray, "frames 3"]
    heel: Float[np.ndarray, "frames 3"]
    toe: Float[np.ndarray, "frames 3"]
    fps: float

    @classmethod
    def of(cls, motion: Motion, side: str) -> FootSignals:
        ankle, heel, toe = (
            despiked(places, motion.fps)
            for places in (
                motion.of(f"{side}_foot"),
                sole_places(motion, side)[:, 0],
                toe_places(motion, side),
            )
        )
        return cls(ankle, heel, toe, motion.fps)

    def slower(self, smoothing: float) -> Float[np.ndarray, "frames"]:
        """The smaller of ankle's and toe's speed."""
        return np.minimum(
            smoothed_speed(self.ankle, self.fps, smoothing), smoothed_speed(self.toe, self.fps, smoothing)
        )


def detect_contacts(motion: Motion, *, thresholds: Thresholds | None = None) -> Contacts:
    """Heel and toe contacts of both feet."""
    heel, toe = (np.zeros((len(motion), 2), dtype=bool) for _ in range(2))
    if len(motion) < 2:
        return Contacts(heel | (len(motion) > 0), toe | (len(motion) > 0))
    feet = _feet(motion)
    limits = thresholds or _clip_thresholds(list(feet.values()))
    for column, side in enumerate(("left", "right")):
        if side in feet:
            leg = motion.skeleton.leg_length(side)
            heel[:, column], toe[:, column] = _foot_contacts(feet[side], limits, leg)
    return Contacts(heel, toe)


def clip_thresholds(motion: Motion) -> Thresholds:
    """What a motion's feet call slow."""
    return _clip_thresholds(list(_feet(motion).values()))


def _feet(motion: Motion) -> dict[str, FootSignals]:
    return {side: FootSignals.of(motion, side) for side in motion.skeleton.sides}


def _clip_thresholds(feet: list[FootSignals]) -> Thresholds:
    speeds = [foot.slower(SMOOTHING[0]) for foot in feet if len(foot.ankle)]
    swing = max((float(np.percentile(s, 95)) for s in speeds), default=0.0)
    slow = np.concatenate([s[s < SEGMENT_RANGE[0]] for s in speeds]) if speeds else np.zeros(0)
    # half of what stands is quieter than this
    tremble = float(np.percentile(slow, 30)) if len(slow) else 0.0
    return thresholds_of(swing, min(tremble, 0.1))


def _foot_contacts(
    foot: FootSignals, limits: Thresholds, leg: float
) -> tuple[Bool[np.ndarray, "frames"], Bool[np.ndarray, "frames"]]:
    heel_speed = smoothed_speed(foot.heel, foot.fps, 0.6 * limits.smoothing)
    toe_speed = smoothed_speed(foot.toe, foot.fps, 0.6 * limits.smoothing)
    heel, toe = (np.zeros(len(foot.ankle), dtype=bool) for _ in range(2))
    plants = segments(foot, limits)
    for i, (first, last) in enumerate(plants):
        # a heel touches before the ankle is slow: look a little beyond, but not into a neighbour
        reach = round(0.1 * foot.fps)
        start = max(first - reach, plants[i - 1][1] if i else 0)
        end = min(last + reach, plants[i + 1][0] if i + 1 < len(plants) else len(heel))
        window = slice(start, end)
        inside = slice(first - start, last - start)
        heel[window] |= _touching(foot.heel[window], heel_speed[window], inside, limits, leg, foot.fps)
        toe[window] |= _touching(foot.toe[window], toe_speed[window], inside, limits, leg, foot.fps)
    return heel, toe


def segments(foot: FootSignals, limits: Thresholds) -> list[tuple[int, int]]:
    """The plants of one foot as stretches of frames."""
    speed = foot.slower(limits.smoothing)
    stretches = runs_of(mended(speed < limits.segment, round(GAP * foot.fps)))
    stretches = [
        (a, b)
        for a, b in stretches
        if b - a >= limits.shortest * foot.fps
        and speed[a:b].min() < limits.slowest
        and not _aerial(foot, a, b)
    ]
    joined: list[tuple[int, int]] = []
    for a, b in stretches:
        if joined and _same_plant(foot, joined[-1], (a, b)):
            joined[-1] = (joined[-1][0], b)
        else:
            joined.append((a, b))
    return joined


def _same_plant(foot: FootSignals, one: tuple[int, int], other: tuple[int, int]) -> bool:
    if other[0] - one[1] >= SAME_TIME * foot.fps:
        return False
    places = [np.median(foot.toe[a:b], axis=0) for a, b in (one, other)]
    return bool(np.linalg.norm(places[1] - places[0]) < SAME_PLACE)


def _aerial(foot: FootSignals, first: int, last: int) -> bool:
    """Whether a slow foot hangs in the air: it came from below and goes down again."""
    reach = max(round(AERIAL_WINDOW * foot.fps), 1)
    start = max(first - reach, 0)
    height = np.minimum(foot.heel[start : last + reach, 1], foot.toe[start : last + reach, 1])
    before, slow, after = np.split(height, [first - start, last - start])
    level = float(np.median(slow))
    return (
        len(before) > 0
        and len(after) > 0
        and bool(before.min() < level - AERIAL_RISE)
        and bool(after.min() < level - AERIAL_RISE)
    )


def _touching(
    place: Float[np.ndarray, "frames 3"],
    speed: Float[np.ndarray, "frames"],
    inside: slice,
    limits: Thresholds,
    leg: float,
    fps: float,
) -> Bool[np.ndarray, "frames"]:
    """Frames of one plant in which a point is slow and near its own resting level."""
    height = place[:, 1]
    slow = speed < limits.touch
    resting = height[inside][slow[inside]]
    if not len(resting):
        return np.zeros(len(height), dtype=bool)
    # the lower quarter: a heel that lifts slowly must not raise the level it left
    near = height < np.percentile(resting, 25) + LEVEL * leg
    touching = mended(slow & near, round(GAP * fps))
    for a, b in runs_of(touching):
        if b - a < SHORTEST_TOUCH * fps or b <= inside.start or a >= inside.stop:
            touching[a:b] = False
        else:
            # made feet stand quite still: then whatever moves does not stand
            far = AT_REST * leg if limits.tremble > QUITE_STILL else np.inf
            first = _still_moving(speed[a::-1], place[a:b], far, fps)
            last = _still_moving(speed[b - 1 :], place[a:b][::-1], far, fps)
            touching[a : a + first] = False
            touching[b - last : b] = False
    return touching


def _still_moving(
    beyond: Float[np.ndarray, "outside"], within: Float[np.ndarray, "inside 3"], far: float, fps: float
) -> int:
    """How many frames at a contact's edge the point has not come to rest yet, or has left already.

    Slow is not still: a foot brakes at a steady rate before it stands. `beyond` are its speeds from the edge
    outwards; the line through them meets zero inside. If the point is still `far` from where it rests by then
    (captured heels skid at the strike, and toes roll before they leave) the contact is left as it is.
    """
    reach = min(max(round(BRAKING * fps), 1), len(beyond) - 1)
    if reach < 1 or beyond[reach] <= beyond[0]:
        return 0
    rate = (beyond[reach] - beyond[0]) * fps / reach
    late = min(float(beyond[0]) / float(rate), MOST_EARLY)
    frames = min(int(late * fps + 0.7), len(within) // 8 if np.isfinite(far) else len(within) // 4)
    core = within[len(within) // 5 : len(within) - len(within) // 5]
    away = float(np.linalg.norm(within[frames] - np.median(core, axis=0)))
    return frames if away <= far else 0
