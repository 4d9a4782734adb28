"""The space of a movement's parameters: their names, their units, and the hull of the examples in it.

Parameters of different units are compared in one metric: each is worth so many metres (`scales`). Distances,
nearest points and tolerances are in that metric; what goes in and comes out is in the parameters' own units.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Float

from footfall.errors import NO_NUMBER, RequestError
from footfall.figure.frozen import frozen_array
from footfall.weights.hull import Hull
from footfall.weights.scheme import checked_queries

METRES_A_RADIAN = 0.5  # m; a turn of one radian moves a footprint a step's length away by about that


@dataclass(frozen=True, eq=False)
class Space:
    """Names and units ("m", "rad", "s", "1") of the parameters, and the examples' own as rows of `points`."""

    names: tuple[str, ...]
    units: tuple[str, ...]
    points: Float[np.ndarray, "n d"]
    scales: Float[np.ndarray, " d"] | Sequence[float] | None = None  # metres that one unit is worth

    def __post_init__(self) -> None:
        names, units = tuple(map(str, self.names)), tuple(map(str, self.units))
        if not names or len(set(names)) < len(names) or len(units) != len(names):
            raise RequestError(f"a space needs different names and a unit each, not {names} in {units}")
        points = frozen_array(self.points, "the examples' parameters", shape=(None, len(names)))
        if points.ndim != 2 or len(points) == 0:
            raise RequestError(f"a space needs rows of parameters, not an array of shape {points.shape}")
        own = [METRES_A_RADIAN if unit == "rad" else 1.0 for unit in units]
        scales = frozen_array(own if self.scales is None else self.scales, "scales")
        if scales.shape != (len(names),) or (scales <= 0).any():
            raise RequestError(f"scales must be {len(names)} positive numbers, not {scales.tolist()}")
        for field, value in (("names", names), ("units", units), ("points", points), ("scales", scales)):
            object.__setattr__(self, field, value)

    def __repr__(self) -> str:
        told = ", ".join(f"{name} [{unit}]" for name, unit in zip(self.names, self.units, strict=True))
        return f"Space({told}; {len(self.points)} examples)"

    @property
    def dims(self) -> int:
        return len(self.names)

    @cached_property
    def bounds(self) -> tuple[Float[np.ndarray, " d"], Float[np.ndarray, " d"]]:
        """The smallest and the largest of each parameter among the examples."""
        return frozen_array(self.points.min(axis=0), "low"), frozen_array(self.points.max(axis=0), "high")

    @cached_property
    def hull(self) -> Hull:
        """The examples' hull, in the metric."""
        return Hull(self.to_metric(self.points))

    def to_metric(self, points: Float[np.ndarray, "*q d"]) -> Float[np.ndarray, "*q d"]:
        return checked_queries(points, self.dims) * self.scales

    def from_metric(self, points: Float[np.ndarray, "*q d"]) -> Float[np.ndarray, "*q d"]:
        return checked_queries(points, self.dims) / self.scales

    def contains(self, queries: Float[np.ndarray, "*q d"]) -> Bool[np.ndarray, "*q"]:
        """Which lie in the examples' hull, or no farther than `INSIDE` from it."""
        asked = self.to_metric(queries)
        return self.hull.contains(asked.reshape(-1, self.dims)).reshape(asked.shape[:-1])

    def nearest(self, queries: Float[np.ndarray, "*q d"]) -> Float[np.ndarray, "*q d"]:
        """The points of the examples' hull that are nearest in the metric; what is inside stays as it is."""
        asked = checked_queries(queries, self.dims)
        found = asked.reshape(-1, self.dims).copy()
        out = ~self.contains(found)
        for row in np.flatnonzero(out):
            found[row] = self.from_metric(self.hull.nearest(self.to_metric(found[row])))
        return found.reshape(asked.shape)

    def sample(self, count: int, seed: int = 0) -> Float[np.ndarray, "count d"]:
        """Places spread evenly over the hull's volume (or over what the examples span)."""
        if count < 0:
            raise RequestError(f"a sample has 0 or more places, not {count}")
        return self.from_metric(self.hull.sample(count, np.random.default_rng(seed)))

    def vector(self, **parameters: float) -> Float[np.ndarray, " d"]:
        """Parameters by name as one vector; every name is needed, and no other is known."""
        unknown = [name for name in parameters if name not in self.names]
        missing = [name for name in self.names if name not in parameters]
        if unknown or missing:
            wrong = f"unknown: {', '.join(unknown)}" if unknown else f"missing: {', '.join(missing)}"
            raise RequestError(f"parameters {wrong}; they are {self._told}")
        return np.array([self._number(name, parameters[name]) for name in self.names])

    def named(self, vector: Float[np.ndarray, " d"]) -> Mapping[str, float]:
        """A vector as parameters by name."""
        values = np.asarray(vector)
        if values.shape != (self.dims,):
            raise RequestError(
                f"a vector of shape {values.shape} is not {self.dims} parameters: {self._told}"
            )
        return {name: self._number(name, value) for name, value in zip(self.names, values, strict=True)}

    @property
    def _told(self) -> str:
        return ", ".join(f"{name} [{unit}]" for name, unit in zip(self.names, self.units, strict=True))

    def _number(self, name: str, value: object) -> float:
        try:
            number = float(value)  # type: ignore[arg-type]
        except NO_NUMBER:
            number = np.nan
        if not np.isfinite(number):
            raise RequestError(
                f"{name} must be a finite number, not {value!r:.40}; parameters are {self._told}"
            )
        return number
