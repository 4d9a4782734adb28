"""What a moving picture costs in counts: trees, kernels and shapes; and threads that draw at once."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.figure.motion import Motion
from footfall.geometry.ground import UP
from footfall.picture import solids, stage
from footfall.picture.camera import Camera
from footfall.picture.clip import draw_clip
from footfall.picture.landscape import Landscape
from footfall.picture.marks import Mark
from footfall.picture.stage import CLEAR, Stage
from footfall.picture.strip import save_strip
from footfall.world.box_tree import BoxTree
from footfall.world.mesh import MeshTerrain
from footfall.world.obstacle import Course, Obstacle
from footfall.world.plane import FlatTerrain
from footfall.world.shapes.box import Box
from footfall.world.shapes.placed import Placed
from footfall.world.shapes.sphere import Sphere
from tests.gaits import made
from tests.world.meshes import hills, terrain_of

KERNELS = ("draw_triangles", "lay_tiles", "shaded_pixels", "lay_glass", "reduce")
BENCH = Placed(Box(np.array([0.3, 0.4, 6.0])), np.array([-0.5, 0.2, 2.0]))
BALL = Obstacle(Sphere(0.1), np.zeros(3), course=Course([0.0, 4.0], [[0.6, 0.9, 0.0], [0.6, 0.9, 4.0]]))


@pytest.fixture(scope="module")
def walk() -> Motion:
    return made("walk", 50.0).given


@pytest.fixture(scope="module")
def land() -> MeshTerrain:
    return terrain_of(hills(20, 40, 0.25))


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Calls of kernels, trees built, and obstacles turned into triangles."""
    found: Counter[str] = Counter()

    def counted(name: str, call: object) -> object:
        def run(*args: object, **options: object) -> object:
            found[name] += 1
            return call(*args, **options)  # type: ignore[operator]

        return run

    for name in KERNELS:
        monkeypatch.setattr(stage, name, counted(name, getattr(stage, name)))
    monkeypatch.setattr(BoxTree, "over", counted("trees", BoxTree.over))
    monkeypatch.setattr(solids, "_cut", counted("cut", solids._cut))
    return found


def frames(motion: Motion, count: int) -> Motion:
    """So much of a motion that its clip has so many pictures."""
    return motion[: 4 * (count - 1) + 1]


@pytest.mark.parametrize("count", [1, 4, 9])
def test_the_tree_of_the_land_is_built_once(
    count: int, walk: Motion, land: MeshTerrain, counts: Counter[str]
) -> None:
    land.height(0.0, 0.0)
    counts.clear()
    assert len(draw_clip(frames(walk, count), height=40, terrain=land)) == count
    assert counts["trees"] == 1


def test_a_floor_needs_no_tree(walk: Motion, counts: Counter[str]) -> None:
    draw_clip(frames(walk, 3), height=40, terrain=FlatTerrain(), obstacles=[BENCH])
    assert counts["trees"] == 0


@pytest.mark.parametrize(
    ("ground", "things", "wanted"),
    [
        # the shadow, the marks and the body
        ("flat", (), {"draw_triangles": 3, "lay_tiles": 1, "shaded_pixels": 1, "reduce": 1}),
        # and the walls of the land and what is walked on
        ("land", (), {"draw_triangles": 5, "lay_tiles": 1, "shaded_pixels": 1, "reduce": 1}),
        # or the obstacles and their shadows
        (
            "flat",
            (BENCH,),
            {"draw_triangles": 5, "lay_tiles": 1, "shaded_pixels": 2, "lay_glass": 1, "reduce": 1},
        ),
    ],
    ids=["flat", "land", "obstacles"],
)
def test_kernels_a_frame(
    ground: str,
    things: tuple[Placed, ...],
    wanted: dict[str, int],
    walk: Motion,
    land: MeshTerrain,
    counts: Counter[str],
) -> None:
    calls = []
    for count in (5, 9):
        counts.clear()
        terrain = FlatTerrain() if ground == "flat" else land
        assert len(draw_clip(frames(walk, count), height=40, terrain=terrain, obstacles=things)) == count
        calls.append({name: counts[name] for name in KERNELS})
    assert {name: calls[1][name] - calls[0][name] for name in KERNELS} == {
        name: 4 * wanted.get(name, 0) for name in KERNELS
    }


def test_what_stands_still_is_cut_once_beside_what_moves(walk: Motion, counts: Counter[str]) -> None:
    draw_clip(frames(walk, 6), height=40, obstacles=[BENCH, BALL])
    assert counts["cut"] == 1


