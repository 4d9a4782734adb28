"""How natural are synthesized motions? Joint error on captured steps, and a classifier that tells them apart.

    python benchmarks/naturalness.py [--json] [--quick] [--no-cnn]

held out    a step space follows the footprints of clips it was built without: mean joint distance from the
            capture, with and without the captured times, by method and body part
left out    captured steps, or whole clips, left out of a step space and requested again, by every method
classifier  windows from strike to strike of captured and of synthesized motions; balanced accuracy on clips
            that the classifier has not seen (50 %: nobody can tell), mean and range over five seeds. The
            control tells captured from captured windows.

`--quick` leaves out every third step, and uses one low-pass, one seed and no network. The classifiers need
scikit-learn, the network torch as well (`--no-cnn` leaves it out); what is not installed is skipped with a
sentence. Captures are found at FOOTFALL_DATA, else beside the checkout. Exits with 1 where a bar is missed.
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from naturalness_classifiers import NETWORK, SEEDS, Task, available, control, missing, told_apart
from naturalness_clips import CleanClip, CommonSkeleton, clip_files, split
from naturalness_held_out import held_out_errors
from naturalness_left_out import IN_HIGH, IN_LOW, NearestHigh, NearestLow, left_out_errors, over_all_steps
from naturalness_motions import FOLDS, Motions, edited_walks, ring_walks, step_space_motions
from naturalness_report import Comparison, Figures, print_report, report, rows_of
from naturalness_windows import WindowSet, matched, matched_in_clips, window_set
from progress import Progress
from step_measures import real_space
from tests.captured import captured
from tests.captures import FOLDER

import footfall as ff
from footfall.models.stepspace.model import SELECTOR

LOW_PASSES = (15.0, 6.0)  # Hz; the network sees the lower alone, where the finest noise is gone
CONTROL_SEEDS = 2
EVERY_QUICKLY = 3  # steps
WALKERS = ("07", "08", "136", "35")  # further CMU subjects whose walks are edited
COMPARISONS = 4  # of captured with synthesized windows, at each low-pass
# CPU seconds that each part takes, about
COSTS = {"build": 6, "errors": 8, "left out": 60, "clean": 8, "fold": 10, "edit": 20, "ring": 25}
TASK_COST, NETWORK_COST = 1, 5  # of telling two kinds of windows apart, for each seed


@dataclass(frozen=True)
class Made:
    """Cleaned captures and synthesized motions."""

    clips: dict[str, CleanClip]
    steps: dict[str, Motions]  # by method
    edits: Motions
    walkers: Motions  # cleaned captures of what was edited
    rings: Motions


def measured(*, quick: bool, network: bool) -> Figures:
    """All figures."""
    figures = Figures()
    why = missing()
    names = () if why else available(network=network and not quick)
    if why:
        figures.skipped.append(f"the classifier test is skipped: {why}")
    elif network and not quick and NETWORK not in names:
        figures.skipped.append("the network is skipped: torch is not installed")
    seeds = range(1 if quick else SEEDS)
    low_passes = LOW_PASSES[:1] if quick else LOW_PASSES
    progress = Progress(total_cost(names, len(seeds), len(low_passes)))
    development, held_out = split(clip_files())
    common = CommonSkeleton()
    add_held_out(figures, progress, common, development, held_out)
    for clips in (False, True):
        progress.begin(f"whole {'clips' if clips else 'steps'} left out", COSTS["left out"])
        every = EVERY_QUICKLY if quick else 1
        figures.left_out.append(left_out_errors(real_space(), clips=clips, every=every))
    if names:
        made = motions(progress, common, development, held_out)
        for low_pass in low_passes:
            add_comparisons(figures, progress, made, low_pass, names, seeds)
    progress.begin("done", 0.0)
    return figures


def total_cost(names: Sequence[str], seeds: int, low_passes: int) -> float:
    common = COSTS["build"] + 2 * COSTS["errors"] + 2 * COSTS["left out"]
    if not names:
        return common
    making = COSTS["clean"] + FOLDS * COSTS["fold"] + COSTS["edit"] + COSTS["ring"]
    tasks = low_passes * (COMPARISONS * seeds + CONTROL_SEEDS)
    return common + making + tasks * TASK_COST + COMPARISONS * seeds * network_cost(names)


def network_cost(names: Sequence[str]) -> float:
    return NETWORK_COST if NETWORK in names else 0.0


def add_held_out(
    figures: Figures,
    progress: Progress,
    common: CommonSkeleton,
    development: Sequence[str],
    held_out: Sequence[str],
) -> None:
    """Joint errors on held-out clips."""
    progress.begin("step space of the development clips", COSTS["build"])
    space = ff.build_step_space([captured(file) for file in development], candidates=False)
    common.skeletons[common.first] = space.skeleton
    clips = {file: common.clean(file) for file in held_out}
    methods = {
        IN_LOW: over_all_steps(space, NearestLow),
        IN_HIGH: over_all_steps(space, NearestHigh),
        "nearest": "nearest",
        SELECTOR: SELECTOR,
    }
    for timed in (True, False):
        what = "with" if timed else "without"
        progress.begin(f"footprints of held-out clips {what} their times", COSTS["errors"])
        figures.held_out += held_out_errors(space, clips, methods, timed=timed)


def motions(
    progress: Progress, common: CommonSkeleton, development: Sequence[str], held_out: Sequence[str]
) -> Made:
    """Cleaned captures and what is synthesized for them."""
    files = [*development, *held_out]
    progress.begin("cleaning the captures", COSTS["clean"])
    clips = {file: common.clean(file) for file in files}
    steps = step_space_motions(common, clips, lambda step: progress.begin(step, COSTS["fold"]))
    progress.begin("walk edits", COSTS["edit"])
    edits = edited_walks(common, [*files, *clip_files(WALKERS, ("walk",))])
    walkers = {file: (clips.get(file) or common.clean(file)).motion for file in edits}
    progress.begin("ring walks", COSTS["ring"])
    return Made(clips, steps, edits, walkers, ring_walks(common, development))


def add_comparisons(
    figures: Figures,
    progress: Progress,
    made: Made,
    low_pass: float,
    names: Sequence[str],
    seeds: Sequence[int],
) -> None:
    """The classifier test on windows with one low-pass."""
    plain = [name for name in names if name != NETWORK]
    chosen = names if low_pass == LOW_PASSES[-1] else plain
    cost = len(seeds) * (TASK_COST + network_cost(chosen))
    captures = window_set({file: clip.motion for file, clip in made.clips.items()}, low_pass)
    progress.begin(f"classifiers at {low_pass:g} Hz: control", CONTROL_SEEDS * TASK_COST)
    figures.controls[low_pass] = control(captures, plain, range(CONTROL_SEEDS))
    for name, one, other in pairs_of(made, captures, low_pass):
        progress.begin(f"classifiers at {low_pass:g} Hz: {name}", cost)
        verdicts = told_apart(Task.between(one, other), chosen, seeds)
        heads = one.head_acceleration, other.head_acceleration
        figures.comparisons.append(Comparison(name, low_pass, len(one), len(other), heads, verdicts))


def pairs_of(made: Made, captures: WindowSet, low_pass: float) -> Iterator[tuple[str, WindowSet, WindowSet]]:
    """Captured and synthesized windows that ask for the same, row by row."""
    for method, own in made.steps.items():
        steps = window_set(own, low_pass)
        i, j = matched_in_clips(captures, steps).T
        yield f"step space, {method}", captures[i], steps[j]
    walkers, edits = window_set(made.walkers, low_pass), window_set(made.edits, low_pass, skipped=1)
    i, j = matched(walkers.requests, edits.requests).T
    yield "walk edit, unchanged", walkers[i], edits[j]
    ahead, rings = captures[captures.ahead], window_set(made.rings, low_pass, skipped=2)
    i, j = matched(ahead.requests, rings.requests).T
    yield "ring walks", ahead[i], rings[j]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--json", action="store_true", help="one JSON object instead of tables")
    parser.add_argument("--quick", action="store_true", help="fewer steps, one low-pass, one seed")
    parser.add_argument("--no-cnn", action="store_true", help="without the convolutional network")
    options = parser.parse_args()
    if not FOLDER.is_dir():
        message = f"no captures in {FOLDER}; set FOOTFALL_DATA to their folder"
        print(json.dumps({"skipped": [message]}) if options.json else message)
        return 0
    warnings.simplefilter("ignore")  # of captures with known faults
    figures = measured(quick=options.quick, network=not options.no_cnn)
    for sentence in figures.skipped:
        print(sentence, file=sys.stderr)
    if options.json:
        print(json.dumps(report(figures)))
    else:
        print_report(figures)
    return 0 if all(row.met for row in rows_of(figures)) else 1


if __name__ == "__main__":
    sys.exit(main())
