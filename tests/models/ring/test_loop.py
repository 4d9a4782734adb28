"""A loop played on: what moves it from one cycle to the next."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.transform import Rotation

from footfall.errors import RequestError
from tests.models.ring.gaits import loop


@pytest.mark.parametrize("index", [0, 20, 60])
def test_each_cycle_is_the_one_before_moved_on(index: int) -> None:
    ring, played = loop(index), loop(index).cycles(4)
    frames, first = len(ring), ring.motion.root[0]
    turn = Rotation.from_euler("y", ring.turn)
    places = np.array(played.positions).reshape(4, frames, -1, 3)
    for before, after in pairwise(places):
        moved = turn.apply((before - before[0, 0]).reshape(-1, 3)).reshape(before.shape) + after[0, 0]
        assert_allclose(moved, after, rtol=0, atol=1e-9)
    assert_allclose(played.root[frames], first + ring.advance, rtol=0, atol=1e-12)
    assert_allclose(
        played.root[2 * frames], first + ring.advance + turn.apply(np.array(ring.advance)), atol=1e-12
    )


def test_the_first_cycle_is_the_loop_itself() -> None:
    ring, played = loop(20), loop(20).cycles(3)
    assert_allclose(played.root[: len(ring)], ring.motion.root, rtol=0, atol=1e-14)
    assert_allclose(played.positions[: len(ring)], ring.motion.positions, rtol=0, atol=1e-12)
    assert played.contacts is not None
    assert ring.motion.contacts is not None
    assert_array_equal(played.contacts.heel, np.tile(ring.motion.contacts.heel, (3, 1)))
    assert played.fps == 60.0
    assert ring.seconds == len(ring) / 60


def test_signs_of_rotations_run_on() -> None:
    rotations = loop(20).cycles(5).rotations
    assert (np.einsum("tjc,tjc->tj", rotations[1:], rotations[:-1]) > 0).all()


@pytest.mark.parametrize("count", [0, -1, 10**6])
def test_refuses_counts_that_make_no_motion(count: int) -> None:
    with pytest.raises(RequestError, match="1 to 10000 times"):
        loop(0).cycles(count)


def test_refuses_what_is_no_loop() -> None:
    good = loop(0)
    with pytest.raises(RequestError, match="contacts"):
        replace(good, motion=replace(good.motion, contacts=None))
    with pytest.raises(RequestError, match="frames from 0 to"):
        replace(good, strikes=(0, len(good)))
    with pytest.raises(RequestError, match="finite"):
        replace(good, turn=np.nan)
    with pytest.raises(RequestError, match="finite"):
        replace(good, advance=np.full(3, np.inf))
    with pytest.raises(RequestError, match="trailing axes"):
        replace(good, advance=np.zeros(2))


def test_its_numbers_cannot_be_changed_and_are_told() -> None:
    with pytest.raises(ValueError, match="read-only"):
        loop(0).advance[0] = 1.0
    assert f"{len(loop(0))} frames, 1.12 m" in repr(loop(0))
