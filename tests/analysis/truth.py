"""What made gaits say about their own plants, and the faults of capture that detection must survive."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.ndimage import gaussian_filter1d

from footfall.analysis.plants import Plant
from footfall.figure.motion import Motion
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from tests.stances import Made


@dataclass(frozen=True)
class Truth:
    """Frames of one stance, cut off at the clip's ends."""

    foot: str
    start: int
    end: int


def truth(gait: Made) -> list[Truth]:
    """Stances as plants should be found, in the order of `detect_plants`."""
    frames, fps = len(gait.motion), gait.motion.fps
    found = [
        Truth(s.foot, max(_frame(s.strike, fps), 0), min(_frame(s.off, fps), frames)) for s in gait.stances
    ]
    return sorted(found, key=lambda t: (t.start, t.foot))


def _frame(seconds: float, fps: float) -> int:
    """The first frame at or after an instant."""
    return int(np.ceil(seconds * fps - 1e-6))


def event_errors(plants: Sequence[Plant], expected: Sequence[Truth], fps: float) -> np.ndarray:
    """Seconds by which strikes and toe-offs are late, foot by foot, plant by plant; their counts must agree.

    Which of two feet that land at one instant comes first has no meaning.
    """
    found, true = (sorted(each, key=lambda p: (p.foot, p.start)) for each in (plants, expected))
    assert [p.foot for p in found] == [t.foot for t in true]
    return np.array([(p.start - t.start, p.end - t.end) for p, t in zip(found, true, strict=True)]) / fps


def placed(motion: Motion, place: tuple[float, float, float], heading: float) -> Motion:
    """The same motion elsewhere on the ground, facing another way."""
    turn = ground.turn(heading)
    rotations = np.array(motion.rotations)
    rotations[:, 0] = quat.multiply(turn, rotations[:, 0])
    return replace(motion, root=quat.rotate(turn, motion.root) + np.array(place), rotations=rotations)


def noisy(motion: Motion, metres: float, seed: int, smooth: float = 0.04) -> Motion:
    """Noise of a standard deviation, smoothed over some time, on the root, and a little in every joint."""
    rng = np.random.default_rng(seed)

    def noise(shape: tuple[int, ...], size: float) -> np.ndarray:
        values = gaussian_filter1d(rng.normal(size=shape), smooth * motion.fps, axis=0)
        return size * values / values.std()

    turns = quat.exp(noise((*motion.rotations.shape[:2], 3), 0.003))
    return replace(
        motion,
        root=motion.root + noise(motion.root.shape, metres),
        rotations=quat.multiply(motion.rotations, turns),
    )


def twitched(motion: Motion, role: str, first: int, frames: int, angle: float) -> Motion:
    """Some frames with a joint turned: a marker swap."""
    rotations = np.array(motion.rotations)
    joint = motion.skeleton.joint(role)
    at = slice(first, first + frames)
    rotations[at, joint] = quat.multiply(rotations[at, joint], quat.exp(angle * np.array([0.8, 0.0, 0.6])))
    return motion.with_rotations(rotations)


def frozen(motion: Motion, first: int, frames: int) -> Motion:
    """Some frames in which nothing moves: a gap filled by holding."""
    index = np.arange(len(motion))
    index[first : first + frames] = first
    return replace(motion, root=motion.root[index], rotations=motion.rotations[index])
