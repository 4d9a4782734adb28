"""A walk over rough ground, one foot to a row of tiles: the feet come first, rows are drawn between them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.world.foot_plan import FootPlan
from footfall.world.generators.footprints import alternating, foot_corners, side_of
from footfall.world.generators.limits import CLEAR, KEEP, Stance, StepLimits, stance_for
from footfall.world.generators.strip import AFTER, BEFORE, END
from footfall.world.generators.walk import places_between

TWISTS = ((0.15, 0.06), (0.08, 0.03), (0.03, 0.01), (0.0, 0.0))  # rad of heading, m of drift a step
FARTHEST = 0.25  # m that the way drifts to a side


@dataclass(frozen=True, eq=False)
class RowWalk:
    """Feet on a landing, in rows, and on a landing again, and what they leave free for the lines between."""

    start: Float[np.ndarray, "feet 2"]  # subtalar places x, z, headed straight ahead
    rows: Float[np.ndarray, "rows 3"]  # x, z, heading
    end: Float[np.ndarray, "feet 2"]
    free: Float[np.ndarray, "rows+1 2"]  # where lines may run, before each row and after the last: z from, to
    sides: Float[np.ndarray, "rows 2"]  # the least and the largest x of each row's foot

    def crossing(self, heights: Float[np.ndarray, "rows"]) -> FootPlan:
        """The walk, given how high the feet in the rows are; the landings are level with the origin."""
        places = np.concatenate([self.start, self.rows[:, :2], self.end])
        before, after = np.zeros(len(self.start)), np.zeros(len(self.end))
        heading = np.concatenate([before, self.rows[:, 2], after])
        return alternating(places, np.concatenate([before, heights, after]), heading)


def walk_rows(
    rng: np.random.Generator, limits: StepLimits, kind: str, *, length: float, gap: float
) -> RowWalk:
    """As many rows as fit into a length, at least two; with `gap` m at least between feet, lengthwise."""
    stance = stance_for(limits, kind, limits.room + gap)
    least, most, twist, drift = _freedom(limits, stance, gap)
    goal = AFTER - limits.ahead - CLEAR
    start = places_between(np.array([-BEFORE, AFTER]), limits, stance.cruise, start=0.0, goal=goal)[0]
    start = np.concatenate([start[:1], start])
    count = max(2, int((length - BEFORE - AFTER - END) / (0.5 * (least + most))))
    # the last is the first foot on the far landing
    middle = _drift(rng, drift, count)
    x = np.append(middle, middle[-1]) + 0.5 * stance.apart * side_of(count + 1, len(start))
    z = start[-1] + np.cumsum(rng.uniform(least, most, count + 1))
    places, heading = np.stack([x, z], axis=-1), np.append(rng.uniform(-twist, twist, count), 0.0)
    corners = foot_corners(places, heading, limits)
    free = _free(corners[..., 1])
    edge = free[-1, 0]
    end = places_between(
        np.array([edge, edge + END]), limits, stance.cruise, start=z[-1], goal=edge + 0.5 * END
    )[0]
    end = np.append(end, end[-1])
    end_x = middle[-1] + 0.5 * stance.apart * side_of(len(end), len(start) + count)
    return RowWalk(
        np.stack([0.5 * stance.apart * side_of(len(start)), start], axis=-1),
        np.column_stack([places, heading])[:-1],
        np.stack([end_x, end], axis=-1),
        free,
        np.stack([corners[:-1, :, 0].min(axis=1) - CLEAR, corners[:-1, :, 0].max(axis=1) + CLEAR], axis=-1),
    )


def _freedom(limits: StepLimits, stance: Stance, gap: float) -> tuple[float, float, float, float]:
    """The shortest and the longest advance from foot to foot, m, and how much feet twist and drift."""
    for twist, drift in TWISTS:
        least = limits.foot_length * np.cos(twist) + limits.foot_width * np.sin(twist) + 2.0 * CLEAR + gap
        square = limits.length**2 - (stance.apart + drift) ** 2
        most = KEEP * np.sqrt(max(square, 0.0))
        if least <= most:
            break
    return float(least), float(most), twist, drift


def _drift(rng: np.random.Generator, largest: float, count: int) -> Float[np.ndarray, "count"]:
    """How far to the left the way is at each row: it wanders, and turns back where it gets too far."""
    middle, now = [], 0.0
    for move in largest * rng.uniform(-1.0, 1.0, count):
        now += -move if abs(now + move) > FARTHEST else move
        middle.append(now)
    return np.array(middle)


def _free(z: Float[np.ndarray, "rows+1 4"]) -> Float[np.ndarray, "rows+1 2"]:
    """Where lines may run between the feet with these corners; the landings end in straight lines."""
    from_, to = z.max(axis=1)[:-1] + CLEAR, z.min(axis=1) - CLEAR
    free = np.stack([np.append(AFTER, from_), to], axis=-1)
    free[0, 1] = AFTER
    free[-1] = free[-1].mean()
    return free
