"""The raster kernel against a plain rasterizer that solves for the corners' shares pixel by pixel."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.picture.raster import draw_triangles, reduce
from tests.picture.plain import draw_plainly

HEIGHT, WIDTH = 40, 60


def drawn(
    points: np.ndarray, colours: np.ndarray, triangles: np.ndarray, *, front: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    depth, image = np.full((HEIGHT, WIDTH), np.inf), np.zeros((HEIGHT, WIDTH, 3), dtype=np.float32)
    faces = np.ascontiguousarray(triangles, dtype=np.int64)
    draw_triangles(points, colours.astype(np.float32), faces, front, depth, image)
    return depth, image


def plainly_drawn(
    points: np.ndarray, colours: np.ndarray, triangles: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Depth, image, and where a pixel lies on an edge so closely that rounding decides."""
    depth, image = np.full((HEIGHT, WIDTH), np.inf), np.zeros((HEIGHT, WIDTH, 3))
    unsure = draw_plainly(points, colours, triangles, depth, image)
    return depth, image, unsure


def scene(seed: int, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Triangles of all sizes, some beyond the picture's edges."""
    rng = np.random.default_rng(seed)
    middle = rng.uniform([-10, -10, 0], [WIDTH + 10, HEIGHT + 10, 5], (count, 1, 3))
    points = (middle + rng.normal(size=(count, 3, 3)) * rng.uniform(0.3, 25, (count, 1, 1))).reshape(-1, 3)
    return points, rng.uniform(size=(3 * count, 3)), np.arange(3 * count).reshape(-1, 3)


@pytest.mark.parametrize("seed", range(20))
def test_same_pixels_same_depth_same_colours(seed: int) -> None:
    points, colours, triangles = scene(seed, 25)
    depth, image = drawn(points, colours, triangles)
    wanted, wanted_image, unsure = plainly_drawn(points, colours, triangles)
    assert not unsure.any()
    assert_array_equal(np.isfinite(depth), np.isfinite(wanted))
    assert np.isfinite(depth).mean() > 0.2
    seen = np.isfinite(wanted)
    assert_allclose(depth[seen], wanted[seen], rtol=0, atol=1e-9)
    assert_allclose(image, wanted_image, rtol=0, atol=1e-5)


def test_order_and_winding_do_not_matter() -> None:
    points, colours, triangles = scene(1, 30)
    depth, image = drawn(points, colours, triangles)
    other_depth, other = drawn(points, colours, triangles[::-1, [0, 2, 1]])
    seen = np.isfinite(depth)
    assert_array_equal(seen, np.isfinite(other_depth))
    assert_allclose(other_depth[seen], depth[seen], rtol=0, atol=1e-9)
    assert_allclose(other, image, rtol=0, atol=1e-5)


def test_neighbours_leave_no_crack() -> None:
    """A fan around an inner point covers its rectangle wholly, pixels on shared edges included."""
    corners = np.array([[5, 5], [45, 5], [45, 35], [5, 35]], dtype=float)
    for middle in ([25, 20], [20.5, 20.5], [7.25, 33.0]):
        points = np.column_stack([np.vstack([corners, middle]), np.ones(5)])
        fan = np.array([[i, (i + 1) % 4, 4] for i in range(4)])
        depth, _ = drawn(points, np.ones((5, 3)), fan)
        covered = np.zeros((HEIGHT, WIDTH), dtype=bool)
        covered[5:35, 5:45] = True
        assert_array_equal(np.isfinite(depth), covered)


def test_what_is_farther_stays_hidden_whichever_comes_first() -> None:
    square = np.array([[5, 5], [45, 5], [45, 35], [5, 35]], dtype=float)
    points = np.vstack([np.column_stack([square, np.full(4, z)]) for z in (1.0, 2.0)])
    colours = np.repeat([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]], 4, axis=0)
    near, far = np.array([[0, 1, 2], [0, 2, 3]]), np.array([[4, 5, 6], [4, 6, 7]])
    for order in ((near, far), (far, near)):
        depth, image = drawn(points, colours, np.vstack(order))
        assert_allclose(depth[10, 10], 1.0)
        assert_allclose(image[10, 10], [1, 0, 0])


def test_planes_that_cut_each_other_part_along_the_cut() -> None:
    """Depth is judged at every pixel: of two crossing squares each shows its nearer half."""
    square = np.array([[5, 5], [45, 5], [45, 35], [5, 35]], dtype=float)
    rising, falling = square[:, 0], 50 - square[:, 0]
    points = np.vstack([np.column_stack([square, rising]), np.column_stack([square, falling])])
    colours = np.repeat([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]], 4, axis=0)
    _, image = drawn(points, colours, np.array([[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]]))
    assert_allclose(image[20, 6:24], np.tile([1, 0, 0], (18, 1)))
    assert_allclose(image[20, 26:44], np.tile([0, 0, 1], (18, 1)))


@pytest.mark.parametrize(
    "corners",
    [
        [[5, 5, 1], [5, 5, 1], [9, 9, 1]],
        [[5, 5, 1], [7, 7, 1], [9, 9, 1]],
        [[np.nan, 5, 1], [20, 5, 1], [9, 30, 1]],
        [[5, 5, 1], [np.inf, 5, 1], [9, 30, 1]],
        [[-50, 5, 1], [-20, 5, 1], [-30, 30, 1]],
        [[5, 500, 1], [20, 500, 1], [9, 530, 1]],
    ],
    ids=["point", "line", "nan", "infinite", "left of the picture", "under the picture"],
)
def test_what_cannot_be_seen_draws_nothing(corners: list[list[float]]) -> None:
    depth, image = drawn(np.array(corners, dtype=float), np.ones((3, 3)), np.array([[0, 1, 2]]))
    assert np.isinf(depth).all()
    assert not image.any()


def test_what_turns_away_can_be_left_out() -> None:
    """Of two triangles that differ in nothing but their turn, one is drawn."""
    points = np.array([[5, 5, 1], [45, 5, 1], [25, 35, 1]], dtype=float)
    turned = [
        drawn(points, np.ones((3, 3)), np.array([way]), front=True)[0] for way in ([0, 2, 1], [0, 1, 2])
    ]
    assert np.isfinite(turned[0]).sum() > 500
    assert np.isinf(turned[1]).all()
    assert_array_equal(turned[0], drawn(points, np.ones((3, 3)), np.array([[0, 1, 2]]))[0])


def test_without_an_image_the_depth_is_the_same() -> None:
    points, colours, triangles = scene(2, 30)
    depth = np.full((HEIGHT, WIDTH), np.inf)
    none = np.zeros((0, 3), dtype=np.float32), np.zeros((0, 0, 3), dtype=np.float32)
    draw_triangles(points, none[0], triangles, False, depth, none[1])
    assert_array_equal(depth, drawn(points, colours, triangles)[0])


def test_reduced_pixels_are_means() -> None:
    image = np.random.default_rng(0).uniform(size=(12, 18, 3)).astype(np.float32)
    reduced = np.empty((6, 9, 3), dtype=np.float32)
    reduce(image, reduced)
    assert_allclose(reduced, image.reshape(6, 2, 9, 2, 3).mean(axis=(1, 3)), rtol=0, atol=1e-6)
