"""The search drawn: spheres where they touch, the chosen one, and the strike it leads to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import trimesh
from PIL import Image

from footfall.control.gait import GaitController
from footfall.errors import RequestError
from footfall.figure.soles import sole_places
from footfall.models.ring import layout
from footfall.picture.camera import Camera
from footfall.picture.page import require_pyplot
from footfall.picture.ring_search import CHOSEN, Search, _figures, draw_balls, draw_search, search_page
from footfall.picture.stage import PAPER, Stage
from footfall.world.generators.generate import generate
from footfall.world.mesh import MeshTerrain
from tests.models.ring.rings import small_graph, small_ring

AHEAD = 0.4  # rad, where the stick points


@pytest.fixture(scope="module")
def hills() -> MeshTerrain:
    return generate("bumps", 7).terrain


@pytest.fixture
def gait(hills: MeshTerrain) -> GaitController:
    """Just after its sixth strike."""
    gait = GaitController(small_ring(), place=(0.0, 2.0))
    gait.advance(0.0, hills)
    gait.command(heading=AHEAD, step_length=0.6)
    while gait.walker.state[layout.STRIKES] < 6:
        gait.advance(1.0 / 120.0, hills)
    return gait


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    require_pyplot().close("all")


def test_those_that_touch_are_near_the_ground(gait: GaitController, hills: MeshTerrain) -> None:
    """By another library's distances."""
    search = Search.of(gait.walker)
    mesh = trimesh.Trimesh(hills.vertices, hills.triangles, process=False)
    _, away, _ = trimesh.proximity.closest_point(mesh, search.centres)
    sure = np.abs(away - search.radius) > 1e-4  # tests are in single precision
    assert (search.touching == (away < search.radius))[sure].all()
    assert search.touching.sum() > 0
    assert search.chosen is not None
    assert search.touching[search.chosen]
    assert search.wish == pytest.approx(AHEAD)


def test_the_foot_comes_down_in_the_chosen_sphere(gait: GaitController) -> None:
    search, figures = Search.of(gait.walker), _figures(gait.walker)
    assert len(figures) == 2
    assert search.chosen is not None
    landed = gait.walker.state[layout.LANDING : layout.LANDING + 3]
    assert np.linalg.norm(landed - search.centres[search.chosen]) < search.radius
    soles = sole_places(figures, search.foot)
    middle = 0.5 * (soles[1, 0] + soles[1, -1])
    assert np.linalg.norm(middle - landed) < 0.005


def test_the_gait_is_not_moved(gait: GaitController, hills: MeshTerrain, tmp_path: Path) -> None:
    before = gait.walker.state.copy(), gait.walker.pose.copy()
    draw_search(gait, tmp_path / "search.png", terrain=hills)
    np.testing.assert_array_equal(gait.walker.state, before[0])
    np.testing.assert_array_equal(gait.walker.pose, before[1])
    with Image.open(tmp_path / "search.png") as picture:
        assert picture.size[0] == 1650
        pixels = np.asarray(picture.convert("RGB")).astype(int)
    for part in np.array_split(pixels[:-40], 2, axis=1):
        assert reddish(part / 255.0).any(), "the chosen sphere is in both pictures"
    left, right = (greenish(part / 255.0).sum() for part in np.array_split(pixels[:-40], 2, axis=1))
    assert left > 300
    assert right == 0


def test_the_chosen_one_is_red_where_it_is_and_nowhere_else(gait: GaitController) -> None:
    search = replace(Search.of(gait.walker), radius=0.0)  # balls alone
    assert search.chosen is not None
    image, camera = drawn(search)
    rows, columns = np.nonzero(reddish(image))
    x, y, _ = camera.project(search.centres[search.chosen])
    assert np.hypot(columns + 0.5 - x, rows + 0.5 - y).max() < 0.04 * camera.scale
    assert len(rows) > 20
    nobody, _ = drawn(replace(search, chosen=None))
    assert not reddish(nobody).any()


