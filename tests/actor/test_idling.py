"""Idling: weight from foot to foot on feet that do not move, smooth, seeded, alive."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.actor.humanoid import humanoid
from footfall.actor.idling import idle
from footfall.actor.style import Style
from footfall.analysis.certificate import certificate
from footfall.analysis.self_contact import self_contact
from footfall.errors import RequestError
from footfall.figure.example import Example
from footfall.figure.joint_limits import excess, limits_of
from footfall.figure.roles import SIDES
from footfall.figure.soles import sole_places
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import PRECISION

BODY = humanoid()
SECONDS = 20.0


@pytest.fixture(scope="module", params=[0, 1, 2])
def take(request: pytest.FixtureRequest) -> Example:
    return idle(BODY, Style.of(request.param), seconds=SECONDS, seed=request.param)


def test_feet_stand_flat_all_the_time(take: Example) -> None:
    motion = take.motion
    for side in SIDES:
        soles = sole_places(motion, side)
        assert np.abs(soles - soles[0]).max() < 2.0 * PRECISION
        assert np.abs(soles[..., 1]).max() < 2.0 * PRECISION
    assert motion.contacts is not None
    assert motion.contacts.heel.all()
    assert motion.contacts.toe.all()
    told = certificate(motion)
    assert told.slide_max_m is not None
    assert told.slide_max_m < 1e-5
    assert told.leg_extension_max is not None
    assert told.leg_extension_max <= 0.994


def test_the_weight_goes_from_side_to_side(take: Example) -> None:
    """By two to four centimetres either way, every two to four seconds, and it stays a while."""
    hips = take.motion.root[:, 0]
    times = take.motion.times
    keys = np.array(take.keytimes)
    assert ((np.diff(keys) > 1.6) & (np.diff(keys) < 4.5)).all()
    assert len(keys) >= SECONDS / 4.5
    bounds = [0.0, *keys, SECONDS]
    rests = [hips[(times > a + 0.8) & (times < b - 0.8)] for a, b in pairwise(bounds)]
    means = np.array([r.mean() for r in rests if len(r) > 6])
    assert (np.abs(means) > 0.012).all()
    assert (np.abs(means) < 0.062).all()
    assert (means[1:] * means[:-1] < 0.0).all()
    assert max(np.ptp(r) for r in rests if len(r) > 6) < 0.02


def test_the_head_stays_calm_while_the_hips_move(take: Example) -> None:
    """The spine makes up for the list of the hips: shoulders stay level, the head goes no farther."""
    motion = take.motion
    across = motion.of("left_upper_arm") - motion.of("right_upper_arm")
    assert np.degrees(np.abs(np.arcsin(across[:, 1] / np.linalg.norm(across, axis=-1))).max()) < 3.0
    assert np.ptp(motion.of("head")[:, 0]) < np.ptp(motion.root[:, 0])
    assert 0.005 < np.ptp(motion.of("head")[:, 2]) < 0.05


def test_every_part_is_alive(take: Example) -> None:
    for role in ("hips", "chest", "head", "left_upper_arm", "right_forearm", "left_index_1"):
        turns = take.motion.rotations[:, BODY.joint(role)]
        moved = np.degrees(quat.angle_between(turns, np.tile(turns[0], (len(turns), 1))))
        assert 0.3 < moved.max() < 40.0, role


def test_joints_keep_their_limits_and_limbs_do_not_meet(take: Example) -> None:
    assert excess(limits_of(BODY), take.motion.rotations).max() == 0.0
    assert self_contact(take.motion).depth_max_m < 0.0


def test_the_chest_breathes(take: Example) -> None:
    """The chest's tilt against the hips has its strongest rhythm at a person's breathing rate."""
    spine = [take.motion.rotations[:, BODY.index(name)] for name in ("spine", "spine_2", "chest")]
    tilt = np.sum([quat.log(turn)[:, 0] for turn in spine], axis=0)
    power = np.abs(np.fft.rfft((tilt - tilt.mean()) * np.hanning(len(tilt)))) ** 2
    rate = np.fft.rfftfreq(len(tilt), 1.0 / 60.0)[np.argmax(power)]
    assert 0.18 < rate < 0.36


def test_speeds_are_continuous() -> None:
    takes = [idle(BODY, Style(), seconds=9.0, fps=fps, seed=4).motion for fps in (60.0, 120.0, 240.0)]
    jumps = [np.abs(np.diff(m.positions, n=2, axis=0)).max() * m.fps for m in takes]
    assert jumps[1] < 0.6 * jumps[0]
    assert jumps[2] < 0.6 * jumps[1]
    assert_allclose(takes[1].positions[::2], takes[0].positions, rtol=0.0, atol=1e-9)


def test_a_seed_is_one_wait_and_another_is_another() -> None:
    first, again, other = (idle(BODY, Style(), seconds=6.0, seed=seed).motion for seed in (7, 7, 8))
    assert_array_equal(first.rotations, again.rotations)
    assert np.abs(first.positions - other.positions).max() > 0.01


def test_a_longer_wait_begins_like_a_shorter_one() -> None:
    short, long = (idle(BODY, Style(), seconds=seconds, seed=3) for seconds in (5.0, 15.0))
    assert_allclose(long.motion.positions[:301], short.motion.positions, rtol=0.0, atol=2e-3)
    assert long.keytimes[: len(short.keytimes)] == short.keytimes


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"seconds": 0.0}, "wait for"),
        ({"seconds": float("nan")}, "wait for"),
        ({"seconds": 1e9}, "wait for"),
        ({"seconds": "long"}, "wait for"),
        ({"seed": -1}, "seed"),
        ({"seed": 0.5}, "seed"),
        ({"fps": float("inf")}, "frame rate"),
    ],
)
def test_nonsense_is_refused(options: dict, why: str) -> None:
    with pytest.raises(RequestError, match=why):
        idle(BODY, Style(), **{"seconds": 2.0, **options})
