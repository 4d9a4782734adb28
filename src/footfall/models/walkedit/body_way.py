"""The way of the body over its footprints, and the kinematic walk model ([walk] 4).

The root is told beside the middle between the last two footprints; a spline through those middles carries
it along. How high it is follows from the model: lowest where both feet are down, sqrt(l^2 - (s/2)^2) with
legs of length l and steps of s (eq. 3), highest where the legs cross, and a smooth bump between (eq. 4, whose
|sin| would have a corner at each strike). The model is applied as a difference to what was captured, so that
captured steps give the captured body back.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.models.walkedit.cycle import WalkCycle
from footfall.models.walkedit.sampling import read
from footfall.models.walkedit.steps import Footprints

AFTER_STRIKE = 0.10  # steps: the body is lowest so long after a strike
LONGEST = 1.6  # of the captured step: more the body does not sway
SHORTER = 0.3  # of the model's raise: people do not stretch their legs for short steps,
CLIMBS = 0.1  # m: but where they climb so much, they do
LOWER_LEG = (0.2, 0.35)  # of a step's rise, up and down: how far the body comes down to the lower foot


def middles(prints: Footprints) -> Float[np.ndarray, "prints 3"]:
    """Between each print and the one before; the first has none before and is led up to evenly."""
    found = 0.5 * (prints.places[1:] + prints.places[:-1])
    return np.concatenate([2.0 * found[:1] - found[1:2], found])


def body_turn(prints: Footprints, steps: Float[np.ndarray, "n"]) -> Float[np.ndarray, "n"]:
    """Where the body faces against the captured way."""
    ways = np.unwrap(prints.ways)
    between = np.concatenate([ways[:1], 0.5 * (ways[1:] + ways[:-1])])
    return spline(between, steps - prints.offset)


def body_way(
    cycle: WalkCycle,
    prints: Footprints,
    phase: Float[np.ndarray, "n"],
    steps: Float[np.ndarray, "n"],
    turn: Float[np.ndarray, "n"],
) -> Float[np.ndarray, "n 3"]:
    """The root's path before the legs have had their say."""
    numbers = steps - prints.offset
    line = spline(middles(prints), numbers)
    beside = read(cycle.root, phase % 1.0)
    # to and fro along the way as much as the step is longer ([walk] 5.1)
    sway = cycle.root[:, 2].mean()
    beside[:, 2] = sway + stretch(cycle, prints, numbers) * (beside[:, 2] - sway)
    beside = quat.rotate(ground.turn(turn), beside)
    lower = walk_model(cycle, prints, numbers)
    return line + beside - lower[:, None] * ground.UP


def stretch(cycle: WalkCycle, prints: Footprints, numbers: Float[np.ndarray, "n"]) -> Float[np.ndarray, "n"]:
    """How long steps are beside the captured ones, smoothly from one to the next."""
    apart = np.diff(prints.places, axis=0)
    ratio = np.hypot(apart[:, 0], apart[:, 2]) / _captured_steps(cycle, prints)[1:]
    ratio = np.clip(ratio, 0.0, LONGEST)
    if np.ptp(ratio) < 1e-12:
        return np.full(len(numbers), ratio[0])
    between = np.concatenate([ratio[:1], 0.5 * (ratio[1:] + ratio[:-1]), ratio[-1:]])
    return np.clip(spline(between, numbers), 0.0, LONGEST)


def _captured_steps(cycle: WalkCycle, prints: Footprints) -> Float[np.ndarray, "prints"]:
    """The captured distance between feet when each print's foot arrives: people step unevenly."""
    feet = (np.arange(len(prints)) + prints.offset) % 2
    return np.hypot(np.array(cycle.step_lengths)[feet], cycle.beside[0] - cycle.beside[1])


def walk_model(
    cycle: WalkCycle, prints: Footprints, numbers: Float[np.ndarray, "n"]
) -> Float[np.ndarray, "n"]:
    """How much lower than captured the root is ([walk] eq. 3-4, as a difference)."""
    length = cycle.leg_length
    apart = np.diff(prints.places, axis=0, prepend=prints.places[:1])
    apart[0] = apart[1]
    step, rise = np.hypot(apart[:, 0], apart[:, 2]), apart[:, 1]
    captured = _captured_steps(cycle, prints)
    lowest = [np.sqrt(np.maximum(length**2 - (0.5 * s) ** 2, (0.3 * length) ** 2)) for s in (captured, step)]
    lower = lowest[0] - lowest[1]
    climbs = np.clip(rise / CLIMBS, 0.0, 1.0)
    lower = np.where(lower < 0.0, (SHORTER + (1.0 - SHORTER) * climbs) * lower, lower)
    lower = lower + np.where(rise > 0.0, *LOWER_LEG) * np.abs(rise)
    # the bump: 1 at the double support, 0 where the legs cross
    at = numbers - AFTER_STRIKE
    k = np.floor(at).astype(int)
    theta = np.pi * (at - k)
    first, second = (lower[np.clip(i, 0, len(lower) - 1)] for i in (k, k + 1))
    bump = np.cos(theta) ** 2
    return np.where(theta < 0.5 * np.pi, first, second) * bump


def spline(values: Float[np.ndarray, "knots *dims"], at: Float[np.ndarray, "n"]) -> np.ndarray:
    """A smooth curve through values at whole numbers."""
    from scipy.interpolate import CubicSpline

    return CubicSpline(np.arange(len(values)), values, bc_type="natural")(at)
