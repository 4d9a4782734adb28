"""Parameters that are one number, or change with the distance walked or with time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from footfall.errors import NO_NUMBER, RequestError
from footfall.world.terrain import is_number


@dataclass(frozen=True)
class OverTime:
    """A parameter as a function of time, in seconds. A plain function is one of the distance, in metres."""

    function: Callable[[float], float]

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise RequestError(f"OverTime takes a function of time, not {self.function!r}")


@dataclass(frozen=True)
class Varying:
    """One parameter: what it is called, what it may be, and its value by distance and time."""

    name: str
    value: object
    low: float
    high: float
    unit: str

    def __post_init__(self) -> None:
        if is_number(self.value):
            self._checked(self.value)
        elif not callable(self.value) and not isinstance(self.value, OverTime):
            object.__setattr__(self, "value", _table(self.name, self.value))

    def at(self, distance: float, seconds: float) -> float:
        """Where `distance` metres have been walked, `seconds` after the beginning."""
        if is_number(self.value):
            return float(self.value)  # type: ignore[arg-type]
        over_time = isinstance(self.value, OverTime)
        function = self.value.function if isinstance(self.value, OverTime) else self.value
        at = seconds if over_time else distance
        try:
            return self._checked(function(at))  # type: ignore[operator]
        except RequestError as error:
            raise RequestError(f"at {at:.3f} {'s' if over_time else 'm'}: {error}") from None

    def _checked(self, value: object) -> float:
        number = float(value) if is_number(value) or _is_scalar(value) else np.nan  # type: ignore[arg-type]
        if not self.low <= number <= self.high:
            raise RequestError(
                f"{self.name} must be between {self.low:g} and {self.high:g} {self.unit}, not {value}"
            )
        return number


def _is_scalar(value: object) -> bool:
    return isinstance(value, np.ndarray) and value.shape == ()


def _table(name: str, value: object) -> Callable[[float], float]:
    """Pairs of distance and value, straight between them."""
    try:
        pairs = np.asarray(value, dtype=float)
    except NO_NUMBER:
        pairs = np.zeros(0)
    if (
        not pairs.size
        or pairs.ndim != 2
        or pairs.shape[1] != 2
        or not np.isfinite(pairs).all()
        or (np.diff(pairs[:, 0]) <= 0).any()
    ):
        raise RequestError(
            f"{name} must be a number, a function of distance, OverTime(a function of time) or pairs of "
            f"increasing distance and value, not {value!r}"
        )
    return lambda distance: float(np.interp(distance, pairs[:, 0], pairs[:, 1]))
