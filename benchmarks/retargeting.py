"""Retargeting captured walks onto other people and back, on every clip of subject 69.

    python benchmarks/retargeting.py [--json]

Source clips are cleaned on a calibrated skeleton first. Exits with 1 where a bar is missed.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.captured import captured, clips
from tests.captures import FOLDER, captures

from footfall.adapt.calibrate_feet import calibrate_feet
from footfall.adapt.clean_contacts import clean_contacts
from footfall.adapt.retarget import retarget
from footfall.analysis.certificate import certificate
from footfall.analysis.plants import detect_plants
from footfall.analysis.smoothness import acceleration_ratio
from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.figure.soles import sole_places
from footfall.formats.load import load_skeleton

SOURCE = "69"
BARS = {"slide_growth_mm": 2.0, "acceleration_ratio": 1.5, "sole_off_mm": 5.0, "returned_mm": 20.0}


@dataclass(frozen=True)
class Moved:
    """One clip on one figure."""

    clip: str
    onto: str
    slide_growth_mm: float
    acceleration_ratio: float
    sole_off_mm: float  # farthest sole point from its plant's level while the sole is flat
    returned_mm: float  # mean joint distance after there and back


def calibrated(subject: str) -> Skeleton:
    own = [captured(f) for f in clips("walk", "run", "turn-side-back") if f"/{subject}_" in f]
    return calibrate_feet(own[0].skeleton, own)


def measure(file: str, clean: Motion, onto: str, target: Skeleton) -> Moved:
    moved = retarget(clean, target)
    back = retarget(moved, clean.skeleton)
    growth = (certificate(moved).slide_max_m or 0.0) - (certificate(clean).slide_max_m or 0.0)
    away = np.linalg.norm(back.positions - clean.positions, axis=-1).mean()
    ratio = acceleration_ratio(moved, [clean]) or 0.0
    return Moved(file, onto, 1000 * growth, ratio, 1000 * sole_off(moved), 1000 * float(away))


def sole_off(motion: Motion) -> float:
    worst = 0.0
    contacts = motion.contacts
    assert contacts is not None
    for plant in detect_plants(motion, contacts):
        flat = plant.start + np.flatnonzero(contacts.flat(plant.foot)[plant.start : plant.end])
        if len(flat):
            heights = sole_places(motion, plant.foot)[flat][..., 1]
            worst = max(worst, float(np.abs(heights - np.median(heights)).max()))
    return worst


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--json", action="store_true", help="one JSON object instead of tables")
    as_json = parser.parse_args().json
    files = [f for f in clips("turn-side-back") if f"/{SOURCE}_" in f]
    if not files:
        print(f"no captures in {FOLDER}; set FOOTFALL_DATA to their folder", file=sys.stderr)
        return 0
    source = calibrated(SOURCE)
    targets = {"CMU-16": calibrated("16"), "SmartBody": load_skeleton(captures("jump/ChrGarza.sk"))}
    cleaned = {f: clean_contacts(replace(captured(f), skeleton=source)) for f in files}
    rows = [measure(f, cleaned[f], name, target) for name, target in targets.items() for f in files]
    met = all(
        np.median([r.slide_growth_mm for r in rows if r.onto == name]) < BARS["slide_growth_mm"]
        and all(getattr(r, key) < BARS[key] for r in rows for key in list(BARS)[1:])
        for name in targets
    )
    if as_json:
        print(json.dumps({"results": [asdict(r) for r in rows], "met": bool(met)}))
        return 0 if met else 1
    print(f"{len(files)} clips of subject {SOURCE}: median and worst (bar)")
    for name in targets:
        for key, bar in BARS.items():
            values = [getattr(r, key) for r in rows if r.onto == name]
            print(f"  {name:<10} {key:<20}{np.median(values):8.2f}{max(values):8.2f}   ({bar:g})")
    print("bars are met" if met else "a bar is missed")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
