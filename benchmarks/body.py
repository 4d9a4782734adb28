"""The body: what each layer costs, beside the paper's table 2; how many characters run at 60 Hz; rooms.

    python benchmarks/body.py [--json] [--rooms 100] [layers] [rooms]

layers  locomotion, steering, reach (blending, inverse kinematics), gaze and constraint, microseconds an
        update of one character, one Python call a layer ([body] table 2); characters at 60 Hz (figure 7)
rooms   seeded rooms: round obstacles to a thing, a look, picked up, carried, put down

Both by default. `locomotion.py` and `reach.py` measure how well these two do. Exits with 1 where a bar is
missed.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from body_rooms import judged, room_rows
from movements import Row
from tabled import show

import footfall as ff
from footfall.control.hand_keeping import HandKeeping
from footfall.control.tick import Controller, Tick
from footfall.figure.pose import Pose
from footfall.models.locomotion.default import default_locomotion
from footfall.models.reach.default import default_reach
from footfall.planning.path import Path as Way
from footfall.planning.steering import Steering

RUNS, FRAMES, DT = 5, 600, 1.0 / 60.0
PAPER = {  # ms an update, [body] table 2
    "locomotion": 0.21,
    "steering": 0.70,
    "reach": 0.70,  # blending 0.42, inverse kinematics 0.28
    "gaze": 0.07,
}
TOTAL, BAR = 1.68, 0.17  # ms
PARTS = ("layers", "rooms")
AT_ONCE = 20  # characters of the paper's figure 7


def body_of_layers() -> tuple[list[Controller], Callable[[int], None]]:
    """Layers of one character that walks, looks and reaches, and what it is told in each frame."""
    library = default_reach()
    locomotion = ff.LocomotionController(default_locomotion())
    reaching, gaze = ff.ReachController(library), ff.GazeController(library.skeleton)
    grab, keep = ff.GrabController(library.skeleton), ff.ConstraintController(library.skeleton)
    layers: list[Controller] = [locomotion, reaching, grab, HandKeeping(reaching, keep), gaze, keep]

    def tell(frame: int) -> None:
        if frame == 0:
            locomotion.command(speed=0.8, turn_rate=0.2)
            gaze.command(look_at=(1.0, 1.2, 4.0))
            grab.open("right")
        at, ahead = np.asarray(locomotion.place), locomotion.heading
        aside = 0.15 * np.sin(0.05 * frame)
        place = np.array([-0.2 + aside, 1.1, 0.36])
        cosine, sine = np.cos(ahead), np.sin(ahead)
        x, z = cosine * place[0] + sine * place[2], cosine * place[2] - sine * place[0]
        reaching.reach((at[0] + x, place[1], at[-1] + z), hand="right")

    return layers, tell


def layer_seconds() -> dict[str, float]:
    """Mean over the frames of the least of several runs, by layer."""
    best: dict[str, np.ndarray] = {}
    for _ in range(RUNS):
        layers, tell = body_of_layers()
        pose: Pose = ff.Pose.at_rest(layers[1].skeleton)  # type: ignore[attr-defined]
        spent = {one.name: np.zeros(FRAMES) for one in layers}
        for frame in range(FRAMES):
            tell(frame)
            previous = made = pose
            for one in layers:
                begun = time.perf_counter_ns()
                made = one.update(Tick(made, previous, frame * DT, DT, None))
                spent[one.name][frame] = time.perf_counter_ns() - begun
            pose = made
        best = {name: np.minimum(best.get(name, np.inf), own) for name, own in spent.items()}
    return {name: 1e-9 * float(own.mean()) for name, own in best.items()}


def steering_seconds() -> float:
    """Along a path with bends: where to go and how fast, once a frame."""
    way = Way(np.array([[0.0, 0.0, 0.0], [3.0, 0.0, 2.0], [5.0, 0.0, 6.0], [9.0, 0.0, 7.0]]))
    stretch = Steering(way, default_locomotion().limits).stretches[0]
    best = np.full(FRAMES, np.inf)
    for _ in range(RUNS):
        along = 0.0
        for frame in range(FRAMES):
            place = stretch.line.point(along) + np.array([0.05, 0.0, 0.02])
            begun = time.perf_counter_ns()
            told = stretch.at(place, 0.8, along)
            best[frame] = min(best[frame], time.perf_counter_ns() - begun)
            along = min(told.s + 0.8 * DT, stretch.line.length - 0.1)
    return 1e-9 * float(best.mean())


def layer_rows() -> Iterator[Row]:
    spent = layer_seconds() | {"steering": steering_seconds()}
    for name, paper in PAPER.items():
        yield Row(f"{name}, an update", 1e6 * spent[name], "us", most=None, paper=f"{1e3 * paper:,.0f}")
    total = sum(spent[name] for name in PAPER)
    yield Row("all that the paper counts", 1e6 * total, "us", most=1e3 * BAR, paper=f"{1e3 * TOTAL:,.0f}")
    for name in ("grab", "hand keeping", "constraint"):
        yield Row(f"  and {name}", 1e6 * spent[name], "us")
    whole = sum(spent.values())
    yield Row("characters with all layers at 60 Hz on one core", 1.0 / (60.0 * whole), "", least=AT_ONCE)
    walks = spent["locomotion"] + spent["steering"]
    yield Row("characters that only walk at 60 Hz on one core", 1.0 / (60.0 * walks), "", least=AT_ONCE)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", help="layers, rooms; both by default")
    parser.add_argument("--rooms", type=int, default=100)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    parts = asked.parts or list(PARTS)
    if unknown := [part for part in parts if part not in PARTS]:
        parser.error(f"no study is called {unknown[0]!r}; there are {', '.join(PARTS)}")
    rows: list[Row] = []
    if "layers" in parts:
        rows += layer_rows()
    if "rooms" in parts:
        found = []
        for seed in range(asked.rooms):
            found.append(judged(seed))
            print(f"  room {seed}: {found[-1].says or 'done'}", file=sys.stderr, flush=True)
        rows += room_rows(found)
    return show(rows, machine=asked.json)


if __name__ == "__main__":
    raise SystemExit(main())
