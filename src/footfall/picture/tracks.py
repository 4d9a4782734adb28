"""Where the feet went: contacts, footprints found and planned, and the paths of toes and root over the floor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.analysis.contacts import detect_contacts
from footfall.analysis.plants import find_plants
from footfall.figure.contacts import Contacts
from footfall.figure.motion import Motion
from footfall.figure.soles import toe_places
from footfall.picture.figures import floor_of
from footfall.picture.footprints import (
    INK,
    STONE,
    Footprint,
    found_footprints,
    lowest,
    planned_footprints,
    stone,
)
from footfall.picture.marks import Colour, Mark
from footfall.picture.stage import Stage
from footfall.world.foot_plan import FootPlan

ROOT: Colour = (0.25, 0.25, 0.25)
ON_FLOOR = 0.04  # m: prints nearer to the floor than this lie on it; higher ones get a stone
PATH_RATE = 30.0  # points of a path a second
PATH_WIDTH = 1.3  # pixels


@dataclass(frozen=True, eq=False)
class Tracks:
    """What a motion leaves on the ground."""

    motion: Motion
    contacts: Contacts | None  # None: the figure has no legs
    prints: tuple[Footprint, ...]
    floor: float

    @classmethod
    def of(cls, motion: Motion, plan: FootPlan | None = None) -> Tracks:
        skeleton = motion.skeleton
        contacts, prints = motion.contacts, []
        if skeleton.sides:
            contacts = contacts if contacts is not None else detect_contacts(motion)
            prints = found_footprints(skeleton, find_plants(motion, contacts))
            prints += [] if plan is None else planned_footprints(skeleton, plan)
        floor = min(floor_of(motion), lowest(prints))
        laid = tuple(p.at_level(floor) if p.level < floor + ON_FLOOR else p for p in prints)
        return cls(motion, contacts if skeleton.sides else None, laid, floor)

    def extent(self) -> Float[np.ndarray, "n 3"]:
        """Points that a picture of all of it must hold."""
        return np.concatenate([np.zeros((0, 3)), *(p.outline for p in self.prints)])

    def draw_all(self, stage: Stage) -> None:
        """Every print and path where it is."""
        self._draw(stage, self.prints, list(self._paths()), np.zeros(3))

    def draw_under(self, stage: Stage, frame: int, shift: Float[np.ndarray, "3"]) -> None:
        """The prints a figure stands on in one frame, shifted with the figure."""
        self._draw(stage, [p for p in self.prints if p.stood_on(frame)], [], shift)

    def _draw(
        self, stage: Stage, prints: Sequence[Footprint], paths: list[Mark], shift: Float[np.ndarray, "3"]
    ) -> None:
        for raised in prints:
            if raised.level > self.floor:
                vertices, normals, triangles = stone(raised, self.floor)
                stage.body(vertices + shift, normals, np.tile(STONE, (len(vertices), 1)), triangles)
        marks = [mark for p in prints if not p.planned for mark in p.marks()] + paths
        marks += [mark for p in prints if p.planned for mark in p.marks()]
        stage.marks([mark.moved(shift) for mark in marks])

    def _paths(self) -> Iterator[Mark]:
        """Toes in their colours, then the root."""
        motion = self.motion
        every = max(round(motion.fps / PATH_RATE), 1)
        if len(motion) < 2:
            return
        for side in motion.skeleton.sides:
            yield self._path(toe_places(motion, side)[::every], INK[side])
        yield self._path(motion.root[::every], ROOT)

    def _path(self, places: Float[np.ndarray, "n 3"], colour: Colour) -> Mark:
        return Mark(np.stack([places[:, 0], np.full(len(places), self.floor), places[:, 2]], 1), colour, PATH_WIDTH)
