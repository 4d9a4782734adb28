"""Selectors: what all keep to, and each against an independent judge (plain loops, HiGHS, NNLS)."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import linprog, nnls

from footfall.errors import RequestError
from footfall.geometry import ground
from footfall.models.stepspace.candidates import LowSpace, build_candidates
from footfall.models.stepspace.low_space import TOGETHER, low_axis, low_of, turned
from footfall.models.stepspace.selection import (
    PAPER_METRIC,
    MetricWeights,
    Selection,
    Selector,
    StepQuery,
    blended_high,
    distances,
)
from footfall.models.stepspace.selectors import SELECTORS
from footfall.models.stepspace.selectors.containing import Containing
from footfall.models.stepspace.selectors.fitted import OWN, Fitted, fitted_weights
from footfall.models.stepspace.selectors.judged import JudgedAround, JudgedListed
from footfall.models.stepspace.selectors.nearest import Nearest, corrected, fading_weights
from footfall.models.stepspace.selectors.over_steps import OverSteps
from footfall.models.stepspace.selectors.paper import Paper
from footfall.models.stepspace.selectors.program import Program

COUNT = 70
TETRAHEDRAL = ("containing", "paper", "judged", "judged_around", "program")
ALL = tuple(SELECTORS)
CONVEX = 1e-12


def made_up_steps(count: int = COUNT, seed: int = 0, *, opposite: bool = True) -> np.ndarray:
    """Left steps of all directions, with turns and times as people have them."""
    rng = np.random.default_rng(seed)
    first = np.c_[rng.normal(0.2, 0.12, count), rng.normal(0.0, 0.4, count)]
    second = np.c_[rng.normal(0.2, 0.15, count), rng.normal(0.2, 0.4, count)]
    turns = rng.normal(0.0, 0.5, (count, 2))
    if opposite:  # nobody stands so, but angles must wrap
        turns[::3] = ground.wrap(turns[::3] + np.pi)
    times = rng.uniform(0.2, 1.4, (count, 4))
    return np.c_[first, second, turns, times]


@cache
def selectors() -> dict[str, Selector]:
    high = made_up_steps()
    space = LowSpace.of(low_of(high))
    way = np.sign(high[:, 3] - high[:, 1]).astype(int)
    listed = build_candidates(space, way, radius=2.0)
    found = [
        Containing(high, space, listed),
        Paper(high, space, listed),
        JudgedListed(high, space, listed),
        JudgedAround(high, space, listed, way=way),
        Program(high, space, listed),
        Nearest(high, space, listed),
        Fitted(high, space, listed),
    ]
    return {selector.name: selector for selector in found}


def queries(count: int = 40, seed: int = 1) -> list[StepQuery]:
    """Steps of the same people that are inside the hull."""
    space = selectors()["containing"].space  # type: ignore[attr-defined]
    rows = [StepQuery(row) for row in made_up_steps(6 * count, seed)]
    inside = [query for query in rows if space.locate(query.low) >= 0]
    assert len(inside) >= count
    return inside[:count]


def of(selection: Selection) -> np.ndarray:
    return blended_high(made_up_steps(), selection.steps, selection.weights, selection.frame)


@pytest.mark.parametrize("name", ALL)
def test_weights_are_convex_and_the_same_again(name: str) -> None:
    selector = selectors()[name]
    for query in queries():
        one, two = selector.select(query), selector.select(query)
        assert one.inside
        assert one.weights.min() >= 0.0
        assert one.weights.sum() == pytest.approx(1.0, abs=CONVEX)
        assert len(set(one.steps.tolist())) == len(one.steps)
        assert_array_equal(one.steps, two.steps)
        assert_array_equal(one.weights, two.weights)


@pytest.mark.parametrize("name", TETRAHEDRAL)
def test_s_low_is_met_exactly(name: str) -> None:
    """And so do both placements of the blend, but for steps that begin with the feet together."""
    high = made_up_steps()
    low, together = low_of(high), np.hypot(high[:, 0], high[:, 1]) < TOGETHER
    apart = 0
    for query in queries():
        chosen = selectors()[name].select(query)
        assert chosen.frame == "low"
        assert_allclose(chosen.weights @ low[chosen.steps], query.low, atol=1e-9)
        if query.low[0] > TOGETHER and not together[chosen.steps].any():
            assert_allclose(low_of(of(chosen)), query.low, atol=1e-9)
            apart += 1
    assert apart > 10


@pytest.mark.parametrize("name", TETRAHEDRAL)
def test_outside_the_hull_the_nearest_step_stands_alone(name: str) -> None:
    high = made_up_steps()
    for far in ([2.0, 0.0, 0.2, 0.5], [0.2, 0.0, 0.2, 2.5], [0.2, 0.1, -1.9, 0.0]):
        query = StepQuery(np.array([*far, 0.1, 0.1, 0.5, 0.5, 0.4, 0.6]))
        chosen = selectors()[name].select(query)
        assert not chosen.inside
        assert chosen.frame == "support"
        scaled = (high - query.high) * np.sqrt([1, 1, 1, 1, 0.25, 0.25, 0.02, 0.02, 0.02, 0.02])
        scaled[:, 4:6] = 0.5 * ground.wrap(high[:, 4:6] - query.high[4:6])
        for k in (6, 7, 9):
            scaled[:, k] = np.sqrt(0.02) * (np.minimum(high[:, k], 1.0) - query.high[k])
        assert chosen.steps.tolist() == [np.linalg.norm(scaled, axis=1).argmin()]
        assert chosen.weights.tolist() == [1.0]


@pytest.mark.parametrize("name", ["nearest", "fitted"])
def test_outside_the_hull_near_steps_are_still_blended(name: str) -> None:
    query = StepQuery(np.array([0.2, 0.0, 0.2, 2.5, 0.1, 0.1, 0.5, 0.5, 0.4, 0.6]))
    chosen = selectors()[name].select(query)
    assert not chosen.inside
    alone = selectors()["containing"].select(query)
    metric = PAPER_METRIC
    assert distances(of(chosen)[None], query, metric)[0] <= distances(of(alone)[None], query, metric)[0]


@pytest.mark.parametrize("name", ["containing", "program", "nearest"])
def test_a_known_step_is_answered_by_itself(name: str) -> None:
    high = made_up_steps()
    for i in range(0, COUNT, 5):
        chosen = selectors()[name].select(StepQuery(high[i]))
        assert dict(zip(chosen.steps.tolist(), chosen.weights.tolist(), strict=True))[i] > 1 - 1e-6


@pytest.mark.parametrize("name", ALL)
def test_what_is_not_asked_does_not_count(name: str) -> None:
    """Steps whose unasked numbers are other ones are chosen all the same."""
    own = selectors()[name]
    high = made_up_steps()
    high[:, [4, 8]] = np.random.default_rng(5).normal(0.0, 1.0, (COUNT, 2))
    extra = {"way": own.way} if isinstance(own, JudgedAround) else {}
    other = type(own)(high, own.space, own.candidates, **extra)  # type: ignore[call-arg,attr-defined]
    differ = 0
    for query in queries(10):
        asked = query.high.copy()
        asked[[4, 8]] = np.nan
        one, two = own.select(StepQuery(asked)), other.select(StepQuery(asked))
        assert_array_equal(one.steps, two.steps)
        assert_allclose(one.weights, two.weights, atol=1e-12)
        differ += not np.array_equal(own.select(query).weights, other.select(query).weights)
    assert differ >= 2 or name == "containing"


def test_the_paper_takes_the_least_sum_of_four_distances() -> None:
    paper = selectors()["paper"]
    assert isinstance(paper, Paper)
    assert paper.candidates is not None
    others = 0
    for query in queries():
        chosen = paper.select(query)
        found = paper.space.locate(query.low)
        own = distances(paper.high, query, PAPER_METRIC)
        sums = {tuple(quad): own[quad].sum() for quad in paper.candidates.of(found).tolist()}
        assert sums[tuple(chosen.steps.tolist())] == pytest.approx(min(sums.values()))
        assert chosen.other == (tuple(chosen.steps) != tuple(paper.space.corners[found]))
        others += chosen.other
    assert others > 3


def test_unlike_upper_bodies_are_avoided_as_far_as_they_weigh() -> None:
    paper = selectors()["paper"]
    assert isinstance(paper, Paper)
    still = np.zeros((COUNT, 1, 1, 4))
    still[..., 0] = 1.0
    for query in queries():
        chosen = paper.select(query)
        if not chosen.other:
            continue
        moved = still.copy()  # one of the chosen that T lacks
        own = paper.space.corners[paper.space.locate(query.low)]
        step = next(s for s in chosen.steps if s not in own)
        moved[step] = [0.0, 1.0, 0.0, 0.0]
        candidates = build_candidates(paper.space, np.zeros(COUNT), radius=2.0, upper=moved)
        heavy = Paper(paper.high, paper.space, candidates, upper=1.0).select(query)
        light = Paper(paper.high, paper.space, candidates, upper=0.0).select(query)
        assert step not in heavy.steps
        assert step in light.steps
        return
    pytest.fail("no query takes another tetrahedron")


def judged_cost(high: np.ndarray, quad: tuple[int, ...], query: StepQuery, spread: float) -> float:
    """By the public functions alone; infinite where the query is outside."""
    space = selectors()["containing"].space  # type: ignore[attr-defined]
    weights = space.barycentric(np.array(quad), query.low)
    if weights.min() < -1e-9:
        return np.inf
    weights = np.maximum(weights, 0.0)
    capped = PAPER_METRIC.capped(high)
    blend = blended_high(capped, np.array(quad), weights / weights.sum(), "low")
    own = np.square(distances(high[list(quad)], query, PAPER_METRIC))
    return float(np.square(distances(blend[None], query, PAPER_METRIC)[0]) + spread * weights @ own)


def test_the_judged_blend_is_the_best_of_the_listed() -> None:
    judged = selectors()["judged"]
    assert isinstance(judged, JudgedListed)
    assert judged.candidates is not None
    for query in queries(15):
        chosen = judged.select(query)
        quads = [tuple(quad) for quad in judged.candidates.of(judged.space.locate(query.low)).tolist()]
        costs = {quad: judged_cost(judged.high, quad, query, judged.spread) for quad in quads}
        assert costs[tuple(chosen.steps.tolist())] == pytest.approx(min(costs.values()), rel=1e-9)


def test_the_judged_blend_is_the_best_around() -> None:
    high = made_up_steps()
    space = selectors()["containing"].space  # type: ignore[attr-defined]
    way = np.sign(high[:, 3] - high[:, 1]).astype(int)
    around = JudgedAround(high, space, way=way, around=11)
    compared = 0
    for query in queries(6):
        chosen = around.select(query)
        near = np.argsort(distances(high, query, PAPER_METRIC))[:11]
        near = np.union1d(near, space.corners[space.locate(query.low)])
        quads = [quad for quad in combinations(near.tolist(), 4) if len({*way[list(quad)]} - {0}) < 2]
        costs = {quad: judged_cost(high, quad, query, around.spread) for quad in quads}
        if min(costs.values()) < np.inf:
            assert costs[tuple(chosen.steps.tolist())] == pytest.approx(min(costs.values()), rel=1e-9)
            compared += 1
    assert compared >= 3


def test_the_linear_program_is_that_of_highs() -> None:
    program = selectors()["program"]
    assert isinstance(program, Program)
    rows = np.vstack([program.space.low.T, np.ones(COUNT)])
    for query in queries(40, seed=2):
        cost = distances(program.high, query, PAPER_METRIC)
        judge = linprog(cost, A_eq=rows, b_eq=[*query.low, 1.0], method="highs")
        chosen = program.select(query)
        assert cost[chosen.steps] @ chosen.weights == pytest.approx(judge.fun, abs=1e-9)
        assert len(chosen.steps) == 4


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 40), st.floats(1e-4, 1.0))
def test_fitted_weights_meet_the_conditions_of_the_least(seed: int, count: int, ridge: float) -> None:
    """Steps in use have one slope, all others a greater one (Karush, Kuhn, Tucker): so it is the least."""
    rng = np.random.default_rng(seed)
    away, dear = rng.normal(0.0, 0.5, (count, 10)), rng.uniform(0.0, 0.2, count)
    steps, weights = fitted_weights(away, ridge, dear)
    whole = np.zeros(count)
    whole[steps] = weights
    slopes = away @ (whole @ away) + ridge * whole + dear
    assert weights.sum() == pytest.approx(1.0, abs=CONVEX)
    assert weights.min() >= 0.0
    assert np.ptp(slopes[steps]) < 1e-8
    assert slopes.min() > slopes[steps].min() - 1e-8


def plain_fitted(own: float = OWN) -> Fitted:
    """Over steps whose angles lie within half a turn: there a blend's angles are linear in its weights."""
    high = made_up_steps(opposite=False)
    return Fitted(high, LowSpace.of(low_of(high)), own=own)


