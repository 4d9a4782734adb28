"""Pieces by name: every one performs, exactly, and a seed makes it another person's."""

from __future__ import annotations

import numpy as np
import pytest

from footfall.actor.repertoire import PIECES, play
from footfall.analysis.certificate import certificate
from footfall.errors import RequestError


@pytest.mark.parametrize("name", PIECES)
def test_every_piece_is_performed_exactly(name: str) -> None:
    piece = play(f"{name}@3")
    found = certificate(piece.motion)
    # what is performed is told to a nanometre (actor/performed.py)
    assert found.slide_max_m < 5e-9
    assert found.penetration_max_m < 5e-9
    assert found.leg_extension_max < 0.994
    assert found.bone_stretch_max < 1e-12
    assert piece.motion.seconds > 1.5


def test_another_seed_is_another_person_and_the_same_seed_the_same() -> None:
    one, again, other = (play(text).motion for text in ("walk", "walk@0", "walk@1"))
    assert np.array_equal(one.rotations, again.rotations)
    assert other.skeleton.height != one.skeleton.height


def test_the_frame_rate_can_be_chosen() -> None:
    slow, fast = play("jump", fps=30.0).motion, play("jump", fps=120.0).motion
    assert (slow.fps, fast.fps) == (30.0, 120.0)
    assert np.abs(fast.positions[::4][: len(slow)] - slow.positions[: len(fast[::4])]).max() < 1e-9


@pytest.mark.parametrize(
    "text", ["", "dance", "walk@", "walk@-1", "walk@one", "walk@1.5", "walk@99999999999"]
)
def test_what_is_not_there_is_refused_with_what_is(text: str) -> None:
    with pytest.raises(RequestError, match=r"it has walk, run|a person is a whole number"):
        play(text)
