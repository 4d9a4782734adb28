"""Capture faults on demand: a clean motion as a worse studio would have recorded it, and what it shows when.

Faults come in the order in which they come about: feet slide and markers tremble, the floor is not level,
the recorder misses or repeats frames, someone resamples the take, and single frames of what is left are
spoilt. Each has a random stream of its own, so its chance does not hang on which others are on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float, Int

from footfall.actor.capture.marker_noise import with_noise
from footfall.actor.capture.moved_feet import feet_at
from footfall.actor.seeded import checked_seed, seeded
from footfall.analysis.contacts import detect_contacts
from footfall.analysis.plants import plants_of
from footfall.errors import RequestError
from footfall.figure.frozen import frozen_array
from footfall.figure.motion import Motion, checked_rate
from footfall.figure.resample import resample
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.geometry.easing import ease_out, smooth

RANGES = {  # what each fault may be
    "noise": (0.0, 0.1),
    "slide": (0.0, 0.5),
    "dropped": (0.0, 0.9),
    "repeated": (0.0, 0.9),
    "spikes": (0.0, 1e5),
    "tilt": (0.0, 1.5),
    "offset": (-100.0, 100.0),
}
STREAMS = ("noise", "slide", "dropped", "repeated", "spikes", "tilt")
# captured toes flip about the ankle and hands about the elbow: what moves, and the joint that turns
FLIPS = {
    f"{s}_{end}": f"{s}_{pivot}"
    for s in ("left", "right")
    for end, pivot in (("hand", "forearm"), ("toe", "foot"))
}
FLIP = (0.1, 0.2)  # m


@dataclass(frozen=True)
class Faults:
    """What is wrong with a capture; everything is off by default. The same seed makes the same faults."""

    noise: float = 0.0  # m, standard deviation of joint places along each axis
    slide: float = 0.0  # m by which each stance drifts, in a direction of its own
    dropped: float = 0.0  # share of frames that are lost, so that the motion jumps ahead
    repeated: float = 0.0  # share of frames that show their predecessor again
    spikes: float = 0.0  # a minute; single frames in which a hand or toe flips
    tilt: float = 0.0  # rad by which the floor leans
    offset: float = 0.0  # m, upwards
    fps: float | None = None  # Hz, another rate
    seed: int = 0

    def __post_init__(self) -> None:
        for name, (least, most) in RANGES.items():
            value = getattr(self, name)
            real = isinstance(value, int | float | np.integer | np.floating)
            if not real or not least <= value <= most:
                raise RequestError(f"{name} must be a number from {least:g} to {most:g}, not {value!r:.40}")
        if self.fps is not None:
            object.__setattr__(self, "fps", checked_rate(self.fps))
        checked_seed(self.seed)

    def stream(self, fault: str) -> np.random.Generator:
        return seeded(self.seed, STREAMS.index(fault))


@dataclass(frozen=True, eq=False)
class Faulty:
    """A motion with faults, and which frame of the clean motion each of its frames shows.

    Its contacts are the clean motion's, as they were in the frames shown. Between two source frames a
    resampled one lies at a fraction.
    """

    motion: Motion
    frames: Float[np.ndarray, "frames"]

    def __post_init__(self) -> None:
        object.__setattr__(self, "frames", frozen_array(self.frames, "frames", shape=(None,)))


def with_faults(motion: Motion, faults: Faults) -> Faulty:
    """The motion with these faults and no others."""
    if motion.root.ndim != 2:
        raise RequestError("faults are made in one motion at a time, not in a batch")
    if not len(motion):
        return Faulty(motion, np.zeros(0))
    if faults.slide:
        motion = _slid(motion, faults.slide, faults.stream("slide"))
    if faults.noise:
        motion = with_noise(motion, faults.noise, faults.stream("noise"))
    if faults.tilt:
        motion = _tilted(motion, faults.tilt, faults.stream("tilt"))
    if faults.offset:
        motion = replace(motion, root=motion.root + faults.offset * ground.UP)
    frames = _recorded(len(motion), faults)
    if faults.dropped or faults.repeated:
        motion = _showing(motion, frames)
    shown = frames.astype(float)
    if faults.fps is not None and faults.fps != motion.fps:
        before, motion = motion, resample(motion, faults.fps)
        # as `resample` counts: times of the new frames, in frames of the old
        shown = np.interp(np.arange(len(motion)) / faults.fps * before.fps, np.arange(len(before)), shown)
    if faults.spikes:
        motion = _spiked(motion, faults.spikes, faults.stream("spikes"))
    return Faulty(motion, shown)


def _slid(motion: Motion, size: float, rng: np.random.Generator) -> Motion:
    """Each foot drifts by `size` while it stands, and is back where it belongs when it stands again."""
    if not motion.skeleton.sides:
        raise RequestError("slide moves standing feet, and this skeleton has no whole leg")
    contacts = motion.contacts if motion.contacts is not None else detect_contacts(motion)
    ankles = {}
    for side in motion.skeleton.sides:
        drift = np.zeros((len(motion), 3))
        stances = [(plant.start, plant.end) for plant in plants_of(motion, contacts, side)]
        returns = [start for start, _ in stances[1:]] + [len(motion)]
        for (start, end), back in zip(stances, returns, strict=True):
            heading = rng.uniform(-np.pi, np.pi)
            if end - start > 1:  # a foot seen standing only once goes nowhere
                frames = np.arange(start, back)
                gone = smooth((frames - start) / (end - 1 - start))
                share = gone * ease_out((frames - (end - 1)) / (back - (end - 1)))
                drift[start:back] = size * share[:, None] * ground.direction_of(heading)
        ankles[side] = motion.of(f"{side}_foot") + drift
    return feet_at(motion, ankles)


def _tilted(motion: Motion, angle: float, rng: np.random.Generator) -> Motion:
    """Turned about a horizontal axis through the ground under the start."""
    turn = quat.exp(angle * ground.direction_of(rng.uniform(-np.pi, np.pi)))
    start = motion.root[0] * np.array([1.0, 0.0, 1.0])
    rotations = np.array(motion.rotations)
    rotations[:, 0] = quat.multiply(turn, rotations[:, 0])
    return replace(motion, root=start + quat.rotate(turn, motion.root - start), rotations=rotations)


def _recorded(count: int, faults: Faults) -> Int[np.ndarray, "frames"]:
    """Which frames a recorder writes that misses some and then writes some others twice; never the first."""
    frames = np.arange(count)
    frames = np.delete(frames, _some_after_first(count, faults.dropped, faults.stream("dropped")))
    again = _some_after_first(len(frames), faults.repeated, faults.stream("repeated"))
    kept = np.arange(len(frames))
    kept[again] = 0
    return frames[np.maximum.accumulate(kept)]


def _some_after_first(count: int, share: float, rng: np.random.Generator) -> Int[np.ndarray, "some"]:
    return 1 + rng.choice(count - 1, size=min(round(share * count), count - 1), replace=False)


def _showing(motion: Motion, frames: Int[np.ndarray, "frames"]) -> Motion:
    return replace(
        motion,
        root=motion.root[frames],
        rotations=motion.rotations[frames],
        translations=None if motion.translations is None else motion.translations[frames],
        contacts=None if motion.contacts is None else motion.contacts.frames(frames),
    )


def _spiked(motion: Motion, rate: float, rng: np.random.Generator) -> Motion:
    """Single frames, clean ones on both sides, in which a hand or toe leaves its place and is back."""
    skeleton = motion.skeleton
    flips = [(skeleton.joint(e), skeleton.joint(p)) for e, p in FLIPS.items() if skeleton.has(e, p)]
    if not flips:
        raise RequestError("spikes flip hands and toes, and this skeleton has neither")
    places = np.arange(1, len(motion) - 1, 2)
    expected = rate * len(motion) / motion.fps / 60.0
    if expected > max(len(places), 1):
        raise RequestError(
            f"{rate:g} spikes a minute do not fit: with clean frames between them "
            f"there are at most {30.0 * motion.fps:g} at {motion.fps:g} Hz"
        )
    # the fraction that is left decides by chance, so that short clips have their share
    count = min(int(expected + rng.uniform()), len(places))
    rotations = np.array(motion.rotations)
    for frame in rng.choice(places, size=count, replace=False):
        end, pivot = flips[rng.integers(len(flips))]
        turn = _flip(motion.positions[frame, end] - motion.positions[frame, pivot], rng)
        own = motion.orientations[frame, pivot]
        # told in the world, applied in the joint's own frame
        rotations[frame, pivot] = quat.multiply(
            rotations[frame, pivot], quat.multiply(quat.conjugate(own), quat.multiply(turn, own))
        )
    return replace(motion, rotations=rotations)


def _flip(bone: Float[np.ndarray, "3"], rng: np.random.Generator) -> Float[np.ndarray, "4"]:
    """A turn about some axis across a bone that moves its end by a flip, or as far as it can."""
    length = max(float(np.linalg.norm(bone)), 1e-9)
    away = rng.uniform(*FLIP)
    axis = quat.cross(bone / length, rng.standard_normal(3))
    axis = axis / max(float(np.linalg.norm(axis)), 1e-9)
    return quat.exp(2.0 * np.arcsin(min(0.5 * away / length, 1.0)) * axis)
