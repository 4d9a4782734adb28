"""The virtual actor: what its sessions cost, how it compares with people, and how far five seeds differ.

    python benchmarks/actor.py [--json]

Sessions are performed anew, past the cache, in a process of their own whose numeric libraries are held to one
thread; the seconds are that process's time on the processor after a warm-up. The comparison needs captures.
Tables are Markdown. Exits with 1 where a bar is missed: leg angles within 8 degrees RMS of people's mean in
walks and 12 in runs, step length within 10 %, width, double support and pelvis within people's range, and
coefficients under 1 MB.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from importlib import import_module
from importlib.resources import files
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from people import (
    LEGS,
    PACES,
    WHY_NOT,
    Comparison,
    Figure,
    acted_strides,
    average_actor,
    comparisons,
    mean_of,
)

from footfall.actor.sessions import SESSIONS
from footfall.actor.virtual_actor import VirtualActor

ONE_THREAD = dict.fromkeys(
    ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1"
)
SEED = 1
SEEDS = range(5)
USUAL = PACES[1]
ANGLE_BARS = {False: 8.0, True: 12.0}  # degrees RMS, walking and running
LENGTH_BAR = 0.10
BYTES_BAR = 1_000_000
RANGES = ("width", "double_support", "rise", "sway")  # what must lie within people's
SHOWN = {  # name: title, unit, scale, decimals
    "step_length": ("step length", "m", 1.0, 2),
    "width": ("step width", "cm", 100.0, 1),
    "double_support": ("double support", "%", 100.0, 1),
    "rise": ("pelvis up and down", "cm", 100.0, 1),
    "sway": ("pelvis side to side", "cm", 100.0, 1),
}
TRAITS = {
    "steps a minute": lambda strides: 120.0 / mean_of(strides, "seconds"),
    "step length [m]": lambda strides: mean_of(strides, "step_length"),
    "arm swing [deg]": lambda strides: np.degrees(mean_of(strides, "arm_swing")),
    "sway [cm]": lambda strides: 100.0 * mean_of(strides, "sway"),
    "step width [cm]": lambda strides: 100.0 * mean_of(strides, "width"),
}


@dataclass(frozen=True)
class Session:
    """What one session costs."""

    name: str
    takes: int
    frames: int
    motion_seconds: float
    seconds: float


def timed_sessions() -> list[Session]:
    """Every session performed once, in this process."""
    actor = VirtualActor(SEED)
    actor.walk()
    actor.jump()
    actor.reach(np.array([-0.2, 1.0, 0.4]))  # compiles and loads what the first take would else pay for
    found = []
    for name in SESSIONS:
        told = import_module(f"footfall.actor.sessions.{name}")
        start = time.process_time()
        motions = [example.motion for _, example in told.takes(actor.at(told.FPS))]
        seconds = time.process_time() - start
        frames = sum(len(motion) for motion in motions)
        found.append(Session(name, len(motions), frames, sum(m.seconds for m in motions), seconds))
    return found


def sessions_on_one_core() -> list[Session]:
    """The same in a fresh process, for threads are counted when the numeric libraries load."""
    done = subprocess.run(
        [sys.executable, __file__, "--sessions"],
        env=os.environ | ONE_THREAD,
        stdout=subprocess.PIPE,
        check=True,
    )
    return [Session(**row) for row in json.loads(done.stdout)]


def coefficient_bytes() -> int:
    return len((files("footfall.actor") / "curves.json").read_bytes())


def missed_bars(beside: Comparison) -> list[str]:
    """The bars that are not met at one speed, each in a phrase."""
    bar, length = ANGLE_BARS[beside.running], beside.figures["step_length"]
    found = [
        f"{name} {rms:.1f} degrees RMS, bar {bar:g}" for name, rms in beside.rms_deg.items() if not rms <= bar
    ]
    if not abs(length.actor / length.mean - 1.0) <= LENGTH_BAR:
        found.append(f"step length {length.actor:.2f} m, people's mean {length.mean:.2f}")
    for name in RANGES:
        figure, (title, unit, _, _) = beside.figures[name], SHOWN[name]
        if not figure.within:
            found.append(f"{title} {_shown(name, figure.actor)} {unit}, people {_range(name, figure)}")
    return [f"{beside.speed:g} m/s: {phrase}" for phrase in found]


def persons() -> list[dict[str, float]]:
    """Five seeds, measured on what they perform at the usual speed."""
    rows = []
    for seed in SEEDS:
        actor = VirtualActor(seed, fps=average_actor().fps)
        strides = acted_strides(actor, USUAL, detected=False)
        traits = {name: float(measure(strides)) for name, measure in TRAITS.items()}
        rows.append({"seed": seed, "height [m]": actor.height, **traits})
    return rows


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Markdown."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def sessions_table(found: Sequence[Session]) -> str:
    rows = [
        [s.name, str(s.takes), str(s.frames), f"{s.motion_seconds:.0f}", f"{s.seconds:.2f}", _rate(s)]
        for s in [*found, _total(found)]
    ]
    return table(["session", "takes", "frames", "s of motion", "s on one core", "frames a second"], rows)


def _rate(session: Session) -> str:
    return f"{session.frames / session.seconds:.0f}"


def _total(found: Sequence[Session]) -> Session:
    columns = ("takes", "frames", "motion_seconds", "seconds")
    return Session("all", *(sum(getattr(s, column) for s in found) for column in columns))


def comparison_table(found: Sequence[Comparison]) -> str:
    header = ["", *(f"{'run' if c.running else 'walk'}, {c.speed:g} m/s" for c in found)]
    rows = [["cycles (clips, people)", *(f"{c.cycles} ({c.clips}, {c.people})" for c in found)]]
    rows += [[f"{name}, RMS [deg]", *(f"{c.rms_deg[name]:.1f}" for c in found)] for name in LEGS]
    for name, (title, unit, _, _) in SHOWN.items():
        rows.append([f"{title}: people [{unit}]", *(_range(name, c.figures[name]) for c in found)])
        rows.append([f"{title}: actor [{unit}]", *(_shown(name, c.figures[name].actor) for c in found)])
        if name == "double_support":  # of the figures only this one hangs on who says when a contact ends
            read = [_shown(name, c.figures[name].actor_detected) for c in found]
            rows.append([f"{title}: actor, by detected contacts [{unit}]", *read])
    return table(header, rows)


def _shown(name: str, value: float) -> str:
    _, _, scale, decimals = SHOWN[name]
    return f"{scale * value:.{decimals}f}"


def _range(name: str, figure: Figure) -> str:
    return f"{_shown(name, figure.low)} to {_shown(name, figure.high)} (mean {_shown(name, figure.mean)})"


def persons_table(rows: Sequence[dict[str, float]]) -> str:
    names = [name for name in rows[0] if name != "seed"]
    spread = {n: np.ptp([r[n] for r in rows]) / np.mean([r[n] for r in rows]) for n in names}
    lines = [[str(row["seed"]), *(f"{row[n]:.{2 if '[m]' in n else 1}f}" for n in names)] for row in rows]
    lines.append(["largest less smallest, of the mean", *(f"{100.0 * spread[n]:.0f} %" for n in names)])
    return table(["seed", *names], lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--json", action="store_true", help="one JSON object instead of tables")
    parser.add_argument(
        "--sessions", action="store_true", help=argparse.SUPPRESS
    )  # the process that is timed
    asked = parser.parse_args()
    if asked.sessions:
        print(json.dumps([asdict(session) for session in timed_sessions()]))
        return 0
    sessions, size, beside, seeds = sessions_on_one_core(), coefficient_bytes(), comparisons(), persons()
    missed = [phrase for comparison in beside for phrase in missed_bars(comparison)]
    if size >= BYTES_BAR:
        missed.append(f"coefficients take {size} bytes, bar {BYTES_BAR}")
    if asked.json:
        told = {"sessions": sessions, "people": beside}
        results = {name: [asdict(row) for row in rows] for name, rows in told.items()}
        print(json.dumps(results | {"bytes": size, "seeds": seeds, "missed": missed, "met": not missed}))
    else:
        print(f"sessions of seed {SEED}, one thread, processor time; coefficients: {size} bytes\n")
        print(sessions_table(sessions))
        print("\nthe average person beside people: lowest to highest cycle, and their mean\n")
        print(comparison_table(beside) if beside else WHY_NOT)
        print(f"\nfive seeds at {USUAL.speed:g} m/s, as measured on the walk\n")
        print(persons_table(seeds))
        print("\n" + ("bars are met" if not missed else "missed:\n" + "\n".join(f"  {m}" for m in missed)))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
