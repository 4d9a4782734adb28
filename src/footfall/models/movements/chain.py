"""Requests to movements: each from where the last one left the feet, with a step between where one is
needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.errors import RequestError
from footfall.figure.contacts import SIDES
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import clearly_less
from footfall.models.movements.kind import MovementKind
from footfall.models.movements.movement import (
    Movement,
    Standing,
    first_standing,
    next_standing,
    start_parameters,
)
from footfall.models.movements.parts import UpperBody, refuse_unlike
from footfall.models.movements.request import Granted, Request, grant

TOGETHER = {"start_length": 0.0, "start_rise": 0.0}  # as a figure begins where nothing else is said
HASTE = 1.5  # times as fast or as slow, from where on that is said of a borrowed upper body
METRES_A_FOOT, AS_FEET_ARE = 0.3, 0.7  # m a radian: what a foot's turn is worth here, beyond so many radians
MAKESHIFT = 0.25  # m: so far otherwise feet may stand where no step leads nearer
APART = 0.12  # m by which feet may stand otherwise than a movement begins; farther needs a step between

Kinds = Mapping[str, MovementKind]


@dataclass(frozen=True, eq=False)
class Chain:
    """Movements one after the other, what each was asked for by, and what could not be as asked."""

    movements: tuple[Movement, ...]
    requests: tuple[Request, ...]
    clamped: tuple[str, ...]


def chained(
    kinds: Kinds, requests: Sequence[Request], *, start: Standing | None = None, transitions: bool = True
) -> Chain:
    """The movements that do what is asked, from a standing or from the origin."""
    movements: list[Movement] = []
    done: list[Request] = []
    clamped: list[str] = []
    stands = start
    for number, request in enumerate(requests, 1):
        said: list[str] = []
        with _numbered(number, len(requests)):
            stands = _next(kinds, request, stands, movements, done, said, transitions=transitions)
        clamped.extend(f"movement {number}: {words}" if len(requests) > 1 else words for words in said)
    return Chain(tuple(movements), tuple(done), tuple(clamped))


@contextmanager
def _numbered(number: int, count: int) -> Iterator[None]:
    """Refusals say which movement of a sequence they mean."""
    try:
        yield
    except RequestError as error:
        if count == 1:
            raise
        raise RequestError(f"movement {number}: {error}") from None


def _next(
    kinds: Kinds,
    request: Request,
    stands: Standing | None,
    movements: list[Movement],
    done: list[Request],
    said: list[str],
    *,
    transitions: bool,
) -> Standing:
    """One more movement, and one before it where feet stand otherwise than it begins."""
    kind = kind_of(kinds, request.kind)
    if stands is not None and not _fits(kind, request, stands):
        bridge = _bridge(kinds, kind, request, stands, _moved_last(movements)) if transitions else []
        for between in bridge:
            put_in, _ = _made(kinds, between, stands)
            movements.append(put_in)
            done.append(between)
            said.append(f"a {between.kind} was put in before {request.kind}")
            stands = put_in.after
        if not bridge:
            off = _misfit(kind, request, stands)
            if clearly_less(MAKESHIFT, off):
                why = "no step that could lead there is in this library" if transitions else "none is put in"
                raise RequestError(f"{_cannot_begin(kind, stands)}, and {why}")
            if clearly_less(APART, off):
                said.append(f"{request.kind} begins with its feet {off:.2f} m otherwise than its examples")
    made, words = _made(kinds, request, stands)
    movements.append(made)
    done.append(request)
    said.extend(words)
    return made.after


def kind_of(kinds: Kinds, name: str) -> MovementKind:
    if name not in kinds:
        raise RequestError(f"no kind of movement is called {name!r:.60}; there are {', '.join(kinds)}")
    return kinds[name]


def _made(kinds: Kinds, request: Request, stands: Standing | None) -> tuple[Movement, tuple[str, ...]]:
    kind = kind_of(kinds, request.kind)
    given = _granted(kind, request, stands)
    weights = kind.best_weights(given.inside)
    exact = dict(zip(kind.space.names, given.parameters.tolist(), strict=True))
    before = first_standing(kind, weights, exact) if stands is None else stands
    after = next_standing(kind, weights, before, exact)
    upper, said = None, given.clamped
    if request.upper is not None:
        other = kind_of(kinds, request.upper.kind)
        refuse_unlike(kind, other)
        lent = grant(other, request.upper.parameters, {})
        upper, said = UpperBody(other, other.best_weights(lent.inside)), (*said, *lent.clamped)
        faster = _seconds(other, upper.weights) / _seconds(kind, weights)
        if not 1.0 / HASTE < faster < HASTE:
            said = (*said, f"{kind.name}: the upper body of {other.name} goes {faster:.1f} times as fast")
    return Movement(kind, given.parameters, weights, before, after, upper), said


def _granted(kind: MovementKind, request: Request, stands: Standing | None) -> Granted:
    if stands is not None:
        return grant(kind, request.parameters, start_parameters(kind, stands))
    return grant(kind, request.parameters, {}, assumed=TOGETHER)


def _seconds(kind: MovementKind, weights: Float[np.ndarray, "n"]) -> float:
    return float(kind.tables.blended_keytimes(weights)[-1])


def _relation(kind: MovementKind, given: Granted) -> Float[np.ndarray, "3"]:
    """From the right foot to the left as a movement begins, in its base frame."""
    weights = kind.weights(given.inside)
    return weights @ (kind.feet[0].places[:, 0] - kind.feet[1].places[:, 0])


def _stance(stands: Standing) -> Float[np.ndarray, "3"]:
    """The same as a figure stands."""
    return quat.rotate(ground.turn(-stands.heading), stands.places[0] - stands.places[1])


def _misfit(kind: MovementKind, request: Request, stands: Standing) -> float:
    """How far feet stand from where a movement begins with them, m; turned feet count as well."""
    given = grant(kind, request.parameters, start_parameters(kind, stands))
    off = float(np.linalg.norm(_relation(kind, given) - _stance(stands)))
    weights = kind.weights(given.inside)
    begins = np.array([weights @ foot.headings[:, 0] for foot in kind.feet])
    turned = np.abs(ground.wrap(stands.headings - stands.heading - begins)).max()
    return max(off, METRES_A_FOOT * (float(turned) - AS_FEET_ARE))


def _fits(kind: MovementKind, request: Request, stands: Standing) -> bool:
    """Whether a movement can begin where a figure stands, and then be what was asked."""
    try:
        here = grant(kind, request.parameters, start_parameters(kind, stands))
    except RequestError:
        return False
    anywhere = grant(kind, request.parameters, {})
    short = kind.space.to_metric(here.parameters) - kind.space.to_metric(anywhere.parameters)
    asked = [name in request.parameters and not name.startswith("start") for name in kind.space.names]
    off = max(_misfit(kind, request, stands), float(np.linalg.norm(short[asked])))
    return not clearly_less(APART, off)


def _moved_last(movements: Sequence[Movement]) -> int | None:
    if not movements:
        return None
    moved = [k for k, swing in enumerate(movements[-1].kind.swings) if swing is not None]
    return moved[0] if len(moved) == 1 else None


def _bridge(
    kinds: Kinds, kind: MovementKind, request: Request, stands: Standing, moved: int | None
) -> list[Request]:
    """One step, or two, after which the movement can begin; none where no steps lead there."""
    for first, after in _candidates(kinds, kind, request, stands, moved):
        if _fits(kind, request, after):
            return [first]
    for first, after in _candidates(kinds, kind, request, stands, moved):
        swung = 0 if kinds[first.kind].swings[0] is not None else 1
        for second, then in _candidates(kinds, kind, request, after, swung):
            if second.kind != first.kind and _fits(kind, request, then):
                return [first, second]
    return []


def _candidates(
    kinds: Kinds, kind: MovementKind, request: Request, stands: Standing, moved: int | None
) -> Iterator[tuple[Request, Standing]]:
    """Steps towards where a movement begins, first those of the foot that did not move last."""
    starts = [request.parameters]
    if kind.family == "step" and "start_length" in kind.space.names:
        starts.append({**request.parameters, "start_length": 0.0})
    steps = [k for k in kinds.values() if k.family == "step" and "end_length" in k.space.names]
    steps.sort(key=lambda k: k.swings[moved] is not None if moved is not None else False)
    for start in starts:
        begins = _relation(kind, grant(kind, start, {}))
        for step in steps:
            way = (1.0 if step.swings[0] is not None else -1.0) * begins
            ends = {"end_side": way[0], "end_rise": way[1], "end_length": way[2]}
            named = {n: float(v) for n, v in ends.items() if n in step.space.names}
            tried = Request(step.name, named, hold=request.hold)
            with suppress(RequestError):
                if not clearly_less(MAKESHIFT, _misfit(step, tried, stands)):
                    yield tried, _made(kinds, tried, stands)[0].after


def _cannot_begin(kind: MovementKind, stands: Standing) -> str:
    ahead = _stance(stands)
    foot = SIDES[0] if ahead[2] > 0.0 else SIDES[1]
    return (
        f"{kind.name} cannot begin where the {foot} foot is {abs(ahead[2]):.2f} m ahead and the feet are "
        f"{abs(ahead[0]):.2f} m apart"
    )
