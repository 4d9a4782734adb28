"""Cleaning contacts beside the naive fix, on every walking, turning and stepping capture.

    python benchmarks/cleaning.py [--json] [CLIP ...]

The naive fix holds each ankle at its mean place for as long as its foot stands, by two-link IK, and changes
nothing else. All are measured with the same contacts; a second figure for slide comes from contacts that are
detected anew on the result. Exits with 1 where a bar is missed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.captured import ROWS, capture, clips
from tests.captures import FOLDER

from footfall.adapt.clean_contacts import change_between, clean_contacts
from footfall.analysis.certificate import leg_extension, phase_slides
from footfall.analysis.contacts import detect_contacts
from footfall.analysis.firmness import firm_contacts
from footfall.analysis.plants import plants_of
from footfall.analysis.smoothness import PERCENTILE, QUIETEST, RATE, angular_accelerations
from footfall.figure.contacts import Contacts
from footfall.figure.kinematics import to_local
from footfall.figure.motion import Motion
from footfall.geometry import quaternion as quat
from footfall.ik.two_link import leg_of, solve_two_link

FOLDERS = ("walk", "turn-side-back", "steps", "stairs-uneven", "locomotion-set")
LEG_PARTS = ("thigh", "shank", "foot")
AROUND_SPIKES = 4  # of our 60 Hz frames, before and after


@dataclass(frozen=True)
class Figures:
    """One motion against the capture it was made from; lengths in metres."""

    slide: float  # the certificate's, with the contacts that our cleaning attaches
    slide_anew: float  # the same with contacts detected on this very motion
    mean: float  # joint displacement
    largest: float
    ratio: float  # of hip, knee and ankle acceleration, the worst of six joints
    extension: float


@dataclass(frozen=True)
class Clip:
    """One capture: as it is, cleaned, and fixed naively."""

    file: str
    raw: Figures
    ours: Figures
    naive: Figures


def naive_fix(motion: Motion, contacts: Contacts) -> Motion:
    """Ankles held at their mean place in each plant; the foot keeps the way it points."""
    turns = np.array(motion.orientations)
    for side in motion.skeleton.sides:
        limb = leg_of(motion.skeleton, side, motion)
        target = np.array(motion.positions[:, limb.end])
        for plant in plants_of(motion, contacts, side):
            target[plant.start : plant.end] = target[plant.start : plant.end].mean(axis=0)
        joints = [limb.upper, limb.middle, limb.end]
        upper, lower, _ = solve_two_link(limb, motion.positions[:, joints], turns[:, limb.upper], target)
        held = contacts.stands(side)
        turns[held, limb.upper] = quat.multiply(upper, turns[:, limb.upper])[held]
        turns[held, limb.middle] = quat.multiply(lower, turns[:, limb.middle])[held]
    local = to_local(motion.skeleton.tree, turns)
    rotations = np.array(motion.rotations)
    for side in motion.skeleton.sides:
        for part in LEG_PARTS:
            joint = motion.skeleton.joint(f"{side}_{part}")
            rotations[:, joint] = local[:, joint]
    return motion.with_rotations(rotations)


def slide(motion: Motion, contacts: Contacts) -> float:
    return max(
        (s for side in motion.skeleton.sides for s in phase_slides(motion, contacts, side)), default=0.0
    )


def leg_peaks(motion: Motion, spikes: Sequence[int]) -> np.ndarray:
    """The 99.9th percentile of each leg joint's angular acceleration at 60 Hz, spikes left out."""
    lengths = angular_accelerations(motion)
    kept = np.ones(len(lengths), dtype=bool)
    for frame in spikes:
        at = int(frame / motion.fps * RATE)
        kept[max(at - AROUND_SPIKES, 0) : at + AROUND_SPIKES] = False
    roles = [f"{side}_{part}" for side in motion.skeleton.sides for part in LEG_PARTS]
    return np.percentile(lengths[kept][:, [motion.skeleton.joint(r) for r in roles]], PERCENTILE, axis=0)


def figures(raw: Motion, made: Motion, contacts: Contacts, spikes: Sequence[int]) -> Figures:
    change = change_between(raw, made)
    # joints that are all but still are compared with what counts as quiet
    ratio = np.maximum(leg_peaks(made, spikes), QUIETEST) / np.maximum(leg_peaks(raw, spikes), QUIETEST)
    return Figures(
        slide=slide(made, contacts),
        slide_anew=slide(made, firm_contacts(made, detect_contacts(made))),
        mean=change.mean,
        largest=change.largest,
        ratio=float(ratio.max()),
        extension=leg_extension(made) or 0.0,
    )


