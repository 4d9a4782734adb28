"""Scenes planned again with every position moved by rounding: whether outcome, feet and footholds stay.

    python benchmarks/planning_jitter.py [--json] [--scenes 1000] [--jitters 10] [--passages 200] [--first 0]

Scenes of tasks in seeded rooms; each is planned as it is and with all positions (walls, blocks, start, goals)
moved by 1e-12 m at most, a few times. The outcome must be the same: refused or planned, the same feet, and
footholds within 1e-6 m. Then scenes whose narrowest passage is 3 cm wider than the body on either side, moved
by 1 cm at most: none may be refused. Exits with 1 where that does not hold.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.planning.scenes import ROUNDING, outcome, passage_scene, scene_of

from footfall.models.stepspace.default import default_step_space
from footfall.models.stepspace.model import StepSpace
from footfall.planning.footsteps.walker_body import BodySize

SPARE, SHIFT = 0.03, 0.01  # m that passages are wider than the body on either side; by which they are moved


@dataclass(frozen=True)
class Row:
    """One scene: its outcome, and how many of its jitters came out otherwise."""

    seed: int
    seconds: float
    refused: str
    steps: int
    room: float
    different: int
    worst: str = ""


def jittered(seed: int, jitters: int, steps: StepSpace) -> Row:
    """A scene as it is, and with rounding."""
    begun = time.perf_counter()
    own = outcome(scene_of(seed), steps)
    others = (outcome(scene_of(seed, ROUNDING, k + 1), steps) for k in range(jitters))
    told = [words for other in others if (words := own.difference(other))]
    seconds = time.perf_counter() - begun
    return Row(seed, seconds, own.refused, len(own.feet), own.room, len(told), told[0] if told else "")


def passed(seed: int, steps: StepSpace) -> Row:
    """A narrow passage, its walls and places moved by a centimetre."""
    begun = time.perf_counter()
    own = outcome(passage_scene(seed, BodySize().width + 2.0 * SPARE, SHIFT, seed), steps)
    return Row(seed, time.perf_counter() - begun, own.refused, len(own.feet), own.room, 0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    parser.add_argument("--scenes", type=int, default=1000)
    parser.add_argument("--jitters", type=int, default=10)
    parser.add_argument("--passages", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    asked = parser.parse_args()
    steps, rows, narrow = default_step_space(), [], []
    for seed in range(asked.first, asked.first + asked.scenes):
        rows.append(jittered(seed, asked.jitters, steps))
        print(f"scene {seed}: {rows[-1].seconds:.1f} s", file=sys.stderr, flush=True)
        if rows[-1].different and not asked.json:
            print(f"  DIFFERENT scene {seed}: {rows[-1].different} times, {rows[-1].worst}", flush=True)
    for seed in range(asked.first, asked.first + asked.passages):
        narrow.append(passed(seed, steps))
        if narrow[-1].refused and not asked.json:
            print(f"  REFUSED passage {seed}: {narrow[-1].refused}", flush=True)
    different, refused = sum(bool(r.different) for r in rows), sum(bool(r.refused) for r in narrow)
    met = not different and not refused
    if asked.json:
        found = {"scenes": [asdict(r) for r in rows], "passages": [asdict(r) for r in narrow]}
        print(json.dumps({**found, "met": met}))
        return 0 if met else 1
    planned = sum(not r.refused for r in rows)
    print(f"{len(rows)} scenes, {planned} of them planned: {asked.jitters} jitters of {ROUNDING:g} m each")
    print(f"  {different} came out otherwise")
    print(f"{len(narrow)} passages with {100 * SPARE:g} cm to spare, moved by {100 * SHIFT:g} cm at most")
    print(f"  {refused} were refused")
    print("the bars are met" if met else "A BAR IS MISSED")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
