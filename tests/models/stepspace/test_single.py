"""One step by its numbers: prints are where the numbers say, what is not said is a captured step's."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.errors import RequestError
from footfall.figure.sole import Sole
from footfall.geometry import quaternion as quat
from footfall.models.stepspace.single import single_step
from footfall.world.foot_plan import FootPlan
from tests.models.stepspace.spaces import small_space

NAMES = ("x1", "z1", "x2", "z2", "theta1", "theta2")
ASKED = {"x1": 0.2, "z1": -0.3, "x2": 0.15, "z2": 0.4, "theta1": 0.1, "theta2": 0.2}


def numbers(plan: FootPlan) -> list[float]:
    origin, support, target = plan.placements
    assert support.position.tolist() == [0.0, 0.0, 0.0]
    assert support.heading == 0.0
    assert origin.foot == target.foot != support.foot
    a, b = origin.position, target.position
    assert a[1] == b[1] == 0.0
    assert origin.heading is not None
    assert target.heading is not None
    return [a[0], a[2], b[0], b[2], origin.heading, target.heading]


@pytest.mark.parametrize("foot", ["left", "right"])
def test_every_captured_step_can_be_asked_for(foot: str) -> None:
    space = small_space().space[foot]
    for row in space.points:
        plan = single_step(small_space().space, foot, dict(zip(NAMES, row[:6].tolist(), strict=True)))
        assert plan.placements[0].foot == foot
        assert numbers(plan) == row[:6].tolist()
        assert all(p.swing is None and p.stance is None for p in plan.placements)


@pytest.mark.parametrize("foot", ["left", "right"])
def test_what_is_not_asked_is_the_nearest_captured_steps(foot: str) -> None:
    points = small_space().space[foot].points
    for k in (0, 5, 20):
        place = dict(zip(NAMES[:4], points[k, :4].tolist(), strict=True))
        assert numbers(single_step(small_space().space, foot, place)) == points[k, :6].tolist()
    nothing = numbers(single_step(small_space().space, foot, {}))
    assert (points[:, :6] == nothing).all(axis=1).any()


def test_angles_are_compared_the_short_way_round() -> None:
    """A turn by 350 degrees the one way is one by 10 the other: the same step is the nearest."""
    angle = float(small_space().space["left"].points[7, 5])
    one, other = (
        numbers(single_step(small_space().space, "left", {"theta2": angle + turn}))
        for turn in (0.0, 2.0 * np.pi)
    )
    assert one[:5] == other[:5]


def test_times_are_asked_of_the_plan() -> None:
    times = {"stance1": 0.7, "stance2": 0.8, "swing": 0.5, "support": 0.9}
    origin, support, target = single_step(small_space().space, "left", ASKED | times).placements
    assert (origin.stance, support.stance, target.stance, target.swing) == (0.7, 0.9, 0.8, 0.5)
    assert origin.swing is support.swing is None


def test_a_longer_swing_takes_longer() -> None:
    made = {s: small_space().synthesize("left", **ASKED, swing=s) for s in (0.5, 0.6)}
    assert made[0.6].seconds - made[0.5].seconds == pytest.approx(0.1, abs=0.02)


@pytest.mark.parametrize("foot", ["left", "right"])
def test_the_support_foot_lies_at_the_origin_facing_ahead(foot: str) -> None:
    side = 1.0 if foot == "left" else -1.0
    mirrored = {n: side * v if n[0] in "xt" else v for n, v in ASKED.items()}
    made = small_space().synthesize(foot, **mirrored)
    other = "right" if foot == "left" else "left"
    sole, joint = Sole.of(made.skeleton, other), made.skeleton.joint(f"{other}_foot")
    assert made.contacts is not None
    flat = made.contacts.flat(other)
    assert flat.sum() > 5
    turn = made.orientations[flat, joint]
    assert_allclose(made.positions[flat, joint] + quat.rotate(turn, sole.subtalar), 0.0, atol=1e-9)
    along = quat.rotate(turn, sole.ball - sole.heel)
    assert_allclose(np.arctan2(along[:, 0], along[:, 2]), 0.0, atol=1e-9)
    assert len(made.begins) == 1


def test_the_other_foots_step_is_the_mirror_image() -> None:
    left = small_space().synthesize("left", **ASKED)
    right = small_space().synthesize("right", **{n: -v if n[0] in "xt" else v for n, v in ASKED.items()})
    assert len(left) == len(right)
    hips = left.skeleton.joint("hips")
    assert_allclose(left.positions[:, hips] * [-1.0, 1.0, 1.0], right.positions[:, hips], atol=1e-6)


def test_the_same_again() -> None:
    one, other = (small_space().synthesize("left", **ASKED, fps=30.0) for _ in range(2))
    assert one.fps == 30.0
    assert_array_equal(one.positions, other.positions)


@pytest.mark.parametrize(
    ("foot", "parameters", "said"),
    [
        ("hand", {}, "'left' or 'right'"),
        (3, {}, "'left' or 'right'"),
        ([], {}, "'left' or 'right'"),
        ("left", {"stride": 0.5}, "unknown: stride; they are x1"),
        ("left", {"x1": np.nan}, "x1 must be a finite number"),
        ("left", {"theta2": np.inf}, "theta2 must be a finite number"),
        ("right", {"z2": "far"}, "z2 must be a finite number"),
        ("right", {"swing": -1.0}, "swing must be positive"),
        ("right", {"swing": np.nan}, "swing must be a finite number"),
        ("left", {"x2": 1e30}, "position must be within"),
    ],
)
def test_what_is_no_step_is_refused(foot: str, parameters: dict[str, float], said: str) -> None:
    with pytest.raises(RequestError) as refusal:
        small_space().synthesize(foot, **parameters)
    assert said in str(refusal.value)
