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
BEYOND = 0.03  # per negative weight
UNTESTED = 2.0  # of a sphere's flag: it touches (1), does not (0), or is not looked at yet


@kernel(inline="always")
def turn_of(sizes, numbers, half, weights):  # type: ignore[no-untyped-def]
    """By what a half cycle with these weights turns."""
    loops, length = sizes[layout.LOOPS], sizes[layout.FRAMES] // 2
    last = sizes[layout.AT_PATHS] + 4 * loops * ((length + 1) * half + length) + 3
    first = sizes[layout.AT_PATHS] + 4 * loops * (length + 1) * (1 - half) + 3
    turn = 0.0
    for s in range(loops):
        turn += weights[s] * (numbers[last + 4 * s] - numbers[first + 4 * s])
    return turn


@kernel(inline="always")
def put_costs(sizes, numbers, half, heading, wish_heading, wish_length, left, seconds, planned, flags, costs):  # type: ignore[no-untyped-def]
    """How little each sphere suits the wish; infinite where it is known not to touch."""
    spheres, loops = sizes[layout.SPHERES], sizes[layout.LOOPS]
    usual = turn_of(sizes, numbers, half, planned)
    # the less of the half cycle is left, the harder a change is; an eased turn accelerates by 6 / t^2 of it
    change_cost, per_turn = A_CHANGE / (left * left), 6.0 / (left * seconds) ** 2
    # what was found at the strike still holds: a wish that comes later is no reason for a jerk
    hardest = np.inf if left == layout.ARRIVED else HARDEST
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
    beyond, wished = numbers[at + 2 * spheres : at + 3 * spheres], wish_heading - heading
    for i in range(spheres):
        turn, length = shortest_turn(wished - turns[i]), wish_length - lengths[i]
        jerk = per_turn * (turns[i] - usual)
        cost = (
            A_TURN * turn * turn
            + A_LENGTH * length * length
            + change_cost * costs[i]
            + A_JERK * jerk * jerk
            + BEYOND * beyond[i]
        )
        costs[i] = cost if flags[i] != 0.0 and abs(jerk) <= hardest else np.inf
