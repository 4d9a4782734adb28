"""How a figure stands: the posture to start from and to end in, measured where clips stand still.

Told beside the middle between the feet and the mean of their headings. Clips that never stand give the
posture of their slowest double stances, which is a stop in mid-walk rather than a stand.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float

from footfall.adapt.legs_to_feet import hips_of
from footfall.adapt.one_figure import CleanClip
from footfall.adapt.still_joints import mirrored_with_still_joints
from footfall.figure.contacts import SIDES
from footfall.figure.sole import Sole
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.geometry.easing import smooth
from footfall.models.stepspace.body_channels import ROOT, TILT, YAW, BodyChannels
from footfall.models.stepspace.edge import Edge, Stand
from footfall.models.stepspace.frame_tables import (
    ANKLE,
    HIP,
    PELVIS,
    SHARE,
    TOE,
    TURN,
    figure_of,
    frames_table,
)
from footfall.models.stepspace.stage import Stage

STILL = 0.06  # m/s of the hips: slower is a stand
SLOWEST = 0.02  # of the frames with both feet flat, where none is still
EVENLY = 0.15  # m by which one foot may be ahead of the other in a stand
EASY = 0.9925  # of a leg's length, in a stand
STRAIGHT = 0.985  # of a leg's length: up to that hips are higher than captured where knees were bent,
RISES = 0.04  # m at most
LOWEST = 0.5  # of a leg's length: the hips are no lower over the ankles
BESIDE, ASTRIDE = 0.35, 0.6  # m between feet: nearer is a stand, farther a step that is held
MOST = 200  # frames of one clip that are looked at


def standing_posture(clips: Sequence[CleanClip], channels: BodyChannels) -> Float[np.ndarray, "channels"]:
    """The median over the clips' own medians: one long idle take counts no more than a short one.

    Clips count in a mirror too, as their steps do: a plan's mirror image is stood in as the plan is.
    """
    seen = [_both_ways(clip, channels) for clip in clips]
    for fastest, astride in ((STILL, EVENLY), (STILL, np.inf), (np.inf, np.inf)):
        kept = []
        for rows, speed, ahead in seen:
            if len(rows):
                limit = fastest if np.isfinite(fastest) else float(np.quantile(speed, SLOWEST))
                still = (speed <= limit) & (ahead <= astride)
                if still.any():
                    kept.append(np.median(rows[still], axis=0))
        if kept:
            return np.median(kept, axis=0)
    return np.zeros(channels.count)


def _both_ways(clip: CleanClip, channels: BodyChannels) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    own = _stands(clip, channels)
    mirrored = CleanClip(mirrored_with_still_joints(clip.motion), clip.seen.swapped())
    seen = _stands(mirrored, channels)
    return (
        np.concatenate([own[0], seen[0]]),
        np.concatenate([own[1], seen[1]]),
        np.concatenate([own[2], seen[2]]),
    )


def _stands(clip: CleanClip, channels: BodyChannels) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Postures with both feet flat, how fast the hips are then, and how far one foot is ahead."""
    motion = clip.motion
    seen = clip.seen
    flat = np.flatnonzero(seen.flat("left") & seen.flat("right"))
    if not len(flat):  # a steady walk: at least with both feet down
        flat = np.flatnonzero(seen.stands("left") & seen.stands("right"))
    flat = flat[:: max(len(flat) // MOST, 1)]
    speed = np.linalg.norm(np.gradient(motion.of("hips"), axis=0), axis=-1)[flat] * motion.fps
    places, headings = [], []
    for side in SIDES:
        sole, foot = Sole.of(motion.skeleton, side), motion.skeleton.joint(f"{side}_foot")
        turn = motion.orientations[flat, foot]
        places.append(motion.positions[flat, foot] + quat.rotate(turn, sole.subtalar))
        headings.append(ground.heading_of(quat.rotate(turn, sole.ball - sole.heel)))
    facing = headings[0] + 0.5 * ground.wrap(headings[1] - headings[0])
    back = ground.turn(-facing)
    rows = channels.told(motion.root[flat], motion.rotations[flat])
    rows[:, ROOT] = quat.rotate(back, rows[:, ROOT] - 0.5 * (places[0] + places[1]))
    rows[:, YAW] = ground.wrap(rows[:, YAW] - facing)
    return rows, speed, np.abs(quat.rotate(back, places[0] - places[1])[:, 2])


def stand_on(posture: Float[np.ndarray, "channels"], edge: Edge, stage: Stage) -> Stand:
    """The posture over an edge's prints; where feet are far apart it is the step's own, held.

    The hips are as low as the legs need, and not much lower: some captures stand with bent knees.
    """
    from footfall.models.stepspace.frames_kernel import solve_legs

    places, headings = edge.places, edge.headings
    facing = headings[0] + 0.5 * ground.wrap(headings[1] - headings[0])
    body = np.array(posture)
    body[ROOT] = places.mean(axis=0) + quat.rotate(ground.turn(facing), body[ROOT])
    body[YAW] += edge.body[YAW] + ground.wrap(facing - edge.body[YAW])
    apart = float(np.linalg.norm((places[0] - places[1])[[0, 2]]))
    astride = float(smooth((apart - BESIDE) / (ASTRIDE - BESIDE)))
    body = body + astride * (edge.body - body)
    rolls = astride * np.maximum(edge.rolls, 0.0)
    frames = frames_table(1, len(stage.skeleton))
    frames.root[0], frames.rotations[0] = body[ROOT], stage.channels.rotations(body)
    hips = hips_of(stage.skeleton, stage.legs, frames.root, frames.rotations)
    low, high = 0.0, -RISES * (1.0 - astride)
    for k, (side, limb) in enumerate(stage.legs.items()):
        way, (hip, pelvis) = frames.ways[k, 0], hips[side]
        way[HIP : HIP + 3], way[PELVIS : PELVIS + 4] = hip[0], pelvis[0]
        _put_foot(stage, k, edge, rolls[k], way)
        away = hip[0] - way[ANKLE : ANKLE + 3]
        low = max(low, _too_high(away, EASY * limb.reach))
        high = max(high, _too_high(away, STRAIGHT * limb.reach))
    frames.down[0] = low if low > 0.0 else min(high, 0.0)
    # legs as they are on these prints: what comes after goes by how straight they are
    solve_legs(*figure_of(stage), *frames)
    solved = stage.channels.told(frames.root, frames.rotations)[0]
    body[ROOT.start + 1], body[TILT.stop :] = solved[ROOT.start + 1], solved[TILT.stop :]
    return Stand(body, rolls)


def _too_high(away: Float[np.ndarray, "3"], length: float) -> float:
    """m by which a hip must come down for its leg to be of a length; less than 0 where it may rise."""
    below = max(length**2 - away[0] ** 2 - away[2] ** 2, (LOWEST * length) ** 2)
    return float(away[1] - np.sqrt(below))


def _put_foot(stage: Stage, k: int, edge: Edge, roll: float, way: Float[np.ndarray, "way"]) -> None:
    """A foot on its print, its heel up by `roll`, its toe straight."""
    foot, turned = np.array([k]), np.array([[roll, 0.0, 0.0]])
    turn = quat.multiply(quat.exp(turned), stage.soles.lying[foot])
    ankle = stage.soles.about(foot, stage.soles.pivot(foot, turned), turn)
    facing = ground.turn(edge.headings[foot])
    way[ANKLE : ANKLE + 3] = edge.places[k] + quat.rotate(facing, ankle)[0]
    way[TURN : TURN + 4] = quat.multiply(facing, turn)[0]
    way[SHARE] = 0.0
    if stage.soles.toe_rest is not None:
        way[TOE : TOE + 4] = stage.soles.toe_rest[k]
