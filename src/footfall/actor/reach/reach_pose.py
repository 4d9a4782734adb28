"""The posture of a reach at its apex: a whole body that puts one hand or both where they are wanted.

The posture is the one that costs least (see `comfort`), its arms closed exactly on their targets. What cannot
be reached is refused, with what can.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NoReturn

import numpy as np
from jaxtyping import Bool, Float

from footfall.actor.gait.stance import Stance
from footfall.actor.hand_poses import Touch, palm, touch_of
from footfall.actor.reach.arms import solve_arm
from footfall.actor.reach.bearing import SPINE_JOINTS, Bearing, Borne, Rows
from footfall.actor.reach.comfort import Comfort
from footfall.actor.reach.posture_search import Numbers, Point, bearing_at_ease, find_bearing, refined
from footfall.actor.reach.room import buried, overlaps
from footfall.actor.reach.station import Station, sitting, standing
from footfall.actor.style import Style
from footfall.errors import NO_NUMBER, RequestError
from footfall.figure.joint_limits import excess, limits_of
from footfall.figure.roles import SIDES
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat

FARTHEST = 3.0  # of leg length: targets beyond are not even tried
STRAINED = np.radians(0.5)  # a joint beyond its limits
FALLING = 0.02  # of leg length, the mass beyond the feet
PRESSED = 0.015  # of leg length, an arm into the body
FINGERS_BELOW = 0.006  # of leg length, a finger tip under where it may be
ASTRAY = 0.012  # of leg length that the closing of an arm makes good
TRIES, HALVINGS = 9, 4  # on the way from what could not be reached to what can
HANDY = np.array([0.0, -0.18, 0.50])  # of leg length, from the shoulder: where hands are easily


@dataclass(frozen=True, eq=False)
class ReachPose:
    """A reach at its apex, and the posture it starts from: rows of numbers, see `bearing`."""

    bearing: Bearing
    targets: Mapping[str, Point]
    touches: Mapping[str, Touch]
    rest: Numbers
    apex: Numbers

    @property
    def station(self) -> Station:
        return self.bearing.station

    @cached_property
    def points(self) -> Float[np.ndarray, "2 3"]:
        """What touches, in the hands' frames."""
        skeleton = self.station.skeleton
        return np.stack([self.touches[s].point if s in self.touches else palm(skeleton, s) for s in SIDES])

    def posed(
        self, rows: Rows, bodies: Borne, aims: Mapping[str, Float[np.ndarray, "n 3"]]
    ) -> tuple[dict[str, Float[np.ndarray, "n 4"]], Bool[np.ndarray, "n"]]:
        """Joint rotations by name (no legs, no head), hands exactly at their aims; whether they can be."""
        turns = self.bearing.rotations(rows)
        chest = turns["hips"]
        for joint in SPINE_JOINTS:
            chest = quat.multiply(chest, turns[joint])
        reached = np.ones(len(rows), dtype=bool)
        for side, aim in aims.items():
            closed, near = solve_arm(
                self.station.skeleton, side, (bodies.ribs, chest), turns, self.points[SIDES.index(side)], aim
            )
            turns |= closed
            reached &= near
        return turns, reached


def reach_pose(
    skeleton: Skeleton,
    style: Style,
    targets: Mapping[str, Point],
    *,
    seat: float | None = None,
    feet: Mapping[str, Stance] | None = None,
    hand: str = "open",
    touch: str | None = None,
) -> ReachPose:
    """The posture that puts the hands (keys "left", "right") on targets, standing or on a seat of a height.

    `hand` is the pose of the fingers, `touch` what of the hand meets the target, by default what suits the
    pose (`TOUCH_OF`). Feet stand beside each other about the origin, facing +Z, unless others are given.
    """
    if seat is not None and feet is not None:
        raise RequestError("feet can be placed for a stand, not for a seat; leave out one of the two")
    station = standing(skeleton, style, feet) if seat is None else sitting(skeleton, style, seat)
    wanted = _checked(station, targets)
    touches = {side: touch_of(skeleton, side, hand, touch) for side in wanted}
    bearing = Bearing(station)
    rest = bearing_at_ease(bearing)
    pose, comfort = _found(bearing, touches, wanted, rest)
    if not _is_reached(pose, comfort):
        pose = replace(pose, apex=refined(bearing, comfort, pose.apex))
        if not _is_reached(pose, comfort):
            _refuse(pose)
    return pose


