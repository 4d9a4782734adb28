"""Swings over edges: no sole goes through a block or a known ground; what is clear is left alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.figure.contacts import SIDES
from footfall.figure.sole import Sole
from footfall.models.stepspace.model import FollowedPlan, StepSpace
from footfall.world.foot_plan import FootPlacement, FootPlan
from footfall.world.mesh import MeshTerrain
from footfall.world.plane import FlatTerrain, InclinedTerrain
from tests.models.stepspace.judges import drawn_plan, made_of, missed, raised, sole_of
from tests.models.stepspace.spaces import small_space

FPS = 240.0
DEEP = 0.002  # m
HALF_WIDE = 0.05  # m of a foot
ROOM = 0.32  # m between prints whose feet cannot overlap


def straight(heights: list[float], length: float = 0.6) -> FootPlan:
    """A walk along +Z, one print after the other, at heights."""
    made = []
    for k, high in enumerate(heights):
        side = SIDES[k % 2]
        along = 0.5 * length * max(k - 1, 0)
        made.append(FootPlacement(side, np.array([0.09 if side == "left" else -0.09, high, along]), 0.0))
    return FootPlan(tuple(made))


def swings(space: StepSpace, plan: FootPlan, motion: FollowedPlan) -> list[tuple[int, slice]]:
    """Each step's number and its frames."""
    ends = [*motion.begins, (len(motion) - 1) / motion.fps]
    frames = [int(np.ceil(t * motion.fps - 1e-9)) for t in ends]
    return [(k, slice(frames[k], frames[k + 1])) for k in range(len(plan.steps()))]


def deepest_in_prints(space: StepSpace, plan: FootPlan, motion: FollowedPlan) -> float:
    """How deep swing feet are in what lies under their own prints and the support's: a foot's size, solid."""
    worst = 0.0
    for k, part in swings(space, plan, motion):
        step = plan.steps()[k]
        assert motion.contacts is not None
        air = ~motion.contacts.stands(step.foot)[part]
        points = np.concatenate([p[air] for p in sole_of(motion[part], step.foot).values()])
        three = [plan.placements[n] for n in (step.origin, step.target, step.support)]
        for one in three:
            apart = [np.linalg.norm((p.position - one.position)[[0, 2]]) for p in three[:2] if p is not one]
            if min(apart) < ROOM:
                continue  # blocks that share a place: a foot on the one stands in the other
            assert one.heading is not None
            c, s = np.cos(one.heading), np.sin(one.heading)
            away = points - one.position
            x, z = c * away[:, 0] - s * away[:, 2], s * away[:, 0] + c * away[:, 2]
            feet = motion.skeleton.foot_points(one.foot)
            back = np.linalg.norm(feet.heel - feet.subtalar)
            ahead = np.linalg.norm(feet.toe - feet.subtalar)
            over = (np.abs(x) < HALF_WIDE) & (z > -back) & (z < ahead)
            worst = max(worst, float(-away[over, 1].min(initial=0.0)))
    return worst


@pytest.mark.parametrize("uneven", [0.08, 0.12])
@pytest.mark.parametrize("seed", [0, 1, 2, 3, 4, 5, 6])
def test_swings_clear_the_blocks_of_their_prints(seed: int, uneven: float) -> None:
    space, plan = small_space(), drawn_plan(seed, uneven=uneven)
    motion = space.follow(plan, fps=FPS)
    assert deepest_in_prints(space, plan, motion) < DEEP
    assert missed(motion, plan) < 1e-9


def test_swings_that_were_low_clear_the_blocks_of_their_prints() -> None:
    space, plan = small_space(), drawn_plan(7, uneven=0.08)
    assert deepest_in_prints(space, plan, space.follow(plan, fps=FPS)) < DEEP


@pytest.mark.parametrize(
    "heights", [[0, 0, 0.2, 0.2, 0.4, 0.4], [0, 0, -0.2, -0.2, -0.4, -0.4], [0, 0, 0.25, 0.0, 0.25, 0.0]]
)
def test_stairs_of_blocks_are_gone_up_and_down(heights: list[float]) -> None:
    space, plan = small_space(), straight(heights, 0.7)
    motion = space.follow(plan, fps=FPS)
    assert deepest_in_prints(space, plan, motion) < DEEP
    assert missed(motion, plan) < 1e-9


