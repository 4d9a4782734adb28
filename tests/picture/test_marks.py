"""Marks on the ground: as wide as said from every side, over the floor, under every body."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.geometry.ground import UP
from footfall.picture.camera import VIEWS, Camera
from footfall.picture.marks import Mark
from footfall.picture.stage import SMOOTHING, Stage

RED, BLUE, GREEN = (0.9, 0.1, 0.1), (0.1, 0.1, 0.9), (0.1, 0.8, 0.1)
EXTENT = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (0.0, 1.0) for z in (-1.0, 1.0)])
SQUARE = np.array([[-0.4, 0.0, -0.4], [0.4, 0.0, -0.4], [0.4, 0.0, 0.4], [-0.4, 0.0, 0.4]])


def stage(view: str = "three-quarter", floor: float = 0.0) -> Stage:
    return Stage(Camera.looking(view, 0.0).framing(EXTENT, width=400), floor)


def painted(on: Stage, colour: tuple[float, float, float]) -> np.ndarray:
    return np.abs(on.image - np.array(colour)).max(axis=-1) < 1e-3


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("way", [(1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.6, 0.0, -0.8)])
def test_a_line_is_as_wide_as_said_however_it_is_seen(view: str, way: tuple[float, ...]) -> None:
    on = stage(view)
    ends = np.array([-0.8 * np.array(way), 0.8 * np.array(way)])
    on.marks([Mark(ends, RED, width=6.0)])
    start, end = on.camera.project(ends)[:, :2]
    width = SMOOTHING * 6.0
    assert painted(on, RED).sum() == pytest.approx((np.linalg.norm(end - start) + width) * width, rel=0.03)


@pytest.mark.parametrize("view", VIEWS)
def test_a_filled_outline_covers_its_picture(view: str) -> None:
    on = stage(view)
    on.marks([Mark(SQUARE, RED)])
    x, y = on.camera.project(SQUARE)[:, :2].T
    wanted = abs(0.5 * (x * np.roll(y, -1) - np.roll(x, -1) * y).sum())
    assert painted(on, RED).sum() == pytest.approx(wanted, rel=0.05)


def test_a_closed_line_has_one_more_piece() -> None:
    for closed, pieces in ((False, 3), (True, 4)):
        points, triangles = Mark(SQUARE, RED, 2.0, closed).shape(stage().camera)
        assert (len(points), len(triangles)) == (4 * pieces, 2 * pieces)


def test_bends_have_no_gaps() -> None:
    """At each corner of a closed line, its middle is painted."""
    on = stage("top")
    on.marks([Mark(SQUARE, RED, 4.0, closed=True)])
    x, y = on.camera.project(SQUARE)[:, :2].astype(int).T
    assert painted(on, RED)[y, x].all()


def test_a_piece_of_no_length_is_no_trouble() -> None:
    on = stage()
    on.marks([Mark(np.zeros((3, 3)), RED, 3.0), Mark(np.zeros((1, 3)), RED, 3.0)])
    assert np.isfinite(on.image).all()


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("depth", [0.0, 0.005])
def test_marks_lie_on_the_floor_even_a_little_under_it(view: str, depth: float) -> None:
    on, sunk = stage(view), stage(view)
    on.marks([Mark(SQUARE, RED)])
    sunk.marks([Mark(SQUARE - depth * UP, RED)])
    assert painted(sunk, RED).sum() == pytest.approx(painted(on, RED).sum(), rel=0.05)


def test_later_marks_lie_over_earlier_ones() -> None:
    on = stage("top")
    on.marks([Mark(SQUARE, RED), Mark(0.5 * SQUARE, BLUE), Mark(0.25 * SQUARE, GREEN)])
    x, y = (int(v) for v in on.camera.project(np.zeros(3))[:2])
    assert_allclose(on.image[y, x], GREEN, rtol=0, atol=1e-6)
    counts = [painted(on, colour).sum() for colour in (RED, BLUE, GREEN)]
    assert_allclose(counts, np.array([12, 3, 1]) * counts[2], rtol=0.1)


def test_marks_hide_no_body() -> None:
    """What stands on the floor is seen whole, to its very edge: a mark leaves no depth behind."""
    plain, marked = stage(), stage()
    depth = marked.depth.copy()
    marked.marks([Mark(SQUARE, RED)])
    assert_array_equal(marked.depth, depth)
    card = np.array([[-0.2, 0.0, 0.0], [0.2, 0.0, 0.0], [0.2, 0.5, 0.0], [-0.2, 0.5, 0.0]])
    for on in (plain, marked):
        on.body(
            card, np.tile([0.0, 0.0, 1.0], (4, 1)), np.tile(BLUE, (4, 1)), np.array([[0, 1, 2], [0, 2, 3]])
        )
    body = np.abs(plain.image - stage().image).max(axis=-1) > 0
    assert body.any()
    assert_array_equal(marked.image[body], plain.image[body])


def test_a_body_in_front_hides_marks_behind_it() -> None:
    on = stage("front")
    wall = np.array([[-2.0, -1.0, 0.9], [2.0, -1.0, 0.9], [2.0, 2.0, 0.9], [-2.0, 2.0, 0.9]])
    on.body(wall, np.tile([0.0, 0.0, 1.0], (4, 1)), np.tile(BLUE, (4, 1)), np.array([[0, 1, 2], [0, 2, 3]]))
    on.marks([Mark(SQUARE, RED)])
    assert not painted(on, RED).any()


def test_moved() -> None:
    mark = Mark(SQUARE, RED, 2.0, closed=True).moved(np.array([1.0, 2.0, 3.0]))
    assert_allclose(mark.points - SQUARE, np.tile([1.0, 2.0, 3.0], (4, 1)))
    assert (mark.colour, mark.width, mark.closed) == (RED, 2.0, True)
