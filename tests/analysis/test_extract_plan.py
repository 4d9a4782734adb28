"""Plans from motions: against the stances they were made from, and against ankles at rest in captures."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.actor.gait import gaits
from footfall.actor.gait.gaits import Pace
from footfall.actor.virtual_actor import VirtualActor
from footfall.adapt.clean_contacts import clean_contacts
from footfall.analysis.certificate import certificate
from footfall.analysis.contacts import detect_contacts
from footfall.analysis.extract_plan import extract_plan
from footfall.errors import RequestError
from footfall.figure.mirror import mirror
from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.geometry import ground
from footfall.world.foot_plan import FootPlan
from tests.analysis.truth import placed, truth
from tests.captured import captured, readme_table
from tests.captures import needs_captures
from tests.gaits import PACES, made
from tests.stances import pinned_points

CLOSE = {"rtol": 0.0, "atol": 1e-9}
CAPTURES = {  # alternate throughout?
    "walk/16_47.bvh": True,
    "turn-side-back/69_01.bvh": True,
    "turn-side-back/69_36.bvh": True,
    "turn-side-back/69_57.bvh": True,
    "turn-side-back/143_40.bvh": False,
}


def feet(plan: FootPlan) -> list[str]:
    return [p.foot for p in plan.placements]


def positions(plan: FootPlan) -> np.ndarray:
    return np.array([p.position for p in plan.placements])


def headings(plan: FootPlan) -> np.ndarray:
    return np.array([p.heading for p in plan.placements])


class TestMade:
    @pytest.mark.parametrize("name", PACES)
    def test_stances_come_back(self, name: str) -> None:
        gait = made(name, 60.0)
        plan = extract_plan(gait.given)
        ordered = sorted(gait.stances, key=lambda s: (max(s.strike, 0.0), s.off))
        assert feet(plan) == [s.foot for s in ordered] == ["left", "right"] * 4
        assert_allclose(positions(plan), [s.place for s in ordered], **CLOSE)
        toe = pinned_points(gait.motion.skeleton, "left")["toe"]
        outward = np.arctan2(toe[0], toe[2] * np.cos(PACES[name].slope))
        sides = np.where([f == "left" for f in feet(plan)], outward, -outward)
        assert_allclose(ground.wrap(headings(plan) - sides - [s.heading for s in ordered]), 0.0, **CLOSE)

    @pytest.mark.parametrize("name", PACES)
    def test_times_come_back(self, name: str) -> None:
        gait = made(name, 60.0)
        frames = sorted(truth(gait), key=lambda t: (t.start, t.end))
        last = {t.foot: t for t in frames[:2]}
        plan = extract_plan(gait.given)
        for k, (print_, true) in enumerate(zip(plan.placements, frames, strict=True)):
            whole = true.start > 0 and true.end < len(gait.motion)
            assert print_.stance == (pytest.approx((true.end - true.start) / 60.0) if whole else None)
            swing = (true.start - last[true.foot].end) / 60.0
            assert print_.swing == (None if k < 2 else pytest.approx(swing))
            last[true.foot] = true

    def test_contacts_that_are_given_tell_the_times(self) -> None:
        gait = made("walk", 60.0)
        assert gait.given.contacts is not None
        one, other = extract_plan(gait.given), extract_plan(gait.motion, contacts=gait.given.contacts)
        assert one.encode() == other.encode()

    @pytest.mark.parametrize("name", ["walk", "backward", "sideways", "stairs", "run"])
    def test_without_contacts_they_are_found(self, name: str) -> None:
        gait = made(name, 120.0)
        given, found = extract_plan(gait.given), extract_plan(gait.motion)
        assert gait.motion.contacts is None
        assert feet(found) == feet(given)
        assert_allclose(positions(found), positions(given), atol=0.01)
        assert_allclose(ground.wrap(headings(found) - headings(given)), 0.0, atol=np.radians(2.0))


class TestAxioms:
    def test_where_and_which_way(self) -> None:
        gait = made("turn", 60.0).given
        one, other = extract_plan(gait), extract_plan(placed(gait, (3.0, 0.5, -7.0), 2.0))
        frame = ground.GroundFrame(np.array([3.0, 0.5, -7.0]), np.array(2.0))
        assert feet(one) == feet(other)
        assert_allclose(positions(other), frame.to_world(positions(one)), **CLOSE)
        assert_allclose(ground.wrap(headings(other) - headings(one) - 2.0), 0.0, **CLOSE)

    def test_mirror(self) -> None:
        gait = VirtualActor(seed=1).walk(1.2, turn_rate=0.3).motion
        one, other = extract_plan(gait), extract_plan(mirror(gait))
        assert [{"left": "right", "right": "left"}[f] for f in feet(one)] == feet(other)
        assert_allclose(positions(other), positions(one) * [-1, 1, 1], atol=1e-6)
        assert_allclose(ground.wrap(headings(other) + headings(one)), 0.0, atol=1e-6)
        assert [p.swing for p in one.placements] == [p.swing for p in other.placements]

    def test_a_part_is_what_its_frames_show(self) -> None:
        motion = made("walk", 60.0).motion
        whole = extract_plan(motion)
        # from the first step's landing on: both feet stand, and the right one goes next
        strike = sorted(truth(made("walk", 60.0)), key=lambda t: t.start)[2].start / 60.0
        part = extract_plan(motion, start=strike + 0.05)
        assert feet(part) == feet(whole)[1:]
        assert_allclose(positions(part), positions(whole)[1:], **CLOSE)
        assert [p.stance for p in part.placements[2:]] == [p.stance for p in whole.placements[3:]]
        assert part.placements[0].swing is part.placements[1].swing is part.placements[1].stance is None
        ends = extract_plan(motion, end=motion.seconds - 2.0)
        assert feet(ends) == feet(whole)[: len(ends)]
        assert 3 <= len(ends) < len(whole)

    def test_a_foot_that_is_seen_on_its_toes_only(self) -> None:
        gait = made("walk", 60.0)
        whole = extract_plan(gait.given)
        first = sorted(gait.stances, key=lambda s: s.off)[1]  # the right foot, before its first step
        cut = gait.given[round((first.lift + 0.06) * 60.0) :]
        part = extract_plan(cut)
        assert cut.contacts is not None
        assert not cut.contacts.flat("right")[:10].any()
        assert feet(part) == feet(whole)[1:]
        # its subtalar is centimetres above the ground and moves, but the print lies there
        assert_allclose(positions(part)[1:], positions(whole)[2:], **CLOSE)
        assert_allclose(positions(part)[0], positions(whole)[1], atol=1e-3)


class TestActor:
    @pytest.mark.parametrize(("speed", "turn"), [(1.3, 0.0), (1.0, 0.4), (-0.7, 0.0)])
    def test_the_score_comes_back(self, speed: float, turn: float) -> None:
        actor = VirtualActor(seed=2)
        score, _ = gaits.steady(actor.skeleton, actor.style, Pace(speed, turn_rate=turn), 8, "left")
        plan = extract_plan(actor.walk(speed, turn_rate=turn).motion)
        seen = sorted((s for s in score.stances if s.off > score.start), key=lambda s: s.strike)
        seen = [s for s in seen if s.strike < score.end][-len(plan) :]
        assert [s.foot for s in seen] == feet(plan)
        # stances whose flat part lies in the clip; of the others only the rolling foot is seen
        whole = [k for k, s in enumerate(seen) if s.flat >= score.start and s.lift <= score.end]
        assert len(whole) >= 7
        assert_allclose(positions(plan)[whole], np.array([s.place for s in seen])[whole], atol=1e-6)

    def test_its_own_plan_is_kept(self) -> None:
        motion = VirtualActor().cross_step().motion
        plan = extract_plan(motion)
        assert certificate(motion, plan=plan).placement_max_m == pytest.approx(0.0, abs=1e-6)
        assert len(plan.steps()) == len(plan) - 2


@needs_captures
class TestCaptures:
    @pytest.mark.parametrize("file", CAPTURES)
    def test_prints_lie_under_resting_ankles(self, file: str) -> None:
        motion = captured(file)
        plan = extract_plan(motion)
        for foot in ("left", "right"):
            rests = resting_places(motion, foot)
            own = plan.of(foot)
            # the last may have touched for a moment only
            prints = np.array([p.position[[0, 2]] for p in own if p is not own[-1] or p.stance is not None])
            away = np.linalg.norm(prints[:, None] - rests[None], axis=-1)
            # each print has its rest, in the same order, and few rests have no print (twitches, pivots)
            assert away.min(axis=1).max() < 0.06
            assert len(rests) - len(prints) <= 1 + len(prints) // 10

    @pytest.mark.parametrize("file", CAPTURES)
    def test_as_many_steps_as_people_counted(self, file: str) -> None:
        folder, name = file.split("/")
        plan = extract_plan(captured(file))
        cells = readme_table(folder)[name]
        counted = next(int(c) for c in cells[6:8] if c.isdigit())
        assert abs(len(plan.steps()) - counted) <= 1
        if CAPTURES[file]:
            assert all(a != b for a, b in pairwise(feet(plan)))

    def test_times_add_up(self) -> None:
        """Each foot in turn rests and swings without gaps, so its times add up to the clip's."""
        motion = captured("turn-side-back/69_36.bvh")
        plan = extract_plan(motion)
        for foot in ("left", "right"):
            own = plan.of(foot)
            inner = sum(p.swing + p.stance for p in own[1:-1])  # type: ignore[operator]
            assert motion.seconds - 3.0 < inner + own[-1].swing < motion.seconds  # type: ignore[operator]

    def test_a_pivot_is_no_step(self) -> None:
        """In a sharp turn a foot turns by 56 degrees on the spot: one print, one long stance."""
        plan = extract_plan(captured("turn-side-back/16_30.bvh"))
        assert feet(plan) == ["right", "left", "right", "left", "right"]
        strides = [b.position - a.position for foot in ("left", "right") for a, b in pairwise(plan.of(foot))]
        assert min(np.linalg.norm(strides, axis=1)) > 1.4
        assert min(p.swing for p in plan.placements if p.swing is not None) > 0.45
        assert plan.placements[2].stance == pytest.approx(0.48, abs=0.03)

    @pytest.mark.parametrize("file", ["turn-side-back/69_01.bvh", "run/16_36.bvh", "steps/83_12.bvh"])
    def test_a_cleaned_clip_is_told_when_its_feet_stood(self, file: str) -> None:
        """Pins are shorter than stances, and a run's so short that nothing seems to carry it."""
        motion = captured(file)
        stood = detect_contacts(motion)
        plan = extract_plan(motion)
        again = extract_plan(clean_contacts(motion), contacts=stood)
        assert feet(again) == feet(plan)
        assert [(p.swing, p.stance) for p in again.placements] == [
            (p.swing, p.stance) for p in plan.placements
        ]
        assert_allclose(positions(again), positions(plan), atol=0.03)

    def test_pins_are_shorter_than_stances(self) -> None:
        motion = captured("turn-side-back/69_01.bvh")
        swings = [
            [p.swing for p in extract_plan(m).placements if p.swing is not None]
            for m in (motion, clean_contacts(motion))
        ]
        assert 0.1 < np.median(swings[1]) - np.median(swings[0]) < 0.3