def test_level_swings_of_an_uneven_plan_do_not_dip_into_the_floor() -> None:
    """One print is raised: the swings before it lie on the same floor as ever."""
    space = small_space()
    for seed in (4, 7, 9, 23, 25):
        level = drawn_plan(seed)
        plan = raised(level, len(level) - 1, 0.1)
        motion = space.follow(plan, fps=FPS)
        for k, part in swings(space, plan, motion)[:-1]:
            points = sole_of(motion[part], plan.steps()[k].foot).values()
            assert min(float(p[:, 1].min()) for p in points) > -0.001


def test_known_level_ground_is_cleared() -> None:
    for seed in (4, 9, 23, 25):
        motion = small_space().follow(drawn_plan(seed), terrain=FlatTerrain(), fps=FPS)
        for side in SIDES:
            assert min(float(p[:, 1].min()) for p in sole_of(motion, side).values()) > -DEEP


def test_level_plans_are_not_lifted() -> None:
    assert made_of(small_space(), drawn_plan(0))[2].lifts is None


def test_on_level_ground_nothing_is_changed() -> None:
    """With the ground known to be level a motion is as without, but for hairs that feet are under it."""
    plan = drawn_plan(2)
    plain, known = (small_space().follow(plan, terrain=t) for t in (None, FlatTerrain()))
    assert len(plain) == len(known)
    assert_allclose(plain.positions, known.positions, atol=0.012)
    assert np.median(np.abs(plain.positions - known.positions)) < 1e-6


def boxes(*parts: tuple[tuple[float, float, float], tuple[float, float, float]]) -> MeshTerrain:
    """A floor and boxes on it: extents and centres of their bottoms."""
    import trimesh

    meshes = [
        trimesh.creation.box((40.0, 0.02, 40.0), trimesh.transformations.translation_matrix((0, -0.01, 0)))
    ]
    for size, (x, y, z) in parts:
        place = trimesh.transformations.translation_matrix((x, y + 0.5 * size[1], z))
        meshes.append(trimesh.creation.box(size, place))
    mesh = trimesh.util.concatenate(meshes)
    return MeshTerrain(np.array(mesh.vertices), np.array(mesh.faces))


def deepest(terrain: MeshTerrain, plan: FootPlan, motion: FollowedPlan) -> float:
    """How deep soles are in the ground of swings, judged by the highest ground under 21 places of each."""
    worst = 0.0
    for side in SIDES:
        sole = sole_of(motion, side)
        share = np.linspace(0.0, 1.0, 21)[:, None, None]
        points = sole["heel"] + share * (sole["ball"] - sole["heel"])
        ground = terrain.height(points[..., 0], points[..., 2], points[..., 1] + 0.3)
        worst = max(worst, float((ground - points[..., 1]).max()))
    assert len(plan)
    return worst


@pytest.mark.parametrize("wide", [0.02, 0.1])
@pytest.mark.parametrize("high", [0.08, 0.18])
def test_a_bar_between_two_prints_is_stepped_over(wide: float, high: float) -> None:
    """It lies where nothing is planned: only the ground tells."""
    terrain = boxes(((2.0, high, wide), (0.0, 0.0, 0.42)))
    plan = FootPlan(
        tuple(
            FootPlacement(s, np.array([0.09 if s == "left" else -0.09, 0.0, z]), 0.0)
            for s, z in (
                ("left", 0.0),
                ("right", 0.0),
                ("left", 0.2),
                ("right", 0.66),
                ("left", 0.9),
                ("right", 0.9),
            )
        )
    )
    through = small_space().follow(plan, fps=FPS)
    assert deepest(terrain, plan, through) > 0.15 * high  # or the test could not fail
    motion = small_space().follow(plan, fps=FPS, terrain=terrain)
    assert deepest(terrain, plan, motion) < DEEP
    assert missed(motion, plan) < 1e-9


@pytest.mark.parametrize("at", [0.40, 0.42, 0.44])
def test_a_wall_as_thin_as_paper_is_stepped_over(at: float) -> None:
    """Judged where the sole crosses it, in every frame in which it does."""
    high = 0.15
    terrain = boxes(((2.0, high, 0.001), (0.0, 0.0, at)))
    ways = (("left", 0.0), ("right", 0.0), ("left", 0.2), ("right", 0.66), ("left", 0.9), ("right", 0.9))
    plan = FootPlan(
        tuple(FootPlacement(s, np.array([0.09 if s == "left" else -0.09, 0.0, z]), 0.0) for s, z in ways)
    )
    motion = small_space().follow(plan, fps=1000.0, terrain=terrain)
    crossed = 0
    for side in SIDES:
        sole = sole_of(motion, side)
        heel, ball = sole["heel"], sole["ball"]
        share = (at - heel[:, 2]) / (ball[:, 2] - heel[:, 2])
        over = (share >= 0.0) & (share <= 1.0)
        crossed += int(over.sum())
        assert (heel[:, 1] + share * (ball[:, 1] - heel[:, 1]))[over].min() > high - DEEP
    assert crossed > 100
    assert missed(motion, plan) < 1e-9


