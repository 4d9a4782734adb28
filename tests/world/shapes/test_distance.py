"""Distances between shapes, held against proofs, closed forms, scipy and plain searches.

The nearest points prove the distance: each lies in its shape, so the distance is no larger; two planes across
the line between them part the shapes, so it is no smaller. A point in both proves an overlap.
"""

from __future__ import annotations

from itertools import combinations_with_replacement, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from footfall.errors import RequestError
from footfall.geometry import quaternion as quat
from footfall.world.shapes.box import Box
from footfall.world.shapes.capsule import Capsule
from footfall.world.shapes.cylinder import Cylinder
from footfall.world.shapes.distance import distance, distances, grouped, nearest_points, overlap, overlaps
from footfall.world.shapes.placed import Placed
from footfall.world.shapes.polygon import Polygon
from footfall.world.shapes.sphere import Sphere
from tests.world.shapes.solids import (
    CONVEX,
    KINDS,
    distance_by_least_squares,
    distance_by_search,
    gap_across,
    random_placed,
    random_shape,
    star,
    surface_distance,
)

PAIRS = list(combinations_with_replacement(CONVEX, 2))


def tolerance(*placed: Placed) -> float:
    """In m, for shapes of about a metre."""
    return 1e-8 if any(isinstance(p.shape, Cylinder) for p in placed) else 1e-11


def proven(a: Placed, b: Placed) -> tuple[float, float]:
    """The distance, and how far it is from what its nearest points prove; both relative to nothing."""
    apart = distance(a, b)
    p, q = nearest_points(a, b)
    outside = max(float(a.distance_to(p)), float(b.distance_to(q)), 0.0)
    between = float(np.linalg.norm(q - p))
    if apart == 0.0:
        return apart, max(outside, between)
    direction = (q - p) / between
    return apart, max(outside, abs(between - apart), apart - gap_across(a, b, direction))


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_nearest_points_prove_the_distance(one: str, other: str) -> None:
    rng = np.random.default_rng(PAIRS.index((one, other)))
    apart = 0
    for _ in range(250):
        a, b = random_placed(one, rng), random_placed(other, rng)
        found, wrong = proven(a, b)
        assert wrong < tolerance(a, b), (a, b, found, wrong)
        assert overlap(a, b) == (found == 0.0)
        apart += found > 0.0
    assert 40 < apart < 250  # both kinds were there


