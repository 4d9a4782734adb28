"""Motions that a writer must manage, each with one thing that is unusual about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat
from tests.figure.figures import framed, humanoid, in_frames, random_skeleton, smooth_motion

ODD_NAMES = (
    "mixamorig:Hips",
    "Knöchel_L",
    "左足",
    'a "quoted" name',
    "back\\slash",
    "tab\tand\nnewline",
    "  spaces around  ",
    "{braces}",
    "nul\x00and\x7f",
    "🦶",
    "End Site",
    "/pa/th/../x",
    "%41",
    "x" * 300,
)


def person(*, frames: int = 48, translations: bool = False) -> Motion:
    return smooth_motion(humanoid(), frames=frames, translations=translations)


def with_own_frames() -> Motion:
    """Every joint's frame turned at random, so that the rest pose is all rotations."""
    return in_frames(person(), framed(humanoid(), seed=3))


def with_own_frames_and_translations() -> Motion:
    return in_frames(person(translations=True), framed(humanoid(), seed=4))


def chain(names: tuple[str, ...]) -> Motion:
    """Joints one after the other under these names."""
    offsets = np.tile([0.05, 0.1, 0.02], (len(names), 1))
    return smooth_motion(Skeleton.build(names, range(-1, len(names) - 1), offsets), frames=5)


def without_size() -> Motion:
    """A person whose bones all have no length."""
    skeleton = humanoid()
    nowhere = replace(skeleton, offsets=0 * skeleton.offsets, end_offsets=0 * skeleton.end_offsets)
    return smooth_motion(nowhere, frames=3)


def with_root_offset() -> Motion:
    """A root whose idle offset is not zero, as many files have it."""
    motion = person(frames=3)
    offsets = np.array(motion.skeleton.offsets)
    offsets[0] = [0.1, 0.9, -0.2]
    return replace(motion, skeleton=replace(motion.skeleton, offsets=offsets))


def with_measured_feet() -> Motion:
    """Foot points that differ from the defaults and between the feet."""
    motion = person(frames=3)
    skeleton = motion.skeleton
    points = {side: skeleton.foot_points(side) for side in skeleton.sides}
    moved = {
        side: replace(p, heel=1.1 * p.heel, toe=(1.2 + 0.1 * i) * p.toe)
        for i, (side, p) in enumerate(points.items())
    }
    return replace(motion, skeleton=skeleton.with_feet(**moved))


def hanging() -> Motion:
    """Arms and no legs."""
    names = ("hips", "chest", "LeftUpperArm", "LeftForearm", "LeftHand", "RightUpperArm", "RightForearm")
    parents = (-1, 0, 1, 2, 3, 1, 5)
    return smooth_motion(Skeleton.build(names, parents, np.eye(7, 3) + 0.1), frames=4)


def far_away() -> Motion:
    motion = person(frames=10)
    return replace(motion, root=motion.root + np.array([30.0, 2.0, -40.0]))


def long_and_fast() -> Motion:
    """A minute at 240 Hz: single precision must still tell the frames apart."""
    skeleton = random_skeleton(1, joints=2)
    return smooth_motion(skeleton, frames=14_400, fps=240.0)


def turning() -> Motion:
    """One joint that turns round and round, told by quaternions of either sign."""
    skeleton = random_skeleton(2, joints=3)
    angles = np.linspace(0, 40 * np.pi, 500)
    rotations = quat.identity(500, 3)
    rotations[:, 1] = quat.from_axis_angle(np.array([0.3, 1.0, 0.2]), angles)
    signs = np.random.default_rng(0).choice([-1.0, 1.0], (500, 3, 1))
    return Motion(skeleton, np.zeros((500, 3)), signs * rotations, 60.0)


MADE: dict[str, Callable[[], Motion]] = {
    "person": person,
    "person with translations": lambda: person(translations=True),
    "person in own frames": with_own_frames,
    "person in own frames with translations": with_own_frames_and_translations,
    "person with measured feet": with_measured_feet,
    "person with a root offset": with_root_offset,
    "no frames": lambda: person(frames=1)[:0],
    "one frame": lambda: person(frames=1),
    "one frame with translations": lambda: person(frames=1, translations=True),
    "odd rate": lambda: replace(person(frames=7), fps=23.976),
    "one joint": lambda: smooth_motion(random_skeleton(5, joints=1), frames=4),
    "random skeleton": lambda: smooth_motion(random_skeleton(6), frames=20),
    "300 joints": lambda: smooth_motion(random_skeleton(7, joints=300), frames=6),
    "257 joints with translations": lambda: smooth_motion(
        random_skeleton(8, joints=257), frames=3, translations=True
    ),
    "arms without legs": hanging,
    "odd names": lambda: chain(ODD_NAMES),
    "duplicate names": lambda: chain(("a", "b", "a", "b", "b")),
    "no size": without_size,
    "far away": far_away,
    "long and fast": long_and_fast,
    "turning": turning,
}
