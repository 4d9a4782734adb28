"""Reaching by examples: how near blending alone comes, and with inverse kinematics; how smooth, how fast.

    python benchmarks/reach.py [--json] [--full] [blending] [targets] [moving] [switches] [beyond] [speed]

blending  1,000 places of the examples' hull: what blending alone misses, before and after pseudo-examples
targets   1,000 reaches from rest with inverse kinematics: what is missed, feet, accelerations
moving    a hundred targets that move: how far the hand is from them once it was there
switches  a hundred targets told while the hand is on another: the way over
beyond    a hundred targets out of reach: as near as it comes, and said
speed     microseconds of blending, of inverse kinematics, and of a whole update

All of it by default, for the actor's reaches and for captured ones (found at FOOTFALL_DATA); a tenth of the
reaches without `--full`. Exits with 1 where a bar is missed.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from movements import Row
from reach_measures import FPS, HAND, Source, Track, examples_hardest, run, sources, to_a_target
from tabled import show

from footfall.control.reach import ReachController
from footfall.control.tick import Tick

PLACES = 1000
WITHIN, ON_TARGET, SLIDE, RATIO = 0.03, 1e-3, 1e-3, 2.0  # m, m, m: bars
CLEAR = 0.25  # m from the body's axis
POP = np.radians(10.0)  # that no joint turns by from one frame to the next
SEED = 4242  # no seed that building uses
FEW = 100
BLENDING, SOLVING = 42.0, 28.0  # us, a tenth of the paper's


def remark(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def blending_rows(source: Source, full: bool) -> Iterator[Row]:
    places = source.bare.set_of(HAND).space.sample(PLACES, SEED)
    before, after = source.bare.set_of(HAND).misses(places), source.set.misses(places)
    name = f"{source.name}: blending alone"
    yield Row(f"{name}, examples only, median", 100 * float(np.median(before)), "cm")
    yield Row(f"{name}, median", 100 * float(np.median(after)), "cm", most=100 * WITHIN)
    yield Row(f"{name}, 90 of 100", 100 * float(np.percentile(after, 90)), "cm")
    yield Row(f"{name}, worst", 100 * float(after.max()), "cm")
    yield Row(f"{source.name}: pseudo-examples", len(source.set.pseudo_points), "")


def smoothness_rows(name: str, source: Source, tracks: list[Track]) -> Iterator[Row]:
    hardest = np.array([track.hardest for track in tracks]) / examples_hardest(source)
    yield Row(f"{name}: acceleration beside the examples', worst", float(hardest.max()), "x", most=RATIO)
    yield Row(f"{name}: acceleration, median", float(np.median(hardest)), "x")
    feet = 1000 * max(float(track.feet.max()) for track in tracks)
    yield Row(f"{name}: feet, worst", feet, "mm", most=1000 * SLIDE)
    pop = max(float(track.turns.max()) for track in tracks)
    yield Row(f"{name}: largest turn in a frame", float(np.degrees(pop)), "deg", most=float(np.degrees(POP)))


def target_rows(source: Source, full: bool) -> Iterator[Row]:
    places = source.set.space.sample(PLACES if full else FEW, SEED)
    tracks = [to_a_target(source, place) for place in places]
    name = f"{source.name}: {len(places)} reaches"
    missed = [float(np.linalg.norm(t.palms[-1] - p)) for t, p in zip(tracks, places, strict=True)]
    yield Row(f"{name}: missed, worst", 1000 * max(missed), "mm", most=1000 * ON_TARGET)
    took = [len(t.palms) / FPS for t in tracks]
    yield Row(f"{name}: time until there, median", float(np.median(took)), "s")
    clear = [t for t, p in zip(tracks, places, strict=True) if np.hypot(p[0], p[2]) > CLEAR][:FEW]
    depth = max(track.in_the_body for track in clear)
    yield Row(f"{name}: arm in the body, of {len(clear)} clear of the trunk, worst", 1000 * depth, "mm")
    yield from smoothness_rows(name, source, tracks)


def moving_rows(source: Source, full: bool) -> Iterator[Row]:
    rng = np.random.default_rng(SEED)
    tracks, away = [], []
    hull = source.set.space
    for _ in range(FEW if full else FEW // 5):
        corners = hull.sample(3, int(rng.integers(1 << 30)))
        rates = rng.uniform(0.8, 2.0, 2)  # rad/s

        def place(t: float, corners: np.ndarray = corners, rates: np.ndarray = rates) -> np.ndarray:
            """On an ellipse in the hull: shares of three places that stay between 0 and 1."""
            a, b = 0.5 + 0.3 * np.sin(rates * t)
            return a * (b * corners[0] + (1.0 - b) * corners[1]) + (1.0 - a) * corners[2]

        there: list[int] = []

        def orders(controller: ReachController, k: int, place=place, there=there) -> bool | None:  # type: ignore[no-untyped-def]
            controller.reach(place(k / FPS), hand=HAND)
            if controller.arrived:
                there.append(k)
            return k - there[0] > 2.0 * FPS if there else None

        track = run(source, 360, orders)
        tracks.append(track)
        if not there:
            away.append(np.inf)
            continue
        frames = np.arange(there[0], len(track.palms) - 1)
        wanted = np.array([place(k / FPS) for k in frames])
        away.append(float(np.linalg.norm(track.palms[frames + 1] - wanted, axis=1).max()))
    name = f"{source.name}: {len(tracks)} moving targets"
    yield Row(f"{name}: away once there, worst", 1000 * max(away), "mm", most=1000 * ON_TARGET)
    yield from smoothness_rows(name, source, tracks)


def switch_rows(source: Source, full: bool) -> Iterator[Row]:
    count = FEW if full else FEW // 5
    places = source.set.space.sample(2 * count, SEED + 1).reshape(count, 2, 3)
    rng = np.random.default_rng(SEED)
    tracks, missed = [], []
    for first, second in places:
        early = rng.random() < 0.3  # told while the hand is still on its way to the first
        state = {"told": -1, "on": 0}

        def orders(  # type: ignore[no-untyped-def]
            controller: ReachController, k: int, first=first, second=second, early=early, state=state
        ) -> bool | None:
            if k == 0:
                controller.reach(first, hand=HAND)
            elif state["told"] < 0 and (controller.stage == "on" or (early and k == 25)):
                controller.reach(second, hand=HAND)
                state["told"] = k
            elif state["told"] >= 0 and k > state["told"] + 1:
                state["on"] += controller.stage == "on"
            return state["on"] > 10

        track = run(source, 480, orders)
        tracks.append(track)
        missed.append(float(np.linalg.norm(track.palms[-1] - second)))
    name = f"{source.name}: {count} switches"
    yield Row(f"{name}: missed, worst", 1000 * max(missed), "mm", most=1000 * ON_TARGET)
    yield from smoothness_rows(name, source, tracks)


def beyond_rows(source: Source, full: bool) -> Iterator[Row]:
    rng = np.random.default_rng(SEED)
    tracks, told, apart, ratio = [], 0, [], []
    for _ in range(FEW if full else FEW // 5):
        angle, away = rng.uniform(-1.2, 0.6), rng.uniform(1.6, 4.0)
        target = np.array([away * np.sin(angle), rng.uniform(0.2, 2.0), away * np.cos(angle)])
        track = to_a_target(source, target, stays=60)
        tracks.append(track)
        real = float(np.linalg.norm(track.palms[-1] - target))
        told += bool(track.controller.remarks) and not track.controller.arrived
        apart.append(abs(real - track.controller.missed))
        ratio.append(float(np.linalg.norm(track.palms[-1] - track.palms[-10])))
    name = f"{source.name}: {len(tracks)} out of reach"
    yield Row(f"{name}: said so", 100.0 * told / len(tracks), "%", least=100.0)
    yield Row(f"{name}: told distance beside the real, worst", 1000 * max(apart), "mm", most=20.0)
    yield Row(f"{name}: hand moves on at the end, worst", 1000 * max(ratio), "mm")
    yield from smoothness_rows(name, source, tracks)


def speed_rows(source: Source, full: bool) -> Iterator[Row]:
    """Kernels are timed as Python calls them; of the update everything."""
    import footfall.ik.full_body_kernel as solving

    spent: dict[str, list[float]] = {"blending": [], "solving": [], "update": []}

    def timed(name: str, kernel: Callable[..., object]) -> Callable[..., object]:
        def call(*arguments: object) -> object:
            start = time.perf_counter()
            found = kernel(*arguments)
            spent[name].append(time.perf_counter() - start)
            return found

        return call

    rest, places = source.rest, source.set.space.sample(20, SEED)
    controller = ReachController(source.library)
    controller.reach(places[0], hand=HAND)
    arm = controller._active[HAND]
    arm._lay = timed("blending", arm._lay)  # type: ignore[method-assign]
    kept = solving.move_body
    solving.move_body = timed("solving", kept)
    try:
        update = timed("update", controller.update)
        for k in range(1200):
            if k % 60 == 0:
                controller.reach(places[k // 60], hand=HAND)
            update(Tick(rest, rest, k / FPS, 1.0 / FPS, None))
    finally:
        solving.move_body = kept
    means = {name: 1e6 * float(np.mean(s)) for name, s in spent.items()}
    yield Row(f"{source.name}: blending", means["blending"], "us", most=BLENDING, paper="420")
    yield Row(f"{source.name}: inverse kinematics", means["solving"], "us", most=SOLVING, paper="280")
    yield Row(f"{source.name}: a whole update", means["update"], "us", paper="700")


STUDIES: Mapping[str, Callable[[Source, bool], Iterator[Row]]] = {
    "blending": blending_rows,
    "targets": target_rows,
    "moving": moving_rows,
    "switches": switch_rows,
    "beyond": beyond_rows,
    "speed": speed_rows,
}


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("studies", nargs="*", help=f"of {', '.join(STUDIES)}; all by default")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of tables")
    parser.add_argument("--full", action="store_true", help="all reaches, not a tenth of them")
    options = parser.parse_args()
    unknown = [name for name in options.studies if name not in STUDIES]
    if unknown:
        parser.error(f"no study is called {unknown[0]!r}; there are {', '.join(STUDIES)}")
    return options


def main() -> int:
    options = parsed()
    rows: list[Row] = []
    for name in options.studies or STUDIES:
        for source in sources():
            remark(f"{name}, {source.name}")
            rows += STUDIES[name](source, options.full)
    return show(rows, machine=options.json)


if __name__ == "__main__":
    sys.exit(main())
