"""Draws the pictures of docs/rings.md: docs/pictures/ring_*.png.

    python tools/ring_figures.py [curve loop spheres search graph walks ...]

Those of captured people (names that end in _captured, and some rows of others) are made from CMU subjects 16,
83, 36, 113 and 77, looked for in the captures' folder ($FOOTFALL_DATA, else ../shared/data beside the
checkout), and left out where they are not there. What is shown is synthesized, but for the samples of `curve`
and `loop`, which are pictures of clips.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from walk_figures import CAPTURES, PICTURES, save

import footfall as ff
from footfall.adapt.retarget import retarget
from footfall.control.gait import GaitController
from footfall.models.ring import layout
from footfall.models.ring.build import build_ring
from footfall.models.ring.default import default_gaits
from footfall.models.ring.graph import RingGraph
from footfall.models.ring.model import MotionRing
from footfall.models.ring.resting import build_rest
from footfall.models.ring.sample import sample_of
from footfall.picture.marks import Mark
from footfall.picture.page import require_pyplot, save_page
from footfall.picture.ring_curve import ring_curve_page
from footfall.picture.ring_graph import graph_page
from footfall.picture.ring_loop import loop_page
from footfall.picture.ring_search import Search, search_page
from footfall.picture.ring_spheres import spheres_page
from footfall.picture.stage import PAPER
from footfall.picture.strip import Row, draw_row
from footfall.picture.tracks import Tracks
from footfall.world.generators.generated import Generated
from footfall.world.mesh import MeshTerrain
from footfall.world.terrain import Terrain

RUN, WALK, STAIRS = "run/16_35", "walk/16_47", "stairs-uneven/83_27"
WALKS = (
    *("walk/16_16", "walk/16_47", "walk/16_21", "walk/16_31", "walk/16_33"),
    *(f"turn-side-back/16_{number}" for number in (13, 19, 24, 25, 27, 30)),
    *(f"stairs-uneven/83_{number}" for number in (27, 29, 31, 34)),
    *("stairs-uneven/113_19", "stairs-uneven/36_28", "stairs-uneven/36_01"),
)
RUNS = (
    *(f"run/16_{number}" for number in (35, 36, 45, 46)),
    *(f"turn-side-back/16_{number}" for number in (37, 39, 42, 43, 48, 49)),
)
STANDS = "idle/77_02"
SPIRAL = "walk_quarter_left_up_0.16_0.62"
LEVEL_RUN = 43  # of the actor's session: the first run
GROUNDS = {"bumps": 7, "stairs": 7, "stones": 7}  # seeds
SECONDS, FIGURES = 7.0, 10
STEP, SWAY = 0.62, 0.5  # m, and rad to either side by which the stick goes
WIDTH = 1100  # pixels of a strip
FPS = 60.0
HALF_TOUCH = 0.5  # of the spheres: a search at which about so many touch shows most
LOOKED = 30.0  # s of a walk in which it is looked for


def captured(name: str) -> ff.Motion:
    return ff.load_motion(CAPTURES / f"{name}.bvh")


@cache
def actor_gaits() -> RingGraph:
    return default_gaits()


@cache
def captured_gaits() -> RingGraph:
    walk = captured_ring(WALKS, "walk")
    stands = retarget(captured(STANDS), walk.skeleton)
    return RingGraph({"walk": walk, "run": captured_ring(RUNS, "run"), "rest": build_rest(stands)})


@cache
def captured_ring(names: tuple[str, ...], gait: str) -> MotionRing:
    return build_ring([captured(name) for name in names], gait=gait, names=names)


def curve() -> Any:
    """[rings] figure 2, made again."""
    samples = {}
    if CAPTURES.is_dir():
        samples["CMU 16_35, a run"] = sample_of(captured(RUN))
        samples["CMU 16_47, a walk"] = sample_of(captured(WALK))
    samples["The actor's run"] = sample_of(ff.VirtualActor().perform("rings")[LEVEL_RUN].motion)
    return ring_curve_page(samples)


def loop() -> Any:
    """[rings] figure 7, made again."""
    clip = next(e.motion for e in ff.VirtualActor().perform("rings") if e.name == SPIRAL)
    return loop_page(sample_of(clip), title="The actor up spiral stairs")


def loop_captured() -> Any:
    return loop_page(sample_of(captured(STAIRS)), title="CMU 83_27 up stairs")


def spheres() -> Any:
    """[rings] figure 4, made again."""
    return spheres_page(actor_gaits()["walk"], "The actor's walk")


def spheres_captured() -> Any:
    return spheres_page(captured_ring(WALKS, "walk"), "A captured walk")


def search() -> Any:
    """[rings] figure 5, made again."""
    return search_of(actor_gaits()["walk"], "The actor on bumps")


def search_captured() -> Any:
    return search_of(captured_ring(WALKS, "walk"), "A captured walk on bumps")


def search_of(ring: MotionRing, title: str) -> Any:
    """Of some seconds of a walk that is turned right and left, the strike at which about half touch."""
    ground = ff.generate_terrain("bumps", seed=GROUNDS["bumps"], size=(14.0, 40.0))
    best, most = 0, np.inf
    for strike, found in searches(ring, ground):
        away = abs(found.touching.mean() - HALF_TOUCH)
        if found.chosen is not None and away < most:
            best, most = strike, away
    gait = GaitController(ring, place=start(ground.terrain))
    for k in range(round(LOOKED * FPS)):
        stepped(gait, ground.terrain, k)
        if gait.walker.state[layout.STRIKES] >= best:
            break
    return search_page(gait, ground.terrain, title=title)


def searches(ring: MotionRing, ground: Generated) -> list[tuple[int, Search]]:
    """After each strike; the first few are left out."""
    gait = GaitController(ring, place=start(ground.terrain))
    found: list[tuple[int, Search]] = []
    count = 0
    for k in range(round(LOOKED * FPS)):
        stepped(gait, ground.terrain, k)
        now = int(gait.walker.state[layout.STRIKES])
        if now > max(count, 4):
            found.append((now, Search.of(gait.walker)))
        count = now
    return found


def stepped(gait: GaitController, terrain: Terrain, frame: int) -> None:
    """A frame further; the stick swings to and fro."""
    gait.advance(0.0 if frame == 0 else 1.0 / FPS, terrain)
    if frame % round(FPS) == 0:
        gait.command(heading=SWAY * float(np.sin(0.9 * frame / FPS)), step_length=STEP)


def start(terrain: MeshTerrain) -> tuple[float, float]:
    """In the middle, where the ground begins, and a little further."""
    low, high = terrain.bounds
    return 0.5 * float(low[0] + high[0]), float(low[2]) + 1.5


def graph() -> Any:
    return graph_page(actor_gaits(), "The actor's gaits")


def graph_captured() -> Any:
    return graph_page(captured_gaits(), "Captured gaits")


def walks() -> Any:
    """Three grounds, the actor's walk and the captured one beside each other."""
    people = {"the actor": actor_gaits()["walk"]}
    if CAPTURES.is_dir():
        people["a captured walk"] = captured_ring(WALKS, "walk")
    rows = [[(f"{who} on {kind}", strip(ring, kind)) for who, ring in people.items()] for kind in GROUNDS]
    return strips_page(rows, "Walks that obey the stick on three grounds, without foot lock")


