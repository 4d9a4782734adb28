"""The search for footprints from a stand to a stand, and what is known where there are none."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float, Int

from footfall.geometry.decisions import first_least, nearest_cell
from footfall.planning.footsteps.grounds import StepGround
from footfall.planning.footsteps.moves import Moves
from footfall.planning.footsteps.walker_body import Prints, WalkerBody

QUICKLY, PATIENTLY = 25_000, 300_000  # prints that are looked at
SURELY = 0.01  # m more that the outlook asks for: what a lattice finds passable, feet find hard
# m along and beside the foot, by which it may come down elsewhere, the nearest first
STEADY = sorted(
    ((0.06 * i, 0.05 * k) for i in range(-2, 3) for k in range(-1, 3) if abs(i) + abs(k) < 3),
    key=lambda shift: round(float(np.hypot(*shift)), 9),
)
SEEKING = sorted(
    ((0.025 * i, 0.03 * k) for i in range(-6, 7) for k in range(-2, 5)),
    key=lambda shift: round(float(np.hypot(*shift)), 9),
)


@dataclass(frozen=True, eq=False)
class Footprints:
    """Footprints one after another; the first two are where the feet start."""

    feet: Int[np.ndarray, "n"]  # 0 left, 1 right
    places: Float[np.ndarray, "n 3"]  # of the subtalars
    facings: Float[np.ndarray, "n"]  # rad, of the trunk when the foot has come down; unrolled

    def __len__(self) -> int:
        return len(self.feet)

    def with_print(self, number: int, place: Float[np.ndarray, "3"], facing: float) -> Footprints:
        places, facings = np.array(self.places), np.array(self.facings)
        places[number], facings[number] = place, facing
        return replace(self, places=places, facings=facings)


@dataclass(frozen=True, eq=False)
class Outlook:
    """What it costs to go on to a goal, for a trunk of each place and facing."""

    ground: StepGround
    costs: Float[np.ndarray, "n*facings"]

    @classmethod
    def towards(
        cls,
        ground: StepGround,
        body: Float[np.ndarray, "numbers"],
        goal: int,
        facing: float | None,
        start: int = -1,
    ) -> Outlook:
        from footfall.planning.footsteps import body_layout as layout
        from footfall.planning.footsteps.outlook_kernel import FACINGS, look_out

        towards = -1 if facing is None else int(nearest_cell(facing, 2.0 * np.pi / FACINGS)) % FACINGS
        costs = np.empty(FACINGS * len(ground.level))
        need = float(body[layout.RADIUS]) + SURELY
        look_out(
            ground.arrays, ground.room.arrays, float(body[layout.HALF]), need, goal, towards, start, costs
        )
        return cls(ground, costs)

    @property
    def reached(self) -> Int[np.ndarray, "k"]:
        """The surfaces from which the goal can be reached in some facing."""
        best = self.costs.reshape(len(self.ground.level), -1).min(axis=1, initial=np.inf)
        return np.flatnonzero(np.isfinite(best))


@dataclass(frozen=True, eq=False)
class Searched:
    """What was found: footprints, or None, and then how near feet came."""

    prints: Footprints | None
    nearest: Float[np.ndarray, "3"] | None = None
    gave_up: bool = False


def search_prints(
    ground: StepGround,
    walker: WalkerBody,
    body: Float[np.ndarray, "numbers"],
    moves: Moves,
    outlook: Outlook,
    start: Prints,
    goal: Prints | Float[np.ndarray, "3"],
    most: int = PATIENTLY,
) -> Searched:
    """From a stand to a stand; to any stand whose trunk is over a place where the goal is one.

    After so many prints that lead nowhere the search is given up.
    """
    from footfall.planning.footsteps import search_kernel as kernel

    free = np.ndim(goal) == 1
    ends = np.array([[*goal, 0.0]] * 2) if free else np.array(goal)
    shifts = np.array(STEADY if ground.is_plane else SEEKING)
    prints, cost = np.empty((most, kernel.COLUMNS)), np.full(most, np.inf)
    whole = np.zeros((most, kernel.WHOLE), np.int64)
    last = kernel.search_steps(
        ground.footing.arrays,
        ground.room.arrays,
        ground.arrays,
        outlook.costs,
        body,
        walker.sole.discs,
        moves,
        shifts,
        np.array(start),
        ends,
        free,
        prints,
        whole,
        cost,
    )
    if last < 0:
        seen = np.flatnonzero(np.isfinite(cost))
        away = np.linalg.norm(prints[seen, :3] - ends[0, :3], axis=1)
        return Searched(None, prints[seen[first_least(away)], :3], gave_up=last == -2)
    chain = []
    while last >= 0:
        chain.append(last)
        last = whole[last, kernel.PARENT]
    chain = chain[::-1]
    first = int(whole[chain[0], kernel.FOOT])
    feet = np.concatenate([[1 - first], whole[chain, kernel.FOOT]])
    places = np.concatenate([start[1 - first, :3][None], prints[chain, :3]])
    facings = np.concatenate([[start[1 - first, 3]], prints[chain, kernel.FACING]])
    return Searched(Footprints(feet, places, facings))
