"""The cheapest footprints from a stand to a stand, compiled: A* over places of feet and facings of the trunk.

Places are not of a lattice: a move leads to exactly where it leads, or to the nearest place where the sole
can lie. Of those that come down in one small cell with one facing, the cheapest is kept.
"""

from __future__ import annotations

import heapq

import numba as nb
import numpy as np

from footfall.geometry.decisions_kernel import cell_of, clearly_less, nearest_cell, rounded
from footfall.geometry.kernel_cache import kernel
from footfall.planning.footsteps import moves as mv
from footfall.planning.footsteps.body_layout import (
    EDGE,
    HALF,
    RADIUS,
    SLOPE,
    STEP,
    TOE_OUT,
    TRUNK_AHEAD,
)
from footfall.planning.footsteps.check_kernel import body_passes, sole_has_room
from footfall.planning.footsteps.footing_kernel import FOOTING, NOWHERE, lie
from footfall.planning.footsteps.outlook_kernel import PLACES, outlook_at
from footfall.planning.footsteps.put_down_kernel import NEAREST, longest, put_down
from footfall.planning.footsteps.room_kernel import COMFORT, ROOM, body_room, wariness
from footfall.planning.kernel_types import NUMBERS, ROWS

CELL = 0.05  # m
STOREY = 0.3  # m
UNEVENLY = 0.35  # what a metre of difference between a step's length and the last one's costs
RISING = 1.0  # what a metre up or down costs
SHIFTING = 1.5  # what a metre costs by which a foot comes down elsewhere than its move leads
GREED = 1.2  # by how much the outlook counts more than it says: far fewer places are looked at
ALIKE = 1e-4  # s: costs that differ by less may tie by construction; of these the first is taken up first
# of the last steps, beside the foot that stands: how far
FARTHEST_ASIDE, FARTHEST_BACK, FARTHEST_AHEAD = 0.46, -0.4, 0.7  # m
OUTWARD, INWARD = 0.8, 0.4  # rad that the last steps may turn
# columns of what is found: the print that was made, the other foot's, how it came
X, Y, Z, FACING, OTHER_X, OTHER_Z, LENGTH = 0, 1, 2, 3, 4, 5, 6
COLUMNS = 7
FOOT, PARENT, STAGE, KIND, UNITS = 0, 1, 2, 3, 4  # whole numbers
WHOLE = 5
_N, _I = nb.float64, nb.int64


@kernel(_I(_N, _N, _N, _I, _I, _I, _I))
def _key(x, y, z, units, foot, aside, stage):  # type: ignore[no-untyped-def]
    """A number for all that is taken to be the same."""
    i, j = cell_of(x, CELL) + (1 << 19), cell_of(z, CELL) + (1 << 19)
    s = nearest_cell(y, STOREY) + 512
    return (((i * (1 << 20) + j) * 1024 + s) * 32 + units) * 16 + foot * 8 + aside * 4 + stage


