"""Random control: how fast joints go, whatever is asked of characters wherever they are; a run of any length.

    python benchmarks/random_control.py [--frames 5000000] [--seed 0] [--json]

One character after another: all layers in random stacks, on random ground, told random things (see
`tests/control/random_control.py`). Prints how far it is and how long it will take; in the end the fastest
joints by role, as a share of what people do (1.2 times the 99.99th percentile over the examples), with what
caused them, and every kind of violation. Exits with 1 where there is one.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.control.random_control import Models, RandomControl, Violation, examples_of

import footfall as ff
from footfall.models.locomotion.default import default_locomotion
from footfall.models.reach.default import default_reach, more_reaches
from footfall.models.ring.default import default_gaits

FRAMES = 5_000_000
EVERY = 10.0  # s between two lines of progress
SHOWN = 3  # violations of a kind


def default_models() -> Models:
    """The virtual actor's, with the sessions they are made from."""
    actor = ff.VirtualActor()
    body = actor.perform("body")
    return Models(
        default_locomotion(),
        default_reach(),
        default_gaits(),
        {
            "locomotion": examples_of([e for e in body if e.kind != "reach"]),
            "reach": examples_of([*(e for e in body if e.kind == "reach"), *more_reaches(actor)]),
            "gaits": examples_of(actor.perform("rings")),
        },
    )


def by_cause(violations: list[Violation]) -> dict[str, list[Violation]]:
    """The first violation of each character, by what went wrong and what had been told last."""
    found: dict[str, list[Violation]] = defaultdict(list)
    seen: set[int] = set()
    for one in violations:
        if one.seed not in seen:
            seen.add(one.seed)
            told = one.told[-1].split(": ", 1)[1].split()[0] if one.told else "nothing"
            found[f"{one.what.split(':')[0]} after {told}"].append(one)
    return dict(sorted(found.items(), key=lambda row: -len(row[1])))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--frames", type=int, default=FRAMES)
    parser.add_argument(
        "--seed", type=int, default=0, help="of the first character; each next one has the next"
    )
    parser.add_argument("--json", action="store_true")
    wanted = parser.parse_args()
    control = RandomControl(default_models(), wanted.seed)
    begun = last = time.monotonic()
    told = 0  # violations
    for frames in control.run(wanted.frames):
        now = time.monotonic()
        for one in by_cause(control.violations[told:]).values():
            print(f"VIOLATION {one[0]}", file=sys.stderr, flush=True)
        told = len(control.violations)
        if now - last > EVERY:
            last = now
            left = (now - begun) * (wanted.frames - frames) / frames
            print(
                f"{100.0 * frames / wanted.frames:5.1f} %  {frames} frames, {control.judged} judged, "
                f"{len(control.violations)} violations, {left / 60.0:.0f} min left",
                file=sys.stderr,
                flush=True,
            )
    causes = by_cause(control.violations)
    if wanted.json:
        print(
            json.dumps(
                {
                    "frames": control.frames,
                    "judged": control.judged,
                    "fastest": control.fastest,
                    "violations": {cause: [str(one) for one in ones] for cause, ones in causes.items()},
                },
                indent=1,
            )
        )
        return int(bool(causes))
    print(f"{control.frames} frames, {control.judged} judged by speed, seeds from {wanted.seed}")
    for part, (share, cause) in sorted(control.fastest.items(), key=lambda row: -row[1][0]):
        print(f"  {part:10} {share:5.2f} of the most: {cause}")
    for cause, ones in causes.items():
        print(f"{len(ones)} characters: {cause}")
        for one in sorted(ones, key=lambda v: -v.much)[:SHOWN]:
            print(f"    {one}")
    return int(bool(causes))


if __name__ == "__main__":
    sys.exit(main())