def resting_places(motion: Motion, foot: str) -> np.ndarray:
    """Where an ankle stays for a tenth of a second and more: the middle of each rest, on the ground plan."""
    ankle = motion.of(f"{foot}_foot")[:, [0, 2]]
    reach = max(round(0.02 * motion.fps), 1)
    speed = np.linalg.norm(ankle[2 * reach :] - ankle[: -2 * reach], axis=1) * motion.fps / (2 * reach)
    slow = np.concatenate([[False] * reach, speed < 0.35, [False] * reach])
    edges = np.flatnonzero(np.diff(np.concatenate([[0], slow.astype(int), [0]])))
    runs = [(a, b) for a, b in zip(edges[::2], edges[1::2], strict=True) if b - a >= 0.1 * motion.fps]
    return np.array([np.median(ankle[a:b], axis=0) for a, b in runs])


class TestRefusals:
    def test_standing_and_jumping(self) -> None:
        for name in ("stand", "jump"):
            with pytest.raises(
                RequestError, match=r"no step to plan: the left foot stands in \d places and the right"
            ):
                extract_plan(made(name, 60.0).given)

    def test_one_frame(self) -> None:
        with pytest.raises(RequestError, match="no step to plan"):
            extract_plan(made("walk", 60.0).motion[:1])

    def test_no_such_part(self) -> None:
        motion = made("walk", 60.0).motion
        for start, end in ((99.0, None), (2.0, 1.0), (float("nan"), None), (-1.0, 2.0)):
            with pytest.raises(RequestError, match="no frame lies between"):
                extract_plan(motion, start=start, end=end)
        with pytest.raises(RequestError, match="no step to plan"):
            extract_plan(motion, end=0.3)

    def test_contacts_of_another_motion(self) -> None:
        gait = made("walk", 60.0).given
        assert gait.contacts is not None
        with pytest.raises(RequestError, match=r"contacts of 9 frames do not fit a motion of \d+"):
            extract_plan(gait, contacts=gait.contacts.frames(slice(9)))

    def test_no_legs(self) -> None:
        bar = Skeleton.build(("hips", "chest"), [-1, 0], [[0, 1.0, 0], [0, 0.5, 0]])
        motion = Motion(bar, np.zeros((9, 3)), np.tile([1.0, 0, 0, 0], (9, 2, 1)), 30.0)
        with pytest.raises(RequestError, match="no left and no right leg"):
            extract_plan(motion)

    def test_nothing_is_changed(self, tmp_path: Path) -> None:
        motion = made("walk", 60.0).motion
        before = replace(motion, root=motion.root.copy())
        plan = extract_plan(motion)
        assert (motion.root == before.root).all()
        (tmp_path / "plan.json").write_bytes(plan.encode())
        again = FootPlan.load(tmp_path / "plan.json")
        assert_allclose(headings(again), headings(plan), atol=1e-12)
        assert np.array_equal(positions(again), positions(plan))
