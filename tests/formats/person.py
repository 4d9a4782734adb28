"""A small person and how it moves: what specimens of all formats tell in their own words."""

from __future__ import annotations

import numpy as np

from footfall.geometry import quaternion as quat

# Name, parent and offset in metres of a person with legs and a head, so that unit and axes are judged
PERSON = {
    "Hips": ("", (0.0, 0.93, 0.0)),
    "Spine": ("Hips", (0.0, 0.12, 0.0)),
    "Head": ("Spine", (0.0, 0.45, 0.01)),
    "LeftThigh": ("Hips", (0.09, -0.02, 0.0)),
    "LeftShank": ("LeftThigh", (0.0, -0.42, 0.01)),
    "LeftFoot": ("LeftShank", (0.0, -0.41, -0.02)),
    "RightThigh": ("Hips", (-0.09, -0.02, 0.0)),
    "RightShank": ("RightThigh", (0.0, -0.42, 0.01)),
    "RightFoot": ("RightShank", (0.0, -0.41, -0.02)),
}
FRAMES = 6


def swing(joints: int) -> np.ndarray:
    """Every joint turns back and forth about x."""
    angles = 0.4 * np.sin(np.arange(FRAMES)[:, None] + np.arange(joints))
    return quat.from_axis_angle(np.array([1.0, 0.0, 0.0]), angles)


def root_path() -> np.ndarray:
    return np.stack([np.zeros(FRAMES), np.full(FRAMES, 0.93), 0.1 * np.arange(FRAMES)], axis=-1)


def children(name: str) -> list[str]:
    return [child for child, (parent, _) in PERSON.items() if parent == name]
