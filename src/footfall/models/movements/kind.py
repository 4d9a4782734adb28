"""One kind of movement: its examples, its parameters, and the weights that lead from these to those."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float

from footfall.errors import RequestError
from footfall.figure.contacts import SIDES
from footfall.geometry.decisions import clearly_less
from footfall.models.movements.foot_paths import FootPaths
from footfall.models.movements.measures import FAMILIES, Family, Measure, units_of
from footfall.models.movements.point_measures import PointFamily, point_of
from footfall.models.movements.prepared import Prepared
from footfall.models.movements.structure import Swings, family_of
from footfall.models.movements.tables import Tables
from footfall.weights.cardinal_rbf import COINCIDENT, CardinalRBF
from footfall.weights.exact import exact_weights
from footfall.weights.pseudo_examples import Progress, Refinement, refine
from footfall.weights.scheme import WeightScheme
from footfall.weights.space import Space

STRAIGHT, LEVEL = np.radians(3.0), 0.04  # rad, m: what is nearer to straight on, or to level, is that
ENOUGH = 0.002  # m in the metric: legs make up for the rest


@dataclass(frozen=True, eq=False)
class MovementKind:
    """Examples of one kind of movement, and how to blend them.

    Parameters of the step's and the jump's families, and those that name a joint's place, are measured;
    others are what the examples were said to have (a mood, a load).
    """

    name: str
    examples: tuple[Prepared, ...]
    space: Space
    scheme: WeightScheme
    pseudo_points: Float[np.ndarray, "m d"]  # of the pseudo-examples, in the space's own units
    pseudo_weights: Float[np.ndarray, "m n"]

    @classmethod
    def of(
        cls,
        name: str,
        examples: Sequence[Prepared],
        parameters: Sequence[str],
        given: Float[np.ndarray, "n d"] | None = None,
        pseudo: tuple[Float[np.ndarray, "m d"], Float[np.ndarray, "m n"]] | None = None,
    ) -> MovementKind:
        """From prepared examples; `given` are the parameters of kinds that cannot be measured."""
        kept = tuple(examples)
        points = given if given is not None else measured_parameters(kept, parameters)
        space = Space(tuple(parameters), units_of(parameters), points)
        _refuse_coincident(name, kept, space)
        where, rows = pseudo if pseudo is not None else (np.zeros((0, space.dims)), np.zeros((0, len(kept))))
        known = np.concatenate([points, where])
        scheme = CardinalRBF(space.to_metric(known), np.concatenate([np.eye(len(kept)), rows]))
        return cls(name, kept, space, scheme, where, rows)

    def refined(
        self, most: int = 10, threshold: float = 0.0, progress: Progress | None = None
    ) -> tuple[MovementKind, Refinement | None]:
        """With pseudo-examples where the blends' real parameters are farthest from those asked for."""
        if self.measure is None or most == 0:
            return self, None
        done = refine(
            self.space.to_metric(self.space.points),
            self.measured,
            most=most,
            threshold=threshold,
            space=self.space,
            progress=progress,
        )
        places = self.space.from_metric(done.points)
        return (
            MovementKind(self.name, self.examples, self.space, done.scheme, places, done.weights),
            done,
        )

    def measured(self, weights: Float[np.ndarray, "q n"]) -> Float[np.ndarray, "q d"]:
        """The real parameters of blends, in the metric."""
        if self.measure is None:
            raise RequestError(f"the parameters of {self.name!r} are as given; they cannot be measured")
        columns = [self.measure.names.index(name) for name in self.space.names]
        return self.space.to_metric(self.measure(weights)[:, columns])

    def weights(self, parameters: Float[np.ndarray, "d"]) -> Float[np.ndarray, "n"]:
        return self.scheme(self.space.to_metric(parameters)[None])[0]

    def best_weights(self, parameters: Float[np.ndarray, "d"]) -> Float[np.ndarray, "n"]:
        """Weights whose blend has the parameters within `ENOUGH`; without pseudo-examples they are searched.

        A search takes some milliseconds, `weights` alone some microseconds.
        """
        if self.measure is None or len(self.pseudo_points):
            return self.weights(parameters)
        wanted = self.space.to_metric(parameters)[None]
        return exact_weights(self.scheme, self.measured, wanted, precise=ENOUGH)[0][0]

    @property
    def swings(self) -> Swings:
        return self.examples[0].swings

    @cached_property
    def family(self) -> str | None:
        """The step's or the jump's, where the parameters are of it: then requests decide footprints."""
        family = family_of(self.swings)
        return family if family is not None and set(self.space.names) <= set(FAMILIES[family]) else None

    @cached_property
    def tables(self) -> Tables:
        return Tables.of(self.examples)

    @cached_property
    def measure(self) -> Measure | None:
        return _measure(self.examples, self.tables, self.space.names)

    @cached_property
    def feet(self) -> tuple[FootPaths, FootPaths]:
        left, right = (FootPaths.of(self.examples, self.tables, side) for side in SIDES)
        return left, right

    @cached_property
    def turns(self) -> Float[np.ndarray, "n"]:
        """Of the trunk, by example; a kind that turns by next to nothing goes straight on."""
        turns = np.array([e.turn for e in self.examples])
        straight = "turn" not in self.space.names and bool(clearly_less(float(np.abs(turns).max()), STRAIGHT))
        return np.zeros(len(turns)) if straight else turns

    @cached_property
    def level(self) -> bool:
        """Whether feet stand at one height throughout: small errors of examples would add up to stairs."""
        rises = {"start_rise", "end_rise", "rise"} & set(self.space.names)
        heights = np.stack([foot.places[..., 1] for foot in self.feet])
        return not rises and bool(clearly_less(float(np.ptp(heights, axis=(0, 2)).max()), LEVEL))

    @cached_property
    def anchored(self) -> list[int]:
        """The feet from which the body is told: those that stand throughout, else both."""
        return [k for k, swing in enumerate(self.swings) if swing is None] or [0, 1]

    @cached_property
    def anchors(self) -> Float[np.ndarray, "n 2 3"]:
        """Where the body is told from, at start and end."""
        return np.stack([foot.places for foot in self.feet])[self.anchored].mean(axis=0)


