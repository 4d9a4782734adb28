"""Plants against the stances they were made from, and what rotation, translation and mirrors do to them."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.analysis.plants import Plant, detect_plants, plants_of
from footfall.figure.contacts import Contacts
from footfall.figure.mirror import mirror
from footfall.figure.motion import Motion
from footfall.figure.soles import toe_places
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from tests.analysis.truth import noisy, placed, truth
from tests.gaits import PACES, RATES, made
from tests.stances import Made, Stance, make, pinned_points

CLOSE = {"rtol": 0.0, "atol": 1e-9}
FRAMES = ("start", "end", "flat", "heel_first", "whole")


def plants_in(motion: Motion) -> tuple[Plant, ...]:
    assert motion.contacts is not None
    return detect_plants(motion, motion.contacts)


def stance_of(gait: Made, plant: Plant) -> Stance:
    fps = gait.motion.fps
    middle = 0.5 * (plant.start + plant.end) / fps
    found = [s for s in gait.stances if s.foot == plant.foot and s.strike <= middle <= s.off]
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize("fps", RATES)
@pytest.mark.parametrize("name", [*PACES, "jump", "stand"])
class TestAgainstStances:
    def test_frames(self, name: str, fps: float) -> None:
        gait = made(name, fps)
        found = plants_in(gait.given)
        assert [(p.foot, p.start, p.end) for p in found] == [(t.foot, t.start, t.end) for t in truth(gait)]
        for plant in found:
            stance = stance_of(gait, plant)
            frames = np.arange(len(gait.motion)) / fps + 1e-9
            flat = np.flatnonzero((frames >= stance.flat) & (frames < stance.lift))
            assert plant.flat == (flat[0], flat[-1] + 1)
            assert plant.whole == (stance.strike > 0 and stance.off < gait.motion.seconds)
            assert plant.foot_flat == flat[0]
            assert plant.heel_off == flat[-1] + 1
            assert plant.toe_off == plant.end
            if plant.whole:
                assert plant.heel_first == (stance.first == "heel")
                assert plant.heel_strike == (plant.start if plant.heel_first else None)

    def test_places(self, name: str, fps: float) -> None:
        gait = made(name, fps)
        for plant in plants_in(gait.given):
            stance = stance_of(gait, plant)
            arms = pinned_points(gait.motion.skeleton, stance.foot)
            sole = quat.multiply(ground.turn(stance.heading), quat.exp(np.array([-stance.slope, 0.0, 0.0])))
            toe = np.array(stance.place) + quat.rotate(sole, arms["toe"] - arms["flat"])
            assert_allclose(plant.position, stance.place, **CLOSE)
            assert_allclose(plant.toe, toe, **CLOSE)
            # the sole points along the toe joint, which lies a little outward of the ankle
            outward = np.arctan2(arms["toe"][0], arms["toe"][2] * np.cos(stance.slope))
            assert float(ground.wrap(plant.heading - stance.heading - outward)) == pytest.approx(
                0.0, abs=1e-9
            )
            assert plant.level == pytest.approx(stance.place[1], abs=1e-9)
            assert plant.pitch == pytest.approx(stance.slope, abs=1e-3)


class TestAxioms:
    @pytest.mark.parametrize("name", ["turn", "stairs", "run"])
    def test_moving_a_motion_moves_its_plants(self, name: str) -> None:
        gait = made(name, 60.0)
        motion = replace(noisy(gait.motion, 0.004, 1), contacts=gait.contacts)
        heading, place = 2.4, np.array([5.0, 0.3, -2.0])
        for one, other in zip(
            plants_in(motion), plants_in(placed(motion, (5.0, 0.3, -2.0), heading)), strict=True
        ):
            assert all(getattr(one, n) == getattr(other, n) for n in FRAMES)
            for name_ in ("position", "toe"):
                assert_allclose(
                    getattr(other, name_),
                    quat.rotate(ground.turn(heading), getattr(one, name_)) + place,
                    **CLOSE,
                )
            assert float(ground.wrap(other.heading - one.heading - heading)) == pytest.approx(0.0, abs=1e-9)
            assert other.level - one.level == pytest.approx(0.3, abs=1e-9)
            assert other.pitch == pytest.approx(one.pitch, abs=1e-9)

    @pytest.mark.parametrize("name", ["turn", "sideways", "ramp"])
    def test_a_mirror_swaps_them(self, name: str) -> None:
        motion = made(name, 60.0).given
        ours, theirs = (sorted(plants_in(m), key=lambda p: p.start) for m in (motion, mirror(motion)))
        for side, other in (("left", "right"), ("right", "left")):
            for a, b in zip(
                [p for p in ours if p.foot == side], [p for p in theirs if p.foot == other], strict=True
            ):
                assert all(getattr(a, n) == getattr(b, n) for n in FRAMES)
                assert_allclose(a.position * [-1, 1, 1], b.position, **CLOSE)
                assert_allclose(a.toe * [-1, 1, 1], b.toe, **CLOSE)
                assert a.heading == pytest.approx(-b.heading, abs=1e-9)
                assert (a.level, a.pitch) == pytest.approx((b.level, b.pitch), abs=1e-9)

    def test_they_come_in_order_of_time_and_never_overlap_on_one_foot(self) -> None:
        found = plants_in(made("run", 120.0).given)
        assert [p.start for p in found] == sorted(p.start for p in found)
        for side in ("left", "right"):
            own = [p for p in found if p.foot == side]
            assert all(a.end < b.start for a, b in pairwise(own))

    def test_rates_agree(self) -> None:
        """Places are the stances' own, whatever the rate; times agree to a frame."""
        coarse, fine = (plants_in(made("walk", fps).given) for fps in (30.0, 120.0))
        for a, b in zip(coarse, fine, strict=True):
            assert_allclose(a.position, b.position, **CLOSE)
            assert abs(a.start / 30 - b.start / 120) <= 1 / 30 + 1e-9


