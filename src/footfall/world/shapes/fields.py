"""Checks of the numbers that describe a scene; an error knows which field it is about."""

from __future__ import annotations

import numpy as np

from footfall.errors import RequestError
from footfall.figure.frozen import frozen_array
from footfall.world.mesh import LARGEST

SMALLEST = 1e-9  # m, of a size: far beyond this the squares of squares of a double are nothing


class FieldError(RequestError):
    """A field is refused. Readers of files put its place before its name."""

    def __init__(self, field: str, problem: str):
        self.field, self.problem = field, problem
        super().__init__(f"{field} {problem}")


def number(value: object, field: str) -> float:
    """A finite number."""
    try:
        if isinstance(value, bool | str | bytes):
            raise TypeError
        found = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise FieldError(field, f"must be a number, not {told(value)}") from None
    except OverflowError:
        found = np.inf
    if not np.isfinite(found):
        raise FieldError(field, f"must be a finite number, not {found}")
    return found


def told(value: object) -> str:
    """A value in a sentence; one from a file may be anything of any size."""
    if isinstance(value, str):
        return repr(value[:40])
    if value is None or isinstance(value, bool):
        return "nothing" if value is None else str(value).lower()
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.ndim):
        return f"a list of {len(value)}"
    return "an object" if isinstance(value, dict) else f"a {type(value).__name__}"


def length(value: object, field: str) -> float:
    """A positive number of metres."""
    found = number(value, field)
    if found <= 0.0:
        raise FieldError(field, f"must be positive, not {found:g}")
    if not SMALLEST <= found <= LARGEST:
        raise FieldError(field, f"must be {SMALLEST:g} to {LARGEST:g} m, not {found:g}")
    return found


def numbers(values: object, field: str, *shape: int | None) -> np.ndarray:
    """Finite numbers, read-only, of exactly this shape (None is any length)."""
    try:
        array = frozen_array(values, field)
    except RequestError as error:
        raise FieldError(field, str(error).removeprefix(f"{field} ")) from None
    fits = array.ndim == len(shape) and all(
        want is None or want == have for want, have in zip(shape, array.shape, strict=True)
    )
    if not fits:
        wanted = " x ".join("any" if n is None else str(n) for n in shape)
        raise FieldError(field, f"must be {wanted} numbers, not an array of shape {array.shape}")
    return array


def place(values: object, field: str, *shape: int | None) -> np.ndarray:
    """Coordinates in metres."""
    array = numbers(values, field, *shape)
    if not (np.abs(array) <= LARGEST).all():
        raise FieldError(field, f"must be within {LARGEST:g} m of the origin")
    return array
