"""A gait on other ground, on storeys, on ground that chooses it; and wishes told again and again."""

from __future__ import annotations

import numpy as np

import footfall as ff
from footfall.models.ring.default import default_gaits
from footfall.world.mesh import MeshTerrain


def plates(*plates: tuple[float, ...], labels: tuple[str, ...] | None = None) -> MeshTerrain:
    """Level plates (x0, x1, z0, z1, y), each with a label of its own if there are any."""
    corners, triangles, kinds = [], [], []
    for k, (x0, x1, z0, z1, y) in enumerate(plates):
        corners += [[x0, y, z0], [x0, y, z1], [x1, y, z0], [x1, y, z1]]
        triangles += [[4 * k, 4 * k + 1, 4 * k + 2], [4 * k + 2, 4 * k + 1, 4 * k + 3]]
        kinds += [k, k]
    mesh = np.array(corners, dtype=float), np.array(triangles)
    return MeshTerrain(*mesh) if labels is None else MeshTerrain(*mesh, labels, np.array(kinds))


def jumped(first: np.ndarray, second: np.ndarray) -> float:
    """By what the joint that turns most turns between two poses, rad."""
    a, b = (pose[3:].reshape(-1, 4) for pose in (first, second))
    return float(2.0 * np.arccos(np.clip(np.abs((a * b).sum(axis=-1)), -1.0, 1.0)).max())


FLOOR = (-50.0, 50.0, -50.0, 50.0, 0.0)


def test_an_equal_world_is_no_reason_to_jump() -> None:
    for wait in range(60, 100, 4):
        figures = [ff.GaitController(default_gaits(), gait="walk") for _ in range(2)]
        world = plates(FLOOR)
        for figure in figures:
            for _ in range(wait):
                figure.advance(1 / 60, world)
        same, other = figures[0].advance(1 / 60, world), figures[1].advance(1 / 60, plates(FLOOR))
        assert jumped(same, other) < 0.02


def test_other_ground_leaves_the_figure_on_its_storey() -> None:
    def house() -> MeshTerrain:
        return plates((-20.0, 20.0, -20.0, 20.0, 0.0), (-3.0, 3.0, 2.0, 8.0, 2.5))

    control = ff.GaitController(default_gaits(), gait="walk")
    world = house()
    for _ in range(240):
        before = control.advance(1 / 60, world).copy()
    after = control.advance(1 / 60, house())
    assert abs(after[1] - before[1]) < 0.02  # m; the roof is 2.5 m higher


def test_a_figure_begins_on_the_storey_it_is_told() -> None:
    house = plates((-20.0, 20.0, -20.0, 20.0, 0.0), (-3.0, 3.0, -3.0, 3.0, 2.5))
    for place, level in (((0.0, 0.0), 2.5), ((0.0, 0.0, 0.0), 0.0), ((0.0, 2.6, 0.0), 2.5)):
        control = ff.GaitController(default_gaits(), place=place)
        root = control.advance(0.0, house)
        assert abs(root[1] - level - 0.93) < 0.1


def test_ground_that_was_taken_away_is_left_for_what_is_there() -> None:
    control = ff.GaitController(default_gaits(), gait="walk")
    for _ in range(60):
        control.advance(1 / 60, plates(FLOOR))
    for _ in range(60):
        root = control.advance(1 / 60, plates((-50.0, 50.0, -50.0, 50.0, -3.0)))
    assert abs(root[1] + 3.0 - 0.93) < 0.1


def test_a_world_that_is_none_is_told_and_not_raised() -> None:
    control = ff.GaitController(default_gaits(), gait="walk")
    before = control.advance(1 / 60).copy()
    after = control.advance(1 / 60, "bumps:7")  # type: ignore[arg-type]
    assert jumped(before, after) < 0.2
    assert any("str is no ground" in remark for remark in control.remarks)


def test_labels_choose_the_gait_though_the_stick_names_one() -> None:
    rings = ff.RingGraph(dict(default_gaits().rings), labels={"snow": "run"})
    world = plates(
        (-20.0, 20.0, -5.0, 6.0, 0.0),
        (-20.0, 20.0, 6.0, 20.0, 0.0),
        (-20.0, 20.0, 20.0, 60.0, 0.0),
        labels=("grass", "snow", "moss"),
    )
    control = ff.GaitController(rings, gait="walk")
    control.advance(0.0, world)
    taken = []
    for _ in range(1500):
        control.command(gait="walk", heading=0.0)
        control.advance(1 / 60, world)
        if not taken or taken[-1] != control.status.gait:
            taken.append(control.status.gait)
    assert taken == ["walk", "run", "walk"]
    control.command(gait="rest")
    for _ in range(240):
        control.advance(1 / 60, world)
    assert control.status.gait == "rest"  # who is told to stand stands on any ground


def test_a_wish_told_again_changes_nothing() -> None:
    walks = []
    for again in (False, True):
        control = ff.GaitController(default_gaits(), gait="walk")
        control.advance(0.0)
        control.command(heading=0.3, step_length=0.7, gait="walk")
        for _ in range(1200):
            if again:
                control.command(heading=0.3, step_length=0.7, gait="walk")
            control.advance(1 / 60)
        walks.append(control.walker.pose.copy())
    np.testing.assert_array_equal(*walks)


def test_beginning_on_avoided_ground_is_said() -> None:
    control = ff.GaitController(default_gaits())
    control.advance(1 / 60, plates((-5.0, 5.0, -5.0, 5.0, 0.0), labels=("water",)))
    assert any("avoided" in remark for remark in control.remarks)
