"""A reach from a stand or a seat: out to the target, a hold, and back, the feet where they are.

Hips, trunk and arms run on bell-shaped speeds (minimum jerk, Flash and Hogan 1985, a little skewed towards the
start); eyes and head set out first, hips and trunk next. Hands open on the way and take their pose for the
hold. Through the hold the touching point is on its target exactly; every track's speed is continuous.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.actor.bearing import BODY, COUNT, Bearing
from footfall.actor.gaze import Gaze, at_ease, gaze_at
from footfall.actor.hand_poses import blended_hand
from footfall.actor.reach_pose import TOUCH_OF, TOUCHES, Point, ReachPose, reach_pose
from footfall.actor.stance import Times
from footfall.actor.style import Style
from footfall.errors import RequestError
from footfall.figure.example import Example
from footfall.figure.motion import checked_rate
from footfall.figure.roles import SIDES
from footfall.figure.skeleton import Skeleton
from footfall.geometry import easing
from footfall.geometry import quaternion as quat

BEFORE, AFTER = 0.35, 0.35  # s of rest
LOOKING = 0.20  # s by which the gaze sets out earlier
TRUNK_LEADS = 0.06  # s
SKEW = 0.25  # of the bell: it peaks before the middle
SECONDS = (0.45, 0.42)  # of a way of no length, and for each leg length of it
LOWERING = 0.9  # s for each leg length that the hips go down
RETURN = 1.05  # of the time out
LONGEST_HOLD = 60.0  # s
CLOSES = (-0.10, 0.20)  # s about the apex in which a hand takes its pose
OPENS = 0.6  # of the way out in which it opens


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
    """One hand (or both) to its target and back; see `reach_pose` for what can be asked.

    Keytimes: the hand sets out, arrives, leaves, is back. Parameters: the target x, y, z (of both hands the
    middle), the arm (1 left, -1 right, 0 both), the seat's height (0 when standing), the hand's touch.
    """
    rate = checked_rate(fps)
    if not 0.0 <= hold <= LONGEST_HOLD:
        raise RequestError(f"a reach holds for 0 to {LONGEST_HOLD:g} s, not {hold}")
    pose = reach_pose(skeleton, style, targets, seat=seat, hand=hand, touch=touch)
    timing = Timing.of(pose, style, hold)
    times = np.arange(round(timing.end * rate) + 1) / rate
    rows = pose.rest + timing.shares(times) * (pose.apex - pose.rest)
    root, turns = pose.posed(rows, _aims(pose, rows, timing.out_and_back(times)))
    turns |= _heads(pose, timing, times)
    for side in SIDES:
        weights = timing.hand_weights(times, hand if side in pose.targets else "relaxed")
        turns |= blended_hand(skeleton, side, weights)
    motion = pose.station.motion(root, turns, rate)
    middle = np.mean(list(pose.targets.values()), axis=0)
    arm = sum({"left": 1.0, "right": -1.0}[side] for side in pose.targets)
    parameters = dict(zip("xyz", middle, strict=True)) | {
        "arm": arm,
        "seat": 0.0 if seat is None else seat,
        "touch": float(TOUCHES.index(TOUCH_OF[hand] if touch is None else touch)),
    }
    return Example(motion, timing.keytimes, parameters, kind="reach")


@dataclass(frozen=True)
class Timing:
    """When a reach sets out, arrives, leaves and is back, in seconds."""

    start: float
    apex: float
    leave: float
    back: float
    end: float

    @classmethod
    def of(cls, pose: ReachPose, style: Style, hold: float) -> Timing:
        leg = pose.station.skeleton.leg_length()
        bodies = Bearing(pose.station).bodies(np.stack([pose.rest, pose.apex]))
        ways = np.diff(bodies.touching(pose.points), axis=0)[0]
        far = max(float(np.linalg.norm(ways[SIDES.index(side)])) for side in pose.targets) / leg
        down = max(float(bodies.root[0, 1] - bodies.root[1, 1]), 0.0) / leg
        out = (SECONDS[0] + SECONDS[1] * far + LOWERING * down) / max(style.tempo, 0.3)
        start = BEFORE + LOOKING
        apex = start + out
        leave = apex + hold
        back = leave + RETURN * out
        return cls(start, apex, leave, back, back + AFTER)

    @property
    def keytimes(self) -> tuple[float, float, float, float]:
        return self.start, self.apex, self.leave, self.back

    def out_and_back(self, t: Times, leads: float = 0.0) -> Times:
        """0 at rest, 1 through the hold; what leads sets out earlier and is back earlier."""
        out = _bell((t - self.start + leads) / (self.apex - self.start))
        away = _bell((t - self.leave) / (self.back - self.leave - leads))
        return out * (1.0 - away)

    def shares(self, t: Times) -> Float[np.ndarray, "n 27"]:
        """How much of every number of the apex there is."""
        trunk = np.tile(self.out_and_back(t, TRUNK_LEADS)[:, None], (1, BODY))
        return np.concatenate([trunk, np.tile(self.out_and_back(t)[:, None], (1, COUNT - BODY))], axis=1)

    def hand_weights(self, t: Times, hand: str) -> dict[str, Times]:
        """Relaxed, then open, then the pose of the hold, and relaxed again on the way back."""
        if hand == "relaxed":
            return {"relaxed": np.ones(len(t))}
        opened = easing.smoother((t - self.start) / (OPENS * (self.apex - self.start)))
        if hand == "open":
            held = opened
        else:
            held = easing.smoother((t - self.apex - CLOSES[0]) / (CLOSES[1] - CLOSES[0]))
        eased = 1.0 - easing.smoother((t - self.leave) / (0.8 * (self.back - self.leave)))
        weights = {"relaxed": 1.0 - opened * eased, "open": (opened - held) * eased}
        return {**weights, hand: weights.get(hand, 0.0) + held * eased} if hand != "open" else {
            "relaxed": 1.0 - opened * eased, "open": opened * eased
        }


def _bell(u: Times) -> Times:
    """Minimum jerk, its bell of speed skewed: faster off than home."""
    u = np.clip(u, 0.0, 1.0)
    return easing.smoother(u * (1.0 + SKEW * (1.0 - u)))


def _aims(
    pose: ReachPose, rows: Float[np.ndarray, "n 27"], arrived: Times
) -> dict[str, Float[np.ndarray, "n 3"]]:
    """Where the hands are to be: on the ways that the joints' turns make, drawn to the targets."""
    bearing = Bearing(pose.station)
    came = bearing.bodies(pose.apex[None]).touching(pose.points)[0]
    ways = bearing.bodies(rows).touching(pose.points)
    out = {}
    for i, side in enumerate(SIDES):
        if side in pose.targets:
            out[side] = ways[:, i] + arrived[:, None] * (pose.targets[side] - came[i])
    return out


def _heads(pose: ReachPose, timing: Timing, times: Times) -> dict[str, Float[np.ndarray, "n 4"]]:
    """Neck, head and eyes: first towards the target from where the body stands, then as at the apex."""
    bodies = Bearing(pose.station).bodies(np.stack([pose.rest, pose.apex]))
    middle = np.mean(list(pose.targets.values()), axis=0)
    rest = at_ease(pose.station)
    last = gaze_at(pose.station, middle, bodies.head[1], bodies.chest[1])
    first = gaze_at(pose.station, middle, bodies.head[0], bodies.chest[0], towards=last.turn)
    looks = timing.out_and_back(times, LOOKING)[:, None]
    borne = timing.out_and_back(times, TRUNK_LEADS)[:, None]

    def blended(part: str) -> Float[np.ndarray, "n 4"]:
        a, b, c = (getattr(gaze, part) for gaze in (rest, first, last))
        return quat.exp(a + looks * (b - a + borne * (c - b)))

    skeleton = pose.station.skeleton
    out = {"neck": blended("neck"), "head": blended("head")}
    for side in SIDES:
        if skeleton.has(f"{side}_eye"):
            out[f"{side}_eye"] = blended("eyes")
    return out


__all__ = ["Gaze", "Timing", "reach"]
