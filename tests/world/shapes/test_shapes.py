"""The five shapes: what they refuse, their signed distances and their meshes."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import numpy as np
import pytest
import trimesh
from numpy.testing import assert_allclose, assert_array_equal

from footfall.errors import RequestError
from footfall.geometry import quaternion as quat
from footfall.world.shapes.box import Box
from footfall.world.shapes.capsule import Capsule
from footfall.world.shapes.cylinder import Cylinder
from footfall.world.shapes.distance import distance
from footfall.world.shapes.placed import Placed
from footfall.world.shapes.polygon import Polygon
from footfall.world.shapes.shape import Shape
from footfall.world.shapes.sphere import Sphere
from tests.world.shapes.solids import KINDS, farthest_along, random_placed, star

SQUARE = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
# shape and volume
SOLIDS = [
    (Sphere(0.7), 4 / 3 * np.pi * 0.7**3),
    (Box(np.array([0.5, 2.0, 3.0])), 3.0),
    (Cylinder(0.4, 1.5), np.pi * 0.4**2 * 1.5),
    (Capsule(0.3, 1.0), np.pi * 0.3**2 * (0.4 + 4 / 3 * 0.3)),
    (Capsule(0.5, 1.0), 4 / 3 * np.pi * 0.5**3),
    (Polygon(SQUARE, 2.0), 2.0),
    (Polygon(SQUARE[::-1] + 7.0, 2.0), 2.0),
    # a star of 2n corners is 2n triangles with sides 1 and r and an angle of pi / n
    (Polygon(star(5, 0.4), 0.5), 0.5 * 10 * 0.5 * 0.4 * np.sin(np.pi / 5)),
    (Polygon([[0, 0], [0.5, 0], [1, 0], [1, 1], [0.5, 0.5], [0, 1]], 1.0), 0.75),  # a flat corner, a notch
]


@pytest.mark.parametrize(
    ("make", "refused"),
    [
        (lambda: Sphere(0.0), "radius must be positive, not 0"),
        (lambda: Sphere(np.nan), "radius must be a finite number, not nan"),
        (lambda: Sphere(np.inf), "radius must be a finite number"),
        (lambda: Sphere(1e8), r"radius must be 1e-09 to 1e\+07 m, not 1e\+08"),
        (lambda: Sphere(1e-200), r"radius must be 1e-09 to 1e\+07 m, not 1e-200"),
        (lambda: Polygon(1e-200 * SQUARE, 1), "corners must not all lie within 1e-09 m"),
        (lambda: Sphere("wide"), "radius must be a number, not 'wide'"),  # type: ignore[arg-type]
        (lambda: Sphere(True), "radius must be a number, not true"),
        (lambda: Sphere(10**400), "radius must be a finite number"),
        (lambda: Box([1, 1]), "size must be 3 numbers"),
        (lambda: Box([1, -2, 1]), "size must be positive, not -2 along one axis"),
        (lambda: Box([1, np.nan, 1]), "size must be finite"),
        (lambda: Cylinder(-1, 1), "radius must be positive, not -1"),
        (lambda: Cylinder(1, 0), "height must be positive"),
        (lambda: Capsule(0.5, 0.99), "length must be at least twice the radius, 1, not 0.99"),
        (lambda: Capsule(0.0, 1), "radius must be positive"),
        (lambda: Polygon(SQUARE, -1), "height must be positive"),
        (lambda: Polygon(SQUARE[:2], 1), "corners must be 3 to 512, not 2"),
        (lambda: Polygon(np.zeros((4, 3)), 1), "corners must be any x 2 numbers"),
        (lambda: Polygon([[0, 0], [np.inf, 0], [0, 1]], 1), "corners must be finite"),
        (lambda: Polygon(1e8 * SQUARE, 1), "corners must be within"),
        (lambda: Placed(Sphere(1), [0, 0]), "position must be 3 numbers"),
        (lambda: Placed(Sphere(1), [0, np.nan, 0]), "position must be finite"),
        (
            lambda: Placed(Sphere(1), [0, 0, 0], np.zeros(4)),
            "orientation must be a quaternion that is not zero",
        ),
        (lambda: Placed.upright(Sphere(1), np.zeros(3), np.inf), "heading must be a finite number"),
        (lambda: Sphere(1.0).mesh(2), "segments must be 3 to 1000, not 2"),
    ],
)
def test_what_cannot_be_is_refused(make: object, refused: str) -> None:
    with pytest.raises(RequestError, match=refused):
        make()  # type: ignore[operator]


def test_shapes_do_not_change() -> None:
    size = np.ones(3)
    box = Box(size)
    size[:] = 5.0
    assert_array_equal(box.size, np.ones(3))
    with pytest.raises(ValueError, match="read-only"):
        box.size[0] = 2.0
    with pytest.raises(FrozenInstanceError):
        Sphere(1.0).radius = 2.0  # type: ignore[misc]
    placed = Placed(box, np.zeros(3), np.array([2.0, 0.0, 0.0, 0.0]))
    assert_array_equal(placed.orientation, [1.0, 0.0, 0.0, 0.0])
    with pytest.raises(ValueError, match="read-only"):
        placed.position[0] = 2.0


@pytest.mark.parametrize(("shape", "volume"), SOLIDS)
def test_meshes_are_closed_and_look_outwards(shape: Shape, volume: float) -> None:
    """trimesh finds them watertight, wound one way, of the right volume and size."""
    placed = Placed(shape, np.array([3.0, -2.0, 1.0]), np.array([0.3, 0.5, -0.7, 0.2]))
    for segments in (3, 8, 64, 65):
        vertices, triangles = placed.mesh(segments)
        surface = trimesh.Trimesh(vertices, triangles, process=False)
        assert surface.is_watertight
        assert surface.is_winding_consistent
        assert surface.area_faces.min() > 0.0
        assert len(np.unique(vertices, axis=0)) == len(vertices) == len(np.unique(triangles))
        # every corner lies on the true surface, so what is round is never larger than it should be
        assert_allclose(placed.distance_to(vertices)[: len(vertices) - 2], 0.0, atol=1e-12)
        assert surface.volume <= volume * (1 + 1e-12)
        if segments >= 64:
            assert surface.volume > 0.99 * volume
    flat = isinstance(shape, Box | Polygon)
    assert not flat or surface.volume == pytest.approx(volume, rel=1e-12)


@pytest.mark.parametrize(("shape", "volume"), SOLIDS)
def test_signed_distances_against_meshes(shape: Shape, volume: float) -> None:
    """Inside and outside, trimesh measures the same from a fine mesh."""
    rng = np.random.default_rng(3)
    placed = Placed(shape, rng.normal(size=3), rng.normal(size=4))
    flat = isinstance(shape, Box | Polygon)
    surface = trimesh.Trimesh(*placed.mesh(96), process=False)
    low, high = surface.bounds
    points = rng.uniform(low - 0.3, high + 0.3, (3, 60, 3))
    expected = -trimesh.proximity.signed_distance(surface, points.reshape(-1, 3)).reshape(3, 60)
    found = placed.distance_to(points)
    assert found.shape == (3, 60)
    assert_allclose(found, expected, rtol=0, atol=1e-9 if flat else 2e-3)
    assert (found < 0).mean() > 0.05
    assert (found > 0).mean() > 0.05


@pytest.mark.parametrize("kind", KINDS)
def test_signed_distances_against_tiny_spheres(kind: str) -> None:
    """Outside as for distances between shapes; inside it is the radius of the largest ball that fits."""
    rng = np.random.default_rng(4)
    directions = quat.rotate(quat.normalize(rng.normal(size=(4000, 4))), np.array([1.0, 0.0, 0.0]))
    for _ in range(10):
        placed = random_placed(kind, rng)
        for point in placed.position + rng.normal(size=(20, 3)):
            signed = float(placed.distance_to(point))
            if signed > 0.0:
                near = distance(placed, Placed(Sphere(1e-9), point))
                assert_allclose(signed, near + 1e-9, rtol=0, atol=1e-7)
            else:
                assert distance(placed, Placed(Sphere(1e-9), point)) == 0.0
                # all of the ball is inside, and a little more is not
                assert placed.distance_to(point - 0.999999 * signed * directions).max() < 0.0
                assert placed.distance_to(point - 1.1 * signed * directions).max() > 0.0


@pytest.mark.parametrize("kind", KINDS)
def test_shadows(kind: str) -> None:
    """How far a shape goes along a line, from its own fields and from its mesh."""
    rng = np.random.default_rng(5)
    for _ in range(50):
        placed = random_placed(kind, rng)
        direction = quat.rotate(quat.normalize(rng.normal(size=4)), np.array([0.0, 0.0, 1.0]))
        low, high = placed.along(direction)
        assert_allclose(high, farthest_along(placed, direction), rtol=0, atol=1e-12)
        assert_allclose(low, -farthest_along(placed, -direction), rtol=0, atol=1e-12)
        along = placed.mesh(96)[0] @ direction
        assert low - 1e-12 <= along.min() < low + 0.05 * (high - low)
        assert high + 1e-12 >= along.max() > high - 0.05 * (high - low)


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_sticks_out_of_the_spheres(kind: str) -> None:
    """The spheres round the pieces and round the whole, which let kernels look away, hold every corner."""
    rng = np.random.default_rng(6)
    for _ in range(20):
        shape = random_placed(kind, rng).shape
        core = shape.core
        vertices = shape.mesh(48)[0]
        away = np.linalg.norm(vertices - core.middle, axis=-1)
        assert away.max() <= core.reach + 1e-12
        assert away.max() > 0.95 * core.reach
        centres, radii = core.middle + core.spheres[:, :3], core.spheres[:, 3]
        within = np.linalg.norm(vertices[:, None] - centres, axis=-1) <= radii + 1e-12
        assert within.any(axis=1).all()
        for start, end, centre, radius in zip(core.starts, core.starts[1:], centres, radii, strict=False):
            assert (
                np.linalg.norm(core.middle + core.points[start:end] - centre, axis=-1) <= radius + 1e-12
            ).all()


def test_upright_faces_its_heading() -> None:
    """The +Z side of a box that is turned by a quarter to the left looks along +X."""
    box = Placed.upright(Box(np.array([0.2, 1.0, 3.0])), np.array([5.0, 0.0, 0.0]), np.pi / 2)
    assert_allclose(box.along(np.array([1.0, 0.0, 0.0])), (3.5, 6.5))
    assert_allclose(box.along(np.array([0.0, 0.0, 1.0])), (-0.1, 0.1))
    assert_allclose(box.to_world(np.array([0.0, 0.0, 1.5])), [6.5, 0.0, 0.0], atol=1e-15)
    assert_allclose(box.to_own(np.array([6.5, 0.0, 0.0])), [0.0, 0.0, 1.5], atol=1e-15)
