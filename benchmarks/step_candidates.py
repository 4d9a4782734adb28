"""How long the blend candidates B(T) of a step space take, and how long each selector takes for one query.

    python benchmarks/step_candidates.py [--json]

Made-up steps of one side, forward, backward and aside in the shares of [stepping] 6; the paper's 400 are
200 a side, and 400 a side are measured too. The paper needs one to two hours for B(T). Exits with 1 where 400
a side take 15 s or more, or where a selector takes 2 ms or more for a query.
"""

from __future__ import annotations

import argparse
import json
import sys
import time

import numpy as np
from jaxtyping import Float, Int
from timing import best_seconds

from footfall.models.stepspace.candidates import BlendCandidates, LowSpace, build_candidates
from footfall.models.stepspace.low_space import low_of
from footfall.models.stepspace.selection import Selector, StepQuery
from footfall.models.stepspace.selectors.containing import Containing
from footfall.models.stepspace.selectors.fitted import Fitted
from footfall.models.stepspace.selectors.judged import JudgedAround, JudgedListed
from footfall.models.stepspace.selectors.nearest import Nearest
from footfall.models.stepspace.selectors.paper import Paper
from footfall.models.stepspace.selectors.program import Program

SIZES = (200, 400)
KINDS = ((0.54, 1, -0.45, 0.55), (0.28, -1, 0.35, -0.35), (0.18, 0, 0.0, 0.05))  # share, way, z1, z2 (m)
QUERIES, ROUNDS = 100, 3
SECONDS_BAR, QUERY_BAR = 15.0, 2e-3


def made_up(count: int, seed: int = 0) -> tuple[Float[np.ndarray, "n 10"], Int[np.ndarray, "n"]]:
    """Steps in S_high, and the way each goes."""
    rng = np.random.default_rng(seed)
    kinds = rng.choice(len(KINDS), count, p=[kind[0] for kind in KINDS])
    _, way, z1, z2 = (np.array(column)[kinds] for column in zip(*KINDS, strict=True))
    places = np.c_[rng.normal(0.18, 0.12, count), z1, rng.normal(0.18, 0.15, count), z2]
    places[:, [1, 3]] += rng.normal(0.0, 0.15, (count, 2))
    rest = np.c_[rng.normal(0.0, 0.35, (count, 2)), rng.uniform(0.3, 0.8, (count, 4))]
    return np.c_[places, rest], way.astype(int)


def candidates_row(count: int) -> dict[str, float]:
    high, way = made_up(count)
    space = LowSpace.of(low_of(high))
    start = time.perf_counter()
    built = build_candidates(space, way)
    return {
        "steps": count,
        "tetrahedra": len(space.corners),
        "candidates": len(built.quads),
        "bytes": built.quads.nbytes + built.offsets.nbytes,
        "seconds": time.perf_counter() - start,
    }


def all_selectors(
    high: np.ndarray, way: np.ndarray, space: LowSpace, built: BlendCandidates
) -> tuple[Selector, ...]:
    return (
        Containing(high, space),
        Paper(high, space, built),
        JudgedListed(high, space, built),
        JudgedAround(high, space, way=way),
        Program(high, space),
        Nearest(high, space),
        Fitted(high, space),
    )


def query_seconds(count: int) -> dict[str, float]:
    """Seconds a query inside the hull, by selector."""
    high, way = made_up(count)
    space = LowSpace.of(low_of(high))
    asked = [StepQuery(row) for row in made_up(4 * QUERIES, seed=1)[0]]
    asked = [query for query in asked if space.locate(query.low) >= 0][:QUERIES]
    selectors = all_selectors(high, way, space, build_candidates(space, way))

    def runner(selector: Selector) -> object:
        return lambda: [selector.select(query) for query in asked]

    found = best_seconds({s.name: runner(s) for s in selectors}, ROUNDS)  # type: ignore[misc]
    return {name: seconds / len(asked) for name, seconds in found.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="one JSON object instead of tables")
    options = parser.parse_args()
    candidates_row(20)  # compiles
    built = [candidates_row(count) for count in SIZES]
    queries = query_seconds(SIZES[0])
    met = built[-1]["seconds"] < SECONDS_BAR and max(queries.values()) < QUERY_BAR
    if options.json:
        print(json.dumps({"candidates": built, "query_seconds": queries, "met": met}))
    else:
        print("| steps a side | tetrahedra | candidates | kB | seconds |\n|---|---|---|---|---|")
        for row in built:
            print(
                f"| {row['steps']} | {row['tetrahedra']} | {row['candidates']} | {row['bytes'] / 1e3:.0f} "
                f"| {row['seconds']:.2f} |"
            )
        print(f"\nmicroseconds a query, {SIZES[0]} steps:")
        for name, seconds in queries.items():
            print(f"  {name:<16}{1e6 * seconds:>8.0f}")
        print("all bars are met" if met else "A BAR IS MISSED")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
