"""The movement library: how fast it is, how well it gives what is asked, beside the paper's figures.

    python benchmarks/movements.py [--json] [--full] [speed] [errors] [sequences] [held-out]

speed      poses and new movements a second, beside the same blend in plain NumPy; bytes an example
errors     worst error over 10,000 places of the examples' hull, before and after pseudo-examples
sequences  a hundred random steps and jumps: slide, acceleration, footprints, what joints do at joins
held-out   steps that were left out, beside the nearest example moved by the same constraints

All of it by default, briefly; `--full` for subject 83, the general step of seven parameters and twenty
sequences, which take many minutes. Exits with 1 where a bar is missed.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from timing import best_seconds

sys.path.insert(0, str(Path(__file__).parents[1]))

from movement_held_out import HeldOut, held_out_lines
from movement_measures import ErrorLine, actor, error_lines, kinds_to_refine, remark
from movement_sequences import SequenceFigures, sequence_figures

from footfall.errors import RequestError
from footfall.geometry import quaternion as quat
from footfall.models.movements.build import build_movements
from footfall.models.movements.chain import chained
from footfall.models.movements.model import MovementLibrary
from footfall.models.movements.movement import Movement
from footfall.models.movements.request import Request
from footfall.models.movements.tables import Tables

STUDIES = ("speed", "errors", "sequences", "held-out")
ROUNDS = 5
POSES, PLAIN_POSES, MOVEMENTS = 5000, 200, 500
SEEDS, FEW_SEEDS = 20, 1
WITHIN, AT_THEM, REFINED = 0.01, 1e-5, 10.0  # m, m, s: bars of the actor's straight steps
SLIDE, RATIO, PRINTS, PLAIN_PRINTS = 1e-3, 2.0, 1e-6, 0.01
SMALLER = 0.8  # of the nearest example's distance: aimed at, not a bar


@dataclass(frozen=True)
class Row:
    """One figure beside its bar and the paper's."""

    name: str
    figure: float
    unit: str
    least: float | None = None  # bars
    most: float | None = None
    paper: str = ""

    @property
    def met(self) -> bool:
        above = self.least is None or self.figure >= self.least
        return above and (self.most is None or self.figure < self.most)

    @property
    def bar(self) -> str:
        if self.least is not None and self.most is not None:
            return f"{self.least:,.10g} to {self.most:,.10g}"
        if self.least is not None:
            return f"at least {self.least:,.10g}"
        return "" if self.most is None else f"under {self.most:,.10g}"


def plain_blend(tables: Tables) -> Callable[[np.ndarray, float], tuple[np.ndarray, np.ndarray]]:
    """The same blend of one pose in NumPy, all examples at once; rows have their neighbours beside them."""
    own = [tables.rows[a : a + n] for a, n in zip(tables.first, tables.counts, strict=True)]
    padded = [np.concatenate([[2 * r[0] - r[1]], r, [2 * r[-1] - r[-2]]]) for r in own]
    rows, last = np.concatenate(padded), tables.counts - 1
    first = tables.first + 2 * np.arange(len(tables))
    clocks, shift = tables.clocks, tables.leads
    about = np.arange(4)
    catmull = 0.5 * np.array([[0, 2, 0, 0], [-1, 0, 1, 0], [2, -5, 4, -1], [-1, 3, -3, 1]], dtype=float)

    def blend(weights: np.ndarray, generic: float) -> tuple[np.ndarray, np.ndarray]:
        stretch = min(int(generic), clocks.shape[1] - 1)
        u = generic - stretch
        c = clocks[:, stretch]
        place = np.clip((c @ np.array([1.0, u, u * u, u**3]) + shift) * tables.fps, 0.0, last)
        i = np.minimum(place.astype(int), last - 1)
        t = place - i
        shares = np.stack([np.ones_like(t), t, t * t, t**3], axis=-1) @ catmull
        four = rows[(first + i)[:, None] + about]
        total = (weights[:, None] * shares).ravel() @ four.reshape(-1, rows.shape[1])
        return total[:3], quat.normalize(total[3:].reshape(-1, 4))

    return blend


