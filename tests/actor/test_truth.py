"""The actor knows when its feet stand: detection is judged by that, over all five sessions."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from footfall.actor.capture.faults import Faults, with_faults
from footfall.analysis.contacts import detect_contacts
from footfall.analysis.plants import Plant, detect_plants
from footfall.analysis.steps import Step, detect_steps
from footfall.figure.motion import Motion
from footfall.geometry import ground
from tests.actor.agreement import SEEN, agreement
from tests.actor.performed import SEEDS, SESSION_NAMES, by_seed, performed

NOISE, SLIDE, TILT = 0.002, 0.01, np.radians(1.0)


@cache
def faulty(seed: int, session: str) -> tuple[tuple[str, Motion], ...]:
    """Every take with faults of its own."""
    takes = enumerate(performed(seed, session))
    return tuple(
        (take.name, with_faults(take.motion, Faults(noise=NOISE, slide=SLIDE, tilt=TILT, seed=k)).motion)
        for k, take in takes
    )


@pytest.mark.parametrize(("seed", "session"), by_seed(*SESSION_NAMES, more=True))
def test_clean_contacts_are_found(seed: int, session: str) -> None:
    """99 % of strikes and of toe-offs within 20 ms or a frame; no plant missed, none invented."""
    takes = performed(seed, session)
    found = agreement((take.name, take.motion) for take in takes)
    assert not found.missed
    assert not found.invented
    strikes, offs = found.within(max(0.02, 1.0 / takes[0].motion.fps))
    assert strikes >= 0.99
    assert offs >= 0.99


@pytest.mark.parametrize(("seed", "session"), by_seed(*SESSION_NAMES, more=True))
def test_contacts_are_found_through_the_faults_of_a_capture(seed: int, session: str) -> None:
    """With 2 mm of noise, feet that slide a centimetre and a floor that leans by a degree."""
    found = agreement(faulty(seed, session))
    assert not found.missed
    assert not found.invented
    strikes, offs = found.within(0.04)
    assert strikes >= 0.97
    assert offs >= 0.97


@pytest.mark.parametrize(("seed", "session"), by_seed("rings", "movements", "stepping", "walk"))
def test_step_parameters_are_those_of_the_truth(seed: int, session: str) -> None:
    """Within 5 mm and a degree, step by step, whichever contacts they are measured with."""
    steps = 0
    for take in performed(seed, session):
        blind = replace(take.motion, contacts=None)
        assert take.motion.contacts is not None
        true = detect_steps(blind, detect_plants(blind, take.motion.contacts))
        found = detect_steps(blind, detect_plants(blind, detect_contacts(blind)))
        assert [s.foot for s in found] == [s.foot for s in true], take.name
        for step, truth in zip(found, true, strict=True):
            if all(_seen(plant, blind.fps) for plant in (truth.origin, truth.target, truth.support)):
                _agree(step, truth, take.name)
                steps += 1
    assert steps >= {"rings": 450, "movements": 28, "stepping": 450, "walk": 6}[session]


def _seen(plant: Plant, fps: float) -> bool:
    """Where a clip's end leaves only a foot's roll, nobody can tell where it stood."""
    return plant.whole or (plant.flat is not None and plant.flat[1] - plant.flat[0] > SEEN * fps)


def _agree(step: Step, truth: Step, name: str) -> None:
    places, turns = step.high[:4] - truth.high[:4], ground.wrap(step.high[4:6] - truth.high[4:6])
    assert np.abs(places).max() <= 0.005, name
    assert np.abs(turns).max() <= np.radians(1.0), name
    assert abs(step.rise - truth.rise) <= 0.005, name
    assert step.kind == truth.kind, name


@pytest.mark.parametrize("seed", SEEDS)
def test_the_steps_between_standing_and_long_are_as_asked(seed: int) -> None:
    """The feet of [movements] stand as far behind and before each other as the parameters say."""
    for take in performed(seed, "movements"):
        if not take.kind.endswith("_step"):
            continue
        blind = replace(take.motion, contacts=None)
        foot = take.kind.split("_")[0]
        landed = take.keytimes[2] * take.motion.fps
        plants = detect_plants(blind, detect_contacts(blind))
        step = min(
            (s for s in detect_steps(blind, plants) if s.foot == foot),
            key=lambda s: abs(s.keytimes[2] - landed),
        )
        behind = -(step.origin.position - step.support.position)[2]
        ahead = (step.target.position - step.support.position)[2]
        assert behind == pytest.approx(take.parameters["start_length"], abs=1e-3), take.name
        assert ahead == pytest.approx(take.parameters["end_length"], abs=1e-3), take.name
