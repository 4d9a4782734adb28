"""When the parts of a reach move. Durations, lead times and the bell's peak are those of captured reaches."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from footfall.actor.gait.stance import Times
from footfall.actor.hand_poses import grasping
from footfall.actor.reach.reach_pose import ReachPose
from footfall.actor.style import Style
from footfall.errors import RequestError
from footfall.figure.roles import SIDES
from footfall.geometry import easing

BEFORE, AFTER = 0.40, 0.30  # s of rest
SECONDS = (0.55, 0.30)  # of a way of no length, and for each leg length of it
LOWERING = 0.55  # s more for each leg length that the hips go down
RETURN = 1.2  # of the time out
TRUNK_LEADS = 0.06  # s
TRUNK_LAGS = 0.10  # s, of one who sits: hands leave the thighs first, and come back to them last
GAZE_LEADS, GAZE_LASTS = 0.12, 0.7  # s, and of the time out
SKEW = 0.25  # the bell's peak is at 0.44 of the way
LONGEST_HOLD = 60.0  # s
OPENS = 0.6  # of the way out in which a hand opens ...
RELAXES = 0.8  # ... and of the way back in which it relaxes
CLOSES = (-0.10, 0.20)  # s about the apex in which it takes its pose


@dataclass(frozen=True)
class Timing:
    """When the hand of a reach sets out, arrives, leaves and is back, and when all ends; seconds."""

    start: float
    apex: float
    leave: float
    back: float
    end: float
    seated: bool = False

    @classmethod
    def of(cls, pose: ReachPose, style: Style, hold: float) -> Timing:
        """The farther the hand goes and the lower the hips, the longer it takes."""
        if not (isinstance(hold, (int, float)) and 0.0 <= hold <= LONGEST_HOLD):
            raise RequestError(f"a reach holds for 0 to {LONGEST_HOLD:g} s, not {hold}")
        leg = pose.station.leg
        bodies = pose.bearing.bodies(np.stack([pose.rest, pose.apex]))
        ways = np.linalg.norm(np.diff(bodies.touching(pose.points), axis=0)[0], axis=-1) / leg
        far = max(float(ways[SIDES.index(side)]) for side in pose.targets)
        down = max(float(bodies.root[0, 1] - bodies.root[1, 1]), 0.0) / leg
        out = (SECONDS[0] + SECONDS[1] * far + LOWERING * down) / max(style.tempo, 0.3)
        apex = BEFORE + out
        back = apex + hold + RETURN * out
        return cls(BEFORE, apex, apex + hold, back, back + AFTER, pose.station.seat is not None)

    @property
    def keytimes(self) -> tuple[float, float, float, float]:
        return self.start, self.apex, self.leave, self.back

    def arms(self, t: Times) -> Times:
        """0 at rest, 1 through the hold."""
        return self._run(t, self.start, self.apex, self.back)

    def trunk(self, t: Times) -> Times:
        if self.seated:
            return self._run(t, self.start + TRUNK_LAGS, self.apex, self.back - 2.0 * TRUNK_LAGS)
        return self._run(t, self.start - TRUNK_LEADS, self.apex, self.back)

    def gaze(self, t: Times) -> Times:
        """The gaze is there long before the hand, and leaves with it."""
        out = self.apex - self.start
        start = self.start - GAZE_LEADS
        return self._run(
            t, start, start + GAZE_LASTS * out, self.leave + GAZE_LASTS * (self.back - self.leave)
        )

    def _run(self, t: Times, start: float, arrival: float, back: float) -> Times:
        return _bell((t - start) / (arrival - start)) * (1.0 - _bell((t - self.leave) / (back - self.leave)))

    def hand_weights(self, t: Times, hand: str) -> dict[str, Times]:
        """Relaxed, open on the way, then the pose of the hold, and relaxed again on the way back."""
        if hand == "relaxed":
            return {"relaxed": np.ones(len(t))}
        opened = easing.smoother((t - self.start) / (OPENS * (self.apex - self.start)))
        held = easing.smoother((t - self.apex - CLOSES[0]) / (CLOSES[1] - CLOSES[0]))
        kept = 1.0 - easing.smoother((t - self.leave) / (RELAXES * (self.back - self.leave)))
        weights = {pose: opened * kept * weight for pose, weight in grasping(hand, held).items()}
        return {"relaxed": 1.0 - opened * kept, **weights}


def _bell(u: Times) -> Times:
    """From 0 to 1 with minimum jerk, a little faster off than home."""
    u = np.clip(u, 0.0, 1.0)
    return easing.smoother(u * (1.0 + SKEW * (1.0 - u)))
