"""A movement library from annotated examples, or from long unlabelled clips.

Clips are cut into steps and jumps, both sides are mirrored, and of each kind a sparse set is chosen that
spans what was captured: the paper's examples were planned and chosen by hand ([movements] 8).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

from footfall.align.generic_time import checked_keytimes
from footfall.errors import RequestError
from footfall.figure.example import Example
from footfall.figure.motion import Motion, checked_rate
from footfall.geometry.decisions import clearly_less, first_greatest
from footfall.models.movements.cut import cut_movements
from footfall.models.movements.kind import MovementKind, measured_parameters
from footfall.models.movements.measures import FAMILIES, Family, units_of
from footfall.models.movements.model import MovementLibrary
from footfall.models.movements.point_measures import point_of
from footfall.models.movements.prepared import Prepared, prepare
from footfall.models.movements.structure import Swings, family_of, swings_of
from footfall.models.movements.tables import Tables
from footfall.weights.space import METRES_A_RADIAN
from footfall.weights.spanning import spanning_set

FPS = 30.0  # Hz, the paper's
RATES = (10.0, 240.0)  # Hz
MOST = 40  # examples a kind that are chosen from clips
SPACING = 0.08  # m in the metric: nearer movements are near-duplicates
VARIES = 0.10  # m in the metric that a parameter must vary by to be one, where none are named
WITHIN = 0.004  # m: pseudo-examples are added until no error is larger,
PSEUDO = {1: 10, 2: 10, 3: 30}  # or there are so many, by dimensions;
PSEUDO_MANY = 40  # in more dimensions
OPPOSITE = {"left": "right", "right": "left"}

Progress = Callable[[str, float], None]


@dataclass(frozen=True)
class _Choice:
    """How examples are chosen."""

    mirror: bool
    most: int | None
    spacing: float | None


def build_movements(
    source: Sequence[Motion] | Sequence[Example],
    *,
    parameters: Mapping[str, Sequence[str]] | None = None,
    names: Sequence[str] | None = None,
    fps: float = FPS,
    mirror: bool | None = None,
    most: int | None = None,
    spacing: float | None = None,
    pseudo_examples: int | None = None,
    progress: Progress | None = None,
) -> MovementLibrary:
    """A library of all kinds of movement in `source`.

    From `Example`s (with kind and keytimes) all are taken as they are; from `Motion`s steps and jumps are
    cut, mirrored, and a spanning set chosen, at most `most` a kind and no two nearer than `spacing` metres.
    `parameters` names those of a kind: of a step start_length, start_side, start_rise, end_length,
    end_side, end_rise, turn; of a jump length, side, rise, turn, height; of any kind a joint's place at its
    middle keytime, such as right_hand_y; else whatever the examples carry. Where none are named, the
    examples' own are taken, else those that vary. `names` are the clips'.
    """
    rate = checked_rate(fps)
    if not RATES[0] <= rate <= RATES[1]:
        raise RequestError(f"fps must be between {RATES[0]:g} and {RATES[1]:g}, not {rate:g}")
    if pseudo_examples is not None and not (isinstance(pseudo_examples, int) and pseudo_examples >= 0):
        raise RequestError(f"pseudo_examples must be a whole number from 0 on, not {pseudo_examples!r:.40}")
    examples, choice = _examples(source, names, mirror, most, spacing)
    groups = _groups(examples, rate, mirrored=choice.mirror)
    wanted = _named(parameters, groups)
    kinds = []
    for number, (kind, group) in enumerate(groups.items()):

        def told(what: str, share: float, kind: str = kind, number: int = number) -> None:
            if progress is not None:
                progress(f"{kind}: {what}", (number + share) / len(groups))

        told(f"{len(group)} movements", 0.0)
        made = _kind(kind, group, wanted.get(kind), choice)
        if made is None:
            told(f"left out, {len(group)} movements are too few or too much alike", 1.0)
            if kind in wanted:
                raise RequestError(f"{kind} has too few movements that differ, {len(group)} in all")
        else:
            added = PSEUDO.get(made.space.dims, PSEUDO_MANY) if pseudo_examples is None else pseudo_examples
            kinds.append(made.refined(added, WITHIN if pseudo_examples is None else 0.0, told)[0])
    if not kinds:
        raise RequestError("no kind has enough examples: two more are needed than it has parameters")
    return MovementLibrary(tuple(kinds))


def _examples(
    source: object, names: Sequence[str] | None, mirror: bool | None, most: int | None, spacing: float | None
) -> tuple[list[Example], _Choice]:
    """Examples as they are, or cut from clips; of the latter a spanning set is chosen."""
    if isinstance(source, str | Motion | Example) or not isinstance(source, Iterable):
        raise RequestError("a library is built from a list of motions or of examples")
    given = list(source)
    motions = [one for one in given if isinstance(one, Motion)]
    examples = [one for one in given if isinstance(one, Example)]
    if not given:
        raise RequestError("a library needs examples or clips; none were given")
    if len(examples) == len(given):
        return examples, _Choice(bool(mirror), most, spacing)
    if len(motions) < len(given):
        raise RequestError("a library is built from motions or from examples, not from a mixture")
    most, spacing = MOST if most is None else most, SPACING if spacing is None else spacing
    return cut_movements(motions, names), _Choice(mirror is not False, most, spacing)


def _named(parameters: object, groups: Mapping[str, object]) -> dict[str, Sequence[str]]:
    """The parameters that are named for kinds, each of which must be there."""
    if parameters is None:
        return {}
    if not isinstance(parameters, Mapping):
        raise RequestError(f"parameters names those of kinds, not {parameters!r:.60}")
    for kind, named in parameters.items():
        if not isinstance(named, list | tuple) or not all(isinstance(name, str) for name in named):
            raise RequestError(f"the parameters of {kind} must be a list of names, not {named!r:.60}")
        if kind not in groups:
            raise RequestError(f"no movement of the kind {kind!r} is there; there are {', '.join(groups)}")
    return dict(parameters)


@dataclass(frozen=True, eq=False)
class _Member:
    """A prepared example and the parameters it was given with."""

    prepared: Prepared
    given: Mapping[str, float]


def _groups(examples: Sequence[Example], fps: float, *, mirrored: bool) -> dict[str, list[_Member]]:
    """Prepared examples by kind; a mirrored left step is a right step."""
    skeleton = examples[0].motion.skeleton
    kinds: dict[str, list[Example]] = {}
    for example in examples:
        if not example.motion.skeleton.same_bones(skeleton):
            raise RequestError(f"{example.name!r} is of another skeleton: retarget it first")
        # one skeleton for all: rest pose and soles are the first one's
        own = replace(example, motion=replace(example.motion, skeleton=skeleton))
        kinds.setdefault(example.kind or "movement", []).append(own)
    groups: dict[str, list[_Member]] = {}
    for kind, members in kinds.items():
        checked_keytimes([e.keytimes for e in members], [repr(e.name or kind) for e in members])
        swings = swings_of(kind, members)
        for example in members:
            prepared = prepare(example, swings, fps)
            groups.setdefault(kind, []).append(_Member(prepared, example.parameters))
            if mirrored:
                groups.setdefault(_opposite(kind, swings), []).append(
                    _Member(prepared.mirrored(), example.parameters)
                )
    return groups


def _opposite(kind: str, swings: Swings) -> str:
    """What a mirrored movement is; one that looks the same from both sides is of its own kind."""
    side, _, rest = kind.partition("_")
    if side in OPPOSITE:
        return f"{OPPOSITE[side]}_{rest}"
    if swings[0] != swings[1]:
        raise RequestError(
            f"{kind} cannot be mirrored: its feet do different things; call it left_{kind} or right_{kind}"
        )
    return kind


def _kind(
    kind: str, members: Sequence[_Member], wanted: Sequence[str] | None, choice: _Choice
) -> MovementKind | None:
    """One kind; None where clips happen to hold too few of it."""
    examples = [m.prepared for m in members]
    family = family_of(examples[0].swings)
    names = tuple(wanted) if wanted is not None else _carried(members, family)
    measured = None
    if names is None:
        assert family is not None
        values = Family(family, examples, Tables.of(examples), examples[0].swings).examples
        names = _varying(family, values)
        measured = values[:, [FAMILIES[family].index(n) for n in names]]
    given = _given(members, names, family)
    if choice.most is not None or choice.spacing is not None:
        points = given if given is not None else measured
        if points is None:
            points = measured_parameters(examples, names)
        scale = np.array([METRES_A_RADIAN if unit == "rad" else 1.0 for unit in units_of(names)])
        chosen = spanning_set(
            points * scale,
            count=None if choice.most is None else min(choice.most, len(points)),
            spacing=choice.spacing,
        )
        if len(chosen) < len(names) + 2:
            return None
        examples = [examples[i] for i in chosen]
        given = None if given is None else given[chosen]
    return MovementKind.of(kind, examples, names, given)


def _carried(members: Sequence[_Member], family: str | None) -> tuple[str, ...] | None:
    """The parameters that all examples carry; those that can be measured, if there are any of them."""
    shared = [name for name in members[0].given if all(name in m.given for m in members)]
    if not shared:
        if family is None:
            raise RequestError(
                f"{members[0].prepared.name!r} has no parameters, and what it does has none of its own: "
                f"give its examples parameters, or name some, such as right_hand_x"
            )
        return None
    known = [n for n in shared if n in FAMILIES.get(family or "", ()) or point_of(n) is not None]
    return tuple(known or shared)


def _varying(family: str, values: Float[np.ndarray, "n values"]) -> tuple[str, ...]:
    """Those of a family's parameters that the examples differ in."""
    names = FAMILIES[family]
    scale = np.array([METRES_A_RADIAN if unit == "rad" else 1.0 for unit in units_of(names)])
    spread = np.ptp(np.percentile(values, [5.0, 95.0], axis=0), axis=0) * scale
    chosen = tuple(n for n, s in zip(names, spread, strict=True) if clearly_less(VARIES, s))
    return chosen or (names[int(first_greatest(spread))],)


def _given(
    members: Sequence[_Member], names: Sequence[str], family: str | None
) -> Float[np.ndarray, "n d"] | None:
    """Parameters as the examples carry them, for those that cannot be measured."""
    if set(names) <= set(FAMILIES.get(family or "", ())) or all(point_of(n) is not None for n in names):
        return None
    for member in members:
        for name in names:
            if name not in member.given:
                raise RequestError(
                    f"{member.prepared.name!r} has no parameter {name!r}, and it cannot be measured; it has "
                    f"{', '.join(member.given) or 'none'}"
                )
    return np.array([[m.given[name] for name in names] for m in members])
