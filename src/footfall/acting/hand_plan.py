"""Where to stand and how to take something: stands are tried out, and ways that keep clear of everything."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from footfall.acting.footing import Footing, footings, is_handy
from footfall.acting.hand_script import Move
from footfall.acting.rehearsal import EXACT, natural_hands, reached_from, stood_at, way_room
from footfall.acting.report import TaskError
from footfall.acting.seat import rise
from footfall.acting.stage import ROOMY, USUAL, Stage
from footfall.acting.taking import Taking
from footfall.figure.pose import Pose
from footfall.geometry.decisions import clearly_less
from footfall.planning.footsteps.planner import FootPlanner
from footfall.world.shapes.placed import Placed

CLOSELY = 60  # ways that are tried out to the end
ROOM = 0.004  # m that a body keeps from things when hands are there,
ON_THE_WAY = 0.012  # and on the way, which is looked at now and then


@dataclass(frozen=True)
class Detour:
    """How hands go over what is in the way: by a place near the chest, on ways that bulge up."""

    by: str = ""  # of `carry_place.READY`; none where they go straight
    over: float = 0.0  # m


DETOURS = (
    Detour(),
    Detour("usual", 0.12),
    Detour("near", 0.15),
    Detour("beside", 0.15),
    Detour("beside", 0.3),
    Detour("usual", 0.3),
)


Script = Callable[[Taking, Pose, Detour], tuple[Move, ...]]


@dataclass(frozen=True, eq=False)
class HandPlan:
    """Where to stand, how to take it, what hands do, and the room that arms have then."""

    footing: Footing
    taking: Taking
    moves: tuple[Move, ...]
    detour: Detour
    room: float


@dataclass(frozen=True, eq=False)
class Wanted:
    """What hands should take: the thing where it is or will be, ways to take it, and the moves."""

    thing: Placed
    sides: tuple[str, ...]
    takings: Callable[[Stage, Footing, Pose], Iterable[Taking]]
    script: Script  # up to it
    after: Script  # and away
    things: tuple[Placed, ...]  # to keep clear of
    carrying: bool = False  # hands have made the first move already


def plan_hands(stage: Stage, wanted: Wanted) -> HandPlan:
    """The most convenient stand from which hands get there and nothing is touched on the way.

    Who can reach it from where he is stays there, on a seat too. Where every way touches something, the one
    that does so least; where no hand gets there, why.
    """
    target = np.asarray(wanted.thing.position)
    search = _Search(stage, wanted)
    if is_handy(stage, target, wanted.sides) and search.tried(Footing(stage.here, stage.facing)):
        assert search.best is not None
        return search.best
    if stage.sitting:
        rise(stage)
        search = _Search(stage, wanted)
    for footing in _all_footings(stage, target, wanted.sides):
        if search.tried(footing) or search.closely >= CLOSELY:
            break
    if search.best is None:
        raise TaskError(search.why)
    return search.best


class _Search:
    """Stands and ways that were tried, and the best of them."""

    def __init__(self, stage: Stage, wanted: Wanted) -> None:
        self.stage, self.wanted = stage, wanted
        self.best: HandPlan | None = None
        self.closely, self._stands, self._nearest = 0, 0, np.inf

    def tried(self, footing: Footing) -> bool:
        """Whether a way was found from there that is clear of everything."""
        stage, wanted = self.stage, self.wanted
        stand = stood_at(stage, footing)
        self._stands += 1
        for taking in wanted.takings(stage, footing, stand):
            rather, _ = natural_hands(stage, stand, {s: p.position for s, p in taking.places.items()})
            found = reached_from(stage, stand, rather, taking.places, wanted.things)
            self._nearest = min(self._nearest, found.missed)
            if not found.reached or clearly_less(found.room, ROOM):
                continue
            for detour in DETOURS:
                moves = wanted.script(taking, stand, detour)
                after = wanted.after(taking, stand, detour)
                room, missed = way_room(
                    stage, stand, wanted.sides, wanted.things, moves, after, carrying=wanted.carrying
                )
                self.closely += 1
                if clearly_less(EXACT, missed):  # a joint limit on the way: another stand has another way
                    break
                if self.best is None or clearly_less(self.best.room, room):
                    self.best = HandPlan(footing, taking, moves, detour, room)
                if not clearly_less(self.best.room, ON_THE_WAY):
                    return True
        return False

    @property
    def why(self) -> str:
        if not self._stands:
            return "there is no place to stand from which a hand could reach it"
        if np.isfinite(self._nearest) and self._nearest > EXACT:
            near = f"the nearest comes within {self._nearest:.3f} m"
            return f"no hand reaches it from any place to stand: {near}"
        return "no hand reaches it without an arm in something"


def _all_footings(stage: Stage, target: np.ndarray, sides: tuple[str, ...]) -> Iterable[Footing]:
    """Where there is room for arms that swing first; then where a trunk alone fits."""
    seen: set[tuple[float, ...]] = set()
    for body in (ROOMY, USUAL):
        planner: FootPlanner = stage.planner(target, body=body)
        for footing in footings(stage, planner, target, sides):
            key = (*np.round(footing.place, 6), round(footing.facing or 0.0, 6))
            if key not in seen:
                seen.add(key)
                yield footing
