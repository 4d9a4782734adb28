"""What may be asked for: any limits within reason, with a reason where they cannot be served."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footfall.errors import RequestError
from footfall.world.generators.generate import KINDS, generate
from footfall.world.generators.limits import StepLimits
from tests.world.generators.judge import judge_crossing, judge_landings, judge_mesh, judge_rays


def judge(kind: str, seed: int, limits: StepLimits, size: tuple[float, float] | None = None) -> None:
    ground = generate(kind, seed, limits=limits, size=size)
    judge_crossing(ground)
    judge_landings(ground)
    judge_rays(ground, places=64)
    judge_mesh(ground)
    assert ground.says().startswith("crossable")


@st.composite
def some_limits(draw: st.DrawFn) -> StepLimits:
    width = draw(st.floats(0.04, 0.2))
    foot = draw(st.floats(max(width, 0.1), 0.45))
    return StepLimits(
        rise=draw(st.floats(0.02, 0.6)),
        length=draw(st.floats(1.3 * width, 1.6)),
        slope=draw(st.floats(0.03, 0.7)),
        foot_length=foot,
        foot_width=width,
    )


@settings(max_examples=120, deadline=None)
@given(kind=st.sampled_from(list(KINDS)), seed=st.integers(0, 10**9), limits=some_limits())
def test_any_limits(kind: str, seed: int, limits: StepLimits) -> None:
    """Crossable, or refused for the reason that holds: steps too short to take a foot over an edge."""
    try:
        judge(kind, seed, limits)
        return
    except RequestError as error:
        said = re.search(r"steps of (\d\.\d\d\d) m at least: length is (.*) m$", str(error))
    assert said
    assert kind not in ("flat", "bumps")
    needed = float(said[1])
    assert float(said[2]) == limits.length <= needed + 0.0005
    assert needed < 1.6 * np.hypot(limits.foot_length + 0.06, 1.1 * limits.foot_width)
    # what it says is possible is possible
    judge(kind, seed, replace(limits, length=needed + 0.001))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "limits",
    [
        StepLimits(rise=0.03, slope=0.6),  # steep, but not for long steps
        StepLimits(rise=0.9, length=1.9, slope=0.9),
        StepLimits(slope=0.01),
        StepLimits(length=0.5, foot_length=0.1, foot_width=0.05),
        StepLimits(length=1.2, foot_length=0.55, foot_width=0.05),
        StepLimits(length=1.2, foot_length=0.3, foot_width=0.3),
    ],
)
def test_the_corners_of_what_limits_can_be(kind: str, limits: StepLimits) -> None:
    for seed in range(3):
        judge(kind, seed, limits)


@settings(max_examples=40, deadline=None)
@given(
    kind=st.sampled_from([kind for kind in KINDS if kind != "spiral"]),
    width=st.floats(4.0, 12.0),
    length=st.floats(8.0, 25.0),
)
def test_any_size(kind: str, width: float, length: float) -> None:
    judge(kind, 3, StepLimits(), (width, length))
    low, high = generate(kind, 3, size=(width, length)).terrain.bounds
    if kind != "ramps":  # which turn
        assert abs(high[0] - low[0] - width) < 0.9
        assert abs(high[2] - low[2] - length) < 2.1


def test_unknown_kinds_are_told_the_known_ones() -> None:
    with pytest.raises(RequestError, match="flat, bumps, ramps, stairs, spiral, blocks, stones, rubble"):
        generate("lava")
    assert list(KINDS) == ["flat", "bumps", "ramps", "stairs", "spiral", "blocks", "stones", "rubble"]


@pytest.mark.parametrize("seed", [-1, 1.5, "7", None, 2**70, True])
def test_seeds_are_whole_numbers(seed: object) -> None:
    with pytest.raises(RequestError, match="seed"):
        generate("flat", seed)  # type: ignore[arg-type]


def test_large_seeds_and_numpys_are_seeds() -> None:
    a, b = generate("blocks", 2**63 - 1), generate("blocks", np.int64(2**63 - 1))
    assert np.array_equal(a.terrain.vertices, b.terrain.vertices)


def test_what_a_kind_does_not_take_is_said() -> None:
    with pytest.raises(RequestError, match="stairs has no triangles: it takes size"):
        generate("stairs", triangles=100)
    with pytest.raises(RequestError, match="spiral has no size: it takes turns"):
        generate("spiral", size=(3.0, 3.0))
    with pytest.raises(RequestError, match="bumps has no turns: it takes size, triangles"):
        generate("bumps", turns=2)


@pytest.mark.parametrize(
    "size", [(0.0, 5.0), (5.0, 1e9), (np.nan, 9.0), (5.0,), 7, "ab", (5.0, "x"), (1, 2, 3)]
)
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "spiral"])
def test_sizes_that_cannot_be(kind: str, size: object) -> None:
    with pytest.raises(RequestError, match="size"):
        generate(kind, size=size)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "wrong",
    [
        {"rise": 0.0},
        {"rise": -0.1},
        {"rise": float("nan")},
        {"length": float("inf")},
        {"length": 0.01},
        {"slope": 1.5},
        {"slope": "steep"},
        {"foot_length": 3.0},
        {"foot_width": 0.0},
        {"foot_width": 0.28},
        {"length": 0.12},
    ],
)
def test_limits_are_validated(wrong: dict[str, object]) -> None:
    with pytest.raises(RequestError, match=next(iter(wrong))):
        StepLimits(**wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["ramps", "stairs", "spiral", "blocks", "stones", "rubble"])
def test_a_step_shorter_than_the_foot_is_refused_where_there_are_edges(kind: str) -> None:
    with pytest.raises(RequestError, match=r"0\.3\d\d m at least: length is 0.26 m"):
        generate(kind, limits=StepLimits(length=0.26))


def test_higher_limits_give_harder_ground() -> None:
    for kind in ("stairs", "blocks", "spiral", "rubble"):
        low, high = (generate(kind, 1, limits=StepLimits(rise=rise)) for rise in (0.05, 0.3))
        assert high.extremes.highest > 3.0 * low.extremes.highest
    for kind in ("bumps", "ramps"):
        low, high = (
            generate(kind, 1, limits=StepLimits(rise=0.4, slope=float(np.radians(angle))))
            for angle in (4, 25)
        )
        assert high.extremes.steepest > 2.0 * low.extremes.steepest
    short, long = (generate("stones", 1, limits=StepLimits(length=length)) for length in (0.4, 0.9))
    assert long.extremes.longest > 1.5 * short.extremes.longest
