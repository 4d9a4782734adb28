"""Outlines of obstacles against the shapes' own distances: never too small, and hardly too large."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial import ConvexHull

from footfall.planning.lattice import Lattice
from footfall.planning.limits import WalkLimits
from footfall.planning.outline_kernel import line_to_outline, point_to_outline, slice_outline
from footfall.planning.outlines import GRAZE, Outlines, outlines_of
from footfall.planning.solids import solids_of
from footfall.planning.surfaces import Surfaces
from footfall.world.plane import FlatTerrain
from footfall.world.shapes.box import Box
from footfall.world.shapes.cylinder import Cylinder
from footfall.world.shapes.distance import overlap
from footfall.world.shapes.placed import Placed
from footfall.world.shapes.sphere import Sphere
from tests.planning.worlds import random_shape

LIMITS = WalkLimits()
FLOOR = Surfaces.of(FlatTerrain(), Lattice.over((np.full(2, -5.0), np.full(2, 5.0)), 0.25), LIMITS, 1.0)
ROUND = 0.018  # of a radius that an outline may be too large


def beside(outlines: Outlines, x: float, z: float) -> float:
    parts = zip(outlines.starts[:-1], outlines.starts[1:], strict=True)
    return min((point_to_outline(outlines.corners, a, b, x, z) for a, b in parts), default=np.inf)


def column(x: float, z: float, radius: float) -> Placed:
    height = LIMITS.headroom - LIMITS.step
    # a step or a head may touch
    return Placed(Cylinder(radius, height - 2.0 * GRAZE), np.array([x, LIMITS.step + 0.5 * height, z]))


@pytest.mark.parametrize("seed", range(40))
def test_a_column_as_wide_as_the_distance_is_clear_and_a_wider_one_is_not(seed: int) -> None:
    """Of shapes of all kinds, standing or askew, by the exact distance between solids."""
    rng = np.random.default_rng(seed)
    turned = rng.normal(size=4) if seed % 2 else np.array([1.0, 0.0, 0.0, 0.0])
    placed = Placed(random_shape(rng), rng.uniform([-1, -0.3, -1], [1, 2.3, 1]), turned)
    outlines = outlines_of(placed, FLOOR)
    size = max(placed.shape.core.disc, placed.shape.core.ball)
    for x, z in rng.uniform(-3.0, 3.0, (30, 2)):
        away = beside(outlines, x, z)
        if away == np.inf:
            assert not overlap(column(x, z, 6.0), placed)
            continue
        if away > 1e-5:
            assert not overlap(column(x, z, away - 2e-6), placed)
        if away > 0.0:
            # slices of a ball near its pole shrink fast: there the polytope is larger by more
            slack = ROUND * size if placed.shape.core.ball == 0.0 else 0.12 * size
            assert overlap(column(x, z, away + slack + 1e-5), placed)


def test_what_is_under_the_step_or_over_the_head_has_no_outline() -> None:
    for low, high, there in ((0.0, 0.25, False), (0.0, 0.26, True), (1.9, 3.0, False), (1.89, 3.0, True)):
        box = Placed(Box(np.array([1.0, high - low, 1.0])), np.array([0.0, 0.5 * (low + high), 0.0]))
        assert (len(outlines_of(box, FLOOR)) > 0) == there
    # a ball whose belly is over the head is narrower there
    ball = Placed(Sphere(1.0), np.array([0.0, 2.5, 0.0]))
    assert_allclose(beside(outlines_of(ball, FLOOR), 2.0, 0.0), 2.0 - 0.8, atol=0.02)


def area_of(outline: np.ndarray) -> float:
    """Positive where the corners go round in the sense of the outlines."""
    x, z = outline.T
    return 0.5 * float(np.sum(x * np.roll(z, -1) - z * np.roll(x, -1)))


@pytest.mark.cpu
def test_slices_of_a_box_are_exact() -> None:
    """Askew, against SciPy's hull of its dense edges between the same heights."""
    rng = np.random.default_rng(2)
    placed = Placed(Box(np.array([1.0, 1.5, 0.6])), np.zeros(3), rng.normal(size=4))
    (solid,) = solids_of(placed.shape)
    corners = placed.to_world(solid.corners)
    shares = np.linspace(0.0, 1.0, 20001)[:, None]
    dense = np.concatenate([(1 - shares) * corners[a] + shares * corners[b] for a, b in solid.edges])
    dense = dense[(dense[:, 1] >= -0.2) & (dense[:, 1] <= 0.3)][:, [0, 2]]
    outline = slice_outline(corners, solid.edges, -0.2, 0.3)
    assert_allclose(ConvexHull(outline).volume, ConvexHull(dense).volume, rtol=1e-3)