def _refuse_coincident(kind: str, examples: Sequence[Prepared], space: Space) -> None:
    """Two examples for the same parameters contradict each other; too few leave the weights open."""
    if len(examples) < space.dims + 2:
        raise RequestError(
            f"{kind} has {len(examples)} examples; for {', '.join(space.names)} at least {space.dims + 2} "
            f"are needed"
        )
    places = space.to_metric(space.points)
    for i, place in enumerate(places):
        near = np.flatnonzero(np.linalg.norm(places[:i] - place, axis=-1) < COINCIDENT)
        if len(near):
            raise RequestError(
                f"{examples[near[0]].name!r} and {examples[i].name!r} have the same "
                f"{', '.join(space.names)}: leave one out, or name a parameter in which they differ"
            )


def _measure(examples: Sequence[Prepared], tables: Tables, names: Sequence[str]) -> Measure | None:
    family = family_of(examples[0].swings)
    if family is not None and set(names) <= set(FAMILIES[family]):
        return Family(family, examples, tables, examples[0].swings)
    if all(point_of(name) is not None for name in names):
        return PointFamily(names, examples, tables)
    return None


def measured_parameters(examples: Sequence[Prepared], names: Sequence[str]) -> Float[np.ndarray, "n d"]:
    """The parameters of examples, measured; refused where they are not of a kind that can be."""
    measure = _measure(examples, Tables.of(examples), names)
    if measure is None:
        family = family_of(examples[0].swings)
        possible = ", ".join(FAMILIES.get(family or "", ())) or "a role's place, such as right_hand_x"
        raise RequestError(f"{', '.join(names)} cannot be measured here; possible are {possible}")
    return measure.examples[:, [measure.names.index(name) for name in names]]