def test_fitted_blends_are_of_nearer_steps_the_more_their_own_distance_counts() -> None:
    metric = MetricWeights(longest_stance=9.0)
    high = made_up_steps(opposite=False)
    for row in made_up_steps(40, seed=1, opposite=False):
        query = StepQuery(np.r_[row[:6], np.minimum(row[6:], 0.9)])
        own = np.square(distances(high, query, PAPER_METRIC))
        means, misses = [], []
        for share in (0.0, 0.1, 1.0, 1e6):
            chosen = plain_fitted(share).select(query)
            means.append(chosen.weights @ own[chosen.steps])
            blend = blended_high(PAPER_METRIC.capped(high), chosen.steps, chosen.weights, chosen.frame)
            misses.append(distances(blend[None], query, metric)[0])
        assert means == sorted(means, reverse=True)
        assert means[-1] == pytest.approx(own.min())
        assert misses[1] < misses[-1]


def test_the_correction_is_that_of_nnls() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        away, weights = rng.normal(0.1, 0.3, (8, 10)), rng.dirichlet(np.ones(8))
        rows = np.vstack([away.T, 0.1 * np.eye(8), np.full((1, 8), 1e4)])
        judge, _ = nnls(rows, np.concatenate([np.zeros(10), 0.1 * weights, [1e4]]))
        assert_allclose(corrected(weights, away, 0.01), judge, atol=1e-6)