class TestMovedCamera:
    @pytest.mark.parametrize("kind", ["floor", "land"])
    def test_the_picture_is_that_of_a_new_stage(self, kind: str, land: MeshTerrain) -> None:
        """Buffers and layers that are used again leave nothing of the picture before."""
        here, there = np.array([2.0, 0.1, 4.0]), np.array([3.1, 0.2, 5.3])
        corners = here + np.array([[-1.0, -0.5, -1.0], [1.0, 1.0, 1.0]])
        camera = Camera.looking("three-quarter", 0.3).framing(corners, width=90)
        triangle = np.array([[2.4, 0.9, 4.4], [3.3, 1.1, 4.6], [2.9, 0.4, 5.2]])
        mark = Mark(triangle * [1.0, 0.0, 1.0] + [0.0, 0.3, 0.0], (0.9, 0.1, 0.1), 2.0, closed=True)
        again = self.stage(camera, kind, land)
        layer = again.marks([mark])
        self.put(again, triangle)
        shift = camera.centre - here
        again.move(there + shift)
        new = self.stage(Camera(*self.axes(camera), there + shift, camera.scale, camera.size), kind, land)
        again.draw(layer)
        new.marks([mark])
        for each in (again, new):
            self.put(each, triangle)
        bare = self.stage(Camera(*self.axes(camera), there + shift, camera.scale, camera.size), kind, land)
        assert (np.abs(new.image - bare.image).max(axis=-1) > 0.01).mean() > 0.03
        assert_allclose(again.depth, new.depth, rtol=0, atol=1e-9)
        assert_allclose(again.image, new.image, rtol=0, atol=1e-5)

    def axes(self, camera: Camera) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return camera.right, camera.up, camera.forward

    def stage(self, camera: Camera, kind: str, land: MeshTerrain) -> Stage:
        made_ = Stage(camera, 0.0 if kind == "floor" else None)
        if kind == "land":
            made_.land(Landscape.around(land, np.array([[2.0, 0.0, 4.0], [3.1, 0.0, 5.3]])))
        return made_

    def put(self, on: Stage, triangle: np.ndarray) -> None:
        face = np.array([[0, 1, 2]])
        on.shadows(triangle, face)
        on.body(triangle, np.tile([0.0, 1.0, 0.0], (3, 1)), np.full((3, 3), 0.7), face)


def test_overlapping_shadows_are_as_dark_as_one() -> None:
    extent = np.array([[-1.0, 0.0, -1.0], [1.0, 1.0, 1.0]])
    plate = np.array([[-0.5, 0.5, -0.5], [-0.5, 0.5, 0.5], [0.5, 0.5, 0.5], [0.5, 0.5, -0.5]])
    faces = np.array([[0, 1, 2], [0, 2, 3]])
    one, two = (Stage(Camera.looking("map", 0.0).framing(extent, width=80), 0.0) for _ in range(2))
    one.shadows(plate, faces)
    two.shadows(np.stack([plate, plate + 1e-3 * UP]), faces)
    assert np.abs(one.image - two.image).max(axis=-1).astype(bool).mean() < 0.01


@pytest.mark.parametrize(("over", "dark"), [(0.5, False), (2.0, True)])
def test_what_lies_on_the_floor_does_not_shade_it(over: float, dark: bool) -> None:
    extent = np.array([[-1.0, 0.0, -1.0], [1.0, 1.0, 1.0]])
    plate = np.array([[-0.5, 0.0, -0.5], [-0.5, 0.0, 0.5], [0.5, 0.0, 0.5]]) + over * CLEAR * UP
    on, bare = (Stage(Camera.looking("map", 0.0).framing(extent, width=80), 0.0) for _ in range(2))
    on.shadows(plate, np.array([[0, 1, 2]]))
    assert (on.image != bare.image).any() == dark


def test_marks_keep_the_depth_of_the_ground() -> None:
    extent = np.array([[-1.0, 0.0, -1.0], [1.0, 1.0, 1.0]])
    on, bare = (Stage(Camera.looking("side", 0.0).framing(extent, width=80), 0.0) for _ in range(2))
    on.marks([Mark(np.array([[-0.6, 0.0, -0.6], [0.6, 0.0, 0.6]]), (0.9, 0.1, 0.1), 3.0)])
    assert (on.image != bare.image).any()
    assert_array_equal(on.depth, bare.depth)


def test_threads_draw_what_one_draws(walk: Motion, land: MeshTerrain, tmp_path: Path) -> None:
    """Clips and strips at once, on floors and on land: nothing is shared."""
    pytest.importorskip("matplotlib", reason="pictures need the extra 'plot'")
    grounds = (FlatTerrain(), land, FlatTerrain(0.1))

    def drawn(job: tuple[str, int]) -> tuple[list[np.ndarray], bytes]:
        name, k = job
        path = tmp_path / f"{name}{k}.png"
        images = draw_clip(frames(walk, 6), height=60, terrain=grounds[k], obstacles=[BENCH][:k])
        save_strip(walk, path, views=("side",), figures=3, width=200, terrain=grounds[k], title=f"{k}")
        return images, path.read_bytes()

    alone = [drawn(("alone", k)) for k in range(3)]
    with ThreadPoolExecutor(3) as pool:
        together = list(pool.map(drawn, [("together", k) for k in range(3)]))
    for one, other in zip(alone, together, strict=True):
        assert_array_equal(one[0], other[0])
        assert one[1] == other[1]
