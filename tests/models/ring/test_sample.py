"""Pieces of clips: how many steps, how long, and how different."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from footfall.analysis.facing import trunk_headings
from footfall.errors import RequestError
from footfall.figure.motion import Motion
from footfall.models.ring.looping import loop_of
from footfall.models.ring.sample import sample_of, samples_of
from tests.captured import captured
from tests.captures import needs_captures
from tests.models.ring.gaits import ACTOR, example


def starts(motion: Motion) -> int:
    """How often a foot comes down in a motion, by its contacts."""
    assert motion.contacts is not None
    down = [np.diff(motion.contacts.stands(side).astype(int)) == 1 for side in ("left", "right")]
    return int(np.sum(down))


@pytest.mark.parametrize("index", ACTOR)
def test_the_middle_three_steps(index: int) -> None:
    clip, piece = example(index).motion, sample_of(example(index).motion)
    assert starts(piece) == 4  # the strike that begins them, and their own three
    step = example(index).parameters["step_seconds"]
    assert piece.seconds == pytest.approx(3 * step + 0.2, abs=3 / 60)
    at = int(np.argmin(np.linalg.norm(clip.root - piece.root[0], axis=1)))
    assert abs((at + 0.5 * len(piece)) / len(clip) - 0.5) < 0.15
    np.testing.assert_array_equal(piece.root, clip.root[at : at + len(piece)])


def test_every_three_steps() -> None:
    """Eight strikes, the first at the very start of a clip perhaps: four or five rows of four."""
    pieces = samples_of(example(0).motion)
    assert len(pieces) in (4, 5)
    assert all(starts(piece) == 4 for piece in pieces)


def test_contacts_are_those_of_the_whole_clip() -> None:
    clip = example(0).motion
    found = sample_of(replace(clip, contacts=None))
    assert found.contacts is not None
    assert starts(found) == 4


@needs_captures
def test_a_clip_that_turns_gives_pieces_that_turn_differently() -> None:
    pieces = samples_of(captured("turn-side-back/16_13.bvh"))
    turns = np.degrees([np.ptp(trunk_headings(piece)) for piece in pieces])
    assert len(pieces) >= 3
    assert np.ptp(turns) > 20
    looped = np.degrees([loop_of(piece).turn for piece in pieces])
    assert np.ptp(looped) > 20


@needs_captures
def test_a_run_too_short_for_three_steps_is_taken_whole() -> None:
    clip = captured("run/16_45.bvh")
    assert len(samples_of(clip)) == 1
    assert len(sample_of(clip)) == len(clip)


@needs_captures
def test_a_long_clip_gives_many() -> None:
    assert len(samples_of(captured("turn-side-back/69_36.bvh"))) > 40


def test_refuses_a_clip_without_steps() -> None:
    clip = example(0).motion
    still = replace(
        clip,
        root=np.tile(clip.root[:1], (900, 1)),
        rotations=np.tile(clip.rotations[:1], (900, 1, 1)),
        contacts=None,
    )
    for take in (sample_of, samples_of):
        with pytest.raises(RequestError, match=r"no three steps were found in this clip of 14\.98 s"):
            take(still)
        with pytest.raises(RequestError, match="three steps"):
            take(still[:1])
        with pytest.raises(RequestError, match="batch"):
            take(Motion(clip.skeleton, clip.root[None], clip.rotations[None], 60.0))
