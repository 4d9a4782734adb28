"""Locomotion spaces: commands over the whole hull, a hundred changes of mind, and what an update costs.

    python benchmarks/locomotion.py [--json] [--full] [build] [commands] [changes] [speed]

build     examples, tetrahedra, bytes, seconds
commands  a grid over the hull: measured speed and turn against the command, sliding, acceleration
changes   a hundred random commands one after the other (walk, stop, turn, strafe, run, anything)
speed     microseconds an update, beside the paper's 210

All of it by default, for the actor's space and for that of captured clips (found at FOOTFALL_DATA). `--full`
takes a finer grid and five series of changes. Exits with 1 where a bar is missed.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np
from jaxtyping import Float

sys.path.insert(0, str(Path(__file__).parents[1]))

from movements import Row
from tabled import show
from tests.captures import FOLDER

import footfall as ff
from footfall.analysis.facing import locomotion, root_headings
from footfall.control.locomotion import LocomotionController
from footfall.control.tick import Tick
from footfall.figure.contacts import Contacts, runs_of
from footfall.figure.motion import Motion
from footfall.models.locomotion.build import build_locomotion
from footfall.models.locomotion.model import Locomotion
from footfall.models.locomotion.store import locomotion_bytes

FPS = 60.0
SETTLING, MEASURED = 3.5, 4.0  # s of each command: until it is obeyed, and after
GRIDS = {False: (9, 7, 7), True: (15, 11, 11)}  # places along speed, turn rate, side speed in the hull's box
FEWEST = 150  # commands
OFF, OFF_SHARE = 0.05, 0.05  # m/s or rad/s, or of the command: so near is obeyed
SLIDES, RATIO = 0.001, 2.0  # m; times the examples' acceleration
CHANGES = 100
SERIES = (1, 2, 3, 4, 5)
UPDATES, ROUNDS = 2000, 15
PAPER_US, AIM_US = 210.0, 20.0  # [body] 7


def remark(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


@cache
def actor() -> Locomotion:
    return build_locomotion(ff.VirtualActor().perform("body"))


@cache
def captured() -> Locomotion:
    files = sorted((FOLDER / "locomotion-set").glob("*.skm"))
    return build_locomotion([ff.load_motion(file) for file in files], names=[file.stem for file in files])


def spaces() -> Mapping[str, Callable[[], Locomotion]]:
    found: dict[str, Callable[[], Locomotion]] = {"actor": actor}
    if (FOLDER / "locomotion-set").is_dir():
        found["captured"] = captured
    return found


# recording


def recorded(
    model: Locomotion, commands: Sequence[tuple[Sequence[float], float]]
) -> tuple[Motion, Float[np.ndarray, "frames"]]:
    """Commands, each for so many seconds, one after the other; every frame and the heading at it."""
    legs = LocomotionController(model)
    character = ff.Character(model.skeleton, [legs])
    roots, turns, contacts, headings = [], [], [], []
    for (speed, turn_rate, side_speed), seconds in commands:
        character.command(speed=speed, turn_rate=turn_rate, side_speed=side_speed)
        for _ in range(round(seconds * FPS)):
            pose = character.step(1.0 / FPS)
            roots.append(pose.root)
            turns.append(pose.rotations)
            contacts.append(legs.contacts)
            headings.append(legs.heading)
    touching = np.array(contacts)
    told = Contacts(touching[:, :2], touching[:, 2:])
    return Motion(model.skeleton, np.array(roots), np.array(turns), FPS, contacts=told), np.array(headings)


def whole_cycles(motion: Motion, first: int) -> tuple[int, int]:
    """From a strike of the left foot after a frame to its last."""
    assert motion.contacts is not None
    strikes = [start for start, _ in runs_of(motion.contacts.stands("left")) if start > first]
    return (strikes[0], strikes[-1]) if len(strikes) > 1 else (first, len(motion) - 1)


# studies


def build_rows(name: str, model: Callable[[], Locomotion], full: bool) -> Iterator[Row]:
    begun = time.perf_counter()
    made = model()
    spent = time.perf_counter() - begun
    yield Row(f"{name}: examples", len(made), "", least=19, paper="19")
    yield Row("  tetrahedra", len(made.scheme.simplices), "", paper="by hand")
    yield Row("  a model's file", len(locomotion_bytes(made)) / 1000, "kB")
    yield Row("  built in", spent, "s")


def grid(model: Locomotion, counts: Sequence[int]) -> Float[np.ndarray, "n 3"]:
    """Places of a grid that lie in the hull; a finer one where they are few."""
    low, high = model.space.bounds
    for finer in range(10):
        axes = [np.linspace(a, b, n + finer) for a, b, n in zip(low, high, counts, strict=True)]
        places = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
        inside = places[model.space.contains(places)]
        if len(inside) >= FEWEST:
            break
    return inside


def command_rows(name: str, model: Callable[[], Locomotion], full: bool) -> Iterator[Row]:
    made = model()
    commands = grid(made, GRIDS[full])
    beyond, turned, slides, ratios, sunk = [], [], [], [], []
    for k, asked in enumerate(commands):
        if k % 50 == 0:
            remark(f"  {name}: {k} of {len(commands)} commands")
        motion, headings = recorded(made, [(asked, SETTLING + MEASURED)])
        first, last = whole_cycles(motion, round(SETTLING * FPS))
        if np.abs(asked).max() > 0.02:  # who is asked for less stands
            found = np.array(locomotion(motion, headings, first, last))
            allowed = np.maximum(OFF, OFF_SHARE * np.abs(asked))
            beyond.append(np.abs(found - asked) / allowed)
            by_hips = np.diff(root_headings(motion)[[first, last]])[0] * FPS / (last - first)
            turned.append(abs(by_hips - asked[1]) / allowed[1])
        told = ff.certificate(motion, terrain=ff.FlatTerrain(), reference=made.reference)
        slides.append(told.slide_max_m)
        ratios.append(told.acceleration_ratio)
        sunk.append(told.penetration_max_m)
    off = np.array(beyond)
    yield Row(f"{name}: commands", len(commands), "", least=FEWEST)
    for word, column in zip(("speed", "turn rate", "side speed"), off.T, strict=True):
        yield Row(f"  {word}: worst, of what is allowed", column.max(), "", most=1.0)
    yield Row("  turn rate by the hips: worst, of what is allowed", max(turned), "", most=1.0)
    yield Row("  sliding, worst", 1000 * max(slides), "mm", most=1000 * SLIDES)
    yield Row("  in the ground, worst", 1000 * max(sunk), "mm")
    yield Row("  acceleration ratio, worst", max(ratios), "", most=RATIO)
    yield Row("  acceleration ratio, median", float(np.median(ratios)), "")


def changes(model: Locomotion, seed: int) -> list[tuple[tuple[float, ...], float]]:
    """A hundred random commands, each for a moment or a while."""
    rng, (low, high) = np.random.default_rng(seed), model.space.bounds
    kinds: Mapping[str, Callable[[], Sequence[float]]] = {
        "walk": lambda: (rng.uniform(0.4, 1.5), rng.uniform(-0.5, 0.5), 0.0),
        "stop": lambda: (0.0, 0.0, 0.0),
        "turn": lambda: (0.0, rng.uniform(-1.2, 1.2), 0.0),
        "strafe": lambda: (0.0, 0.0, rng.uniform(low[2], high[2])),
        "run": lambda: (rng.uniform(1.8, high[0]), rng.uniform(-0.4, 0.4), 0.0),
        "anything": lambda: model.space.sample(1, seed=int(rng.integers(10**9)))[0],
    }
    names = list(kinds)
    made = []
    for _ in range(CHANGES):
        asked = kinds[names[int(rng.integers(len(names)))]]()
        made.append((tuple(float(v) for v in asked), float(rng.uniform(0.4, 3.0))))
    return made


def change_rows(name: str, model: Callable[[], Locomotion], full: bool) -> Iterator[Row]:
    made = model()
    for seed in SERIES if full else SERIES[:2]:
        motion, _ = recorded(made, changes(made, seed))
        told = ff.certificate(motion, terrain=ff.FlatTerrain(), reference=made.reference)
        slides, ratio = told.slide_max_m or 0.0, told.acceleration_ratio or 0.0
        yield Row(f"{name}: {CHANGES} changes, series {seed}: steps", told.plants, "")
        yield Row("  sliding, worst", 1000 * slides, "mm", most=1000 * SLIDES)
        yield Row("  acceleration ratio", ratio, "", most=RATIO)
        yield Row("  in the ground", 1000 * (told.penetration_max_m or 0.0), "mm")


def speed_rows(name: str, model: Callable[[], Locomotion], full: bool) -> Iterator[Row]:
    made = model()
    legs = LocomotionController(made)
    pose = ff.Pose.at_rest(made.skeleton)
    tick = Tick(pose, pose, 0.0, 1.0 / FPS, None)
    series = {"standing": (0.0, 0.0, 0.0), "walking": (1.0, 0.1, 0.0), "running": (2.3, 0.1, 0.0)}
    for word, (speed, turn_rate, side_speed) in series.items():
        legs.command(speed=speed, turn_rate=turn_rate, side_speed=side_speed)
        best = np.inf
        for _ in range(ROUNDS):
            begun = time.perf_counter()
            for _ in range(UPDATES):
                legs.update(tick)
            best = min(best, (time.perf_counter() - begun) / UPDATES)
        bar = AIM_US if name == "actor" else None
        yield Row(f"{name}: an update, {word}", 1e6 * best, "us", most=bar, paper=f"{PAPER_US:g}")


STUDIES: Mapping[str, Callable[[str, Callable[[], Locomotion], bool], Iterator[Row]]] = {
    "build": build_rows,
    "commands": command_rows,
    "changes": change_rows,
    "speed": speed_rows,
}


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("studies", nargs="*", help=f"of {', '.join(STUDIES)}; all by default")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of tables")
    parser.add_argument("--full", action="store_true", help="a finer grid, five series of changes")
    options = parser.parse_args()
    unknown = [name for name in options.studies if name not in STUDIES]
    if unknown:
        parser.error(f"no study is called {unknown[0]!r}; there are {', '.join(STUDIES)}")
    return options


def main() -> int:
    options = parsed()
    rows: list[Row] = []
    for study in options.studies or STUDIES:
        remark(study)
        for name, model in spaces().items():
            rows += STUDIES[study](name, model, options.full)
    return show(rows, machine=options.json)


if __name__ == "__main__":
    sys.exit(main())
