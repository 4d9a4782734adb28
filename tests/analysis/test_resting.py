"""Contacts to the frame: against what made motions know, as a file rounds them; captures keep theirs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import footfall as ff
from footfall.actor.virtual_actor import VirtualActor
from footfall.analysis.contacts import detect_contacts
from footfall.analysis.resting import resting_contacts
from footfall.figure.soles import sole_places
from tests.captured import captured
from tests.captures import needs_captures
from tests.gaits import PACES, made

ONE_PLACE = 1e-5  # m


@pytest.mark.parametrize("name", PACES)
@pytest.mark.parametrize("fps", [60.0, 120.0])
def test_a_flat_sole_rests_and_is_known_to(name: str, fps: float, tmp_path: Path) -> None:
    """A flat sole keeps its place to ten micrometres, and lies and lifts within a frame of the truth."""
    given = made(name, fps).given
    ff.save_motion(replace(given, contacts=None), tmp_path / "made.bvh")
    read = ff.load_motion(tmp_path / "made.bvh")
    soles = {side: given.skeleton.foot_points(side) for side in given.skeleton.sides}
    read = replace(read, skeleton=read.skeleton.with_feet(**soles))
    found = resting_contacts(read)
    assert given.contacts is not None
    for side in ("left", "right"):
        flat, true = found.flat(side), given.contacts.flat(side)
        assert len(edges(flat)[0]) == len(edges(true)[0]) == 4
        assert max(abs(a - b).max() for a, b in zip(edges(flat), edges(true), strict=True)) <= 1
        subtalar = sole_places(read, side)[:, 1]
        for a, b in zip(*edges(flat), strict=True):
            assert np.ptp(subtalar[a:b], axis=0).max() < ONE_PLACE


def edges(mask: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    change = np.diff(np.concatenate([[0], mask.astype(int), [0]]))
    return np.flatnonzero(change > 0), np.flatnonzero(change < 0)


def test_detected_contacts_alone_take_in_frames_that_move() -> None:
    """Else there would be nothing to mend."""
    motion = VirtualActor(seed=1).run(3.0).motion
    spans = [farthest(motion, found(motion)) for found in (detect_contacts, resting_contacts)]
    assert spans[0] > 1e-3
    assert spans[1] < ONE_PLACE


def farthest(motion: ff.Motion, contacts: ff.Contacts) -> float:
    """How far a subtalar moves while its sole is called flat, at most."""
    return max(
        np.ptp(sole_places(motion, side)[a:b, 1], axis=0).max()
        for side in ("left", "right")
        for a, b in zip(*edges(contacts.flat(side)), strict=True)
    )


@needs_captures
@pytest.mark.parametrize("frozen", [0, 12])
def test_a_capture_keeps_its_contacts(frozen: int) -> None:
    """Also where it repeats frames for a tenth of a second, as captures do that lost their markers."""
    motion = captured("walk/16_47.bvh")
    root, rotations = np.array(motion.root), np.array(motion.rotations)
    root[200 : 200 + frozen], rotations[200 : 200 + frozen] = root[200], rotations[200]
    still = replace(motion, root=root, rotations=rotations)
    found, detected = resting_contacts(still), detect_contacts(still)
    assert np.array_equal(found.heel, detected.heel)
    assert np.array_equal(found.toe, detected.toe)


def test_one_frame_and_no_legs() -> None:
    motion = made("walk", 60.0).motion[:1]
    assert resting_contacts(motion).flat("left").all()
    bar = ff.Skeleton.build(("hips", "chest"), [-1, 0], [[0, 1.0, 0], [0, 0.5, 0]])
    legless = ff.Motion(bar, np.zeros((9, 3)), np.tile([1.0, 0, 0, 0], (9, 2, 1)), 30.0)
    assert not resting_contacts(legless).heel.any()
