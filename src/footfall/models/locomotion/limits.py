"""What a locomotion space can do on level ground: it states its own limits."""

from __future__ import annotations

import numpy as np

from footfall.errors import RequestError
from footfall.models.gait_limits import GaitLimits
from footfall.models.locomotion.model import Locomotion
from footfall.models.locomotion.response import CHANGE, QUICK

SLOWEST = 0.1  # m/s: who goes slower stands
USUAL = 0.5  # of the fastest: the speed at which steps and curves are told
FAR = 20.0  # m/s or rad/s: beyond any hull
HALVINGS = 40


def limits_of(model: Locomotion) -> GaitLimits:
    """Speeds ahead, turns that it makes at any speed up to a usual one, and how soon it obeys."""
    fastest = _edge(model, np.zeros(3), np.array([1.0, 0.0, 0.0]))
    if fastest <= SLOWEST:
        raise RequestError(f"it goes no faster ahead than {fastest:.2f} m/s: it has no limits to steer by")
    usual = USUAL * fastest
    turns = [
        _edge(model, np.array([speed, 0.0, 0.0]), np.array([0.0, sign, 0.0]))
        for speed in (SLOWEST, usual)
        for sign in (1.0, -1.0)
    ]
    shares = model.weights(speed=usual, turn_rate=0.0, side_speed=0.0)
    step = 0.5 * float(shares @ model.tables.seconds)
    lag = 2.0 / QUICK
    return GaitLimits(
        slowest=SLOWEST,
        fastest=fastest,
        turn_rate=min(turns),
        acceleration=CHANGE[0],
        braking=CHANGE[0],
        step_seconds=step,
        stopping=SLOWEST * (lag + SLOWEST / CHANGE[0]),
    )


def _edge(model: Locomotion, start: np.ndarray, way: np.ndarray) -> float:
    """How far the hull goes from a place in it, along one parameter; 0 where the place is outside."""
    if not model.space.contains(start):
        return 0.0
    low, high = 0.0, FAR
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        inside = bool(model.space.contains(start + middle * way))
        low, high = (middle, high) if inside else (low, middle)
    return low
