"""Where a sole can lie: axioms on grounds whose answer is known without a search."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from footfall.models.ring import foothold_kernel as told
from footfall.models.ring.foothold_kernel import foothold, under
from footfall.world.mesh import MeshTerrain
from tests.models.ring.plain_ground import bumps, holed, slope, staircase, table

HALF_LENGTH = 0.12  # m of a sole
STEEPEST = 0.42  # rad


def lie(
    terrain: MeshTerrain, foot: object, heading: float = 0.0, steepest: float = STEEPEST
) -> np.ndarray | None:
    """What is found for a sole, or None."""
    found = np.full(told.FOOTHOLD, np.nan)
    ahead = np.sin(heading), np.cos(heading)
    middle = np.asarray(foot, dtype=float)
    if not foothold(*terrain.tree.arrays, middle, *ahead, HALF_LENGTH, steepest, found):
        return None
    assert np.isfinite(found).all()
    return found


def ends_of(found: np.ndarray, heading: float) -> np.ndarray:
    """Heel and toe of the sole that was laid."""
    ahead = np.array([np.sin(heading), 0.0, np.cos(heading)])
    return found[:3] + HALF_LENGTH * np.array([[-1.0], [1.0]]) * ahead


@given(st.floats(-2.0, 2.0), st.floats(-2.0, 2.0), st.floats(-0.2, 0.2), st.floats(-4.0, 4.0))
@settings(deadline=None)
def test_on_level_ground_it_lies_where_it_is(x: float, z: float, over: float, heading: float) -> None:
    found = lie(table(), (x, over, z), heading)
    assert found is not None
    assert_allclose(found[:3], [x, 0.0, z], atol=1e-12)
    assert_array_equal(found[[told.TILT, told.TILT + 1, told.SHIFTED]], 0.0)
    assert found[told.FACE] in (0, 1)


@pytest.mark.parametrize(("angle", "across"), [(0.2, 0.0), (-0.3, 0.0), (0.0, 0.25), (0.15, -0.2)])
@pytest.mark.parametrize("heading", [0.0, 1.0, -2.5])
def test_on_a_slope_it_is_turned_as_the_slope_is(angle: float, across: float, heading: float) -> None:
    from scipy.spatial.transform import Rotation

    terrain = slope(angle, across)
    x, z = 1.3, -0.7
    level = float(terrain.height(np.array(x), np.array(z)))
    found = lie(terrain, (x, level + 0.05, z), heading)
    assert found is not None
    assert_allclose(found[:3], [x, level, z], atol=1e-9)
    assert found[told.SHIFTED] == 0.0
    turn = Rotation.from_rotvec([found[told.TILT], 0.0, found[told.TILT + 1]])
    normal = np.array([-np.tan(across), 1.0, -np.tan(angle)])
    assert_allclose(turn.apply([0.0, 1.0, 0.0]), normal / np.linalg.norm(normal), atol=1e-12)


def test_on_what_is_too_steep_it_is_not_inclined_so_far() -> None:
    """A plane steeper than soles lie: level soles would be in the ground, so there is no foothold."""
    assert lie(slope(0.6), (0.0, 0.0, 0.0)) is None
    gentle = lie(slope(0.03), (0.0, 0.0, 0.0), steepest=0.01)
    assert gentle is not None
    assert_array_equal(gentle[[told.TILT, told.TILT + 1]], 0.0)


@given(st.floats(-3.0, 3.0), st.floats(-3.0, 18.0), st.floats(-0.15, 0.15), st.floats(-np.pi, np.pi))
@settings(max_examples=150, deadline=None)
def test_on_stairs_no_end_is_in_a_riser(x: float, z: float, over: float, heading: float) -> None:
    stairs = staircase()
    level = float(stairs.height(np.array(x), np.array(z)))
    found = lie(stairs, (x, level + over, z), heading)
    if found is None:
        return
    on = stairs.height(found[0], found[2], start=level + over + 0.3)
    assert_allclose(found[1], on, atol=1e-9)
    ends = ends_of(found, heading)
    higher = stairs.height(ends[:, 0], ends[:, 2], start=level + over + 0.3) - found[1]
    assert (higher < 0.021).all()  # m: not in what is ahead or behind


def test_a_toe_before_a_riser_is_drawn_back_or_goes_up() -> None:
    """The second riser is at z = tread: before it a sole lies on the first tread, then on the second."""
    stairs, tread, rise = staircase(), 0.4, 0.12
    up = []
    for z in np.linspace(0.45 * tread, 1.5 * tread, 25):
        found = lie(stairs, (0.0, rise, z))
        assert found is not None
        below = found[2] < tread
        assert found[1] == pytest.approx(rise if below else 2 * rise)
        assert not below or found[2] + HALF_LENGTH <= tread + 1e-9
        assert found[told.SHIFTED] < 0.2  # m
        up.append(not below)
    assert not up[0]
    assert up[-1]
    assert up == sorted(up)


@given(st.floats(-3.0, 3.0), st.floats(-3.0, 3.0), st.floats(-np.pi, np.pi))
@settings(max_examples=100, deadline=None)
def test_over_holes_it_lies_on_their_rims_or_nowhere(x: float, z: float, heading: float) -> None:
    floor = holed()
    found = lie(floor, (x, 0.0, z), heading)
    if found is None:
        return
    assert np.isfinite(floor.height(found[0], found[2]))
    assert found[1] == pytest.approx(0.0, abs=1e-12)
    assert np.hypot(found[0] - x, found[2] - z) == pytest.approx(found[told.SHIFTED], abs=1e-9)
    if np.isfinite(floor.height(x, z)):
        whole = [x, z] + np.linspace(-0.3, 0.3, 25)[:, None] * [np.sin(heading), np.cos(heading)]
        side = [x, z] + np.linspace(-0.1, 0.1, 9)[:, None] * [np.cos(heading), -np.sin(heading)]
        if np.isfinite(floor.height(*np.concatenate([whole, side]).T)).all():
            assert found[told.SHIFTED] == 0.0  # ground all about: nothing to shift for


def test_no_ground_no_foothold() -> None:
    assert lie(table(2.0, 2.0), (5.0, 0.0, 0.0)) is None
    assert lie(table(), (0.0, 3.0, 0.0)) is None  # a table deep under it
    assert lie(table(level=3.0), (0.0, 0.0, 0.0)) is None  # a ceiling
    assert lie(holed(0.98), (0.0, 0.0, 1.0)) is None


def test_it_is_found_anywhere_on_bumps_and_lies_there() -> None:
    terrain, rng = bumps(), np.random.default_rng(2)
    places = rng.uniform(2.0, 18.0, (200, 2))
    levels = terrain.height(*places.T)
    found_any = 0
    for (x, z), level in zip(places, levels, strict=True):
        found = lie(terrain, (x, level + 0.03, z), rng.uniform(-np.pi, np.pi))
        if found is None:
            continue
        found_any += 1
        assert terrain.closest(found[:3]).distance < 1e-9
        normal = terrain.normal(found[0], found[2])
        tilt = np.hypot(*found[told.TILT : told.TILT + 2])
        assert tilt == pytest.approx(np.arccos(normal[1]), abs=1e-6) or tilt == 0.0
    assert found_any > 170


def test_shifted_by_nothing_whatever_the_labels_of_faces() -> None:
    """The ground under a foot's middle is told by its face."""
    terrain = bumps()
    for x, z in np.random.default_rng(3).uniform(2.0, 18.0, (20, 2)):
        level = float(terrain.height(np.array(x), np.array(z)))
        found = np.empty(told.FOOTHOLD)
        assert under(*terrain.tree.arrays, np.array([x, level + 0.1, z]), STEEPEST, found)
        assert_allclose(found[:3], [x, level, z], atol=1e-9)
        hit = terrain.project(np.array([x, level + 1.0, z]))
        assert int(found[told.FACE]) == int(hit.face)


def test_what_is_straight_under_it_is_found_or_there_is_nothing() -> None:
    found = np.empty(told.FOOTHOLD)
    for foot, there in (((0, 0.1, 0), True), ((9, 0, 0), False), ((0, 1.0, 0), False), ((0, -1.0, 0), False)):
        middle = np.array(foot, dtype=float)
        assert under(*table().tree.arrays, middle, STEEPEST, found) is there
