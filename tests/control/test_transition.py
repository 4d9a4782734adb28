"""Transitions: posture and rate go on, what is far is not hurried to; they may begin anew in every frame."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import footfall as ff
from footfall.blend.posture_arithmetic import Rate
from footfall.control.correction import Correction
from footfall.control.pace import Pace, fastest_parts
from footfall.control.step_following import StepFollowing
from footfall.control.tick import Tick
from footfall.control.transition import SPARE, PacedTransition, Transition, slowest
from footfall.figure.motion import Motion
from footfall.figure.pose import Pose
from footfall.geometry import ground
from footfall.geometry import quaternion as quat

PERSON = ff.VirtualActor().skeleton
DT = 1.0 / 60.0


@pytest.fixture(scope="module")
def walk() -> Motion:
    return ff.VirtualActor().walk(1.2, steps=6).motion


def put(motion: Motion, place: tuple[float, float], heading: float) -> Motion:
    rotations, turn = np.array(motion.rotations), ground.turn(heading)
    rotations[:, 0] = quat.multiply(turn, rotations[:, 0])
    root = quat.rotate(turn, motion.root) + np.array([place[0], 0.0, place[1]])
    return Motion(motion.skeleton, root, rotations, motion.fps, contacts=motion.contacts)


def random_pose(rng: np.random.Generator, spread: float = 0.3) -> Pose:
    turns = quat.exp(rng.normal(0.0, spread, (len(PERSON), 3)))
    return Pose(rng.normal(0.0, 1.0, 3), quat.multiply(PERSON.rest, turns))


def test_posture_and_rate_go_on(walk: Motion) -> None:
    other = put(walk, (0.2, 0.1), 0.2)
    transition, frames = Transition(PERSON), [walk.pose(k) for k in range(20)]
    rates = (Rate.between(frames[-2], frames[-1], DT), Rate.between(other.pose(59), other.pose(60), DT))
    transition.begin(frames[-1], other.pose(59), 0.4, rates)
    frames += [transition.smoothed(other.pose(k), DT) for k in range(60, 100)]
    roots = np.array([pose.root for pose in frames])
    own = np.abs(np.diff(walk.root[:100], 2, axis=0)).max()
    # (4.74 / 0.4)^2 of 0.22 m: the pull of the spring, and no blow
    assert np.abs(np.diff(roots, 2, axis=0)).max() < own + 1.5 * (4.74 / 0.4) ** 2 * 0.25 * DT * DT
    assert np.linalg.norm(np.diff(roots, axis=0), axis=1).max() < 2.6 * DT


def test_it_ends_and_then_nothing_is_added(walk: Motion) -> None:
    transition = Transition(PERSON)
    transition.begin(random_pose(np.random.default_rng(1)), walk.pose(0), 0.3)
    assert transition.active
    for _ in range(600):
        made = transition.smoothed(walk.pose(0), DT)
    assert not transition.active
    assert made is not None
    pose = walk.pose(1)
    assert transition.smoothed(pose, DT) is pose
    transition.begin(random_pose(np.random.default_rng(1)), pose, 0.0)  # at once
    assert transition.smoothed(pose, DT) is pose


@pytest.mark.parametrize("every", [1, 2, 7, 1000])
def test_it_may_begin_anew_in_every_frame(every: int) -> None:
    """No speeds pile up, and it comes there all the same."""
    rng = np.random.default_rng(2)
    transition, goal, shown = Transition(PERSON), random_pose(rng, 0.2), random_pose(rng, 0.2)
    earlier = shown
    for frame in range(1500):
        if frame % every == 0:
            rates = Rate.between(earlier, shown, DT), Rate.between(goal, goal, DT)
            transition.begin(shown, goal, 0.4, rates if frame else None)
        pose = transition.smoothed(goal, DT)
        assert np.linalg.norm(pose.root - shown.root) < 1.3 * DT
        earlier, shown = shown, pose
    np.testing.assert_allclose(shown.root, goal.root, atol=2e-3)
    assert quat.angle_between(shown.rotations, goal.rotations).max() < 5e-3


def test_a_source_that_turns_back_at_once_does_not_throw_the_hips(walk: Motion) -> None:
    """At first the difference posture's rate holds against the source; then both go the same way."""
    transition, shown, fastest, dt = Transition(PERSON), walk.pose(0), 0.0, DT / 4.0
    way = np.concatenate([np.arange(5) * 3.2, 4 * 3.2 - np.arange(40) * 2.0]) * dt
    sources = [Pose(shown.root + np.array([0.0, 0.0, z]), shown.rotations) for z in way]
    rates = Rate.between(shown, shown, dt), Rate.between(*sources[:2], dt)
    transition.begin(shown, sources[0], 1.0, rates)
    for source in sources[1:]:
        pose = transition.smoothed(source, dt)
        fastest = max(fastest, float(np.linalg.norm(pose.root - shown.root)) / dt)
        shown = pose
    assert fastest < 3.2 + 1e-9