def test_more_that_touch_more_green(gait: GaitController) -> None:
    search = replace(Search.of(gait.walker), radius=0.0, chosen=None)
    found = []
    for count in (0, 10, 40, 125):
        touching = np.arange(len(search.centres)) < count
        found.append(int(greenish(drawn(replace(search, touching=touching))[0]).sum()))
    assert found[0] == 0
    assert found == sorted(set(found))


def test_what_is_buried_shows_through_paler(gait: GaitController) -> None:
    search = replace(Search.of(gait.walker), radius=0.0, chosen=None)
    search = replace(search, touching=np.ones(len(search.centres), dtype=bool))
    open_, _ = drawn(search)
    stage, camera = staged(search)
    stage.depth[:] = -10.0  # something lies before all of it
    draw_balls(stage, search, np.arange(len(search.centres)))
    buried = stage.finished()
    seen = np.abs(open_ - PAPER).max(axis=-1) > 0.1
    ratio = np.abs(buried - PAPER)[seen].mean() / np.abs(open_ - PAPER)[seen].mean()
    assert 0.3 < ratio < 0.4
    assert camera.size == (stage.depth.shape[1] // 2, stage.depth.shape[0] // 2)


def test_words_tell_the_counts(gait: GaitController, hills: MeshTerrain) -> None:
    search, page = Search.of(gait.walker), search_page(gait, hills, title="On bumps")
    words = [text.get_text() for text in page.legends[0].get_texts()]
    assert words[0].startswith(f"{search.touching.sum()} of 125 spheres touch")
    assert words[1] == f"the chosen one, for the {search.foot} foot"
    assert words[2] == f"{125 - search.touching.sum()} do not"
    assert [t.get_text() for t in page.texts] == ["On bumps: (a) the search", "(b) the next strike"]


def test_where_there_is_no_ground_to_go_on(tmp_path: Path) -> None:
    """On a table of two steps: it stands, nothing is chosen, and one picture says so."""
    table = MeshTerrain(
        np.array([[x, 0.0, z] for x in (-0.5, 0.5) for z in (-0.5, 0.6)]), np.array([[0, 1, 3], [0, 3, 2]])
    )
    gait = GaitController(small_ring())
    gait.advance(0.0, table)
    for _ in range(600):
        gait.advance(1.0 / 60.0, table)
    assert gait.status.says == "standing"
    assert Search.of(gait.walker).chosen is None
    assert len(search_page(gait, table).axes) == 1
    draw_search(gait, tmp_path / "table.png", terrain=table)
    assert (tmp_path / "table.png").stat().st_size > 10_000


def test_a_rest_is_refused(hills: MeshTerrain, tmp_path: Path) -> None:
    gait = GaitController(small_graph(), place=(0.0, 2.0))
    gait.advance(0.0, hills)
    with pytest.raises(RequestError, match="a rest looks for no strike"):
        draw_search(gait, tmp_path / "a.png", terrain=hills)
    with pytest.raises(RequestError, match="of a GaitController, not of MotionRing"):
        draw_search(small_ring(), tmp_path / "a.png", terrain=hills)  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())


def staged(search: Search) -> tuple[Stage, Camera]:
    camera = Camera.looking("three-quarter", search.wish).framing(search.centres, width=400, margin=0.05)
    return Stage(camera, None), camera


def drawn(search: Search) -> tuple[np.ndarray, Camera]:
    """Balls on an empty stage."""
    stage, camera = staged(search)
    draw_balls(stage, search, np.arange(len(search.centres)))
    return stage.finished(), camera


def reddish(image: np.ndarray) -> np.ndarray:
    """As red as the chosen one: limbs are orange, and have green in them."""
    red, green, blue = np.moveaxis(image, -1, 0)
    assert CHOSEN[0] > 4 * max(CHOSEN[1:])
    return (red > 0.35) & (green < 0.35 * red) & (blue < 0.35 * red)


def greenish(image: np.ndarray) -> np.ndarray:
    red, green, blue = np.moveaxis(image, -1, 0)
    return (green > 1.8 * red) & (green > 1.8 * blue) & (green > 0.25)
