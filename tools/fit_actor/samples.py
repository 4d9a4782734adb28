"""Clips as samples: one steady cycle each, told by phase, with its features."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float
from tools.fit_actor.captures import Clip
from tools.fit_actor.cycles import CLIMBING, family_of, is_steady
from tools.fit_actor.feet import sole_pitch
from tools.fit_actor.posture import posture_rotations, turns_of
from tools.fit_actor.scalars import scalars_of

from footfall import detect_contacts, detect_plants, mirror
from footfall.actor.curves import POSTURE, features_of
from footfall.actor.humanoid import humanoid
from footfall.analysis.cycles import Cycle, detect_cycles
from footfall.analysis.facing import root_headings
from footfall.analysis.plants import Plant
from footfall.figure.motion import Motion
from footfall.geometry import quaternion as quat

PHASES = 96
SHARE = np.linspace(0.0, 1.0, PHASES, endpoint=False)


@dataclass(frozen=True, eq=False)
class Sample:
    """One cycle as the fit sees it."""

    clip: str
    person: str
    family: str
    features: dict[str, float]
    posture: Float[np.ndarray, "phases roles 3"]
    height: Float[np.ndarray, "phases"]  # of the hips over the ground, of leg length
    scalars: dict[str, Float[np.ndarray, "values"]]


@dataclass(frozen=True, eq=False)
class View:
    """A clip on the actor's figure, seen as it is or in a mirror, with its left foot's plants."""

    motion: Motion
    height: Float[np.ndarray, "frames"]  # of the hips, m
    pitch: Float[np.ndarray, "frames"]  # of the left sole
    cycles: tuple[Cycle, ...]
    plants: dict[int, Plant]  # of the left foot, by first frame


def samples(clip: Clip) -> Iterator[Sample]:
    """All cycles of both feet that belong to a family; those of the right foot mirrored."""
    height = hips_over_soles(clip.captured)
    for seen in (
        view(clip.motion, clip.captured, height),
        view(mirror(clip.motion), mirror(clip.captured), height),
    ):
        for cycle in seen.cycles:
            family = family_of(cycle)
            if family is None or cycle.foot != "left" or seen.plants[cycle.start].flat is None:
                continue
            if family in CLIMBING or is_steady(seen.motion, cycle):
                yield sample(clip, family, seen, cycle)


def view(motion: Motion, captured: Motion, height: Float[np.ndarray, "frames"]) -> View:
    # read from the capture: retargeting pins feet, and pinned feet stand longer
    contacts = detect_contacts(captured)
    plants = detect_plants(motion, contacts)
    own = {plant.start: plant for plant in plants if plant.foot == "left"}
    cycles = detect_cycles(motion, contacts, plants)
    return View(motion, height, sole_pitch(captured), cycles, own)


def sample(clip: Clip, family: str, seen: View, cycle: Cycle) -> Sample:
    motion = seen.motion
    plant, landing = seen.plants[cycle.start], seen.plants[cycle.end]
    frames = np.linspace(cycle.start, cycle.end, PHASES, endpoint=False)
    # the ground under the body: halfway between both feet in the middle of the double support
    level = plant.level + (SHARE - 0.25 - 0.25 * cycle.double_support) * (landing.level - plant.level)
    hips = np.interp(frames, np.arange(len(motion)), seen.height)
    return Sample(
        clip=clip.file,
        person=clip.person,
        family=family,
        features=features_of(cycle.speed, cycle.side_speed, cycle.turn_rate, cycle.slope),
        posture=posture_at(motion, cycle, frames),
        height=(hips - level) / motion.skeleton.leg_length(),
        scalars=scalars_of(motion, seen.pitch, cycle, plant),
    )


def posture_at(
    motion: Motion, cycle: Cycle, frames: Float[np.ndarray, "phases"]
) -> Float[np.ndarray, "phases roles 3"]:
    """Turns between frames; the hips' relative to a heading that turns evenly over the cycle."""
    headings = np.unwrap(root_headings(motion))
    way = headings[cycle.start] + SHARE * (headings[cycle.end] - headings[cycle.start])
    before = np.floor(frames).astype(int)
    after = np.minimum(before + 1, len(motion) - 1)
    rotations = posture_rotations(motion)
    between = np.broadcast_to((frames - before)[:, None], (PHASES, len(POSTURE)))
    return turns_of(quat.slerp(rotations[before], rotations[after], between), way)


def hips_over_soles(captured: Motion) -> Float[np.ndarray, "frames"]:
    """The hips' height as the actor's figure would have it whose legs are bent as the captured ones are.

    Not read off the retargeted motion: real legs are all but straight, and retargeting makes room.
    """
    figure, own = humanoid(), captured.skeleton
    scale = figure.leg_length() / own.leg_length()
    joints = 0.5 * (captured.of("left_thigh") + captured.of("right_thigh"))[:, 1]
    own_depth, depth = (
        np.mean([np.linalg.norm(s.foot_points(side).subtalar) for side in s.sides]) for s in (own, figure)
    )
    over = -figure.offsets[figure.joint("left_thigh")][1]
    return scale * (joints - own_depth) + depth + over


def counterpart(seen: Sample) -> Sample:
    """The same cycle seen in a mirror, half a cycle later: people are as good as symmetric."""
    half = PHASES // 2
    swapped = [POSTURE.index(_other(role)) for role in POSTURE]
    # mirrored across the sagittal plane a rotation vector keeps x and changes y and z
    posture = np.roll(seen.posture, -half, axis=0)[:, swapped] * np.array([1.0, -1.0, -1.0])
    features = seen.features | {name: -seen.features[name] for name in ("turn", "side")}
    return replace(seen, posture=posture, height=np.roll(seen.height, -half), features=features)


def _other(role: str) -> str:
    if role.startswith("left_"):
        return "right_" + role.removeprefix("left_")
    return "left_" + role.removeprefix("right_") if role.startswith("right_") else role
