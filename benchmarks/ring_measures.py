"""What a recorded walk is worth, from its frames and the ground alone, but for what its searches told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from ring_record import Walked

from footfall.analysis.certificate import LOOK_DOWN, phase_slides
from footfall.analysis.smoothness import QUIETEST, acceleration_ratio, role_accelerations
from footfall.figure.contacts import SIDES, runs_of
from footfall.figure.kinematics import attached
from footfall.figure.motion import Motion
from footfall.figure.soles import sole_places, toe_places
from footfall.models.ring import layout
from footfall.models.ring.aligned import mid_sole
from footfall.world.terrain import Terrain

JERK = 2.0  # of the examples' peaks
SETTLED, LEAVES = 0.25, 0.75  # of a half cycle: between them a support foot's toe joint stands anyhow


@dataclass(frozen=True)
class WalkFigures:
    """Lengths in metres."""

    strikes: int
    metres: float
    told_error: float  # largest of all strikes, by the searches that led to them
    strike_error: float  # the same measured: the sole's middle from the ground, in the strike's frame
    iterations: float  # a search, in the mean
    most_iterations: int
    drift: float  # of the support foot in a half cycle: median
    most_drift: float
    toe_drift: float  # the same of the toe joint about the half's middle, by no contacts: median
    most_toe_drift: float
    standing_penetration: float
    swinging_penetration: float
    ratio: float
    jerked: int  # frames in which some joint accelerates more than twice as hard as in the examples
    turned_away: float  # share of strikes
    stood: float  # share of frames


def walk_figures(walk: Walked, peaks: Mapping[str, float]) -> WalkFigures:
    """`peaks` are the accelerations of the examples."""
    drifts, toes = (np.array(list(found)) for found in (drifts_of(walk), toe_drifts_of(walk)))
    before = walk.strikes - 1  # the state that the strike took its weights from
    iterations, status = walk.told(layout.ITERATIONS)[before], walk.told(layout.STATUS)
    standing, swinging = penetrations(walk.motion, walk.terrain)
    ratio = acceleration_ratio(walk.motion, peaks)
    return WalkFigures(
        len(walk.strikes),
        walk.metres,
        float(walk.told(layout.ERROR)[before].max(initial=0.0)),
        float(strike_errors(walk).max(initial=0.0)),
        float(iterations.mean()) if len(iterations) else 0.0,
        int(iterations.max(initial=0)),
        *_usual_and_most(drifts),
        *_usual_and_most(toes),
        float(standing.max()),
        float(swinging.max()),
        float("nan") if ratio is None else ratio,
        int((frame_ratios(walk.motion, peaks) > JERK).sum()),
        float((status[walk.strikes] == layout.TURNING_AWAY).mean()) if len(walk.strikes) else 0.0,
        float((status == layout.STANDING).mean()),
    )


def _usual_and_most(values: Float[np.ndarray, "n"]) -> tuple[float, float]:
    return (float(np.median(values)), float(values.max())) if len(values) else (0.0, 0.0)


def drifts_of(walk: Walked) -> Iterator[float]:
    """Of each half cycle, how far the support foot's contact point strays while one and the same holds it."""
    contacts = walk.motion.contacts
    assert contacts is not None
    points = {side: (sole_places(walk.motion, side), toe_places(walk.motion, side)) for side in SIDES}
    for side, first, end in walk.halves:
        (sole, toe), own = points[side], slice(first, end)
        heel_on, toe_on = contacts.heel_of(side)[own], contacts.toe_of(side)[own]
        held = (
            (heel_on & ~toe_on, sole[own, 0]),
            (heel_on & toe_on, sole[own, 1]),
            (~heel_on & toe_on, toe[own]),
        )
        yield max((_strays(place[a:b]) for mask, place in held for a, b in runs_of(mask)), default=0.0)


def toe_drifts_of(walk: Walked) -> Iterator[float]:
    """Of each half cycle, how far the support foot's toe joint strays about its middle."""
    toes = {side: toe_places(walk.motion, side) for side in SIDES}
    for side, first, end in walk.halves:
        settled, leaves = (first + round(share * (end - first)) for share in (SETTLED, LEAVES))
        yield _strays(toes[side][settled:leaves])


def _strays(places: Float[np.ndarray, "frames 3"]) -> float:
    return float(np.linalg.norm((places - places[:1])[:, [0, 2]], axis=-1).max(initial=0.0))


def strike_errors(walk: Walked) -> Float[np.ndarray, "strikes"]:
    """How far the middle of each striking sole is from the nearest ground in the frame of its strike; toes,
    which may be bent, do not count.
    """
    halves, motion = walk.told(layout.HALF)[walk.strikes].astype(int), walk.motion
    middles = [
        attached(
            motion.positions,
            motion.orientations,
            [motion.skeleton.joint(f"{side}_foot")],
            mid_sole(motion.skeleton, side)[None],
        )[:, 0]
        for side in SIDES
    ]
    struck = np.array([middles[half][frame] for half, frame in zip(halves, walk.strikes, strict=True)])
    return walk.terrain.closest(struck.reshape(-1, 3)).distance


def penetrations(motion: Motion, terrain: Terrain) -> tuple[Float[np.ndarray, "f"], Float[np.ndarray, "f"]]:
    """In each frame, how deep soles are in the ground: of feet that stand, and of those that swing."""
    contacts = motion.contacts
    assert contacts is not None
    standing, swinging = np.zeros(len(motion)), np.zeros(len(motion))
    for side in SIDES:
        x, y, z = np.moveaxis(sole_places(motion, side), -1, 0)
        over = y - terrain.height(x, z, y + LOOK_DOWN)
        depth = -np.where(np.isfinite(over), over, 0.0).min(axis=-1)
        stands = contacts.stands(side)
        standing = np.maximum(standing, np.where(stands, depth, 0.0))
        swinging = np.maximum(swinging, np.where(stands, 0.0, depth))
    return standing, swinging


def frame_ratios(motion: Motion, peaks: Mapping[str, float]) -> Float[np.ndarray, "frames"]:
    """The acceleration ratio frame by frame: of the whole motion a percentile is taken, which a few frames
    that jerk do not change.
    """
    found = role_accelerations(motion)
    rows = [values / max(peaks[role], QUIETEST) for role, values in found.items() if role in peaks]
    return np.max(rows, axis=0)


def contacts_kept(made: Motion, before: Motion) -> float:
    """Share of the frames in which feet stood that they still do: what no longer stands cannot slide."""
    assert made.contacts is not None
    assert before.contacts is not None
    stood = np.stack([before.contacts.stands(side) for side in SIDES])
    still = np.stack([made.contacts.stands(side) for side in SIDES])
    return float((stood & still).sum() / max(stood.sum(), 1))


def most_slide(motion: Motion) -> float:
    contacts = motion.contacts
    assert contacts is not None
    return max((slide for side in SIDES for slide in phase_slides(motion, contacts, side)), default=0.0)
