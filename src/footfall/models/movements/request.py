"""What a movement is asked to be: checked, completed, and brought within what the examples span."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from jaxtyping import Float

from footfall.errors import RequestError
from footfall.models.movements.kind import MovementKind
from footfall.weights.space import Space

FAR = 1.0  # m in the metric: a request this far outside is a mistake, not a wish
BEYOND = 0.08  # m in the metric: so little outside the examples legs give what blends do not
LIKE = 4  # examples from which parameters are guessed that nobody told
SLIGHT = 0.001  # m in the metric that nobody is told of


@dataclass(frozen=True)
class Request:
    """A kind of movement and its parameters; what is left out follows from where the figure stands.

    `upper` is a movement whose upper body is put on the legs of this one. `hold` are hands to keep in place:
    where each is held, or None for where it is.
    """

    kind: str
    parameters: Mapping[str, float] = field(default_factory=dict)
    upper: Request | None = None
    hold: Mapping[str, tuple[float, float, float] | None] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Granted:
    """Parameters that can be given, the nearest to them among the examples, and what had to be changed."""

    parameters: Float[np.ndarray, "d"]
    inside: Float[np.ndarray, "d"]
    clamped: tuple[str, ...]


def grant(kind: MovementKind, asked: Mapping[str, float], stands: Mapping[str, float]) -> Granted:
    """The nearest that can be given; `stands` are parameters that are decided by where the figure stands."""
    space, clamped = kind.space, []
    known: dict[str, float] = {}
    for name, value in asked.items():
        if name not in space.names:
            raise RequestError(f"{kind.name} has no parameter {name!r}; it has {_ranges(space)}")
        if isinstance(value, bool) or not isinstance(value, (int, float, np.floating, np.integer)):
            raise RequestError(f"{name} of {kind.name} must be a number, not {value!r:.40}")
        if not np.isfinite(value):
            raise RequestError(f"{name} of {kind.name} must be a finite number, not {value}")
        known[name] = float(value)
    for name, value in stands.items():
        if name in space.names:
            if name in known and abs(known[name] - value) > SLIGHT:
                clamped.append(
                    f"{kind.name} {name} {known[name]:.3f}: the feet stand as for {value:.3f} already"
                )
            known[name] = float(value)
    wanted = completed(space, known)
    inside = space.nearest(wanted)
    away = float(np.linalg.norm(space.to_metric(inside) - space.to_metric(wanted)))
    if away > FAR:
        raise RequestError(f"{kind.name} cannot be {_told(space, wanted)}; it has {_ranges(space)}")
    given = inside + min(1.0, BEYOND / max(away, 1e-12)) * (wanted - inside)
    for i, name in enumerate(space.names):
        if name in stands:
            given[i] = wanted[i]  # so the feet stand, whatever is said
        elif name in asked and abs(given[i] - wanted[i]) > SLIGHT:
            clamped.append(f"{kind.name} {name} {wanted[i]:.3f}: {given[i]:.3f} is the nearest there is")
    return Granted(given, inside, tuple(clamped))


def completed(space: Space, known: Mapping[str, float]) -> Float[np.ndarray, "d"]:
    """All parameters: those that are not known are as in the examples that are nearest in those that are."""
    have = [i for i, name in enumerate(space.names) if name in known]
    lack = [i for i in range(space.dims) if i not in have]
    out = np.array([known.get(name, np.nan) for name in space.names])
    if not have:
        return space.points.mean(axis=0)
    if lack:
        scaled = space.to_metric(space.points)[:, have]
        away = np.linalg.norm(scaled - out[have] * np.asarray(space.scales)[have], axis=-1)
        near = np.argsort(away, kind="stable")[: LIKE + 1]
        # the farthest of these has no say: so nothing jumps where another becomes one of them
        say = 1.0 / np.maximum(away[near], 1e-6) - 1.0 / np.maximum(away[near[-1]], 1e-6)
        say = say if say.sum() > 0.0 else np.ones(len(near))
        out[lack] = (say / say.sum()) @ space.points[near][:, lack]
    return out


def _ranges(space: Space) -> str:
    low, high = space.bounds
    return ", ".join(
        f"{name} {a:.2f} to {b:.2f} {unit}"
        for name, unit, a, b in zip(space.names, space.units, low, high, strict=True)
    )


def _told(space: Space, values: Float[np.ndarray, "d"]) -> str:
    return ", ".join(f"{name} {value:.2f}" for name, value in zip(space.names, values, strict=True))
