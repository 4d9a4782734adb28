"""Closed surfaces cut by a plane: judged by trimesh, and by SciPy's half spaces."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh
from numpy.testing import assert_allclose
from scipy.spatial import ConvexHull, HalfspaceIntersection

from footfall.picture.cut_mesh import cut_under
from footfall.world.shapes.box import Box
from footfall.world.shapes.capsule import Capsule
from footfall.world.shapes.cylinder import Cylinder
from footfall.world.shapes.placed import Placed
from footfall.world.shapes.polygon import Polygon
from footfall.world.shapes.shape import Shape
from footfall.world.shapes.sphere import Sphere

CONVEX = {
    "box": Box(np.array([0.4, 2.0, 1.2])),
    "cylinder": Cylinder(0.3, 1.5),
    "capsule": Capsule(0.25, 1.6),
    "sphere": Sphere(0.7),
}
CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.6, 1.0], [0.6, 0.4], [0.0, 0.4]])


def over(vertices: np.ndarray, plane: tuple[float, float, float]) -> np.ndarray:
    return vertices[:, 1] - plane[0] - plane[1] * vertices[:, 0] - plane[2] * vertices[:, 2]


def closed(parts: tuple[np.ndarray, np.ndarray]) -> trimesh.Trimesh:
    """Both parts as one body; trimesh joins corners that lie within 1e-8 m."""
    corners = np.concatenate(parts)
    mesh = trimesh.Trimesh(corners.reshape(-1, 3), np.arange(3 * len(corners)).reshape(-1, 3))
    mesh.merge_vertices()
    return mesh


def placed(shape: Shape, seed: int) -> tuple[Placed, tuple[float, float, float]]:
    rng = np.random.default_rng(seed)
    plane = (rng.uniform(-0.3, 0.3), *rng.uniform(-0.5, 0.5, 2))
    return Placed(shape, rng.uniform(-0.2, 0.2, 3), rng.normal(size=4)), plane


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", CONVEX)
def test_a_convex_body_is_what_is_under_the_plane_and_closed(name: str, seed: int) -> None:
    one, plane = placed(CONVEX[name], seed)
    vertices, triangles = one.mesh(16)
    sides, lids = cut_under((vertices, triangles), over(vertices, plane))
    found = closed((sides, lids))
    assert found.is_watertight
    assert found.is_winding_consistent
    # what SciPy makes of the hull's half spaces and one more
    spaces = np.vstack([ConvexHull(vertices).equations, [-plane[1], 1.0, -plane[2], -plane[0]]])
    wanted = ConvexHull(HalfspaceIntersection(spaces, _inside(spaces)).intersections).volume
    assert found.volume == pytest.approx(wanted, rel=1e-6)
    assert_allclose(over(lids.reshape(-1, 3), plane), 0.0, atol=1e-9)
    assert over(sides.reshape(-1, 3), plane).max() < 1e-9


def _inside(spaces: np.ndarray) -> np.ndarray:
    """The middle of the largest ball in the half spaces, by linear programming."""
    from scipy.optimize import linprog

    sizes = np.linalg.norm(spaces[:, :3], axis=1, keepdims=True)
    found = linprog(
        [0, 0, 0, -1],
        A_ub=np.hstack([spaces[:, :3], sizes]),
        b_ub=-spaces[:, 3],
        bounds=[(None, None)] * 3 + [(0, None)],
    )
    assert found.success
    return found.x[:3]


@pytest.mark.parametrize("seed", range(6))
def test_lids_look_up_and_fill_the_cut(seed: int) -> None:
    """Of an upright prism the cut is as large, seen from above, as the prism itself."""
    rng = np.random.default_rng(seed)
    one = Placed.upright(Polygon(CORNERS, 2.0), rng.uniform(-1, 1, 3), rng.uniform(-3, 3))
    plane = (float(one.position[1]), *rng.uniform(-0.2, 0.2, 2))
    plane = (plane[0] - plane[1] * one.position[0] - plane[2] * one.position[2], plane[1], plane[2])
    vertices, triangles = one.mesh()
    sides, lids = cut_under((vertices, triangles), over(vertices, plane))
    a, b = lids[:, 1] - lids[:, 0], lids[:, 2] - lids[:, 0]
    up = 0.5 * (a[:, 2] * b[:, 0] - a[:, 0] * b[:, 2])
    assert (up > -1e-12).all()
    assert up.sum() == pytest.approx(0.64, abs=1e-9)  # of the L: 0.4 x 1 and 0.4 x 0.6
    assert closed((sides, lids)).is_watertight


def test_in_two_pieces() -> None:
    """A U that lies on its back, cut through both of its arms."""
    corners = np.array([[0, 0], [3, 0], [3, 2], [2, 2], [2, 1], [1, 1], [1, 2], [0, 2.0]])
    lying = Placed(Polygon(corners, 1.0), np.zeros(3), np.array([np.sqrt(0.5), -np.sqrt(0.5), 0.0, 0.0]))
    vertices, triangles = lying.mesh()
    assert np.ptp(vertices[:, 1]) == pytest.approx(2.0)
    sides, lids = cut_under((vertices, triangles), vertices[:, 1] - 1.5)
    found = closed((sides, lids))
    assert found.is_watertight
    assert found.volume == pytest.approx(3.0 + 2 * 0.5)
    assert trimesh.Trimesh(
        lids.reshape(-1, 3), np.arange(3 * len(lids)).reshape(-1, 3)
    ).area == pytest.approx(2.0)


@pytest.mark.parametrize("level", [-1.0, -0.5, 0.0, 0.5, 1.0])
def test_corners_that_lie_in_the_plane(level: float) -> None:
    """Cut at the very level of its floor, of an inner corner or of its lid, a body is there or it is not."""
    vertices, triangles = trimesh.creation.icosphere(2).vertices, trimesh.creation.icosphere(2).faces
    sides, lids = cut_under((np.array(vertices), np.array(triangles)), vertices[:, 1] - level)
    assert np.isfinite(sides).all()
    assert np.isfinite(lids).all()
    if -1.0 < level < 1.0:
        assert closed((sides, lids)).volume == pytest.approx(
            np.pi * (1 + level) ** 2 * (2 - level) / 3, rel=0.06
        )
    else:
        # over all of it nothing is cut; under all of it a corner's tip is left, too small to be seen
        assert len(sides) == (len(triangles) if level > 0 else 6)
        assert np.ptp(sides.reshape(-1, 3), axis=0).max() < (3.0 if level > 0 else 2e-5)
