"""Loops that several tests look at, made once."""

from __future__ import annotations

from functools import cache

import numpy as np
from jaxtyping import Bool

from footfall.actor.virtual_actor import VirtualActor
from footfall.figure.example import Example
from footfall.figure.motion import Motion
from footfall.models.ring.loop import Loop
from footfall.models.ring.looping import Piece, loop_of, piece_of
from footfall.models.ring.sample import sample_of
from tests.captured import captured

# a level walk, a spiral up, a half circle down; a run, a spiral run
ACTOR = (0, 20, 33, 43, 60)


def example(index: int) -> Example:
    return VirtualActor().perform("rings")[index]


@cache
def sample(index: int) -> Motion:
    return sample_of(example(index).motion)


@cache
def piece(index: int) -> Piece:
    return piece_of(sample(index))


@cache
def loop(index: int) -> Loop:
    return loop_of(sample(index), example(index).name)


@cache
def captured_loop(file: str) -> Loop:
    return loop_of(sample_of(captured(file)), file)


def in_seam(loop: Loop) -> Bool[np.ndarray, "frames"]:
    """Frames at which velocities can have changed."""
    last, first = loop.seam
    frames = np.arange(len(loop))
    return (frames >= last - 1) | (frames <= first + 1)
