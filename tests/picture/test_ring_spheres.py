"""Contact spheres drawn: every lattice point, every centre and every strike, where they are."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from matplotlib.patches import Circle, Rectangle
from PIL import Image

from footfall.actor.virtual_actor import VirtualActor
from footfall.control.gait import GaitController
from footfall.errors import MissingExtra, RequestError
from footfall.picture.page import require_pyplot
from footfall.picture.ring_curve import draw_ring_curve
from footfall.picture.ring_graph import draw_graph
from footfall.picture.ring_loop import draw_loop
from footfall.picture.ring_search import draw_search
from footfall.picture.ring_spheres import draw_spheres, spheres_page
from footfall.world.plane import FlatTerrain
from tests.models.ring.rings import resting_ring, small_ring


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    require_pyplot().close("all")


@pytest.mark.parametrize("half", [0, 1])
@pytest.mark.parametrize(("row", "upward"), [(0, 0), (1, 1)])
def test_everything_is_where_it_is(half: int, row: int, upward: int) -> None:
    ring = small_ring()
    axes = spheres_page(ring).axes[2 * row + half]
    lines = {line.get_label(): line.get_xydata() for line in axes.lines}
    spheres, own = ring.spheres[half], ring.tables.own_strikes(half)
    for label, places in (
        ("lattice", spheres.lattice),
        ("sphere's centre", spheres.centres),
        ("strike of a loop", own),
    ):
        np.testing.assert_allclose(lines[label], places[:, [2, upward]])
    box = next(patch for patch in axes.patches if isinstance(patch, Rectangle))
    np.testing.assert_allclose(box.get_bbox().min, own[:, [2, upward]].min(axis=0))
    np.testing.assert_allclose(box.get_bbox().max, own[:, [2, upward]].max(axis=0))
    (low, high), (under, over) = axes.get_xlim(), axes.get_ylim()
    for x, y in lines["sphere's centre"]:
        assert low < x < high
        assert under < y < over


def test_a_sphere_is_as_large_as_it_is() -> None:
    ring = small_ring()
    for k, axes in enumerate(spheres_page(ring).axes):
        (one,) = (patch for patch in axes.patches if isinstance(patch, Circle))
        assert one.radius == ring.radius
        centres = ring.spheres[k % 2].centres[:, [2, k // 2]]
        assert np.linalg.norm(centres - one.center, axis=1).min() < 1e-12
        assert axes.get_aspect() == 1.0
        assert "[m]" in axes.get_xlabel()


def test_how_far_off_they_are_is_told() -> None:
    ring = small_ring()
    far = 100.0 * np.array([np.linalg.norm(s.centres - s.lattice, axis=1) for s in ring.spheres])
    assert f"{far.mean():.1f} cm from where" in spheres_page(ring).get_suptitle()
    assert f"({far.max():.1f} cm at most)" in spheres_page(ring).get_suptitle()


def test_the_file(tmp_path: Path) -> None:
    """Left of the middle the right foot's spheres are orange, right of it the left foot's are blue."""
    draw_spheres(small_ring(), tmp_path / "spheres.png")
    with Image.open(tmp_path / "spheres.png") as picture:
        assert picture.size[0] == 1430
        pixels = np.asarray(picture.convert("RGB")).astype(int)
    half = pixels.shape[1] // 2
    above = pixels[: pixels.shape[0] // 2]
    for columns, more, less in ((slice(0, half), 0, 2), (slice(half, None), 2, 0)):
        strong = above[:, columns].max(axis=-1) - above[:, columns].min(axis=-1) > 120
        tinted = above[:, columns][strong]
        assert len(tinted) > 200
        dots = (tinted[:, more] > tinted[:, less]).mean()
        assert dots > 0.6, "but for the foot that stands"


def test_a_rest_has_spheres_too(tmp_path: Path) -> None:
    draw_spheres(resting_ring(), tmp_path / "rest.png")
    assert (tmp_path / "rest.png").stat().st_size > 10_000


def test_what_is_no_ring_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RequestError, match="of a MotionRing, not of str"):
        draw_spheres("walk", tmp_path / "a.png")  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())


def test_without_matplotlib_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By every picture of rings, before anything is worked out."""
    gait = GaitController(small_ring())
    gait.advance(0.0)
    clip = VirtualActor().walk(1.2).motion
    real = builtins.__import__

    def without(name: str, *rest: object) -> object:
        if name.split(".")[0] == "matplotlib":
            raise ImportError(name)
        return real(name, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", without)
    path = tmp_path / "a.png"
    for draw in (
        lambda: draw_spheres(small_ring(), path),
        lambda: draw_graph(small_ring(), path),
        lambda: draw_loop(clip, path),
        lambda: draw_ring_curve(clip, path),
        lambda: draw_search(gait, path, terrain=FlatTerrain()),
    ):
        with pytest.raises(MissingExtra, match=r"pip install 'footfall\[plot\]'"):
            draw()
    assert not list(tmp_path.iterdir())
    monkeypatch.undo()
