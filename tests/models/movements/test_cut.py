"""Steps and jumps cut from clips: keytimes at the middles of double support, nothing that is neither."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.actor.virtual_actor import VirtualActor
from footfall.errors import RequestError
from footfall.figure.example import Example
from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.models.movements.cut import (
    AROUND_JUMP,
    SHORTEST,
    STANDING,
    cut_movements,
)
from tests.captured import captured
from tests.models.movements.libraries import walks


@cache
def from_walks() -> tuple[Example, ...]:
    return tuple(cut_movements(walks()))


def test_every_step_of_a_walk_is_found() -> None:
    """A walk of three steps shows two or three whole ones, left and right in turn."""
    for number, clip in enumerate(walks()):
        own = [e for e in from_walks() if e.name.startswith(f"clip {number + 1},")]
        assert 2 <= len(own) <= 4
        kinds = [e.kind for e in own]
        assert all(a != b for a, b in pairwise(kinds))
        for example in own:
            assert len(example.motion) == len(clip)


def test_keytimes_are_toe_off_and_strike_between_double_supports() -> None:
    for example in from_walks():
        start, off, strike, end = example.keytimes
        motion = example.motion
        assert motion.contacts is not None
        moving = example.kind.removesuffix("_step")
        other = {"left": "right", "right": "left"}[moving]
        stands, fixed = motion.contacts.stands(moving), motion.contacts.stands(other)
        a, b, c, d = (t * motion.fps for t in (start, off, strike, end))
        assert stands[round(b) - 1]
        assert not stands[round(b) : round(c)].any()
        assert stands[round(c)]
        assert fixed[round(b) : round(c)].all()
        least = SHORTEST * motion.fps
        assert b - a >= least - 1e-9 or a == 0.0
        assert d - c >= least - 1e-9 or d == len(motion) - 1
        # a double support that is very short is made longer
        assert (stands & fixed)[round(a)] or b - a == pytest.approx(least)
        assert (stands & fixed)[round(d)] or d - c == pytest.approx(least)
        # the middle of the double support before: as long before it both feet begin to stand
        both = np.flatnonzero(~(stands & fixed)[: round(a)])
        if len(both) and b - a > least + 1e-9:
            begin = both[-1] + 1
            assert a == pytest.approx(0.5 * (begin + b), abs=1.5)


def test_a_stand_belongs_to_its_step_for_a_little() -> None:
    motion = stood(VirtualActor().start_and_stop(1.1, steps=3).motion, 90)
    found = cut_movements([motion])
    first, last = found[0], found[-1]
    assert first.keytimes[1] - first.keytimes[0] == pytest.approx(STANDING, abs=0.02)
    assert last.keytimes[3] - last.keytimes[2] == pytest.approx(STANDING, abs=0.02)
    for example in found[1:-1]:
        assert example.keytimes[1] - example.keytimes[0] < STANDING


def stood(motion: Motion, frames: int) -> Motion:
    """The motion with its first and its last frame held."""
    contacts = motion.contacts
    assert contacts is not None
    every = np.clip(np.arange(-frames, len(motion) + frames), 0, len(motion) - 1)
    return Motion(
        motion.skeleton,
        motion.root[every],
        motion.rotations[every],
        motion.fps,
        contacts=contacts.frames(every),
    )


def test_a_jump_is_found_from_standing_to_standing() -> None:
    example = VirtualActor().jump(0.8, 0.3)
    found = [e for e in cut_movements([example.motion]) if e.kind == "jump"]
    (jump,) = found
    assert_allclose(jump.keytimes[1:3], example.keytimes[1:3], rtol=0, atol=0.05)
    start, off, strike, end = jump.keytimes
    assert off - start <= AROUND_JUMP + 1e-9
    assert end - strike <= AROUND_JUMP + 1e-9
    contacts = jump.motion.contacts
    assert contacts is not None
    for side in ("left", "right"):
        assert contacts.stands(side)[round(start * jump.motion.fps)]


def test_captured_feet_are_calibrated_and_pinned() -> None:
    clip = captured("steps/83_20.bvh")
    found = cut_movements([clip], ["a clip"])
    assert {e.kind for e in found} <= {"left_step", "right_step"}
    assert found
    assert all(e.name.startswith("a clip, ") for e in found)
    made = found[0].motion
    assert made.contacts is not None
    assert made.skeleton.feet is not None
    for side in ("left", "right"):
        foot = made.skeleton.joint(f"{side}_foot")
        assert made.skeleton.foot_points(side).heel.shape == (3,)
        flat = made.contacts.flat(side)
        runs = np.flatnonzero(np.diff(flat.astype(int)))
        start = int(runs[0]) + 1 if not flat[0] else 0
        while not flat[start]:
            start += 1
        stop = start
        while stop < len(flat) and flat[stop]:
            stop += 1
        ankle = made.positions[start:stop, foot]
        assert np.ptp(ankle[:, [0, 2]], axis=0).max() < 0.02


def test_without_clips_it_is_refused() -> None:
    with pytest.raises(RequestError, match="no clips were given"):
        cut_movements([])


def test_clips_in_which_nobody_steps_are_refused() -> None:
    motion = walks()[0]
    still = Motion(
        motion.skeleton,
        np.tile(motion.root[0], (60, 1)),
        np.tile(motion.skeleton.rest, (60, 1, 1)),
        60.0,
    )
    with pytest.raises(RequestError, match="no step and no jump was found"):
        cut_movements([still])


def test_a_figure_without_legs_is_refused() -> None:
    skeleton = Skeleton.build(["a", "b"], [-1, 0], np.array([[0.0, 0, 0], [0, 1, 0]]))
    motion = Motion(skeleton, np.zeros((5, 3)), np.tile(skeleton.rest, (5, 1, 1)), 30.0)
    with pytest.raises(RequestError, match="hips and two legs"):
        cut_movements([motion])
