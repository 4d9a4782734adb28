"""Paths: lengths, places, headings, bends, and where one is on them."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.errors import RequestError
from footfall.geometry.ground import direction_of, wrap
from footfall.planning.path import Path


def circle(radius: float, count: int = 200, turns: float = 0.9, rise: float = 0.0) -> Path:
    """To the left round (radius, 0), from the origin, heading +Z at first."""
    angle = np.linspace(0.0, 2.0 * np.pi * turns, count)
    return Path(np.stack([radius * (1 - np.cos(angle)), rise * angle, radius * np.sin(angle)], axis=-1))


def test_lengths_are_in_space() -> None:
    path = Path(np.array([[0.0, 0.0, 0.0], [3.0, 4.0, 0.0], [3.0, 4.0, 2.0]]))
    assert_allclose(path.along, [0.0, 5.0, 7.0])
    assert_allclose(path.remaining([-1.0, 0.0, 5.5, 9.0]), [7.0, 7.0, 1.5, 0.0])
    assert_allclose(path.point([-1.0, 2.5, 6.0, 99.0]), [[0, 0, 0], [1.5, 2, 0], [3, 4, 1], [3, 4, 2]])
    assert path.point(np.zeros((2, 3))).shape == (2, 3, 3)


@pytest.mark.parametrize("rise", [0.0, 0.3])
def test_a_circle_bends_evenly(rise: float) -> None:
    path = circle(2.0, rise=rise)
    s = np.linspace(0.05, path.length - 0.05, 300)
    assert_allclose(path.curvature(s)[5:-5], 0.5, rtol=1e-3)
    flat = s * np.hypot(2.0, 0.0) / np.hypot(2.0, rise)
    assert_allclose(wrap(path.heading(s) - flat / 2.0), 0.0, atol=0.02)
    # the heading is where it goes
    ahead = path.point(s + 1e-3) - path.point(s - 1e-3)
    ahead[:, 1] = 0.0
    ahead /= np.linalg.norm(ahead, axis=-1, keepdims=True)
    assert_allclose(direction_of(path.heading(s)), ahead, atol=0.03)


def test_bends_to_the_left_are_positive() -> None:
    assert circle(1.0).curvature(1.0) > 0.9
    mirrored = Path(circle(1.0).points * [-1.0, 1.0, 1.0])
    assert mirrored.curvature(1.0) < -0.9


def test_nearest_finds_every_place_again() -> None:
    rng = np.random.default_rng(0)
    path = Path(np.cumsum(rng.normal(size=(40, 3)), axis=0))
    for s in rng.uniform(0.0, path.length, 100):
        assert_allclose(path.nearest(path.point(s)), s, atol=1e-9)
        assert_allclose(path.nearest(path.point(s), around=s + 1.0), s, atol=1e-9)
    dense = np.linspace(0.0, path.length, 40001)
    for point in rng.normal(scale=4.0, size=(30, 3)):
        found = np.linalg.norm(path.point(path.nearest(point)) - point)
        least = np.linalg.norm(path.point(dense) - point, axis=-1).min()
        assert found <= least + 1e-12


def test_where_a_path_crosses_itself_one_keeps_to_ones_own_way() -> None:
    """A figure of eight: at its middle there are two answers, and the one around is right."""
    t = np.linspace(0.0, 2.0 * np.pi, 400)
    path = Path(np.stack([np.sin(2.0 * t), 0.0 * t, 3.0 * np.sin(t)], axis=-1))
    half = path.nearest(np.zeros(3), around=0.5 * path.length)
    assert_allclose(half, 0.5 * path.length, atol=0.01)
    assert_allclose(path.nearest(np.zeros(3), around=0.3), 0.0, atol=0.01)
    # followed with noise, s never jumps to the other branch
    s, rng = 0.0, np.random.default_rng(1)
    for true in np.arange(0.0, path.length, 0.05):
        s = path.nearest(path.point(true) + rng.normal(0.0, 0.02, 3), around=s)
        assert abs(s - true) < 0.15


def test_what_is_left_of_a_path_goes_on_as_it_did() -> None:
    path = circle(1.0)
    for s in (0.0, 0.7, path.along[7], path.length - 1e-12, path.length, 99.0, -3.0):
        rest = path.after(s)
        kept = float(np.clip(s, 0.0, path.length))
        assert_allclose(rest.length, path.length - kept, atol=1e-8)
        assert_allclose(rest.point(0.1), path.point(kept + 0.1), atol=1e-8)


def test_a_single_point_is_a_path() -> None:
    path = Path(np.array([[1.0, 2.0, 3.0]]))
    assert path.length == 0.0
    assert_allclose(path.point([0.0, 5.0]), [[1, 2, 3], [1, 2, 3]])
    assert (path.heading(0.0), path.curvature(0.0), path.nearest(np.zeros(3))) == (0.0, 0.0, 0.0)
    assert len(path.after(0.0)) == 1


@pytest.mark.parametrize(
    ("points", "said"),
    [
        (np.zeros((0, 3)), "rows of three"),
        (np.zeros(3), "rows of three"),
        (np.zeros((2, 2)), "trailing axes"),
        ([[0.0, 0.0, np.nan]], "finite"),
        ([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 2.0, 0.0]], "points 1 and 2"),
    ],
)
def test_what_is_no_path_is_refused(points: object, said: str) -> None:
    with pytest.raises(RequestError, match=said):
        Path(points)  # type: ignore[arg-type]


def test_points_cannot_be_written_to() -> None:
    with pytest.raises(ValueError, match="read-only"):
        circle(1.0).points[0, 0] = 1.0