def measure(file: str) -> Clip:
    raw = capture(file).motion
    spikes = [int(frame) - capture(file).dropped for frame in ROWS[file]["spike_frames"].split()]
    ours = clean_contacts(raw)
    contacts = ours.contacts or Contacts.none(len(raw))
    made = {"raw": raw, "ours": ours, "naive": naive_fix(raw, contacts)}
    return Clip(file, **{name: figures(raw, motion, contacts, spikes) for name, motion in made.items()})


@dataclass(frozen=True)
class Bar:
    """Something promised: a value that must stay under a limit, and the clip it comes from."""

    name: str
    value: float
    limit: float
    clip: str = ""

    @property
    def met(self) -> bool:
        return self.value < self.limit


def bars(measured: Sequence[Clip]) -> list[Bar]:
    def worst(field: str) -> tuple[float, str]:
        return max((getattr(clip.ours, field), clip.file) for clip in measured)

    def bar(name: str, field: str, limit: float) -> Bar:
        value, clip = worst(field)
        return Bar(name, value, limit, clip)

    return [
        bar("slide in stance, any clip [m]", "slide", 0.0005),
        Bar("mean joint displacement, the set [m]", float(np.mean([c.ours.mean for c in measured])), 0.013),
        bar("mean joint displacement, any clip [m]", "mean", 0.025),
        Bar("acceleration ratio, median", float(np.median([c.ours.ratio for c in measured])), 1.2),
        bar("acceleration ratio, any clip", "ratio", 2.0),
        bar("leg extension, any clip", "extension", 0.998),
    ]


HEADER = "slide  anew  mean   max ratio    ext"


def row(f: Figures) -> str:
    return (
        f"{1e3 * f.slide:5.1f} {1e3 * f.slide_anew:5.1f} {1e3 * f.mean:5.1f} {1e3 * f.largest:5.0f} "
        f"{f.ratio:5.2f} {f.extension:6.4f}"
    )


def report(measured: Sequence[Clip], found: Sequence[Bar]) -> None:
    print("millimetres; slide: by the contacts attached, anew: by contacts detected on the result\n")
    print(f"{'':<58}{'captured':<16}{'footfall':<40}{'naive fix'}")
    print(f"{'':<58}{'slide  anew':<16}{HEADER:<40}{HEADER}")
    for clip in measured:
        before = f"{1e3 * clip.raw.slide:5.1f} {1e3 * clip.raw.slide_anew:5.1f}"
        print(f"{clip.file:<58}{before:<16}{row(clip.ours):<40}{row(clip.naive)}")
    print(f"\n{len(measured)} clips: median, 90th percentile, worst")
    for field, scale in (
        ("slide", 1e3),
        ("slide_anew", 1e3),
        ("mean", 1e3),
        ("largest", 1e3),
        ("ratio", 1),
        ("extension", 1),
    ):
        columns = []
        for way in ("raw", "ours", "naive"):
            values = [scale * getattr(getattr(clip, way), field) for clip in measured]
            columns.append(f"{way} " + " ".join(f"{v:8.4g}" for v in np.percentile(values, [50, 90, 100])))
        print(f"  {field:<12}{'   '.join(columns)}")
    print()
    for bar in found:
        met = "yes" if bar.met else "NO"
        print(f"  {bar.name:<40}{bar.value:>9.4f} under {bar.limit:<8g}{met:<5}{bar.clip}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("clips", nargs="*", help="parts of file names; all clips by default")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of tables")
    options = parser.parse_args()
    files = [f for f in clips(*FOLDERS) if not options.clips or any(part in f for part in options.clips)]
    if not files:
        print(f"no such captures in {FOLDER}; set FOOTFALL_DATA to their folder", file=sys.stderr)
        return 0
    measured = [measure(file) for file in files]
    found = bars(measured)
    if options.json:
        results = [asdict(bar) | {"met": bar.met} for bar in found]
        print(json.dumps({"clips": [asdict(clip) for clip in measured], "bars": results}))
    else:
        report(measured, found)
    return 0 if all(bar.met for bar in found) else 1


if __name__ == "__main__":
    sys.exit(main())