def test_steps_of_a_stair_are_cleared() -> None:
    terrain = boxes(*[((2.0, 0.17 * k, 8.0), (0.0, 0.0, 0.3 * k + 4.0)) for k in range(1, 6)])
    prints = [("left", 0, 0.0), ("right", 0, 0.0)]
    prints += [(SIDES[(k - 1) % 2], k, 0.3 * k + 0.15) for k in range(1, 6)] + [("right", 5, 1.65)]
    plan = FootPlan(
        tuple(
            FootPlacement(s, np.array([0.09 if s == "left" else -0.09, 0.17 * k, z]), 0.0)
            for s, k, z in prints
        )
    )
    motion = small_space().follow(plan, fps=FPS, terrain=terrain)
    assert deepest(terrain, plan, motion) < DEEP
    assert missed(motion, plan) < 1e-9


@pytest.mark.parametrize("slope", [-15.0, 8.0, 15.0])
def test_slopes_are_walked_without_cutting_into_them(slope: float) -> None:
    angle = np.radians(slope)
    terrain = InclinedTerrain(angle)
    level = drawn_plan(5)
    plan = FootPlan(
        tuple(
            replace(p, position=p.position + np.array([0.0, np.tan(angle) * p.position[2], 0.0]))
            for p in level.placements
        )
    )
    motion = small_space().follow(plan, fps=FPS, terrain=terrain)
    assert missed(motion, plan) < 1e-9
    for side in SIDES:
        for points in sole_of(motion, side).values():
            assert (np.tan(angle) * points[:, 2] - points[:, 1]).max() < DEEP


def test_lifts_touch_no_stance() -> None:
    plan = straight([0, 0, 0.15, 0.0, 0.15, 0.15])
    _, planned, steps = made_of(small_space(), plan)
    assert steps.lifts is not None
    assert np.abs(steps.lifts).max() > 0.01
    assert len(steps.lifts) == len(planned)
    one = small_space().follow(plan)
    two = small_space().follow(plan)
    assert_array_equal(one.rotations, two.rotations)


@pytest.mark.parametrize("seed", [2, 5, 13, 21, 34, 55])
def test_no_foot_leaps_over_a_kerb(seed: int) -> None:
    """Prints 12 cm up or down within a foot's length: raised as people do, or refused, but not a leap."""
    plan = drawn_plan(seed, uneven=0.12)
    motion = small_space().follow(plan)
    for k, part in swings(small_space(), plan, motion):
        step = plan.steps()[k]
        highest = max(float(plan.placements[n].position[1]) for n in (step.origin, step.target, step.support))
        assert sole_of(motion[part], step.foot)["subtalar"][:, 1].max() < highest + 0.3


@pytest.mark.parametrize("near", [0.02, 0.05])
@pytest.mark.parametrize("down", [0.17, 0.25])
def test_stairs_are_come_down_without_kicking_up(near: float, down: float) -> None:
    """Heels come down right behind the edge of the stair above: from above, and the foot is raised little."""
    heel = float(Sole.of(small_space().skeleton, "left").lengths[0])
    deep = 0.36
    terrain = boxes(
        *[((2.0, down * (6 - k), deep), (0.0, 0.0, deep * (k + 0.5))) for k in range(6)],
        ((2.0, 6.0 * down, 2.0), (0.0, 0.0, -1.0)),
    )
    prints = [("left", 6, -0.2), ("right", 6, -0.2)]
    prints += [(SIDES[k % 2], 6 - k, deep * k + heel + near) for k in range(1, 6)]
    plan = FootPlan(
        tuple(
            FootPlacement(s, np.array([0.09 if s == "left" else -0.09, down * k, z]), 0.0)
            for s, k, z in prints
        )
    )
    motion = small_space().follow(plan, fps=FPS, terrain=terrain)
    assert missed(motion, plan) < 1e-9
    assert deepest(terrain, plan, motion) < DEEP
    for k, part in swings(small_space(), plan, motion):
        step = plan.steps()[k]
        above = sole_of(motion[part], step.foot)["subtalar"][:, 1].max()
        assert above < plan.placements[step.origin].position[1] + 0.3
