"""What a mesh reader hands over: triangles and what they are of, in the file's own unit and axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from footfall.errors import LoadError
from footfall.world.terrain import GROUND

LONGEST_NAME = 100  # characters of a label; what is longer is cut
MOST_LABELS = 10_000


@dataclass(frozen=True, eq=False)
class Surface:
    """Triangles as a file states them; nothing is judged yet but that all they refer to is there."""

    vertices: Float[np.ndarray, "vertices 3"]
    triangles: Int[np.ndarray, "triangles 3"]
    labels: tuple[str, ...] = (GROUND,)
    kinds: Int[np.ndarray, "triangles"] | None = None


def label_of(name: bytes | str) -> str:
    """A material's name as a label: of printable letters, not endless; `ground` where it has none."""
    text = name if isinstance(name, str) else _decoded(name)
    shown = "".join(c for c in text.strip()[:LONGEST_NAME] if c.isprintable())
    return shown.strip() or GROUND


def _decoded(name: bytes) -> str:
    try:
        return name.decode("utf-8")
    except UnicodeDecodeError:
        return name.decode("latin-1")


def labelled(
    names: Sequence[bytes | str], kinds: Int[np.ndarray, "faces"]
) -> tuple[tuple[str, ...], Int[np.ndarray, "faces"]]:
    """Each label once, those that no face has left out; `kinds` first tell places in `names`, then labels."""
    used = np.flatnonzero(np.bincount(kinds, minlength=len(names)))
    place: dict[str, int] = {}
    moved = np.zeros(len(names), dtype=np.int64)
    for kind in used.tolist():
        moved[kind] = place.setdefault(label_of(names[kind]), len(place))
    if len(place) > MOST_LABELS:
        raise LoadError(f"{len(place)} materials are more than the {MOST_LABELS} that footfall reads")
    return tuple(place) or (GROUND,), moved[kinds]
