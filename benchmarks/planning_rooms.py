"""Foot plans through seeded rooms: how many are found, walked exactly, clear of everything, and how fast.

    python benchmarks/planning_rooms.py [--json] [--rooms 100] [--first 0] [--captured]

Corridors 0.40 to 1.2 m wide with turns, dead ends, stairs and stepping stones. Every plan is walked by the
step space of the virtual actor (with --captured, of captured steps), and judged by points on the rim of the
trunk's stadium and of the soles. Exits with 1 where a room that has a way has no plan, one that has none has
no reason, a print is missed, or anything overlaps.
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

from tests.planning.judge import sole_distance, sole_gaps, trunk_distance
from tests.planning.rooms import Room, room_of

from footfall.models.stepspace.default import default_step_space
from footfall.models.stepspace.model import StepSpace
from footfall.planning.footsteps.planned_walk import NoStepsError

EXACT, LEVEL = 1e-6, 0.005  # m
SHORTER = 0.005  # m by which the judge's soles are smaller than the planner's


@dataclass(frozen=True)
class Found:
    """One room: what was planned in it and what came of it, or the reason."""

    seed: int
    kind: str
    narrowest: float
    is_open: bool
    seconds: float
    reason: str | None = None
    steps: int = 0
    placement: float = 0.0
    slide: float = 0.0
    ratio: float = 0.0
    trunk: float = np.inf
    soles: float = np.inf
    uneven: float = 0.0
    said: int = 0

    @property
    def is_met(self) -> bool:
        if self.reason is not None:
            return not self.is_open and "\n" not in self.reason
        whole = self.placement < EXACT and self.slide < EXACT
        return whole and self.trunk > 0.0 and self.soles > 0.0 and self.uneven < LEVEL


def measured(room: Room, steps: StepSpace) -> Found:
    begun = time.perf_counter()
    planner = room.planner(steps)
    own = (room.seed, room.kind, room.narrowest, room.open)
    try:
        walk = planner.plan(**room.request)  # type: ignore[arg-type]
    except NoStepsError as error:
        return Found(*own, time.perf_counter() - begun, str(error))
    seconds = time.perf_counter() - begun
    made, walls = walk.motion.certificate(), room.walls
    size = planner.walker.sole
    sole = {"back": size.back - SHORTER, "ahead": size.ahead - SHORTER, "wide": 0.04}
    return Found(
        *own,
        seconds,
        steps=len(walk.plan) - 2,
        placement=made.placement_max_m or 0.0,
        slide=made.slide_max_m,
        ratio=walk.ratio,
        trunk=trunk_distance(walk.motion, walls),
        soles=sole_distance(walk.plan, walls, **sole),
        uneven=float(sole_gaps(walk.plan, room.terrain, **sole).max()),
        said=len(made.clamped),
    )


def captured_space() -> StepSpace:
    from step_measures import real_space

    return real_space()


def summary(found: list[Found]) -> list[str]:
    planned = [one for one in found if one.reason is None]
    kinds = sorted({one.kind for one in found})
    lines = [
        f"  {'kind':<12}{'rooms':>6}{'planned':>9}{'steps':>7}{'s, mean':>9}{'s, most':>9}{'room cm':>9}"
    ]
    for kind in kinds:
        own = [one for one in found if one.kind == kind]
        done = [one for one in own if one.reason is None]
        seconds = [one.seconds for one in own]
        lines.append(
            f"  {kind:<12}{len(own):>6}{len(done):>9}{sum(one.steps for one in done):>7}"
            f"{np.mean(seconds):>9.2f}{max(seconds):>9.2f}{100.0 * min(one.trunk for one in done):>9.1f}"
        )
    shut = [one for one in found if not one.is_open]
    lines += [
        f"rooms with a way: {len(found) - len(shut)}, planned {len(planned)}; without: {len(shut)}, "
        f"reasons {sum(one.reason is not None for one in shut)}",
        f"worst placement {1e3 * max(one.placement for one in planned):.1e} mm, "
        f"slide {1e3 * max(one.slide for one in planned):.1e} mm, "
        f"acceleration ratio {max(one.ratio for one in planned):.2f}, "
        f"trunk {100.0 * min(one.trunk for one in planned):.2f} cm from things, "
        f"soles {100.0 * min(one.soles for one in planned):.1f} cm, "
        f"uneven {1e3 * max(one.uneven for one in planned):.1f} mm",
    ]
    lines += [f"  MISSED {one}" for one in found if not one.is_met]
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    parser.add_argument("--rooms", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--captured", action="store_true", help="captured steps instead of the actor's")
    asked = parser.parse_args()
    steps = captured_space() if asked.captured else default_step_space()
    measured(room_of(0), steps)  # compiled
    found = [measured(room_of(seed), steps) for seed in range(asked.first, asked.first + asked.rooms)]
    met = all(one.is_met for one in found)
    if asked.json:
        print(json.dumps({"rooms": [asdict(one) for one in found], "met": met}))
        return 0 if met else 1
    print("\n".join(summary(found)))
    print("the bars are met" if met else "A BAR IS MISSED")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
