"""Windows of motion from strike to strike, as a classifier sees them.

All motions pass the same steps: 120 Hz, joints by role, one low-pass, one strike detector, positions relative
to the hips and their heading, mirrored so that the left foot strikes at the end of a window. So captured and
synthesized motions differ in nothing but how they move.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from jaxtyping import Float, Int
from scipy.signal import butter, filtfilt

import footfall as ff
from footfall.geometry.decisions import first_least

FPS = 120.0  # Hz
PHASES = 32  # samples of a window
JOINT_ROLES = ("hips", "spine", "chest", "neck", "head")
LIMB_ROLES = ("thigh", "shank", "foot", "toe", "upper_arm", "forearm", "hand")
SIDES = ("left", "right")
HEAD_TOP = "head_top"
POINTS = (*JOINT_ROLES, *(f"{side}_{role}" for side in SIDES for role in LIMB_ROLES), HEAD_TOP)
POSITION, VELOCITY, ACCELERATION = slice(0, 3), slice(3, 6), slice(6, 9)  # m, m/s, m/s^2
SIDEWAYS = [0, 3, 6]  # components that change their sign in a mirror

STRIKE_LOW_PASS = 12.0  # Hz
RESTS = 0.5  # m/s of a foot; slower, it rests
SWINGS, SWING_TIME = 0.8, 0.12  # m/s at least once, s at least: a foot between two rests swings
STEP_TIMES = (0.25, 1.3)  # s from strike to strike
MARGIN = 0.12  # s from the ends of a motion, where filters and differences are wrong
PADDING = 4  # frames around a window for differences
ROUNDED = 7  # decimals of positions in m: rounding of forward kinematics must not decide

AHEAD_SPEED, AHEAD_SHARE = 0.4, 0.5  # m/s; sideways at most this share of it
LEAST_SPREAD = 1e-9  # of requests that are all alike
CALIPER = 0.6  # standard deviations of length, time and speed within which two windows ask for the same


def swapped_sides(name: str) -> str:
    left, right = SIDES
    if name.startswith(left):
        return name.replace(left, right, 1)
    return name.replace(right, left, 1) if name.startswith(right) else name


MIRRORED = [POINTS.index(swapped_sides(name)) for name in POINTS]


@dataclass(frozen=True, eq=False)
class WindowSet:
    """Windows of several motions.

    Attributes:
        samples: Position, velocity and acceleration of each point at each phase (m, m/s, m/s^2).
        clips: Which clip each window is from, or whose footprints it follows.
        seconds: How long each window lasts.
    """

    samples: Float[np.ndarray, "windows phases points 9"]
    clips: np.ndarray
    seconds: Float[np.ndarray, "windows"]

    def __len__(self) -> int:
        return len(self.samples)

    def __getitem__(self, chosen: np.ndarray) -> WindowSet:
        return WindowSet(self.samples[chosen], self.clips[chosen], self.seconds[chosen])

    @property
    def requests(self) -> Float[np.ndarray, "windows 3"]:
        """What was asked for rather than how it was done: step length (m), time (s), forward speed (m/s)."""
        feet = [POINTS.index(f"{side}_foot") for side in SIDES]
        apart = self.samples[:, -1, feet[0], POSITION] - self.samples[:, -1, feet[1], POSITION]
        speed = self.samples[:, :, 0, VELOCITY][..., 2].mean(axis=1)
        return np.stack([np.hypot(apart[:, 0], apart[:, 2]), self.seconds, speed], axis=1)

    @property
    def ahead(self) -> np.ndarray:
        """Which windows go forward."""
        sideways, _, forward = self.samples[:, :, 0, VELOCITY].mean(axis=1).T
        return (forward > AHEAD_SPEED) & (np.abs(sideways) < AHEAD_SHARE * forward)

    @property
    def head_acceleration(self) -> float:
        """Fore-aft acceleration of the head: root mean square of a window, median of all, m/s^2."""
        fore_aft = self.samples[:, :, POINTS.index("head"), ACCELERATION][..., 2]
        return float(np.median(np.sqrt(np.square(fore_aft).mean(axis=1))))


def window_set(motions: Mapping[str, ff.Motion], low_pass: float, *, skipped: int = 0) -> WindowSet:
    """The windows of motions by clip.

    Args:
        motions: Motions on the common skeleton, by the clip they are from or follow.
        low_pass: Cut-off frequency in Hz.
        skipped: Windows left out at both ends of each motion.
    """
    samples, clips, seconds = [], [], []
    for clip, motion in motions.items():
        own = list(windows_of(points_of(motion), low_pass))
        for window, lasts in own[skipped : len(own) - skipped]:
            samples.append(window)
            clips.append(clip)
            seconds.append(lasts)
    shape = (len(samples), PHASES, len(POINTS), 9)
    return WindowSet(np.array(samples).reshape(shape), np.array(clips), np.array(seconds))


def points_of(motion: ff.Motion) -> Float[np.ndarray, "frames points 3"]:
    """World positions of joints by role and of the head's top, at `FPS`.

    Soles are left out: where a sole is calibrated to lie, by millimetres, must not decide.
    """
    motion = ff.resample(motion, FPS)
    head = motion.skeleton.joint("head")
    tops = [end for end, joint in enumerate(motion.skeleton.end_parents) if joint == head]
    top = motion.ends[:, tops[0]] if tops else motion.of("head")
    return np.stack([*(motion.of(role) for role in POINTS[:-1]), top], axis=1)


def low_passed(values: Float[np.ndarray, "frames *n"], cutoff: float) -> Float[np.ndarray, "frames *n"]:
    b, a = butter(2, cutoff / (FPS / 2))
    return filtfilt(b, a, values, axis=0, padlen=min(30, len(values) - 1))


def strikes_of(points: Float[np.ndarray, "frames points 3"]) -> list[tuple[int, int]]:
    """Frames at which a foot comes to rest, and which foot: 0 left, 1 right. Ankle and toe joint decide."""
    strikes = []
    for foot, side in enumerate(SIDES):
        joints = [POINTS.index(f"{side}_foot"), POINTS.index(f"{side}_toe")]
        path = low_passed(points[:, joints].mean(axis=1), STRIKE_LOW_PASS)
        speed = np.linalg.norm(np.gradient(path, axis=0), axis=1) * FPS
        for first, end in spells(speed > RESTS):
            swings = speed[first:end].max() > SWINGS and end - first > SWING_TIME * FPS
            if swings and end < len(speed):
                strikes.append((end, foot))
    return sorted(strikes)


def spells(true: np.ndarray) -> list[tuple[int, int]]:
    """First and past-the-end index of each run of true values."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], true, [False]]).astype(int)))
    return [(int(first), int(end)) for first, end in edges.reshape(-1, 2)]


