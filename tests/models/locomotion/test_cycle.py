"""Cycles are found where contacts say, and nowhere else."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import footfall as ff
from footfall.errors import RequestError
from footfall.figure.contacts import Contacts
from footfall.models.locomotion.closing import closed
from footfall.models.locomotion.cycle import best_cycle, floor_level, stands_throughout
from footfall.models.locomotion.foot_clock import clock_at, laid_flat, phase_at, sound_events
from footfall.models.locomotion.loop import loop_of


@pytest.fixture(scope="module")
def actor() -> ff.VirtualActor:
    return ff.VirtualActor(3)


def test_a_walk_gives_strike_to_strike(actor: ff.VirtualActor) -> None:
    walk = actor.walk(1.3, steps=6)
    cycle = best_cycle(walk.motion)
    assert cycle.seconds == pytest.approx(2 * walk.parameters["step_seconds"], abs=1.5 / walk.motion.fps)
    for foot, side in zip(cycle.feet, ("left", "right"), strict=True):
        stands = walk.motion.contacts.stands(side)
        frame = round(foot.strike * walk.motion.fps)
        assert stands[frame]
        assert not stands[frame - 1]
        assert foot.strike <= foot.flat <= foot.heel_off <= foot.off
    assert cycle.seam < 0.05


def test_a_turn_on_the_spot_gives_a_step_of_each_foot(actor: ff.VirtualActor) -> None:
    turn = actor.turn_in_place(0.5 * np.pi)
    loop = loop_of(best_cycle(turn.motion), "turn")
    assert 0.6 * np.pi / 2 < loop.parameters[1] * loop.seconds <= np.pi / 2 + 1e-6
    assert abs(loop.parameters[0]) < 0.1


def test_stands_are_told_from_steps(actor: ff.VirtualActor) -> None:
    assert stands_throughout(actor.idle(3.0).motion)
    assert not stands_throughout(actor.walk(1.2).motion)
    with pytest.raises(RequestError, match="no cycle"):
        best_cycle(actor.idle(3.0).motion)


def test_what_climbs_is_refused(actor: ff.VirtualActor) -> None:
    with pytest.raises(RequestError, match="rises"):
        best_cycle(actor.walk(1.2, slope=0.12, steps=6).motion)


def test_without_contacts_nothing_is_told(actor: ff.VirtualActor) -> None:
    with pytest.raises(RequestError, match="contacts"):
        best_cycle(replace(actor.walk(1.2).motion, contacts=None))
    none = np.zeros((len(actor.walk(1.2).motion), 2), dtype=bool)
    with pytest.raises(RequestError, match="no cycle"):
        best_cycle(replace(actor.walk(1.2).motion, contacts=Contacts(none, none)))


def test_a_closed_cycle_ends_as_it_begins(actor: ff.VirtualActor) -> None:
    made = closed(best_cycle(actor.walk(1.2, turn_rate=0.4, steps=6).motion))
    assert np.abs(made.rotations[0] - made.rotations[-1]).max() < 1e-9
    assert np.abs(made.root[0] - made.root[-1]).max() < 1e-9
    assert abs(made.root[:-1, [0, 2]].mean()) < 1e-6


def test_the_floor_is_where_feet_stand(actor: ff.VirtualActor) -> None:
    walk = actor.walk(1.2).motion
    raised = replace(walk, root=walk.root + np.array([0.0, 0.37, 0.0]))
    assert floor_level(raised) - floor_level(walk) == pytest.approx(0.37, abs=1e-9)
    apart = loop_of(best_cycle(raised), "").root - loop_of(best_cycle(walk), "").root
    assert np.abs(apart).max() < 1e-9


def test_a_foots_clock_and_its_phase_undo_each_other() -> None:
    for events in (sound_events(0.1, 0.4, 0.6), sound_events(0.0, 0.0, 0.2), sound_events(0.5, 0.1, 0.99)):
        assert (np.diff([0.0, *events, 1.0]) > 0.0).all()
        hands = np.linspace(0.0, 0.999, 200)
        assert np.abs(clock_at(phase_at(hands, events), events) - hands).max() < 1e-12


def test_a_sole_lies_flat_while_it_should_and_joins_on_without_a_jump() -> None:
    hands = np.arange(120) / 120
    angles = np.stack([0.1 + 0 * hands, 0.05 + 0.4 * np.sin(2 * np.pi * hands), 0.2 + 0 * hands], axis=-1)
    made = laid_flat(angles, hands)
    assert not made[(hands >= 0.15) & (hands <= 0.35), 1].any()
    assert not made[hands <= 0.5, 2].any()
    assert np.abs(np.diff(made[:, 1])).max() < 0.08
    assert (made[:, 0] == angles[:, 0]).all()
