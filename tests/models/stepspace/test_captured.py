"""Captured steps: their times are when feet leave and land, their prints where soles rest."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose

import footfall as ff
from footfall.adapt.normalize import placed
from footfall.adapt.one_figure import CleanClip, on_one_figure
from footfall.figure.contacts import Contacts
from footfall.figure.mirror import mirror
from footfall.models.stepspace.captured import LONGEST_HALF, SHORTEST, WAYS, CapturedStep, captured_steps
from tests.captured import captured
from tests.captures import needs_captures
from tests.models.stepspace.judges import clean_parts, sole_of, turned, walked_steps
from tests.models.stepspace.spaces import session_parts

OTHER = {"left": "right", "right": "left"}


@cache
def run_steps() -> tuple[CapturedStep, ...]:
    return tuple(captured_steps(on_one_figure([ff.VirtualActor().at(60.0).run(2.8).motion])))


def frames(step: CapturedStep) -> np.ndarray:
    return np.rint(step.keytimes * step.clip.fps).astype(int)


def test_every_kind_of_step_is_found() -> None:
    steps = walked_steps()
    assert {s.step.kind for s in steps} == set(WAYS)
    assert not any(s.runs for s in steps)
    assert {s.number for s in steps} == set(range(len(session_parts())))
    assert steps[0].name.startswith(f"{steps[0].step.foot} {steps[0].step.kind} step at")


def test_between_its_times_the_swing_foot_is_in_the_air_and_the_other_stands() -> None:
    for s in walked_steps():
        seen = clean_parts()[s.number].seen
        start, off, strike, end = frames(s)
        assert_allclose(s.keytimes[1:3] * s.clip.fps, [off, strike], atol=1e-9)
        assert s.swing == (s.keytimes[1], s.keytimes[2])
        swing, other = seen.stands(s.step.foot), seen.stands(OTHER[s.step.foot])
        assert not swing[off:strike].any()
        assert swing[start:off].all()
        assert swing[strike:end].all()
        assert other[start:end].all()


def test_double_stances_are_shared_halfway_and_long_ones_cut() -> None:
    for s in walked_steps():
        halves = np.diff(s.keytimes)[[0, 2]]
        assert halves.min() >= SHORTEST - 1e-12
        assert halves.max() <= LONGEST_HALF + 1e-12
    shared = cut = 0
    for a, b in pairwise(walked_steps()):
        if a.number != b.number or a.step.target is not b.step.support:
            continue
        if np.isclose(np.diff(a.keytimes)[2], LONGEST_HALF) or np.isclose(
            np.diff(b.keytimes)[0], LONGEST_HALF
        ):
            cut += 1
            assert a.keytimes[-1] <= b.keytimes[0] + 1e-12
        else:
            shared += 1
            assert abs(a.keytimes[-1] - b.keytimes[0]) < 1e-12 + 1.0 / 60.0
    assert shared > 30
    # each take begins in a stand
    first = [next(s for s in walked_steps() if s.number == k) for k in range(len(session_parts()))]
    assert all(np.diff(s.keytimes)[0] == pytest.approx(LONGEST_HALF) for s in first)


def test_prints_are_where_soles_rest() -> None:
    """From the frames by scipy: all of them, not only on average."""
    for s in walked_steps():
        for found, plant in (
            (s.origin, s.step.origin),
            (s.target, s.step.target),
            (s.support, s.step.support),
        ):
            assert s.clip.contacts is not None
            flat = np.arange(plant.start, plant.end)
            flat = flat[s.clip.contacts.flat(plant.foot)[flat]]
            part = sole_of(s.clip[int(flat[0]) : int(flat[-1]) + 1], plant.foot)
            own = flat - flat[0]
            assert_allclose(part["subtalar"][own], np.broadcast_to(found.place, (len(own), 3)), atol=1e-6)
            along = (part["ball"] - part["heel"])[own].mean(axis=0)
            assert found.heading == pytest.approx(np.arctan2(along[0], along[2]), abs=1e-6)
            assert found.lying[0] >= 0.0


def test_a_foot_that_never_lies_has_its_plants_own_print() -> None:
    clip = clean_parts()[0]
    tiptoe = Contacts(np.zeros_like(clip.seen.heel), clip.seen.stands("left")[:, None] | clip.seen.toe)
    on_toes = CleanClip(replace(clip.motion, contacts=tiptoe), clip.seen)
    for s in captured_steps([on_toes]):
        assert_allclose(s.support.place, s.step.support.position)
        assert s.support.heading == s.step.support.heading


@pytest.mark.parametrize("turn", [0.7, -2.9])
def test_a_clip_that_is_moved_has_its_prints_moved(turn: float) -> None:
    shift = np.array([3.0, 0.4, -1.0])
    clip = clean_parts()[2]
    there = list(captured_steps([CleanClip(placed(clip.motion, turn, shift), clip.seen)]))
    here = [s for s in walked_steps() if s.number == 2]
    assert len(here) == len(there) > 3
    for a, b in zip(here, there, strict=True):
        assert_allclose(a.keytimes, b.keytimes, atol=1e-12)
        assert a.step.kind == b.step.kind
        for one, other in zip((a.origin, a.target), (b.origin, b.target), strict=True):
            assert_allclose(turned(one.place, turn) + shift, other.place, atol=1e-9)
            assert_allclose(np.exp(1j * (one.heading + turn)), np.exp(1j * other.heading), atol=1e-9)
            assert_allclose(one.lying, other.lying, atol=1e-9)


def test_a_mirrored_clip_has_the_other_foots_steps() -> None:
    clip = clean_parts()[3]
    seen = list(captured_steps([CleanClip(mirror(clip.motion), clip.seen.swapped())]))
    own = [s for s in walked_steps() if s.number == 3]
    assert [OTHER[s.step.foot] for s in own] == [s.step.foot for s in seen]
    for a, b in zip(own, seen, strict=True):
        assert_allclose(a.keytimes, b.keytimes, atol=1e-12)
        assert_allclose(a.target.place * [-1.0, 1.0, 1.0], b.target.place, atol=1e-6)
        assert a.target.heading == pytest.approx(-b.target.heading, abs=1e-6)


def test_running_steps_last_from_flight_to_flight() -> None:
    steps = run_steps()
    assert len(steps) > 4
    assert all(s.runs for s in steps)
    for s in steps:
        start, down, up, end = s.keytimes
        off, strike = s.swing
        assert off < start < down < up < end < strike
        assert start - off == pytest.approx(down - start)
        assert end - up == pytest.approx(strike - end)
        assert s.clip.contacts is not None
        at = np.rint(np.array([start, end]) * s.clip.fps).astype(int)
        assert not (s.clip.contacts.heel | s.clip.contacts.toe)[at].any()  # in mid-flight
    for a, b in pairwise(steps):
        assert a.keytimes[-1] == pytest.approx(b.keytimes[0])


def test_what_is_neither_walked_nor_run_is_left_out() -> None:
    """The other foot off the ground for a moment: too long for a walk, too short for a run."""
    clip = clean_parts()[0]
    whole = [s for s in walked_steps() if s.number == 0]
    chosen = whole[4]
    other = OTHER[chosen.step.foot]
    heel, toe = np.array(clip.seen.heel), np.array(clip.seen.toe)
    _, off, _, _ = frames(chosen)
    side = ("left", "right").index(other)
    first = chosen.step.support.start
    # the support comes down three frames (0.1 s) after the swing foot has left, and leaves no earlier
    heel[first : off + 3, side] = toe[first : off + 3, side] = False
    left = list(captured_steps([CleanClip(clip.motion, Contacts(heel, toe))]))
    assert all(s.step.origin.end != chosen.step.origin.end for s in left)
    assert len(left) < len(whole)
    assert not any(s.runs for s in left)


def test_a_flight_on_one_side_only_is_no_run() -> None:
    """As in the last step before a run, or the first after it: neither a walk nor a run."""
    chosen = run_steps()[2]
    fps = chosen.clip.fps
    assert chosen.clip.contacts is not None
    heel, toe = np.array(chosen.clip.contacts.heel), np.array(chosen.clip.contacts.toe)
    side = ("left", "right").index(OTHER[chosen.step.foot])
    # its support is down two frames before its swing foot leaves
    down = chosen.step.support.start
    toe[round(chosen.swing[0] * fps) - 2 : down + 1, side] = True
    found = list(captured_steps([CleanClip(chosen.clip, Contacts(heel, toe))]))
    assert all(s.step.origin.end != chosen.step.origin.end for s in found)
    assert len(found) >= len(run_steps()) - 2


@needs_captures
def test_a_captured_clip_gives_the_steps_its_readme_counts() -> None:
    """Runs are told from walks by their flights: a captured run has no walking step in its middle."""
    run, walk = captured("run/16_35.bvh"), captured("walk/16_16.bvh")
    steps = list(captured_steps(on_one_figure([walk, run])))
    kinds = {number: [s.runs for s in steps if s.number == number] for number in (0, 1)}
    assert len(kinds[0]) >= 3
    assert not any(kinds[0])
    assert len(kinds[1]) >= 2
    assert all(kinds[1])
