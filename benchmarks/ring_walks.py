"""Five minutes on each ground with a random stick: strikes, drift, penetration, smoothness; then locked."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass

from movements import Row
from ring_measures import WalkFigures, contacts_kept, most_slide, penetrations, walk_figures
from ring_models import Measured
from ring_record import FRAMES, walked
from ring_stick import KINDS, ground

from footfall.adapt.foot_lock import lock_feet
from footfall.analysis.smoothness import acceleration_ratio
from footfall.figure.motion import Motion
from footfall.world.terrain import Terrain

STRIKES, METRES = 400, 150.0  # at least
ERROR, DRIFT, MOST_DRIFT, PENETRATION, RATIO = 0.03, 0.015, 0.05, 0.03, 2.0  # m, m, m, m: under
LOCKED_SLIDE, LOCKED_PENETRATION = 1e-3, 5e-3  # m: under


@dataclass(frozen=True)
class LockedFigures:
    """The same walk with its feet locked. Lengths in metres."""

    slide: float
    kept: float  # share of the stances' frames
    standing_penetration: float
    swinging_penetration: float
    ratio: float


@dataclass(frozen=True)
class GroundFigures:
    ring: str
    ground: str
    walk: WalkFigures
    locked: LockedFigures | None


def ground_figures(
    measured: Measured, kind: str, *, seed: int, frames: int = FRAMES, locks: bool = True
) -> GroundFigures:
    walk = walked(measured.ring, ground(kind), seed=seed, frames=frames)
    figures = walk_figures(walk, measured.peaks)
    locked = _locked(walk.motion, walk.terrain, measured) if locks else None
    return GroundFigures(measured.name, kind, figures, locked)


def _locked(motion: Motion, terrain: Terrain, measured: Measured) -> LockedFigures:
    made = lock_feet(motion, terrain)
    standing, swinging = penetrations(made, terrain)
    ratio = acceleration_ratio(made, measured.peaks)
    return LockedFigures(
        most_slide(made),
        contacts_kept(made, motion),
        float(standing.max()),
        float(swinging.max()),
        float("nan") if ratio is None else ratio,
    )


def all_figures(measured: Measured, *, seed: int) -> Iterator[GroundFigures]:
    for kind in KINDS:
        yield ground_figures(measured, kind, seed=seed)
        print(f"  {measured.name}, {kind}", file=sys.stderr, flush=True)


def walk_rows(found: GroundFigures) -> Iterator[Row]:
    walk = found.walk
    yield Row(f"{found.ring}, {found.ground}: strikes", walk.strikes, "", least=STRIKES)
    yield Row("  way", walk.metres, "m", least=METRES)
    yield Row("  worst strike from the ground, as searched", 1e2 * walk.told_error, "cm", most=1e2 * ERROR)
    yield Row("  the same, as made", 1e2 * walk.strike_error, "cm", most=1e2 * ERROR)
    yield Row("  corrections a strike, mean", walk.iterations, "")
    yield Row("  corrections a strike, most", walk.most_iterations, "")
    yield Row("  drift of the support foot, median", 1e2 * walk.drift, "cm", most=1e2 * DRIFT)
    yield Row("  drift of the support foot, worst", 1e2 * walk.most_drift, "cm", most=1e2 * MOST_DRIFT)
    yield Row("  its toe joint alone about mid-stance, median", 1e2 * walk.toe_drift, "cm")
    yield Row("  its toe joint alone about mid-stance, worst", 1e2 * walk.most_toe_drift, "cm")
    yield Row("  stance in the ground", 1e2 * walk.standing_penetration, "cm", most=1e2 * PENETRATION)
    yield Row("  swing in the ground", 1e2 * walk.swinging_penetration, "cm")
    yield Row("  acceleration ratio", walk.ratio, "", most=RATIO)
    yield Row("  frames that jerk, over twice the examples' peaks", walk.jerked, "")
    yield Row("  strikes at which it turned away", 1e2 * walk.turned_away, "%")
    yield Row("  time it stood", 1e2 * walk.stood, "%")
    if found.locked is not None:
        yield from _locked_rows(found.locked)


def _locked_rows(locked: LockedFigures) -> Iterator[Row]:
    most = 1e3 * LOCKED_PENETRATION
    yield Row("  foot lock: slide", 1e3 * locked.slide, "mm", most=1e3 * LOCKED_SLIDE)
    yield Row("  foot lock: frames of stances kept", 1e2 * locked.kept, "%")
    yield Row("  foot lock: stance in the ground", 1e3 * locked.standing_penetration, "mm", most=most)
    yield Row("  foot lock: swing in the ground", 1e3 * locked.swinging_penetration, "mm", most=most)
    yield Row("  foot lock: acceleration ratio", locked.ratio, "", most=RATIO)
