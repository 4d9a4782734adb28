"""Standing, and stepping on the spot: what a stand gives ([body] 4.1 needs an example at no speed at all).

Nobody captures stepping on the spot. It is made of the stand: each foot in its turn rises its heel, is lifted
a little and put down where it was, while the hips go over to the other foot.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

from footfall.adapt.footprints import mean_turn
from footfall.adapt.legs_to_feet import hips_of, legs_to_feet
from footfall.analysis.facing import root_headings
from footfall.figure.contacts import SIDES
from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.figure.sole import Sole
from footfall.geometry import easing, ground
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import nearest_cell
from footfall.ik.two_link import leg_of
from footfall.models.locomotion import foot_clock as clock
from footfall.models.locomotion.closing import sole_angles
from footfall.models.locomotion.cycle import floor_level
from footfall.models.locomotion.loop import FRAMES, PITCH, STRIKES, Loop, standing_height
from footfall.models.ring.resting import closed_stand

SECONDS = 1.1  # of stepping on the spot, left and right
OFF = 0.62  # of the cycle that a foot stands
LIFT = 0.05  # of leg length
HEEL_UP = 0.3  # rad when the foot leaves
SWAY = 0.03  # of leg length to either side
DIP = 0.006  # of leg length by which hips are lower than in the stand: knees give


@dataclass(frozen=True, eq=False)
class Stand:
    """Idle motion that comes round, seen from beneath it; feet stay."""

    skeleton: Skeleton
    fps: float
    rotations: Float[np.ndarray, "frames joints 4"]
    root: Float[np.ndarray, "frames 3"]
    feet: Float[np.ndarray, "2 6"]  # ankle, yaw, pitch, roll

    @classmethod
    def of(cls, clip: Motion) -> Stand:
        """From a clip, carrying its contacts, in which somebody stands for two seconds or more."""
        still = closed_stand(clip)
        heading = float(root_headings(still).mean())
        back = ground.turn(-heading)
        place = still.root.mean(axis=0) * [1.0, 0.0, 1.0] + floor_level(still) * ground.UP
        rotations = np.array(still.rotations)
        rotations[:, 0] = quat.multiply(back, rotations[:, 0])
        root = quat.rotate(back, still.root - place)
        moved = replace(still, root=root, rotations=rotations)
        feet = np.stack([_standing_foot(moved, side) for side in SIDES])
        return cls(still.skeleton, still.fps, rotations, root, feet)


def _standing_foot(stand: Motion, side: str) -> Float[np.ndarray, "6"]:
    foot, sole = stand.skeleton.joint(f"{side}_foot"), Sole.of(stand.skeleton, side)
    yaw = float(sole_angles(stand.orientations[:, foot], sole)[:, 0].mean())
    ankle = np.median(stand.positions[:, foot], axis=0)
    ankle[1] = standing_height(np.zeros(1), sole)[0]
    return np.array([*ankle, yaw, 0.0, 0.0])


def on_the_spot(stand: Stand) -> Loop:
    """Steps that go nowhere."""
    skeleton, reach = stand.skeleton, stand.skeleton.leg_length()
    hands = np.arange(FRAMES) / FRAMES
    events = clock.sound_events(0.25 * OFF, 0.85 * OFF, OFF)
    feet = np.stack(
        [_lifted(foot, hands, reach, skeleton, side) for foot, side in zip(stand.feet, SIDES, strict=True)]
    )
    bends = feet[0, :, PITCH]
    toes = np.stack([_toes(stand, side, bends) for side in SIDES])
    turn = np.stack([mean_turn(stand.rotations[:, j]) for j in range(len(skeleton))])
    rotations = np.repeat(turn[None], FRAMES, axis=0)
    root = stand.root.mean(axis=0) - DIP * reach * ground.UP + np.zeros((FRAMES, 1))
    # over the right foot while the left one swings
    root[:, 0] -= SWAY * reach * np.cos(2 * np.pi * (hands - 0.5 * (1.0 + OFF)))
    ways = {
        side: _Way.at_phases(
            feet[k], toes[k], clock.clock_at((hands - STRIKES[k]) % 1.0, events), skeleton, side
        )
        for k, side in enumerate(SIDES)
    }
    legs = {side: leg_of(skeleton, side) for side in SIDES}
    hips = hips_of(skeleton, legs, root, rotations)
    rotations = legs_to_feet(skeleton, legs, rotations, hips, np.zeros(FRAMES), ways)
    return Loop(
        "on the spot",
        skeleton,
        np.zeros(3),
        SECONDS,
        0.0,
        np.stack([events, events]),
        rotations,
        root,
        feet,
        toes,
    )


def _lifted(
    foot: Float[np.ndarray, "6"], hands: Float[np.ndarray, "n"], reach: float, skeleton: Skeleton, side: str
) -> Float[np.ndarray, "n 6"]:
    """A foot by its clock: the heel rises, the foot is lifted and comes down flat."""
    swing = np.clip((hands - clock.OFF) / (1.0 - clock.OFF), 0.0, 1.0)
    rising = easing.smooth((hands - clock.HEEL_OFF) / (clock.OFF - clock.HEEL_OFF))
    made = np.repeat(foot[None], len(hands), axis=0)
    made[:, PITCH] = HEEL_UP * rising * easing.ease_out(swing / 0.7)
    sole = Sole.of(skeleton, side)
    made[:, 1] = standing_height(made[:, PITCH], sole) + LIFT * reach * np.sin(np.pi * swing) ** 2
    return made


def _toes(stand: Stand, side: str, bends: Float[np.ndarray, "n"]) -> Float[np.ndarray, "n 4"]:
    """The toe's rotation as it stays level while its foot is pitched."""
    if not stand.skeleton.has(f"{side}_toe"):
        return quat.identity(len(bends))
    lying = Sole.of(stand.skeleton, side).lying
    own = mean_turn(stand.rotations[:, stand.skeleton.joint(f"{side}_toe")])
    level = quat.exp(np.stack([-bends, 0.0 * bends, 0.0 * bends], axis=-1))
    return quat.multiply(quat.multiply(quat.conjugate(lying), quat.multiply(level, lying)), own)


@dataclass(frozen=True, eq=False)
class _Way:
    """A foot by the body's phase, as legs are solved to it."""

    ankle: Float[np.ndarray, "n 3"]
    turn: Float[np.ndarray, "n 4"]
    toe: Float[np.ndarray, "n 4"] | None

    @classmethod
    def at_phases(
        cls,
        foot: Float[np.ndarray, "frames 6"],
        toe: Float[np.ndarray, "frames 4"],
        hand: Float[np.ndarray, "n"],
        skeleton: Skeleton,
        side: str,
    ) -> _Way:
        at = np.arange(FRAMES + 1) / FRAMES
        around = np.concatenate([foot, foot[:1]])
        row = np.stack([np.interp(hand, at, around[:, c]) for c in range(around.shape[1])], axis=-1)
        tilt = np.stack([row[:, 4], 0.0 * row[:, 4], row[:, 5]], axis=-1)
        turn = quat.multiply(
            quat.multiply(ground.turn(row[:, 3]), quat.exp(tilt)), Sole.of(skeleton, side).lying
        )
        own = toe[nearest_cell(hand * FRAMES, 1.0) % FRAMES]
        return cls(row[:, :3], turn, own if skeleton.has(f"{side}_toe") else None)
