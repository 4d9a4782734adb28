"""Bezier pieces against de Casteljau and Bernstein; polylines walked by distance."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.interpolate import BPoly

from footfall.geometry.curve import arc_lengths, at_distance, bezier

patient = settings(deadline=None, max_examples=100)
T = np.linspace(0.0, 1.0, 33)
CLOSE = {"rtol": 0.0, "atol": 1e-12}


def de_casteljau(control: np.ndarray, t: float) -> np.ndarray:
    while len(control) > 1:
        control = (1 - t) * control[:-1] + t * control[1:]
    return control[0]


@pytest.mark.parametrize("dims", [1, 2, 3])
def test_bezier_is_de_casteljaus_and_scipys(dims: int) -> None:
    control = np.random.default_rng(dims).normal(size=(4, dims))
    points = bezier(control, T)
    assert points.shape == (33, dims)
    assert_allclose(points, [de_casteljau(control, t) for t in T], **CLOSE)
    assert_allclose(points, BPoly(control[:, None, :], [0.0, 1.0])(T), **CLOSE)
    assert_array_equal(points[0], control[0])
    assert_array_equal(points[-1], control[3])


def test_bezier_moves_with_its_control_points() -> None:
    rng = np.random.default_rng(0)
    control, matrix, shift = rng.normal(size=(4, 3)), rng.normal(size=(3, 3)), rng.normal(size=3)
    assert_allclose(bezier(control @ matrix + shift, T), bezier(control, T) @ matrix + shift, **CLOSE)


def test_arc_lengths_of_a_circle() -> None:
    angles = np.linspace(0.0, 2 * np.pi, 1001)
    circle = 3.0 * np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    travelled = arc_lengths(circle)
    chord = 6.0 * np.sin(np.pi / 1000)
    assert_allclose(travelled, chord * np.arange(1001), **CLOSE)


def test_arc_lengths_of_a_single_point() -> None:
    assert_array_equal(arc_lengths(np.ones((1, 3))), [0.0])


@patient
@given(st.integers(0, 2**31), st.integers(2, 12))
def test_walking_a_polyline_by_distance(seed: int, corners: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(corners, 3))
    travelled = arc_lengths(points)
    assert_allclose(at_distance(points, travelled), points, **CLOSE)
    # halfway along each piece, and beyond the ends
    middle = 0.5 * (travelled[:-1] + travelled[1:])
    assert_allclose(at_distance(points, middle), 0.5 * (points[:-1] + points[1:]), **CLOSE)
    beyond = at_distance(points, np.array([-1.0, travelled[-1] + 1.0]))
    assert_allclose(beyond, points[[0, -1]], **CLOSE)


def test_steps_along_a_polyline_are_never_longer_than_asked() -> None:
    points = np.random.default_rng(3).normal(size=(20, 3))
    distance = np.linspace(0.0, arc_lengths(points)[-1], 500)
    steps = np.linalg.norm(np.diff(at_distance(points, distance), axis=0), axis=-1)
    assert (steps <= distance[1] + 1e-12).all()