def test_the_correction_comes_nearer_and_a_dear_one_changes_nothing() -> None:
    nearest = selectors()["nearest"]
    assert isinstance(nearest, Nearest)
    plain = Nearest(nearest.high, nearest.space, change=None)
    dear = Nearest(nearest.high, nearest.space, change=1e6)
    for query in queries():
        chosen, before = nearest.select(query), plain.select(query)
        own = distances(np.array([of(chosen), of(before)]), query, MetricWeights(longest_stance=9.0))
        assert own[0] < own[1] + 1e-3
        assert_allclose(of(dear.select(query)), of(before), atol=1e-4)


def test_weights_fade_to_nothing_where_a_neighbour_leaves() -> None:
    far = np.array([0.1, 0.2, 0.3, 0.3 + 1e-9])
    assert fading_weights(far, 3, 1.0)[2] < 1e-7
    raw = 1.0 / far[:3] - 1.0 / far[3]
    assert_allclose(fading_weights(far, 3, 2.0), raw**2 / (raw**2).sum())
    assert_array_equal(fading_weights(np.array([0.0, 0.1, 0.2]), 2, 2.0), [1.0, 0.0])
    assert_allclose(fading_weights(np.full(4, 0.2), 3, 2.0), 1 / 3)


def test_fitted_weights_are_continuous() -> None:
    """Along a line of queries the blend moves by no more than the query does, times a constant."""
    fitted = plain_fitted()
    one, two = made_up_steps(2, seed=1, opposite=False)
    blends = []
    for share in np.linspace(0.0, 1.0, 401):
        chosen = fitted.select(StepQuery(one + share * (two - one)))
        blends.append(blended_high(fitted.high, chosen.steps, chosen.weights, chosen.frame))
    steps = np.linalg.norm(np.diff(np.array(blends), axis=0), axis=1)
    assert steps.max() < 4.0 * np.linalg.norm(two - one) / 400


