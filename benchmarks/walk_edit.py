"""The walk edit over a grid of walks, beside what was asked of each, and how long a frame takes.

    python benchmarks/walk_edit.py [--json] [CLIP ...]

Four captured walks and the actor's, some 140 walks of eight steps from each. All is measured on the finished
motion (tests/models/walkedit/measures.py). Contact begins and ends between frames, so mid-swing is known to
half a frame: lifts are taken at 960 Hz, and what half a frame costs stands beside them. Exits with 1 where a
bar is missed. Walks over terrains are in walk_terrain.py.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from timing import best_seconds

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.captures import FOLDER
from tests.models.walkedit.measures import CADENCE, RATIO, SAME, Likeness, likeness, measured
from walk_measures import Row, by_group, clips, grid, markdown, missed_by_bar

import footfall as ff

ROUNDS = 5
FAST = 30.0  # us a frame
STEPS = 20  # of the walks that are timed: a short one's frames bear what every walk costs, some 10 ms
RATE = 120.0  # Hz at which a frame's time is told: most of it is a step's, whatever its frames
Times = dict[str, dict[str, dict[str, tuple[float, float | None]]]]  # by clip, rate and kind of walk
TIMED: dict[str, dict[str, Any]] = {
    "plain": {},
    "lift": {"lift": 0.15},
    "slope": {"slope": 0.2},
    "stairs": {"stairs": (0.15, 0.3)},
    "curve": {"curve": 0.5},
}
SHARES = (1.2, 1.5, 2.0)  # acceleration ratios


def rows_of(name: str, edit: ff.WalkEdit) -> list[Row]:
    return [Row(name, case, measured(edit, case)) for case in grid(edit.step_length, edit.speed)]


def frame_times(edit: ff.WalkEdit, fps: float | None) -> dict[str, tuple[float, float | None]]:
    """Microseconds a frame for each kind of walk, and pymotion's forward kinematics of the same frames."""
    runs: dict[str, Callable[[], object]] = {}
    frames: dict[str, int] = {}
    for kind, asked in TIMED.items():
        walk = edit.synthesize(steps=STEPS, fps=fps, **asked)
        frames[kind] = len(walk)
        runs[kind] = lambda asked=asked: edit.synthesize(steps=STEPS, fps=fps, **asked)  # type: ignore[misc]
        try:
            from pymotion.ops.skeleton import fk
        except ImportError:
            continue
        arrays = (walk.rotations, walk.root, walk.skeleton.offsets, walk.skeleton.parents)
        runs[f"{kind}: pymotion"] = lambda arrays=arrays, fk=fk: fk(*arrays)  # type: ignore[misc]
    best = best_seconds(runs, ROUNDS)
    micro = {name: 1e6 * value / frames[name.split(":")[0]] for name, value in best.items()}
    return {kind: (micro[kind], micro.get(f"{kind}: pymotion")) for kind in TIMED}


def build_seconds(clip: ff.Motion) -> float:
    return best_seconds({"build": lambda: ff.WalkEdit(clip)}, ROUNDS)["build"]


def report_ratios(rows: Sequence[Row]) -> None:
    """The acceleration ratio's distribution, and every walk over the bar with its cadence."""
    ratios = np.array([row.figures.ratio for row in rows])
    slow = np.array([row.figures.cadence <= CADENCE for row in rows])
    for what, chosen in (("all", ratios), ("no quicker than captured", ratios[slow])):
        under = ", ".join(f"{100 * np.mean(chosen < share):.1f} % under {share}" for share in SHARES)
        print(f"\nAcceleration ratio, {what} ({len(chosen)} walks): {under}; worst {chosen.max():.2f}")
    for row in sorted(rows, key=lambda r: -r.figures.ratio):
        if row.figures.ratio >= RATIO:
            print(f"- {row.figures.ratio:.2f} at {row.figures.cadence:.2f} of the cadence: {row}")


def report_likeness(found: dict[str, Likeness]) -> None:
    print("\nNothing asked, beside the cleaned capture: joint distance in mm, bar 5 for the mean\n")
    print("| clip | mean | largest | mean less drift | step time off by, ms |\n|---|---|---|---|---|")
    for name, like in found.items():
        lengths = (like.distance, like.largest, like.without_drift, like.step_seconds)
        print(f"| {name} | {' | '.join(f'{1e3 * v:.1f}' for v in lengths)} |")


def report_times(times: Times, built: dict[str, float]) -> None:
    print(f"\nMicroseconds a frame, {STEPS} steps, best of {ROUNDS}; pymotion's kinematics in brackets\n")
    print(f"| clip | rate | {' | '.join(TIMED)} | WalkEdit(clip), ms |\n|---|---|{'---|' * len(TIMED)}---|")
    for name, rates in times.items():
        for rate, found in rates.items():
            cells = [f"{own:.1f} ({'-' if peer is None else f'{peer:.1f}'})" for own, peer in found.values()]
            print(f"| {name} | {rate} | {' | '.join(cells)} | {1e3 * built[name]:.0f} |")


def other_bars(likenesses: dict[str, Likeness], times: Times) -> list[str]:
    """Those that are missed, of the walk as captured and of time."""
    unlike = [
        f"- {name} as captured: {1e3 * like.distance:.1f} mm from the capture"
        for name, like in likenesses.items()
        if not like.distance < SAME
    ]
    slow = [
        f"- {name} {kind}: {own:.1f} us a frame"
        for name, rates in times.items()
        for kind, (own, _) in rates[f"{RATE:g} Hz"].items()
        if not own < FAST
    ]
    return unlike + slow


def report(rows: Sequence[Row]) -> None:
    print(f"{len(rows)} walks of 8 steps; worst / median; lengths in mm, all else in shares\n")
    print(markdown(by_group(rows)))
    report_ratios(rows)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("clips", nargs="*", help="parts of the clips' names; all by default")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of tables")
    options = parser.parse_args()
    if not FOLDER.is_dir():
        print(f"no captures in {FOLDER}: the actor's walk alone; set FOOTFALL_DATA", file=sys.stderr)
    chosen = {n: c for n, c in clips().items() if not options.clips or any(p in n for p in options.clips)}
    edits = {name: ff.WalkEdit(clip) for name, clip in chosen.items()}
    built = {name: build_seconds(clip) for name, clip in chosen.items()}
    times = {
        name: {"own": frame_times(edit, None), f"{RATE:g} Hz": frame_times(edit, RATE)}
        for name, edit in edits.items()
    }
    likenesses = {name: likeness(edit) for name, edit in edits.items()}
    rows = [row for name, edit in edits.items() for row in rows_of(name, edit)]
    missed = missed_by_bar(rows) + other_bars(likenesses, times)
    if options.json:
        values = {
            "walks": [row.as_dict() for row in rows],
            "likeness": {name: asdict(like) for name, like in likenesses.items()},
            "microseconds": times,
            "build_seconds": built,
            "missed": missed,
        }
        print(json.dumps(values))
    else:
        report(rows)
        report_likeness(likenesses)
        report_times(times, built)
        print("\nBARS ARE MISSED\n" if missed else "\nall bars are met", *missed, sep="\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
