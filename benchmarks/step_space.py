"""The step space: exact footprints and speed, beside the paper's figures.

    python benchmarks/step_space.py [--json] [--full] [plans] [speed]

plans  random plans of 24 steps, followed, saved as BVH and judged from that file alone; what the same
       steps miss when orientations are blended and nothing else is done ([stepping] figure 7)
speed  blend candidates, a step of a plan, one changed footprint

Both by default, briefly: 40 plans on the actor's steps and on captured ones. `--full` follows 1,000 plans on
each, which takes some minutes. Captures are found at FOOTFALL_DATA. Exits with 1 where a bar is missed.
Orientation errors are in step_selection.py, distances from captured steps in naturalness.py.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from movements import Row
from step_measures import PlanFigures, actor_space, plan_figures, plans_of, real_space
from step_plan_tables import mix_table, plan_rows, plan_table
from step_speed import speed_rows
from tests.captures import FOLDER

from footfall.models.stepspace.model import StepSpace

STUDIES = ("plans", "speed")
PLANS, FEW_PLANS = 1000, 40


def remark(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def spaces() -> dict[str, Callable[[], StepSpace]]:
    """By name, those there are clips for."""
    own: dict[str, Callable[[], StepSpace]] = {"actor": actor_space}
    return own | ({"captured": real_space} if FOLDER.is_dir() else {})


def followed(space: StepSpace, count: int) -> Iterator[PlanFigures]:
    for k, (mix, number, plan) in enumerate(plans_of(space, count)):
        yield plan_figures(space, mix, number, plan)
        if k % 100 == 99:
            remark(f"  {k + 1} of {count} plans")


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("studies", nargs="*", help=f"of {', '.join(STUDIES)}; all by default")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of tables")
    parser.add_argument("--full", action="store_true", help="1,000 plans a space")
    options = parser.parse_args()
    unknown = [name for name in options.studies if name not in STUDIES]
    if unknown:
        parser.error(f"no study is called {unknown[0]!r}; there are {', '.join(STUDIES)}")
    return options


def main() -> int:
    options = parsed()
    chosen = options.studies or list(STUDIES)
    remark("building step spaces")
    own = {name: make() for name, make in spaces().items()}
    rows: list[Row] = []
    figures: dict[str, list[PlanFigures]] = {}
    if "plans" in chosen:
        for name, space in own.items():
            remark(f"plans on the steps of {name}")
            figures[name] = list(followed(space, PLANS if options.full else FEW_PLANS))
            rows += plan_rows(name, space, figures[name])
    if "speed" in chosen:
        rows += speed_rows(own)
    missed = [row for row in rows if not row.met]
    if options.json:
        print(json.dumps(told(rows, figures)))
    else:
        print_all(rows, figures, missed)
    return 1 if missed else 0


def told(rows: Sequence[Row], figures: dict[str, list[PlanFigures]]) -> dict[str, object]:
    """For machines; a figure that is not known is null."""

    def plain(value: float) -> float | None:
        return value if np.isfinite(value) else None

    return {
        "rows": [asdict(row) | {"figure": plain(row.figure), "met": row.met} for row in rows],
        "plans": {
            name: [{k: v if isinstance(v, str) else plain(v) for k, v in asdict(f).items()} for f in own]
            for name, own in figures.items()
        },
    }


def print_all(
    rows: Sequence[Row],
    figures: dict[str, list[PlanFigures]],
    missed: Sequence[Row],
) -> None:
    print("| figure | here | unit | bar | paper |\n|---|---|---|---|---|")
    for row in rows:
        print(f"| {row.name} | {row.figure:,.4g} | {row.unit} | {row.bar} | {row.paper} |")
    if figures:
        print(f"\n{plan_table(figures)}\n\n{mix_table(figures)}")
    print(
        "\nBARS ARE MISSED\n" if missed else "\nall bars are met", *(f"- {r.name}" for r in missed), sep="\n"
    )


if __name__ == "__main__":
    sys.exit(main())
