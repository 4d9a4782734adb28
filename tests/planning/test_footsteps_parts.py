"""Parts of the foot planner: moves, the trunk, the outlook beside a plain search, evened prints."""

from __future__ import annotations

import heapq
from functools import cache

import numpy as np
import pytest

from footfall.models.stepspace.default import default_step_space
from footfall.models.stepspace.model import StepSpace
from footfall.planning.footsteps.evening import Evening
from footfall.planning.footsteps.grounds import StepGround
from footfall.planning.footsteps.moves import BESIDE, KIND, LENGTH, TURN, WIDTH, all_moves, moves_of
from footfall.planning.footsteps.outlook_kernel import (
    ABOUT,
    CURVING,
    FACINGS,
    MOSTLY_AHEAD,
    going,
    look_out,
    outlook_at,
)
from footfall.planning.footsteps.planner import FootPlanner
from footfall.planning.footsteps.room_kernel import body_room, wariness
from footfall.planning.footsteps.route_search import Footprints
from footfall.planning.footsteps.walker_body import BodySize, WalkerBody, trunk_places
from footfall.planning.limits import WalkLimits
from footfall.world.plane import FlatTerrain
from footfall.world.shapes.box import Box
from footfall.world.shapes.placed import Placed
from tests.planning.judge import sole_distance, trunk_distance

LIMITS = WalkLimits()
AREA = (np.array([-1.6, -1.6]), np.array([1.6, 1.6]))


@cache
def steps() -> StepSpace:
    return default_step_space()


@cache
def walker() -> WalkerBody:
    return WalkerBody.of(steps(), BodySize(), LIMITS)


def ground(*walls: tuple[float, float, float, float]) -> StepGround:
    placed = [
        Placed.upright(Box(np.array([e - w, 2.0, n - s])), np.array([0.5 * (w + e), 1.0, 0.5 * (s + n)]))
        for w, s, e, n in walls
    ]
    return StepGround.of(FlatTerrain(), placed, AREA, LIMITS)


GAP = ((-1.6, -0.3, -0.25, 0.3), (0.25, -0.3, 1.6, 0.3))


class TestMoves:
    def test_there_are_moves_of_every_kind(self) -> None:
        moves = moves_of(steps())
        assert set(moves[:, KIND]) == {0, 1, 2, 3}
        assert len(moves) <= len(all_moves())
        assert (moves[:, BESIDE] >= WIDTH).all()

    def test_turns_outwards_are_larger_than_turns_inwards(self) -> None:
        moves = moves_of(steps())
        assert moves[:, TURN].max() > -moves[:, TURN].min()

    def test_a_step_space_without_side_steps_has_no_such_moves(self) -> None:
        """Steps ahead alone: what lies far aside of them is not asked of them."""
        import footfall as ff

        takes = {take.name: take for take in ff.VirtualActor().perform("stepping")}
        ahead = ff.build_step_space([takes["forward_1"], takes["forward_2"]], candidates=False)
        own = moves_of(ahead)
        assert len(own) < len(moves_of(steps()))
        assert own[:, LENGTH].max() >= 0.6
        assert own[own[:, LENGTH] < 0.1][:, BESIDE].max(initial=0.0) < 0.46


class TestTrunk:
    def test_a_stand_has_the_trunk_over_its_place(self) -> None:
        prints = walker().stand(np.array([0.3, 0.0, 0.4]), 0.7)
        middle = prints[:, :3].mean(axis=0)
        ahead = np.array([np.sin(0.7), 0.0, np.cos(0.7)])
        np.testing.assert_allclose(middle + walker().ahead * ahead, [0.3, 0.0, 0.4], atol=1e-12)
        left = prints[0, :3] - prints[1, :3]
        assert left @ np.array([np.cos(0.7), 0.0, -np.sin(0.7)]) == pytest.approx(WIDTH)

    def test_the_trunk_that_stands_is_about_there(self) -> None:
        planner = FootPlanner(steps(), FlatTerrain(), area=((-2, -2), (2, 3)))
        walk = planner.plan((0.0, 0.0), (0.2, 1.0), heading=0.3)
        places, headings = trunk_places(walk.motion)
        assert np.hypot(*(places[0] - [0.0, 0.0])) < 0.05
        assert np.hypot(*(places[-1] - [0.2, 1.0])) < 0.05
        assert headings[-1] == pytest.approx(0.3, abs=0.06)


