"""What a reader hands over: plain arrays in the file's own unit and axes, nothing decided yet.

Readers only read. Unit, up axis, rest pose and artificial first frames are decided once, in `assemble`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from footfall.errors import LoadError
from footfall.figure.feet import FootPoints

if TYPE_CHECKING:
    from jaxtyping import Float

MAX_JOINTS = 4096
# Arrays made from a file may be this many times its size, plus an allowance
EXPANSION = 200
ALLOWANCE = 64 << 20  # bytes


@dataclass(frozen=True, eq=False)
class Take:
    """A skeleton and its frames as a file states them; `rotations` are whole local rotations."""

    names: list[str]
    parents: list[int]
    offsets: Float[np.ndarray, "joints 3"]
    root: Float[np.ndarray, "frames 3"]
    rotations: Float[np.ndarray, "frames joints 4"]
    fps: float | None
    translations: Float[np.ndarray, "frames joints 3"] | None = None
    end_parents: list[int] = field(default_factory=list)
    end_offsets: Float[np.ndarray, "ends 3"] = field(default_factory=lambda: np.zeros((0, 3)))
    rest: Float[np.ndarray, "joints 4"] | None = None  # None: the pose of no rotation
    unit: float | None = None  # metres in one file unit, where the format states it
    up: str | None = None  # "y" or "z", where the format states it
    instants: Mapping[str, float] = field(default_factory=dict)  # named times in seconds
    notes: tuple[str, ...] = ()
    saved: Saved | None = None  # what footfall itself wrote into the file


@dataclass(frozen=True, eq=False)
class Saved:
    """Kept by our own files, so that nothing is judged again: roles by joint, and the soles."""

    roles: Mapping[str, int]
    feet: Mapping[str, FootPoints]


def check_size(frames: int, joints: int, file_bytes: int) -> None:
    """Refuses what would take far more memory than the file: a header can announce anything."""
    if joints > MAX_JOINTS:
        raise LoadError(f"{joints} joints are more than the {MAX_JOINTS} that footfall reads")
    if frames * joints * 56 > ALLOWANCE + EXPANSION * file_bytes:
        raise LoadError(f"{frames} frames of {joints} joints cannot come from {file_bytes} bytes")
