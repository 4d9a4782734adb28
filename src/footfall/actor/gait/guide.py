"""What a list of stances says about the body over them: its way, its heading, its phase, its pace.

Everything is sampled at one dense rate, whatever the motion's own, so that a performance is the same function
of time at any frame rate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from jaxtyping import Float

from footfall.actor.gait.stance import Stance, Times
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import MARGIN, cell_of, cells_up_to

DENSE = 240.0  # Hz
CALM = 0.11  # s: the way between two double supports is smoothed by a Gaussian of this width
PACE = 0.20  # s: paces are smoothed more
SOFT = 0.04  # s: where a track reaches its bounds it bends into them, for a bend at once jolts every joint
LONG = 0.30  # s: a double support longer than this is a rest, which begins and ends


@dataclass(frozen=True, eq=False)
class Guide:
    """Dense tracks from `times[0]` to `times[-1]`."""

    times: Times
    place: Float[np.ndarray, "n 3"]  # between the feet, at ground level
    heading: Times
    phase: Times  # whole numbers where the left foot strikes, halves where the right does
    forward: Times  # m/s
    side: Times  # m/s to the left
    turning: Times  # rad/s
    climb: Times  # m/s
    running: Times  # 0 walks, 1 runs
    stepping: Times  # 0 stands, 1 steps at a walking tempo

    @property
    def speed(self) -> Times:
        return np.hypot(self.forward, self.side)


def dense_times(start: float, end: float) -> Times:
    """From a little before `start` to a little after `end`, on a grid that does not depend on either."""
    first, last = int(cell_of(start * DENSE, 1.0)) - 2, int(cells_up_to(end * DENSE, 1.0)) + 2
    return np.arange(first, last + 1) / DENSE


def calm(values: Float[np.ndarray, "n *k"], seconds: float) -> Float[np.ndarray, "n *k"]:
    from scipy.ndimage import gaussian_filter1d

    return gaussian_filter1d(values, seconds * DENSE, axis=0, mode="nearest", truncate=4.0)


def guide(stances: Sequence[Stance], times: Times) -> Guide:
    """The tracks of alternating (or any) stances, in the order of their strikes."""
    order = sorted(stances, key=lambda s: (s.strike, s.foot))
    knots, values = _way(order)
    plain = np.stack([np.interp(times, knots, column) for column in values.T], axis=-1)
    way = calm(plain, CALM)
    rate = calm(np.gradient(calm(plain, CALM), 1.0 / DENSE, axis=0), PACE)
    heading = way[:, 3]
    local = quat.rotate(ground.turn(-heading), rate[:, :3])
    runs = np.interp(times, [s.strike for s in order], [float(s.gait == "run") for s in order])
    return Guide(
        times=times,
        place=way[:, :3],
        heading=heading,
        phase=_phase(order, times),
        forward=local[:, 2],
        side=local[:, 0],
        turning=rate[:, 3],
        climb=rate[:, 1],
        running=calm(runs, PACE),
        stepping=_stepping(order, times),
    )


def _way(order: Sequence[Stance]) -> tuple[Times, Float[np.ndarray, "k 4"]]:
    """Knots of the way: halfway between the feet in the middle of each double support."""
    knots: list[float] = []
    values: list[Float[np.ndarray, "4"]] = []
    turned = order[0].heading
    last = {order[0].foot: order[0]}
    for stance in order[1:]:
        others = [s for foot, s in last.items() if foot != stance.foot]
        last[stance.foot] = stance
        if not others:
            continue
        other = others[0]
        middle = 0.5 * (stance.place + other.place)
        both = stance.heading + 0.5 * float(ground.wrap(other.heading - stance.heading))
        turned = turned + float(ground.wrap(both - turned))
        begin, end = _shared(stance, other, order)
        for at in (begin + 0.5 * LONG, end - 0.5 * LONG) if end - begin > LONG else (0.5 * (begin + end),):
            knots.append(max(at, knots[-1] + 1e-6) if knots else at)
            values.append(np.array([*middle, turned]))
    if not knots:
        only = order[0]
        return np.array([only.middle]), np.array([[*only.place, only.heading]])
    return np.array(knots), np.array(values)


def _shared(stance: Stance, other: Stance, order: Sequence[Stance]) -> tuple[float, float]:
    """When both stand (or, in a run, the flight between them): from this strike to the first that leaves."""
    end = min(stance.off, other.off)
    far = order[-1].strike + 10.0
    return stance.strike, float(np.clip(end, -far, far)) if np.isfinite(end) else far


def _phase(order: Sequence[Stance], times: Times) -> Times:
    from scipy.interpolate import PchipInterpolator

    moments: list[float] = []
    phases: list[float] = []
    at = 0.0 if order[0].foot == "left" else 0.5
    for before, stance in pairwise([order[0], *order]):
        if stance is not order[0]:
            at += 1.0 if stance.foot == before.foot else 0.5
        if moments and stance.strike - moments[-1] < 0.05:
            continue  # both feet at once: a jump has no phase of its own
        if np.isfinite(stance.strike):
            moments.append(stance.strike)
            phases.append(at)
    if len(moments) < 2:
        return np.full(len(times), phases[0] if phases else 0.0)
    inside = PchipInterpolator(moments, phases, extrapolate=False)(times)
    first = (phases[1] - phases[0]) / (moments[1] - moments[0])
    final = (phases[-1] - phases[-2]) / (moments[-1] - moments[-2])
    inside = np.where(times < moments[0], phases[0] + first * (times - moments[0]), inside)
    return np.where(times > moments[-1], phases[-1] + final * (times - moments[-1]), inside)


def _stepping(order: Sequence[Stance], times: Times) -> Times:
    """How much of the time around a moment a foot is in the air."""
    air = np.zeros(len(times))
    for foot in ("left", "right"):
        own = [s for s in order if s.foot == foot]
        for before, after in pairwise(own):
            if after.gait == "jump":
                continue  # no step
            t = times + MARGIN  # a sample at the very instant of an event comes after it
            air[(t >= before.off) & (t < after.strike)] = 1.0
    return calm(np.clip(1.6 * calm(air, PACE), 0.0, 1.0), SOFT)
