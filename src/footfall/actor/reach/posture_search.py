"""The search for the posture that costs a person least: Levenberg-Marquardt over the numbers of a bearing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from jaxtyping import Bool, Float, Int

from footfall.actor.hand_poses import Touch, palm
from footfall.actor.reach.bearing import ARM, BODY, COUNT, ELBOW, HAND, MIRROR, SHIFT, SWING, TWIST, Bearing
from footfall.actor.reach.comfort import Comfort
from footfall.figure.roles import SIDES
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import first_least, rounded
from footfall.geometry.ground import UP

Numbers = Float[np.ndarray, "27"]
Point = Float[np.ndarray, "3"]

STEP = 1e-4  # rad, and of leg length, to either side: of shorter differences the last digits make slopes
# rad, and of leg length: postures are multiples of this. Where a search creeps, last digits grow to 1e-8. It
# ends within 1e-3 of the least cost, and the arms close on their targets exactly in any case.
GRAIN = 2.0**-14
EVALUATIONS, THOROUGH_EVALUATIONS = 60, 150
LOOSE, LOOSE_EVALUATIONS = 0.1, 8  # targets and limits are soft first: stiff ones make the search creep
GUESSED_TWISTS = np.radians([-60.0, -45.0, -30.0, -15.0, 0.0])
ELBOW_OUT = 0.25  # against down
BENT_AT_REST = 0.38  # rad, the elbow of an arm that hangs
LOW = 0.95  # of leg length: targets under this are bent to
ALONG_THIGH, OVER_THIGH = 0.68, 0.106  # where a hand lies: of the thigh, and of leg length over its bone
LYING = np.radians([0.0, 0.0, -20.0, 8.0, 0.0, 45.0, 60.0, 0.0, 5.0])  # the arm of such a hand


def find_bearing(
    bearing: Bearing, touches: Mapping[str, Touch], targets: Mapping[str, Point], rest: Numbers
) -> tuple[Numbers, Comfort]:
    """The bearing that reaches the targets at the least cost, and its costs; `rest` is where it starts."""
    comfort = _comfort(bearing, touches, targets, rest)
    index = np.flatnonzero(_free(bearing, comfort.reaching))
    row = _first_guess(bearing, comfort)
    row = _searched(bearing, replace(comfort, firmness=LOOSE), row, index, LOOSE_EVALUATIONS)
    return _searched(bearing, comfort, row, index, EVALUATIONS), comfort


def refined(bearing: Bearing, comfort: Comfort, row: Numbers) -> Numbers:
    """The search gone on with, slowly and thoroughly."""
    index = np.flatnonzero(_free(bearing, comfort.reaching))
    return _searched(bearing, comfort, row, index, THOROUGH_EVALUATIONS, precision=1e-6)


def bearing_at_ease(bearing: Bearing) -> Numbers:
    """How one is who waits: arms hang; those of one who sits lie on the thighs."""
    rest = np.zeros(COUNT)
    station = bearing.station
    if station.seat is None:
        return rest
    body = bearing.bodies(rest[None])
    bones = body.hip[0] + ALONG_THIGH * (body.knee[0] - body.hip[0])
    over = bones + OVER_THIGH * station.leg * UP
    rest[BODY:] = np.tile(LYING, 2)
    comfort = _comfort(bearing, {}, dict(zip(SIDES, over, strict=True)), rest)
    return _searched(bearing, comfort, rest, np.arange(BODY, COUNT), EVALUATIONS)


def _comfort(
    bearing: Bearing, touches: Mapping[str, Touch], targets: Mapping[str, Point], rest: Numbers
) -> Comfort:
    """Hands that do not touch anything lie with their palms."""
    points = np.stack(
        [touches[s].point if s in touches else palm(bearing.station.skeleton, s) for s in SIDES]
    )
    lying = bearing.bodies(rest[None]).touching(points)[0]
    return Comfort(
        station=bearing.station,
        points=points,
        tips={i: touches[side].tips for i, side in enumerate(SIDES) if side in touches},
        targets=np.stack([targets.get(side, lying[i]) for i, side in enumerate(SIDES)]),
        reaching=np.array([side in targets for side in SIDES]),
        rest=rest,
    )


def _searched(
    bearing: Bearing,
    comfort: Comfort,
    start: Numbers,
    index: Int[np.ndarray, "free"],
    evaluations: int,
    precision: float = 1e-3,
) -> Numbers:
    from scipy.optimize import least_squares

    free, latest = len(index), dict[str, np.ndarray]()
    units = np.where(index < SHIFT.stop, bearing.station.leg, 1.0)
    steps = STEP * units

    def residuals(x: np.ndarray) -> np.ndarray:
        # all finite differences in one batch: a row costs next to nothing
        rows = np.tile(start, (2 * free + 1, 1))
        rows[:, index] = x
        rows[np.arange(free), index] += steps
        rows[np.arange(free) + free, index] -= steps
        found = comfort.residuals(rows, bearing.bodies(rows))
        latest.update(x=x.copy(), slope=((found[:free] - found[free:-1]) / (2.0 * steps[:, None])).T)
        return found[-1]

    def slope(x: np.ndarray) -> np.ndarray:
        if not np.array_equal(latest["x"], x):
            residuals(x)
        return latest["slope"]

    found = least_squares(
        residuals,
        start[index],
        slope,
        method="lm",
        x_scale="jac",  # the default of SciPy 1.16 and newer; older ones scale otherwise
        max_nfev=evaluations,
        ftol=precision,
        xtol=1e-5,
    )
    row = start.copy()
    row[index] = units * rounded(found.x / units, GRAIN)
    return row


def _free(bearing: Bearing, reaching: Bool[np.ndarray, "2"]) -> Bool[np.ndarray, "27"]:
    """Which numbers are searched: a seat holds the hips, a hand that hangs keeps its wrist."""
    free = np.ones(COUNT, dtype=bool)
    if bearing.station.seat is not None:
        free[:3] = False
        return free
    for i in np.flatnonzero(~reaching):
        free[BODY + ARM * i : BODY + ARM * (i + 1)][HAND] = False
    return free


def _first_guess(bearing: Bearing, comfort: Comfort) -> Numbers:
    """Lowered and bent for low targets, turned, and the arms straight at them."""
    row, leg = comfort.rest.copy(), bearing.station.leg
    height = float(comfort.targets[comfort.reaching, 1].mean()) / leg
    low = float(np.clip((LOW - height) / LOW, 0.0, 1.0))
    if bearing.station.seat is None:
        row[:3] = [0.0, -0.45 * leg * low**2, -0.12 * leg * low]
    row[3:BODY] = [0.7 * low, 0.6 * comfort.facing, 0.0, 0.7 * low, 0.4 * comfort.facing, 0.0]
    for i in np.flatnonzero(comfort.reaching):
        row[BODY + ARM * i : BODY + ARM * (i + 1)] = _guessed_arm(bearing, comfort, row, int(i))
    return row


def _guessed_arm(bearing: Bearing, comfort: Comfort, row: Numbers, i: int) -> Float[np.ndarray, "9"]:
    """An arm bent as its target is near, the elbow under the line to it, the twist that fits best."""
    hanging = row.copy()
    hanging[BODY:] = 0.0
    body, target = bearing.bodies(hanging[None]), comfort.targets[i]
    chest, shoulder = body.chest[0], body.shoulder[0, i]
    upper = body.elbow[0, i] - shoulder
    first = float(np.linalg.norm(upper))
    second = float(np.linalg.norm(body.touching(comfort.points)[0, i] - body.elbow[0, i]))
    far = float(
        np.clip(np.linalg.norm(target - shoulder), 1.05 * abs(first - second), 0.98 * (first + second))
    )
    lift = np.arccos((first**2 + far**2 - second**2) / (2.0 * first * far))
    bend = np.pi - np.arccos((first**2 + second**2 - far**2) / (2.0 * first * second))
    line = (target - shoulder) / np.linalg.norm(target - shoulder)
    # the elbow lies below the line to the target, and outwards where that is upright
    outwards = (1.0 - 2.0 * i) * chest[:, 0] + chest[:, 2]
    down = -UP + ELBOW_OUT * outwards
    down = down - (line @ down) * line
    wanted = np.cos(lift) * line + np.sin(lift) * down / np.linalg.norm(down)
    swing = quat.log(quat.between(chest.T @ upper, chest.T @ wanted)) * MIRROR[i]
    arms = np.zeros((len(GUESSED_TWISTS), ARM))
    arms[:, SWING], arms[:, ELBOW], arms[:, TWIST] = swing[[0, 2]], bend - BENT_AT_REST, GUESSED_TWISTS
    rows = np.tile(row, (len(arms), 1))
    rows[:, BODY + ARM * i : BODY + ARM * (i + 1)] = arms
    missed = bearing.bodies(rows).touching(comfort.points)[:, i] - target
    return arms[first_least(np.linalg.norm(missed, axis=-1))]
