"""The steps of one swing foot as arrays: sampled at shared generic times, in their support foot's frame.

Origin of that frame is the support foot's print, z points along it ([stepping] 4.1; our axes: x to the left,
y up). Generic time runs over half a double stance, the swing, and half a double stance; samples are denser
than frames of 30 Hz. Sampling ahead makes a blend one weighted sum of rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property

import numpy as np
from jaxtyping import Float, Int

from footfall.adapt.foot_roll import Footprint
from footfall.adapt.still_joints import mirrored_with_still_joints
from footfall.figure import kinematics
from footfall.figure.mirror import REFLECT_POINT
from footfall.figure.motion import Motion
from footfall.figure.resample import at_times
from footfall.figure.skeleton import Skeleton
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.models.stepspace.captured import WAYS, CapturedStep

SAMPLES = (6, 24, 6)  # pieces of the first half double stance, the swing, the second half
STRETCHES = len(SAMPLES)
WINDOW = sum(SAMPLES) + 1  # samples of a step
BEYOND = 4  # more of a running step, before it and after it: its swing foot is in the air then already
OPPOSITE = {"left": "right", "right": "left"}
MOMENT = 1.0 / 240.0  # s over which velocities are taken
ORIGIN, TARGET, SUPPORT = range(3)  # of a step's prints


def grid() -> Float[np.ndarray, "samples"]:
    """Generic times of the samples."""
    pieces = [k + np.arange(count) / count for k, count in enumerate(SAMPLES)]
    return np.append(np.concatenate(pieces), float(STRETCHES))


@dataclass(frozen=True, eq=False)
class StepTable:
    """Steps of one swing foot; every array's first axis is the step."""

    skeleton: Skeleton
    foot: str
    root: Float[np.ndarray, "n samples 3"]
    velocity: Float[np.ndarray, "n samples 3"]  # of the root, m/s
    rotations: Float[np.ndarray, "n samples joints 4"]  # the root's first
    places: Float[np.ndarray, "n 3 3"]  # of origin, target and support print; the last is 0
    headings: Float[np.ndarray, "n 3"]  # the last is 0
    lying: Float[np.ndarray, "n 3 4"]  # how the flat foot is turned there
    durations: Float[np.ndarray, "n 3"]  # s: half a double stance, swing, half a double stance; see `runs`
    flights: Float[np.ndarray, "n 2"]  # s that the swing foot leaves before and lands after; 0 in a walk
    stances: Float[np.ndarray, "n 3"]  # s: at the origin, at the target, of the support
    ways: Int[np.ndarray, "n"]  # 1 forward, -1 backward, 0 aside
    clips: Int[np.ndarray, "n"]  # which clip each is from; a mirror image has its original's
    names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.root)

    @property
    def beyond(self) -> int:
        """Samples before a step begins, and as many after it ends: none in a walk."""
        return (self.root.shape[1] - WINDOW) // 2

    @property
    def runs(self) -> bool:
        """Whether these steps are run: they last half a flight, the support foot's stance, half a flight."""
        return self.beyond > 0

    @property
    def window(self) -> slice:
        return slice(self.beyond, self.beyond + WINDOW)

    @cached_property
    def high(self) -> Float[np.ndarray, "n 10"]:
        """S_high ([stepping] 4.1), in the order of `analysis.steps.HIGH_NAMES`."""
        flat = self.places[:, :2, [0, 2]].reshape(len(self), 4)
        times = np.stack([self.stances[:, 0], self.stances[:, 1], self.swings, self.stances[:, 2]], axis=1)
        return np.concatenate([flat, self.headings[:, :2], times], axis=1)

    @property
    def swings(self) -> Float[np.ndarray, "n"]:
        """s from a swing foot's leaving to its landing."""
        if not self.runs:
            return self.durations[:, 1]
        return self.durations.sum(axis=1) + self.flights.sum(axis=1)

    @cached_property
    def rises(self) -> Float[np.ndarray, "n 2"]:
        """Of origin and target over the support, m."""
        return self.places[:, :2, 1]

    @cached_property
    def feet(self) -> tuple[Float[np.ndarray, "n samples 2 3"], Float[np.ndarray, "n samples 2 4"]]:
        """Ankles and turns of swing foot and support foot."""
        tree, offsets = self.skeleton.tree, self.skeleton.offsets
        places, turns = kinematics.forward(tree, offsets, self.root, self.rotations)
        joints = [self.skeleton.joint(f"{side}_foot") for side in (self.foot, OPPOSITE[self.foot])]
        return places[:, :, joints], turns[:, :, joints]

    def taken(self, rows: Int[np.ndarray, "m"]) -> StepTable:
        """Some of the steps."""
        kept = {name: getattr(self, name)[rows] for name in ARRAYS}
        return StepTable(self.skeleton, self.foot, names=tuple(self.names[i] for i in rows), **kept)

    def mirrored(self) -> StepTable:
        """The same steps of the other foot, seen in a mirror."""
        count = len(self)
        frames = Motion(
            self.skeleton,
            self.root.reshape(-1, 3),
            self.rotations.reshape(-1, *self.rotations.shape[2:]),
            1.0,
        )
        seen = mirrored_with_still_joints(frames)
        swing, support = OPPOSITE[self.foot], self.foot
        sides = (swing, swing, support)
        lying = np.empty(self.lying.shape)
        for i in range(count):
            for k, side in enumerate(sides):
                p = Footprint(self.places[i, k], float(self.headings[i, k]), self.lying[i, k])
                lying[i, k] = p.reflected(self.skeleton, OPPOSITE[side]).lying
        return replace(
            self,
            foot=swing,
            root=seen.root.reshape(self.root.shape),
            velocity=self.velocity * REFLECT_POINT,
            rotations=seen.rotations.reshape(self.rotations.shape),
            places=self.places * REFLECT_POINT,
            headings=-self.headings,
            lying=lying,
            names=tuple(f"{name}, mirrored" for name in self.names),
        )

    def with_more(self, other: StepTable) -> StepTable:
        """These steps and others of the same foot."""
        both = {name: np.concatenate([getattr(self, name), getattr(other, name)]) for name in ARRAYS}
        return StepTable(self.skeleton, self.foot, names=self.names + other.names, **both)


