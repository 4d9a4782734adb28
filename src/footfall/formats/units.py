"""Length units: what users call them, and which one a file must be in, judged by the figure's legs."""

from __future__ import annotations

import numpy as np

from footfall.errors import NO_NUMBER, RequestError
from footfall.validation import one_of

INCH = 0.0254
UNITS = {  # metres in one unit
    "m": 1.0,
    "cm": 0.01,
    "mm": 0.001,
    "in": INCH,
    "ft": 0.3048,
    "cmu": INCH / 0.45,  # Acclaim files of the CMU collection: inches scaled by 0.45
}
HUMAN_LEG = 0.83  # m, thigh + shank of the captured adults; children and giants are still nearest to it
PLAUSIBLE_LEG = (0.45, 1.25)  # m


def parse_unit(unit: str | float) -> float:
    """Metres in a unit given by name ("cm") or by number."""
    if isinstance(unit, str) and unit.lower() in UNITS:
        return UNITS[unit.lower()]
    try:
        metres = float(unit)
    except NO_NUMBER:
        metres = float("nan")
    if not (np.isfinite(metres) and 1e-6 <= metres <= 1e6):
        raise RequestError(f"unit {unit!r:.40} is unknown; use {', '.join(UNITS)} or metres in one unit")
    return metres


def unit_name(metres: float) -> str:
    """The unit's name, or its size in metres where it has none."""
    for name, size in UNITS.items():
        if abs(metres - size) < 1e-6 * size:
            return name
    return f"{metres:.6g} m"


def unit_of_leg(leg: float) -> float:
    """The unit in which a leg of this many units is nearest to a human one."""
    return min(UNITS.values(), key=lambda metres: abs(np.log(leg * metres / HUMAN_LEG)))


def checked_up(up: object) -> str:
    """The axis that is up, "y" or "z"."""
    return one_of(up, ("y", "z"), "up")
