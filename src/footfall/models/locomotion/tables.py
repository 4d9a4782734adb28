"""A locomotion space's loops and stand as arrays: what is blended, and what a file keeps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float, Int

from footfall.figure.contacts import SIDES
from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat
from footfall.ik.two_link import leg_of
from footfall.models.locomotion.loop import Loop
from footfall.models.locomotion.standing import Stand

MOVES = 1e-7  # rad: joints that are never turned more than this from their mean stay as they are
LITTLE = 0.1  # m: what a loop that goes nowhere weighs
# of a leg's length: legs are stretched as their loops' are, within these. A knee that is straighter turns by
# degrees for a millimetre at the ankle, and jerks.
STRAIGHTEST = (0.975, 0.988)


@dataclass(frozen=True, eq=False)
class LocomotionTables:
    """Rotations are rotation vectors away from `mean`, in single precision; see `Loop` and `Stand`."""

    skeleton: Skeleton
    names: tuple[str, ...]
    points: Float[np.ndarray, "loops 3"]
    seconds: Float[np.ndarray, "loops"]
    limps: Float[np.ndarray, "loops"]
    events: Float[np.ndarray, "loops 2 3"]
    mean: Float[np.ndarray, "joints 4"]
    tangents: Float[np.ndarray, "loops frames joints 3"]
    roots: Float[np.ndarray, "loops frames 3"]
    feet: Float[np.ndarray, "loops 2 frames 9"]  # ankle, yaw, pitch, roll, the toe's rotation vector
    idle_tangents: Float[np.ndarray, "idle joints 3"]
    idle_roots: Float[np.ndarray, "idle 3"]
    idle_feet: Float[np.ndarray, "2 6"]
    idle_fps: float
    knees: Float[np.ndarray, "2 3"]  # hinge axes in the thighs' frames
    straightest: float  # of a leg's length

    @classmethod
    def of(cls, loops: Sequence[Loop], stand: Stand) -> LocomotionTables:
        skeleton = stand.skeleton
        turns = np.concatenate([*(loop.rotations for loop in loops), stand.rotations])
        mean = _mean(turns)
        bent = Motion(skeleton, np.zeros((len(turns), 3)), turns, 60.0)
        return cls(
            skeleton,
            tuple(loop.name for loop in loops),
            np.stack([loop.parameters for loop in loops]),
            np.array([loop.seconds for loop in loops]),
            np.array([loop.limp for loop in loops]),
            np.stack([loop.events for loop in loops]),
            mean,
            np.stack([_away(mean, loop.rotations) for loop in loops]),
            np.stack([loop.root for loop in loops]).astype(np.float32),
            np.stack([_foot_rows(skeleton, mean, loop) for loop in loops]),
            _away(mean, stand.rotations),
            stand.root.astype(np.float32),
            stand.feet,
            float(stand.fps),
            np.stack([leg_of(skeleton, side, bent).axis for side in SIDES]),
            float(np.clip(_straightest(bent), *STRAIGHTEST)),
        )

    def __len__(self) -> int:
        return len(self.names)

    @property
    def frames(self) -> int:
        return self.tangents.shape[1]

    @cached_property
    def travel(self) -> Float[np.ndarray, "loops"]:
        """m that each loop goes in a cycle, and a little: by it loops weigh when a blend's feet leave.

        Feet that are blended go back under the body as far as loops' feet do in their stances. Stances
        weighed by how far loops go take as long as the body takes for that; their plain mean does not, and
        the body would leave its foot behind.
        """
        return self.seconds * np.hypot(self.points[:, 0], self.points[:, 2]) + LITTLE

    @cached_property
    def moving(self) -> Int[np.ndarray, "moving"]:
        """Joints that are ever turned away from their mean; the root and the legs' joints always count."""
        most = np.maximum(
            np.abs(self.tangents).max(axis=(0, 1, 3)), np.abs(self.idle_tangents).max(axis=(0, 2))
        )
        moves = most > MOVES
        moves[0] = True
        for side in SIDES:
            for part in ("thigh", "shank", "foot", "toe"):
                if self.skeleton.has(f"{side}_{part}"):
                    moves[self.skeleton.joint(f"{side}_{part}")] = True
        return np.flatnonzero(moves)


def _mean(turns: Float[np.ndarray, "n joints 4"]) -> Float[np.ndarray, "joints 4"]:
    """The middle of rotations that do not differ by half a turn."""
    near = np.where(np.sum(turns * turns[:1], axis=-1, keepdims=True) < 0.0, -turns, turns)
    mean = quat.normalize(near.sum(axis=0))
    for _ in range(3):
        mean = quat.multiply(mean, quat.exp(quat.log(quat.multiply(quat.conjugate(mean), near)).mean(axis=0)))
    return quat.normalize(mean)


def _away(mean: Float[np.ndarray, "joints 4"], turns: Float[np.ndarray, "n joints 4"]) -> np.ndarray:
    return quat.log(quat.multiply(quat.conjugate(mean), turns)).astype(np.float32)


def _foot_rows(skeleton: Skeleton, mean: Float[np.ndarray, "joints 4"], loop: Loop) -> np.ndarray:
    rows = np.zeros((2, loop.feet.shape[1], 9), dtype=np.float32)
    rows[..., :6] = loop.feet
    for k, side in enumerate(SIDES):
        if skeleton.has(f"{side}_toe"):
            toe = skeleton.joint(f"{side}_toe")
            rows[k, :, 6:] = _away(mean[[toe]], loop.toes[k][:, None])[:, 0]
    return rows


def _straightest(bent: Motion) -> float:
    from footfall.analysis.certificate import leg_extension

    return leg_extension(bent) or 1.0
