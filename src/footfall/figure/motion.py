"""A motion: poses of one skeleton at a steady rate. Frozen; every change makes a new one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from footfall.errors import NO_NUMBER, RequestError
from footfall.figure import kinematics
from footfall.figure.contacts import Contacts, joined
from footfall.figure.frozen import frozen_array
from footfall.figure.pose import Pose
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat

if TYPE_CHECKING:
    from jaxtyping import Float

RATES = (1e-6, 1e6)  # Hz; beyond these, times run out of the digits that files keep


@dataclass(frozen=True, eq=False)
class Motion:
    """Frames of a skeleton. The time axis is the last before the joints; axes before it are a batch.

    `translations`, where a file has them, stand in for the offsets of all joints but the root, frame by
    frame; most motions have none.
    """

    skeleton: Skeleton
    root: Float[np.ndarray, "*batch frames 3"]
    rotations: Float[np.ndarray, "*batch frames joints 4"]
    fps: float
    translations: Float[np.ndarray, "*batch frames joints 3"] | None = None
    contacts: Contacts | None = None  # known by construction: synthesizers and the actor attach theirs

    def __post_init__(self) -> None:
        joints = len(self.skeleton)
        put = object.__setattr__
        put(self, "root", frozen_array(self.root, "root", shape=(None, 3)))
        put(self, "rotations", frozen_array(self.rotations, "rotations", shape=(None, joints, 4)))
        put(self, "fps", checked_rate(self.fps))
        if self.root.shape[:-1] != self.rotations.shape[:-2]:
            raise RequestError(
                f"root {self.root.shape} and rotations {self.rotations.shape} must have the same frames"
            )
        if self.translations is not None:
            put(
                self, "translations", frozen_array(self.translations, "translations", shape=(None, joints, 3))
            )
            if self.translations.shape[:-1] != self.rotations.shape[:-1]:
                raise RequestError("translations and rotations must have the same frames")
        if self.contacts is not None and len(self.contacts) != len(self):
            raise RequestError(f"contacts of {len(self.contacts)} frames do not fit {len(self)} frames")

    def __len__(self) -> int:
        return self.root.shape[-2]

    @property
    def seconds(self) -> float:
        """Time from the first frame to the last."""
        return max(len(self) - 1, 0) / self.fps

    @property
    def times(self) -> Float[np.ndarray, "frames"]:
        return np.arange(len(self)) / self.fps

    @cached_property
    def _forward(self) -> tuple[Float[np.ndarray, "*frames joints 3"], Float[np.ndarray, "*frames joints 4"]]:
        world = kinematics.forward(
            self.skeleton.tree, self.skeleton.offsets, self.root, self.rotations, self.translations
        )
        for array in world:
            array.flags.writeable = False
        return world

    @property
    def positions(self) -> Float[np.ndarray, "*batch frames joints 3"]:
        """World positions of the joints (computed once)."""
        return self._forward[0]

    @property
    def orientations(self) -> Float[np.ndarray, "*batch frames joints 4"]:
        """World orientations of the joints (computed once)."""
        return self._forward[1]

    @property
    def ends(self) -> Float[np.ndarray, "*batch frames ends 3"]:
        """World positions of the end sites."""
        return kinematics.attached(*self._forward, self.skeleton.end_parents, self.skeleton.end_offsets)

    def of(self, role: str) -> Float[np.ndarray, "*batch frames 3"]:
        """World positions of the joint that plays a role."""
        return self.positions[..., self.skeleton.joint(role), :]

    def pose(self, frame: int) -> Pose:
        if not -len(self) <= frame < len(self):
            raise RequestError(f"frame {frame} is outside the motion's {len(self)} frames")
        moved = None if self.translations is None else self.translations[..., frame, :, :]
        return Pose(self.root[..., frame, :], self.rotations[..., frame, :, :], moved)

    def __getitem__(self, frames: slice) -> Motion:
        """Frames by slice: `motion[10:50]`, `motion[::2]` (which halves the rate)."""
        if not isinstance(frames, slice):
            raise TypeError("a motion is sliced by a range of frames; use .pose(frame) for one")
        if frames.step is not None and frames.step < 1:
            raise RequestError("a motion is sliced forwards")
        return replace(
            self,
            root=self.root[..., frames, :],
            rotations=self.rotations[..., frames, :, :],
            translations=None if self.translations is None else self.translations[..., frames, :, :],
            contacts=None if self.contacts is None else self.contacts.frames(frames),
            fps=self.fps / (frames.step or 1),
        )

    def between(self, start: float | None, end: float | None) -> Motion:
        """The frames from `start` to `end` seconds, both included."""
        first = 0.0 if start is None else np.ceil(_seconds(start) * self.fps - 1e-6)
        last = np.inf if end is None else np.floor(_seconds(end) * self.fps + 1e-6) + 1
        last = np.minimum(last, len(self))
        if not 0 <= first < last:
            raise RequestError(
                f"no frame lies between {start!r:.40} and {end!r:.40} s; "
                f"the motion runs from 0 to {self.seconds:.3f} s"
            )
        return self[int(first) : int(last)]

    def with_rotations(
        self,
        rotations: Float[np.ndarray, "*frames joints 4"],
        root: Float[np.ndarray, "*frames 3"] | None = None,
    ) -> Motion:
        return replace(self, rotations=rotations, root=self.root if root is None else root)

    def __repr__(self) -> str:
        length = f"{len(self)} frames at {self.fps:g} Hz, {self.seconds:.2f} s"
        return f"Motion({length}, {len(self.skeleton)} joints)"


def _seconds(time: object) -> float:
    """A time, or not a number; no motion has a frame there."""
    try:
        return float(time)  # type: ignore[arg-type]
    except NO_NUMBER:
        return np.nan


def checked_rate(fps: float) -> float:
    """A frame rate, or a refusal."""
    try:
        rate = float(fps)
    except NO_NUMBER:
        rate = np.nan
    if not RATES[0] <= rate <= RATES[1]:
        raise RequestError(
            f"the frame rate must be a positive number from {RATES[0]:g} to {RATES[1]:g}, not {fps!r:.40}"
        )
    return rate


def concatenate(motions: Sequence[Motion]) -> Motion:
    """Motions one after the other, as they are: same skeleton and frame rate, no smoothing."""
    if not motions:
        raise RequestError("nothing to concatenate")
    first = motions[0]
    for other in motions[1:]:
        if not first.skeleton.same_bones(other.skeleton):
            raise RequestError("motions of different skeletons cannot be concatenated; retarget them first")
        if abs(other.fps - first.fps) > 1e-6 * first.fps:
            raise RequestError(f"frame rates differ ({first.fps:g} and {other.fps:g} Hz); resample first")
    moved = None
    if any(m.translations is not None for m in motions):
        moved = np.concatenate([local_translations(m) for m in motions], axis=-3)
    rotations = np.concatenate([np.moveaxis(m.rotations, -3, 0) for m in motions])
    return replace(
        first,
        root=np.concatenate([m.root for m in motions], axis=-2),
        rotations=np.moveaxis(quat.continuous(rotations), 0, -3),
        translations=moved,
        contacts=joined([m.contacts for m in motions]),
    )


def local_translations(motion: Motion) -> Float[np.ndarray, "*frames joints 3"]:
    """Each joint's place in its parent's frame, frame by frame: translations, else the offsets."""
    if motion.translations is not None:
        return motion.translations
    return np.broadcast_to(motion.skeleton.offsets, (*motion.rotations.shape[:-1], 3))
