"""How long a step space takes: its blend candidates, a step of a plan, one changed footprint."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import cycle

import numpy as np
from movements import Row
from step_candidates import candidates_row
from step_measures import plans_of, walkable
from timing import best_seconds

from footfall.models.stepspace.candidates import build_candidates
from footfall.models.stepspace.model import StepSpace
from footfall.world.foot_plan import FootPlan

ROUNDS = 5
CANDIDATES_BAR, STEP_BAR, CHANGE_BAR = 15.0, 2e-3, 5e-3  # s
RATES = (30.0, 60.0)  # Hz
SHIFT = (0.02, 0.0, 0.03)  # m by which the changed footprint is moved


def candidate_rows(name: str, space: StepSpace) -> Iterator[Row]:
    start = time.perf_counter()
    build_candidates(space.low, space.left.ways)
    yield Row(f"B(T), {name}, {len(space.left)} steps a side", time.perf_counter() - start, "s")


def step_rows(name: str, space: StepSpace) -> Iterator[Row]:
    """A step of a plan online, beside pymotion's forward kinematics of the same frames."""
    plan = walkable(space, next(iter(plans_of(space, 1)))[2])[0]
    count = len(plan) - 2
    for rate in RATES:
        best = best_seconds(runs_at(space, plan, rate), ROUNDS)
        own, peer = (1e3 * best[what] / count for what in ("follow", "kinematics"))
        yield Row(f"a step of {count}, {name}, {rate:g} Hz", own, "ms", most=1e3 * STEP_BAR, paper="28")
        yield Row("  pymotion's kinematics of the same poses", peer, "ms")
    yield from change_rows(name, space, plan)


def change_rows(name: str, space: StepSpace, plan: FootPlan) -> Iterator[Row]:
    """One footprint in the middle moved to and fro, so that every call has something to change."""
    number = len(plan) // 2
    places = cycle([plan.placements[number].position + np.array(SHIFT), plan.placements[number].position])
    live = space.live(plan)
    # one after the other: a whole motion laid together leaves the next change a cold cache
    moved = best_seconds({"moved": lambda: live.move(number, position=next(places))}, 4 * ROUNDS)
    shown = best_seconds(
        {"shown": lambda: (live.move(number, position=next(places)), live.motion)}, 4 * ROUNDS
    )
    yield Row(f"one changed footprint, {name}", 1e3 * moved["moved"], "ms", most=1e3 * CHANGE_BAR)
    yield Row("  and the whole motion with it", 1e3 * shown["shown"], "ms")


def runs_at(space: StepSpace, plan: FootPlan, rate: float) -> Mapping[str, Callable[[], object]]:
    from pymotion.ops.skeleton import fk

    made = space.follow(plan, fps=rate)
    arrays = (made.rotations, made.root, made.skeleton.offsets, made.skeleton.parents)
    return {"follow": partial(space.follow, plan, fps=rate), "kinematics": partial(fk, *arrays)}


def speed_rows(own: Mapping[str, StepSpace]) -> Iterator[Row]:
    candidates_row(20)  # compiles
    yield Row(
        "B(T) of 400 steps, 200 a side",
        candidates_row(200)["seconds"],
        "s",
        most=CANDIDATES_BAR,
        paper="1-2 h",
    )
    for name, space in own.items():
        yield from candidate_rows(name, space)
        yield from step_rows(name, space)
