"""What it costs to go on to the goal from every place and facing of the trunk, compiled (Dijkstra).

It knows nothing of feet: gaps that one step may cross are no hindrance. Facings are of a lattice, too.
"""

from __future__ import annotations

import heapq

import numba as nb
import numpy as np

from footfall.geometry.decisions import MARGIN
from footfall.geometry.decisions_kernel import cell_of, clearly_less
from footfall.geometry.kernel_cache import kernel
from footfall.planning.footsteps.room_kernel import COMFORT, ROOM, body_room, wariness
from footfall.planning.kernel_types import GRID, INDICES, KINDS, NUMBERS
from footfall.planning.link_kernel import EAST, NORTH

FACINGS = 16  # all round
ACROSS = 6  # cells that one step may lead over
RISE = 0.3  # m that it may lead up or down
AHEAD, ASIDE, BACK = 0.85, 4.6, 2.4  # what a metre costs
ABOUT, CURVING = 0.65, 0.25  # what it costs to turn from one facing to the next, on the spot and going ahead
CLIMBING = 2.8  # what a metre up or down costs: stairs are gone in short steps
MOSTLY_AHEAD = 2.5  # what a metre costs at most in going so
ASTRAY = 0.35  # of a cell, from its middle to where room is looked for, too
PATIENCE = 1.6  # times the start's cost at which the rest no longer matters
_N, _I = nb.float64, nb.int64
PLACES = (*GRID, INDICES, INDICES, NUMBERS, KINDS)  # cells, surfaces of each, their cells, levels, bars


@kernel(_N(_N))
def going(angle):  # type: ignore[no-untyped-def]
    """What a metre costs at an angle to where one faces."""
    ahead, aside = np.cos(angle), abs(np.sin(angle))
    along = AHEAD * ahead if ahead > 0.0 else -BACK * ahead
    return along + ASIDE * aside


@kernel(
    nb.boolean(nb.types.Tuple(PLACES), nb.types.Tuple(ROOM), _I, _I, _N, _N, nb.float64[::1]),
)
def _is_free(places, room, a, facing, half, need, dear):  # type: ignore[no-untyped-def]
    """Whether a trunk has room on a surface, somewhere in its cell; looked at once.

    `dear` is how dear a way is there: inf where it has none, 0 where it is not known yet.
    """
    at = FACINGS * a + facing
    if dear[at] == 0.0:
        grid, counts, cells, level = places[0], places[1], places[3], places[4]
        x, z = grid[0] + grid[2] * (cells[a] // counts[1]), grid[1] + grid[2] * (cells[a] % counts[1])
        heading = 2.0 * np.pi / FACINGS * facing
        free = body_room(room, x, z, heading, half, level[a], need + COMFORT)
        lacks = clearly_less(free, need)
        dear[at] = np.inf if lacks else wariness(free - need)
        for k in range(8 if lacks else 0):
            dx, dz = ASTRAY * grid[2] * EAST[k], ASTRAY * grid[2] * NORTH[k]
            if not clearly_less(body_room(room, x + dx, z + dz, heading, half, level[a], need), need):
                dear[at] = wariness(0.0)
                break
    return dear[at] < np.inf


@kernel(
    nb.void(nb.types.Tuple(PLACES), nb.types.Tuple(ROOM), _N, _N, _I, _I, _I, nb.float64[::1]),
)
def look_out(places, room, half, need, goal, facing, start, cost):  # type: ignore[no-untyped-def]
    """Costs of all surfaces and facings, until those of the surface `start` are known; inf beyond.

    With a negative `facing` one may arrive as one likes. With a negative `start` all are looked at.
    """
    grid, counts, first, cells, level, bar = places
    columns, rows, cell = counts[0], counts[1], grid[2]
    dear = np.zeros(cost.size)
    cost[:] = np.inf
    heap = [(0.0, np.int64(0))]
    heap.pop()
    for h in range(FACINGS):
        if facing < 0 or h == facing:
            cost[FACINGS * goal + h] = 0.0
            heapq.heappush(heap, (0.0, np.int64(FACINGS * goal + h)))
    most = np.inf
    while len(heap):
        here, state = heapq.heappop(heap)
        if here > cost[state]:
            continue
        if clearly_less(most, here):
            break
        a, h = int(state // FACINGS), int(state % FACINGS)
        if a == start and most == np.inf:
            most = PATIENCE * here + 4.0
        for turn in (-1, 1):
            other = (h + turn) % FACINGS
            at = FACINGS * a + other
            if here + ABOUT < cost[at] and _is_free(places, room, a, other, half, need, dear):
                cost[at] = here + ABOUT
                heapq.heappush(heap, (here + ABOUT, np.int64(at)))
        i, j = cells[a] // rows, cells[a] % rows
        for k in range(8):
            # one comes from there to here
            price = going(np.arctan2(-float(EAST[k]), -float(NORTH[k])) - 2.0 * np.pi / FACINGS * h)
            for m in range(1, ACROSS + 1):
                p, q = i + m * EAST[k], j + m * NORTH[k]
                if not (0 <= p < columns and 0 <= q < rows):
                    break
                best, away = -1, RISE + 2.0 * MARGIN  # a rise of just so much will do
                for b in range(first[p * rows + q], first[p * rows + q + 1]):
                    rise = abs(level[b] - level[a])
                    if bar[b] == 0 and clearly_less(rise, away):
                        best, away = b, rise
                if best < 0:  # a gap: perhaps there is ground beyond it
                    x, z = grid[0] + cell * p, grid[1] + cell * q
                    heading = 2.0 * np.pi / FACINGS * h
                    if clearly_less(body_room(room, x, z, heading, half, level[a], need), need):
                        break
                    continue
                at = FACINGS * best + h
                if not _is_free(places, room, best, h, half, need, dear):
                    break
                length = cell * m * (np.sqrt(2.0) if k & 1 else 1.0)
                there = here + price * length * dear[at] + CLIMBING * away
                if there < cost[at]:
                    cost[at] = there
                    heapq.heappush(heap, (there, np.int64(at)))
                for turn in (-1, 1) if price < MOSTLY_AHEAD else (0, 0):
                    other = (h + turn) % FACINGS
                    at = FACINGS * best + other
                    if (
                        turn != 0
                        and there + CURVING < cost[at]
                        and _is_free(places, room, best, other, half, need, dear)
                    ):
                        cost[at] = there + CURVING
                        heapq.heappush(heap, (there + CURVING, np.int64(at)))
                break


@kernel(_N(nb.types.Tuple(PLACES), NUMBERS, _N, _N, _N, _N))
def outlook_at(places, cost, x, y, z, heading):  # type: ignore[no-untyped-def]
    """What it costs from a place and facing on: the least of those about it."""
    grid, counts, first, level = places[0], places[1], places[2], places[4]
    i, j = cell_of(x - grid[0], grid[2]), cell_of(z - grid[1], grid[2])
    turned = heading / (2.0 * np.pi / FACINGS)
    h = cell_of(turned, 1.0)
    least = np.inf
    for p in range(i, i + 2):
        for q in range(j, j + 2):
            if not (0 <= p < counts[0] and 0 <= q < counts[1]):
                continue
            for a in range(first[p * counts[1] + q], first[p * counts[1] + q + 1]):
                if clearly_less(RISE, abs(level[a] - y)):
                    continue
                for k in range(2):
                    aside = ABOUT * abs(turned - (h + k))
                    least = min(least, cost[FACINGS * a + (h + k) % FACINGS] + aside)
    return least
