"""Terrain by what a user calls it: a mesh file, or a generator with a seed such as bumps:7."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from footfall.errors import RequestError
from footfall.file_access import as_path, is_there
from footfall.formats.terrain_file import load_terrain
from footfall.world.generators.generate import KINDS, generate
from footfall.world.generators.generated import Generated
from footfall.world.plane import FlatTerrain
from footfall.world.terrain import Terrain

FLAT = "flat"
LONGEST_SEED = 40  # digits, far more than any seed has
POSSIBLE = (
    f"a mesh file, flat, flat:LEVEL (metres), or one of {', '.join(k for k in KINDS if k != FLAT)} with :SEED"
)


def open_terrain(text: str, *, folder: Path = Path()) -> Terrain:
    """The ground that a text names; files are looked for in `folder`."""
    if not isinstance(text, str):
        raise RequestError(f"a terrain is named by a text, not by {text!r:.60}: use {POSSIBLE}")
    folder = as_path(folder)
    name, colon, rest = text.partition(":")
    if name == FLAT:
        return FlatTerrain(_level(rest) if colon else 0.0)
    if (made := generated(text)) is not None:
        return made.terrain
    return load_terrain(folder / existing(text, folder))


def generated(text: str, **wishes: object) -> Generated | None:
    """What KIND or KIND:SEED makes; None where the text names no generator."""
    kind, colon, rest = text.partition(":")
    if kind not in KINDS:
        return None
    if kind == FLAT:
        made = generate(kind, **wishes)  # type: ignore[arg-type]
        return made.raised(_level(rest)) if colon else made
    if colon and not (rest.isascii() and rest.isdigit() and len(rest) <= LONGEST_SEED):
        raise RequestError(f"{kind}:SEED takes a whole number such as {kind}:7, not {rest!r:.60}")
    return generate(kind, int(rest) if colon else 0, **wishes)  # type: ignore[arg-type]


def existing(text: str, folder: Path = Path()) -> Path:
    """A file's name, or an error that says what else could have been meant."""
    if not text.strip() or not is_there(folder / text):
        raise RequestError(f"terrain {text!r:.200} is neither a file nor a generator: use {POSSIBLE}")
    return Path(text)


def _level(text: str) -> float:
    try:
        level = float(text)
    except ValueError:
        level = np.nan
    if not np.isfinite(level):
        raise RequestError(f"flat:LEVEL takes a height in metres, not {text!r:.60}")
    return level
