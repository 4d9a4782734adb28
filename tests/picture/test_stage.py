"""The stage: depth hides, the floor hides what is under it, shadows darken the floor and nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.geometry.ground import UP
from footfall.picture.camera import Camera
from footfall.picture.stage import PAPER, SHADOW, TILES, Stage

RED, BLUE = (0.8, 0.1, 0.1), (0.1, 0.1, 0.8)
CUBE = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float) - 0.5
QUADS = np.array([[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]])
FACES = np.concatenate([QUADS[:, [0, 1, 2]], QUADS[:, [0, 2, 3]]])
EXTENT = np.array([[-2.0, 0.0, -2.0], [2.0, 2.0, 2.0]])


def stage(view: str = "front", floor: float | None = None) -> Stage:
    return Stage(Camera.looking(view, 0.0).framing(EXTENT, width=120), floor)


def put(on: Stage, centre: tuple[float, float, float], colour: tuple[float, float, float]) -> None:
    normals = CUBE / np.linalg.norm(CUBE, axis=1, keepdims=True)
    on.body(CUBE + centre, normals, np.tile(colour, (8, 1)), FACES)


def colour_at(on: Stage, place: tuple[float, float, float]) -> np.ndarray:
    x, y = on.camera.project(np.array(place))[:2].astype(int)
    return on.image[y, x]


def is_red(colour: np.ndarray) -> bool:
    return bool(colour[0] > 2 * colour[2])


@pytest.mark.parametrize("red_first", [True, False])
def test_the_nearer_body_hides_the_farther(red_first: bool) -> None:
    """Seen from the front, +Z is nearer; from behind, -Z is."""
    for view, red_wins in (("front", True), ("back", False)):
        on = stage(view)
        bodies = [((0.0, 1.0, 1.0), RED), ((0.0, 1.0, -1.0), BLUE)]
        for centre, colour in bodies if red_first else bodies[::-1]:
            put(on, centre, colour)
        assert is_red(colour_at(on, (0.0, 1.0, 0.0))) == red_wins


def test_the_floor_hides_what_is_under_it() -> None:
    empty, sunk = stage("three-quarter", floor=0.0), stage("three-quarter", floor=0.0)
    put(sunk, (0.0, -0.6, 0.0), RED)
    assert_array_equal(sunk.image, empty.image)
    half = stage("three-quarter", floor=0.0)
    put(half, (0.0, 0.0, 0.0), RED)
    whole = stage("three-quarter", floor=-10.0)
    put(whole, (0.0, 0.0, 0.0), RED)
    red = [np.sum(s.image[..., 0] > 2 * s.image[..., 2]) for s in (half, whole)]
    assert 0.3 * red[1] < red[0] < 0.9 * red[1]


def test_a_shadow_darkens_the_floor_alone() -> None:
    plain, shaded = stage("three-quarter", floor=0.0), stage("three-quarter", floor=0.0)
    shaded.shadows(CUBE + UP, FACES)
    ratio = shaded.image / plain.image
    darker = ratio[..., 0] < 0.99
    assert darker.any()
    assert_allclose(ratio[darker], SHADOW, rtol=1e-5)
    assert_allclose(ratio[~darker], 1.0)
    assert_array_equal(shaded.depth, plain.depth)


def test_without_a_floor_there_is_paper_and_no_shadow() -> None:
    on = stage()
    on.shadows(CUBE, FACES)
    assert_allclose(on.image, np.broadcast_to(PAPER, on.image.shape), rtol=1e-6)


def test_tiles_are_half_a_metre() -> None:
    on = stage("top", floor=0.0)
    for x, z in ((0.25, 0.25), (0.75, 0.25), (0.75, 0.75), (-0.25, 0.25)):
        odd = (np.floor(x / 0.5) + np.floor(z / 0.5)) % 2 == 1
        assert_allclose(colour_at(on, (x, 0.0, z)), TILES[1] if odd else TILES[0], rtol=1e-5)


def test_the_finished_picture_has_the_cameras_size() -> None:
    camera = Camera.looking("side", 0.0).framing(EXTENT, width=123)
    finished = Stage(camera, floor=0.0).finished()
    assert finished.shape == (camera.size[1], camera.size[0], 3)
    assert finished.min() >= 0
    assert finished.max() <= 1