def test_slices_of_boxes_have_corners_only() -> None:
    """Boxes of any size, place and turn, some of them upright; the outline's corners alone tell its area."""
    rng = np.random.default_rng(4)
    for trial in range(2000):
        turn = rng.normal(size=4) * ([1.0, 0.0, 1.0, 0.0] if trial % 4 == 0 else 1.0)
        size = np.exp(rng.uniform(-4, 2, 3))
        placed = Placed(Box(size), rng.normal(size=3) * 10.0 ** rng.uniform(-1, 2), turn)
        (solid,) = solids_of(placed.shape)
        corners = placed.to_world(solid.corners)
        low, high = np.sort(rng.uniform(corners[:, 1].min(), corners[:, 1].max(), 2))
        outline = slice_outline(corners, solid.edges, low, high)
        before, after = np.roll(outline, 1, axis=0) - outline, np.roll(outline, -1, axis=0) - outline
        bent = after[:, 0] * before[:, 1] - after[:, 1] * before[:, 0]
        assert (bent > 1e-12 * np.linalg.norm(before - after, axis=-1)).all()  # convex, no three on a line
        assert len(outline) >= 3
        # what was dropped would not have made it larger: all cuts of all edges lie in it
        cuts = [corners[(corners[:, 1] >= low) & (corners[:, 1] <= high)]]
        for level in (low, high):
            a, b = corners[solid.edges[:, 0]], corners[solid.edges[:, 1]]
            crossed = (a[:, 1] - level) * (b[:, 1] - level) < 0.0
            a, b = a[crossed], b[crossed]
            cuts.append(a + ((level - a[:, 1]) / (b[:, 1] - a[:, 1]))[:, None] * (b - a))
        points = np.concatenate(cuts)[:, [0, 2]]
        away = [point_to_outline(outline, 0, len(outline), *point) for point in points]
        assert max(away) < 1e-11 * (1.0 + np.abs(points).max())
        middle = points.mean(axis=0)
        assert_allclose(area_of(outline - middle), ConvexHull(points - middle).volume, rtol=1e-7)


@pytest.mark.parametrize("heading", np.linspace(0.0, 6.0, 40))
def test_an_upright_box_has_four_corners(heading: float) -> None:
    placed = Placed.upright(Box(np.array([0.8, 1.0, 0.4])), np.array([3.0, 0.5, -7.0]), heading)
    (solid,) = solids_of(placed.shape)
    assert len(slice_outline(placed.to_world(solid.corners), solid.edges, 0.2, 0.7)) == 4


def test_lines_are_as_far_as_the_nearest_of_their_points() -> None:
    rng = np.random.default_rng(5)
    met = 0
    for _ in range(200):
        points = rng.normal(size=(rng.integers(1, 9), 2))
        corners = points if len(points) < 3 else points[ConvexHull(points).vertices]
        p, q = rng.normal(scale=2.0, size=(2, 2))
        found = line_to_outline(corners, 0, len(corners), *p, *q)
        dense = p + np.linspace(0.0, 1.0, 2001)[:, None] * (q - p)
        least = min(point_to_outline(corners, 0, len(corners), x, z) for x, z in dense)
        assert found <= least + 1e-12
        assert least <= found + 0.51 * np.linalg.norm(q - p) / 2000
        met += found == 0.0
    assert 20 < met < 180
