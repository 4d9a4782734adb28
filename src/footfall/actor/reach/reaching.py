"""A reach from a stand or a seat: out to the target, a hold, and back, the feet where they are.

All tracks run on bell-shaped speeds (minimum jerk: Flash and Hogan 1985) that peak a little before the
middle, as people's do; the gaze sets out first, then hips and trunk, then the arm. Hands open on the way and
take their pose for the hold. Through the hold the touching point is on its target exactly.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from jaxtyping import Float

from footfall.actor.gait.stance import Times
from footfall.actor.hand_poses import TOUCH_OF, TOUCHES, blended_hand
from footfall.actor.performed import performed
from footfall.actor.reach.bearing import ARM, BODY, ELBOW, SWING, Rows
from footfall.actor.reach.gaze import at_ease, gaze_at
from footfall.actor.reach.posture_search import Point
from footfall.actor.reach.reach_pose import ReachPose, reach_pose
from footfall.actor.reach.reach_timing import Timing
from footfall.actor.reach.room import overlaps
from footfall.actor.style import Style
from footfall.errors import RequestError
from footfall.figure.example import Example
from footfall.figure.motion import checked_rate
from footfall.figure.roles import SIDES
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import first_least, nearest_cell

LIES = 0.047  # of leg length: a hand on the thigh that would come no farther stays where it lies
SIGNS = {"left": 1.0, "right": -1.0}
ON_THE_WAY = np.linspace(0.15, 0.95, 9)  # where the way of an arm is held against the body
# rad: by how much the upper arm is farther out, farther back, and the elbow more bent on the way
DETOURS = np.array([(out, 0.0, bend) for out in (0.0, 0.25, 0.5) for bend in (0.0, 0.5)])
LONG_DETOURS = np.array(
    [(out, back, bend) for out in (0.0, 0.4, 0.8) for back in (-0.5, 0.0, 0.4) for bend in (0.0, 0.5, 1.0)]
)
DETOUR_COSTS = 0.005  # of leg length: the overlap that a detour of one radian is worth
FREE, BLOCKED = 0.004, 0.018  # of leg length: so deep a way is free, and from so deep on none


def reach(
    skeleton: Skeleton,
    style: Style,
    targets: Mapping[str, Point],
    *,
    fps: float = 60.0,
    seat: float | None = None,
    hold: float = 0.4,
    hand: str = "open",
    touch: str | None = None,
) -> Example:
    """One hand or both to their targets and back; see `reach_pose` for what can be asked.

    Keytimes: the hand sets out, arrives, leaves, is back. Parameters: x, y, z of the target (of two the
    middle), arm (1 left, -1 right, 0 both), seat (its height, 0 for a stand), touch (its place in TOUCHES).
    """
    rate = checked_rate(fps)
    pose = reach_pose(skeleton, style, targets, seat=seat, hand=hand, touch=touch)
    timing = Timing.of(pose, style, hold)
    times = np.arange(int(nearest_cell(timing.end * rate, 1.0)) + 1) / rate
    root, turns = _bodies(pose, timing, times)
    turns |= _heads(pose, timing, times)
    for side in SIDES:
        weights = timing.hand_weights(times, hand if side in pose.targets else "relaxed")
        turns |= blended_hand(skeleton, side, weights)
    motion = pose.station.motion(root, turns, rate)
    middle = np.mean(list(pose.targets.values()), axis=0)
    parameters = dict(zip("xyz", middle, strict=True)) | {
        "arm": sum(SIGNS[side] for side in pose.targets),
        "seat": seat or 0.0,
        "touch": float(TOUCHES.index(touch or TOUCH_OF[hand])),
    }
    return performed(motion, timing.keytimes, parameters, "reach")


def _bodies(
    pose: ReachPose, timing: Timing, times: Times
) -> tuple[Float[np.ndarray, "n 3"], dict[str, Float[np.ndarray, "n 4"]]]:
    """Roots and joint rotations by name, the hands on their ways."""
    arms, trunk = timing.arms(times), timing.trunk(times)
    rows = _rows(pose, trunk, arms, _detours(pose, timing))
    ends = pose.bearing.bodies(np.stack([pose.rest, pose.apex])).touching(pose.points)
    bodies = pose.bearing.bodies(rows)
    ways = bodies.touching(pose.points)
    aims = {}
    for i, side in enumerate(SIDES):
        lay, came = ends[:, i]
        if side in pose.targets:
            # on the way that the turns of the joints make, drawn to the target
            aims[side] = ways[:, i] + arms[:, None] * (pose.targets[side] - came)
        elif pose.station.seat is not None:
            aims[side] = lay + trunk[:, None] * (np.linalg.norm(came - lay) > LIES * pose.station.leg) * (
                came - lay
            )
    turns, _ = pose.posed(rows, bodies, aims)
    return bodies.root, turns


def _rows(pose: ReachPose, trunk: Times, arms: Times, detours: Float[np.ndarray, "2 3"]) -> Rows:
    """From rest to the apex; the arms make their detours in the first half of their way."""
    shares = np.concatenate([np.tile(trunk, (BODY, 1)), np.tile(arms, (2 * ARM, 1))]).T
    rows = pose.rest + shares * (pose.apex - pose.rest)
    bubble = 6.75 * arms * (1.0 - arms) ** 2
    for i, (out, back, bend) in enumerate(detours):
        arm = rows[:, BODY + ARM * i : BODY + ARM * (i + 1)]
        arm[:, SWING] += bubble[:, None] * [back, out]
        arm[:, ELBOW] += bubble * bend
    return rows


def _detours(pose: ReachPose, timing: Timing) -> Float[np.ndarray, "2 3"]:
    """For each arm the least detour that keeps it out of the body on its way."""
    leg = pose.station.leg
    detours, depths = _least_detours(pose, timing, DETOURS)
    if (depths > FREE * leg).any():
        detours, depths = _least_detours(pose, timing, LONG_DETOURS)
    for i, side in enumerate(SIDES):
        if side in pose.targets and depths[i] > BLOCKED * leg:
            place = ", ".join(f"{x:.3f}" for x in pose.targets[side])
            raise RequestError(
                f"the body is in the {side} hand's way to ({place}); keep targets clear of trunk and legs"
            )
    return detours


def _least_detours(
    pose: ReachPose, timing: Timing, choice: Float[np.ndarray, "k 3"]
) -> tuple[Float[np.ndarray, "2 3"], Float[np.ndarray, "2"]]:
    """The best of a choice for each arm, and how deep in the body it still leads, m."""
    times = timing.start + ON_THE_WAY * (timing.apex - timing.start)
    trunk, arms = timing.trunk(times), timing.arms(times)
    rows = np.concatenate([_rows(pose, trunk, arms, np.tile(detour, (2, 1))) for detour in choice])
    depths = overlaps(pose.bearing.bodies(rows), pose.station.leg)
    depths = depths.reshape(len(choice), len(times), 2, -1).max(axis=1)
    costs = DETOUR_COSTS * pose.station.leg * np.abs(choice).sum(axis=-1, keepdims=True)
    best = first_least(depths.sum(axis=-1) + costs, axis=0)
    return choice[best], depths[best, [0, 1]].max(axis=-1)


def _heads(pose: ReachPose, timing: Timing, times: Times) -> dict[str, Float[np.ndarray, "n 4"]]:
    """Neck, head and eyes: first towards the target from where the body rests, then as at the apex."""
    bodies = pose.bearing.bodies(np.stack([pose.rest, pose.apex]))
    middle = np.mean(list(pose.targets.values()), axis=0)
    rest = at_ease(pose.station)
    last = gaze_at(pose.station, middle, bodies.head[1], bodies.chest[1])
    first = gaze_at(pose.station, middle, bodies.head[0], bodies.chest[0], towards=last.turn)
    looks, borne = timing.gaze(times)[:, None], timing.trunk(times)[:, None]

    def blended(part: str) -> Float[np.ndarray, "n 4"]:
        a, b, c = (getattr(gaze, part) for gaze in (rest, first, last))
        return quat.exp(a + looks * (b - a + borne * (c - b)))

    eyes = [f"{side}_eye" for side in SIDES if pose.station.skeleton.has(f"{side}_eye")]
    return {"neck": blended("neck"), "head": blended("head"), **dict.fromkeys(eyes, blended("eyes"))}
