"""How long reading the gait of a long capture takes, and that its cost grows with the frames and no faster.

    python benchmarks/analysis.py [--json]

Ten minutes at 120 Hz: walks and turns of one captured subject one after the other, or a made walk where no
captures are. Forward kinematics is timed apart. Exits with 1 where contacts, plants and steps of ten minutes
take 3 s or more, or a frame of a long capture costs 1.3 times one of a short capture.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from itertools import cycle
from pathlib import Path

import numpy as np
from timing import best_seconds

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.captured import captured, clips
from tests.gaits import made

from footfall.analysis.contacts import detect_contacts
from footfall.analysis.plants import detect_plants
from footfall.analysis.steps import detect_steps
from footfall.figure.motion import Motion, concatenate

FPS = 120.0
MINUTES = (1, 2, 5, 10)
ROUNDS = 5
SECONDS_BAR = 3.0
GROWTH_BAR = 1.3


def takes() -> list[Motion]:
    """Clips of one skeleton at 120 Hz."""
    found = [
        captured(file) for file in clips("walk", "turn-side-back") if file.split("/")[1].startswith("16_")
    ]
    return found or [made("walk", FPS, steps=10).motion, made("turn", FPS, steps=10).motion]


def one_minute() -> Motion:
    """Clips in turn, each set out from where the last one ended."""
    parts: list[Motion] = []
    for clip in cycle(takes()):
        parts.append(_onward(clip, parts[-1] if parts else None))
        if sum(len(part) for part in parts) >= 60 * FPS:
            break
    return concatenate(parts)[: round(60 * FPS)]


def long_take(minutes: int) -> Motion:
    """The same minute over and over, so that every length holds the same mixture."""
    minute = one_minute()
    parts = [minute]
    for _ in range(1, minutes):
        parts.append(_onward(minute, parts[-1]))
    return concatenate(parts)


def _onward(clip: Motion, last: Motion | None) -> Motion:
    """A clip that begins on the ground where another ended."""
    place = np.zeros(3) if last is None else last.root[-1]
    return replace(clip, root=clip.root + (place - clip.root[0]) * [1.0, 0.0, 1.0])


def read_gait(motion: Motion) -> int:
    return len(detect_steps(motion, detect_plants(motion, detect_contacts(motion))))


def parts_of(motion: Motion) -> dict[str, float]:
    """Seconds of each stage of the longest capture; kinematics, which all stages share, apart."""
    contacts = detect_contacts(motion)
    plants = detect_plants(motion, contacts)
    return best_seconds(
        {
            "forward kinematics": lambda: replace(motion).positions,
            "contacts": lambda: detect_contacts(motion),
            "plants": lambda: detect_plants(motion, contacts),
            "steps": lambda: detect_steps(motion, plants),
        },
        ROUNDS,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--json", action="store_true", help="one JSON object instead of tables")
    as_json = parser.parse_args().json
    motions = {minutes: long_take(minutes) for minutes in MINUTES}
    for motion in motions.values():
        assert motion.positions is not None  # computed here, so that it is no part of what is timed
    named = {str(m): (lambda motion=motion: read_gait(motion)) for m, motion in motions.items()}
    seconds = {int(name): value for name, value in best_seconds(named, ROUNDS).items()}
    a_frame = {m: seconds[m] / len(motions[m]) for m in MINUTES}
    growth = max(a_frame.values()) / min(a_frame.values())
    longest = motions[MINUTES[-1]]
    parts = parts_of(longest)
    met = seconds[MINUTES[-1]] < SECONDS_BAR and growth < GROWTH_BAR
    if as_json:
        results = [
            {"minutes": m, "frames": len(motions[m]), "seconds": seconds[m], "steps": read_gait(motions[m])}
            for m in MINUTES
        ]
        print(json.dumps({"results": results, "parts": parts, "growth": growth, "met": met}))
        return 0 if met else 1
    print(f"contacts, plants and steps, {len(longest.skeleton)} joints at {FPS:g} Hz (best of {ROUNDS})")
    for m in MINUTES:
        counted = f"{len(motions[m]):>7} frames {read_gait(motions[m]):>5} steps"
        print(f"  {m:>3} min {counted} {seconds[m]:>8.3f} s {1e6 * a_frame[m]:>8.2f} us a frame")
    print(f"stages of {MINUTES[-1]} min")
    for name, value in parts.items():
        print(f"  {name:<20}{value:>8.3f} s")
    print(f"{MINUTES[-1]} min in {seconds[MINUTES[-1]]:.2f} s, bar {SECONDS_BAR:g}")
    print(f"cost of a frame, largest over smallest: {growth:.2f}, bar {GROWTH_BAR:g}")
    print("both bars are met" if met else "A BAR IS MISSED")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
