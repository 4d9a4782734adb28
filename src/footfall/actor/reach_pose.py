"""The posture of a reach at its apex: a whole body that puts one hand or both where they are wanted.

A small search over the numbers of a bearing finds the posture that costs people least; then the arms are
closed exactly on their targets. What cannot be reached is refused, with what can.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Float, Int

from footfall.actor.arms import solve_arm
from footfall.actor.bearing import ARM, BODY, COUNT, ELBOW, HAND, MIRROR, SPINE_JOINTS, SWING, TWIST, Bearing, Rows
from footfall.actor.comfort import Comfort
from footfall.actor.hand_poses import HAND_POSES, finger_tip, hand_pose
from footfall.actor.room import overlaps
from footfall.actor.stance import Stance
from footfall.actor.station import Station, sitting, standing
from footfall.actor.style import Style
from footfall.errors import RequestError
from footfall.figure.roles import SIDES
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat
from footfall.geometry.ground import UP

Point = Float[np.ndarray, "3"]

# what touches the target: the tip of the middle finger, the palm's surface, the middle of a ball that the
# closed hand holds, where thumb and index finger meet
TOUCHES = ("fingertip", "palm", "grip", "pinch")
TOUCH_OF = {"relaxed": "fingertip", "open": "fingertip", "closed": "grip", "pinch": "pinch"}
PALM_DEPTH, GRIP_DEPTH = 0.018, 0.051  # of leg length, from the bones of the hand
PALM_ALONG, GRIP_ALONG = 0.6, 0.85  # of the way to the middle knuckle
FARTHEST = 3.0  # of leg length: targets beyond are not even tried
STEP = 1e-6  # of the finite differences
EVALUATIONS = 60
LOOSE, LOOSE_EVALUATIONS = 0.1, 8
GUESS_TWIST, GUESS_ELBOW = -0.4, 0.3  # rad
TOLERABLE = np.radians(3.0)  # that a joint may be strained beyond its ease
TOLERABLE_EDGE = 0.02  # of leg length, that the mass may be beyond it
TOLERABLE_DEPTH = 0.012  # of leg length, that an arm may press into the body
TRIES = 7  # halvings on the way to what can be reached


@dataclass(frozen=True, eq=False)
class ReachPose:
    """A reach at its apex, and the posture it starts from: rows of numbers, see `bearing`."""

    station: Station
    targets: Mapping[str, Point]
    points: Float[np.ndarray, "2 3"]  # what touches, in the hands' frames
    rest: Float[np.ndarray, "27"]
    apex: Float[np.ndarray, "27"]

    @cached_property
    def bearing(self) -> Bearing:
        return Bearing(self.station)

    def posed(
        self, rows: Rows, aims: Mapping[str, Float[np.ndarray, "n 3"]]
    ) -> tuple[Float[np.ndarray, "n 3"], dict[str, Float[np.ndarray, "n 4"]]]:
        """Roots and joint rotations by name (no legs, no head), the hands exactly at their aims."""
        return posed(self.bearing, self.points, rows, aims)


def touching_point(skeleton: Skeleton, side: str, hand: str, touch: str | None = None) -> Point:
    """What of a hand touches its target, in the hand's frame."""
    if hand not in HAND_POSES:
        raise RequestError(f"no hand pose is called {hand!r}; there are {', '.join(HAND_POSES)}")
    kind = TOUCH_OF[hand] if touch is None else touch
    if kind not in TOUCHES:
        raise RequestError(f"a hand touches with {', '.join(TOUCHES)}, not with {touch!r}")
    pose = hand_pose(skeleton, side, hand)
    if kind == "fingertip":
        return finger_tip(skeleton, side, "middle", pose)
    if kind == "pinch":
        return 0.5 * (finger_tip(skeleton, side, "thumb", pose) + finger_tip(skeleton, side, "index", pose))
    knuckle = skeleton.offsets[skeleton.joint(f"{side}_middle_1")]
    turn = skeleton.rest_orientations[skeleton.joint(f"{side}_hand")]
    along, depth = (PALM_ALONG, PALM_DEPTH) if kind == "palm" else (GRIP_ALONG, GRIP_DEPTH)
    return along * knuckle - depth * skeleton.leg_length() * quat.rotate(quat.conjugate(turn), UP)


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

    `hand` is the pose of the fingers, `touch` what of the hand meets the target: by default what suits the
    pose (TOUCH_OF). Feet stand beside each other about the origin unless others are given.
    """
    station = standing(skeleton, style, feet) if seat is None else sitting(skeleton, style, seat)
    wanted = _checked(station, targets)
    points = np.stack(
        [
            touching_point(skeleton, side, hand, touch)
            if side in wanted
            else touching_point(skeleton, side, "relaxed", "palm")
            for side in SIDES
        ]
    )
    bearing, rest = Bearing(station), bearing_at_ease(station)
    apex, comfort = _solved(bearing, points, wanted, rest)
    if not _reached(bearing, comfort, apex):
        _refuse(bearing, comfort, apex, wanted)
    return ReachPose(station, wanted, points, rest, apex)


def _checked(station: Station, targets: Mapping[str, Point]) -> dict[str, Point]:
    unknown = [str(side) for side in targets if side not in SIDES]
    if unknown or not targets:
        raise RequestError(f"targets are for the left or the right hand, not for {', '.join(unknown) or 'none'}")
    out = {}
    for side in SIDES:
        if side in targets:
            point = np.array(targets[side], dtype=float)
            if point.shape != (3,) or not np.isfinite(point).all():
                raise RequestError(f"the {side} hand's target must be three numbers, not {targets[side]}")
            if point[1] < 0.0:
                raise RequestError(f"the {side} hand's target {_told(point)} lies under the floor")
            if np.linalg.norm(point - station.root) > FARTHEST * station.skeleton.leg_length():
                raise RequestError(
                    f"the {side} hand's target {_told(point)} lies {np.linalg.norm(point - station.root):.1f} m"
                    f" from the figure, which reaches about {1.6 * station.skeleton.leg_length():.1f} m"
                )
            out[side] = point
    return out


def bearing_at_ease(station: Station) -> Float[np.ndarray, "27"]:
    """How one is who waits here: arms hang, or lie on the thighs."""
    rest = np.zeros(COUNT)
    if station.seat is None:
        return rest
    bearing, skeleton = Bearing(station), station.skeleton
    body = bearing.bodies(rest[None])
    leg = skeleton.leg_length()
    on_thighs = body.hip[0] + ALONG_THIGH * (body.knee[0] - body.hip[0]) + OVER_THIGH * leg * UP
    lying = np.radians(LYING)
    guess = rest.copy()
    guess[BODY:] = np.tile(lying, 2)
    points = np.stack([touching_point(skeleton, side, "relaxed", "palm") for side in SIDES])
    targets = dict(zip(SIDES, on_thighs, strict=True))
    found, _ = _solved(bearing, points, targets, guess, free=np.arange(COUNT) >= BODY)
    return found


ALONG_THIGH, OVER_THIGH = 0.68, 0.105
LYING = np.array([0.0, 0.0, -20.0, 8.0, 0.0, 45.0, 60.0, 0.0, 5.0])  # degrees: an arm whose hand lies on the thigh


def _solved(
    bearing: Bearing,
    points: Float[np.ndarray, "2 3"],
    targets: Mapping[str, Point],
    rest: Float[np.ndarray, "27"],
    free: Bool[np.ndarray, "27"] | None = None,
) -> tuple[Float[np.ndarray, "27"], Comfort]:
    """The bearing that costs least, and its costs."""
    reaching = np.array([side in targets for side in SIDES])
    lying = bearing.bodies(rest[None]).touching(points)[0]
    wanted = np.stack([targets.get(side, lying[i]) for i, side in enumerate(SIDES)])
    comfort = Comfort(bearing.station, points, wanted, reaching, rest)
    row = rest if free is not None else _first_guess(bearing, comfort)
    index = np.flatnonzero(_free(bearing.station, reaching) if free is None else free)
    # loosely first: stiff targets make the search creep along curved valleys
    row = _searched(bearing, replace(comfort, firmness=LOOSE), row, index, LOOSE_EVALUATIONS)
    return _searched(bearing, comfort, row, index, EVALUATIONS), comfort


def _searched(
    bearing: Bearing,
    comfort: Comfort,
    start: Float[np.ndarray, "27"],
    index: Int[np.ndarray, "free"],
    evaluations: int,
) -> Float[np.ndarray, "27"]:
    """Levenberg-Marquardt over the numbers that are free."""
    from scipy.optimize import least_squares

    latest: dict[str, np.ndarray] = {}

    def residuals(x: np.ndarray) -> np.ndarray:
        # all finite differences in one batch: a row costs next to nothing
        rows = np.tile(start, (len(index) + 1, 1))
        rows[:, index] = x
        rows[np.arange(len(index)) + 1, index] += STEP
        found = comfort.residuals(rows, bearing.bodies(rows))
        latest.update(x=x.copy(), slope=((found[1:] - found[0]) / STEP).T)
        return found[0]

    def jacobian(x: np.ndarray) -> np.ndarray:
        if not np.array_equal(latest["x"], x):
            residuals(x)
        return latest["slope"]

    found = least_squares(
        residuals, start[index], jacobian, method="lm", max_nfev=evaluations, ftol=1e-3, xtol=1e-5
    )
    row = start.copy()
    row[index] = found.x
    return row


def _free(station: Station, reaching: Bool[np.ndarray, "2"]) -> Bool[np.ndarray, "27"]:
    """Which numbers are searched: a seat holds the hips, a hand that hangs keeps its wrist."""
    free = np.ones(COUNT, dtype=bool)
    if station.seat is not None:
        free[:3] = False
        return free
    for i in np.flatnonzero(~reaching):
        free[BODY + ARM * i : BODY + ARM * (i + 1)][HAND] = False
    return free


def _first_guess(bearing: Bearing, comfort: Comfort) -> Float[np.ndarray, "27"]:
    """Lowered and bent for low targets, turned, and the arms straight at them."""
    row, leg = comfort.rest.copy(), bearing.station.skeleton.leg_length()
    height = comfort.targets[comfort.reaching].mean(axis=0)[1] / leg
    low = float(np.clip((0.95 - height) / 0.95, 0.0, 1.0))
    if bearing.station.seat is None:
        row[:3] = [0.0, -0.45 * leg * low**2, -0.12 * leg * low]
    row[3:9] = [0.7 * low, 0.6 * comfort.facing, 0.0, 0.7 * low, 0.4 * comfort.facing, 0.0]
    straight = row.copy()
    straight[BODY:] = 0.0
    body = bearing.bodies(straight[None])
    chest = body.chest[0]
    for i in np.flatnonzero(comfort.reaching):
        hanging = chest.T @ (body.elbow - body.shoulder)[0, i]
        wanted = chest.T @ (comfort.targets[i] - body.shoulder[0, i])
        swing = quat.log(quat.between(hanging, wanted)) * MIRROR[i]
        arm = row[BODY + ARM * i : BODY + ARM * (i + 1)]
        arm[:] = 0.0
        arm[SWING], arm[TWIST], arm[ELBOW] = swing[[0, 2]], GUESS_TWIST, GUESS_ELBOW
    return row


def posed(
    bearing: Bearing,
    points: Float[np.ndarray, "2 3"],
    rows: Rows,
    aims: Mapping[str, Float[np.ndarray, "n 3"]],
) -> tuple[Float[np.ndarray, "n 3"], dict[str, Float[np.ndarray, "n 4"]]]:
    """Roots and joint rotations by name (no legs, no head), the hands exactly at their aims."""
    turns, bodies = bearing.rotations(rows), bearing.bodies(rows)
    chest = turns["hips"]
    for joint in SPINE_JOINTS:
        chest = quat.multiply(chest, turns[joint])
    for i, side in enumerate(SIDES):
        if side in aims:
            closed, _ = solve_arm(
                bearing.station.skeleton, side, (bodies.ribs, chest), turns, points[i], aims[side]
            )
            turns |= closed
    return bodies.root, turns


def _reached(bearing: Bearing, comfort: Comfort, row: Float[np.ndarray, "27"]) -> bool:
    """Whether a posture does what was asked: near enough to be closed, not strained, not falling."""
    body, leg = bearing.bodies(row[None]), bearing.station.skeleton.leg_length()
    near = np.linalg.norm(comfort.misses(body), axis=-1).max() < NEAR * leg
    sound = np.abs(comfort.strain(row[None])).max() < TOLERABLE
    balanced = np.abs(comfort.imbalance(body)).max() < TOLERABLE_EDGE
    apart = overlaps(body, leg).max() < TOLERABLE_DEPTH * leg
    return bool(near and sound and balanced and apart)


NEAR = 0.012


def _refuse(
    bearing: Bearing, comfort: Comfort, row: Float[np.ndarray, "27"], targets: Mapping[str, Point]
) -> None:
    """Says how far from the targets the nearest ones are that can be reached."""
    come = bearing.bodies(row[None]).touching(comfort.points)[0]
    nearest = {side: come[i] for i, side in enumerate(SIDES) if side in targets}
    handy = _handy(bearing, comfort, targets)
    for k in range(TRIES + 1):
        nearer = {side: p + k / TRIES * (handy[side] - p) for side, p in nearest.items()}
        nearer = {side: p * [1, 0, 1] + max(p[1], 0.0) * UP for side, p in nearer.items()}
        found, costs = _solved(bearing, comfort.points, nearer, comfort.rest)
        if _reached(bearing, costs, found):
            break
    told = "; ".join(
        f"the {side} hand can come within {np.linalg.norm(nearer[side] - targets[side]):.3f} m, at {_told(nearer[side])}"
        for side in targets
    )
    wanted = " and ".join(_told(point) for point in targets.values())
    raise RequestError(f"{wanted} is out of reach: {told}")


def _handy(bearing: Bearing, comfort: Comfort, targets: Mapping[str, Point]) -> dict[str, Point]:
    """Before the shoulders, where hands are easily."""
    body, leg = bearing.bodies(comfort.rest[None]), bearing.station.skeleton.leg_length()
    ahead = 0.5 * leg * np.array([0.0, -0.35, 1.0])
    return {side: body.shoulder[0, i] + ahead for i, side in enumerate(SIDES) if side in targets}


def _told(point: Point) -> str:
    return f"({point[0]:.2f}, {point[1]:.2f}, {point[2]:.2f})"
