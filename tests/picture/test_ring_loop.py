"""A sample beside its loop: figures at strikes, one scale for both."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from footfall.actor.virtual_actor import VirtualActor
from footfall.errors import RequestError
from footfall.figure.motion import Motion
from footfall.models.ring.loop import Loop
from footfall.models.ring.looping import loop_of
from footfall.models.ring.sample import sample_of
from footfall.picture.page import require_pyplot
from footfall.picture.ring_loop import draw_loop, loop_page, strikes_of
from tests.models.ring.rings import small_ring


@cache
def spiral() -> Motion:
    """Up a spiral stair."""
    return sample_of(VirtualActor().stairs(0.16, 0.6, turn=0.2).motion)


@cache
def looped() -> Loop:
    return loop_of(spiral())


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    require_pyplot().close("all")


def test_strikes_are_those_of_the_sample_and_of_its_loop() -> None:
    """Three steps have four strikes; twice a cycle has four, a half cycle apart."""
    motion, twice = spiral(), looped().cycles(2)
    assert len(strikes_of(motion)) == 4
    frames, own = strikes_of(twice), looped()
    assert len(frames) == 4
    np.testing.assert_allclose(frames[2:] - frames[:2], len(own), atol=1)


def test_both_have_their_words() -> None:
    page = loop_page(spiral(), title="Up")
    told = [text.get_text() for text in page.texts]
    assert told[0].startswith("Up. (a) the sample")
    assert f"{looped().seconds:.2f} s, played twice" in told[1]
    left, right = page.axes
    for axes in (left, right):
        assert [t.get_text().split("\n")[0] for t in axes.texts] == [f"strike {k}" for k in (1, 2, 3, 4)]
        wide = axes.images[0].get_array().shape[1]
        places = [t.xy[0] for t in axes.texts]
        assert places == sorted(places)
        assert places[0] > 0.0
        assert places[-1] < wide
    heights = [axes.images[0].get_array().shape[0] for axes in (left, right)]
    assert heights[0] == heights[1]


def test_the_file(tmp_path: Path) -> None:
    """Both limbs' colours in both pictures."""
    draw_loop(spiral(), tmp_path / "loop.png")
    with Image.open(tmp_path / "loop.png") as picture:
        assert picture.size[0] == 1650
        pixels = np.asarray(picture.convert("RGB")).astype(int)
    for part in np.array_split(pixels, 2, axis=1):
        red, blue = part[..., 0] - part[..., 2] > 60, part[..., 2] - part[..., 0] > 60
        assert red.mean() > 0.02
        assert blue.mean() > 0.02


def test_what_is_no_sample_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RequestError, match="of a motion, not of MotionRing"):
        draw_loop(small_ring(), tmp_path / "a.png")  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())
