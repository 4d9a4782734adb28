"""Stands: the posture that clips stand in, over any prints, with legs that reach."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

import footfall as ff
from footfall.adapt.legs_to_feet import hips_of
from footfall.adapt.one_figure import on_one_figure
from footfall.figure.contacts import SIDES, Contacts
from footfall.figure.mirror import mirror
from footfall.figure.motion import Motion
from footfall.models.stepspace.body_channels import ROOT, YAW
from footfall.models.stepspace.edge import Edge
from footfall.models.stepspace.standing import (
    ASTRIDE,
    BESIDE,
    EASY,
    RISES,
    STRAIGHT,
    stand_on,
    standing_posture,
)
from tests.models.stepspace.judges import clean_parts, drawn_plan, sole_of, turned
from tests.models.stepspace.spaces import session_parts, small_space


def edge_on(places: np.ndarray, headings: np.ndarray, rolls: tuple[float, float] = (0.0, 0.0)) -> Edge:
    body = np.array(small_space().sides[0].body[4, 0])
    return Edge(body, np.array(rolls), places, headings)


def side_by_side(apart: float = 0.2, ahead: float = 0.0) -> np.ndarray:
    return np.array([[0.5 * apart, 0.0, 0.5 * ahead], [-0.5 * apart, 0.0, -0.5 * ahead]])


def leg_lengths(body: np.ndarray, places: np.ndarray, headings: np.ndarray) -> list[float]:
    """Of legs from the hips to flat feet's ankles, of their reach."""
    stage = small_space().stage
    hips = hips_of(stage.skeleton, stage.legs, body[None, ROOT], stage.channels.rotations(body[None]))
    out = []
    for k, (side, limb) in enumerate(stage.legs.items()):
        ankle = places[k] - turned(
            np.asarray(_rotated(stage.soles.lying[k], stage.soles.subtalar[k])), float(headings[k])
        )
        out.append(float(np.linalg.norm(hips[side][0][0] - ankle)) / limb.reach)
    return out


def above_the_legs() -> np.ndarray:
    """Channels of all joints but the legs', which are solved to end on the prints."""
    stage = small_space().stage
    legs = {j for limb in stage.legs.values() for j in stage.skeleton.tree.path(limb.upper, limb.end)}
    legs |= {stage.skeleton.joint(f"{side}_toe") for side in SIDES}
    joints = [j for j in range(len(stage.skeleton)) if j not in legs]
    return np.concatenate([YAW + 1 + 3 * j + np.arange(3) for j in joints])