def plain_outlook(own: StepGround, half: float, need: float, goal: int, facing: int) -> np.ndarray:
    """The same on level ground, surface by surface, with a queue from the library."""
    rows, columns, cell = own.lattice.rows, own.lattice.columns, own.lattice.cell
    heading = 2.0 * np.pi / FACINGS

    def dear(a: int, h: int) -> float:
        x, _, z = own.places(np.array([a]))[0]
        best = body_room(own.room.arrays, x, z, heading * h, half, 0.0, need + 0.15)
        if best >= need:
            return float(wariness(best - need))
        for dx in (-1, 0, 1):
            for dz in (-1, 0, 1):
                by = 0.35 * cell
                at = body_room(own.room.arrays, x + by * dx, z + by * dz, heading * h, half, 0.0, need)
                if at >= need:
                    return float(wariness(0.0))
        return np.inf

    known = {(a, h): dear(a, h) for a in range(len(own.level)) for h in range(FACINGS)}
    cost = {(goal, facing): 0.0}
    queue = [(0.0, goal, facing)]
    while queue:
        here, a, h = heapq.heappop(queue)
        if here > cost[a, h]:
            continue
        i, j = divmod(a, rows)
        ways = [(a, (h + t) % FACINGS, here + ABOUT) for t in (-1, 1)]
        for di in (-1, 0, 1):
            for dj in (-1, 0, 1):
                if (di, dj) == (0, 0) or not (0 <= i + di < columns and 0 <= j + dj < rows):
                    continue
                b = (i + di) * rows + j + dj
                price = going(np.arctan2(-di, -dj) - heading * h)
                there = here + price * cell * float(np.hypot(di, dj)) * np.float32(known[b, h])
                ways.append((b, h, there))
                if price < MOSTLY_AHEAD:
                    ways += [(b, (h + t) % FACINGS, there + CURVING) for t in (-1, 1)]
        for b, k, there in ways:
            # one may curve only where one could go straight
            straight = b == a or np.isfinite(known[b, h])
            if np.isfinite(known[b, k]) and straight and there < cost.get((b, k), np.inf) - 1e-12:
                cost[b, k] = float(there)
                heapq.heappush(queue, (float(there), b, k))
    out = np.full((len(own.level), FACINGS), np.inf)
    for (a, h), there in cost.items():
        out[a, h] = there
    return out.ravel()


class TestOutlook:
    def test_it_is_the_cheapest_way(self) -> None:
        own = ground(*GAP)
        goal, half, need = own.surface(np.array([0.1, 0.0, 1.0])), 0.11, 0.16
        found = np.empty(FACINGS * len(own.level))
        look_out(own.arrays, own.room.arrays, half, need, goal, 3, -1, found)
        np.testing.assert_allclose(found, plain_outlook(own, half, need, goal, 3), rtol=1e-5)

    def test_through_a_gap_one_must_turn(self) -> None:
        own = ground(*GAP)
        goal = own.surface(np.array([0.0, 0.0, 1.2]))
        found = np.empty(FACINGS * len(own.level))
        look_out(own.arrays, own.room.arrays, 0.11, 0.16, goal, -1, -1, found)
        inside = found.reshape(-1, FACINGS)[own.surface(np.zeros(3))]
        assert not np.isfinite(inside[0])  # facing ahead the shoulders do not fit
        assert np.isfinite(inside[[4, 12]]).all()  # sideways they do

    def test_far_from_the_goal_it_costs_more(self) -> None:
        own = ground()
        goal = own.surface(np.zeros(3))
        found = np.empty(FACINGS * len(own.level))
        look_out(own.arrays, own.room.arrays, 0.11, 0.16, goal, -1, -1, found)
        near, far = (outlook_at(own.arrays, found, 0.0, 0.0, z, 0.0) for z in (-0.5, -1.1))
        assert 0.0 < near < far < np.inf

    def test_a_shut_room_is_not_reached(self) -> None:
        own = ground((-1.7, -0.1, 1.7, 0.1))
        goal = own.surface(np.array([0.0, 0.0, 1.0]))
        found = np.empty(FACINGS * len(own.level))
        look_out(own.arrays, own.room.arrays, 0.11, 0.16, goal, -1, -1, found)
        assert outlook_at(own.arrays, found, 0.0, 0.0, -1.0, 0.0) == np.inf


def zigzag() -> Footprints:
    """Steps ahead whose places and facings go to and fro."""
    feet = np.arange(12) % 2
    ahead = np.array([0.0, 0.0, 0.3, 0.9, 1.2, 1.8, 2.1, 2.7, 3.0, 3.6, 4.1, 4.1]) - 2.0
    side = np.where(feet == 0, 1.0, -1.0)
    places = np.stack([0.08 * side + 0.01 * np.sin(5.0 * ahead), np.zeros(12), ahead], axis=1)
    facings = 0.08 * np.sin(9.0 * ahead)
    facings[[0, 1, -2, -1]] = 0.0
    return Footprints(feet, places, facings)


class TestEvening:
    def test_steps_become_even_and_ends_stay(self) -> None:
        wide = StepGround.of(FlatTerrain(), [], (np.array([-3.0, -4.0]), np.array([3.0, 4.0])), LIMITS)
        evening = Evening(wide, walker(), walker().numbers(0.02, LIMITS))
        before = zigzag()
        after = evening(before)
        np.testing.assert_array_equal(after.places[[0, 1, -2, -1]], before.places[[0, 1, -2, -1]])

        def roughness(prints: Footprints) -> float:
            return float(np.abs(np.diff(prints.places[1:-1, 2], 2)).mean())

        assert roughness(after) < 0.4 * roughness(before)
        assert np.abs(np.diff(after.facings)).max() < 0.5 * np.abs(np.diff(before.facings)).max()
        assert evening.holds(after, range(2, len(after)))

    def test_what_would_take_room_is_left(self) -> None:
        """Evened, the prints would lie in the wall: they go round it still."""
        wall = Placed.upright(Box(np.array([1.0, 2.0, 0.4])), np.array([0.9, 1.0, 0.0]))
        planner = FootPlanner(steps(), FlatTerrain(), [wall], area=((-3, -4), (3, 4)))
        walk = planner.plan((0.9, -1.2), (0.9, 1.2), heading=0.0)
        assert trunk_distance(walk.motion, [wall]) > -1e-3
        assert sole_distance(walk.plan, [wall], back=0.055, ahead=0.2, wide=0.04) > 0.0
