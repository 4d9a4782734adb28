"""Every kind of performance, at the edges of what it allows and between, with the ground under it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from footfall.actor.virtual_actor import VirtualActor
from footfall.figure.example import Example
from footfall.world.plane import FlatTerrain, InclinedTerrain
from footfall.world.stairs import SpiralStairs, StraightStairs
from footfall.world.terrain import Ground

SEEDS = (1, 2)  # one walks with wide steps, the other with narrow ones
FLOOR = FlatTerrain()
EIGHTH, SIXTEENTH = np.pi / 8, np.pi / 16  # rad, of a spiral's wedge: half a circle in eight steps, a quarter


@dataclass(frozen=True)
class Piece:
    play: Callable[[VirtualActor], Example]
    ground: Ground | None = FLOOR  # None: no formula for it in the world, the certificate finds its own
    floats: float = 1e-4  # m; where tips of toes hang over a narrow wedge the ball rises first


def _steady() -> dict[str, Piece]:
    found = {f"walk {v}": Piece(lambda a, v=v: a.walk(v, steps=6)) for v in (0.4, 1.0, 1.3, 1.9)}
    found |= {f"run {v}": Piece(lambda a, v=v: a.run(v, steps=6)) for v in (2.0, 3.0, 4.0, 5.0)}
    found |= {f"backward {v}": Piece(lambda a, v=v: a.walk(v, steps=6)) for v in (-0.4, -0.7, -1.1)}
    found |= {f"strafe {v}": Piece(lambda a, v=v: a.strafe(v, steps=6)) for v in (-0.75, 0.35, 0.8)}
    for speed, rate in ((1.0, 1.1), (1.0, -0.6), (0.6, 1.2), (-0.7, 0.35)):
        found[f"walk {speed} turning {rate}"] = Piece(
            lambda a, v=speed, w=rate: a.walk(v, turn_rate=w, steps=6)
        )
    for rate in (-0.7, 0.4):
        found[f"run 2.7 turning {rate}"] = Piece(lambda a, w=rate: a.run(2.7, turn_rate=w, steps=6))
    for length in (0.5, 0.8):
        found[f"walk with steps of {length}"] = Piece(lambda a, s=length: a.walk(1.2, step_length=s, steps=6))
    found["run with steps of 1.2"] = Piece(lambda a: a.run(3.2, step_length=1.2, steps=6))
    found["diagonally"] = Piece(lambda a: a.strafe(0.4, speed=0.5, steps=6))
    return found


def _slopes() -> dict[str, Piece]:
    found = {}
    for slope in (-0.25, -0.1, 0.1, 0.25):
        ground = InclinedTerrain(slope)
        found[f"walk on a slope of {slope}"] = Piece(lambda a, s=slope: a.walk(1.1, slope=s, steps=6), ground)
    for slope in (-0.15, 0.15):
        ground = InclinedTerrain(slope)
        found[f"run on a slope of {slope}"] = Piece(lambda a, s=slope: a.run(2.7, slope=s, steps=6), ground)
    found["walk on a turning slope"] = Piece(
        lambda a: a.walk(1.1, slope=0.1, turn_rate=0.4, steps=6), ground=None
    )
    return found


def _stairs() -> dict[str, Piece]:
    found = {}
    walked = ((0.09, 0.42), (0.18, 0.28), (0.16, 0.60), (-0.09, 0.42), (-0.18, 0.28), (-0.16, 0.60))
    for riser, tread in walked:
        found[f"stairs {riser} {tread}"] = Piece(
            lambda a, r=riser, t=tread: a.stairs(r, t, steps=6), StraightStairs(riser, tread)
        )
    for riser, tread in ((0.07, 0.95), (0.13, 0.70), (-0.07, 0.70), (-0.13, 0.95)):
        found[f"run stairs {riser} {tread}"] = Piece(
            lambda a, r=riser, t=tread: a.stairs(r, t, steps=6, running=True), StraightStairs(riser, tread)
        )
    for riser, tread, wedge in ((0.16, 0.42, EIGHTH), (-0.16, 0.42, -EIGHTH), (0.09, 0.62, -SIXTEENTH)):
        found[f"spiral {riser} {tread} {wedge:.2f}"] = Piece(
            lambda a, r=riser, t=tread, w=wedge: a.stairs(r, t, turn=w, steps=6),
            SpiralStairs(riser, wedge, tread / wedge),
            floats=0.006 if riser < 0.0 else 1e-4,
        )
    for riser, wedge in ((0.13, -EIGHTH), (-0.13, SIXTEENTH)):
        found[f"run spiral {riser} {wedge:.2f}"] = Piece(
            lambda a, r=riser, w=wedge: a.stairs(r, 0.8, turn=w, steps=6, running=True),
            SpiralStairs(riser, wedge, 0.8 / wedge),
        )
    return found


def _single_steps() -> dict[str, Piece]:
    """A grid of places; those that the actor refuses as too large are left out."""
    found = {}
    places = (-0.25, 0.0, 0.3, 0.6, 0.76), (0.0, 0.2, 0.4), (-0.12, 0, 0.12)
    grid = [(f, s, r) for f in places[0] for s in places[1] for r in places[2]]
    for forward, side, rise in grid:
        along = forward / (0.85 if forward > 0 else 0.40)
        size = np.hypot(along, side / 0.46)
        largest = 0.65 if rise < 0 else 0.6 if rise > 0 > forward else 0.95
        if 0.25 < size < largest:
            found[f"step to {forward} {side} {rise}"] = Piece(
                lambda a, f=forward, s=side, r=rise: a.step_to(f, s, r), ground=None
            )
    for forward, rise in ((0.15, 0.12), (0.22, 0.15), (0.3, -0.15), (0.75, 0.15)):
        found[f"step straight to {forward} {rise}"] = Piece(
            lambda a, f=forward, r=rise: a.step_to(f, 0.0, r), ground=None
        )
    found["step of the right foot"] = Piece(lambda a: a.step_to(0.4, -0.2, 0.1, foot="right"), ground=None)
    found["step that turns"] = Piece(lambda a: a.step_to(0.4, 0.1, turn=0.4))
    found["step without closing"] = Piece(lambda a: a.step_to(0.5, close=False))
    return found


def _from_stand_to_stand() -> dict[str, Piece]:
    found = {
        "start and stop": Piece(lambda a: a.start_and_stop(1.3)),
        "start and stop backwards": Piece(lambda a: a.start_and_stop(-0.7)),
        "start and stop turning": Piece(lambda a: a.start_and_stop(1.1, turn_rate=0.6, first="right")),
        "sidestep left": Piece(lambda a: a.sidestep(0.28, steps=4)),
        "sidestep right": Piece(lambda a: a.sidestep(-0.20, steps=4)),
        "cross step left": Piece(lambda a: a.cross_step("left", pairs=2)),
        "cross step right": Piece(lambda a: a.cross_step("right", pairs=2)),
    }
    for angle in (0.5, 0.5 * np.pi, -0.5 * np.pi, np.pi, -6.0):
        found[f"turn in place {angle:.2f}"] = Piece(lambda a, w=angle: a.turn_in_place(w))
    for length, height in ((0.0, 0.10), (0.0, 0.42), (0.8, 0.27), (1.6, 0.34), (1.7, 0.10), (1.7, 0.42)):
        found[f"jump {length} {height}"] = Piece(lambda a, s=length, h=height: a.jump(s, h))
    return found


PIECES = _steady() | _slopes() | _stairs() | _single_steps() | _from_stand_to_stand()
CAST = {name: SEEDS[k % 2] for k, name in enumerate(PIECES)}  # who performs a piece: the two in turn


@cache
def actor(seed: int, fps: float = 60.0) -> VirtualActor:
    return VirtualActor(seed, fps=fps)


@cache
def played(name: str, seed: int, fps: float = 60.0) -> Example:
    return PIECES[name].play(actor(seed, fps))