def windows_of(
    points: Float[np.ndarray, "frames points 3"], low_pass: float
) -> Iterator[tuple[Float[np.ndarray, "phases points 9"], float]]:
    """Each window between strikes of different feet, and how long it lasts in seconds."""
    strikes = strikes_of(points)
    smooth = low_passed(points, low_pass)
    shortest, longest = (seconds * FPS for seconds in STEP_TIMES)
    margin = int(MARGIN * FPS)
    for (first, foot), (last, other) in pairwise(strikes):
        inside = first >= margin and last <= len(points) - margin
        if foot != other and shortest < last - first < longest and inside:
            yield window(smooth, first, last, other), (last - first) / FPS


def window(
    points: Float[np.ndarray, "frames points 3"], first: int, last: int, foot: int
) -> Float[np.ndarray, "phases points 9"]:
    """Positions, velocities and accelerations between two frames, in the hips' heading frame of each frame.

    Heights are above the ankle that stands. Velocities and accelerations are of world positions. Where the
    right foot strikes last the window is mirrored.
    """
    part = points[first - PADDING : last + PADDING + 1]
    across = part[:, POINTS.index("left_thigh")] - part[:, POINTS.index("right_thigh")]
    heading = np.arctan2(-across[:, 2], across[:, 0])
    origin = part[:, 0].copy()
    standing = part[:, POINTS.index(f"{SIDES[1 - foot]}_foot"), 1]
    origin[:, 1] = np.median(standing[len(part) // 4 : 3 * len(part) // 4])
    velocity = np.gradient(part, axis=0) * FPS
    acceleration = np.gradient(velocity, axis=0) * FPS
    positions = np.round(part - origin[:, None], ROUNDED)
    curves = [turned_back(values, heading) for values in (positions, velocity, acceleration)]
    samples = at_phases(np.concatenate(curves, axis=-1)[PADDING:-PADDING])
    if foot == 1:
        samples = samples[:, MIRRORED]
        samples[..., SIDEWAYS] *= -1.0
    return samples


def turned_back(
    vectors: Float[np.ndarray, "frames points 3"], heading: Float[np.ndarray, "frames"]
) -> Float[np.ndarray, "frames points 3"]:
    """Vectors in the frame that faces along the heading."""
    c, s = np.cos(heading)[:, None], np.sin(heading)[:, None]
    x, y, z = np.moveaxis(vectors, -1, 0)
    return np.stack([c * x - s * z, y, s * x + c * z], axis=-1)


def at_phases(values: Float[np.ndarray, "frames points d"]) -> Float[np.ndarray, "phases points d"]:
    """Values at equal phases, linear between frames."""
    at = np.linspace(0, len(values) - 1, PHASES)
    before = np.minimum(at.astype(int), len(values) - 2)
    share = (at - before)[:, None, None]
    return values[before] * (1 - share) + values[before + 1] * share


def matched(
    one: Float[np.ndarray, "n 3"], other: Float[np.ndarray, "m 3"], caliper: float = CALIPER
) -> Int[np.ndarray, "pairs 2"]:
    """Rows of both that ask for the same, each used once: indices into `one` and into `other`.

    Args:
        one: Requests of the captured windows.
        other: Requests of the synthesized windows.
        caliper: Largest distance of a pair, in standard deviations.
    """
    spread = np.maximum(np.concatenate([one, other]).std(axis=0), LEAST_SPREAD)
    free = np.ones(len(one), dtype=bool)
    pairs = []
    for j in np.random.default_rng(0).permutation(len(other)):
        far = np.where(free, np.linalg.norm((one - other[j]) / spread, axis=1), np.inf)
        i = int(first_least(far))
        if far[i] < caliper:
            free[i] = False
            pairs.append((i, int(j)))
    return np.array(pairs, dtype=int).reshape(-1, 2)


def matched_in_clips(one: WindowSet, other: WindowSet, caliper: float = 1.0) -> Int[np.ndarray, "pairs 2"]:
    """Pairs that ask for the same, both from the same clip."""
    spread = np.maximum(np.concatenate([one.requests, other.requests]).std(axis=0), LEAST_SPREAD)
    pairs = [np.zeros((0, 2), dtype=int)]
    for clip in np.unique(other.clips):
        i, j = np.flatnonzero(one.clips == clip), np.flatnonzero(other.clips == clip)
        if len(i) and len(i) + len(j) > 3:
            own = matched(one.requests[i] / spread, other.requests[j] / spread, caliper)
            pairs.append(np.stack([i[own[:, 0]], j[own[:, 1]]], axis=1))
    return np.concatenate(pairs)
