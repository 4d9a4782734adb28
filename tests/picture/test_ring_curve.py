"""Curves of samples: what is drawn is the scaling of the poses, closed where the loop is closed."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from scipy.spatial.distance import pdist

from footfall.actor.virtual_actor import VirtualActor
from footfall.errors import RequestError
from footfall.figure.motion import Motion
from footfall.models.ring.looping import loop_of
from footfall.models.ring.pose_curve import pose_distances
from footfall.models.ring.sample import sample_of
from footfall.picture.page import require_pyplot
from footfall.picture.ring_curve import BEZIER, ClosedCurve, draw_ring_curve, ring_curve_page
from tests.captured import captured


@cache
def spiral() -> Motion:
    """Up a spiral stair."""
    return sample_of(VirtualActor().stairs(0.16, 0.6, turn=0.2).motion)


@pytest.fixture(scope="module")
def curve() -> ClosedCurve:
    return ClosedCurve.of(spiral())


def test_places_are_as_far_apart_as_the_poses(curve: ClosedCurve) -> None:
    """Never farther: a projection; and nearly as far, for four dimensions hold a gait."""
    apart = pose_distances(curve.piece.motion)[np.triu_indices(len(curve.curve), 1)]
    shown = pdist(curve.curve)
    assert (shown <= apart + 1e-9).all()
    assert np.corrcoef(shown, apart)[0, 1] > 0.995


def test_the_whole_sample_lies_on_the_axes_of_its_piece(curve: ClosedCurve) -> None:
    """The piece is cut out of the sample: each of its places is near one of the sample's."""
    away = np.linalg.norm(curve.curve[:, None] - curve.sample[None], axis=-1).min(axis=1)
    steps = np.linalg.norm(np.diff(curve.sample, axis=0), axis=1)
    assert away.max() < steps.max()
    assert len(curve.sample) > len(curve.cycle)


def test_the_loop_s_poses_are_on_the_closed_curve(curve: ClosedCurve) -> None:
    """Outside the seam they are the cycle's own, within it kriging leads to the Bezier piece."""
    inside = curve.region[1:-1]
    outside = np.setdiff1d(np.arange(curve.piece.frames), inside)
    np.testing.assert_allclose(curve.loop[outside], curve.cycle[outside], atol=1e-9)
    assert np.abs(curve.loop[curve.region] - curve.bezier).max() < 0.004
    last, first = loop_of(spiral()).seam
    assert (int(curve.region[0]), int(curve.region[-1])) == (last, first)


def test_the_bezier_piece_begins_and_ends_on_what_stays(curve: ClosedCurve) -> None:
    np.testing.assert_allclose(curve.bezier[[0, -1]], curve.rest[[-1, 0]], atol=1e-12)


def test_a_row_of_four_panels_a_sample() -> None:
    samples = {"a spiral": spiral(), "a run": sample_of(VirtualActor().run(2.5).motion)}
    page = ring_curve_page(samples)
    assert [part.get_suptitle().split(":")[0] for part in page.subfigs] == list(samples)
    for part in page.subfigs:
        _, cycle, closed, gap = part.axes
        assert "[cm]" in closed.get_xlabel()
        assert "[cm]" in gap.get_ylabel()
        assert cycle.get_xlim() == closed.get_xlim()
        red = next(line for line in closed.lines if line.get_color() == BEZIER)
        ring = next(line for line in closed.lines if line.get_linestyle() == "None")
        ends = red.get_xydata()[[0, -1]]
        away = np.linalg.norm(ring.get_xydata()[:, None] - ends, axis=-1).min(axis=0)
        assert away.max() < 1e-6, "the seam's ends are poses of the loop"
    require_pyplot().close(page)


def test_the_file(tmp_path: Path) -> None:
    """As many red pixels as a seam is long, and one row's size."""
    draw_ring_curve(spiral(), tmp_path / "curve.png")
    with Image.open(tmp_path / "curve.png") as picture:
        pixels = np.asarray(picture.convert("RGB")).astype(int)
    assert pixels.shape[:2] == (324, 1650)
    red = np.abs(pixels - [0xE0, 0x35, 0x2B]).max(axis=-1) < 12
    columns = red.any(axis=0)
    assert red.sum() > 200
    assert not columns[: 1650 // 2 - 100].any(), "the sample and its cycle have no Bezier piece"


def test_a_captured_run() -> None:
    """Its ends are apart, and its loop is as long as the cycle that is drawn."""
    run = sample_of(captured("run/16_35.bvh"))
    curve = ClosedCurve.of(run)
    assert curve.piece.frames == len(loop_of(run))
    assert 0.002 < curve.gap < 0.03
    assert np.abs(curve.loop[curve.region] - curve.bezier).max() < 0.004


@pytest.mark.parametrize(
    ("given", "says"),
    [({}, "no sample is given"), ([1, 2], "no sample is given"), ({"a": 3}, "of a motion, not of int")],
)
def test_what_is_no_sample_is_refused(given: object, says: str, tmp_path: Path) -> None:
    with pytest.raises(RequestError, match=says):
        draw_ring_curve(given, tmp_path / "a.png")  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())


def test_who_stands_has_no_loop(tmp_path: Path) -> None:
    with pytest.raises(RequestError, match="a loop needs a little more than one gait cycle"):
        draw_ring_curve(VirtualActor().idle(2.0).motion, tmp_path / "a.png")
    assert not list(tmp_path.iterdir())
