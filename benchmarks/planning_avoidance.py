"""Characters that swap places on a circle, and what a step of it costs beside pyrvo.

    python benchmarks/planning_avoidance.py [--json] [--picture FILE]

200 characters (radius 0.3 m, 1.4 m/s) on circles 40 m across and of radius 40 m, each to the opposite place.
Bars: no overlap over 1 cm, all there in three times the straight time. The cost of a step is measured from
the same crowd in the middle of its swap, with the same horizon, neighbours and range, on one thread; pyrvo's
is its step alone, and with the wishes set and the places read, which go one by one. Exits with 1 where a bar
is not met. Where pyrvo is not installed, a sentence says so.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from timing import best_seconds

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.planning.crowds import Walked, on_circle, straight_to, walk

from footfall.planning.avoidance import Avoidance

RADIUS, SPEED, DT = 0.3, 1.4, 0.1  # m, m/s, s
HORIZON, NEIGHBOURS = 2.0, 10
RANGE = 2.0 * RADIUS + 2.0 * HORIZON * SPEED  # m: who is farther cannot be met within the horizon
CIRCLES = {"40 m across": 20.0, "of radius 40 m": 40.0}
OVERLAP_BAR, TIME_BAR = 0.01, 3.0  # m, straight times
CROWDS = {200: 20.0, 1000: 110.0}  # characters, and the circle's radius on which they fit
STEPS, ROUNDS = 20, 5


def swap(count: int, radius: float, *, limit: float = TIME_BAR, dt: float = DT) -> Walked:
    """Everybody on a circle to the opposite place, at most for some straight times."""
    starts = on_circle(count, radius)
    avoidance = Avoidance(np.full(count, RADIUS), SPEED, horizon=HORIZON, neighbours=NEIGHBOURS)
    return walk(avoidance, starts, -starts, seconds=limit * 2.0 * radius / SPEED, dt=dt, speed=SPEED)


def swap_row(name: str, radius: float, dt: float) -> dict[str, object]:
    walked, straight = swap(200, radius, dt=dt), 2.0 * radius / SPEED
    last = float(walked.arrivals.max()) / straight
    row = {
        "circle": name,
        "dt": dt,
        "overlap_mm": 1e3 * max(0.0, -walked.least_gap),
        "arrived": int(np.isfinite(walked.arrivals).sum()),
        "median_straight_times": float(np.median(walked.arrivals)) / straight,
        "last_straight_times": last if np.isfinite(last) else None,
    }
    return row | {"met": -walked.least_gap <= OVERLAP_BAR and last <= TIME_BAR}


def crowd_at_half(count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Places, velocities and goals of a swap where all are in each other's way."""
    walked = swap(count, CROWDS[count], limit=0.5)
    return walked.trails[-1], walked.velocities[-1], -walked.trails[0]


def our_steps(places: np.ndarray, going: np.ndarray, goals: np.ndarray) -> Callable[[], None]:
    avoidance = Avoidance(np.full(len(places), RADIUS), SPEED, horizon=HORIZON, neighbours=NEIGHBOURS)
    wishes = straight_to(goals, SPEED, DT)

    def run() -> None:
        now, velocity = places, going
        for _ in range(STEPS):
            velocity = avoidance.velocities(now, velocity, wishes(now), DT)
            now = now + DT * velocity

    return run


class Peer:
    """The same crowd in pyrvo."""

    def __init__(self, places: np.ndarray, going: np.ndarray, goals: np.ndarray):
        import pyrvo

        self.crowd: Any = pyrvo.RVOSimulator(DT, RANGE, NEIGHBOURS, HORIZON, HORIZON, RADIUS, SPEED)
        self.places, self.going, self.goals = places, going, goals
        for place in places.tolist():
            self.crowd.add_agent(tuple(place))

    def _wish(self, places: np.ndarray) -> None:
        for i, wish in enumerate(straight_to(self.goals, SPEED, DT)(places).tolist()):
            self.crowd.set_agent_pref_velocity(i, tuple(wish))

    def begin(self) -> None:
        for i, (place, velocity) in enumerate(zip(self.places.tolist(), self.going.tolist(), strict=True)):
            self.crowd.set_agent_position(i, tuple(place))
            self.crowd.set_agent_velocity(i, tuple(velocity))
        self._wish(self.places)

    def steps_alone(self) -> None:
        """Wishes stay as they were at the beginning."""
        for _ in range(STEPS):
            self.crowd.do_step()

    def steps_with_wishes(self) -> None:
        for _ in range(STEPS):
            self.crowd.do_step()
            found = [self.crowd.get_agent_position(i) for i in range(len(self.places))]
            self._wish(np.array([(place.x, place.y) for place in found]))


def cost_rows() -> list[dict[str, object]]:
    """Microseconds of a step, the best of some rounds."""
    rows: list[dict[str, object]] = []
    for count in CROWDS:
        state = crowd_at_half(count)
        contenders: dict[str, Callable[[], object]] = {"footfall": our_steps(*state)}
        if find_spec("pyrvo") is not None:
            peer = Peer(*state)
            # beginning anew is timed as a contender of its own, so that it is no part of the others
            contenders |= {
                "(begin)": peer.begin,
                "pyrvo, step alone": peer.steps_alone,
                "(begin again)": peer.begin,
                "pyrvo, with wishes and places": peer.steps_with_wishes,
            }
        for name, seconds in best_seconds(contenders, ROUNDS).items():
            if not name.startswith("("):
                rows.append({"characters": count, "contender": name, "us_per_step": 1e6 * seconds / STEPS})
    return rows


def picture(walked: Walked, file: str) -> None:
    """The trails of a swap, coloured by where they began."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(9, 9))
    colours = plt.get_cmap("hsv")(np.arange(walked.trails.shape[1]) / walked.trails.shape[1])
    for trail, colour in zip(walked.trails.transpose(1, 0, 2), colours, strict=True):
        axes.plot(*trail.T, color=colour, linewidth=0.6)
    axes.set_aspect("equal")
    axes.set_xlabel("x, m")
    axes.set_ylabel("z, m")
    figure.savefig(file, dpi=110, bbox_inches="tight")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--picture", metavar="FILE")
    asked = parser.parse_args()
    swaps = [swap_row(name, radius, dt) for name, radius in CIRCLES.items() for dt in (DT, DT / 3.0)]
    costs = cost_rows()
    if asked.picture:
        picture(swap(200, CIRCLES["40 m across"]), asked.picture)
    if asked.json:
        print(json.dumps({"swaps": swaps, "costs": costs}))
        return 0 if all(row["met"] for row in swaps) else 1
    print("200 characters swap places on a circle")
    for row in swaps:
        last = "never" if row["last_straight_times"] is None else f"{row['last_straight_times']:.2f}"
        print(
            f"  {row['circle']:<16} dt {row['dt']:.3f} s  overlap {row['overlap_mm']:6.2f} mm"
            f"  arrived {row['arrived']:>3}  straight times: median {row['median_straight_times']:.2f},"
            f" last {last}  {'met' if row['met'] else 'NOT MET'}"
        )
    print("A step, in microseconds")
    for row in costs:
        print(f"  {row['characters']:>5} characters  {row['contender']:<32}{row['us_per_step']:>9.0f}")
    if find_spec("pyrvo") is None:
        print("  pyrvo is not installed, so there is nothing beside it: pip install pyrvo")
    return 0 if all(row["met"] for row in swaps) else 1


if __name__ == "__main__":
    sys.exit(main())