def pose_rows(library: MovementLibrary) -> Iterator[Row]:
    kind = library.kinds["left_step"]
    tables, plain = kind.tables, plain_blend(kind.tables)
    rng = np.random.default_rng(0)
    weights = kind.weights(kind.space.sample(1, seed=1)[0])
    moments = rng.uniform(0.0, tables.keytimes.shape[1] - 1.0, POSES).tolist()
    for moment in moments[:PLAIN_POSES]:
        for a, b in zip(tables.pose(weights, moment), plain(weights, moment), strict=True):
            assert np.abs(a - b).max() < 1e-12, "both must blend alike"

    def each(blend: Callable[[np.ndarray, float], object], count: int) -> None:
        for moment in moments[:count]:
            blend(weights, moment)

    best = best_seconds(
        {
            "kernel": lambda: each(tables.pose, POSES),
            "kernel, one call": lambda: tables.blend(weights, np.array(moments)),
            "NumPy": lambda: each(plain, PLAIN_POSES),
        },
        ROUNDS,
    )
    size = f"{len(tables)} examples, {len(library.skeleton)} joints"
    yield Row(f"poses, a call each ({size})", POSES / best["kernel"], "1/s", 100_000, paper="3,300")
    yield Row("poses, one call for all", POSES / best["kernel, one call"], "1/s")
    yield Row("poses, plain NumPy, a call each", PLAIN_POSES / best["NumPy"], "1/s")


def movement_rows(library: MovementLibrary) -> Iterator[Row]:
    """A new movement: the scheme's weights, keytimes and clock; and a whole request, as `play` takes it:
    weights searched until their blend is what was asked, footprints decided.
    """
    kind = library.kinds["left_step"]
    stands = chained(library.kinds, [Request("right_step", {"end_length": 0.5})]).movements[0].after
    asked = kind.space.sample(MOVEMENTS, seed=2)
    requests = [[Request("left_step", {"end_length": float(p[1])})] for p in asked]
    best = best_seconds(
        {
            "new": lambda: [Movement(kind, p, kind.weights(p), stands, stands).clock for p in asked],
            "asked": lambda: [chained(library.kinds, r, start=stands).movements[0].clock for r in requests],
        },
        ROUNDS,
    )
    yield Row("a new movement: weights, keytimes, clock", 1e6 * best["new"] / MOVEMENTS, "us", most=100.0)
    yield Row("a request: weights searched, footprints decided", 1e6 * best["asked"] / MOVEMENTS, "us")


def size_rows(library: MovementLibrary) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "library.ffmodel"
        library.save(path)
        size = path.stat().st_size
    examples = sum(len(kind.examples) for kind in library.members)
    yield Row("library, an example", size / examples / 1000.0, "kB", paper="10")
    yield Row("library, all", size / 1000.0, "kB", paper="320")


def error_rows(lines: Sequence[ErrorLine]) -> Iterator[Row]:
    """The bars are the actor's straight steps'."""
    own = [line for line in lines if line.kind == "actor, straight" and line.added <= 10]
    yield Row("straight steps: worst error before", 1e3 * own[0].worst, "mm")
    yield Row(
        "after at most 10 pseudo-examples", 1e3 * min(line.worst for line in own), "mm", most=1e3 * WITHIN
    )
    yield Row("at the pseudo-examples", 1e3 * own[-1].at_them, "mm", most=1e3 * AT_THEM)
    yield Row("refinement", own[-1].seconds, "s", most=REFINED, paper="60")


def sequence_rows(figures: Sequence[SequenceFigures]) -> Iterator[Row]:
    for constraints in (True, False):
        own = [f for f in figures if f.constraints == constraints]
        if not own:
            continue  # all were refused
        how = f"{len(own)} sequences, {'with' if constraints else 'no'} constraints"
        held = 1e3 * SLIDE if constraints else None
        yield Row(f"{how}: slide", 1e3 * max(f.slide for f in own), "mm", most=held)
        yield Row("  acceleration ratio, worst", max(f.ratio for f in own), "", most=RATIO)
        if constraints:
            placed = max(f.placement for f in own if f.placement is not None)
            yield Row("  plants from footprints", 1e3 * placed, "mm", most=1e3 * PRINTS)
        prints = 1e3 * PRINTS if constraints else None
        yield Row(
            "  footprints from parameters, by plants", 1e3 * max(f.prints for f in own), "mm", most=prints
        )
        if not constraints:
            worst = max(f.postures for f in own)
            yield Row("  the same by postures", 1e3 * worst, "mm", most=1e3 * PLAIN_PRINTS)
        for what, scale, unit in (("jump", 1e3, "mm"), ("kink", 1.0, "m/s")):
            elsewhere = scale * max(getattr(f, f"{what}_elsewhere") for f in own)
            name = f"  {what} at joins ({elsewhere:.3g} {unit} elsewhere)"
            yield Row(name, scale * max(getattr(f, what) for f in own), unit, most=max(elsewhere, 1e-9))