def test_distances_are_weighted_and_angles_wrap() -> None:
    row = np.zeros(10)
    query = StepQuery(row)
    for k, weight in enumerate([1.0] * 4 + [0.25] * 2 + [0.02] * 4):
        away = np.zeros((1, 10))
        away[0, k] = 0.3
        assert distances(away, query, PAPER_METRIC)[0] == pytest.approx(0.3 * np.sqrt(weight))
    around = np.zeros((1, 10))
    around[0, 4] = 2.0 * np.pi - 0.1
    assert distances(around, query, PAPER_METRIC)[0] == pytest.approx(0.05)
    long = np.zeros((2, 10))
    long[0, 6], long[1, 6] = 1.0, 7.0  # a rest of seven seconds is a rest
    assert np.ptp(distances(long, query, PAPER_METRIC)) == 0.0
    swings = np.zeros((2, 10))
    swings[0, 8], swings[1, 8] = 1.0, 7.0
    assert np.ptp(distances(swings, query, PAPER_METRIC)) > 0.5


@given(st.integers(0, COUNT - 1), st.sampled_from(["low", "support"]))
def test_one_step_alone_blends_to_itself(i: int, frame: str) -> None:
    high = made_up_steps()
    alone = blended_high(high, np.array([i]), np.ones(1), frame)  # type: ignore[arg-type]
    assert_allclose(alone, high[i], atol=1e-12)


