"""A ring from clips of one or several people ([rings] 3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

from footfall.adapt.one_figure import on_one_figure
from footfall.adapt.still_joints import mirrored_with_still_joints
from footfall.adapt.true_rate import true_rate
from footfall.analysis.reference import Reference
from footfall.blend.principal_geodesics import Geodesics
from footfall.errors import RequestError
from footfall.figure.example import Example
from footfall.figure.motion import Motion
from footfall.models.ring.aligned import AlignedLoop
from footfall.models.ring.loop import Loop
from footfall.models.ring.looping import loop_of
from footfall.models.ring.model import MotionRing
from footfall.models.ring.reduction import ENOUGH, chosen_loops
from footfall.models.ring.registration import align_loops
from footfall.models.ring.sample import sample_of, samples_of
from footfall.models.ring.tables import RingTables

# of the variation: as much as the file holds; 99 %, as the paper keeps, leaves feet up to 5 cm off
KEPT = (0.99999, 0.9999, 0.9995, 0.999, 0.998, 0.995, 0.99)
LARGEST = 195_000  # bytes of a ring's file
STRAIGHT = 0.1  # rad a cycle: what turns less goes straight ahead
FEWEST = 2  # loops: of one nothing can be blended
PINNING, LOOPING = 0.4, 0.9  # of the work, when each is done

Progress = Callable[[str, float], None]


def build_ring(
    source: Sequence[Motion] | Sequence[Example],
    *,
    gait: str = "walk",
    names: Sequence[str] | None = None,
    every: bool | None = None,
    mirrored: bool | None = None,
    enough: float = ENOUGH,
    combined: bool = False,
    progress: Progress | None = None,
) -> MotionRing:
    """A ring from clips that each hold a gait cycle or more; the first gives the figure.

    Of clips, `every` three steps in a row are a sample, and their `mirrored` images too; of examples the
    middle three, as they are. Samples whose strikes are within `enough` metres of those kept are left out.
    A `combined` ring takes what goes straight ahead only.
    """

    def told(what: str, share: float) -> None:
        if progress is not None:
            progress(what, share)

    found = looped(source, names=names, every=every, mirrored=mirrored, progress=told)
    loops = found.loops
    if combined:
        loops = [loop for loop in loops if abs(loop.turn) < STRAIGHT]
    if len(loops) < FEWEST:
        raise RequestError(
            f"{len(loops)} of {found.samples} samples could be closed to a loop; a ring needs {FEWEST}"
            f"{' that go straight ahead' if combined else ''}: "
            "clips of three steps or more, with different turns, step lengths or rises"
        )
    told(f"{len(loops)} loops", LOOPING)
    ring = ring_of(loops, gait, Reference.of(found.clips), enough=enough, combined=combined)
    told(f"{len(ring)} loops kept", 1.0)
    return ring


@dataclass(frozen=True, eq=False)
class Looped:
    """What clips gave: loops on one figure."""

    clips: list[Motion]  # cleaned
    names: list[str]  # of the clips
    loops: list[Loop]
    samples: int  # that were tried
    sources: dict[int, int]  # by the id of a loop, the number of its clip


def looped(
    source: Sequence[Motion] | Sequence[Example],
    *,
    names: Sequence[str] | None = None,
    every: bool | None = None,
    mirrored: bool | None = None,
    progress: Progress,
) -> Looped:
    """All loops of clips, on the figure of the first."""
    given = _motions(source)
    made = all(isinstance(one, Example) for one in source)
    every, mirrored = (not made if every is None else every), (not made if mirrored is None else mirrored)
    called = _names(source, names)
    clean = on_one_figure([true_rate(clip) for clip in given], lambda w, s: progress(w, PINNING * s))
    # when feet are seen to stand, not when they are pinned: a foot that rolls off stands
    clips = [replace(clip.motion, contacts=clip.seen) for clip in clean]
    samples = _samples(clips, called, progress, every=every, mirrored=mirrored)
    found = _loops(samples, progress)
    sources = {id(loop): number for loop, number in found}
    return Looped(clips, called, [loop for loop, _ in found], len(samples), sources)


def ring_of(
    loops: Sequence[Loop], gait: str, reference: Reference, *, enough: float = ENOUGH, combined: bool = False
) -> MotionRing:
    """The ring of loops: brought on one clock, reduced, and told by principal geodesics."""
    from footfall.models.ring.store import ring_bytes

    aligned = align_loops(loops)
    skeleton = loops[0].motion.skeleton
    every = RingTables.of(skeleton, aligned, Geodesics.of(_turns(aligned), 1.0)[0].mean)
    strikes = np.stack([every.own_strikes(half) for half in (0, 1)], axis=1)
    kept = [aligned[k] for k in chosen_loops(strikes, enough, least=FEWEST)]
    for share in KEPT:
        geodesics, scores = Geodesics.of(_turns(kept), share)
        tables = RingTables.of(skeleton, kept, geodesics.mean)
        ring = MotionRing(
            gait,
            geodesics,
            scores.reshape(len(kept), tables.frames, -1),
            tables.seconds,
            tables.headings,
            tables.anchors,
            tables.contacts,
            skeleton,
            tables.names,
            reference,
            combined=combined,
        )
        if len(ring_bytes(ring)) <= LARGEST:
            break
    return ring


def _turns(aligned: Sequence[AlignedLoop]) -> Float[np.ndarray, "poses joints 4"]:
    return np.concatenate([loop.rotations for loop in aligned])


@dataclass(frozen=True, eq=False)
class _Sample:
    name: str
    motion: Motion
    clip: int  # its number


def _samples(
    clips: Sequence[Motion], names: Sequence[str], told: Progress, *, every: bool, mirrored: bool
) -> list[_Sample]:
    found = []
    for number, (name, clip) in enumerate(zip(names, clips, strict=True)):
        try:
            pieces = samples_of(clip) if every else (sample_of(clip),)
        except RequestError as error:
            told(f"{name} is left out: {error}", PINNING)
            continue
        for k, piece in enumerate(pieces):
            label = f"{name}#{k + 1}" if len(pieces) > 1 else name
            found.append(_Sample(label, piece, number))
            if mirrored:
                found.append(_Sample(f"{label} mirrored", mirrored_with_still_joints(piece), number))
    return found


def _loops(samples: Sequence[_Sample], told: Progress) -> list[tuple[Loop, int]]:
    loops = []
    for k, sample in enumerate(samples):
        told(f"{sample.name} closed", PINNING + (LOOPING - PINNING) * k / len(samples))
        try:
            loops.append((loop_of(sample.motion, sample.name), sample.clip))
        except RequestError as error:
            told(f"{sample.name} is left out: {error}", PINNING)
    return loops


def _names(source: Sequence[Motion] | Sequence[Example], names: Sequence[str] | None) -> list[str]:
    if names is not None and len(names) != len(source):
        raise RequestError(f"{len(names)} names do not fit {len(source)} clips")
    if names is not None:
        return [str(name) for name in names]
    return [
        one.name if isinstance(one, Example) and one.name else f"clip {k + 1}" for k, one in enumerate(source)
    ]


def _motions(source: object) -> list[Motion]:
    if isinstance(source, str | Motion | Example) or not isinstance(source, Iterable):
        raise RequestError("a ring is built from a list of motions or of examples")
    given = [one.motion if isinstance(one, Example) else one for one in source]
    if not given:
        raise RequestError("a ring needs clips; none were given")
    if not all(isinstance(one, Motion) for one in given):
        raise RequestError("a ring is built from motions or examples, nothing else")
    return [replace(one) for one in given]
