"""The posture of a reach at its apex."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.actor.bearing import ARM, BODY, COUNT, MIRROR, Bearing
from footfall.actor.comfort import Comfort
from footfall.actor.station import Station
from footfall.figure.roles import SIDES
from footfall.geometry import quaternion as quat

STEP = 1e-5


def solve_bearing(station: Station, points, targets: Mapping[str, np.ndarray], seat=None):
    from scipy.optimize import least_squares

    bearing = Bearing(station)
    goal = np.zeros((2, 3))
    reaching = np.array([side in targets for side in SIDES])
    for i, side in enumerate(SIDES):
        if side in targets:
            goal[i] = targets[side]
    comfort = Comfort(station, points, goal, reaching, np.zeros(COUNT))
    free = np.ones(COUNT, dtype=bool)
    if station.seat is not None:
        free[:3] = False
    for i in range(2):
        if not reaching[i]:
            free[BODY + ARM * i + 6 : BODY + ARM * (i + 1)] = False
    index = np.flatnonzero(free)
    kept = {}

    def evaluate(x):
        rows = np.zeros((len(index) + 1, COUNT))
        rows[:, index] = x
        rows[np.arange(len(index)) + 1, index] += STEP
        r = comfort.residuals(rows, bearing.bodies(rows))
        kept['x'] = x.copy()
        kept['jac'] = ((r[1:] - r[0]) / STEP).T
        return r[0]

    def jac(x):
        if not np.array_equal(kept['x'], x):
            evaluate(x)
        return kept['jac']

    start = first_guess(station, comfort, bearing)[index]
    found = least_squares(evaluate, start, jac, method='lm', max_nfev=60, ftol=1e-6, xtol=1e-6)
    row = np.zeros(COUNT)
    row[index] = found.x
    return bearing, comfort, row, found


def first_guess(station, comfort, bearing):
    x = np.zeros(COUNT)
    goal, reaching = comfort.targets, comfort.reaching
    leg = station.skeleton.leg_length()
    middle = goal[reaching].mean(axis=0)
    low = np.clip((0.95 - middle[1] / leg) / 0.95, 0.0, 1.0)
    if station.seat is None:
        x[1] = -0.45 * leg * low**2
        x[2] = -0.12 * low * leg
    x[3] = 0.7 * low
    x[6] = 0.7 * low
    x[4] = 0.6 * comfort.facing
    x[7] = 0.4 * comfort.facing
    body = bearing.bodies(x[None])
    for i, side in enumerate(SIDES):
        if not reaching[i]:
            continue
        girdle = body.chest[0]
        hang = girdle.T @ (body.elbow - body.shoulder)[0, i]
        want = girdle.T @ (goal[i] - body.shoulder[0, i])
        swing = quat.log(quat.between(hang, want)) * MIRROR[i]
        x[BODY + ARM * i + 2], x[BODY + ARM * i + 3] = swing[0], swing[2]
    return x
