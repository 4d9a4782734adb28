"""A motion loop: one gait cycle whose last frame leads into its first ([rings] 3.1).

Frame n would be frame 0 again, moved on: turned by `turn` about the vertical through its root, and shifted by
`advance`. That is the only sense in which the root repeats; all else is the same.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

from footfall.errors import RequestError
from footfall.figure.contacts import joined
from footfall.figure.frozen import frozen_array
from footfall.figure.motion import Motion
from footfall.geometry import ground
from footfall.geometry import quaternion as quat

MOST_CYCLES = 10_000


@dataclass(frozen=True, eq=False)
class Loop:
    """One cycle and how it goes on. Make one with `loop_of`."""

    motion: Motion  # n frames, contacts attached
    name: str
    turn: float  # rad, change of heading over one cycle, unwrapped
    advance: Float[np.ndarray, "3"]  # m, the root's way over one cycle, in the motion's world
    strikes: tuple[int, int]  # frames at which the left and the right foot have come down
    seam: tuple[int, int]  # the closure changed the frames after the first of these and before the second

    def __post_init__(self) -> None:
        frames = len(self.motion)
        if self.motion.contacts is None or self.motion.root.ndim != 2:
            raise RequestError("a loop is one motion, not a batch, that carries its contacts")
        if not all(0 <= frame < frames for frame in (*self.strikes, *self.seam)):
            raise RequestError(f"strikes and seam must be frames from 0 to {frames - 1} of the loop")
        if not np.isfinite(self.turn):
            raise RequestError("a loop's turn must be a finite number of radians")
        object.__setattr__(self, "advance", frozen_array(self.advance, "advance", shape=(3,)))

    def __len__(self) -> int:
        return len(self.motion)

    @property
    def seconds(self) -> float:
        """Of one cycle."""
        return len(self.motion) / self.motion.fps

    def cycles(self, count: int) -> Motion:
        """The loop played `count` times, each moved on from the one before; the first is where it is."""
        if not 1 <= count <= MOST_CYCLES:
            raise RequestError(f"a loop can be played 1 to {MOST_CYCLES} times, not {count}")
        motion, frames = self.motion, len(self.motion)
        turns = ground.turn(self.turn * np.arange(count))
        starts = motion.root[0] + self._ways(turns)
        root = starts[:, None] + quat.rotate(turns[:, None], motion.root - motion.root[0])
        rotations = np.tile(motion.rotations, (count, 1, 1))
        rotations[:, 0] = quat.multiply(np.repeat(turns, frames, axis=0), rotations[:, 0])
        moved = None if motion.translations is None else np.tile(motion.translations, (count, 1, 1))
        return replace(
            motion,
            root=root.reshape(-1, 3),
            rotations=quat.continuous(rotations),
            translations=moved,
            contacts=joined([motion.contacts] * count),
        )

    def _ways(self, turns: Float[np.ndarray, "count 4"]) -> Float[np.ndarray, "count 3"]:
        """How far each cycle's first frame is from the first one's: sums of ever more turned advances."""
        steps = quat.rotate(turns[:-1], np.broadcast_to(self.advance, (len(turns) - 1, 3)))
        return np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0)])

    def __repr__(self) -> str:
        way = float(np.hypot(self.advance[0], self.advance[2]))
        told = f"{way:.2f} m, rise {self.advance[1]:.3f} m, turn {np.degrees(self.turn):.1f} deg"
        return f"Loop({self.name or 'unnamed'}: {len(self)} frames, {told})"