def test_the_farther_the_slower() -> None:
    rest = Pose.at_rest(PERSON)
    metre = Pose(rest.root + np.array([1.0, 0.0, 0.0]), rest.rotations)
    assert slowest(PERSON, rest, rest) == 0.0
    assert slowest(PERSON, rest, metre) == pytest.approx(1.0 / 1.2)
    turned = np.array(rest.rotations)
    turned[0] = quat.multiply(ground.turn(3.0), turned[0])
    assert slowest(PERSON, rest, Pose(rest.root, turned)) == pytest.approx(3.0 / 0.8, rel=0.1)


class TestPlannedWalks:
    def test_a_walk_that_begins_elsewhere_is_gone_over_to(self, walk: Motion) -> None:
        """Feet jumped there in a frame."""
        walks = StepFollowing(walk)
        feet = [PERSON.joint(f"{side}_foot") for side in PERSON.sides]
        places, pose = [], Pose.at_rest(PERSON)
        for frame in range(240):
            if frame in (30, 60):
                walks.follow(put(walk, (0.8, 0.3), 0.7) if frame == 30 else walk)
            pose = walks.update(Tick(pose, pose, 0.0, DT, None))
            places.append(pose.forward(PERSON)[0][feet])
        own = np.linalg.norm(np.diff(walk.positions[:, feet], axis=0), axis=-1).max()
        assert np.linalg.norm(np.diff(places, axis=0), axis=-1).max() < own + 3.0 * DT

    def test_feet_that_stay_are_where_the_walk_has_them(self, walk: Motion) -> None:
        walks = StepFollowing(walk)
        feet = [PERSON.joint(f"{side}_foot") for side in PERSON.sides]
        bent = np.array(walk.rotations)
        chest = PERSON.joint("chest")
        bent[:, chest] = quat.multiply(bent[:, chest], quat.exp(np.array([0.3, 0.0, 0.0])))
        walks.follow(Motion(PERSON, walk.root, bent, walk.fps))
        pose = Pose.at_rest(PERSON)
        for frame in range(20):
            pose = walks.update(Tick(pose, pose, 0.0, 1.0 / walk.fps, None))
            np.testing.assert_allclose(
                pose.forward(PERSON)[0][feet], walk.positions[frame + 1, feet], atol=1e-6
            )


