"""Generic time: the same moment in movements of different timing ([movements] 3, eq. 3 and 4).

An example's keytimes (start, toe-off, heel-strike, end of a step, say) are strictly increasing seconds. Its
generic time is i at its keytime i and runs straight in between, so that at one generic time all examples of a
kind are in the same phase. Outside the keytimes time is held: a moment before the first is the first, one
after the last is the last (the paper leaves that open).

At a keytime both directions are exact. In between a time comes back from its generic time to the digits that
the generic time had room for: within 1e-15 of the last keytime, for up to five keytimes from 0 on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from jaxtyping import Float, Int
from numpy.typing import ArrayLike

from footfall.errors import NO_NUMBER, RequestError

Times = Float[np.ndarray, "*queries"]
FEWEST = 2  # keytimes of a movement: its start and its end


def generic_time(times: Times | float, keytimes: Float[np.ndarray, "keys"]) -> Times:
    """The generic time, in [0, keys - 1], of every time."""
    t, keytimes = np.asarray(times, dtype=float), np.asarray(keytimes)
    i = _stretch(t, keytimes)
    # [movements] eq. 3; the quotient is exactly 0 and 1 at the ends of a stretch
    share = (t - keytimes[i]) / (keytimes[i + 1] - keytimes[i])
    return i + np.clip(share, 0.0, 1.0)


def time_of(generic: Times | float, keytimes: Float[np.ndarray, "*examples keys"]) -> Times:
    """The times at which one example, or each of many, is at the generic times: (*examples, *queries)."""
    keytimes = np.asarray(keytimes)
    g = np.clip(generic, 0.0, keytimes.shape[-1] - 1.0)
    i = _stretch(g, np.arange(keytimes.shape[-1]))
    share = g - i
    start, end = keytimes[..., i], keytimes[..., i + 1]
    length = end - start
    # from the nearer keytime: exact at both, and never beyond them
    return np.where(share < 0.5, start + share * length, end - (1.0 - share) * length)


def _stretch(values: Times, bounds: Float[np.ndarray, "keys"]) -> Int[np.ndarray, "*queries"]:
    """Which stretch between two bounds each value lies in; the last bound belongs to the last stretch."""
    return np.searchsorted(bounds[1:-1], values, side="right")


def blended_keytimes(
    weights: Float[np.ndarray, "*queries examples"], keytimes: Float[np.ndarray, "examples keys"]
) -> Float[np.ndarray, "*queries keys"]:
    """Keytimes of a blend; negative weights can turn their order around: see `refuse_unordered`."""
    return np.asarray(weights) @ np.asarray(keytimes)  # [movements] eq. 4


def increasing(keytimes: Float[np.ndarray, "*queries keys"]) -> bool:
    """Whether keytimes, one row or all of many, are strictly increasing finite numbers."""
    return _fault(np.asarray(keytimes, dtype=float)) is None


def refuse_unordered(keytimes: Float[np.ndarray, "*queries keys"]) -> None:
    """Raise where a blend's keytimes are not increasing: events would swap places or fall together."""
    rows = np.asarray(keytimes, dtype=float)
    for row in rows.reshape(-1, rows.shape[-1]) if not increasing(rows) else ():
        if not increasing(row):
            raise RequestError(
                f"the blend's keytimes ({_told(row)} s) are not increasing, because its weights reach too "
                "far outside the examples; weights from 0 to 1 (parameters among the examples') keep order"
            )


def checked_keytimes(
    keytimes: Sequence[ArrayLike], names: Sequence[str] | None = None
) -> Float[np.ndarray, "examples keys"]:
    """Keytimes of all examples of a kind as one read-only array, or an error that names the one at fault."""
    if len(keytimes) == 0:
        raise RequestError("there are no examples; a movement needs at least one with its keytimes")
    called = [f"example {k}" for k in range(len(keytimes))] if names is None else list(names)
    if len(called) != len(keytimes):
        raise RequestError(f"{len(called)} names do not fit {len(keytimes)} examples")
    rows = [_checked_row(row, name) for row, name in zip(keytimes, called, strict=True)]
    # the count that most examples have is the kind's, of several the one met first
    usual = Counter(len(row) for row in rows).most_common(1)[0][0]
    for row, name in zip(rows, called, strict=True):
        if len(row) != usual:
            like = called[next(k for k, other in enumerate(rows) if len(other) == usual)]
            raise RequestError(
                f"{name} has {len(row)} keytimes but {like} has {usual}; "
                "all examples of a kind need the same keytimes"
            )
    table = np.stack(rows)
    table.flags.writeable = False
    return table


def _checked_row(values: ArrayLike, name: str) -> Float[np.ndarray, "keys"]:
    try:
        row = np.array(values, dtype=float)
    except NO_NUMBER:
        raise RequestError(f"the keytimes of {name} must be a row of numbers, in seconds") from None
    if row.ndim != 1:
        raise RequestError(f"the keytimes of {name} must be one row of numbers, not an array {row.shape}")
    if len(row) < FEWEST:
        raise RequestError(
            f"{name} has {len(row)} keytimes; a movement needs at least {FEWEST}: its start and its end"
        )
    fault = _fault(row)
    if fault is not None:
        raise RequestError(f"the keytimes of {name} must be {fault}, but they are {_told(row)} s")
    return row


def _fault(keytimes: Float[np.ndarray, "*queries keys"]) -> str | None:
    """What keytimes fail to be, if anything."""
    with np.errstate(invalid="ignore", over="ignore"):
        lengths = np.diff(keytimes, axis=-1)
    if not (np.isfinite(keytimes).all() and np.isfinite(lengths).all()):
        return "finite"
    return None if (lengths > 0.0).all() else "strictly increasing"


def _told(row: Float[np.ndarray, "keys"]) -> str:
    shown = [f"{t:.9g}" for t in row[:12]]
    return ", ".join(shown + ["..."] * (len(row) > 12))
