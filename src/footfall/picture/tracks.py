"""Where the feet went: contacts, footprints found and planned, paths of toes and root over the floor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from jaxtyping import Float

from footfall.analysis.contacts import detect_contacts
from footfall.analysis.plants import detect_plants
from footfall.figure.contacts import Contacts
from footfall.figure.motion import Motion
from footfall.figure.soles import toe_places
from footfall.geometry.ground import UP
from footfall.picture.camera import Camera
from footfall.picture.figures import floor_of
from footfall.picture.footprints import (
    INK,
    STONE,
    Footprint,
    found_footprints,
    planned_footprints,
    stone,
)
from footfall.picture.landscape import Landscape
from footfall.picture.marks import Colour, Mark
from footfall.picture.solids import Solids
from footfall.picture.stage import Layer, Stage
from footfall.planning.walk_map import placed_at
from footfall.world.foot_plan import FootPlan
from footfall.world.obstacle import Obstacle
from footfall.world.plane import FlatTerrain
from footfall.world.shapes.placed import Placed
from footfall.world.terrain import Ground

ROOT: Colour = (0.25, 0.25, 0.25)
ON_FLOOR = 0.05  # m: prints nearer to the floor than this lie on it; higher ones get a stone
SUNK = 0.01  # m by which the floor lies under the prints, for toes dig in when they push off
PATH_RATE = 60.0  # points of a path a second
PATH_WIDTH = 1.8  # pixels
BESIDE = 1.0  # m round what happens in which obstacles are shown


@dataclass(frozen=True, eq=False)
class Tracks:
    """What a motion leaves on the ground."""

    motion: Motion
    contacts: Contacts | None  # None: the figure has no legs
    prints: tuple[Footprint, ...]
    floor: float
    land: Landscape | None = None  # the terrain, where one is known
    obstacles: tuple[Obstacle | Placed, ...] = ()
    clock: float = 0.0  # s, what obstacles' courses call the time of the first frame

    @classmethod
    def of(
        cls,
        motion: Motion,
        plan: FootPlan | None = None,
        terrain: Ground | None = None,
        obstacles: Sequence[Obstacle | Placed] = (),
        clock: float = 0.0,
    ) -> Tracks:
        placed_at(obstacles, clock)  # refuses what is no obstacle before anything is measured
        return replace(cls._on_ground(motion, plan, terrain), obstacles=tuple(obstacles), clock=clock)

    @classmethod
    def _on_ground(cls, motion: Motion, plan: FootPlan | None, terrain: Ground | None) -> Tracks:
        skeleton = motion.skeleton
        contacts, prints = motion.contacts, []
        if skeleton.sides:
            contacts = contacts if contacts is not None else detect_contacts(motion)
            prints = found_footprints(skeleton, detect_plants(motion, contacts))
            prints += [] if plan is None else planned_footprints(skeleton, plan)
        contacts = contacts if skeleton.sides else None
        if isinstance(terrain, FlatTerrain):
            return cls(motion, contacts, tuple(p.at_level(terrain.level) for p in prints), terrain.level)
        floor = _floor(motion, prints)
        if terrain is not None:
            outlines = [p.outline for p in prints]
            lowest = motion.root * [1.0, 0.0, 1.0] + motion.positions[..., 1].min(axis=-1, keepdims=True) * UP
            land = Landscape.around(terrain, np.concatenate([lowest, *outlines]))
            return cls(motion, contacts, tuple(p.laid(land.drape(p.outline)) for p in prints), floor, land)
        laid = tuple(p.at_level(floor) if p.level < floor + ON_FLOOR else p for p in prints)
        return cls(motion, contacts, laid, floor)

    @property
    def in_place(self) -> bool:
        """Whether figures must be shown where they were: on this ground, among these obstacles."""
        return self.land is not None or bool(self.obstacles)

    @property
    def things_move(self) -> bool:
        return any(isinstance(one, Obstacle) and one.course is not None for one in self.obstacles)

    @cached_property
    def _still_solids(self) -> Solids:
        still = [one for one in self.obstacles if isinstance(one, Placed) or one.course is None]
        return Solids.of(placed_at(still), self._walked() if still else np.zeros((0, 3)))

    def solids(self, frames: Float[np.ndarray, "n"]) -> Solids:
        """All obstacles; those with a course where they are at each of some frames."""
        if not self.things_move:
            return self._still_solids
        moving = [one for one in self.obstacles if isinstance(one, Obstacle) and one.course is not None]
        times = self.clock + frames / self.motion.fps
        passing = [one for time in times for one in placed_at(moving, float(time))]
        return self._still_solids.joined(Solids.of((), np.zeros((0, 3)), passing))

    def _walked(self) -> Float[np.ndarray, "n 3"]:
        """Places on the ground where feet stood, else those under the root."""
        found = [p.outline.mean(axis=0) for p in self.prints if not p.planned]
        return np.array(found) if found else self.motion.root * [1.0, 0.0, 1.0] + self.floor * UP

    def beside(self, solids: Solids) -> Float[np.ndarray, "n 3"]:
        """Points that hold what stands near to where something happens."""
        held = np.concatenate([self.extent(), self.motion.root])
        around = BESIDE * np.array([1.0, 0.0, 1.0])
        return solids.near(held.min(axis=0) - around, held.max(axis=0) + around)

    def extent(self, prints: Sequence[Footprint] | None = None) -> Float[np.ndarray, "n 3"]:
        """Points that a picture must hold: these prints and the floor under them, else everything."""
        shown = self.prints if prints is None else prints
        if self.land is not None:
            return self.land.extent
        held = [q.outline for p in shown for q in (p, p.at_level(self.floor))]
        held += [path.points for path in self.paths()] if prints is None else []
        return np.concatenate([np.zeros((0, 3)), *held])

    def stood_on(self, frame: int) -> tuple[Footprint, ...]:
        return tuple(p for p in self.prints if p.stood_on(frame))

    def raised(self, found: Footprint) -> bool:
        """Whether a foot rested here, and higher than the floor."""
        return found.level > self.floor + (ON_FLOOR if self.land else 0.0) and not found.planned

    def draw(self, stage: Stage) -> None:
        """Every print and path where it is."""
        self.draw_prints(stage, self.prints)
        stage.marks([*self.paths(), *_marks([p for p in self.prints if p.planned])])

    def draw_prints(
        self, stage: Stage, prints: Sequence[Footprint], shift: Float[np.ndarray, "3"] | float = 0.0
    ) -> list[Layer]:
        """Some prints, and stones under those that were found raised; the layers, to be drawn again."""
        layers = []
        for raised in prints:
            if self.land is None and self.raised(raised):
                vertices, normals, triangles = stone(raised, self.floor)
                colours = np.tile(STONE, (len(vertices), 1))
                layers.append(stage.body(vertices + shift, normals, colours, triangles))
        return [*layers, stage.marks([mark.moved(shift) for mark in _marks(prints)])]

    def paths(self) -> Iterator[Mark]:
        """Of the toes in their colours, then of the root, all on the floor."""
        motion = self.motion
        every = max(round(motion.fps / PATH_RATE), 1)
        if len(motion) < 2:
            return
        for side in motion.skeleton.sides:
            yield self._path(toe_places(motion, side)[::every], INK[side])
        yield self._path(motion.root[::every], ROOT)

    def _path(self, places: Float[np.ndarray, "n 3"], colour: Colour) -> Mark:
        if self.land is not None:
            return Mark(self.land.drape(places, over=0.0, beyond=self.floor), colour, PATH_WIDTH)
        return Mark(
            np.stack([places[:, 0], np.full(len(places), self.floor), places[:, 2]], 1), colour, PATH_WIDTH
        )

    def stage(self, camera: Camera, solids: Solids | None = None) -> Stage:
        """A stage with the ground on it, and the shadows of obstacles."""
        stage = Stage(camera, self.floor if self.land is None else None)
        if self.land is not None:
            stage.land(self.land)
        if solids is not None:
            stage.solid_shadows(solids)
        return stage


def _marks(prints: Sequence[Footprint]) -> list[Mark]:
    """Those of plans last, over all others."""
    return [mark for p in sorted(prints, key=lambda p: p.planned) for mark in p.marks()]


def _floor(motion: Motion, prints: Sequence[Footprint]) -> float:
    """A little under the lowest level at which feet rest; of stairs, the lowest tread's."""
    levels = np.array([p.level for p in prints if not p.planned])
    if not len(levels):
        return floor_of(motion)
    lowest = levels[levels < np.percentile(levels, 10) + ON_FLOOR]
    return max(floor_of(motion), float(np.median(lowest)) - SUNK)
