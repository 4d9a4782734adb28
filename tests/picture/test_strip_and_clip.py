"""Strips and clips: sizes, captions, frames and durations are those that are stated."""

from __future__ import annotations

import builtins
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from footfall.actor.humanoid import humanoid
from footfall.actor.range_of_motion import range_of_motion
from footfall.errors import MissingExtra
from footfall.figure.motion import Motion
from footfall.picture.clip import draw_clip, save_clip
from footfall.picture.strip import draw_row, save_strip


@pytest.fixture(scope="module")
def walk() -> Motion:
    """Two seconds of moving arms, sliding forward at 1 m/s."""
    take = range_of_motion(humanoid(), fps=60.0)[60:181]
    away = np.arange(len(take))[:, None] / 60.0 * np.array([0.0, 0.0, 1.0])
    return replace(take, root=take.root + away)


class TestRow:
    def test_size_and_captions(self, walk: Motion) -> None:
        row = draw_row(walk, "side", figures=9, width=400)
        assert abs(row.image.shape[1] - 400) <= 1
        assert row.image.shape[0] <= 300
        np.testing.assert_allclose(row.seconds, np.arange(9) / 4)
        assert (np.diff(row.places) > 0).all()  # it walks to the right
        assert row.places[0] > 0
        assert row.places[-1] < row.image.shape[1]

    def test_figures_are_where_their_captions_are(self, walk: Motion) -> None:
        """Over each caption stands something that is neither floor nor paper: strongly tinted limbs."""
        row = draw_row(walk, "side", figures=4, width=500)
        tint = np.ptp(row.image, axis=-1) > 0.2
        for place in row.places:
            assert tint[:, int(place) - 12 : int(place) + 12].any()
        between = ((row.places[:-1] + row.places[1:]) / 2).astype(int)
        assert not tint[:, between].all()

    def test_one_figure_does_not_fill_the_width(self, walk: Motion) -> None:
        row = draw_row(walk, "front", figures=1, width=400)
        assert row.image.shape[0] <= 301
        assert row.image.shape[1] <= 401

    def test_the_same_motion_gives_the_same_picture(self, walk: Motion) -> None:
        first, second = (draw_row(walk, "three-quarter", figures=3, width=200).image for _ in range(2))
        np.testing.assert_array_equal(first, second)


class TestStrip:
    @pytest.fixture(autouse=True)
    def _plot(self) -> None:
        pytest.importorskip("matplotlib", reason="pictures need the extra 'plot'")

    def test_a_png_is_1650_pixels_wide_and_one_row_a_view_high(self, walk: Motion, tmp_path: Path) -> None:
        from PIL import Image

        heights = []
        for views in (("side",), ("side", "side")):
            save_strip(walk, tmp_path / "a.png", views=views, figures=9, width=300)
            with Image.open(tmp_path / "a.png") as image:
                assert image.size[0] == 1650
                heights.append(image.size[1])
        row = draw_row(walk, "side", figures=9, width=300).image.shape
        assert heights[1] - heights[0] == pytest.approx(110 * (15.0 * row[0] / row[1] + 0.42), abs=2)

    def test_without_matplotlib_the_extra_is_named(
        self, walk: Motion, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        _forbid(monkeypatch, "matplotlib")
        with pytest.raises(MissingExtra, match=r"pip install 'footfall\[plot\]'"):
            save_strip(walk, tmp_path / "a.png")
        assert not list(tmp_path.iterdir())


class TestClip:
    @pytest.mark.parametrize(("frames", "pictures"), [(1, 1), (49, 11), (61, 13), (121, 26)])
    def test_a_picture_every_eight_hundredths_of_a_second_all_of_one_size(
        self, frames: int, pictures: int, walk: Motion
    ) -> None:
        images = draw_clip(walk[:frames], view="side", height=80)
        assert len(images) == pictures
        assert {image.shape for image in images} == {images[0].shape}
        assert abs(images[0].shape[0] - 80) <= 1
        assert images[0].dtype == np.uint8

    def test_a_slower_motion_keeps_its_frames(self, walk: Motion) -> None:
        assert len(draw_clip(walk[::6], height=60)) == 21  # 10 Hz

    def test_the_camera_goes_along(self, walk: Motion) -> None:
        """The figure stays in the middle while it slides two metres."""
        for image in draw_clip(walk, view="side", height=80)[::6]:
            tinted = np.flatnonzero((np.ptp(image.astype(int), axis=-1) > 50).any(axis=0))
            middle = 0.5 * image.shape[1]
            assert abs(tinted.mean() - middle) < 0.2 * image.shape[1]

    @pytest.mark.parametrize(("step", "milliseconds"), [(1, 80), (6, 100)])
    def test_a_gif_runs_in_real_time(
        self, step: int, milliseconds: int, walk: Motion, tmp_path: Path
    ) -> None:
        pil = pytest.importorskip("PIL.Image", reason="pictures need the extra 'plot'")
        shown = walk[::step]
        save_clip(shown, tmp_path / "a.gif", height=60)
        with pil.open(tmp_path / "a.gif") as image:
            assert image.info["loop"] == 0  # for ever
            expected = draw_clip(shown, height=60)
            assert image.size == expected[0].shape[1::-1]
            durations = []
            for frame in range(image.n_frames):
                image.seek(frame)
                durations.append(image.info["duration"])
        assert sum(durations) == milliseconds * len(expected)
        assert min(durations) == milliseconds

    def test_a_still_motion_lasts_as_long(self, walk: Motion, tmp_path: Path) -> None:
        """Equal pictures may be stored as one, but not for less time."""
        pil = pytest.importorskip("PIL.Image", reason="pictures need the extra 'plot'")
        still = Motion(walk.skeleton, walk.root[:1].repeat(20, 0), walk.rotations[:1].repeat(20, 0), 12.5)
        save_clip(still, tmp_path / "a.gif", height=60)
        with pil.open(tmp_path / "a.gif") as image:
            total = 0
            for frame in range(getattr(image, "n_frames", 1)):
                image.seek(frame)
                total += image.info["duration"]
        assert total == 1600

    def test_without_pillow_the_extra_is_named(
        self, walk: Motion, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        _forbid(monkeypatch, "PIL")
        with pytest.raises(MissingExtra, match=r"pip install 'footfall\[plot\]'"):
            save_clip(walk, tmp_path / "a.gif")
        assert not list(tmp_path.iterdir())


def _forbid(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    """As if a package were not installed."""
    real = builtins.__import__

    def without(name: str, *rest: object) -> object:
        if name.split(".")[0] == package:
            raise ImportError(name)
        return real(name, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", without)
