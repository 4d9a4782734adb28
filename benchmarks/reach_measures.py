"""Reaches of a controller, frame by frame: how near, how smooth, and where the feet are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from tests.captures import FOLDER

from footfall.actor.virtual_actor import VirtualActor
from footfall.analysis.self_contact import self_contact
from footfall.control.reach import ReachController
from footfall.control.tick import Tick
from footfall.figure import kinematics
from footfall.figure.motion import Motion
from footfall.figure.pose import Pose
from footfall.formats.load import load_motion
from footfall.models.reach.build import build_reach
from footfall.models.reach.model import ReachLibrary
from footfall.models.reach.reach_set import ReachSet

FPS = 60.0
LONGEST = 6.0  # s until a hand has arrived, or never does
HAND = "right"


@dataclass(frozen=True, eq=False)
class Source:
    """Where reaches come from, and the library with and without pseudo-examples."""

    name: str
    library: ReachLibrary
    bare: ReachLibrary

    @property
    def set(self) -> ReachSet:
        return self.library.set_of(HAND)

    @property
    def rest(self) -> Pose:
        """Standing at rest, as the examples begin; in the frame that targets are told in."""
        example = self.set.examples[0]
        return example.motion.pose(round(example.lead * example.motion.fps))


@cache
def sources() -> tuple[Source, ...]:
    examples = [e for e in VirtualActor().perform("body") if e.kind == "reach"]
    found = [Source("actor", build_reach(examples), build_reach(examples, pseudo_examples=False))]
    files = sorted(Path(FOLDER, "reach").glob("*.skm"))
    if files:
        clips = [load_motion(file) for file in files]
        found.append(Source("captured", build_reach(clips), build_reach(clips, pseudo_examples=False)))
    return tuple(found)


@dataclass(frozen=True, eq=False)
class Track:
    """One run: palms and feet frame by frame, and the controller at its end."""

    palms: np.ndarray
    feet: np.ndarray  # how far from where they stood, m
    turns: np.ndarray  # the largest turn of a joint from frame to frame, rad
    missed: np.ndarray  # as the controller tells it
    controller: ReachController
    motion: Motion

    @property
    def in_the_body(self) -> float:
        """How deep the arm that reaches is in trunk, head, legs or the other arm at most, m."""
        found = self_contact(self.motion)
        own = (f"{HAND}_upper_arm", f"{HAND}_forearm", f"{HAND}_hand")
        return max(
            float(d) for pair, d in zip(found.pairs, found.depths, strict=True) if set(pair) & set(own)
        )

    @property
    def hardest(self) -> float:
        return hardest(self.palms, FPS)


def hardest(track: np.ndarray, fps: float) -> float:
    """The largest acceleration of a point, m/s2."""
    return float(np.linalg.norm(np.diff(track, 2, axis=0), axis=1).max()) * fps * fps


def examples_hardest(source: Source) -> float:
    """Of the examples' palms, seen at the same rate as what is measured."""
    own, worst = source.set, 0.0
    for k, example in enumerate(own.examples):
        times = np.arange(int(example.keytimes[-1] * FPS)) / FPS
        rows = own.tables.example_rows(k, times)
        rotations = rows[:, 3:].reshape(len(rows), -1, 4)
        rotations = rotations / np.linalg.norm(rotations, axis=-1, keepdims=True)
        worst = max(worst, hardest(palms_of(source, rows[:, :3], rotations), FPS))
    return worst


def palms_of(source: Source, root: np.ndarray, rotations: np.ndarray) -> np.ndarray:
    """By plain forward kinematics."""
    own = source.set
    places, turns = Pose(root, rotations).forward(own.skeleton)
    return kinematics.attached(places, turns, own.hand_joints, own.palms)[..., 0, :]


def run(source: Source, frames: int, orders: Callable[[ReachController, int], bool | None]) -> Track:
    """Some frames on a figure that stands; `orders` are given before each, True ends the run."""
    controller, rest, own = ReachController(source.library), source.rest, source.set
    poses, missed = [rest], [0.0]
    for k in range(frames):
        if orders(controller, k):
            break
        poses.append(controller.update(Tick(rest, poses[-1], k / FPS, 1.0 / FPS, None)))
        missed.append(controller.missed)
    root, rotations = np.array([p.root for p in poses]), np.array([p.rotations for p in poses])
    motion = Motion(own.skeleton, root, rotations, FPS)
    places = motion.positions
    joints = [own.skeleton.joint(f"{side}_foot") for side in own.skeleton.sides]
    feet = np.linalg.norm(places[:, joints] - places[0, joints], axis=-1).max(axis=-1)
    dots = np.abs(np.sum(rotations[1:] * rotations[:-1], axis=-1))
    turns = 2.0 * np.arccos(np.clip(dots, 0.0, 1.0)).max(axis=-1)
    return Track(palms_of(source, root, rotations), feet, turns, np.array(missed), controller, motion)


def to_a_target(source: Source, target: np.ndarray, *, stays: int = 10) -> Track:
    """From rest until it is there, and a few frames more."""
    there = 0

    def orders(controller: ReachController, k: int) -> bool | None:
        nonlocal there
        if k == 0:
            controller.reach(target, hand=HAND)
        there += controller.stage == "on"
        return there > stays

    return run(source, int(LONGEST * FPS), orders)
