"""What a ring is made of: loops that are enough, bytes, its period, its seam, its loops given back."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from movements import Row
from ring_models import WALKING, actor_examples, actor_gaits, walks

from footfall.blend.principal_geodesics import Geodesics
from footfall.figure.kinematics import forward
from footfall.figure.skeleton import Skeleton
from footfall.models.ring.aligned import AlignedLoop
from footfall.models.ring.build import looped
from footfall.models.ring.model import MotionRing
from footfall.models.ring.playing import played
from footfall.models.ring.reduction import chosen_loops
from footfall.models.ring.registration import align_loops
from footfall.models.ring.tables import RingTables

PAPER = {"walk": "15 of 43", "run": "16 of 43"}  # [rings] 5.1
SMALL = 200_000  # bytes: under
WEIGHTS, FRAMES, SEED = 50, 20, 3  # random weights and frames at which the period is tried
SEAM = 1.0  # of the largest change of velocity elsewhere: at most


def build_rows() -> Iterator[Row]:
    gaits = actor_gaits()
    for gait, examples in (("walk", actor_examples()[:WALKING]), ("run", actor_examples()[WALKING:])):
        ring = gaits[gait]
        found = looped(examples, progress=lambda what, share: None)
        aligned = align_loops(found.loops)
        yield Row(f"actor, {gait}: loops closed of {found.samples}", len(found.loops), "")
        yield Row("  enough at 30 cm", len(_enough(aligned, ring.skeleton)), "", paper=PAPER[gait])
        yield Row("  its loops from those closed, worst joint", 1e3 * _given_back(ring, aligned), "mm")
        yield from ring_rows(ring)
    for measured in walks()[1:]:
        yield Row(f"{measured.name}: loops that are enough", len(measured.ring), "")
        yield from ring_rows(measured.ring)


def ring_rows(ring: MotionRing) -> Iterator[Row]:
    yield Row("  file", _bytes(ring) / 1e3, "kB", most=SMALL / 1e3)
    yield Row("  y(t + T, w) from y(t, w)", _off_period(ring), "", most=1e-300)
    yield Row("  weights at its loops' strikes from one and none", _off_weights(ring), "", most=1e-6)
    jump, elsewhere = seam_jump(ring)
    name = f"  change of velocity at the seam, of the largest elsewhere ({elsewhere:.2g} m/s)"
    yield Row(name, jump / elsewhere, "", most=SEAM)


def _enough(aligned: list[AlignedLoop], skeleton: Skeleton) -> list[int]:
    turns = np.concatenate([loop.rotations for loop in aligned])
    tables = RingTables.of(skeleton, aligned, Geodesics.of(turns, 1.0)[0].mean)
    return chosen_loops(np.stack([tables.own_strikes(half) for half in (0, 1)], axis=1))


def _given_back(ring: MotionRing, aligned: list[AlignedLoop]) -> float:
    """Metres between the joints of each kept loop and of the ring with its weights, seen from the root."""
    known = {loop.name: loop for loop in aligned}
    worst = 0.0
    for row, name in zip(np.eye(len(ring)), ring.names, strict=True):
        kept = np.stack([ring.tables.joints(row, frame) for frame in range(ring.tables.frames)])
        places = [_joints(ring.skeleton, turns) for turns in (kept, known[name].rotations)]
        worst = max(worst, float(np.linalg.norm(places[0] - places[1], axis=-1).max()))
    return worst


def _joints(skeleton: Skeleton, turns: np.ndarray) -> np.ndarray:
    return forward(skeleton.tree, skeleton.offsets, np.zeros((len(turns), 3)), turns)[0]


def _bytes(ring: MotionRing) -> int:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ring.ffmodel"
        ring.save(path)
        return path.stat().st_size


def _off_period(ring: MotionRing) -> float:
    """The largest difference of any number of the pose."""
    rng, worst = np.random.default_rng(SEED), 0.0
    for weights in rng.dirichlet(np.ones(len(ring)), WEIGHTS):
        # quarters of frames: a cycle more must not be lost in rounding
        for frame in rng.integers(0, 4 * ring.tables.frames, FRAMES) / 4.0:
            first, again = (ring.pose(float(frame + k * ring.tables.frames), weights) for k in (0, 1))
            for a, b in ((first.root, again.root), (first.rotations, again.rotations)):
                worst = max(worst, float(np.abs(a - b).max()))
    return worst


def _off_weights(ring: MotionRing) -> float:
    found = [spheres.kriging(spheres.kriging.points) for spheres in ring.spheres]
    return max(float(np.abs(rows - np.eye(len(ring))).max()) for rows in found)


def seam_jump(ring: MotionRing) -> tuple[float, float]:
    """The largest change of any joint's velocity (m/s) from one frame to the next, where the cycle closes and
    elsewhere, over all loops; the support changes with every strike, also half way.
    """
    frames, seam, other = ring.tables.frames, 0.0, 0.0
    for row in np.eye(len(ring)):
        root, rotations, _ = played(ring.tables, row, np.arange(2.0 * frames + 1.0))
        joints = root[:, None] + _joints(ring.skeleton, rotations)
        lasts = np.tile(row @ ring.seconds, 2)
        velocities = np.diff(joints, axis=0) / lasts[:, None, None]
        jumps = np.linalg.norm(np.diff(velocities, axis=0), axis=-1).max(axis=1)
        seam = max(seam, float(jumps[frames - 1]))
        other = max(other, float(np.delete(jumps, frames - 1).max()))
    return seam, other
