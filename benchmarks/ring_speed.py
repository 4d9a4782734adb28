"""How fast a walk is, in the paper's set-up: bumps of 10,000 polygons, 5x5x5 spheres of 20 cm, one core, one
call a frame, five minutes. The same seeded run is made five times; each frame counts with its shortest time.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from movements import Row
from ring_models import Measured, combined_walk
from ring_record import FPS, FRAMES
from ring_stick import Stick, Wish, ground, start

from footfall.character import Character
from footfall.control.gait import GaitController
from footfall.figure.motion import Motion
from footfall.models.ring import layout
from footfall.models.ring.model import MotionRing
from footfall.world.terrain import Terrain

RUNS = 5
PAPER = {"standard": (27_071, 15_412), "combined": (26_939, 15_821)}  # [rings] 5: frames a second, and worst
AIM = (10.0, 5.0)  # times the paper's
CROWD, CROWD_FRAMES = 1000, 120
KINEMATICS = 2000  # poses for which pymotion's forward kinematics is timed
DT = 1.0 / FPS
WARMED = 240  # frames of another figure before a run

Seconds = Float[np.ndarray, "frames"]


@dataclass(frozen=True, eq=False)
class Timed:
    """One way to walk: each frame's shortest time."""

    method: str
    call: str
    seconds: Seconds

    @property
    def average(self) -> float:
        return float(1.0 / self.seconds.mean())

    @property
    def worst(self) -> float:
        return float(1.0 / self.seconds.max())


def commands(ring: MotionRing, frames: int, seed: int = 1) -> Mapping[int, Wish]:
    """What the stick says in a run, by frame. It looks where the figure is, so it is asked once before."""
    made = ground("bumps")
    gait, stick = GaitController(ring, place=start(made)), Stick(made.terrain, seed)
    gait.advance(0.0, made.terrain)
    said: dict[int, Wish] = {}
    for frame in range(frames):
        state, pose = gait.walker.state, gait.walker.pose
        wish = stick.moved(frame / FPS, pose[[0, 2]], float(state[layout.HEADING]))
        if wish is not None:
            said[frame] = wish
            gait.command(heading=wish.heading, step_length=wish.step_length)
        gait.advance(DT, made.terrain)
    return said


def advancing(gait: GaitController, terrain: Terrain) -> Callable[[], object]:
    return lambda: gait.advance(DT, terrain)


def stepping(gait: GaitController, terrain: Terrain) -> Callable[[], object]:
    character = Character(gait.skeleton, [gait], world=terrain)
    return lambda: character.step(DT)


CALLS: Mapping[str, Callable[[GaitController, Terrain], Callable[[], object]]] = {
    "gait.advance": advancing,
    "character.step": stepping,
}


def timed(method: str, ring: MotionRing, *, frames: int = FRAMES, runs: int = RUNS) -> list[Timed]:
    """Both calls take turns, run by run."""
    said = commands(ring, frames)
    best = {call: np.full(frames, np.inf) for call in CALLS}
    for _ in range(runs):
        for call, make in CALLS.items():
            np.minimum(best[call], _run(ring, make, said, frames), out=best[call])
    return [Timed(method, call, seconds) for call, seconds in best.items()]


def _run(
    ring: MotionRing,
    make: Callable[[GaitController, Terrain], Callable[[], object]],
    said: Mapping[int, Wish],
    frames: int,
) -> Seconds:
    made = ground("bumps")
    gc.collect()
    gc.disable()
    spent, clock = np.zeros(frames), time.perf_counter_ns
    try:
        for warm in (True, False):  # a few seconds before it counts: the collector leaves cold caches
            gait = GaitController(ring, place=start(made))
            gait.advance(0.0, made.terrain)
            call = make(gait, made.terrain)
            for _ in range(WARMED if warm else 0):
                call()
        for frame in range(frames):
            wish = said.get(frame)
            if wish is not None:
                gait.command(heading=wish.heading, step_length=wish.step_length)
            begun = clock()
            call()
            spent[frame] = clock() - begun
    finally:
        gc.enable()
    return 1e-9 * spent


def kinematics_seconds(ring: MotionRing, runs: int = RUNS) -> float:
    """pymotion's forward kinematics of one pose, a call each: poses of the ring's own figure."""
    from pymotion.ops.skeleton import fk

    poses: Motion = ring.synthesize(turn=0.0, step_length=0.6, rise=0.0, steps=8)
    rows = [(poses.rotations[k], poses.root[k]) for k in range(len(poses))]
    offsets, parents = np.array(poses.skeleton.offsets), np.array(poses.skeleton.parents)
    best = np.full(KINEMATICS, np.inf)
    for _ in range(runs):
        for k in range(KINEMATICS):
            rotations, root = rows[k % len(rows)]
            begun = time.perf_counter_ns()
            fk(rotations, root, offsets, parents)
            best[k] = min(best[k], time.perf_counter_ns() - begun)
    return float(1e-9 * best.mean())


def speed_rows(measured: Measured, found: list[Timed]) -> Iterator[Row]:
    for one in found:
        average, worst = PAPER[one.method]
        name = f"{measured.name}, {one.method}, {one.call}"
        aims = (AIM[0] * average, AIM[1] * worst) if one.call == "gait.advance" else (None, None)
        yield Row(f"{name}: frames a second", one.average, "1/s", least=aims[0], paper=f"{average:,}")
        yield Row("  in the worst frame", one.worst, "1/s", least=aims[1], paper=f"{worst:,}")
        # the first frame of a run finds cold caches, in every run: the bar counts it, this does not
        yield Row("  in the worst frame but the first", float(1.0 / one.seconds[1:].max()), "1/s")
    yield Row("  pymotion's kinematics of one pose", 1.0 / kinematics_seconds(measured.ring), "1/s")


def all_timed(measured: Measured) -> list[Timed]:
    found = timed("standard", measured.ring)
    return found + (timed("combined", combined_walk()) if measured.name == "actor" else [])


def crowd_rows(ring: MotionRing) -> Iterator[Row]:
    """A thousand figures on the bumps, each with its own wishes, in one call a frame."""
    from footfall.batch.crowd import Crowd

    terrain, rng = ground("bumps").terrain, np.random.default_rng(1)
    low, high = (corner[[0, 2]] for corner in terrain.bounds)
    places = rng.uniform(low + 1.5, high - 1.5, (CROWD, 2))
    crowd = Crowd(ring, places, rng.uniform(-np.pi, np.pi, CROWD), world=terrain)
    best = np.full(CROWD_FRAMES, np.inf)
    for frame in range(CROWD_FRAMES):
        some = rng.integers(0, CROWD, CROWD // 60)
        crowd.command(turn=rng.normal(0.0, 0.35, len(some)), who=some)
        begun = time.perf_counter_ns()
        crowd.step(DT)
        best[frame] = time.perf_counter_ns() - begun
    yield Row(f"crowd of {CROWD}: frames of a figure, one core", 1e9 * CROWD / float(best.mean()), "1/s")
    yield Row("  all of them", 1e9 / float(best.mean()), "1/s")
