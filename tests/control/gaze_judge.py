"""Judges of a gaze: rays and angles measured on finished poses, and figures that look."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

import numpy as np
from jaxtyping import Float
from scipy.spatial.transform import Rotation

from footfall.actor.virtual_actor import VirtualActor
from footfall.control.gaze import GazeController
from footfall.control.tick import Tick
from footfall.figure.motion import Motion
from footfall.figure.pose import Pose
from footfall.figure.skeleton import Skeleton

EYES = ("left_eye", "right_eye")


@cache
def idle() -> Motion:
    return VirtualActor().idle(8.0).motion


def skeleton() -> Skeleton:
    return idle().skeleton


def standing(frame: int = 0) -> Pose:
    return Pose(idle().root[frame], idle().rotations[frame])


def without_roles(*roles: str) -> Skeleton:
    """The same figure, of which less is known."""
    figure = skeleton()
    return replace(figure, roles={role: j for role, j in figure.roles.items() if role not in roles})


def ray(figure: Skeleton, pose: Pose, role: str) -> tuple[Float[np.ndarray, "3"], Float[np.ndarray, "3"]]:
    """From where, and whereto, a joint looks that looks ahead at rest."""
    places, turns = pose.forward(figure)
    joint = figure.joint(role)
    now, rest = (Rotation.from_quat(q[joint], scalar_first=True) for q in (turns, figure.rest_orientations))
    return places[joint], (now * rest.inv()).apply([0.0, 0.0, 1.0])


def off_target(figure: Skeleton, pose: Pose, target: Sequence[float], roles: Sequence[str] = EYES) -> float:
    """Degrees by which the worst ray misses a point."""
    worst = 0.0
    for role in roles:
        place, forward = ray(figure, pose, role)
        away = np.asarray(target) - place
        worst = max(worst, np.arctan2(np.linalg.norm(np.cross(forward, away)), forward @ away))
    return float(np.degrees(worst))


def aside(figure: Skeleton, pose: Pose, role: str) -> float:
    """Degrees to the left of +Z."""
    forward = ray(figure, pose, role)[1]
    return float(np.degrees(np.arctan2(forward[0], forward[2])))


def between_eyes(figure: Skeleton, pose: Pose) -> Float[np.ndarray, "3"]:
    return np.mean([ray(figure, pose, role)[0] for role in EYES], axis=0)


@cache
def _standing_eyes() -> Float[np.ndarray, "3"]:
    return between_eyes(skeleton(), standing())


def seen_at(turn: float, nod: float = 0.0, far: float = 2.0, pose: Pose | None = None) -> np.ndarray:
    """A point so many degrees to the left, and up, of what is straight ahead of the eyes."""
    a, b = np.radians([turn, nod])
    middle = _standing_eyes() if pose is None else between_eyes(skeleton(), pose)
    return middle + far * np.array([np.sin(a) * np.cos(b), np.sin(b), np.cos(a) * np.cos(b)])


def looked(
    gaze: GazeController,
    seconds: float,
    script: Callable[[GazeController, float], None] | None = None,
    *,
    fps: float = 60.0,
    pose: Pose | None = None,
) -> list[Pose]:
    """What a gaze makes of one pose that stays."""
    base = standing() if pose is None else pose
    made = [base]
    for k in range(round(seconds * fps)):
        if script is not None:
            script(gaze, k / fps)
        made.append(gaze.update(Tick(base, made[-1], k / fps, 1.0 / fps, None)))
    return made[1:]


def world_turns(figure: Skeleton, poses: Sequence[Pose], role: str) -> Rotation:
    joint = figure.joint(role)
    all_at_once = Pose(np.stack([p.root for p in poses]), np.stack([p.rotations for p in poses]))
    return Rotation.from_quat(all_at_once.forward(figure)[1][:, joint], scalar_first=True)


def velocities(
    figure: Skeleton, poses: Sequence[Pose], role: str, fps: float
) -> Float[np.ndarray, "frames 3"]:
    """Degrees a second in the world."""
    turns = world_turns(figure, poses, role)
    return np.degrees((turns[1:] * turns[:-1].inv()).as_rotvec()) * fps
