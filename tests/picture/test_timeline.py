"""The timeline: bars are the contacts to the frame, lines the shown times; a strip with feet has one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.figure.contacts import Contacts
from footfall.picture.footprints import INK
from footfall.picture.strip import draw_row, draw_strip, save_strip
from footfall.picture.timeline import LANES, bars, draw_timeline
from tests.gaits import made

plt = pytest.importorskip("matplotlib.pyplot", reason="pictures need the extra 'plot'")

FPS = 60.0


@pytest.fixture
def axes() -> Iterator[Any]:
    figure = plt.figure(figsize=(15, 1))
    yield figure.add_axes((0.06, 0.2, 0.9, 0.8))
    plt.close(figure)


def rectangles(axes: Any) -> dict[str, np.ndarray]:
    """By lane: left, right, bottom, top of each bar."""
    found = {}
    for collection in axes.collections:
        corners = [path.vertices for path in collection.get_paths()]
        sides = [(c[:, 0].min(), c[:, 0].max(), c[:, 1].min(), c[:, 1].max()) for c in corners]
        found[collection.get_label()] = np.array(sides).reshape(-1, 4)
    return found


@pytest.mark.parametrize("gait", ["walk", "backward", "run", "stand"])
def test_bars_are_the_contacts_to_the_frame(gait: str) -> None:
    contacts = made(gait, FPS).contacts
    for (side, part), stretches in bars(contacts, FPS).items():
        touching = contacts.heel_of(side) if part == "heel" else contacts.toe_of(side)
        again = np.zeros(len(contacts), dtype=bool)
        for start, length in stretches:
            again[round(start * FPS) : round((start + length) * FPS)] = True
        np.testing.assert_array_equal(again, touching)


def test_bars_of_a_walk_are_its_stances() -> None:
    truth = made("walk", FPS)
    found = bars(truth.contacts, FPS)
    for side in ("left", "right"):
        whole = [s for s in truth.stances if s.foot == side and s.strike > 0 and s.off < truth.motion.seconds]
        for part, first, last in (("heel", "strike", "lift"), ("toe", "flat", "off")):
            inner = [b for b in found[side, part] if b[0] > 0 and sum(b) < truth.motion.seconds]
            wanted = [(getattr(s, first), getattr(s, last)) for s in whole]
            seen = [(start, start + length) for start, length in inner]
            assert_allclose(seen[: len(wanted)], wanted, rtol=0, atol=1.5 / FPS)


class TestAxes:
    def test_lanes(self, axes: Any) -> None:
        """Four lanes that do not touch, the left foot's above the right's, in their colours, named beside."""
        contacts = made("walk", FPS).contacts
        draw_timeline(axes, contacts, FPS)
        found = rectangles(axes)
        assert list(found) == [f"{side} {part}" for side, part in LANES]
        lows, highs = ([lane[0, k] for lane in found.values()] for k in (2, 3))
        assert all(high < low for high, low in zip(highs[1:], lows[:-1], strict=True))
        for (side, part), collection in zip(LANES, axes.collections, strict=True):
            assert_allclose(collection.get_facecolor()[0][:3], INK[side])
            name, lane = f"{side} {part}", found[f"{side} {part}"]
            (tick,) = (t for t in axes.get_yticklabels() if t.get_text() == name)
            assert lane[0, 2] < tick.get_position()[1] < lane[0, 3]

    def test_time_runs_over_the_whole_clip(self, axes: Any) -> None:
        contacts = made("walk", FPS).contacts
        draw_timeline(axes, contacts, FPS)
        assert axes.get_xlim() == (0.0, pytest.approx(len(contacts) / FPS))
        for lane, stretches in zip(rectangles(axes).values(), bars(contacts, FPS).values(), strict=True):
            assert_allclose(lane[:, 0], [start for start, _ in stretches], rtol=0, atol=1e-9)
            assert_allclose(lane[:, 1], [sum(each) for each in stretches], rtol=0, atol=1e-9)

    def test_lines_at_the_shown_times(self, axes: Any) -> None:
        draw_timeline(axes, made("walk", FPS).contacts, FPS, [0.0, 0.5, 1.25])
        assert [line.get_xdata()[0] for line in axes.lines] == [0.0, 0.5, 1.25]

    @pytest.mark.parametrize("frames", [0, 1, 5])
    def test_nobody_stands(self, frames: int, axes: Any) -> None:
        draw_timeline(axes, Contacts.none(frames), FPS)
        assert all(len(lane) == 0 for lane in rectangles(axes).values())
        axes.figure.canvas.draw()


class TestStrip:
    def test_the_last_axes_are_the_timeline_of_the_figures(self) -> None:
        motion = made("walk", FPS).given
        figure = draw_strip(motion, views=("side", "map"), figures=4, width=200)
        try:
            side, above, timeline = figure.axes
            row = draw_row(motion, "side", figures=4, width=200)
            assert_allclose([line.get_xdata()[0] for line in timeline.lines], row.seconds)
            boxes = [a.get_position() for a in (side, above, timeline)]
            assert boxes[0].y0 > boxes[1].y1 > boxes[1].y0 > boxes[2].y1  # nothing overlaps
            assert all(0 <= b.x0 < b.x1 <= 1 and 0 <= b.y0 < b.y1 <= 1 for b in boxes)
        finally:
            plt.close(figure)

    def test_words_do_not_overlap(self) -> None:
        """Captions of a map that doubles back, heights, ticks and lanes: no two texts of one axes touch."""
        motion = made("stairs", FPS).given
        figure = draw_strip(motion, figures=9, width=1500)
        try:
            figure.canvas.draw()
            for axes in figure.axes:
                texts = [
                    t for t in (*axes.texts, *axes.get_xticklabels(), *axes.get_yticklabels()) if t.get_text()
                ]
                boxes = [t.get_window_extent() for t in texts]
                for i, one in enumerate(boxes):
                    assert not any(one.overlaps(other) for other in boxes[:i])
        finally:
            plt.close(figure)

    def test_without_legs_there_is_neither_timeline_nor_map(self) -> None:
        motion = made("stand", FPS).motion
        roles = {r: j for r, j in motion.skeleton.roles.items() if "thigh" not in r}
        figure = draw_strip(
            replace(motion, skeleton=replace(motion.skeleton, roles=roles)), figures=2, width=200
        )
        try:
            assert len(figure.axes) == 3
        finally:
            plt.close(figure)

    def test_contacts_that_a_motion_carries_are_shown(self) -> None:
        motion = made("walk", FPS).motion
        figure = draw_strip(
            replace(motion, contacts=Contacts.none(len(motion))), views=("side",), figures=2, width=200
        )
        try:
            assert all(len(lane) == 0 for lane in rectangles(figure.axes[-1]).values())
        finally:
            plt.close(figure)

    def test_saved(self, tmp_path: Path) -> None:
        from PIL import Image

        save_strip(made("turn", FPS).given, tmp_path / "a.png", views=("map",), width=400)
        with Image.open(tmp_path / "a.png") as image:
            pixels = np.asarray(image.convert("RGB")) / 255.0
        bottom = pixels[-110:]
        for colour in INK.values():
            assert (np.abs(bottom - np.array(colour)).max(axis=-1) < 0.02).any()