def test_blends_take_angles_the_short_way_and_know_the_support_foot() -> None:
    rows = np.zeros((2, 10))
    rows[:, 0], rows[0, 4], rows[1, 4] = 0.5, np.pi - 0.1, -np.pi + 0.3
    half = np.array([0.5, 0.5])
    turn = blended_high(rows, np.arange(2), half, "support")[4]
    assert abs(float(ground.wrap(turn - (np.pi + 0.1)))) < 1e-12
    # two steps that differ in how the support foot is turned alone: it ends between, the places stay exact
    one = np.array([0.4, 0.1, 0.2, 0.6, 0.1, 0.2, 0.5, 0.5, 0.4, 0.6])
    two = one.copy()
    two[:4] = turned(one[:4], 0.6)
    blend = blended_high(np.array([one, two]), np.arange(2), half, "low")
    assert_allclose(low_of(blend), low_of(one), atol=1e-12)
    assert_allclose(low_axis(blend) - low_axis(one), 0.3, atol=1e-12)
    apart = blended_high(np.array([one, two]), np.arange(2), half, "support")
    assert_allclose(apart[:4], (one[:4] + two[:4]) / 2)


@pytest.mark.parametrize("name", ALL)
def test_a_selector_is_made_by_name_from_a_table_of_steps(name: str) -> None:
    own = selectors()[name]
    assert isinstance(own, OverSteps)
    ways = np.sign(own.high[:, 3] - own.high[:, 1]).astype(int)
    table = SimpleNamespace(high=own.high, ways=ways, rises=np.zeros((len(ways), 2)))
    made = SELECTORS[name].make(table, own.space, own.candidates)
    for query in queries(5):
        assert_array_equal(made.select(query).steps, own.select(query).steps)
        assert_array_equal(made.select(query).weights, own.select(query).weights)
    heavy = MetricWeights(angular=9.0)
    assert SELECTORS[name].make(table, own.space, own.candidates, heavy).metric is heavy
    if not SELECTORS[name].needs_candidates:
        assert_array_equal(
            SELECTORS[name].make(table, own.space).select(query).steps, made.select(query).steps
        )


def test_what_cannot_be_asked_is_refused() -> None:
    for k in range(4):
        row = np.full(10, 0.1)
        row[k] = np.nan
        with pytest.raises(RequestError, match="x1, z1, x2, z2 are needed"):
            StepQuery(row)
    with pytest.raises(RequestError):
        StepQuery(np.array([0.1] * 9 + [np.inf]))
    for wrong in ((0.0, 0.0, 0.0), (-1.0, 0.2, 0.2), (np.nan, 1.0, 1.0)):
        with pytest.raises(RequestError, match="0 or more"):
            MetricWeights(*wrong)
    own = selectors()["containing"]
    assert isinstance(own, Containing)
    with pytest.raises(RequestError, match="as many rows"):
        Containing(own.high[:-1], own.space)
    for kind in (Paper, JudgedListed):
        with pytest.raises(RequestError, match="blend candidates"):
            kind(own.high, own.space, None)
    with pytest.raises(RequestError, match="1 to 64"):
        Nearest(own.high, own.space, count=0)
    with pytest.raises(RequestError, match="ridge above 0"):
        Fitted(own.high, own.space, ridge=0.0)


def test_many_queries_are_measured_as_one_is() -> None:
    """More than are measured at once, with numbers that are not asked and rises."""
    high = made_up_steps()
    rng = np.random.default_rng(5)
    steps = Fitted(high, LowSpace.of(low_of(high)), rises=rng.normal(0.0, 0.1, (len(high), 2)))
    rows = np.concatenate([made_up_steps(150, seed=3), rng.normal(0.0, 0.1, (150, 2))], axis=1)
    rows[:, 4:10] = np.where(rng.random((150, 6)) < 0.3, np.nan, rows[:, 4:10])
    found = steps.nearest(rows)
    own, most = np.concatenate([high, steps.rises], axis=1), np.full(12, np.inf)
    most[[6, 7, 9]] = 1.0  # s: longer rests are rests
    for row, nearest in zip(rows, found, strict=True):
        query = StepQuery(row[:10], row[10:])
        away = steps.away(query)
        off = np.minimum(own, most) - np.minimum(row, most)
        off[:, 4:6] = np.angle(np.exp(1j * off[:, 4:6]))
        weights = np.sqrt([1.0] * 4 + [0.25] * 2 + [0.02] * 4 + [1.0] * 2)
        assert_allclose(away, np.where(np.isnan(off), 0.0, off * weights), atol=1e-12)
        assert nearest == pytest.approx(np.linalg.norm(away, axis=1).min(), abs=1e-12)