class TestPace:
    def test_what_is_slow_is_as_it_was_made(self, walk: Motion) -> None:
        correction, added = Correction(PERSON), quat.exp(np.array([0.0, 0.2, 0.1]))
        for k in range(60):
            given, rotations = walk.pose(k), np.array(walk.rotations[k])
            for role in ("left_forearm", "head"):
                joint = PERSON.joint(role)
                turn = quat.exp(np.sin(0.03 * k) * quat.log(added))
                rotations[joint] = quat.multiply(rotations[joint], turn)
            made = Pose(given.root, rotations)
            assert correction.eased(given, made, DT) is made

    @pytest.mark.parametrize("dt", [1 / 240, 1 / 60, 1 / 30])
    def test_no_part_goes_faster_than_people_because_of_it(self, walk: Motion, dt: float) -> None:
        rng, correction = np.random.default_rng(4), Correction(PERSON)
        most, before = fastest_parts(PERSON), None
        made = given = Pose.at_rest(PERSON)
        for frame in range(300):
            if frame % 9 == 0:
                made = Pose(given.root + rng.normal(0.0, 0.2, 3), random_pose(rng, 0.8).rotations)
            pose = correction.eased(given, made if frame > 5 else given, dt)
            places, _ = pose.forward(PERSON)
            if before is not None:
                gone = np.linalg.norm((places - places[0]) - (before - before[0]), axis=1)
                assert (gone / dt <= most * 1.001).all()
                assert np.linalg.norm(places[0] - before[0]) / dt <= most[0] * 1.001
            before = places

    def test_it_catches_up(self) -> None:
        pace, rest = Pace(PERSON), Pose.at_rest(PERSON)
        goal = Pose(
            rest.root + np.array([0.3, 0.0, 0.0]), random_pose(np.random.default_rng(5), 0.5).rotations
        )
        pace.saw(rest)
        lags = []
        for _ in range(400):
            made = pace.held(rest, goal, DT)
            lags.append(pace.lags)
        assert lags[0]
        assert not lags[-1]
        assert made is goal


class TestPacedTransition:
    def test_nothing_is_faster_than_people_or_the_source(self) -> None:
        """From a stand into a run, whose feet are as fast as feet go: a transition adds nothing to it."""
        actor = ff.VirtualActor()
        stand, run = actor.idle(2.0).motion.pose(30), actor.run(2.8, steps=6).motion
        dt, most = 1.0 / run.fps, SPARE * fastest_parts(PERSON)
        paced, plain = PacedTransition(PERSON), Transition(PERSON)
        for one in (paced, plain):
            one.begin(stand, put(run, (0.1, 0.0), 0.3).pose(40), 0.6)
        excess = {"paced": 0.0, "plain": 0.0}
        source = put(run, (0.1, 0.0), 0.3)
        last = {"paced": stand, "plain": stand}
        frames = [*range(40, len(source)), *[len(source) - 1] * 300]
        for before, k in pairwise(frames):
            own = gone(source.pose(before), source.pose(k))
            bound = np.maximum(most * dt, own)
            for name, one in (("paced", paced), ("plain", plain)):
                pose = one.smoothed(source.pose(k), dt)
                excess[name] = max(excess[name], float((gone(last[name], pose) - bound).max() / dt))
                last[name] = pose
        assert excess["paced"] < 1e-6
        assert excess["plain"] > 0.01
        assert not paced.active
        assert_same(last["paced"], source.pose(frames[-1]))

    def test_what_is_at_once_is_at_once(self, walk: Motion) -> None:
        paced = PacedTransition(PERSON)
        paced.begin(random_pose(np.random.default_rng(2)), walk.pose(0), 0.0)
        assert not paced.active
        assert_same(paced.smoothed(walk.pose(1), DT), walk.pose(1))


def gone(before: Pose, after: Pose) -> np.ndarray:
    """m that joints have gone beside the hips; hips in the world."""
    (a, _), (b, _) = before.forward(PERSON), after.forward(PERSON)
    hips = PERSON.joint("hips")
    away = (b - b[hips]) - (a - a[hips])
    away[hips] = b[hips] - a[hips]
    return np.linalg.norm(away, axis=1)


def assert_same(one: Pose, other: Pose) -> None:
    np.testing.assert_allclose(one.root, other.root, atol=1e-9)
    assert quat.angle_between(one.rotations, other.rotations).max() < 1e-7