@kernel(
    _I(
        nb.types.Tuple(FOOTING),
        nb.types.Tuple(ROOM),
        nb.types.Tuple(PLACES),
        NUMBERS,  # outlook
        nb.float64[::1],  # body
        NUMBERS,  # discs
        ROWS,  # moves
        ROWS,  # shifts
        ROWS,  # start: left and right, x y z heading
        ROWS,  # goal: left and right, x y z heading
        nb.boolean,  # whether the goal's facing is free
        nb.float64[:, ::1],
        nb.int64[:, ::1],
        nb.float64[::1],
    ),
)
def search_steps(  # type: ignore[no-untyped-def]
    footing, room, places, outlook, body, discs, moves, shifts, start, goal, any_way, prints, whole, cost
):
    """The node at which both feet stand at the goal; -1 where none was found, -2 where the room for nodes
    was used up. What leads there is in `prints`, `whole` and `cost`, node by node.
    """
    most, count = prints.shape[0], 0
    best = {np.int64(0): np.int64(0)}
    heap = [(0.0, np.int64(0))]
    heap.pop()
    done = np.zeros(most, np.uint8)
    stand, target = np.empty(2), np.empty(4)
    for foot in range(2):
        own, other = start[foot], start[1 - foot]
        prints[count, X], prints[count, Y], prints[count, Z] = own[0], own[1], own[2]
        prints[count, FACING], prints[count, LENGTH] = own[3], 0.0
        prints[count, OTHER_X], prints[count, OTHER_Z] = other[0], other[2]
        whole[count, FOOT], whole[count, PARENT], whole[count, STAGE] = foot, -1, 0
        whole[count, KIND], whole[count, UNITS] = mv.STILL, 0
        cost[count] = 0.0
        heapq.heappush(heap, (0.0, np.int64(count)))
        count += 1
    while len(heap):
        _, a = heapq.heappop(heap)
        if done[a]:
            continue
        done[a] = 1
        if whole[a, STAGE] == 2:
            return a
        x, y, z, facing = prints[a, X], prints[a, Y], prints[a, Z], prints[a, FACING]
        ox, oz = prints[a, OTHER_X], prints[a, OTHER_Z]
        swing = 1 - whole[a, FOOT]
        side = 1.0 if swing == 0 else -1.0
        stand[0], stand[1] = x, z
        own_moves = 0 if whole[a, STAGE] > 0 else moves.shape[0]
        for m in range(-1, own_moves):
            stage, kind, units, length, price = 0, 0, int(whole[a, UNITS]), 0.0, 0.0
            if m < 0:  # straight to where the swing foot stands at last
                turned = facing if any_way else goal[swing, 3]
                if any_way:
                    gx, gz = goal[0, 0], goal[0, 2]  # the middle, where the facing is free
                    lx, lz = np.cos(turned), -np.sin(turned)
                    back = -body[TRUNK_AHEAD]
                    tx = gx + 0.5 * mv.WIDTH * side * lx + back * np.sin(turned)
                    tz = gz + 0.5 * mv.WIDTH * side * lz + back * np.cos(turned)
                    ty = goal[0, 1]
                else:
                    tx, ty, tz = goal[swing, 0], goal[swing, 1], goal[swing, 2]
                turn = (turned - facing + np.pi) % (2.0 * np.pi) - np.pi
                turned = facing + turn
                middle = facing + 0.5 * turn
                dx, dz = tx - x, tz - z
                length = dx * np.sin(middle) + dz * np.cos(middle)
                beside = side * (dx * np.cos(middle) - dz * np.sin(middle))
                out = side * turn
                if (
                    clearly_less(beside, NEAREST)
                    or clearly_less(FARTHEST_ASIDE, beside)
                    or clearly_less(length, FARTHEST_BACK)
                    or clearly_less(FARTHEST_AHEAD, length)
                    or clearly_less(out, -INWARD)
                    or clearly_less(OUTWARD, out)
                    or clearly_less(body[STEP], abs(ty - y))
                ):
                    continue
                level = lie(
                    footing, discs, tx, tz, turned + side * body[TOE_OUT], ty, body[EDGE], body[SLOPE], STOREY
                )
                if level == NOWHERE:
                    continue
                stage = int(whole[a, STAGE]) + 1
                kind = mv.AHEAD if clearly_less(0.05, length) else mv.STILL
                price = mv.A_STEP + 0.02 * (turn / mv.UNIT) ** 2 + 0.9 * max(beside - mv.WIDTH, 0.0)
                price += 0.1 - 0.8 * length if clearly_less(length, -0.05) else 0.0
            else:
                units = int(side * moves[m, mv.TURN])
                turn = units * mv.UNIT
                units = (int(whole[a, UNITS]) + units) % 32
                turned, middle = facing + turn, facing + 0.5 * turn
                length, beside = moves[m, mv.LENGTH], side * moves[m, mv.BESIDE]
                kind, price = int(moves[m, mv.KIND]), moves[m, mv.COST]
                tx = x + beside * np.cos(middle) + length * np.sin(middle)
                tz = z - beside * np.sin(middle) + length * np.cos(middle)
                # where it leads is known already, or nothing leads on from there: it is not looked at closely
                key = _key(tx, y, tz, units, swing, np.int64(kind == mv.ASIDE), 0)
                if key in best and not clearly_less(cost[a] + price, cost[best[key]]):
                    continue
                mx = 0.5 * (x + tx) + body[TRUNK_AHEAD] * np.sin(turned)
                mz = 0.5 * (z + tz) + body[TRUNK_AHEAD] * np.cos(turned)
                if outlook_at(places, outlook, mx, y, mz, turned) == np.inf:
                    continue
                shift = put_down(
                    footing,
                    room,
                    body,
                    discs,
                    shifts,
                    stand,
                    ox,
                    oz,
                    y,
                    side,
                    facing,
                    turned,
                    moves[m, mv.BESIDE],
                    tx,
                    tz,
                    target,
                )
                if shift < 0.0:
                    continue
                tx, level, tz, length = target[0], target[1], target[2], length + target[3]
                price += SHIFTING * shift
            if clearly_less(longest(level - y), length):
                continue
            mx = 0.5 * (x + tx) + body[TRUNK_AHEAD] * np.sin(turned)
            mz = 0.5 * (z + tz) + body[TRUNK_AHEAD] * np.cos(turned)
            spare = body_room(room, mx, mz, turned, body[HALF], level, body[RADIUS] + COMFORT)
            price *= wariness(spare - body[RADIUS])
            price += UNEVENLY * abs(length - prints[a, LENGTH]) + RISING * abs(level - y)
            there = cost[a] + price
            key = _key(tx, level, tz, units, swing, np.int64(kind == mv.ASIDE), stage)
            if key in best and not clearly_less(there, cost[best[key]]):
                continue
            ahead = 0.0
            if stage == 0:
                ahead = outlook_at(places, outlook, mx, level, mz, turned)
                if ahead == np.inf:
                    continue
            if m < 0 and not (
                sole_has_room(room, body, tx, tz, turned + side * body[TOE_OUT], level)
                and body_passes(room, body, stand, ox, oz, tx, tz, facing, turned, min(y, level))
            ):
                continue
            if count >= most:
                return -2
            prints[count, X], prints[count, Y], prints[count, Z] = tx, level, tz
            prints[count, FACING], prints[count, LENGTH] = turned, length
            prints[count, OTHER_X], prints[count, OTHER_Z] = x, z
            whole[count, FOOT], whole[count, PARENT], whole[count, STAGE] = swing, a, stage
            whole[count, KIND], whole[count, UNITS] = kind, units
            cost[count] = there
            best[key] = np.int64(count)
            heapq.heappush(heap, (rounded(there + GREED * ahead, ALIKE), np.int64(count)))
            count += 1
    return -1
