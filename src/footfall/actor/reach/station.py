"""Where a figure stands or sits while its feet stay: footprints, seat, and how it is at ease there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float

from footfall.actor.curves import POSTURE, curves
from footfall.actor.gait.carriage import LEANING, STAND
from footfall.actor.gait.legs import highest_hips, solve_leg
from footfall.actor.gait.stance import Sole, Stance, Times
from footfall.actor.gait.swing import FootPath
from footfall.actor.style import Style
from footfall.errors import RequestError
from footfall.figure.contacts import Contacts
from footfall.figure.motion import Motion
from footfall.figure.roles import SIDES
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat
from footfall.geometry.ground import UP

STRETCH = 0.988  # of a leg that stands at ease
WIDTH = 0.256  # of leg length between the feet of one who stands, 0.22 m for most
SEAT_WIDTH = 0.33  # ... and of one who sits
PRESSED = 0.35  # of the way from ankle to ball: over this the body rests
SEATS = (0.30, 0.75)  # of leg length: heights that one can sit on with both feet flat
UNDER_HIPS = 0.095  # of leg length: flesh between seat and hip joint
SHANK_BACK = 0.12  # rad that the shanks of one who sits lean forwards
SLOUCH = {"hips": -0.12, "spine": 0.10, "spine_2": 0.08, "chest": 0.02, "neck": -0.03, "head": -0.05}  # rad
KNEES_APART = 0.45  # rad that knees turn outwards ...
DEEP = 0.5  # ... when the hips are lower by this share of leg length
KNEES_SEATED = 0.08  # rad


@dataclass(frozen=True, eq=False)
class Station:
    """Feet that stay where they are, and the posture the figure rests in between."""

    skeleton: Skeleton
    style: Style
    feet: Mapping[str, Stance]
    root: Float[np.ndarray, "3"]
    turns: Float[np.ndarray, "roles 3"]  # rotation vectors in POSTURE's order
    seat: float | None = None  # m over the floor

    @cached_property
    def leg(self) -> float:
        """The length of a leg, m."""
        return self.skeleton.leg_length()

    def turn(self, role: str) -> Float[np.ndarray, "3"]:
        return self.turns[POSTURE.index(role)]

    def foot(self, side: str, frames: int) -> FootPath:
        """One foot, frame by frame the same."""
        stance = self.feet[side]
        ankle = Sole.of(self.skeleton, side).ankle(stance, np.zeros(1))
        return FootPath(
            np.tile(ankle, (frames, 1)),
            np.tile(stance.level_turn, (frames, 1)),
            np.zeros(frames),
            np.full(frames, stance.heading),
        )

    def knees_outwards(self, height: Times) -> Times:
        """How far knees turn outwards with the root at a height: the lower, the farther; rad."""
        if self.seat is not None:
            return np.full(np.shape(height), KNEES_SEATED)
        deep = np.maximum(self.root[1] - height, 0.0) / (DEEP * self.leg)
        return KNEES_APART * deep**2 / (0.2 + 0.8 * deep**2)

    def motion(
        self,
        root: Float[np.ndarray, "n 3"],
        turns: Mapping[str, Float[np.ndarray, "n 4"]],
        fps: float,
    ) -> Motion:
        """A motion on these feet: local rotations by joint name, the legs solved to where the feet stand."""
        skeleton, frames = self.skeleton, len(root)
        rotations = np.tile(skeleton.rest, (frames, 1, 1))
        for name, turn in turns.items():
            rotations[:, skeleton.index(name)] = turn
        for side in SIDES:
            legs = solve_leg(
                skeleton,
                side,
                root,
                rotations[:, 0],
                self.foot(side, frames),
                outwards=self.knees_outwards(root[:, 1]),
            )
            for role, turn in legs.items():
                rotations[:, skeleton.joint(role)] = turn
        stands = np.ones((frames, 2), dtype=bool)
        return Motion(skeleton, root, quat.continuous(rotations), fps, contacts=Contacts(stands, stands))


def standing(skeleton: Skeleton, style: Style, feet: Mapping[str, Stance] | None = None) -> Station:
    """At ease on both feet, by default beside each other about the origin, facing +Z."""
    leg = skeleton.leg_length()
    placed = _beside(WIDTH * leg * style.width, style) if feet is None else dict(feet)
    turns = np.array(curves().stand)
    for role in LEANING:
        turns[POSTURE.index(role), 0] += style.lean / len(LEANING)
    ahead = PRESSED * np.mean([Sole.of(skeleton, side).ball[2] for side in SIDES])
    middle = np.mean([_ahead(placed[side], float(ahead)) for side in SIDES], axis=0)
    station = Station(skeleton, style, placed, middle + STAND * leg * UP, turns)
    paths = {side: station.foot(side, 1) for side in SIDES}
    hips = quat.exp(station.turn("hips"))[None]
    highest = float(highest_hips(skeleton, station.root[None], hips, paths, np.array([STRETCH]))[0])
    root = station.root * [1.0, 0.0, 1.0] + min(station.root[1], highest) * UP
    return Station(skeleton, style, placed, root, turns)


def sitting(skeleton: Skeleton, style: Style, seat: float) -> Station:
    """On a seat of a height, feet flat ahead of it about the origin, facing +Z."""
    leg = skeleton.leg_length()
    low, high = (share * leg for share in SEATS)
    if not (isinstance(seat, (int, float)) and low <= seat <= high):
        raise RequestError(
            f"a seat must be {low:.2f} to {high:.2f} m high for both feet to rest flat, not {seat}"
        )
    placed = _beside(SEAT_WIDTH * leg * style.width, style)
    turns = np.array(curves().stand)
    for role, bend in SLOUCH.items():
        turns[POSTURE.index(role), 0] += bend
    hip_height = seat + UNDER_HIPS * leg
    thigh, shank = (
        float(np.linalg.norm(skeleton.offsets[skeleton.joint(f"left_{p}")])) for p in ("shank", "foot")
    )
    ankle = float(Sole.of(skeleton, "left").ankle(placed["left"], np.zeros(1))[0, 1])
    knee = ankle + shank * np.cos(SHANK_BACK)
    back = np.sqrt(max(thigh**2 - (knee - hip_height) ** 2, 0.0)) - shank * np.sin(SHANK_BACK)
    turn = quat.exp(turns[POSTURE.index("hips")])
    between = np.mean([skeleton.offsets[skeleton.joint(f"{side}_thigh")] for side in SIDES], axis=0)
    root = np.array([0.0, hip_height, -back]) - quat.rotate(turn, between)
    return Station(skeleton, style, placed, root, turns, seat)


def _beside(width: float, style: Style) -> dict[str, Stance]:
    """Both feet about the origin, `width` apart."""
    out = {}
    for side, sign in (("left", 1.0), ("right", -1.0)):
        place = np.array([0.5 * sign * width, 0.0, 0.0])
        out[side] = Stance(side, place, sign * style.toe_out, -np.inf, -np.inf, np.inf, np.inf)
    return out


def _ahead(stance: Stance, distance: float) -> Float[np.ndarray, "3"]:
    return stance.place + quat.rotate(stance.level_turn, np.array([0.0, 0.0, distance]))
