"""The five sessions: as many takes as the papers had, of the kinds they had, and clean in every frame."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from footfall.actor.sessions import SESSIONS
from footfall.actor.sessions.stepping import MINUTES, SHARES
from footfall.actor.virtual_actor import VirtualActor
from footfall.analysis.certificate import certificate
from footfall.analysis.self_contact import self_contact
from footfall.errors import RequestError
from footfall.figure.joint_limits import excess, limits_of
from tests.actor.performed import SEEDS, SESSION_NAMES, by_seed, performed

RATES = {"rings": 60.0, "movements": 30.0, "stepping": 30.0, "walk": 120.0, "body": 60.0}
every_session = pytest.mark.parametrize(("seed", "session"), by_seed(*SESSION_NAMES))


@every_session
def test_takes_rates_and_names(seed: int, session: str) -> None:
    takes = performed(seed, session)
    assert len(takes) == SESSIONS[session]
    assert {take.motion.fps for take in takes} == {RATES[session]}
    assert len({take.name for take in takes}) == len(takes)
    person = VirtualActor(seed)
    for take in takes:
        assert take.motion.contacts is not None
        assert take.motion.skeleton.leg_length() == pytest.approx(person.skeleton.leg_length())
        assert list(take.keytimes) == sorted(take.keytimes)


@every_session
def test_every_take_is_clean(seed: int, session: str) -> None:
    """Slide, stretch and extension of each take of a session; no joint beyond its limit."""
    for take in performed(seed, session):
        told = certificate(take.motion)
        assert told.slide_max_m is not None
        assert told.slide_max_m < 1e-5, take.name
        assert told.penetration_max_m is None or told.penetration_max_m < 1e-4, take.name
        assert told.leg_extension_max is not None
        assert told.leg_extension_max <= 0.993, take.name
        assert told.bone_stretch_max < 1e-9, take.name
        limits = limits_of(take.motion.skeleton)
        assert excess(limits, take.motion.rotations).max() == 0.0, take.name


@every_session
def test_no_limb_passes_through_the_body_in_any_frame(seed: int, session: str) -> None:
    for take in performed(seed, session):
        touching = self_contact(take.motion)
        assert touching.depth_max_m < 0.0, f"{take.name}: {touching.pair} in frame {touching.frame}"


def test_rings_are_walked_and_run_up_and_down_straight_and_round() -> None:
    takes = performed(0, "rings")
    assert Counter(take.name.split("_")[0] for take in takes) == {"walk": 43, "run": 43}
    for gait in ("walk", "run"):
        own = [take for take in takes if take.name.startswith(gait)]
        wedges = Counter(
            round(8 * t.parameters.get("turn", 0.0) / np.pi, 6) for t in own if t.kind == "stairs"
        )
        assert wedges == {0.0: 8, 0.5: 8, -0.5: 8, 1.0: 8, -1.0: 8}
        rises = [t.parameters["rise"] for t in own if t.kind == "stairs"]
        assert sum(rise > 0 for rise in rises) == sum(rise < 0 for rise in rises) == 20
        assert len({round(abs(rise), 6) for rise in rises}) == 2
        assert sum(t.kind != "stairs" for t in own) == 3
    for take in takes:
        assert len(take.keytimes) == 8, take.name  # strikes of eight steps


def test_movements_are_thirty_steps_and_four_jumps() -> None:
    takes = performed(0, "movements")
    assert Counter(take.kind for take in takes) == {"left_step": 15, "right_step": 15, "jump": 4}
    for kind in ("left_step", "right_step"):
        own = [t.parameters for t in takes if t.kind == kind]
        pairs = {(round(p["start_length"], 6), round(p["end_length"], 6)) for p in own}
        assert len(pairs) == 15
        assert (0.0, 0.0) not in pairs
        assert len({length for pair in pairs for length in pair}) == 4
    for take in takes:
        assert len(take.keytimes) == 4
        assert 0.0 <= take.keytimes[0] < take.keytimes[1] < take.keytimes[2] < take.keytimes[3]
        assert take.keytimes[3] <= take.motion.seconds + 1.0 / take.motion.fps


@pytest.mark.parametrize(("seed", "session"), by_seed("stepping"))
def test_stepping_lasts_five_minutes_in_the_papers_shares(seed: int, session: str) -> None:
    takes = performed(seed, session)
    seconds = Counter[str]()
    for take in takes:
        seconds[take.kind] += take.motion.seconds
    total = sum(seconds.values())
    assert total == pytest.approx(60.0 * MINUTES, rel=0.05)
    for kind, share in SHARES.items():
        assert seconds[kind] / total == pytest.approx(share, abs=0.02), kind


def test_body_is_locomotion_reaches_hands_and_idling() -> None:
    takes = performed(0, "body")
    named = Counter(take.name.split("_")[0] for take in takes)
    assert named == {
        **{"stand": 1, "locomotion": 12, "strafe": 4, "turn": 2},
        **{"reach": 32, "hand": 3, "both": 1, "sitting": 3, "idle": 1},
    }


def test_two_people_are_two_sessions() -> None:
    first, second = (performed(seed, "walk")[0].motion for seed in SEEDS)
    frames = min(len(first), len(second))
    assert np.abs(first.rotations[:frames] - second.rotations[:frames]).max() > 0.02


@pytest.mark.parametrize("name", ["ring", "", "walk ", "../walk", None, 3])
def test_other_sessions_are_refused(name: str) -> None:
    with pytest.raises(RequestError, match="there are rings, movements, stepping, walk, body"):
        VirtualActor(0).perform(name)
