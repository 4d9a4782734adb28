"""The rings that are measured: the virtual actor's gaits, and walks from captured clips.

The captured walk is of subject 16, who walks and turns on level floor, and of subject 83, who climbs stairs
and is brought on the figure of 16. Nobody goes down in these clips: their descents are walks of 16 that the
one-walk edit takes down stairs and slopes. A second captured ring has instead the stairs of subject 113 and
the blocks of subject 36.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
from tests.captures import FOLDER

import footfall as ff
from footfall.adapt.retarget import retarget
from footfall.analysis.smoothness import peak_accelerations
from footfall.models.ring.build import build_ring
from footfall.models.ring.default import default_gaits
from footfall.models.ring.graph import RingGraph
from footfall.models.ring.model import MotionRing
from footfall.models.ring.resting import build_rest

WALKS = ("walk/16_16", "walk/16_47", "walk/16_21", "walk/16_31", "walk/16_33")
TURNS = tuple(f"turn-side-back/16_{number}" for number in (13, 19, 24, 25, 27, 30))
STAIRS = tuple(f"stairs-uneven/83_{number}" for number in (27, 29, 31, 34))
DOWN = ("stairs-uneven/113_19", "stairs-uneven/36_28", "stairs-uneven/36_01")
RUNS = (
    *(f"run/16_{number}" for number in (35, 36, 45, 46)),
    *(f"turn-side-back/16_{number}" for number in (37, 39, 42, 43, 48, 49)),
)
STANDS = "idle/77_02"
# walks of subject 16, edited to go where nobody went: down stairs, down and up a slope
EDITS: tuple[tuple[str, Mapping[str, Any]], ...] = (
    ("walk/16_16", {"stairs": (-0.15, 0.30)}),
    ("walk/16_47", {"slope": np.radians(-15.0), "step_length": 0.70}),
    ("walk/16_47", {"slope": np.radians(-15.0), "step_length": 0.45}),
    ("walk/16_47", {"slope": np.radians(15.0), "step_length": 0.60}),
)
EDITED_STEPS = 9
SESSION, WALKING = "rings", 43  # of the session's clips the first are walks, the others runs


@dataclass(frozen=True)
class Measured:
    """A ring under a name, and how hard its examples accelerate."""

    name: str
    build: Callable[[], MotionRing]
    examples: Callable[[], Mapping[str, float]] | None = None  # instead of what the ring keeps of them

    @cached_property
    def ring(self) -> MotionRing:
        return self.build()

    @cached_property
    def peaks(self) -> Mapping[str, float]:
        return self.ring.reference.peaks if self.examples is None else self.examples()


@cache
def actor_gaits() -> RingGraph:
    return default_gaits()


@cache
def actor_examples() -> tuple[ff.Example, ...]:
    return ff.VirtualActor().perform(SESSION)


@cache
def combined_walk() -> MotionRing:
    """The actor's straight clips alone, for the combined method ([rings] 4.4)."""
    return build_ring(actor_examples()[:WALKING], combined=True)


def walks() -> list[Measured]:
    """Those there are clips for. The actor's walks are judged by walks, though its gaits know runs too."""
    own = [Measured("actor", lambda: actor_gaits()["walk"], lambda: _peaks(actor_examples()[:WALKING]))]
    if FOLDER.is_dir():
        own.append(Measured("captured", captured_walk))
        own.append(Measured("captured, and going down", captured_downwards))
    return own


@cache
def captured_walk() -> MotionRing:
    """Of subjects 16 and 83, and of what the one-walk edit makes of their walks."""
    return of_clips((*WALKS, *TURNS, *STAIRS), edits=EDITS)


@cache
def captured_downwards() -> MotionRing:
    """Of subjects 16 and 83, and of two others who go down."""
    return of_clips((*WALKS, *TURNS, *STAIRS, *DOWN))


@cache
def captured_gaits() -> RingGraph:
    """Walk, run and rest: subject 16 runs too, and a third person stands."""
    walk = captured_walk()
    stands = retarget(ff.load_motion(FOLDER / f"{STANDS}.bvh"), walk.skeleton)
    return RingGraph({"walk": walk, "run": of_clips(RUNS, gait="run"), "rest": build_rest(stands)})


def gaits() -> dict[str, Callable[[], RingGraph]]:
    """Connected rings by name, those there are clips for."""
    own: dict[str, Callable[[], RingGraph]] = {"actor": actor_gaits}
    return own | ({"captured": captured_gaits} if FOLDER.is_dir() else {})


def _peaks(examples: tuple[ff.Example, ...]) -> Mapping[str, float]:
    return peak_accelerations([example.motion for example in examples])


def of_clips(
    names: tuple[str, ...], *, gait: str = "walk", edits: tuple[tuple[str, Mapping[str, Any]], ...] = ()
) -> MotionRing:
    clips = [ff.load_motion(FOLDER / f"{name}.bvh") for name in names]
    for name, wishes in edits:
        clips.append(
            ff.WalkEdit(ff.load_motion(FOLDER / f"{name}.bvh")).synthesize(steps=EDITED_STEPS, **wishes)
        )
    labels = (*names, *(f"{name} edited {k}" for k, (name, _) in enumerate(edits)))
    return build_ring(clips, gait=gait, names=labels)
