"""When an arm is where in its reach: out, on the target, and back, and from any of these to another."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from jaxtyping import Float

from footfall.models.reach.reach_set import APEX, END, LEAVE, ReachSet

TURNS_ROUND = 0.4  # s in which a hand on its way turns round
SETS_OUT = 0.12  # s in which time gets going
SETTLING = 0.5  # of generic time before it would leave: time slows down, and waits there
WAITS = 1e-5  # of generic time before it would leave: there it stands still
SAMPLES = 33
LONGEST = 0.25  # s of one frame: more is cut


@dataclass(frozen=True, eq=False)
class Extents:
    """How far out the hand is, from 0 to 1, over the way out and over the way back."""

    out: Float[np.ndarray, "samples"]
    back: Float[np.ndarray, "samples"]

    @classmethod
    def of(cls, own: ReachSet) -> Extents:
        """The mean over the examples, made to rise and to fall."""
        from footfall.models.reach.effector_kernel import blended_effectors

        skeleton = own.skeleton
        rows = np.empty((2, SAMPLES, len(own.examples), 3))
        for k, first in enumerate((0.0, LEAVE)):
            for i, share in enumerate(np.linspace(0.0, 1.0, SAMPLES)):
                blended_effectors(
                    *own.kernel_tables,
                    np.array(skeleton.parents, dtype=np.int64),
                    np.ascontiguousarray(skeleton.offsets, dtype=float),
                    own.hand_joints,
                    own.palms,
                    np.eye(len(own.examples)),
                    first + share,
                    rows[k, i],
                )
        rest = (rows[0, 0], rows[1, -1])
        away = [np.linalg.norm(rows[k] - rest[k], axis=-1) for k in range(2)]
        out, back = (np.mean(a / np.maximum(a.max(axis=0), 1e-9), axis=1) for a in away)
        return cls(np.maximum.accumulate(out), np.maximum.accumulate(back[::-1])[::-1])

    def turned_round(self, generic: float) -> float:
        """The moment of the other way with the hand as far out."""
        shares = np.linspace(0.0, 1.0, SAMPLES)
        if generic <= APEX:
            far = float(np.interp(generic, shares, self.out))
            return LEAVE + float(np.interp(-far, -self.back, shares))
        far = float(np.interp(generic - LEAVE, shares, self.back)) if generic > LEAVE else 1.0
        return float(np.interp(far, self.out, shares))


@dataclass(eq=False)
class ReachClock:
    """Generic time of a reach. Turning round, the old way slows down and fades while the new one sets in."""

    generic: float = 0.0
    pace: float = 0.0  # of the examples'
    wants: str = "rest"  # "out" or "back"
    old: float = 0.0  # the way that fades
    old_pace: float = 0.0
    fading: float = 0.0  # from 1 to 0
    stretches: Float[np.ndarray, "3"] = field(default_factory=lambda: np.ones(3))  # s

    @property
    def stage(self) -> str:
        if self.wants == "rest":
            return "rest"
        if self.wants == "back":
            return "back"
        return "to" if self.generic < APEX else "on"

    def ask(self, wants: str, extents: Extents) -> None:
        """Out or back, from wherever it is."""
        if self.wants == "rest":
            if wants == "out":
                self.generic, self.pace, self.wants, self.fading = 0.0, 0.0, "out", 0.0
            return
        if wants == self.wants or self.fading > 0.0:  # one turn after the other: asked again, it is heard
            return
        before = self.stage
        self.wants = wants
        if before == "on" and wants == "back":
            return  # it goes on from the hold
        self.old, self.old_pace, self.fading = self.generic, self.pace, 1.0
        self.generic, self.pace = extents.turned_round(self.generic), 0.0

    def advance(self, seconds: float) -> None:
        dt = min(seconds, LONGEST)
        if self.wants == "rest" or (
            self.wants == "out" and self.fading <= 0.0 and self.generic > LEAVE - WAITS
        ):
            return
        self.pace = min(self.pace + dt / (TURNS_ROUND if self.fading > 0.0 else SETS_OUT), 1.0)
        last = LEAVE if self.wants == "out" else END
        pace = self.pace
        if self.wants == "out" and self.generic > LEAVE - SETTLING:
            pace *= (LEAVE - self.generic) / SETTLING
        self.generic = min(self.generic + self._step(self.generic, pace * dt), last)
        if self.fading > 0.0:
            self.fading = max(self.fading - dt / TURNS_ROUND, 0.0)
            end = APEX if self.old <= APEX else END
            self.old = min(self.old + self._step(self.old, self.old_pace * self.fading * dt), end)
        if self.wants == "back" and self.generic >= END and self.fading <= 0.0:
            self.wants = "rest"

    @property
    def seconds_out(self) -> float:
        """Until the hand has arrived."""
        if self.wants != "out" or self.generic >= APEX:
            return 0.0
        return self._time(APEX) - self._time(self.generic)

    def _rates(self) -> tuple[float, float, float, float]:
        a, b, c = self.stretches.tolist()
        return a, 2.0 * a * b / (a + b), 2.0 * b * c / (b + c), c

    def _step(self, generic: float, seconds: float) -> float:
        """Generic time that goes by in some seconds: midpoint rule on the clock of `align.smooth_time`."""
        half = generic + 0.5 * seconds / self._slope(generic)
        return seconds / self._slope(half)

    def _slope(self, generic: float) -> float:
        i = min(max(int(generic), 0), 2)
        u = min(max(generic - i, 0.0), 1.0)
        rates, length = self._rates(), float(self.stretches[i])
        a, b = rates[i], rates[i + 1]
        return max(a + u * (2.0 * (3.0 * length - 2.0 * a - b) + u * 3.0 * (a + b - 2.0 * length)), 1e-3)

    def _time(self, generic: float) -> float:
        i = min(max(int(generic), 0), 2)
        u = generic - i
        rates, length = self._rates(), float(self.stretches[i])
        a, b = rates[i], rates[i + 1]
        own = u * (a + u * ((3.0 * length - 2.0 * a - b) + u * (a + b - 2.0 * length)))
        return float(self.stretches[:i].sum()) + own