ARRAYS = tuple(f.name for f in fields(StepTable) if f.name not in ("skeleton", "foot", "names"))


def table_of(steps: Sequence[CapturedStep], foot: str) -> StepTable:
    """Samples steps of one foot; all are walked, or all are run."""
    own = [s for s in steps if s.step.foot == foot]
    skeleton = steps[0].clip.skeleton
    beyond = BEYOND if steps[0].runs else 0
    samples = [_sampled(step, beyond) for step in own]
    count = WINDOW + 2 * beyond
    return StepTable(
        skeleton=skeleton,
        foot=foot,
        root=np.array([s[0] for s in samples]).reshape(-1, count, 3),
        velocity=np.array([s[1] for s in samples]).reshape(-1, count, 3),
        rotations=np.array([s[2] for s in samples]).reshape(-1, count, len(skeleton), 4),
        places=np.array([_beside(s, s.support) for s in own]).reshape(-1, 3, 3),
        headings=np.array([_headings(s) for s in own]).reshape(-1, 3),
        lying=np.array([[p.lying for p in (s.origin, s.target, s.support)] for s in own]).reshape(-1, 3, 4),
        durations=np.array([np.diff(s.keytimes) for s in own]).reshape(-1, 3),
        flights=np.array([_flights(s) for s in own]).reshape(-1, 2),
        stances=np.array([_stances(s) for s in own]).reshape(-1, 3),
        ways=np.array([WAYS[s.step.kind] for s in own], dtype=np.int64),
        clips=np.array([s.number for s in own], dtype=np.int64),
        names=tuple(s.name for s in own),
    )


def _headings(step: CapturedStep) -> list[float]:
    prints = (step.origin, step.target, step.support)
    return [float(ground.wrap(p.heading - step.support.heading)) for p in prints]


def _flights(step: CapturedStep) -> tuple[float, float]:
    if not step.runs:
        return 0.0, 0.0
    return float(step.keytimes[0] - step.swing[0]), float(step.swing[1] - step.keytimes[-1])


def _stances(step: CapturedStep) -> list[float]:
    found = step.step
    return [(p.end - p.start) / step.clip.fps for p in (found.origin, found.target, found.support)]


def _beside(step: CapturedStep, support: Footprint) -> Float[np.ndarray, "3 3"]:
    return np.stack([support.local(p.place) for p in (step.origin, step.target, step.support)])


def sample_times(
    durations: Float[np.ndarray, "*n 3"], flights: Float[np.ndarray, "*n 2"] | None = None
) -> Float[np.ndarray, "*n samples"]:
    """When each sample is, from a step's start; with `flights` those before and after it as well."""
    from footfall.models.stepspace.times_kernel import put_times

    times = np.empty((*durations.shape[:-1], WINDOW))
    rows = np.ascontiguousarray(durations, dtype=float).reshape(-1, STRETCHES)
    put_times(rows, np.array(SAMPLES), times.reshape(-1, WINDOW))
    if flights is None:
        return times
    before = flights[..., :1] * (np.arange(BEYOND) / BEYOND - 1.0)
    after = times[..., -1:] + flights[..., 1:] * (np.arange(1, BEYOND + 1) / BEYOND)
    return np.concatenate([before, times, after], axis=-1)


def _sampled(step: CapturedStep, beyond: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Root, its velocity and rotations at the samples, in the support foot's frame."""
    flights = np.array(_flights(step)) if beyond else None
    times = step.keytimes[0] + sample_times(np.diff(step.keytimes), flights)
    around = np.concatenate([times, times - MOMENT, times + MOMENT])
    seen = at_times(step.clip, around)
    count = len(times)
    turn = ground.turn(-step.support.heading)
    root = quat.rotate(turn, seen.root - step.support.place)
    rotations = np.array(seen.rotations[:count])
    rotations[:, 0] = quat.multiply(turn, rotations[:, 0])
    velocity = (root[2 * count :] - root[count : 2 * count]) / (2.0 * MOMENT)
    return root[:count], velocity, quat.continuous(rotations)
