"""A hundred random switches between walk, run and rest, on level ground and on bumps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from movements import Row
from ring_measures import frame_ratios, most_slide, penetrations
from ring_record import FPS, Walked, recorded
from ring_stick import Stick, ground, start

from footfall.adapt.foot_lock import lock_feet
from footfall.analysis.smoothness import acceleration_ratio
from footfall.control.gait import GaitController
from footfall.models.ring import layout
from footfall.models.ring.graph import RingGraph
from footfall.world.generators.generate import generate
from footfall.world.mesh import MeshTerrain

GAITS = ("walk", "run", "rest")
SWITCHES = 100
ABOUT = 1.0  # s before and after: a switch's own frames
EVERY = (2.0, 4.0)  # s from one taken up to the next asked for
MOST_SECONDS = 4.5  # a switch, in the mean: what takes longer is not made
GROUNDS = ("level", "bumps")
RATIO, SLIDE = 2.0, 0.01  # m: bars, with the foot lock


@dataclass(frozen=True)
class SwitchFigures:
    """Lengths in metres."""

    rings: str
    ground: str
    switches: int  # that were made
    unasked: int
    ratio: float
    worst: float  # of any one switch
    jerking: int  # switches whose own ratio is over the bar
    locked_ratio: float
    slide: float
    locked_slide: float
    locked_penetration: float  # of standing feet


class Switcher:
    """Asks for another gait some time after the last was taken up; steers as the stick does."""

    def __init__(self, terrain: MeshTerrain, seed: int, switches: int) -> None:
        self._rng, self._stick = np.random.default_rng([seed, switches]), Stick(terrain, seed)
        self._left, self._due = switches, 1.0
        self._from, self._asked = GAITS[0], GAITS[0]
        self.made: list[tuple[int, str, str]] = []  # frame, from, to: what was asked and come to
        self.unasked = 0  # stands for want of ground

    @property
    def over(self) -> bool:
        return self._left == 0

    def __call__(self, gait: GaitController, frame: int) -> None:
        time, status = frame / FPS, gait.status
        if self._from != self._asked and status.gait == self._asked:
            self.made.append((frame, self._from, self._asked))
            self._from, self._due = self._asked, time + self._rng.uniform(*EVERY)
            self._left = max(self._left - 1, 0)
        elif time >= self._due and not self.over:
            self.unasked += self._from == self._asked != status.gait
            self._from = status.gait
            others = [name for name in GAITS if name != status.gait]
            self._asked = others[int(self._rng.integers(len(others)))]
            gait.command(gait=self._asked)
            self._due = time + self._rng.uniform(*EVERY)
        state, pose = gait.walker.state, gait.walker.pose
        wish = self._stick.moved(time, pose[[0, 2]], float(state[layout.HEADING]))
        if wish is not None:
            gait.command(heading=wish.heading)


def switched(
    rings: RingGraph, kind: str, *, seed: int = 1, switches: int = SWITCHES
) -> tuple[Walked, Switcher]:
    """Frames until all switches are made, and these."""
    made = None if kind == "level" else ground(kind)
    terrain = _level() if made is None else made.terrain
    place = (0.0, 0.0) if made is None else start(made)
    switcher = Switcher(terrain, seed, switches)
    gait = GaitController(rings, place=place, gait=GAITS[0])
    frames = round(switches * MOST_SECONDS * FPS)
    return recorded(gait, terrain, frames, switcher), switcher


def _level() -> MeshTerrain:
    """A square of two triangles: as large as the walk."""
    return generate("flat", 0, size=(60.0, 60.0)).terrain


def switch_figures(name: str, rings: RingGraph, kind: str, *, seed: int = 1) -> SwitchFigures:
    walk, switcher = switched(rings, kind, seed=seed)
    peaks: dict[str, float] = {}
    for ring in rings.rings.values():
        for role, peak in ring.reference.peaks.items():
            peaks[role] = max(peak, peaks.get(role, 0.0))
    frames = frame_ratios(walk.motion, peaks)
    about = round(ABOUT * FPS)
    own = np.array([frames[max(f - about, 0) : f + about].max() for f, _, _ in switcher.made])
    locked = lock_feet(walk.motion, walk.terrain)
    return SwitchFigures(
        name,
        kind,
        len(switcher.made),
        switcher.unasked,
        acceleration_ratio(walk.motion, peaks) or float("nan"),
        float(own.max(initial=0.0)),
        int((own >= RATIO).sum()),
        acceleration_ratio(locked, peaks) or float("nan"),
        most_slide(walk.motion),
        most_slide(locked),
        float(penetrations(locked, walk.terrain)[0].max()),
    )


def switch_rows(found: SwitchFigures) -> Iterator[Row]:
    yield Row(f"{found.rings}, {found.ground}: switches", found.switches, "", least=SWITCHES)
    yield Row("  acceleration ratio", found.ratio, "")
    yield Row("  the largest in the frames of one switch", found.worst, "", most=RATIO)
    yield Row("  switches in which some frame is over twice", found.jerking, "")
    yield Row("  stands that nobody asked for", found.unasked, "")
    yield Row("  slide", 1e2 * found.slide, "cm")
    yield Row("  foot lock: acceleration ratio", found.locked_ratio, "", most=RATIO)
    yield Row("  foot lock: slide", 1e2 * found.locked_slide, "cm", most=1e2 * SLIDE)
    yield Row("  foot lock: stance in the ground", 1e2 * found.locked_penetration, "cm")
