"""Whether a clip's frame rate can be true: what is in flight falls with gravity, and people walk at a pace.

Headers lie: CMU subjects captured at 60 Hz say 120. A rate too high by a factor makes free fall heavier by
its square and walking quicker by the factor; both are compared with what people can do. Smaller errors than
about 1.4 in flight and 1.3 in walking cannot be told from people's own differences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.analysis.steps import Step
from footfall.figure.contacts import Contacts, runs_of
from footfall.figure.motion import Motion

GRAVITY = 9.81  # m/s^2
COMMON_RATES = (24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 72.0, 90.0, 100.0, 120.0, 200.0, 240.0)  # Hz

FALLS = (4.2, 20.0)  # m/s^2 that hips may show in flight: they are not the body's centre
SHORTEST_FLIGHT = 0.08  # s, for a fall that is too heavy
SHORTEST_SLOW_FLIGHT = 0.30  # s, for one that is too light: less is a moment without support
LIGHTEST = 0.3  # m/s^2: what falls still less hangs in the air, which no frame rate explains
LEAST_FRAMES = 6
ROUGH = 0.06  # of the height's range: what leaves a parabola by more is no flight

# Steps a second times the square root of leg length over gravity, so that legs of all lengths compare
USUAL_PACE = 0.53
SLOWEST_PACE = 0.345  # 1.2 steps/s for legs of 0.8 m
FASTEST_PACE = (0.73, 0.87)  # 2.6 and 3.0 steps/s, for short strides and for long ones ...
STRIDES = (1.7, 2.1)  # ... in leg lengths; between the two in proportion
WORTHWHILE_STRIDE = 0.5  # leg lengths; feet that shuffle have no pace of their own
WALK_FLIGHT = 0.13  # of a swing without support; more is a run, which may be as quick as it likes
STRIDES_TO_BE_SLOW = 4  # one may take one's time over a step or two


@dataclass(frozen=True)
class RateDoubt:
    """Why a frame rate cannot be, and which one is likely."""

    reason: str
    likely: float  # Hz


def doubt_rate(motion: Motion, contacts: Contacts, steps: Sequence[Step]) -> RateDoubt | None:
    """A reason to doubt the frame rate, or None. Free fall is asked first: gravity has no moods."""
    if len(motion.skeleton.sides) < 2 or not motion.skeleton.has("hips"):
        return None
    return _doubt_of_falls(motion, contacts) or _doubt_of_pace(motion, steps)


def _doubt_of_falls(motion: Motion, contacts: Contacts) -> RateDoubt | None:
    aloft = ~(contacts.stands("left") | contacts.stands("right"))
    hips = motion.of("hips")[:, 1]
    heavy, light = [], []
    for first, last in runs_of(aloft):
        if first == 0 or last == len(motion) or last - first < LEAST_FRAMES:
            continue
        fall = _fall(hips[first:last], motion.fps)
        seconds = (last - first) / motion.fps
        if fall is not None and seconds >= SHORTEST_FLIGHT:
            heavy.append(fall)
        if fall is not None and seconds >= SHORTEST_SLOW_FLIGHT:
            light.append(fall)
    if heavy and np.median(heavy) > FALLS[1]:
        return _fallen(motion.fps, float(np.median(heavy)))
    if light and np.median(light) < FALLS[0]:
        return _fallen(motion.fps, float(np.median(light)))
    return None


def _fall(heights: Float[np.ndarray, "frames"], fps: float) -> float | None:
    """Downward acceleration of a flight, m/s^2; None where the path is no parabola."""
    trim = (
        round(0.15 * len(heights)) if len(heights) >= 2 * LEAST_FRAMES else 0
    )  # contacts end late and early
    path = heights[trim : len(heights) - trim]
    times = (np.arange(len(path)) - 0.5 * (len(path) - 1)) / fps
    curve = np.polyfit(times, path, 2)
    away = np.sqrt(np.mean((np.polyval(curve, times) - path) ** 2))
    fall = float(-2.0 * curve[0])
    return fall if fall > LIGHTEST and away <= ROUGH * np.ptp(path) else None


def _fallen(fps: float, fall: float) -> RateDoubt:
    reason = f"what is in flight falls with {fall:.1f} m/s^2 instead of {GRAVITY:.1f}"
    return RateDoubt(reason, likely_rate(fps, fps * float(np.sqrt(GRAVITY / fall)), by_halves=False))


def _doubt_of_pace(motion: Motion, steps: Sequence[Step]) -> RateDoubt | None:
    leg = motion.skeleton.leg_length()
    walked = [s for s in steps if np.linalg.norm(s.travel) > WORTHWHILE_STRIDE * leg]
    seconds = [t for s in walked for t in _stride_seconds(s, motion)]
    if not seconds or np.median([_flight_share(s) for s in walked]) > WALK_FLIGHT:
        return None
    cadence = 2.0 / float(np.median(seconds))
    pace = cadence * float(np.sqrt(leg / GRAVITY))
    stride = float(np.median([np.linalg.norm(s.travel) for s in walked]))
    slow = pace < SLOWEST_PACE and len(seconds) >= STRIDES_TO_BE_SLOW
    if not slow and pace <= np.interp(stride / leg, STRIDES, FASTEST_PACE):
        return None
    reason = f"it walks {cadence:.1f} steps a second with strides of {stride:.2f} m"
    return RateDoubt(reason, likely_rate(motion.fps, motion.fps * USUAL_PACE / pace, by_halves=True))


def _stride_seconds(step: Step, motion: Motion) -> list[float]:
    """From strike to strike and from lift to lift of one foot, where the clip shows both."""
    frames = []
    if step.origin.start > 0:
        frames.append(step.target.start - step.origin.start)
    if step.target.end < len(motion):
        frames.append(step.target.end - step.origin.end)
    return [f / motion.fps for f in frames if f > 0]


def _flight_share(step: Step) -> float:
    """The share of a swing in which the other foot does not stand either."""
    off, strike = step.origin.end, step.target.start
    alone = max(step.support.start - off, 0) + max(strike - step.support.end, 0)
    return alone / max(strike - off, 1)


def likely_rate(fps: float, estimate: float, *, by_halves: bool) -> float:
    """The rate meant by an estimate: the stated one halved or doubled, else one that is in use.

    A pace tells the factor only roughly: then it is always taken as a power of two.
    """
    doubled = fps * 2.0 ** round(float(np.log2(estimate / fps)))
    if by_halves or abs(np.log(doubled / estimate)) < np.log(1.15):
        return float(f"{doubled:.3g}")
    return min(COMMON_RATES, key=lambda rate: abs(np.log(rate / estimate)))
