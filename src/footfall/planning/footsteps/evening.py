"""Footprints evened: steps of one length, turns shared among them, as far as there is room.

A search finds its way with a few moves, so what it finds is a little angular. Each print is drawn half way to
where its neighbours have it, again and again; what would take room or footing is left as it was.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.geometry.decisions import clearly_less
from footfall.planning.footsteps import body_layout as layout
from footfall.planning.footsteps.grounds import StepGround
from footfall.planning.footsteps.moves import WIDTH
from footfall.planning.footsteps.route_search import Footprints
from footfall.planning.footsteps.walker_body import WalkerBody

ROUNDS = 24
LITTLE = 1e-3  # m and rad: nearer to where its neighbours have it a print is left
SHARES = (0.5, 0.25, 0.1)  # of the way to where neighbours have a print: the farthest that is possible
ASIDE = 0.24  # m beside the foot that stands: feet that go sideways keep their places
# of one foot beside the other: m beside, m back; rad outwards
BESIDE, FARTHEST_BACK, TURNS = (0.115, 0.48), -0.42, (-0.45, 0.85)


@dataclass(frozen=True, eq=False)
class Evening:
    """What evened prints must keep."""

    ground: StepGround
    walker: WalkerBody
    body: Float[np.ndarray, "numbers"]

    def __call__(self, prints: Footprints) -> Footprints:
        """The same steps, evened; the first two prints and the last two stay."""
        for _ in range(ROUNDS):
            moved = False
            for k in range(2, len(prints) - 2):
                better = self._moved(prints, k)
                if better is not None:
                    prints, moved = better, True
            if not moved:
                break
        return prints

    def _moved(self, prints: Footprints, k: int) -> Footprints | None:
        """With one print nearer to where its neighbours have it; None where it cannot be, or is there."""
        facing = 0.5 * (prints.facings[k - 1] + prints.facings[k + 1]) - prints.facings[k]
        away = np.zeros(3)
        if not any(_goes_aside(prints, j) for j in (k, k + 1)):
            middles = [_middle(prints, j) for j in (k - 1, k, k + 1)]
            away = 0.5 * (middles[0] + middles[2]) - middles[1]
        if not (clearly_less(LITTLE, abs(facing)) or clearly_less(LITTLE, np.hypot(away[0], away[2]))):
            return None
        for share in SHARES:
            for turned in (facing, 0.0):
                place = prints.places[k] + share * away
                new = prints.with_print(k, place, float(prints.facings[k] + share * turned))
                level = self.level(new, k)
                if level is None:
                    continue
                new.places[k, 1] = level
                if self.holds(new, range(k, min(k + 3, len(prints)))):
                    return new
        return None

    def level(self, prints: Footprints, k: int) -> float | None:
        """Of the ground on which a print's sole can lie."""
        from footfall.planning.footsteps.footing_kernel import NOWHERE, lie

        x, y, z = prints.places[k]
        level = lie(
            self.ground.footing.arrays,
            self.walker.sole.discs,
            x,
            z,
            self.toes(prints, k),
            y,
            self.body[layout.EDGE],
            self.body[layout.SLOPE],
            0.5 * self.body[layout.STEP],
        )
        return None if level == NOWHERE else float(level)

    def toes(self, prints: Footprints, k: int) -> float:
        """Where a foot points."""
        return float(prints.facings[k] + (1.0 - 2.0 * prints.feet[k]) * self.walker.toe_out)

    def soles_hold(self, prints: Footprints, numbers: Iterable[int]) -> bool:
        """Whether legs reach some prints, and nothing stands where they are."""
        from footfall.planning.footsteps.check_kernel import sole_has_room

        room = self.ground.room.arrays
        for k in numbers:
            x, y, z = prints.places[k]
            if not self._is_a_step(prints, k) or not sole_has_room(
                room, self.body, x, z, self.toes(prints, k), y
            ):
                return False
        return True

    def holds(self, prints: Footprints, numbers: Iterable[int]) -> bool:
        """The same, and whether the trunk has room in the steps to them."""
        from footfall.planning.footsteps.check_kernel import body_passes

        room = self.ground.room.arrays
        for k in numbers:
            if not self.soles_hold(prints, (k,)):
                return False
            x, y, z = prints.places[k]
            stand, origin = prints.places[k - 1], prints.places[k - 2]
            if not body_passes(
                room,
                self.body,
                stand[[0, 2]],
                origin[0],
                origin[2],
                x,
                z,
                prints.facings[k - 1],
                prints.facings[k],
                min(y, stand[1]),
            ):
                return False
        return True

    def _is_a_step(self, prints: Footprints, k: int) -> bool:
        from footfall.planning.footsteps.put_down_kernel import longest

        beside, ahead, outwards = _move(prints, k)
        rise = abs(prints.places[k, 1] - prints.places[k - 1, 1])
        lowest = np.array([BESIDE[0], FARTHEST_BACK, TURNS[0], 0.0])
        highest = np.array([BESIDE[1], longest(rise), TURNS[1], self.body[layout.STEP]])
        own = np.array([beside, ahead, outwards, rise])
        return not (clearly_less(own, lowest).any() or clearly_less(highest, own).any())


def _move(prints: Footprints, k: int) -> tuple[float, float, float]:
    """Of the step to a print: m beside the foot that stands, m ahead of it, rad outwards."""
    side = 1.0 - 2.0 * prints.feet[k]
    turn = prints.facings[k] - prints.facings[k - 1]
    middle = prints.facings[k - 1] + 0.5 * turn
    dx, _, dz = prints.places[k] - prints.places[k - 1]
    beside = side * (dx * np.cos(middle) - dz * np.sin(middle))
    return float(beside), float(dx * np.sin(middle) + dz * np.cos(middle)), float(side * turn)


def _goes_aside(prints: Footprints, k: int) -> bool:
    beside, ahead, _ = _move(prints, k)
    return bool(clearly_less(ASIDE, beside) or clearly_less(abs(ahead), 0.05))


def _middle(prints: Footprints, k: int) -> Float[np.ndarray, "3"]:
    """Of the body over a foot that walks: half a width inwards."""
    side, facing = 1.0 - 2.0 * prints.feet[k], prints.facings[k]
    return prints.places[k] - 0.5 * WIDTH * side * np.array([np.cos(facing), 0.0, -np.sin(facing)])
