"""What a movement is asked to be: checked, completed, and brought within what the examples span."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType

import numpy as np
from jaxtyping import Float

from footfall.errors import RequestError
from footfall.geometry.decisions import MARGIN, nearest_cell
from footfall.models.movements.kind import MovementKind
from footfall.models.movements.measures import STEP
from footfall.weights.space import Space

FAR = 1.0  # m in the metric: a request this far outside is a mistake, not a wish
LARGEST = 1e6
NOTHING: Mapping[str, float] = MappingProxyType({})
FIXED = 10.0  # times as long is a step in a direction that is fixed
NEUTRAL = ("start_rise", "end_rise", "rise", "side", "turn")  # that are 0 unless something else is said
PLACED = {"step": STEP, "jump": ("length", "side", "rise", "turn")}  # by which footprints are decided
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


def grant(
    kind: MovementKind,
    asked: Mapping[str, float],
    stands: Mapping[str, float],
    assumed: Mapping[str, float] = NOTHING,
) -> Granted:
    """The nearest that can be given; `stands` are parameters that are decided by where the figure stands.

    `assumed` holds for what is not asked; that it gives way is not told.
    """
    space, clamped = kind.space, []
    known = {name: value for name, value in assumed.items() if name in space.names}
    if not isinstance(asked, Mapping):
        raise RequestError(f"the parameters of {kind.name} must have names, not be {asked!r:.40}")
    for name, value in asked.items():
        if name not in space.names:
            raise RequestError(f"{kind.name} has no parameter {name!r:.60}; it has {_ranges(space)}")
        known[name] = _number(kind.name, name, value)
    for name, value in stands.items():
        if name in space.names:
            if name in known and abs(known[name] - value) > SLIGHT:
                clamped.append(
                    f"{kind.name} {name} {known[name]:.3f}: the feet stand as for {value:.3f} already"
                )
            known[name] = float(value)
    wanted = completed(space, known)
    # how feet stand is as it is: what is asked gives way
    fixed = tuple(name for name in space.names if name in stands)
    within = np.where([n in fixed for n in space.names], np.clip(wanted, *space.bounds), wanted)
    inside = _heavier(space, fixed).nearest(within) if fixed else space.nearest(wanted)
    away = float(np.linalg.norm(space.to_metric(inside) - space.to_metric(wanted)))
    if away > FAR:
        raise RequestError(f"{kind.name} cannot be {_told(space, wanted)}; it has {_ranges(space)}")
    more = min(1.0, BEYOND / max(away, 1e-12)) * (wanted - inside)
    placed = [name in PLACED.get(kind.family or "", ()) for name in space.names]
    given = inside + np.where(placed, more, 0.0)
    for i, name in enumerate(space.names):
        if name in stands:
            given[i] = wanted[i]  # so the feet stand, whatever is said
        elif name in asked and abs(given[i] - wanted[i]) > SLIGHT:
            clamped.append(f"{kind.name} {name} {wanted[i]:.3f}: {given[i]:.3f} is the nearest there is")
    return Granted(given, inside, tuple(clamped))


def _number(kind: str, name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | np.floating | np.integer):
        raise RequestError(f"{name} of {kind} must be a number, not {value!r:.40}")
    if not -LARGEST < value < LARGEST:
        raise RequestError(f"{name} of {kind} must be a finite number under {LARGEST:g}, not {value!r:.40}")
    return float(value)


@lru_cache(maxsize=64)
def _heavier(space: Space, names: tuple[str, ...]) -> Space:
    """The space with some directions in which every step is long: the nearest is found in the others."""
    heavy = np.array([FIXED if name in names else 1.0 for name in space.names])
    return replace(space, scales=heavy * np.asarray(space.scales))


def completed(space: Space, known: Mapping[str, float]) -> Float[np.ndarray, "d"]:
    """All parameters: level and straight on where nothing is said, the rest as in the nearest examples."""
    low, high = space.bounds
    level = {n: 0.0 for n, a, b in zip(space.names, low, high, strict=True) if n in NEUTRAL and a <= 0.0 <= b}
    known = {**level, **known}
    have = [i for i, name in enumerate(space.names) if name in known]
    lack = [i for i in range(space.dims) if i not in have]
    out = np.array([known.get(name, np.nan) for name in space.names])
    if not have:
        return space.points.mean(axis=0)
    if lack:
        scaled = space.to_metric(space.points)[:, have]
        away = np.linalg.norm(scaled - out[have] * np.asarray(space.scales)[have], axis=-1)
        # examples lie on a grid of round parameters: many are as far, the first of them count
        away = nearest_cell(away, MARGIN) * MARGIN
        near = np.argsort(away, kind="stable")[: LIKE + 1]
        # the farthest of these has no say: so nothing jumps where another becomes one of them
        say = 1.0 / np.maximum(away[near], 1e-6) - 1.0 / np.maximum(away[near[-1]], 1e-6)
        say = say if say.sum() > 0.0 else np.ones(len(near))
        out[lack] = (say / say.sum()) @ space.points[near][:, lack]
    return out


def _ranges(space: Space) -> str:
    low, high = space.bounds
    return ", ".join(
        f"{name} {a:z.2f} to {b:z.2f} {unit}"
        for name, unit, a, b in zip(space.names, space.units, low, high, strict=True)
    )


def _told(space: Space, values: Float[np.ndarray, "d"]) -> str:
    return ", ".join(f"{name} {value:.2f}" for name, value in zip(space.names, values, strict=True))


def as_request(one: object, number: int) -> Request:
    """A request from whatever a sequence holds: itself, a pair, or a mapping as in a file."""
    if isinstance(one, Request):
        return _checked(one, number)
    if isinstance(one, Mapping):
        rest = dict(one)
        kind, upper, hold = rest.pop("kind", None), rest.pop("upper", None), rest.pop("hold", None)
        above = None if upper is None else as_request(upper, number)
        return _checked(Request(kind, rest, above, {} if hold is None else hold), number)
    if isinstance(one, tuple | list) and len(one) == 2:
        return _checked(Request(one[0], one[1]), number)
    raise RequestError(
        f"movement {number + 1} of the sequence must name a kind and its parameters, not {one!r:.60}"
    )


def _checked(request: Request, number: int) -> Request:
    kind, parameters, upper = request.kind, request.parameters, request.upper
    if not isinstance(kind, str) or not isinstance(parameters, Mapping):
        raise RequestError(
            f"movement {number + 1} of the sequence must name a kind and its parameters, not {kind!r:.30} "
            f"and {parameters!r:.30}"
        )
    if upper is not None and (not isinstance(upper, Request) or upper.upper is not None or upper.hold):
        raise RequestError(f"movement {number + 1}: an upper body has its kind and parameters, nothing else")
    if not isinstance(request.hold, Mapping):
        raise RequestError(f"movement {number + 1}: hold names hands and places, not {request.hold!r:.60}")
    for hand, place in request.hold.items():
        three = isinstance(place, tuple | list | np.ndarray) and len(place) == 3
        if not isinstance(hand, str) or not (place is None or three):
            raise RequestError(
                f"movement {number + 1}: hold {hand!r:.30} must be three numbers or null, not {place!r:.60}"
            )
    return request
