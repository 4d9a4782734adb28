"""The step space itself: what it offers, what it refuses, and that it is the same every time."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import footfall as ff
from footfall.analysis.steps import HIGH_NAMES
from footfall.errors import RequestError
from footfall.figure.contacts import SIDES
from footfall.models.stepspace.model import MOST_STEPS, FollowedPlan, StepSpace, checked_plan
from footfall.models.stepspace.selection import MetricWeights
from footfall.models.stepspace.selectors import SELECTORS
from footfall.world.foot_plan import FootPlacement, FootPlan
from tests.models.stepspace.judges import drawn_plan, missed, reflected, sole_of
from tests.models.stepspace.spaces import session_parts, small_space

PLAN = drawn_plan(0, steps=4)


def test_both_sides_are_each_others_mirror_image() -> None:
    left, right = small_space().sides
    assert (left.table.foot, right.table.foot) == SIDES
    assert left.channels is right.channels
    assert_allclose(right.table.places, left.table.places * [-1.0, 1.0, 1.0], atol=1e-12)
    assert len(small_space().space["left"].points) == len(small_space().space["right"].points)


def test_its_spaces_name_their_numbers() -> None:
    spaces = small_space().space
    assert tuple(spaces) == SIDES
    for side, own in spaces.items():
        assert own.names == HIGH_NAMES
        assert own.units == ("m",) * 4 + ("rad",) * 2 + ("s",) * 4
        assert own.points[0] in own.points
        assert_array_equal(own.points, small_space().sides[SIDES.index(side)].table.high)


def test_a_followed_plan_knows_what_it_promises() -> None:
    made = small_space().follow(PLAN)
    assert isinstance(made, FollowedPlan)
    assert made.plan is PLAN
    assert len(made.begins) == len(made.selections) == 4
    assert made.lowered is not None
    assert made.lowered.shape == (len(made),)
    assert made.lowered.min() >= 0.0
    assert made.reference is small_space().reference
    told = made.certificate()
    assert told.contacts == "given"
    assert told.acceleration_ratio is not None
    assert told.leg_extension_examples is not None
    for one in made.selections:
        assert one.weights.sum() == pytest.approx(1.0)


def test_the_same_again_and_with_nothing_kept() -> None:
    space = small_space()
    fresh = StepSpace(space.left, space.posture, space.reference, space.candidates)
    one, two, three = space.follow(PLAN), space.follow(PLAN), fresh.follow(PLAN)
    for other in (two, three):
        assert_array_equal(one.rotations, other.rotations)
        assert_array_equal(one.root, other.root)


def test_nothing_can_be_changed() -> None:
    space = small_space()
    with pytest.raises(FrozenInstanceError):
        space.posture = np.zeros(3)  # type: ignore[misc]
    made = space.follow(PLAN)
    with pytest.raises(ValueError, match="read-only"):
        made.root[0] = 0.0
    before = PLAN.encode()
    space.follow(PLAN)
    assert PLAN.encode() == before


@pytest.mark.parametrize("name", sorted(SELECTORS))
def test_any_selector_by_name_or_by_itself(name: str) -> None:
    space = small_space()
    by_name = space.follow(PLAN, selector=name)
    by_itself = space.follow(PLAN, selector=space.selector(name))
    assert_array_equal(by_name.rotations, by_itself.rotations)
    assert missed(by_name, PLAN) < 1e-9


def test_a_selector_with_other_weights() -> None:
    space = small_space()
    places = space.selector("fitted", MetricWeights(spatial=1.0, angular=0.0, temporal=0.0))
    assert missed(space.follow(PLAN, selector=places), PLAN) < 1e-9
    bare = StepSpace(space.left, space.posture, space.reference)
    assert space.candidates is not None
    found = bare.selector("paper").select(
        bare.choosing.queries(bare.planned(PLAN), from_stand=True, to_stand=True)[1]
    )
    own = space.selector("paper").select(
        space.choosing.queries(space.planned(PLAN), from_stand=True, to_stand=True)[1]
    )
    assert sorted(found.steps.tolist()) == sorted(
        own.steps.tolist()
    )  # candidates are made when they are needed


def test_headings_that_are_not_given_are_filled_as_the_examples_have_them() -> None:
    bare = FootPlan(tuple(FootPlacement(p.foot, p.position) for p in PLAN.placements))
    planned = small_space().planned(bare)
    assert np.isfinite(planned.headings).all()
    given = small_space().planned(PLAN)
    assert_allclose(given.headings, [p.heading for p in PLAN.placements])
    away = np.angle(np.exp(1j * (planned.headings - given.headings)))
    assert np.abs(away).max() < 1.3
    assert missed(small_space().follow(bare), bare) < 1e-9
    mirrored = small_space().planned(reflected(bare))
    assert_allclose(np.exp(1j * mirrored.headings), np.exp(-1j * planned.headings), atol=1e-6)


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ({"fps": 5.0}, "fps must be between 10 and 1000"),
        ({"fps": 1e5}, "fps must be between"),
        ({"fps": np.nan}, "frame rate"),
        ({"fps": "fast"}, "frame rate"),
        ({"stretch": -0.1}, "stretch is a length"),
        ({"stretch": np.nan}, "stretch is a length"),
        ({"stretch": np.inf}, "stretch is a length"),
        ({"selector": "nearest friend"}, "no selector is called 'nearest friend'; there are"),
    ],
)
def test_wishes_that_cannot_be_met_are_refused(wish: dict[str, object], said: str) -> None:
    for ask in (small_space().follow, small_space().live):
        with pytest.raises(RequestError) as refused:
            ask(PLAN, **wish)  # type: ignore[operator]
        assert said in str(refused.value)


@pytest.mark.parametrize("wish", [{"stretch": "far"}, {"stretch": None}, {"selector": None}, {"selector": 3}])
def test_wishes_of_another_type_are_refused(wish: dict[str, object]) -> None:
    with pytest.raises(RequestError):
        small_space().follow(PLAN, **wish)  # type: ignore[arg-type]


def test_an_area_after_no_plan_is_refused() -> None:
    with pytest.raises(RequestError):
        small_space().reachable_area(None, "left")  # type: ignore[arg-type]


def test_areas_are_of_feet_that_stand() -> None:
    space = small_space()
    with pytest.raises(RequestError, match="'left' or 'right', not 'middle'"):
        space.reachable_area(PLAN, "middle")
    with pytest.raises(RequestError, match="does not say where the left foot stands"):
        space.reachable_area(FootPlan(()), "left")
    with pytest.raises(RequestError, match=r"steps\[1\]"):
        space.reachable_area(FootPlan(PLAN.placements[:1]), PLAN.placements[0].foot)
    assert space.reachable_area(FootPlan(PLAN.placements[:2]), "left").shape[1] == 3


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        (None, "a foot plan is needed"),
        ([], "a foot plan is needed"),
        ("plan.json", "a foot plan is needed"),
        (FootPlan(()), "steps[0]: is missing"),
        (FootPlan(PLAN.placements[:1]), "steps[1]: "),
        (FootPlan(PLAN.placements[:2]), "steps[2]: is missing"),
        (
            FootPlan((PLAN.placements[0], PLAN.placements[0], PLAN.placements[2])),
            "steps[1]: must be where the",
        ),
        (FootPlan(PLAN.placements[:3] * (MOST_STEPS // 3 + 1)), f"at most {MOST_STEPS} footprints"),
    ],
)
def test_what_is_no_plan_is_refused(plan: object, said: str) -> None:
    for ask in (small_space().follow, small_space().live, checked_plan):
        with pytest.raises(RequestError) as refused:
            ask(plan)  # type: ignore[arg-type, operator]
        assert said in str(refused.value)


def test_a_step_by_its_numbers() -> None:
    made = small_space().synthesize("right", x1=-0.2, z1=-0.3, x2=-0.2, z2=0.4, fps=30.0)
    assert made.fps == 30.0
    assert made.contacts is not None
    flat = made.contacts.flat("left")
    assert_allclose(sole_of(made, "left")["subtalar"][flat], 0.0, atol=1e-9)


def test_it_is_written_and_read(tmp_path: Path) -> None:
    small_space().save(tmp_path / "steps.ffmodel")
    again = ff.load_model(tmp_path / "steps.ffmodel")
    assert isinstance(again, StepSpace)
    assert repr(again) == repr(small_space()) == f"StepSpace({len(again.left)} steps a side; 54 joints)"
    assert missed(again.follow(PLAN), PLAN) < 1e-9


def test_one_long_plan() -> None:
    """Three hundred steps: no frame is lost, every print is met, and it takes no longer than it should."""
    plan = drawn_plan(1, steps=300)
    made = small_space().follow(plan, fps=30.0)
    assert missed(made, plan) < 1e-6
    assert len(made.begins) == 300
    assert len(made) / 30.0 == pytest.approx(made.begins[-1], abs=3.0)
    assert len(session_parts()) == 4
