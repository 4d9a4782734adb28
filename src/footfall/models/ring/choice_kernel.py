"""Which of the spheres that touch suits the wish, compiled ([rings] 4.2)."""

from __future__ import annotations

import numpy as np

from footfall.geometry.decisions_kernel import shortest_turn
from footfall.geometry.kernel_cache import kernel
from footfall.models.ring import layout

# metres squared that a wish not given is worth
A_TURN = 1.0  # per rad squared
A_LENGTH = 0.5  # per m squared
A_CHANGE = 0.01  # per squared change of the weights: what goes on as it does is preferred
A_JERK = 4e-4  # per (rad/s^2) squared by which the figure's turning must change
HARDEST = 14.0  # rad/s^2 by which it may change for a wish within a half cycle
LUNGE = 14.0  # m/s^2 by which a wish within a half cycle may change where the foot comes down: hips go along
BEYOND = 0.03  # per negative weight
UNTESTED = 2.0  # of a sphere's flag: it touches (1), does not (0), or is not looked at yet


@kernel()
def turn_of(sizes, numbers, half, weights):  # type: ignore[no-untyped-def]
    """By what a half cycle with these weights turns."""
    loops, length = sizes[layout.LOOPS], sizes[layout.FRAMES] // 2
    last = sizes[layout.AT_PATHS] + 4 * loops * ((length + 1) * half + length) + 3
    first = sizes[layout.AT_PATHS] + 4 * loops * (length + 1) * (1 - half) + 3
    turn = 0.0
    for s in range(loops):
        turn += weights[s] * (numbers[last + 4 * s] - numbers[first + 4 * s])
    return turn


@kernel()
def put_costs(sizes, numbers, half, state, heading, left, seconds, planned, flags, costs):  # type: ignore[no-untyped-def]
    """How little each sphere suits the wish; infinite where it is known not to touch, or would be a jerk."""
    spheres, loops = sizes[layout.SPHERES], sizes[layout.LOOPS]
    usual = turn_of(sizes, numbers, half, planned)
    # the less of the half cycle is left, the harder a change is; an eased turn accelerates by 6 / t^2 of it
    change_cost, per_turn = A_CHANGE / (left * left), 6.0 / (left * seconds) ** 2
    # what was found at the strike still holds: a wish that comes later is no reason for a jerk
    hardest, lunge = (np.inf, np.inf) if left == layout.ARRIVED else (HARDEST, LUNGE)
    farthest = lunge * (left * seconds) ** 2 / 6.0
    # about where the foot would come down, in the half's frame
    points, centres = (
        sizes[layout.AT_POINTS] + 3 * loops * half,
        sizes[layout.AT_CENTRES] + 3 * spheres * half,
    )
    landing_x = landing_z = 0.0
    for s in range(loops):
        landing_x += planned[s] * numbers[points + 3 * s]
        landing_z += planned[s] * numbers[points + 3 * s + 2]
    for i in range(spheres):
        costs[i] = 0.0
    at = sizes[layout.AT_COLUMNS] + loops * spheres * half
    for s in range(loops):
        weight, column = planned[s], numbers[at : at + spheres]
        for i in range(spheres):
            away = column[i] - weight
            costs[i] += away * away
        at += spheres
    at = sizes[layout.AT_TRAITS] + 3 * spheres * half
    turns, lengths = numbers[at : at + spheres], numbers[at + spheres : at + 2 * spheres]
    beyond, wished = numbers[at + 2 * spheres : at + 3 * spheres], state[layout.WISH_HEADING] - heading
    for i in range(spheres):
        turn, length = shortest_turn(wished - turns[i]), state[layout.WISH_LENGTH] - lengths[i]
        jerk = per_turn * (turns[i] - usual)
        cost = (
            A_TURN * turn * turn
            + A_LENGTH * length * length
            + change_cost * costs[i]
            + A_JERK * jerk * jerk
            + BEYOND * beyond[i]
        )
        x, z = numbers[centres + 3 * i] - landing_x, numbers[centres + 3 * i + 2] - landing_z
        gentle = abs(jerk) <= hardest and np.sqrt(x * x + z * z) <= farthest
        costs[i] = cost if flags[i] != 0.0 and gentle else np.inf