def held_out_rows(lines: Sequence[HeldOut]) -> Iterator[Row]:
    for line in lines:
        beside = f"nearest example {1e3 * line.nearest:.1f} mm, share {line.share:.2f}, aim {SMALLER:g}"
        yield Row(f"{line.group} ({line.steps}): {beside}", 1e3 * line.blended, "mm")


def error_table(lines: Sequence[ErrorLine]) -> str:
    rows = [
        "| kind | examples | parameters | pseudo-examples | worst, mm | 99 %, mm | at them, mm | seconds "
        "| searched when asked, mm |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    rows += [
        f"| {e.kind} | {e.examples} | {e.dims} | {e.added} | {1e3 * e.worst:.2f} | {1e3 * e.usual:.2f} "
        f"| {1e3 * e.at_them:.1e} | {e.seconds:.1f} "
        f"| {'' if e.searched is None else f'{1e3 * e.searched:.2g}'} |"
        for e in lines
    ]
    return "\n".join(rows)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("studies", nargs="*", help=f"of {', '.join(STUDIES)}; all by default")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of tables")
    parser.add_argument("--full", action="store_true", help="also what takes many minutes")
    options = parser.parse_args()
    unknown = [name for name in options.studies if name not in STUDIES]
    if unknown:
        parser.error(f"no study is called {unknown[0]!r}; there are {', '.join(STUDIES)}")
    chosen = options.studies or list(STUDIES)
    remark("building the actor's library")
    library = build_movements(actor().perform("movements"))
    rows: list[Row] = []
    errors, sequences, unseen = list[ErrorLine](), list[SequenceFigures](), list[HeldOut]()
    if "speed" in chosen:
        rows += [*pose_rows(library), *movement_rows(library), *size_rows(library)]
    if "errors" in chosen:
        kinds = kinds_to_refine()
        for name in list(kinds) if options.full else list(kinds)[:1]:
            make, counts = kinds[name]
            errors += error_lines(name, make(), counts)
        rows += error_rows(errors)
    if "sequences" in chosen:
        refused = 0
        for seed in range(SEEDS if options.full else FEW_SEEDS):
            try:
                sequences += [sequence_figures(library, seed, constraints) for constraints in (True, False)]
                remark(f"  {sequences[-2]}\n  {sequences[-1]}")
            except RequestError as error:
                refused += 1
                remark(f"  sequence {seed} is refused: {error}")
        rows += [Row("sequences refused", refused, "", most=1), *sequence_rows(sequences)]
    if "held-out" in chosen:
        for line in held_out_lines(full=options.full):
            remark(f"  {line.group}")
            unseen.append(line)
        rows += held_out_rows(unseen)
    missed = [row for row in rows if not row.met]
    if options.json:
        values = {
            "rows": [asdict(row) | {"met": row.met} for row in rows],
            "errors": [asdict(line) for line in errors],
            "sequences": [asdict(line) for line in sequences],
            "held_out": [asdict(line) for line in unseen],
        }
        print(json.dumps(values))
    else:
        print("| figure | here | unit | bar | paper |\n|---|---|---|---|---|")
        for row in rows:
            print(f"| {row.name} | {row.figure:,.4g} | {row.unit} | {row.bar} | {row.paper} |")
        if errors:
            print(f"\n{error_table(errors)}")
        print(
            "\nBARS ARE MISSED\n" if missed else "\nall bars are met",
            *(f"- {r.name}" for r in missed),
            sep="\n",
        )
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
