"""A whole frame against the same picture drawn plainly, on pictures of a few thousand pixels."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.picture.camera import Camera
from footfall.picture.landscape import Landscape
from footfall.picture.marks import Mark
from footfall.picture.solids import Solids
from footfall.picture.stage import (
    CLEAR,
    FLUSH,
    GLASS,
    LATER,
    LIGHT,
    NEARER,
    PAPER,
    RELIEF,
    SHADOW,
    SMOOTHING,
    TILE,
    TILES,
    Stage,
)
from footfall.world.shapes.box import Box
from footfall.world.shapes.placed import Placed
from tests.picture.plain import chequered, draw_plainly, in_shade, lit_plainly, seen_places
from tests.world.meshes import hills, terrain_of

LEVEL = -0.13
EXTENT = np.array([[-1.3, LEVEL, -1.1], [1.2, 1.4, 1.3]])
BODY = Placed(Box(np.array([0.3, 0.9, 0.4])), np.array([0.11, 0.62, 0.07]))
MARKS = (
    Mark(np.array([[-0.7, LEVEL, -0.6], [0.4, LEVEL, -0.5], [0.6, LEVEL, 0.7]]), (0.8, 0.2, 0.1)),
    Mark(np.array([[-0.9, LEVEL, -0.8], [0.9, LEVEL, 0.8]]), (0.1, 0.3, 0.9), 2.0),
)
VIEWS = ("three-quarter", "side", "front", "top")


def body() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Vertices, normals, colours that vary, and triangles."""
    vertices, triangles = BODY.mesh(8)
    normals = vertices - vertices.mean(axis=0)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return vertices, normals, np.random.default_rng(4).uniform(0.2, 0.9, vertices.shape), triangles


def reduced(image: np.ndarray) -> np.ndarray:
    h, w = np.array(image.shape[:2]) // SMOOTHING
    return image.reshape(h, SMOOTHING, w, SMOOTHING, 3).mean(axis=(1, 3))


def put_plainly(
    camera: Camera, depth: np.ndarray, image: np.ndarray, front: np.ndarray | None = None
) -> None:
    """The body's pixels over an image."""
    vertices, normals, colours, triangles = body()
    draw_plainly(camera.project(vertices), lit_plainly(camera, normals, colours), triangles, depth, image)


@pytest.mark.parametrize("view", VIEWS)
def test_a_frame_on_a_floor(view: str) -> None:
    """Floor, tiles, shadow, marks, a body, and a solid through which body and marks are seen."""
    wall = Solids.of([Placed(Box(np.array([0.7, 0.5, 0.2])), np.array([0.1, 0.1, 0.55]))], np.zeros((0, 3)))
    camera = Camera.looking(view, 0.4).framing(EXTENT, width=60)
    vertices, normals, colours, triangles = body()
    stage = Stage(camera, LEVEL)
    stage.shadows(vertices, triangles, closed=True)
    with stage.behind(wall):
        stage.marks(MARKS)
        stage.body(vertices, normals, colours, triangles, closed=True)

    fine = camera.enlarged(SMOOTHING)
    w, h = fine.size
    depth = (LEVEL - seen_places(fine, np.zeros((h, w)))[..., 1]) / fine.forward[1]
    places = seen_places(fine, depth)
    image = np.where(chequered(places, TILE)[..., None], TILES[1], TILES[0])
    image[in_shade(places + CLEAR * LIGHT, LIGHT, vertices[triangles])] *= SHADOW
    bare, kept = image.copy(), depth.copy()
    for order, mark in enumerate(MARKS):
        points, faces = Mark(mark.points, mark.colour, SMOOTHING * mark.width, mark.closed).shape(fine)
        points[:, 2] -= NEARER + order * LATER
        draw_plainly(points, np.tile(mark.colour, (len(points), 1)), faces, depth, image)
    depth = kept
    put_plainly(fine, depth, image)
    glass, front = np.zeros_like(image), np.full_like(depth, np.inf)
    corners = fine.project(wall.corners.reshape(-1, 3)) - [0.0, 0.0, FLUSH]
    lit = np.repeat(lit_plainly(fine, wall.normals, wall.colours), 3, axis=0)
    draw_plainly(corners, lit, np.arange(len(corners)).reshape(-1, 3), front, glass)
    share = np.where((image != bare).any(axis=-1), GLASS, 1.0)[..., None]
    over = front < depth
    image[over] += (share * (glass - image))[over]
    assert over.any()
    assert (share[over] < 1.0).any()
    assert_allclose(stage.finished(), reduced(image), rtol=0, atol=2e-6)


@pytest.mark.parametrize("view", ["three-quarter", "map"])
def test_a_frame_on_land(view: str) -> None:
    """Equal everywhere but along the edges of the shadow, which may be off by a fine pixel."""
    terrain = terrain_of(hills(12, 12, 0.5))
    place = np.array([3.0, 0.0, 3.0])
    land = Landscape.around(terrain, place + 0.4 * np.array([[-1.0, 0.0, -1.0], [1.0, 0.0, 1.0]]))
    camera = Camera.looking(view, 0.4).framing(land.extent, width=70)
    vertices, _, _, triangles = body()
    vertices = vertices + place
    stage = Stage(camera, None)
    stage.land(land)
    stage.shadows(vertices, triangles, closed=True)

    fine = camera.enlarged(SMOOTHING)
    w, h = fine.size
    depth, image = np.full((h, w), np.inf), np.tile(PAPER, (h, w, 1))
    levels, heights = land.extent[:, 1], land.corners[..., 1]
    tint = 1.0 + RELIEF * np.clip((heights - levels.mean()) / max(np.ptp(levels), 0.5), -1.0, 1.0)
    colours = np.clip(lit_plainly(fine, land.normals, land.colours)[:, None] * tint[..., None], 0.0, 1.0)
    corners = fine.project(land.corners.reshape(-1, 3))
    draw_plainly(corners, colours.reshape(-1, 3), np.arange(len(corners)).reshape(-1, 3), depth, image)
    seen = np.isfinite(depth)
    places = seen_places(fine, np.where(seen, depth, 0.0))
    image[seen & chequered(places, TILE)] *= TILES[1][0] / TILES[0][0]
    start = places + CLEAR * LIGHT
    shade = seen & in_shade(start, LIGHT, vertices[triangles]) & ~in_shade(start, LIGHT, land.corners)
    image[shade] *= SHADOW

    edge = np.zeros_like(shade)
    for axis in (0, 1):
        for way in (-1, 1):
            edge |= shade != np.roll(shade, way, axis)
    assert 40 < shade.sum() < 0.3 * shade.size
    assert not land.is_wall.any()
    away = np.abs(stage.image - image).max(axis=-1) > 1e-5
    assert not (away & ~edge).any()
    assert away.sum() <= 0.1 * edge.sum() + 2
