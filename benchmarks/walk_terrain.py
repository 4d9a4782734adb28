"""One captured walk over 1,000 generated grounds of 10 m each: crossed, on the surface, through no edge.

    python benchmarks/walk_terrain.py [--json] [--seeds 125]

Eight kinds of ground from as many seeds each; the way is the first 10 m along the middle of the crossing that
the generator gives. Everything is measured on the finished motion at 240 Hz: footprints against the surface,
all four points of each sole and places between them against the ground under them, in every frame. Exits with
1 where a bar is missed: 99 % crossed, footprints within 1e-6 m, penetration under 2 mm, slide under 1 mm.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.captured import captured
from tests.captures import FOLDER

import footfall as ff
from footfall.figure.soles import sole_places
from footfall.geometry import curve
from footfall.world.generators.generate import KINDS

CLIP = "walk/16_47.bvh"
LENGTH = 10.0  # m
RATE = 240.0  # Hz
MADE = {"ramps": {"size": (3.0, 20.0)}, "spiral": {"turns": 2.0}}  # so that each is 10 m long at least
USUAL = {"size": (5.0, 14.0)}
CROSSED, ON, DEEP, SLIDE = 0.99, 1e-6, 0.002, 0.001
PIERCED = 0.003  # m that a place between two points of a sole may be in the ground: no edge goes through
LOOK_DOWN = 0.3  # m
BETWEEN = np.linspace(0.0, 1.0, 7)  # of the way from one point of a sole to the next


@dataclass(frozen=True)
class Crossing:
    """What was measured on one walk; None where there was none."""

    kind: str
    seed: int
    refused: str | None
    off: float = 0.0  # m, of a footprint from the surface
    misplaced: float = 0.0  # m, of a plant from its footprint
    deep: float = 0.0  # m, of the four points of a sole
    pierced: float = 0.0  # m, of places between them
    slide: float = 0.0
    extension: float = 0.0
    ratio: float = 0.0
    steps: int = 0
    seconds: float = 0.0

    @property
    def good(self) -> bool:
        return (
            self.refused is None
            and self.off < ON
            and self.misplaced < ON
            and self.deep < DEEP
            and self.pierced < PIERCED
            and self.slide < SLIDE
        )


def way_of(made: ff.FootPlan) -> np.ndarray:
    """The first metres along the middle between successive footprints."""
    places = np.array([p.position for p in made.placements])
    middle = 0.5 * (places[1:] + places[:-1])
    walked = curve.arc_lengths(middle[:, [0, 2]])
    if walked[-1] <= LENGTH:
        return middle
    end = [np.interp(LENGTH, walked, column) for column in middle.T]
    return np.concatenate([middle[walked < LENGTH], [end]])


def depth(walk: ff.EditedWalk, terrain: ff.Terrain) -> float:
    """The deepest that any place of a sole is under the ground, in any frame."""
    deepest = 0.0
    for side in ("left", "right"):
        soles = sole_places(walk, side)
        lines = [
            soles[:, [i]] + BETWEEN[:, None] * (soles[:, [j]] - soles[:, [i]]) for i, j in ((0, 2), (2, 3))
        ]
        x, y, z = np.moveaxis(np.concatenate([soles, *lines], axis=1), -1, 0)
        deepest = max(deepest, float((terrain.height(x, z, y + LOOK_DOWN) - y).max()))
    return deepest


def crossing(edit: ff.WalkEdit, kind: str, seed: int) -> Crossing:
    made = ff.generate_terrain(kind, seed, **MADE.get(kind, USUAL))
    start = time.perf_counter()
    try:
        walk = edit.on(made.terrain, way_of(made.crossing), fps=RATE)
    except ff.RequestError as error:
        return Crossing(kind, seed, str(error))
    seconds = time.perf_counter() - start
    found = walk.certificate()
    places = np.array([p.position for p in walk.plan.placements])
    level = made.terrain.height(places[:, 0], places[:, 2], places[:, 1] + 0.05)
    return Crossing(
        kind,
        seed,
        None,
        off=float(np.abs(level - places[:, 1]).max()),
        misplaced=float(found.placement_max_m),
        deep=float(found.penetration_max_m),
        pierced=depth(walk, made.terrain),
        slide=float(found.slide_max_m),
        extension=float(found.leg_extension_max),
        ratio=float(found.acceleration_ratio),
        steps=len(places) - 2,
        seconds=seconds,
    )


def table(rows: list[Crossing]) -> str:
    lines = [
        "| ground | crossed | penetration, worst mm | between points | slide, worst mm | leg extension "
        "| acceleration ratio, median / 90 % / worst | steps | seconds |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for kind in (*KINDS, "all"):
        own = [r for r in rows if kind in (r.kind, "all")]
        done = [r for r in own if r.refused is None]
        if not done:
            continue
        ratios = np.array([r.ratio for r in done])
        lines.append(
            f"| {kind} | {len(done)} of {len(own)} | {1e3 * max(r.deep for r in done):.2f} "
            f"| {1e3 * max(r.pierced for r in done):.2f} "
            f"| {1e3 * max(r.slide for r in done):.2f} | {max(r.extension for r in done):.3f} "
            f"| {np.median(ratios):.2f} / {np.percentile(ratios, 90):.2f} / {ratios.max():.2f} "
            f"| {np.mean([r.steps for r in done]):.1f} | {np.mean([r.seconds for r in done]):.2f} |"
        )
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    parser.add_argument("--seeds", type=int, default=125, help="of each kind of ground")
    parser.add_argument("--only", nargs="*", default=[], help="KIND:SEED, for a closer look at some")
    options = parser.parse_args()
    if FOLDER.is_dir():
        clip = captured(CLIP)
    else:
        print(f"no captures in {FOLDER}: the actor's walk instead; set FOOTFALL_DATA", file=sys.stderr)
        clip = ff.VirtualActor(seed=1).walk(1.3).motion
    edit = ff.WalkEdit(clip)
    wanted = [(kind, seed) for kind in KINDS for seed in range(options.seeds)]
    if options.only:
        wanted = [(kind, int(seed)) for kind, seed in (text.split(":") for text in options.only)]
    rows = [crossing(edit, kind, seed) for kind, seed in wanted]
    crossed = float(np.mean([r.refused is None for r in rows]))
    bad = [r for r in rows if not r.good]
    missed = crossed < CROSSED or any(r.refused is None for r in bad)
    if options.json:
        print(json.dumps({"crossings": [asdict(r) for r in rows], "crossed": crossed, "missed": missed}))
    else:
        print(table(rows))
        for row in bad:
            why = (
                row.refused
                or f"{1e3 * row.deep:.2f} and {1e3 * row.pierced:.2f} mm deep, {row.off:.1e} m off"
            )
            print(f"- {row.kind}:{row.seed}: {why}")
        print("BARS ARE MISSED" if missed else "all bars are met")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
