"""Captured reaches of one person on the humanoid, and the actor's posture for the same targets.

All is told in the frame of where the feet stand. The instants are those of the captures' README.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from footfall.actor.gait.stance import Stance
from footfall.actor.humanoid import humanoid
from footfall.actor.reach.reach_pose import reach_pose
from footfall.actor.style import Style
from footfall.adapt.retarget import retarget
from footfall.analysis.joint_angles import elbow_flexion
from footfall.figure.motion import Motion
from footfall.figure.roles import SIDES
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.geometry.ground import FORWARD, GroundFrame
from tests.actor.reach.reach_targets import apex_motion
from tests.captured import captured

BODY = humanoid()
# seconds at which the right hand is at its target
INSTANTS = {
    "ForwardFloor": 2.88,
    "ForwardLow": 2.53,
    "ForwardMediumMid": 2.13,
    "ForwardHigh": 2.68,
    "Right30Floor": 2.45,
    "Right30MediumMid": 2.23,
    "Left30Low": 2.40,
    "Left30MediumNear": 2.42,
    "Right120MediumMid": 1.82,
    "BackMediumNear": 2.35,
}


@dataclass(frozen=True, eq=False)
class Posture:
    """What can be compared of a reach at its apex; metres and radians, of the right arm."""

    lowered: float  # the hips, from where they were at rest
    chest_up: np.ndarray  # along the spine
    chest_left: np.ndarray  # across the shoulders
    shoulder: np.ndarray
    elbow: np.ndarray
    elbow_bend: float


def posture(motion: Motion, frame: int, rest: float, place: GroundFrame) -> Posture:
    turn = quat.multiply(ground.turn(-place.heading), motion.orientations[frame, BODY.joint("chest")])
    return Posture(
        lowered=rest - float(motion.of("hips")[frame, 1]),
        chest_up=quat.rotate(turn, ground.UP),
        chest_left=quat.rotate(turn, ground.LEFT),
        shoulder=place.to_local(motion.of("right_upper_arm")[frame]),
        elbow=place.to_local(motion.of("right_forearm")[frame]),
        elbow_bend=float(elbow_flexion(motion, "right")[frame]),
    )


def person_and_actor(name: str) -> tuple[Posture, Posture]:
    """A person's posture and the actor's, on the same feet, the finger tip on the same target."""
    clip = captured(f"reach/ChrGarza@IdleStand01_Reach{name}01.skm")
    motion = retarget(clip, BODY)
    frame = round(INSTANTS[name] * motion.fps)
    place = _between_feet(motion)
    person = posture(motion, frame, float(motion.of("hips")[0, 1]), place)
    tip = next(i for i, p in enumerate(BODY.end_parents) if p == BODY.joint("right_middle_3"))
    pose = reach_pose(
        BODY, Style(), {"right": place.to_local(motion.ends[frame, tip])}, feet=_feet(motion, place)
    )
    own = GroundFrame(np.zeros(3), np.array(0.0))
    return person, posture(apex_motion(pose), 0, float(pose.station.root[1]), own)


def _between_feet(motion: Motion) -> GroundFrame:
    ankles = [motion.of(f"{side}_foot")[0] for side in SIDES]
    along = [motion.of(f"{side}_toe")[0] - ankle for side, ankle in zip(SIDES, ankles, strict=True)]
    middle = np.mean(ankles, axis=0) * [1.0, 0.0, 1.0]
    return GroundFrame(middle, ground.heading_of(sum(v / np.linalg.norm(v) for v in along)))


def _feet(motion: Motion, place: GroundFrame) -> dict[str, Stance]:
    out = {}
    for side in SIDES:
        turn = motion.orientations[0, BODY.joint(f"{side}_foot")]
        heading = float(ground.heading_of(quat.rotate(turn, FORWARD)) - place.heading)
        spot = place.to_local(motion.of(f"{side}_foot")[0]) * [1.0, 0.0, 1.0]
        out[side] = Stance(side, spot, heading, -np.inf, -np.inf, np.inf, np.inf)
    return out
