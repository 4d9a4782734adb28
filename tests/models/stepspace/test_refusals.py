"""What is named in place of a refused print was tried: the plan with it is followed."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from footfall.errors import RequestError
from footfall.models.stepspace.model import StepSpace
from footfall.models.stepspace.refusal import AROUND, Part, nearby
from footfall.world.foot_plan import FootPlan
from footfall.world.plane import InclinedTerrain
from tests.models.stepspace.judges import drawn_plan, raised, run_plan, turned
from tests.models.stepspace.spaces import running_space, small_space

NAMED = re.compile(r"^steps\[(\d+)\]: the (left|right) foot's print cannot be reached: .*; (.*)$")
PLACE = re.compile(
    r"^the nearest that can be is \((-?[\d.]+), (-?[\d.]+), (-?[\d.]+)\)(, but not what follows)?$"
)
BROKEN = 60  # plans
FAR, HIGH = (0.5, 3.0), 0.6  # m by which a print is moved


def broken(plan: FootPlan, seed: int) -> tuple[FootPlan, int]:
    """One print moved in any direction, up or down."""
    rng = np.random.default_rng([9, seed])
    number = int(rng.integers(2, len(plan)))
    away = turned(np.array([0.0, 0.0, rng.uniform(*FAR)]), rng.uniform(-np.pi, np.pi))
    away[1] = rng.uniform(-HIGH, HIGH)
    return with_print(plan, number, plan.placements[number].position + away), number


def with_print(plan: FootPlan, number: int, place: np.ndarray) -> FootPlan:
    placements = list(plan.placements)
    placements[number] = replace(placements[number], position=place)
    return FootPlan(tuple(placements))


def refused(space: StepSpace, plan: FootPlan, **wishes: object) -> tuple[int, np.ndarray | None] | None:
    """The print that is refused and the one that is named; None where the plan is followed."""
    said = said_of(space, plan, **wishes)
    if said is None:
        return None
    found = NAMED.match(said)
    assert found is not None, said
    assert plan.placements[int(found[1])].foot == found[2]
    named = PLACE.match(found[3])
    if named is None:
        assert found[3] == "none that can be was found near it"
        return int(found[1]), None
    return int(found[1]), np.array([float(named[k]) for k in (1, 2, 3)])


def said_of(space: StepSpace, plan: FootPlan, **wishes: object) -> str | None:
    """The sentence with which a plan is refused."""
    try:
        space.follow(plan, **wishes)  # type: ignore[arg-type]
    except RequestError as error:
        return str(error)
    return None


@pytest.mark.parametrize("kind", ["walked", "uneven", "run", "open"])
def test_the_named_print_in_its_place_is_followed_or_refused_elsewhere(kind: str) -> None:
    space = small_space() if kind in ("walked", "uneven") else running_space()
    wishes = {"from_stand": False, "to_stand": False} if kind == "open" else {}
    followed = elsewhere = nothing = own = 0
    for seed in range(BROKEN // 2):
        if kind in ("walked", "uneven"):
            plan = drawn_plan(seed, 8, uneven=0.15 * (kind == "uneven"), again=0.2 * (kind == "uneven"))
        else:
            plan = run_plan(14) if kind == "run" else FootPlan(run_plan(20).placements[6:16])
        worse, number = broken(plan, seed)
        first = refused(space, worse, **wishes)
        if first is None:
            continue
        named, place = first
        own += named == number
        if place is None:
            nothing += 1
            continue
        again = refused(space, with_print(worse, named, place), **wishes)
        followed += again is None
        if again is not None:
            elsewhere += 1
            assert again[0] != named
    count = followed + elsewhere + nothing
    assert count > 20
    assert nothing <= 1
    assert followed >= 0.8 * count
    assert own >= 0.8 * count  # mostly the print that was moved is the one that is named


@pytest.mark.parametrize("rise", [0.3, 0.34, -0.34])
def test_a_pelvis_that_comes_too_low_is_helped_by_what_is_named(rise: float) -> None:
    """Up and far ahead: each alone can be reached."""
    met = 0
    for seed in range(12):
        plan = drawn_plan(seed, 4)
        ahead = plan.placements[4].position + turned(
            np.array([0.0, 0.0, 0.5]), plan.placements[3].heading or 0.0
        )
        high = raised(with_print(plan, 4, ahead), 4, rise)
        if "pelvis" not in (said_of(small_space(), high) or ""):
            continue
        met += 1
        found = refused(small_space(), high)
        assert found is not None
        assert found[1] is not None
        assert refused(small_space(), with_print(high, found[0], found[1])) is None
    assert met or rise < 0.0


def test_a_long_plan_is_refused_as_a_short_one_is() -> None:
    plan = run_plan(80, 0.6)
    number = 60
    worse = with_print(plan, number, plan.placements[number].position + np.array([1.5, 0.0, 0.0]))
    found = refused(small_space(), worse)
    assert found is not None
    assert found[0] == number
    assert found[1] is not None
    assert refused(small_space(), with_print(worse, number, found[1])) is None


def test_parts_hold_the_steps_around_one() -> None:
    plan = drawn_plan(5, 40, again=0.3)
    steps = plan.steps()
    for step in (0, 3, 20, 39):
        part = Part.around(plan, step)
        assert (part.first, part.last) == (max(step - AROUND, 0), min(step + AROUND + 1, 40))
        inner = part.plan.steps()
        assert len(inner) == part.last - part.first
        for mine, whole in zip(inner, steps[part.first : part.last], strict=True):
            for role in ("origin", "support", "target"):
                assert part.plan.placements[getattr(mine, role)] is plan.placements[getattr(whole, role)]
        place = np.array([1.0, 2.0, 3.0])
        changed = part.with_print(place).plan
        differs = [k for k in range(len(changed)) if changed.placements[k] is not part.plan.placements[k]]
        assert differs == [inner[part.step].target]
        assert changed.placements[differs[0]].position.tolist() == place.tolist()


def test_prints_to_try_are_few_told_as_they_are_tried_and_lie_on_the_ground() -> None:
    plan, slope = drawn_plan(2, 6), InclinedTerrain(0.17, 0.3)
    planned = small_space().planned(plan)
    for step in range(6):
        for terrain in (None, slope):
            places = list(nearby(planned, step, planned.places[planned.prints[step, 1]] + 0.3, terrain))
            assert 8 <= len(places) <= 12
            for place in places:
                assert [float(f"{v:.2f}") for v in place] == place.tolist()
                if terrain is not None:
                    height = terrain.height(place[:1], place[2:], place[1:2] + 1.0)[0]
                    assert abs(place[1] - height) <= 0.005 + 1e-9


def test_what_is_hardly_outside_is_said_in_millimetres_or_not_at_all() -> None:
    space = small_space()
    words = []
    for seed in range(12):
        made = space.follow(drawn_plan(seed, 4), stretch=0.0)
        words += [w for w in made.clamped if "outside what was captured" in w]
    assert words
    assert not any("0.00 m" in w or " 0 mm" in w for w in words)
    assert all(re.search(r": (\d\.\d\d m|[1-9]\d? mm) outside", w) for w in words)
