"""Seeded paths over bumps, followed by the default gaits: how far off, and how they stand at the goal.

    python benchmarks/planning_following.py [--seeds N] [--json] [--picture FILE]

Smooth paths, and planned ones between pillars and walls; who follows them begins facing anywhere and is told
a heading at the goal. Told of the hips as they are in every frame, sway and all: off the path is the Fréchet
distance in plan. Bars, for every seed: 0.3 m off, 0.1 m and 5 degrees at the goal, standing. Exits with 1
where one is missed. Four processes at most.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.control.seeded_paths import Course, Followed, bumps, follow, obstacle_course, smooth_course

from footfall.models.ring.default import default_gaits
from footfall.world.terrain import Terrain

SEEDS, GROUNDS = 100, (7, 3, 11)  # paths on the first ground, and half as many on each other
OFF_BAR, AWAY_BAR, TURNED_BAR = 0.3, 0.1, 5.0  # m, m, degrees
PROCESSES = 4
KINDS: dict[str, Callable[[int, Terrain], Course]] = {"smooth": smooth_course, "obstacles": obstacle_course}

Row = dict[str, float | int | bool | str]


def walked(kind: str, ground: int, seed: int) -> tuple[Course, Followed]:
    course = KINDS[kind](seed, bumps(ground))
    return course, follow(course, default_gaits())


def one_row(kind: str, ground: int, seed: int) -> Row:
    course, made = walked(kind, ground, seed)
    row = {
        "seed": seed,
        "length_m": course.path.length,
        "seconds": len(made.motion) / made.motion.fps,
        "stops": made.stops,
        "off_m": made.off,
        "away_m": made.away,
        "turned_deg": float(np.degrees(made.turned)),
    }
    near = made.off <= OFF_BAR and made.away <= AWAY_BAR and row["turned_deg"] <= TURNED_BAR
    return row | {"met": bool(near and made.arrived and made.resting)}


def study(seeds: int = SEEDS) -> list[Row]:
    """One row for each kind of path and each ground: the worst of all seeds."""
    _ = default_gaits()  # built before processes begin, not in each
    rows = []
    with ProcessPoolExecutor(min(PROCESSES, os.cpu_count() or 1)) as pool:
        for ground in GROUNDS:
            count = seeds if ground == GROUNDS[0] else max(seeds // 2, 1)
            for kind in KINDS:
                found = list(pool.map(partial(one_row, kind, ground), range(count)))
                rows.append(_summary(kind, ground, found))
    return rows


def _summary(kind: str, ground: int, found: list[Row]) -> Row:
    def all_of(name: str) -> np.ndarray:
        return np.array([row[name] for row in found], dtype=float)

    return {
        "paths": kind,
        "ground": f"bumps:{ground}",
        "seeds": len(found),
        "met": int(all_of("met").sum()),
        "off_worst_m": float(all_of("off_m").max()),
        "off_median_m": float(np.median(all_of("off_m"))),
        "away_worst_m": float(all_of("away_m").max()),
        "turned_worst_deg": float(all_of("turned_deg").max()),
        "stops": float(all_of("stops").mean()) - 1.0,  # the goal is none
        "speed_m_s": float(all_of("length_m").sum() / all_of("seconds").sum()),
    }


def print_rows(rows: list[Row]) -> bool:
    """The table; and whether all bars are met."""
    for row in rows:
        print(
            f"  {row['paths']:<10}{row['ground']:<10}{row['met']:>4} of {row['seeds']:>3} met"
            f"   off: worst {row['off_worst_m']:.3f} m, median {row['off_median_m']:.3f} m"
            f"   goal: {row['away_worst_m']:.3f} m, {row['turned_worst_deg']:.1f} deg"
            f"   stops {row['stops']:.2f}   {row['speed_m_s']:.2f} m/s"
        )
    met = all(row["met"] == row["seeds"] for row in rows)
    print(f"bars: {OFF_BAR:g} m off, {AWAY_BAR:g} m and {TURNED_BAR:g} deg at the goal")
    print("the bars are met" if met else "A BAR IS MISSED")
    return met


def picture(file: str) -> None:
    """Some paths, and where the hips went."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(2, 4, figsize=(14, 12))
    for row, kind in zip(axes, KINDS, strict=True):
        for seed, part in enumerate(row):
            course, made = walked(kind, GROUNDS[0], seed)
            part.plot(*course.path.points[:, [0, 2]].T, color="black", linewidth=1.0)
            part.plot(*made.motion.root[:, [0, 2]].T, color="tab:red", linewidth=0.8)
            part.set_title(f"{kind} {seed}: {made.off:.2f} m off", fontsize=9)
            part.set_aspect("equal")
    figure.savefig(file, dpi=110, bbox_inches="tight")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--picture", metavar="FILE")
    asked = parser.parse_args()
    rows = study(asked.seeds)
    if asked.picture:
        picture(asked.picture)
    if asked.json:
        print(json.dumps({"following": rows}))
        return 0 if all(row["met"] == row["seeds"] for row in rows) else 1
    return 0 if print_rows(rows) else 1


if __name__ == "__main__":
    sys.exit(main())
