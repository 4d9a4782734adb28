"""Frames of joined steps in plain NumPy: what the compiled frames are held against."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from jaxtyping import Float

from footfall.adapt.legroom import Leg, coming_down
from footfall.adapt.legs_to_feet import hips_of, leg_lengths, legs_to_feet
from footfall.adapt.toes import STEEP, raised_toes
from footfall.figure.contacts import SIDES, Contacts
from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.figure.sole import Sole
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.models.stepspace.body_channels import ROOT
from footfall.models.stepspace.curves import Moments
from footfall.models.stepspace.feet import FootWay
from footfall.models.stepspace.joined import JoinedSteps
from footfall.models.stepspace.legs_kernel import EASY, FLYING
from footfall.models.stepspace.planned import PlannedSteps
from footfall.models.stepspace.stage import Stage
from footfall.models.stepspace.toe_ground import FAR_DOWN, LOOK_DOWN, SHARES
from footfall.world.terrain import Ground
from tests.models.stepspace.plain_feet import feet_on_prints
from tests.models.stepspace.plain_heels import heels_raised


def plainly_performed(
    stage: Stage,
    planned: PlannedSteps,
    steps: JoinedSteps,
    times: Float[np.ndarray, "frames"],
    fps: float,
    terrain: Ground | None = None,
) -> tuple[Motion, Float[np.ndarray, "frames"]]:
    """The motion at times from the first step's start, and how far its body came down."""
    seconds = steps.times[:, -1]
    starts = np.concatenate([[0.0], np.cumsum(seconds)[:-1]])
    moments = Moments.of(times, starts, steps.times)
    body = moments.at(steps.body, steps.body_slopes)
    ways = feet_on_prints(stage.soles, planned, steps, moments)
    return _stood(stage, body[:, ROOT], stage.channels.rotations(body), ways, fps, terrain)


def _stood(
    stage: Stage,
    root: Float[np.ndarray, "frames 3"],
    rotations: Float[np.ndarray, "frames joints 4"],
    ways: dict[str, FootWay],
    fps: float,
    terrain: Ground | None,
) -> tuple[Motion, Float[np.ndarray, "frames"]]:
    """The body come down where a leg would be too short, and the legs solved to end in their feet."""
    skeleton, legs = stage.skeleton, stage.legs
    hips = hips_of(skeleton, legs, root, rotations)
    blended = leg_lengths(skeleton, legs, rotations)
    ways = {s: heels_raised(Sole.of(skeleton, s), ways[s], hips[s][0], legs[s].reach, fps) for s in legs}
    reaching = {s: Leg(legs[s].reach, hips[s][0], ways[s], blended[s], EASY, FLYING) for s in legs}
    down = coming_down(list(reaching.values()), fps)
    feet = {}
    for side, leg in reaching.items():
        way = leg.drawn_in(down)
        if way.toe is not None:
            toes = quat.slerp(rotations[:, skeleton.joint(f"{side}_toe")], way.toe, way.bound)
            level = way.level if terrain is None else _under_toes(skeleton, side, way, toes, terrain)
            air = way.share > 0.0
            way = replace(way, toe=raised_toes(skeleton, side, way.ankle, way.turn, toes, level, air, STEEP))
        feet[side] = way
    rotations = legs_to_feet(skeleton, legs, rotations, hips, down, feet)
    contacts = Contacts(
        np.stack([feet[s].heel_down for s in SIDES], axis=1),
        np.stack([feet[s].toe_down for s in SIDES], axis=1),
    )
    root = root - down[:, None] * ground.UP
    return Motion(skeleton, root, quat.continuous(rotations), fps, contacts=contacts), down


def _under_toes(
    skeleton: Skeleton,
    side: str,
    way: FootWay,
    toes: Float[np.ndarray, "frames 4"],
    terrain: Ground,
) -> Float[np.ndarray, "frames"]:
    """The height of the ground under the tips of toes, be they bent, straight, or raised over the two."""
    sole = Sole.of(skeleton, side)
    straight = np.broadcast_to(skeleton.rest[skeleton.joint(f"{side}_toe")], toes.shape)

    joint = way.ankle + quat.rotate(way.turn, skeleton.offsets[skeleton.joint(f"{side}_toe")])

    def under(bent: Float[np.ndarray, "frames 4"]) -> Float[np.ndarray, "frames"]:
        tip = sole.points(way.ankle, way.turn, bent)[:, 3]
        levels = []
        for share in SHARES:
            x, _, z = (joint + share * (tip - joint)).T
            height = terrain.height(x, z, way.ankle[:, 1] + LOOK_DOWN)
            levels.append(joint[:, 1] + (height - joint[:, 1]) / share)
        return np.where(np.isfinite(levels), levels, -FAR_DOWN).max(axis=0)

    found = np.maximum(under(toes), under(straight))
    free = np.ones(len(toes), dtype=bool)
    raised = raised_toes(skeleton, side, way.ankle, way.turn, toes, found, free, STEEP)
    return np.maximum(found, under(raised))
