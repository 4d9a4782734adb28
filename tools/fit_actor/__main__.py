"""Fits the virtual actor's curves from captures and writes them as one JSON file of coefficients.

Run it from the root of a checkout, where footfall is installed:

    python -m tools.fit_actor [CAPTURES] [-o src/footfall/actor/curves.json]
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

import numpy as np
from tools.fit_actor.captures import gait_clips, gait_rows
from tools.fit_actor.jumps import jump_table
from tools.fit_actor.posture import standing
from tools.fit_actor.samples import Sample, samples
from tools.fit_actor.tables import Table, descending, family_table, tempered

from footfall.actor.curves import FEATURES
from footfall.actor.gait.stance import TERMS
from footfall.errors import FootfallError, RequestError

ROOT = Path(__file__).parents[2]
DIGITS = 5


def fit(captures: Path) -> dict[str, object]:
    """Everything that `curves.json` holds, as arrays."""
    if not captures.is_dir():
        raise RequestError(f"{captures} is no folder of captures; set FOOTFALL_DATA or name one")
    seen = [s for clip in gait_clips(captures, gait_rows(captures)) for s in samples(clip)]
    families = fit_families(seen)
    return {
        "version": 1,
        "stand": standing(captures),
        "families": {name: table.plain() for name, table in families.items()},
        "jump": jump_table(captures),
    }


def fit_families(seen: list[Sample]) -> dict[str, Table]:
    tables = {family: family_table(family, [s for s in seen if s.family == family]) for family in FEATURES}
    for family, table in tables.items():
        print(f"{family}: {table.cycles} cycles of {table.clips} clips, {table.people} people")
    tables = {
        family: tempered(table, tables["walk"]) if table.people == 1 else table
        for family, table in tables.items()
    }
    return tables | {"down": descending(tables["down"], tables["up"])}


def plain(value: object) -> object:
    """Arrays as lists of rounded numbers, however deep they lie."""
    if isinstance(value, dict):
        return {name: plain(inner) for name, inner in value.items()}
    return np.round(value, DIGITS).tolist() if isinstance(value, np.ndarray) else value


def main() -> int:
    default = Path(os.environ.get("FOOTFALL_DATA") or ROOT.parent / "shared" / "data")
    parser = argparse.ArgumentParser(
        prog="python -m tools.fit_actor",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("captures", nargs="?", type=Path, default=default, help="else $FOOTFALL_DATA")
    parser.add_argument("-o", "--out", type=Path, default=ROOT / "src/footfall/actor/curves.json")
    asked = parser.parse_args()
    try:
        fitted = fit(asked.captures)
    except FootfallError as error:
        print(error, file=sys.stderr)
        return 1
    asked.out.write_text(json.dumps(plain(fitted), separators=(",", ":")) + "\n")
    print(f"{asked.out}: {asked.out.stat().st_size / 1000:.0f} kB; {TERMS} bubbles a swing curve")
    return 0


if __name__ == "__main__":
    sys.exit(main())