class TestJoining:
    """Heel and toe contacts that all but meet at one place are one plant."""

    def contacts_with_a_gap(self, gap: int) -> tuple[Motion, Contacts]:
        gait = made("stand", 60.0)
        heel, toe = np.array(gait.contacts.heel), np.array(gait.contacts.toe)
        heel[60 : 60 + gap], toe[60 : 60 + gap] = False, False
        return gait.motion, Contacts(heel, toe)

    @pytest.mark.parametrize(("gap", "count"), [(1, 1), (11, 1), (12, 2), (30, 2)])
    def test_gaps_under_a_fifth_of_a_second_are_bridged(self, gap: int, count: int) -> None:
        assert len(plants_of(*self.contacts_with_a_gap(gap), "left")) == count

    def test_but_not_to_another_place(self) -> None:
        """Two stances 0.1 s and 20 cm apart stay two."""
        quick = [
            Stance("left", (0.1, 0.0, 0.0), -1.0, -0.9, 0.9, 1.0),
            Stance("left", (0.1, 0.0, 0.2), 1.1, 1.15, 9.0, 9.1),
            Stance("right", (-0.1, 0.0, 0.1), -1.0, -0.9, 9.0, 9.1),
        ]
        gait = make(quick, 2.0, 60.0)
        assert len(plants_of(gait.motion, gait.contacts, "left")) == 2

    def test_nothing_stands_without_contacts(self) -> None:
        motion = made("walk", 30.0).motion
        assert detect_plants(motion, Contacts.none(len(motion))) == ()

    def test_a_plant_of_heel_or_toe_alone_has_no_flat_foot(self) -> None:
        motion = made("stand", 60.0).motion
        on = np.ones((len(motion), 2), dtype=bool)
        toes, heels = (detect_plants(motion, c) for c in (Contacts(~on, on), Contacts(on, ~on)))
        for plant in (*toes, *heels):
            assert plant.flat is plant.foot_flat is plant.heel_off is None
        assert not toes[0].heel_first
        assert heels[0].heel_first
        assert_allclose(toes[0].toe, toe_places(motion, toes[0].foot)[0], **CLOSE)


def test_a_skeleton_with_one_leg_has_plants_of_that_leg() -> None:
    gait = made("walk", 30.0)
    roles = {r: j for r, j in gait.motion.skeleton.roles.items() if r != "right_shank"}
    lame = replace(gait.given, skeleton=replace(gait.motion.skeleton, roles=roles))
    assert {p.foot for p in plants_in(lame)} == {"left"}