def strip(ring: MotionRing, kind: str) -> Row:
    made = ff.generate_terrain(kind, seed=GROUNDS[kind])
    first = made.crossing.placements[0].position
    turns = [
        ff.Command(0.5 * k, heading=0.5 * SWAY * float(np.sin(0.9 * k)), step_length=STEP) for k in range(14)
    ]
    place = (float(first[0]), float(first[2]))
    walk = ff.walk(ring, turns, SECONDS, terrain=made.terrain, foot_lock=False, place=place)
    print(f"  {kind}: {walk.strikes} strikes, {walk.root[-1, 2] - walk.root[0, 2]:.1f} m, {walk.remarks[:2]}")
    # no prints: those that reach over an edge would run down its wall
    tracks = replace(Bare.of(walk, terrain=made.terrain), prints=())
    return draw_row(walk, "three-quarter", figures=FIGURES, width=WIDTH, tracks=tracks)


class Bare(Tracks):
    """Without ways along the ground, which would run down every stone and step."""

    def paths(self) -> Iterator[Mark]:
        return iter(())


def strips_page(rows: list[list[tuple[str, Row]]], title: str) -> Any:
    """A row a ground."""
    plt = require_pyplot()
    wide, over, under = 15.0, 0.36, 0.30
    each = wide / len(rows[0])
    talls = [max(r.image.shape[0] / r.image.shape[1] for _, r in row) * each for row in rows]
    total = over + sum(talls) + under * len(rows)
    page = plt.figure(figsize=(wide, total), facecolor="white")
    page.text(0.008, 1.0 - 0.24 / total, title, fontsize=12, weight="bold")
    top = over
    for row, tall in zip(rows, talls, strict=True):
        high = max(shown.image.shape[0] for _, shown in row)
        for k, (words, shown) in enumerate(row):
            axes = page.add_axes(
                (k * each / wide, 1.0 - (top + tall) / total, 0.994 * each / wide, tall / total)
            )
            sky = np.tile(PAPER, (high - shown.image.shape[0], shown.image.shape[1], 1))
            image = np.concatenate([sky, shown.image])
            axes.imshow(np.clip(image, 0.0, 1.0), aspect="auto", interpolation="antialiased")
            axes.axis("off")
            axes.annotate(words, (0, 0), (2, -4), "axes fraction", "offset points", va="top", fontsize=10)
        top += tall + under
    return page


DRAWN: dict[str, Callable[[], Any]] = {
    "curve": curve,
    "loop": loop,
    "loop_captured": loop_captured,
    "spheres": spheres,
    "spheres_captured": spheres_captured,
    "search": search,
    "search_captured": search_captured,
    "graph": graph,
    "graph_captured": graph_captured,
    "walks": walks,
}


def main(names: list[str]) -> None:
    if unknown := set(names) - set(DRAWN):
        sys.exit(f"no such picture: {', '.join(sorted(unknown))}; there are {', '.join(DRAWN)}")
    for name in names or DRAWN:
        if name.endswith("_captured") and not CAPTURES.is_dir():
            print(f"{name} is left out: {CAPTURES} is not there; set FOOTFALL_DATA to the captures' folder")
            continue
        path = PICTURES / f"ring_{name}.png"
        drawn = DRAWN[name]()
        if name.startswith("search"):  # a palette would give up the few red pixels
            save_page(drawn, path)
        else:
            save(drawn, path)
        print(f"{path}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
