"""Firm contacts: a part of each contact in which its point all but stands."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.ndimage import maximum_filter1d

from footfall.analysis.contacts import clip_thresholds, detect_contacts
from footfall.analysis.firmness import firm_contacts
from footfall.analysis.signals import speed
from footfall.figure.contacts import Contacts, runs_of
from footfall.figure.mirror import mirror
from footfall.figure.soles import sole_places, toe_places
from footfall.geometry import easing, ground
from tests.analysis.truth import placed
from tests.captured import captured
from tests.captures import needs_captures
from tests.gaits import PACES, RATES, made
from tests.stances import Stance, make

CLIPS = (
    "walk/16_16.bvh",
    "turn-side-back/69_53.bvh",
    "stairs-uneven/83_27.bvh",
    "run/16_35.bvh",
    "steps/83_08.bvh",
)


def masks(contacts: Contacts) -> np.ndarray:
    return np.stack([contacts.heel, contacts.toe], axis=-1)


def assert_part_of_each(firm: Contacts, contacts: Contacts) -> None:
    """Every contact keeps something, and nothing is added."""
    inner, outer = masks(firm).reshape(len(firm), 4), masks(contacts).reshape(len(contacts), 4)
    assert not (inner & ~outer).any()
    for column in range(4):
        kept = runs_of(inner[:, column])
        for first, last in runs_of(outer[:, column]):
            assert any(first <= a < b <= last for a, b in kept)


@pytest.mark.parametrize("fps", RATES)
@pytest.mark.parametrize("name", [*PACES, "jump", "stand"])
def test_made_gaits_stand_firmly_all_the_time(name: str, fps: float) -> None:
    """Their points do not move in contact; only what central differences see of the neighbours is lost."""
    gait = made(name, fps)
    firm = firm_contacts(gait.motion, gait.contacts)
    assert_part_of_each(firm, gait.contacts)
    lost = masks(gait.contacts).sum() - masks(firm).sum()
    events = sum(len(runs_of(column)) for column in masks(gait.contacts).reshape(len(firm), 4).T)
    assert lost <= 2 * events * max(1, round(0.04 * fps))


@pytest.mark.parametrize("name", ["sideways", "walk"])
def test_contacts_that_last_too_long_lose_the_frames_in_which_they_move(name: str) -> None:
    gait = made(name, 120.0)
    longer = Contacts(
        *(maximum_filter1d(mask, 13, axis=0) for mask in (gait.contacts.heel, gait.contacts.toe))
    )
    extra = masks(longer) & ~masks(gait.contacts)
    assert extra.sum() > 100
    kept = masks(firm_contacts(gait.motion, longer)) & ~masks(gait.contacts)
    assert kept.sum() < 0.3 * extra.sum()


@pytest.mark.parametrize("fps", RATES)
def test_a_foot_that_shuffles_stands_firmly_before_and_after(fps: float) -> None:
    """It moves on by 4 cm in a quarter of a second, without leaving the ground."""
    step = 0.04 * ground.FORWARD
    shuffling = Stance(
        "left",
        (0.1, 0, 0),
        -1.0,
        -0.9,
        9.0,
        9.1,
        shift=lambda t: easing.smooth((t - 1.0) / 0.25)[:, None] * step,
    )
    gait = make([shuffling, Stance("right", (-0.1, 0, 0), -1.0, -0.9, 9.0, 9.1)], 3.0, fps)
    firm = firm_contacts(gait.motion, gait.contacts)
    t = gait.motion.times
    for mask in (firm.heel, firm.toe):
        assert mask[(t < 0.9) | (t > 1.35), 0].all()
        assert not mask[np.abs(t - 1.125) < 0.5 / fps + 1e-9, 0].any()
        assert mask[:, 1].all()


@needs_captures
@pytest.mark.parametrize("file", CLIPS)
def test_captures(file: str) -> None:
    motion = captured(file)
    contacts = detect_contacts(motion)
    firm = firm_contacts(motion, contacts)
    assert_part_of_each(firm, contacts)
    limit = clip_thresholds(motion).segment
    for column, side in enumerate(("left", "right")):
        for mask, places in (
            (firm.heel, sole_places(motion, side)[:, 0]),
            (firm.toe, toe_places(motion, side)),
        ):
            inside = mask[:, column]
            assert np.percentile(speed(places, motion.fps)[inside], 80) < 0.4 * limit


def test_a_contact_that_never_rests_keeps_its_slowest_frame() -> None:
    """Of a foot said to stand while it swings, one frame is left, so that the plant is not lost."""
    gait = made("walk", 60.0)
    contacts = Contacts.none(len(gait.motion))
    heel = np.array(contacts.heel)
    heel[50:60, 0] = True  # in the middle of a swing
    firm = firm_contacts(gait.motion, Contacts(heel, contacts.toe))
    assert firm.heel.sum() == 1
    assert heel[np.flatnonzero(firm.heel[:, 0])[0], 0]


@pytest.mark.parametrize("name", ["turn", "stairs"])
def test_place_and_mirror_do_not_matter(name: str) -> None:
    motion = made(name, 60.0).motion
    contacts = detect_contacts(motion)
    firm = firm_contacts(motion, contacts)
    moved = firm_contacts(placed(motion, (3.0, 1.0, 2.0), 2.0), contacts)
    assert_array_equal(masks(moved), masks(firm))
    swapped = firm_contacts(mirror(motion), contacts.swapped())
    assert_array_equal(masks(swapped.swapped()), masks(firm))


def test_no_contacts_no_frames_no_legs() -> None:
    motion = made("walk", 60.0).motion
    assert not masks(firm_contacts(motion, Contacts.none(len(motion)))).any()
    assert len(firm_contacts(motion[:0], Contacts.none(0))) == 0
    assert masks(firm_contacts(motion[:1], detect_contacts(motion[:1]))).all()
    bare = replace(motion, skeleton=replace(motion.skeleton, roles={}))
    assert not masks(firm_contacts(bare, detect_contacts(bare))).any()
