"""A ring character led along a path and recorded: it stands where the path ends, as the certificate says."""

from __future__ import annotations

import numpy as np
import pytest

import footfall as ff
from footfall.models.ring.default import default_gaits
from footfall.models.ring.graph import RingGraph


@pytest.fixture(scope="module")
def gaits() -> RingGraph:
    return default_gaits()


@pytest.fixture(scope="module")
def path() -> ff.Path:
    posts = [ff.Placed.upright(ff.Cylinder(0.3, 2.0), np.array([0.1, 1.0, 2.5]))]
    return ff.plan_path(ff.WalkMap.of(ff.FlatTerrain(), posts, area=((-3, -2), (3, 7))), (0, 0), (0.4, 5))


@pytest.fixture(scope="module")
def walked(gaits: RingGraph, path: ff.Path) -> ff.Motion:
    return ff.follow_path(gaits, path, heading=0.8)


def test_it_ends_in_a_stand_at_the_end_of_the_path(walked: ff.Motion, path: ff.Path) -> None:
    assert walked.contacts is not None
    feet = np.stack([walked.of(f"{side}_foot")[-1] for side in ("left", "right")])
    assert np.hypot(*(feet.mean(axis=0) - path.points[-1])[[0, 2]]) < 0.15
    still = walked.root[-20:] - walked.root[-1]
    assert np.abs(still).max() < 0.02
    assert all(walked.contacts.stands(side)[-1] for side in ("left", "right"))


def test_it_faces_as_it_was_told(walked: ff.Motion) -> None:
    across = walked.of("left_thigh")[-1] - walked.of("right_thigh")[-1]
    facing = np.arctan2(-across[2], across[0])
    assert np.degrees(abs(facing - 0.8)) < 8.0


def test_it_goes_along_the_path(walked: ff.Motion, path: ff.Path) -> None:
    away = [np.hypot(*(path.point(path.nearest(p)) - p)[[0, 2]]) for p in walked.root[::10] * [1.0, 0.0, 1.0]]
    assert max(away) < 0.35


def test_feet_stand_and_nothing_jerks(walked: ff.Motion) -> None:
    made = walked.certificate()  # type: ignore[attr-defined]
    assert made.slide_max_m < 1e-3
    assert made.acceleration_ratio < 2.0
    assert made.clamped == ()


def test_what_takes_too_long_is_said(gaits: RingGraph, path: ff.Path) -> None:
    short = ff.follow_path(gaits, path, longest=2.0)
    assert short.seconds == pytest.approx(2.0)
    assert any("the end of the path is" in sentence for sentence in short.clamped)


def test_bad_wishes_are_said(gaits: RingGraph, path: ff.Path) -> None:
    with pytest.raises(ff.RequestError, match="a Path is needed"):
        ff.follow_path(gaits, [(0, 0), (0, 1)])  # type: ignore[arg-type]
    with pytest.raises(ff.RequestError, match="a MotionRing or a RingGraph is needed"):
        ff.follow_path("walk", path)  # type: ignore[arg-type]
    with pytest.raises(ff.RequestError, match="fps must be"):
        ff.follow_path(gaits, path, fps=0.0)
