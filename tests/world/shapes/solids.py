"""Random shapes in random places, and plain judges of them that know nothing of the library's kernels."""

from __future__ import annotations

import numpy as np
from scipy.optimize import lsq_linear
from scipy.spatial.transform import Rotation

from footfall.world.shapes.box import Box
from footfall.world.shapes.capsule import Capsule
from footfall.world.shapes.cylinder import Cylinder
from footfall.world.shapes.placed import Placed
from footfall.world.shapes.polygon import Polygon
from footfall.world.shapes.shape import Shape
from footfall.world.shapes.sphere import Sphere

CONVEX = ("sphere", "box", "cylinder", "capsule", "prism")
KINDS = (*CONVEX, "star")


def star(rays: int = 5, inner: float = 0.4) -> np.ndarray:
    angles = np.pi * np.arange(2 * rays) / rays
    radii = np.where(np.arange(2 * rays) % 2, inner, 1.0)
    return np.stack([radii * np.sin(angles), radii * np.cos(angles)], axis=-1)


def random_shape(kind: str, rng: np.random.Generator, low: float = 0.1, high: float = 2.0) -> Shape:
    a, b, c = np.exp(rng.uniform(np.log(low), np.log(high), 3))
    if kind == "sphere":
        return Sphere(a)
    if kind == "box":
        return Box(np.array([a, b, c]))
    if kind == "cylinder":
        return Cylinder(a, b)
    if kind == "capsule":
        return Capsule(a, 2 * a + b)
    if kind == "prism":  # over a convex outline of any orientation, off its origin
        angles = np.sort(rng.uniform(0, 5.5, 5)) + np.linspace(0, 0.5, 5)
        corners = a * np.stack([np.cos(angles), np.sin(angles)], axis=-1) + rng.normal(size=2)
        return Polygon(corners[:: rng.choice([-1, 1])], b)
    return Polygon(a * star(int(rng.integers(3, 7)), rng.uniform(0.2, 0.9)) + rng.normal(size=2), b)


def random_placed(kind: str, rng: np.random.Generator, spread: float = 1.5) -> Placed:
    return Placed(random_shape(kind, rng), spread * rng.normal(size=3), rng.normal(size=4))


def rotation(placed: Placed) -> np.ndarray:
    return Rotation.from_quat(placed.orientation, scalar_first=True).as_matrix()


def farthest_along(placed: Placed, direction: np.ndarray) -> float:
    """The largest product of any point of the solid with a unit direction, from the shape's own fields."""
    shape = placed.shape
    own = rotation(placed).T @ direction
    if isinstance(shape, Sphere):
        reach = shape.radius
    elif isinstance(shape, Box):
        reach = 0.5 * np.abs(own) @ shape.size
    elif isinstance(shape, Cylinder):
        reach = 0.5 * shape.height * abs(own[1]) + shape.radius * np.hypot(own[0], own[2])
    elif isinstance(shape, Capsule):
        reach = (0.5 * shape.length - shape.radius) * abs(own[1]) + shape.radius
    else:
        assert isinstance(shape, Polygon)
        reach = (shape.corners @ own[[0, 2]]).max() + 0.5 * shape.height * abs(own[1])
    return float(placed.position @ direction + reach)


def gap_across(a: Placed, b: Placed, direction: np.ndarray) -> float:
    """How far apart two planes across a unit direction are that have a on one side and b on the other.

    No point of a convex a is nearer to any of a convex b: a proof of distance from below.
    """
    return -farthest_along(b, -direction) - farthest_along(a, direction)


def affine(placed: Placed) -> tuple[np.ndarray, np.ndarray, float]:
    """A box, capsule or sphere as middle + columns @ [-1, 1]^n, with a radius round it."""
    shape, turned = placed.shape, rotation(placed)
    if isinstance(shape, Box):
        return placed.position, turned * (0.5 * shape.size), 0.0
    if isinstance(shape, Capsule):
        return placed.position, turned[:, 1:2] * (0.5 * shape.length - shape.radius), shape.radius
    assert isinstance(shape, Sphere)
    return placed.position, np.zeros((3, 1)), shape.radius


def distance_by_least_squares(a: Placed, b: Placed) -> float:
    """Of boxes, capsules and spheres: a bounded linear least squares problem."""
    (p, m, r), (q, n, s) = affine(a), affine(b)
    found = lsq_linear(np.hstack([m, -n]), q - p, bounds=(-1, 1), method="bvls", tol=1e-15)
    return max(float(np.linalg.norm(found.fun)) - r - s, 0.0)


def points_inside(placed: Placed, cube: np.ndarray) -> np.ndarray:
    """[-1, 1]^3 laid over a convex solid without a rounding radius of its own: a box or a cylinder."""
    shape = placed.shape
    if isinstance(shape, Box):
        own = cube * 0.5 * shape.size
    else:
        assert isinstance(shape, Cylinder)
        away = np.maximum(np.hypot(cube[:, 0], cube[:, 2]), 1.0)
        scale = np.array([shape.radius, 0.5 * shape.height, shape.radius])
        own = cube / np.stack([away, np.ones_like(away), away], axis=-1) * scale
    return placed.position + own @ rotation(placed).T


def distance_by_search(a: Placed, b: Placed) -> float:
    """From the points of a, a box or cylinder, to b by finer and finer grids: the distance to b is convex."""
    grid = np.stack(np.meshgrid(*[np.linspace(-1, 1, 9)] * 3), axis=-1).reshape(-1, 3)
    middle, width, best = np.zeros(3), 1.0, np.inf
    for _ in range(70):
        cube = np.clip(middle + width * grid, -1, 1)
        away = np.maximum(b.distance_to(points_inside(a, cube)), 0.0)
        if away.min() <= best:
            best, middle = float(away.min()), cube[away.argmin()]
        width *= 0.75
    return best


def surface_distance(one: np.ndarray, other: np.ndarray) -> float:
    """Between triangles (n, 3, 3) and (m, 3, 3) that do not meet: corners to faces, and edges to edges."""
    return min(_corners_to_faces(one, other), _corners_to_faces(other, one), _edges_to_edges(one, other))


def _corners_to_faces(one: np.ndarray, other: np.ndarray) -> float:
    from trimesh.triangles import closest_point

    corners = np.unique(one.reshape(-1, 3), axis=0)
    points = np.repeat(corners, len(other), axis=0)
    found = closest_point(np.tile(other, (len(corners), 1, 1)), points)
    return float(np.linalg.norm(found - points, axis=-1).min())


def _edges(triangles: np.ndarray) -> np.ndarray:
    return np.concatenate([triangles[:, [i, (i + 1) % 3]] for i in range(3)])


def _edges_to_edges(one: np.ndarray, other: np.ndarray) -> float:
    """Between interiors of edges; where an end is nearest, the corners have been judged with the faces."""
    p, q = _edges(one)[:, None], _edges(other)[None]
    u, v, w = p[..., 1, :] - p[..., 0, :], q[..., 1, :] - q[..., 0, :], p[..., 0, :] - q[..., 0, :]
    uu, uv, vv = (np.sum(x * y, axis=-1) for x, y in ((u, u), (u, v), (v, v)))
    uw, vw = np.sum(u * w, axis=-1), np.sum(v * w, axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        s = (uv * vw - vv * uw) / (uu * vv - uv**2)
        t = (uu * vw - uv * uw) / (uu * vv - uv**2)
    crossing = (s > 0) & (s < 1) & (t > 0) & (t < 1)
    away = np.linalg.norm(w + s[..., None] * u - t[..., None] * v, axis=-1)
    return float(away[crossing].min(initial=np.inf))
