"""Motion rings: what they are made of, how they walk, answer, switch, how fast, beside the paper's figures.

    python benchmarks/ring.py [--json] [--full] [build] [walks] [response] [switches] [speed]

build     loops that are enough, bytes, the period, the seam, loops given back by their weights
walks     five minutes with a random stick on bumps, irregular stairs and stepping stones, then locked feet
response  1,000 random inputs on each ground: when they are heard, obeyed and followed (histograms in docs)
switches  a hundred random switches between walk, run and rest
speed     frames a second in the paper's set-up, beside pymotion's forward kinematics; a crowd of 1,000

All of it by default, for the actor's gaits and for those of captured clips (found at FOOTFALL_DATA). `--full`
walks with five sticks on each ground. Exits with 1 where a bar is missed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from movements import Row
from ring_build import build_rows
from ring_models import gaits, walks
from ring_pictures import save_responses, save_turnaround
from ring_response import response_rows, responses
from ring_speed import all_timed, crowd_rows, speed_rows
from ring_stick import KINDS
from ring_switches import GROUNDS, switch_figures, switch_rows
from ring_walks import all_figures, walk_rows
from tabled import show

STICKS = (1, 2, 3, 4, 5)


def remark(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def walk_study(full: bool) -> Iterator[Row]:
    for measured in walks():
        for seed in STICKS if full else STICKS[:1]:
            for found in all_figures(measured, seed=seed):
                yield from walk_rows(found)


def response_study(full: bool) -> Iterator[Row]:
    found = [responses(measured.name, measured.ring, kind) for measured in walks() for kind in KINDS]
    for one in found:
        yield from response_rows(one)
    save_responses(found)


def switch_study(full: bool) -> Iterator[Row]:
    for name, make in gaits().items():
        for kind in GROUNDS:
            remark(f"  {name}, {kind}")
            yield from switch_rows(switch_figures(name, make(), kind))


def speed_study(full: bool) -> Iterator[Row]:
    own = walks()
    for measured in own:
        remark(f"  {measured.name}")
        found = all_timed(measured)
        yield from speed_rows(measured, found)
        if measured is own[0]:
            save_turnaround(found)
    yield from crowd_rows(own[0].ring)


STUDIES: Mapping[str, Callable[[bool], Iterator[Row]]] = {
    "build": lambda full: build_rows(),
    "walks": walk_study,
    "response": response_study,
    "switches": switch_study,
    "speed": speed_study,
}


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("studies", nargs="*", help=f"of {', '.join(STUDIES)}; all by default")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of tables")
    parser.add_argument("--full", action="store_true", help="five sticks on each ground")
    options = parser.parse_args()
    unknown = [name for name in options.studies if name not in STUDIES]
    if unknown:
        parser.error(f"no study is called {unknown[0]!r}; there are {', '.join(STUDIES)}")
    return options


def main() -> int:
    options = parsed()
    rows: list[Row] = []
    for name in options.studies or STUDIES:
        remark(name)
        rows += STUDIES[name](options.full)
    return show(rows, machine=options.json)


if __name__ == "__main__":
    sys.exit(main())
