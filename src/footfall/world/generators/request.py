"""What may be asked of a generator besides its seed."""

from __future__ import annotations

import numpy as np

from footfall.errors import NO_NUMBER, RequestError

Size = tuple[float, float]  # m: across the walk (x), and along it
LARGEST = 60.0  # m


def checked_size(kind: str, size: Size | None, usual: Size, least: Size) -> Size:
    """A size as asked for, or the usual one."""
    if size is None:
        return usual
    try:
        width, length = (float(part) for part in size)
    except NO_NUMBER:
        raise RequestError(f"size must be a width and a length in metres, not {size!r}") from None
    if not (least[0] <= width <= LARGEST and least[1] <= length <= LARGEST):
        raise RequestError(
            f"the size of {kind} must be {least[0]:g} to {LARGEST:g} m across and "
            f"{least[1]:g} to {LARGEST:g} m along, not {width:g} by {length:g} m"
        )
    return width, length


def checked_whole(name: str, value: int, low: int, high: int) -> int:
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool) or not low <= value <= high:
        raise RequestError(f"{name} must be a whole number from {low} to {high}, not {value!r}")
    return int(value)