def _rotated(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    return np.asarray(Rotation.from_quat(q, scalar_first=True).apply(np.array(v)))


def test_the_posture_is_that_of_the_clips_stands() -> None:
    """Takes begin in a stand: the first frames are in the posture, told beside the middle of the feet."""
    space = small_space()
    heights = [clip.root[0, 1] for clip in session_parts()]
    assert space.posture[ROOT][1] == pytest.approx(np.median(heights), abs=0.01)
    assert_allclose(space.posture[ROOT][[0, 2]], 0.0, atol=0.1)
    assert abs(space.posture[YAW]) < 0.1
    first = session_parts()[0][:1]
    told = space.channels.told(first.root, first.rotations)[0]
    assert np.abs(told[YAW + 1 :] - space.posture[YAW + 1 :]).max() < 0.35


def test_clips_that_never_stand_give_their_slowest_double_stance() -> None:
    clip = clean_parts()[2]  # aside: with both feet flat between the steps
    speed = np.linalg.norm(np.diff(clip.motion.of("hips"), axis=0), axis=1) * clip.motion.fps
    first = int(np.flatnonzero(speed > 0.2)[0])  # the stand is over
    assert (clip.seen.flat("left") & clip.seen.flat("right"))[first:].any()
    part = slice(first, None)
    walking = replace(clip, motion=clip.motion[part], seen=clip.seen.frames(part))
    posture = standing_posture([walking], small_space().channels)
    assert 0.8 < posture[1] < 1.0
    assert np.abs(posture[ROOT][[0, 2]]).max() < 0.2
    assert np.abs(posture).max() < np.pi


def test_a_steady_walk_gives_a_stand_on_its_feet() -> None:
    walks = [ff.VirtualActor().walk(speed).motion for speed in (0.9, 1.2)]
    posture = standing_posture(on_one_figure(walks), small_space().channels)
    assert 0.8 < posture[1] < 1.0


def test_clips_without_feet_on_the_ground_give_no_posture() -> None:
    clip = clean_parts()[0]
    none = replace(clip, seen=Contacts.none(len(clip.motion)))
    assert standing_posture([none], small_space().channels).shape == small_space().posture.shape


def test_a_long_take_counts_no_more_than_a_short_one() -> None:
    parts = clean_parts()[:3]
    plain = standing_posture(parts, small_space().channels)
    again = standing_posture([*parts, *parts], small_space().channels)
    assert_allclose(plain, again, atol=1e-12)


@settings(max_examples=25, deadline=None)
@given(
    st.floats(0.08, 0.6),
    st.floats(-0.5, 0.5),
    st.floats(-0.25, 0.25),
    st.floats(-0.5, 0.5),
    st.floats(0.0, 0.4),
)
def test_legs_reach_without_being_straight(
    apart: float, ahead: float, rise: float, out: float, roll: float
) -> None:
    places = side_by_side(apart, ahead) + np.array([[0.0, rise, 0.0], [0.0, 0.0, 0.0]])
    headings = np.array([out, -out])
    stand = stand_on(small_space().posture, edge_on(places, headings, (roll, 0.0)), small_space().stage)
    assert min(stand.rolls) >= 0.0
    if not stand.rolls.any():
        assert max(leg_lengths(stand.body, places, headings)) <= EASY + 1e-9


def test_beside_each_other_it_is_the_posture_and_astride_the_steps_own() -> None:
    space = small_space()
    near = side_by_side(BESIDE - 0.05)
    headings = np.zeros(2)
    stand = stand_on(space.posture, edge_on(near, headings, (0.3, 0.3)), space.stage)
    above = above_the_legs()
    assert len(above) > 60
    assert_allclose(stand.body[above], space.posture[above], atol=1e-12)
    assert_allclose(stand.body[[0, 2]], space.posture[[0, 2]], atol=1e-12)
    assert abs(stand.body[1] - space.posture[1]) <= RISES + 1e-12
    assert not stand.rolls.any()
    far = edge_on(side_by_side(0.2, ASTRIDE + 0.05), headings, (0.3, 0.2))
    stand = stand_on(space.posture, far, space.stage)
    assert_allclose(stand.body[above], far.body[above], atol=1e-12)
    assert_allclose(stand.rolls, [0.3, 0.2])


@settings(max_examples=20, deadline=None)
@given(st.floats(-3.0, 3.0), st.floats(-5.0, 5.0), st.floats(-0.5, 0.5))
def test_a_stand_goes_where_its_prints_go(turn: float, far: float, out: float) -> None:
    space = small_space()
    places, headings = side_by_side(0.24, 0.1), np.array([out, -0.1])
    shift = np.array([far, 0.3, -far])
    here = stand_on(space.posture, edge_on(places, headings), space.stage).body
    there = stand_on(space.posture, edge_on(turned(places, turn) + shift, headings + turn), space.stage).body
    assert_allclose(turned(here[ROOT], turn) + shift, there[ROOT], atol=1e-9)
    assert_allclose(np.exp(1j * (here[YAW] + turn)), np.exp(1j * there[YAW]), atol=1e-9)
    assert_allclose(here[YAW + 1 :], there[YAW + 1 :], atol=1e-12)


@pytest.mark.parametrize("headings", [(0.4, -0.2), (3.0, -3.0), (-0.5, -0.1)])
def test_a_stand_faces_between_its_feet(headings: tuple[float, float]) -> None:
    stand = stand_on(small_space().posture, edge_on(side_by_side(), np.array(headings)), small_space().stage)
    middle = np.angle(np.exp(1j * headings[0]) + np.exp(1j * headings[1]))
    assert_allclose(
        np.exp(1j * stand.body[YAW]), np.exp(1j * (middle + small_space().posture[YAW])), atol=1e-9
    )


def test_a_stand_faces_near_the_step_that_comes_of_it() -> None:
    """Yaws are near the edge's own, whole turns and all."""
    edge = edge_on(side_by_side(), np.array([0.1, -0.1]))
    body = np.array(edge.body)
    body[YAW] += 4.0 * np.pi
    stand = stand_on(small_space().posture, replace(edge, body=body), small_space().stage)
    assert abs(stand.body[YAW] - body[YAW]) < np.pi


@pytest.mark.parametrize("seed", range(3))
def test_motions_begin_and_end_in_a_stand_that_is_still(seed: int) -> None:
    space, plan = small_space(), drawn_plan(seed)
    motion = space.follow(plan, fps=120.0)
    still = int(0.29 * 120.0)
    for part in (motion[:still], motion[-still:]):
        assert np.ptp(part.positions, axis=0).max() < 6e-3
        assert part.contacts is not None
        for side in SIDES:
            assert part.contacts.stands(side).all()
    prints = plan.placements
    for side, one in zip(SIDES, prints[:2], strict=True):
        assert_allclose(sole_of(motion, side)["subtalar"][0], one.position, atol=1e-9)


@pytest.mark.parametrize("bent", [0.02, 0.035])
def test_bent_knees_are_straightened_in_a_stand(bent: float) -> None:
    """A posture whose hips are lower is stood in higher, until legs are straight or hips have risen far."""
    space, places, headings = small_space(), side_by_side(), np.zeros(2)
    low = np.array(space.posture)
    high = stand_on(low, edge_on(places, headings), space.stage).body[ROOT.start + 1]
    low[ROOT.start + 1] = high - bent
    stand = stand_on(low, edge_on(places, headings), space.stage).body
    assert max(leg_lengths(stand, places, headings)) == pytest.approx(STRAIGHT, abs=1e-9)
    assert stand[ROOT.start + 1] > low[ROOT.start + 1]
    low[ROOT.start + 1] = high - 3.0 * RISES
    stand = stand_on(low, edge_on(places, headings), space.stage).body
    assert stand[ROOT.start + 1] == pytest.approx(low[ROOT.start + 1] + RISES, abs=1e-9)
    assert max(leg_lengths(stand, places, headings)) < STRAIGHT


def test_a_stands_channels_are_of_legs_that_end_on_its_prints() -> None:
    """What follows goes by how straight the channels' own legs are: they are those of the solved legs."""
    space, places, headings = small_space(), side_by_side(0.24, 0.1), np.array([0.2, -0.1])
    body = stand_on(space.posture, edge_on(places, headings), space.stage).body
    frame = Motion(space.skeleton, body[None, ROOT], space.channels.rotations(body[None]), 60.0)
    for k, side in enumerate(SIDES):
        at = sole_of(frame, side)
        assert_allclose(at["subtalar"][0], places[k], atol=1e-9)
        along = (at["ball"] - at["heel"])[0]
        assert np.arctan2(along[0], along[2]) == pytest.approx(headings[k], abs=1e-9)


def test_a_clips_mirror_image_is_stood_in_as_the_clip() -> None:
    """The actor's figure is even: what clips and their mirror images stand in is even, and the same."""
    parts = clean_parts()[:3]
    seen = [replace(c, motion=mirror(c.motion), seen=c.seen.swapped()) for c in parts]
    channels = small_space().channels
    assert_allclose(standing_posture(parts, channels), standing_posture(seen, channels), atol=1e-6)