@pytest.mark.parametrize(("one", "other"), list(product(("sphere", "box", "capsule"), repeat=2)))
def test_against_bounded_least_squares(one: str, other: str) -> None:
    rng = np.random.default_rng(5)
    for _ in range(60):
        a, b = random_placed(one, rng), random_placed(other, rng)
        assert_allclose(distance(a, b), distance_by_least_squares(a, b), rtol=0, atol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_spheres_against_closed_forms(kind: str) -> None:
    """The distance of a sphere from anything is that of its middle less its radius."""
    rng = np.random.default_rng(6)
    for _ in range(300):
        a, ball = random_placed(kind, rng), random_placed("sphere", rng)
        expected = max(float(a.distance_to(ball.position)) - ball.shape.radius, 0.0)  # type: ignore[attr-defined]
        assert_allclose(distance(a, ball), expected, rtol=0, atol=tolerance(a))


@pytest.mark.parametrize("kind", ["box", "cylinder"])
def test_cylinders_against_a_search(kind: str) -> None:
    rng = np.random.default_rng(7)
    for _ in range(8):
        a, b = random_placed(kind, rng, 2.0), random_placed("cylinder", rng, 2.0)
        assert_allclose(distance(a, b), distance_by_search(a, b), rtol=0, atol=1e-7)


@pytest.mark.parametrize("kind", ["box", "prism", "star"])
def test_concave_polygons_against_their_surfaces(kind: str) -> None:
    rng = np.random.default_rng(8)
    apart = 0
    for _ in range(60):
        a, b = random_placed("star", rng, 1.2), random_placed(kind, rng, 1.2)
        found = distance(a, b)
        p, q = nearest_points(a, b)
        assert a.distance_to(p) < 1e-9
        assert b.distance_to(q) < 1e-9
        assert_allclose(np.linalg.norm(p - q), found, rtol=0, atol=1e-9)
        if found > 0.0:
            apart += 1
            surfaces = [vertices[triangles] for vertices, triangles in (a.mesh(), b.mesh())]
            assert_allclose(found, surface_distance(*surfaces), rtol=0, atol=1e-9)
    assert 10 < apart < 60


def test_a_ball_in_the_notch_of_a_star() -> None:
    """Inside the hull of a concave shape, and still apart from it."""
    shape = Placed(Polygon(star(4, 0.2), 1.0), np.zeros(3))
    # at 45 degrees between two rays, over the inner corner at 0.2
    place = 0.6 * np.array([np.sin(np.pi / 4), 0.0, np.cos(np.pi / 4)])
    to_edge = float(shape.distance_to(place))
    assert 0.1 < to_edge < 0.4
    assert_allclose(distance(shape, Placed(Sphere(0.05), place)), to_edge - 0.05, atol=1e-12)
    assert overlap(shape, Placed(Sphere(to_edge + 1e-9), place))


@pytest.mark.parametrize(("one", "other"), list(combinations_with_replacement(KINDS, 2)))
def test_neither_order_nor_rigid_motion_matters(one: str, other: str) -> None:
    rng = np.random.default_rng(9)
    for _ in range(12):
        a, b = random_placed(one, rng), random_placed(other, rng)
        found, near = distance(a, b), tolerance(a, b)
        assert_allclose(distance(b, a), found, rtol=0, atol=near)
        shift, turned = 10.0 * rng.normal(size=3), quat.normalize(rng.normal(size=4))
        moved = [
            Placed(p.shape, shift + quat.rotate(turned, p.position), quat.multiply(turned, p.orientation))
            for p in (a, b)
        ]
        assert_allclose(distance(*moved), found, rtol=0, atol=near)


def on_top(lower: Placed, upper: Placed, gap: float = 0.0) -> Placed:
    """The upper shape over the lower one, their extents along +Y `gap` apart."""
    up = np.array([0.0, 1.0, 0.0])
    rise = lower.along(up)[1] - upper.along(up)[0] + gap
    return Placed(upper.shape, upper.position + rise * up, upper.orientation)


STANDING = [
    Sphere(0.5),
    Box(np.array([1.0, 0.4, 0.7])),
    Cylinder(0.4, 1.0),
    Capsule(0.3, 1.1),
    Polygon(star(), 0.5),
]


@pytest.mark.parametrize(("lower", "upper"), list(product(STANDING, STANDING)))
def test_shapes_that_stand_on_each_other_touch(lower: object, upper: object) -> None:
    """Parallel faces, edges and points: touching is an overlap, a hair more is none."""
    for heading, aside in ((0.0, 0.0), (0.7, 0.0), (0.0, 0.05), (-2.0, 0.03)):
        a = Placed.upright(lower, np.array([100.0, 3.0, -20.0]), 0.3)  # type: ignore[arg-type]
        b = Placed.upright(upper, np.array([100.0 + aside, 0.0, -20.0]), heading)  # type: ignore[arg-type]
        flat = not isinstance(lower, Sphere | Capsule) and not isinstance(upper, Sphere | Capsule)
        if aside and not flat:
            continue  # beside the top of something round nothing touches
        touching = on_top(a, b)
        assert overlap(a, touching)
        assert distance(a, touching) == 0.0
        assert_allclose(distance(a, on_top(a, b, 1e-6)), 1e-6, rtol=0, atol=2e-12)
        assert not overlap(a, on_top(a, b, 1e-6))
        assert overlap(a, on_top(a, b, 1e-6), margin=1.1e-6)
        assert distance(a, on_top(a, b, -1e-6)) == 0.0


@pytest.mark.parametrize(("one", "other"), list(combinations_with_replacement(KINDS, 2)))
def test_far_apart(one: str, other: str) -> None:
    """At 1e5 m a double tells 1.5e-11 m; the proof holds to a few of them."""
    rng = np.random.default_rng(10)
    for _ in range(10):
        a, b = random_placed(one, rng), random_placed(other, rng)
        b = Placed(
            b.shape, b.position + 1e5 * quat.rotate(quat.normalize(rng.normal(size=4)), np.array([1.0, 0, 0]))
        )
        p, q = nearest_points(a, b)
        direction = (q - p) / np.linalg.norm(q - p)
        assert_allclose(distance(a, b), gap_across(a, b, direction), rtol=0, atol=1e-9)


def test_far_from_the_origin_nothing_is_lost() -> None:
    """Only what stands between two shapes matters, not where they are."""
    rng = np.random.default_rng(11)
    far = np.array([2.0**20, -(2.0**19), 2.0**20])  # adding it rounds nothing off these positions
    for one, other in product(KINDS, KINDS):
        a, b = random_placed(one, rng), random_placed(other, rng)
        a, b = (Placed(p.shape, np.round(p.position, 3) // 2**-10 * 2**-10, p.orientation) for p in (a, b))
        moved = (Placed(p.shape, p.position + far, p.orientation) for p in (a, b))
        near = 1e-9 if {one, other} & {"star", "prism"} else 1e-12
        assert_allclose(distance(*moved), distance(a, b), rtol=0, atol=near)


@pytest.mark.parametrize("scale", [1e-6, 1e-3, 1e3, 1e5])
def test_sizes_scale(scale: float) -> None:
    """Everything a thousand times as large is a thousand times as far."""
    rng = np.random.default_rng(12)

    def scaled(p: Placed) -> Placed:
        s = p.shape
        larger = {
            Sphere: lambda: Sphere(scale * s.radius),
            Box: lambda: Box(scale * s.size),
            Cylinder: lambda: Cylinder(scale * s.radius, scale * s.height),
            Capsule: lambda: Capsule(scale * s.radius, scale * s.length),
            Polygon: lambda: Polygon(scale * s.corners, scale * s.height),
        }[type(s)]
        return Placed(larger(), scale * p.position, p.orientation)

    for one, other in product(KINDS, KINDS):
        for _ in range(3):
            a, b = random_placed(one, rng), random_placed(other, rng)
            near = tolerance(a, b) * scale
            assert_allclose(distance(scaled(a), scaled(b)), scale * distance(a, b), rtol=0, atol=near)


@pytest.mark.parametrize("kind", KINDS)
def test_tiny_on_huge(kind: str) -> None:
    """A grain of sand at every height over a slab of a kilometre, and under its top."""
    rng = np.random.default_rng(13)
    slab = Placed(Box(np.array([1e3, 1.0, 1e3])), np.array([0.0, -0.5, 0.0]))
    for _ in range(50):
        grain = random_placed(kind, rng, 100.0)
        up = 10.0 ** rng.uniform(-5, 2)
        low = grain.along(np.array([0.0, 1.0, 0.0]))[0]
        grain = Placed(grain.shape, grain.position + np.array([0.0, up - low, 0.0]), grain.orientation)
        assert_allclose(distance(slab, grain), up, rtol=0, atol=1e-9)
        sunk = Placed(grain.shape, grain.position - np.array([0.0, up + 1e-6, 0.0]), grain.orientation)
        assert distance(slab, sunk) == 0.0


@pytest.mark.parametrize(("one", "other"), list(combinations_with_replacement(KINDS, 2)))
def test_one_inside_the_other(one: str, other: str) -> None:
    """Middle on middle, turned alike and not, one a hundredth of the other: all overlap, and say where."""
    rng = np.random.default_rng(14)
    for _ in range(5):
        a, b = random_placed(one, rng), random_placed(other, rng)
        inside = a.to_world(a.shape.core.middle + a.shape.core.spheres[0, :3])
        for orientation in (a.orientation, b.orientation):
            b = Placed(b.shape, np.zeros(3), orientation)
            b = Placed(
                b.shape, inside - b.to_world(b.shape.core.middle + b.shape.core.spheres[0, :3]), orientation
            )
            assert distance(a, b) == 0.0
            p, q = nearest_points(a, b)
            assert_allclose(p, q, rtol=0, atol=1e-9)
            assert a.distance_to(p) < 1e-9
            assert b.distance_to(p) < 1e-9


@pytest.mark.cpu
@pytest.mark.parametrize("thin", [1e-3, 1e-6, 1e-9])
def test_plates_and_needles(thin: float) -> None:
    """What is almost flat or almost a line, crossing, parallel and a hair apart."""
    rng = np.random.default_rng(15)
    plates = [
        Box(np.array([1.0, thin, 1.0])),
        Box(np.array([thin, 1.0, thin])),
        Cylinder(0.5, thin),
        Capsule(thin, 1.0),
    ]
    for one, other in product(plates, plates):
        for _ in range(8):
            a = Placed(one, np.zeros(3), rng.normal(size=4))
            b = Placed(other, 0.3 * rng.normal(size=3), rng.normal(size=4))
            found, wrong = proven(a, b)
            assert wrong < tolerance(a, b), (a, b, found, wrong)


@pytest.mark.parametrize("thin", [1e-3, 1e-6, 1e-9])
def test_plates_laid_on_each_other_a_hair_apart(thin: float) -> None:
    """Where the nearest point is but a few thousand times what rounding leaves of the places of corners."""
    rng = np.random.default_rng(20)
    plates = [
        Box(np.array([1.0, thin, 1.0])),
        Box(np.array([thin, 1.0, thin])),
        Cylinder(0.5, thin),
        Capsule(thin, 1.0),
    ]
    for one, other in product(plates, plates):
        for _ in range(60):
            a = Placed(one, np.zeros(3), rng.normal(size=4))
            up = quat.rotate(a.orientation, np.array([0.0, 1.0, 0.0]))
            b = Placed(other, np.zeros(3), a.orientation)
            for hair in (1e-3, 1e-6, 1e-9, 1e-10):
                rise = a.along(up)[1] - b.along(up)[0] + hair
                found = distance(a, Placed(other, rise * up, a.orientation))
                assert_allclose(found, hair, rtol=0, atol=2e-12)


def test_all_but_parallel() -> None:
    """Faces that are turned against each other by almost nothing."""
    rng = np.random.default_rng(16)
    for _ in range(400):
        one, other = rng.choice(CONVEX, 2)
        a, b = random_placed(one, rng), random_placed(other, rng)
        little = quat.exp(10.0 ** rng.uniform(-15, -2) * rng.normal(size=3))
        b = Placed(b.shape, b.position, quat.multiply(little, a.orientation))
        found, wrong = proven(a, b)
        assert wrong < tolerance(a, b), (a, b, found, wrong)


def pressed(rng: np.random.Generator) -> tuple[Placed, Placed, np.ndarray]:
    """Two shapes of sizes from 1e-6 to 10 m laid on each other along `up`, some a hair into each other."""
    a, b = (
        Placed(random_shape(kind, rng, 1e-6 if rng.random() < 0.5 else 0.2, 10.0), np.zeros(3))
        for kind in rng.choice(CONVEX, 2)
    )
    orientation = quat.normalize(rng.normal(size=4))
    a, b = (Placed(p.shape, -quat.rotate(orientation, p.shape.core.middle), orientation) for p in (a, b))
    up, aside = quat.rotate(orientation, np.eye(3)[[1, 0]])
    hair = 10.0 ** rng.uniform(-14, -3) * rng.choice([-1.0, 0.0, 1.0])
    shift = (a.along(up)[1] - b.along(up)[0] + hair) * up + 0.3 * rng.normal() * a.shape.core.reach * aside
    return a, Placed(b.shape, b.position + shift, orientation), up


def across_edges(a: Placed, b: Placed) -> list[np.ndarray]:
    """Directions square to two lines between corners: of what is flat, one of them parts what is apart."""
    lines = [np.zeros((0, 3))]
    for placed in (a, b):
        points = quat.rotate(placed.orientation, placed.shape.core.points)
        first, second = np.triu_indices(len(points), 1)
        lines.append(points[first] - points[second])
    sides = np.concatenate(lines)
    first, second = np.triu_indices(len(sides), 1)
    square = np.cross(sides[first], sides[second])
    size = np.linalg.norm(square, axis=-1)
    square = square[size > 1e-9 * size.max()] / size[size > 1e-9 * size.max(), None]
    return [*square, *-square]


def check_pressed(seed: int) -> int:
    """Whatever is said to be apart is parted by a plane; whatever is said to overlap shares a point."""
    rng = np.random.default_rng(seed)
    apart = 0
    for _ in range(2500):
        a, b, up = pressed(rng)
        size = a.shape.core.reach + b.shape.core.reach
        found = distance(a, b)
        p, q = nearest_points(a, b)
        if found == 0.0:
            assert_allclose(p, q, rtol=0, atol=2e-12 * size)
            continue
        apart += 1
        across = (q - p) / np.linalg.norm(q - p)
        gap = max(gap_across(a, b, across), gap_across(a, b, up))
        if found - gap >= 100 * tolerance(a, b) * size:  # the nearest points have lost their direction
            gap = max(gap_across(a, b, square) for square in across_edges(a, b))
        assert gap > -1e-10 * size, (a, b, found, gap)
        assert found - gap < 100 * tolerance(a, b) * size
    return apart


def test_what_is_pressed_together() -> None:
    assert 500 < check_pressed(18) < 2000


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 140))
def test_study_of_what_is_pressed_together(seed: int) -> None:
    assert check_pressed(seed) > 500


def test_needles_beside_slabs() -> None:
    """Where one corner after another is as good as the last: needles along the edges of large faces.

    In the slab's frame the nearest of the needle is a line of its own along +Y: the distance is a Pythagoras.
    """
    rng = np.random.default_rng(19)
    for _ in range(1500):
        slab = Box(np.exp(rng.uniform(-2, 2, 3)))
        lean = 10.0 ** rng.uniform(-6, -1)  # of the edge that faces the slab
        outline = np.exp(rng.uniform(-12, -4)) * np.array([[0.0, -1.0], [1.0, 0.0], [lean, 1.0]])
        needle = Polygon(outline, rng.uniform(0.1, 5.0))
        over = 10.0 ** rng.uniform(-14, -2) * rng.choice([-1.0, 0.0, 1.0])
        beside = rng.uniform(0.05, 2.0)
        middle = np.array([0.5 * slab.size[0] + beside, 0.5 * (slab.size[1] + needle.height) + over, 0.0])
        orientation = quat.normalize(rng.normal(size=4))
        a = Placed(slab, np.zeros(3), orientation)
        b = Placed(needle, quat.rotate(orientation, middle), orientation)
        expected = np.hypot(beside + outline[:, 0].min(), max(over, 0.0))
        assert_allclose(distance(a, b), expected, rtol=0, atol=1e-11)


def test_many_at_once_are_as_one_by_one() -> None:
    rng = np.random.default_rng(17)
    others = [random_placed(kind, rng) for kind in rng.choice(KINDS, 60)]
    ready = grouped(others)
    assert grouped(ready) is ready
    assert len(ready) == 60
    for kind in KINDS:
        a = random_placed(kind, rng)
        expected = [distance(a, b) for b in others]
        assert_array_equal(distances(a, others), expected)
        assert_array_equal(distances(a, ready), expected)
        for margin in (0.0, 0.3, 1.0):
            assert_array_equal(overlaps(a, ready, margin), np.array(expected) <= margin)
            assert_array_equal([overlap(a, b, margin) for b in others], np.array(expected) <= margin)
    assert distances(a, []).shape == overlaps(a, []).shape == (0,)


def test_margins() -> None:
    a, b = Placed(Sphere(1.0), np.zeros(3)), Placed(Sphere(1.0), np.array([3.0, 0.0, 0.0]))
    assert overlap(a, b, 1.0)
    assert not overlap(a, b, 0.999999)
    assert not overlap(a, a, -0.1)  # nothing is nearer than 0
    with pytest.raises(RequestError, match="margin"):
        overlap(a, b, np.nan)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.25, 0.5, 1.0, 2.0]), min_size=6, max_size=6),
    st.lists(st.sampled_from([0.25, 0.5, 1.0, 2.0]), min_size=6, max_size=6),
    st.lists(st.sampled_from([0.0, 1.0, -1.0]), min_size=8, max_size=8),
)
def test_aligned_boxes(places: list[float], sizes: list[float], turns: list[float]) -> None:
    """Right angles and round numbers, where ties are everywhere: gaps along the axes tell the distance."""

    def right(parts: list[float]) -> np.ndarray:
        """One of the turns that put axes on axes."""
        whole = np.array(parts)
        return whole if np.count_nonzero(whole) in (1, 2, 4) else np.array([1.0, 0, 0, 0])

    a = Placed(Box(np.array(sizes[:3])), np.array(places[:3]), right(turns[:4]))
    b = Placed(Box(np.array(sizes[3:])), np.array(places[3:]), right(turns[4:]))
    gaps = [max(b.along(e)[0] - a.along(e)[1], a.along(e)[0] - b.along(e)[1], 0.0) for e in np.eye(3)]
    assert_allclose(distance(a, b), np.linalg.norm(gaps), rtol=0, atol=1e-12)
