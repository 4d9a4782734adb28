"""Steps found in cleaned clips, each with its footprints and its times ([stepping] 4).

A step is the displacement of one foot. It runs from the middle of one double stance to the middle of the
next: neighbours then meet where both feet stand. In a run it lasts from the middle of one flight to that of
the next, and the swing foot left before it begins and lands after it ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.adapt.foot_roll import Footprint
from footfall.adapt.footprints import mean_turn
from footfall.adapt.one_figure import CleanClip
from footfall.analysis.plants import Plant, detect_plants
from footfall.analysis.steps import Step, detect_steps
from footfall.figure.motion import Motion
from footfall.figure.sole import Sole
from footfall.geometry import ground
from footfall.geometry import quaternion as quat

LONGEST_HALF = 0.25  # s of a double stance that belong to a step: who starts from a stand stands long
SHORTEST = 1.0 / 60.0  # s between two keytimes
CARRIES = 0.05  # s by which a foot may be seen to stand no longer while it carries a step
SHORTEST_SWING = 0.3  # s of a running step's: less is a shuffle in a sharp turn
FLIES = 0.02  # s of flight before and after a running step, on average
WAYS = {"forward": 1, "backward": -1, "side": 0, "cross": 0}


@dataclass(frozen=True, eq=False)
class CapturedStep:
    """One step of one clip."""

    clip: Motion  # cleaned
    number: int  # of the clip
    step: Step
    # s in the clip: start, toe-off, heel-strike, end; in a run start, the support foot's strike and off, end
    keytimes: Float[np.ndarray, "4"]
    swing: tuple[float, float]  # s in the clip at which the swing foot leaves and lands
    origin: Footprint
    target: Footprint
    support: Footprint
    runs: bool  # nothing carries it throughout

    @property
    def name(self) -> str:
        return f"{self.step.foot} {self.step.kind} step at {self.keytimes[1]:.2f} s"


def captured_steps(clips: Sequence[CleanClip]) -> Iterator[CapturedStep]:
    """All walking and running steps of clips that are on one figure, in order."""
    for number, clip in enumerate(clips):
        for step in detect_steps(clip.motion, detect_plants(clip.motion, clip.seen)):
            found = _captured(clip.motion, number, step)
            if found is not None:
                yield found


def _captured(clip: Motion, number: int, step: Step) -> CapturedStep | None:
    """A step with its times; None where it is neither walked nor run, such as the last before a run."""
    fps = clip.fps
    off, strike = step.origin.end / fps, step.target.start / fps
    down, up = step.support.start / fps, step.support.end / fps
    flights = down - off, strike - up
    runs = min(flights) > 0.0 and 0.5 * sum(flights) > FLIES and strike - off > SHORTEST_SWING
    if not runs and max(flights) > CARRIES:
        return None
    if runs:
        keytimes = np.array([0.5 * (off + down), down, up, 0.5 * (up + strike)])
    else:
        start, _, _, end = (frame / fps for frame in step.keytimes)
        start = np.clip(start, off - LONGEST_HALF, off - SHORTEST)
        end = np.clip(end, strike + SHORTEST, strike + LONGEST_HALF)
        keytimes = np.array([start, off, strike, end])
    if (np.diff(keytimes) <= 0.0).any():
        return None
    origin, target, support = (_footprint(clip, p) for p in (step.origin, step.target, step.support))
    return CapturedStep(clip, number, step, keytimes, (off, strike), origin, target, support, runs=runs)


def _footprint(clip: Motion, plant: Plant) -> Footprint:
    """Where a plant's subtalar rests and how its flat foot lies, from the frames in which it is pinned."""
    sole = Sole.of(clip.skeleton, plant.foot)
    frames = np.arange(plant.start, plant.end)
    flat = frames[clip.contacts.flat(plant.foot)[frames]] if clip.contacts is not None else frames[:0]
    if not len(flat):
        return Footprint(plant.position, plant.heading, sole.lying)
    foot = clip.skeleton.joint(f"{plant.foot}_foot")
    turn = mean_turn(clip.orientations[flat, foot])
    rests = clip.positions[flat, foot] + quat.rotate(clip.orientations[flat, foot], sole.subtalar)
    heading = float(ground.heading_of(quat.rotate(turn, sole.ball - sole.heel)))
    lying = quat.multiply(ground.turn(-heading), turn)
    return Footprint(rests.mean(axis=0), heading, lying if lying[0] >= 0.0 else -lying)
