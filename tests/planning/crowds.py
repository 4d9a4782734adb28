"""Crowds that walk to their goals with `Avoidance`, and what they did on the way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from footfall.planning.avoidance import Avoidance, MovingObstacles

ARRIVED = 0.05  # m from the goal


@dataclass(frozen=True)
class Walked:
    trails: np.ndarray  # (steps + 1, n, 2)
    velocities: np.ndarray  # (steps, n, 2)
    arrivals: np.ndarray  # s, infinite for those who never did
    least_gap: float  # m between any two; negative: they overlapped


def straight_to(goals: np.ndarray, speed: float, dt: float) -> Callable[[np.ndarray], np.ndarray]:
    """Wishes of those who walk straight to their goals and stop there."""

    def wishes(places: np.ndarray) -> np.ndarray:
        way = goals - places
        length = np.linalg.norm(way, axis=1, keepdims=True)
        return way * np.minimum(speed / np.maximum(length, 1e-9), 1.0 / dt)

    return wishes


def least_gap(places: np.ndarray, radii: np.ndarray) -> float:
    i, j = np.triu_indices(len(places), 1)
    if not len(i):
        return np.inf
    return float((np.linalg.norm(places[i] - places[j], axis=1) - radii[i] - radii[j]).min())


def walk(
    avoidance: Avoidance,
    starts: np.ndarray,
    goals: np.ndarray,
    *,
    seconds: float,
    dt: float = 0.1,
    speed: float = 1.4,
    obstacles: Callable[[float], MovingObstacles] | None = None,
) -> Walked:
    """Until all have arrived, or the time is over."""
    wishes, places, going = straight_to(goals, speed, dt), np.array(starts), np.zeros_like(starts)
    trails, velocities, gap = [places], [], np.inf
    arrivals = np.full(len(starts), np.inf)
    for step in range(round(seconds / dt)):
        moving = None if obstacles is None else obstacles(step * dt)
        going = avoidance.velocities(places, going, wishes(places), dt, moving)
        places = places + dt * going
        trails.append(places)
        velocities.append(going)
        gap = min(gap, least_gap(places, avoidance.radii))
        there = np.linalg.norm(goals - places, axis=1) < ARRIVED
        arrivals = np.where(there & np.isinf(arrivals), (step + 1) * dt, arrivals)
        if np.isfinite(arrivals).all():
            break
    return Walked(np.array(trails), np.array(velocities), arrivals, gap)


def on_circle(count: int, radius: float) -> np.ndarray:
    angle = 2.0 * np.pi * np.arange(count) / count
    return radius * np.stack([np.cos(angle), np.sin(angle)], axis=-1)
