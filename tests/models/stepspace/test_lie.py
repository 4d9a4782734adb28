"""How prints lie: in the plane of the ground under them, whatever juts out or falls away beside it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from footfall.figure.contacts import SIDES
from footfall.models.stepspace.lie import STEEPEST, normals_under, print_turns
from footfall.world.plane import FlatTerrain
from tests.models.stepspace.spaces import small_space

ANGLES = st.floats(-3.1, 3.1)


@dataclass(frozen=True)
class Land:
    """Ground by a formula; what is above where one looks from is not seen."""

    formula: Callable[[np.ndarray, np.ndarray], np.ndarray]

    def height(self, x: np.ndarray, z: np.ndarray, start: np.ndarray | float = np.inf) -> np.ndarray:
        return np.asarray(self.formula(np.asarray(x), np.asarray(z)), dtype=float)


def normals(places: np.ndarray, headings: np.ndarray, land: Land, foot: int = 0) -> np.ndarray:
    feet = np.full(len(places), foot)
    return normals_under(small_space().stage.soles, feet, places, headings, land)


def on(land: Land, x: float, z: float) -> np.ndarray:
    return np.array([[x, float(land.height(np.array(x), np.array(z))), z]])


@settings(max_examples=60, deadline=None)
@given(st.floats(0.0, 0.6), ANGLES, ANGLES, st.floats(-5.0, 5.0), st.integers(0, 1))
def test_on_a_plane_its_own_normal(slope: float, uphill: float, heading: float, x: float, foot: int) -> None:
    """Of any steepness up to the steepest, for feet that face anywhere."""
    gx, gz = np.tan(slope) * np.sin(uphill), np.tan(slope) * np.cos(uphill)
    land = Land(lambda a, b: 0.3 + gx * a + gz * b)
    expected = np.array([-gx, 1.0, -gz]) / np.sqrt(1.0 + gx * gx + gz * gz)
    found = normals(on(land, x, 1.0), np.array([heading]), land, foot)
    assert_allclose(found[0], expected, atol=1e-9)


@settings(max_examples=30, deadline=None)
@given(ANGLES)
def test_no_foot_is_tilted_more_than_the_steepest(heading: float) -> None:
    land = Land(lambda a, b: 0.72 * b + 0.0 * a)  # 35.8 degrees
    found = normals(np.zeros((1, 3)), np.array([heading]), land)[0]
    assert np.arccos(found[1]) == pytest.approx(STEEPEST, abs=1e-9)
    assert abs(found[0]) < 1e-9
    assert found[2] < 0.0


@pytest.mark.parametrize("foot", [0, 1])
@pytest.mark.parametrize("edge", [0.06, 0.1, -0.03])
@pytest.mark.parametrize("drop", [-0.5, 0.4, -np.inf])
def test_an_edge_under_a_sole_does_not_tilt_it(foot: int, edge: float, drop: float) -> None:
    """The toes or the heel over the edge of a block, or against a wall, or over nothing."""
    ahead = edge > 0.0
    land = Land(lambda a, b: np.where((b > edge) if ahead else (b < edge), drop, 0.0) + 0.0 * a)
    found = normals(np.zeros((1, 3)), np.zeros(1), land, foot)
    assert_allclose(found[0], [0.0, 1.0, 0.0], atol=1e-9)


def test_nothing_under_a_sole_is_level() -> None:
    land = Land(lambda a, b: np.full(np.shape(a), -np.inf))
    assert_allclose(normals(np.zeros((2, 3)), np.array([0.0, 1.0]), land), [[0, 1, 0], [0, 1, 0]], atol=1e-12)


def test_prints_on_level_ground_are_level() -> None:
    rng = np.random.default_rng(0)
    places = rng.normal(size=(6, 3)) * [1.0, 0.0, 1.0]
    found = normals_under(
        small_space().stage.soles, np.arange(6) % 2, places, rng.uniform(-3, 3, 6), FlatTerrain()
    )
    assert_allclose(found, np.tile([0.0, 1.0, 0.0], (6, 1)), atol=1e-12)


@settings(max_examples=30, deadline=None)
@given(ANGLES, st.floats(-3.0, 3.0), st.floats(0.02, 0.08))
def test_rough_ground_is_met_as_well_as_a_plane_can(turn: float, heading: float, high: float) -> None:
    """Turned with its ground a print is tilted the same way, turned."""

    def bumpy(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return high * np.sin(7.0 * a) * np.cos(5.0 * b)

    def back(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        c, s = np.cos(turn), np.sin(turn)
        return bumpy(c * a - s * b, s * a + c * b)

    here = normals(np.zeros((1, 3)), np.array([heading]), Land(bumpy))[0]
    there = normals(np.zeros((1, 3)), np.array([heading + turn]), Land(back))[0]
    assert_allclose(Rotation.from_rotvec([0.0, turn, 0.0]).apply(here), there, atol=1e-9)
    assert np.linalg.norm(here) == pytest.approx(1.0)
    assert here[1] > 0.0


@settings(max_examples=40, deadline=None)
@given(ANGLES, st.floats(0.0, 0.6), ANGLES)
def test_prints_are_turned_then_tilted(heading: float, tilt: float, towards: float) -> None:
    normal = np.array([np.sin(tilt) * np.sin(towards), np.cos(tilt), np.sin(tilt) * np.cos(towards)])
    found = Rotation.from_quat(print_turns(np.array([heading]), normal[None])[0], scalar_first=True)
    assert_allclose(found.apply([0.0, 1.0, 0.0]), normal, atol=1e-9)
    # by the least tilt: what is left of it is the heading
    level = Rotation.align_vectors([[0.0, 1.0, 0.0]], [normal])[0]
    flat = found if tilt < 1e-9 else level * found
    assert_allclose(flat.apply([0.0, 0.0, 1.0])[[0, 2]], [np.sin(heading), np.cos(heading)], atol=1e-6)
    assert SIDES == ("left", "right")
