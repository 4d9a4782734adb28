"""The naturalness benchmark: windows of a synthetic walk, and classifiers on sets of known likeness."""

from __future__ import annotations

import json
import sys
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import footfall as ff
from tests.benchmarks.scripts import script

CLIPS, PER_CLIP = 12, 8


@cache
def walk() -> ff.Motion:
    return ff.VirtualActor().walk(1.2, turn_rate=0.3).motion


def random_windows(seed: int, shift: float = 0.0):  # type: ignore[no-untyped-def]
    """Windows of smooth random curves, some of each clip; all of one curve moved by a shift."""
    windows = script("naturalness_windows")
    rng = np.random.default_rng(seed)
    count = CLIPS * PER_CLIP
    phases = np.linspace(0.0, 2.0 * np.pi, windows.PHASES)
    sizes, offsets = rng.normal(size=(2, count, 1, 3, 9))
    samples = sizes * np.sin(phases[:, None, None] + offsets)
    samples[:, :, 0, 0] += shift
    clips = np.repeat([f"clip {k}" for k in range(CLIPS)], PER_CLIP)
    return windows.WindowSet(samples, clips, np.full(count, 0.5))


def test_windows_end_where_the_walks_own_truth_has_strikes() -> None:
    windows = script("naturalness_windows")
    motion = walk()
    assert motion.contacts is not None
    plants = ff.detect_plants(motion, motion.contacts)
    true = sorted((plant.start / motion.fps, plant.foot) for plant in plants)
    points = windows.points_of(motion)
    found = [(frame / windows.FPS, windows.SIDES[foot]) for frame, foot in windows.strikes_of(points)]
    begun = [one for one in true if one[0] > 0.0]
    assert [foot for _, foot in found] == [foot for _, foot in begun]
    late = np.array([seconds for seconds, _ in found]) - [seconds for seconds, _ in begun]
    assert np.abs(late).max() < 0.1
    seconds = [lasts for _, lasts in windows.windows_of(points, 15.0)]
    assert len(seconds) >= len(found) - 3
    steps = np.diff([seconds for seconds, _ in found])
    assert set(np.round(seconds, 9)) <= set(np.round(steps, 9))


def test_a_window_does_not_know_where_the_walk_is_nor_which_foot_strikes() -> None:
    windows = script("naturalness_windows")
    own = windows.window_set({"walk": walk()}, 15.0)
    mirrored = windows.window_set({"walk": ff.mirror(walk())}, 15.0)
    assert len(own) > 3
    assert_allclose(mirrored.seconds, own.seconds)
    assert_allclose(mirrored.samples, own.samples, atol=1e-5)  # accelerations, in m/s^2
    motion = walk()
    moved = windows.points_of(motion) + np.array([3.0, 0.5, -2.0])
    quarter = np.stack([moved[..., 2], moved[..., 1], -moved[..., 0]], axis=-1)
    for (one, _), (other, _) in zip(
        windows.windows_of(windows.points_of(motion), 15.0), windows.windows_of(quarter, 15.0), strict=True
    ):
        assert_allclose(other, one, atol=1e-5)


def test_velocities_are_those_of_the_positions() -> None:
    """On a straight path at constant speed the hips have that velocity and no acceleration."""
    windows = script("naturalness_windows")
    frames = np.arange(60)
    still = np.random.default_rng(0).normal(size=(1, len(windows.POINTS), 3))
    still[0, windows.POINTS.index("left_thigh")] = 0.1, 0.9, 0.0
    still[0, windows.POINTS.index("right_thigh")] = -0.1, 0.9, 0.0  # faces +Z
    path = still + np.stack([0.0 * frames, 0.0 * frames, 1.5 * frames / windows.FPS], axis=1)[:, None]
    one = windows.window(path, 10, 50, 0)
    shape = (*one.shape[:2], 3)
    assert_allclose(one[..., windows.VELOCITY], np.broadcast_to([0.0, 0.0, 1.5], shape), atol=1e-9)
    assert_allclose(one[..., windows.ACCELERATION], 0.0, atol=1e-9)
    floor = still[0, windows.POINTS.index("right_foot"), 1]
    hips = still[0, 0] * [1.0, 0.0, 1.0] + [0.0, floor, 0.0]
    assert_allclose(one[..., windows.POSITION], np.broadcast_to(still - hips, shape), atol=1e-6)


def test_matched_windows_ask_for_the_same_and_are_used_once() -> None:
    matched = script("naturalness_windows").matched
    one = np.random.default_rng(3).normal(size=(30, 3))
    order = np.random.default_rng(4).permutation(30)
    pairs = matched(one, one[order] + 1e-4)
    assert sorted(pairs[:, 0]) == sorted(pairs[:, 1]) == list(range(30))
    assert (order[pairs[:, 1]] == pairs[:, 0]).all()
    assert len(matched(one, one + 100.0, caliper=0.5)) == 0


def test_nobody_tells_identical_windows_apart() -> None:
    """Copies get the same score, so exactly half of them are told right."""
    pytest.importorskip("sklearn", reason="scikit-learn is not installed (extra: study)")
    classifiers = script("naturalness_classifiers")
    one = random_windows(0)
    told = classifiers.told_apart(classifiers.Task.between(one, one), ("boosted", "linear"), seeds=(0,))
    for verdict in told.values():
        assert verdict.accuracies == (0.5,)
        assert_allclose(verdict.areas, 0.5, atol=1e-12)


