"""Reach libraries that tests share, each built once."""

from __future__ import annotations

from functools import cache

import numpy as np

import footfall as ff
from footfall.figure import kinematics
from footfall.figure.motion import Motion
from footfall.models.reach.build import build_reach
from footfall.models.reach.effector import palm_point
from footfall.models.reach.model import ReachLibrary
from tests.captures import captures


@cache
def session() -> tuple[ff.Example, ...]:
    return tuple(e for e in ff.VirtualActor().perform("body") if e.kind == "reach")


@cache
def actor_library() -> ReachLibrary:
    """The session of [body]: sixteen reaches an arm, one of both hands, three of one who sits."""
    return build_reach(session())


@cache
def bare_library() -> ReachLibrary:
    """The same without pseudo-examples."""
    return build_reach(session(), pseudo_examples=False)


@cache
def captured_library() -> ReachLibrary:
    return build_reach([ff.load_motion(path) for path in sorted(captures("reach").glob("*.skm"))])


def palms(motion: Motion, side: str) -> np.ndarray:
    """Where a palm is, frame by frame, by plain forward kinematics."""
    skeleton = motion.skeleton
    return kinematics.attached(
        motion.positions,
        motion.orientations,
        [skeleton.joint(f"{side}_hand")],
        palm_point(skeleton, side)[None],
    )[:, 0]


def hardest(track: np.ndarray, fps: float) -> float:
    """The largest acceleration of a point, m/s2."""
    return float(np.linalg.norm(np.diff(track, 2, axis=0), axis=1).max()) * fps * fps
