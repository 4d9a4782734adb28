"""What movements are asked for by, and how that is measured: families of parameters.

A family names its parameters and tells them from the examples' footprints, from blends (at their first and
last posture) and, the other way, says what a request means for footprints. Lengths are metres, angles
radians:

step   the general step's seven ([movements] 7): from the foot that stands to the one that moves, at the
       start (start_length behind, start_side to the left, start_rise up) and at the end (end_length ahead,
       end_side, end_rise), each as the trunk faces then, and the turn of the trunk between.
jump   length, side and rise from where the feet stood to where they land, as the trunk faced at the start;
       the turn; and height, how far the hips rise over where they were at the start.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from jaxtyping import Float

from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.models.movements.footing import Swing
from footfall.models.movements.key_postures import KeyPostures, Stand
from footfall.models.movements.prepared import Prepared
from footfall.models.movements.tables import Tables

STEP = ("start_length", "start_side", "start_rise", "end_length", "end_side", "end_rise", "turn")
JUMP = ("length", "side", "rise", "turn", "height")
FAMILIES = {"step": STEP, "jump": JUMP}
UNITS = {"turn": "rad"}
FLIGHT = 33  # moments at which a jump's height is looked for

Values = Float[np.ndarray, "q values"]


def units_of(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(UNITS.get(name, "m") for name in names)


@dataclass(frozen=True, eq=False)
class Ends:
    """Footprints and headings at a movement's start and end, for many movements."""

    places: Float[np.ndarray, "q 2 2 3"]  # foot, start or end
    headings: Float[np.ndarray, "q 2"]  # of the trunk, at start and end

    def between(self, a: Float[np.ndarray, "q 3"], b: Float[np.ndarray, "q 3"], end: int) -> Values:
        """From a to b as the trunk faces at the start or the end."""
        return quat.rotate(ground.turn(-self.headings[:, end]), b - a)


def ends_of_examples(examples: Sequence[Prepared]) -> Ends:
    places = np.array([[[p.place for p in pair] for pair in e.prints] for e in examples])
    return Ends(places, np.array([[0.0, e.turn] for e in examples]))


def ends_of_blends(start: Stand, end: Stand) -> Ends:
    places = np.stack([start.places, end.places], axis=2)
    turn = ground.wrap(end.heading - start.heading)
    return Ends(places, np.stack([start.heading, start.heading + turn], axis=-1))


def step_values(ends: Ends, moving: int) -> Values:
    """The seven of the general step."""
    fixed = 1 - moving
    before = ends.between(ends.places[:, fixed, 0], ends.places[:, moving, 0], 0)
    after = ends.between(ends.places[:, fixed, 1], ends.places[:, moving, 1], 1)
    turn = ends.headings[:, 1] - ends.headings[:, 0]
    return np.stack(
        [-before[:, 2], before[:, 0], before[:, 1], after[:, 2], after[:, 0], after[:, 1], turn], axis=-1
    )


def jump_values(ends: Ends, height: Float[np.ndarray, "q"]) -> Values:
    middle = ends.places.mean(axis=1)
    way = ends.between(middle[:, 0], middle[:, 1], 0)
    turn = ends.headings[:, 1] - ends.headings[:, 0]
    return np.stack([way[:, 2], way[:, 0], way[:, 1], turn, height], axis=-1)


class Measure(Protocol):
    """Measured parameters of a kind's examples and of their blends."""

    names: tuple[str, ...]
    examples: Float[np.ndarray, "n values"]

    def __call__(self, weights: Float[np.ndarray, "q n"]) -> Values: ...


class Family:
    """The measured parameters of steps or jumps."""

    def __init__(
        self, family: str, examples: Sequence[Prepared], tables: Tables, swings: tuple[Swing, Swing]
    ):
        self.family = family
        self.names = FAMILIES[family]
        self.moving = 0 if swings[0] is not None else 1
        keys = len(examples[0].keytimes)
        self.postures = KeyPostures(examples, tables, (0.0, keys - 1.0))
        flight = np.linspace(0.0, keys - 1.0, FLIGHT)
        heights = [tables.at_generic(flight, i)[:, 1] for i in range(len(tables))]
        self.rises = np.array([h - h[0] for h in heights])
        ends = ends_of_examples(examples)
        identity = np.eye(len(examples))
        self.examples = self._values(ends, identity)
        # key postures tell prints from rolled feet; of examples it is known where these really rested
        self.offset = self.examples - self._raw(identity)

    def __call__(self, weights: Float[np.ndarray, "q n"]) -> Values:
        """The real parameters of blends: all of the family's."""
        return self._raw(weights) + weights @ self.offset

    def _raw(self, weights: Float[np.ndarray, "q n"]) -> Values:
        start, end = (self.postures.stand(weights, k) for k in (0, 1))
        return self._values(ends_of_blends(start, end), weights)

    def _values(self, ends: Ends, weights: Float[np.ndarray, "q n"]) -> Values:
        if self.family == "step":
            return step_values(ends, self.moving)
        return jump_values(ends, (weights @ self.rises).max(axis=-1))