def _checked(station: Station, targets: Mapping[str, Point]) -> dict[str, Point]:
    unknown = [str(side) for side in targets if side not in SIDES]
    if unknown or not targets:
        raise RequestError(f"targets are for the left or right hand, not for {', '.join(unknown) or 'none'}")
    leg = station.leg
    out = {}
    for side in (s for s in SIDES if s in targets):
        try:
            point = np.array(targets[side], dtype=float)
        except NO_NUMBER:
            point = np.full(3, np.nan)
        if point.shape != (3,) or not np.isfinite(point).all():
            raise RequestError(f"the {side} hand's target must be three numbers, not {targets[side]}")
        if point[1] < 0.0:
            raise RequestError(f"the {side} hand's target {_told(point)} lies under the floor, which is at 0")
        away = float(np.linalg.norm(point - station.root))
        if away > FARTHEST * leg:
            raise RequestError(
                f"the {side} hand's target {_told(point)} is {away:.1f} m away; hands reach about {leg:.1f} m"
            )
        out[side] = point
    return out


def _found(
    bearing: Bearing, touches: Mapping[str, Touch], targets: Mapping[str, Point], rest: Numbers
) -> tuple[ReachPose, Comfort]:
    apex, comfort = find_bearing(bearing, touches, targets, rest)
    return ReachPose(bearing, targets, touches, rest, apex), comfort


def _is_reached(pose: ReachPose, comfort: Comfort) -> bool:
    """Whether a posture does what was asked: arms can be closed, no joint is strained, it does not fall."""
    row, leg = pose.apex[None], pose.station.leg
    body = pose.bearing.bodies(row)
    turns, closed = pose.posed(row, body, {side: target[None] for side, target in pose.targets.items()})
    rotations = pose.station.motion(body.root, turns, 1.0).rotations
    targets = np.stack(list(pose.targets.values()))[None]
    faults = [
        np.linalg.norm(comfort.misses(body), axis=-1) / (ASTRAY * leg),
        excess(limits_of(pose.station.skeleton), rotations) / STRAINED,
        np.abs(comfort.imbalance(body)) / FALLING,
        overlaps(body, leg) / (PRESSED * leg),
        buried(body, targets, leg) / (PRESSED * leg),
        comfort.below_floor(body) / (FINGERS_BELOW * leg),
    ]
    return bool(closed.all()) and all(fault.max() < 1.0 for fault in faults)


def _refuse(pose: ReachPose) -> NoReturn:
    """Says how far from the targets the nearest places are that can be reached."""
    come = pose.bearing.bodies(pose.apex[None]).touching(pose.points)[0]
    shoulders = pose.bearing.bodies(pose.rest[None]).shoulder[0]
    handy = shoulders + HANDY * pose.station.leg

    def places(share: float) -> dict[str, Point]:
        """From as near as the search came (0) towards where hands are easily (1), in whole millimetres."""
        on_the_way = np.round(np.maximum(come + share * (handy - come), [-np.inf, 0.0, -np.inf]), 3)
        return {side: on_the_way[SIDES.index(side)] for side in pose.targets}

    def reached(share: float) -> bool:
        return _is_reached(*_found(pose.bearing, pose.touches, places(float(share)), pose.rest))

    wanted = " and ".join(f"the {side} hand's {_told(target)}" for side, target in pose.targets.items())
    near, far = 0.0, next((s for s in np.linspace(0.0, 1.0, TRIES) ** 2 if reached(s)), None)
    if far is None:
        raise RequestError(f"{wanted} cannot be reached, nor what lies on the way there; try targets ahead")
    for _ in range(HALVINGS if far > 0.0 else 0):
        middle = 0.5 * (near + far)
        near, far = (near, middle) if reached(middle) else (middle, far)
    found = " and ".join(
        f"{np.linalg.norm(pose.targets[side] - place):.3f} m away at {_told(place)}"
        for side, place in places(far).items()
    )
    raise RequestError(f"{wanted} cannot be reached; the nearest place found is {found}")


def _told(point: Point) -> str:
    return f"({point[0]:.3f}, {point[1]:.3f}, {point[2]:.3f})"