def test_windows_of_one_kind_are_hardly_told_apart_and_shifted_ones_are() -> None:
    pytest.importorskip("sklearn", reason="scikit-learn is not installed (extra: study)")
    classifiers = script("naturalness_classifiers")
    names = ("boosted", "linear")
    for verdict in classifiers.control(random_windows(1), names, (0, 1)).values():
        assert len(verdict.accuracies) == 2
        assert 0.35 < verdict.accuracy < 0.65
    task = classifiers.Task.between(random_windows(1), random_windows(2, shift=6.0))
    told = classifiers.told_apart(task, names, seeds=(0,))
    assert all(verdict.accuracy > 0.9 for verdict in told.values())
    assert classifiers.told_apart(task, names, seeds=(0,)) == told


def test_scores_are_judged_by_rank_and_by_both_kinds_alike() -> None:
    classifiers = script("naturalness_classifiers")
    labels, scores = np.array([0, 0, 0, 1]), np.array([0.2, 0.4, 0.9, 0.9 + 1e-12])
    assert classifiers.balanced_accuracy(labels, scores) == pytest.approx(0.5 * (2 / 3 + 1.0))
    area = classifiers.area_under_roc(labels, scores)
    assert area == pytest.approx((2 + 0.5) / 3)  # two scores are equal but for rounding


def test_a_clip_is_in_one_fold() -> None:
    classifiers = script("naturalness_classifiers")
    clips = random_windows(0).clips
    tested = np.array(list(classifiers.folds(clips, 1)))
    assert (tested.sum(axis=0) == 1).all()
    for clip in np.unique(clips):
        assert len(np.unique(tested[:, clips == clip], axis=1).T) == 1


def test_a_plan_followed_by_itself_has_no_error() -> None:
    """Events of a motion pair with its own, one to one; its strikes alternate."""
    held_out, clips = script("naturalness_held_out"), script("naturalness_clips")
    motion = walk()
    plan = ff.extract_plan(motion, contacts=motion.contacts)
    clip = clips.CleanClip(motion, motion.contacts)
    own, others, strikes = held_out.paired_events(clip, motion, plan)
    assert len(own) > 6
    assert_allclose(own, others)
    assert (np.diff(own) > 0.0).all()
    assert all(foot != other for (_, foot), (_, other) in pairwise(strikes))
    assert_allclose(
        held_out.joint_curves(motion)(np.arange(len(motion)) / motion.fps), motion.positions, atol=1e-9
    )
    assert held_out.without_times(plan).placements[3].swing is None


def test_events_at_one_time_have_an_order() -> None:
    """Sets of names have another order in every process; events at one time do not take it."""
    held_out = script("naturalness_held_out")
    events = [(k, what) for k in range(12) for what in ("strike", "toe-off")]
    own = {(k, what): float(k // 4) for k, what in events}
    others = {event: seconds + 0.1 * event[0] for event, seconds in own.items()}
    assert held_out.common_events(own, others) == events
    assert held_out.common_events(dict(reversed(own.items())), others) == events
    assert held_out.apart_in_both(events, own, others) == [(0, "strike"), (4, "strike"), (8, "strike")]
    assert held_out.common_events(own, {events[5]: 0.0, (99, "strike"): 1.0}) == [events[5]]


def test_figures_are_told_to_machines_and_to_people(capsys: pytest.CaptureFixture[str]) -> None:
    """Figures that are not known are null; a bar that is missed is named."""
    told, held_out = script("naturalness_report"), script("naturalness_held_out")
    left_out, classifiers = script("naturalness_left_out"), script("naturalness_classifiers")
    step = held_out.StepError("a.bvh", {"all": 0.05, "legs": 0.03, "trunk": 0.04, "arms": 0.09})
    parts = dict.fromkeys(step.distance, np.full((len(left_out.METHODS), 2), 0.06))
    figures = told.Figures(
        held_out=[
            held_out.HeldOutErrors(told.SELECTOR, True, (step, step), ()),
            held_out.HeldOutErrors("nearest", True, (), ("a.bvh: refused",)),
        ],
        left_out=[
            left_out.LeftOutErrors(
                left_out="clip",
                methods=tuple(left_out.METHODS),
                parts=parts,
                foot=np.array([0.02, 0.04]),
                inside=np.array([True, True]),
                kinds=("forward", "side"),
                subjects=np.array([69, 16]),
            )
        ],
        controls={15.0: {"linear": classifiers.Verdict((0.5, 0.9), (0.5, 0.9))}},
        comparisons=[
            told.Comparison("walks", 15.0, 9, 9, (1.0, 2.0), {"linear": classifiers.Verdict((0.8,), (0.9,))})
        ],
    )
    values = json.loads(json.dumps(told.report(figures), allow_nan=False))
    assert [one["joint_distance_m"]["all"] for one in values["held_out"]] == [0.05, None]
    assert values["comparisons"][0]["classifiers"]["linear"]["accuracy"] == [0.8]
    missed = [row["name"].strip() for row in values["rows"] if not row["met"]]
    assert missed[0] == f"held-out clips, timed: {told.SELECTOR}"
    assert missed[-1] == "control, 15 Hz: linear"
    told.print_report(figures)
    lines = capsys.readouterr().out.splitlines()
    assert [line[2:] for line in lines[lines.index("BARS ARE MISSED") :] if line.startswith("- ")] == missed
    assert "| control | 15 | | linear | 70 (50 to 90) | 0.70 | | |" in lines


def test_without_captures_or_scikit_learn_a_sentence_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    natural = script("naturalness")
    monkeypatch.setattr(natural, "FOLDER", tmp_path / "nowhere")
    monkeypatch.setattr(sys, "argv", ["naturalness.py", "--json"])
    assert natural.main() == 0
    assert "FOOTFALL_DATA" in json.loads(capsys.readouterr().out)["skipped"][0]
    classifiers = script("naturalness_classifiers")
    monkeypatch.setattr(classifiers, "find_spec", lambda name: None)
    assert "footfall[study]" in classifiers.missing()
    assert "network" not in classifiers.available()
