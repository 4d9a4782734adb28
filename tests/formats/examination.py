"""One damaged file put through everything: load it, judge what came, save it, load it again, in bounds."""

from __future__ import annotations

import sys
import time
import traceback
import tracemalloc
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from zlib import crc32

import numpy as np

from footfall.errors import FootfallError, LoadError
from footfall.figure.motion import Motion
from footfall.formats.load import load_capture
from footfall.formats.save import save_motion
from tests.formats.mutate import mutate
from tests.formats.specimens import Specimen

MOST_SECONDS = 2.0
MOST_BYTES = 500 << 20
NEIGHBOUR_SHARE = 0.3  # of the cases in which a skeleton or buffer beside the clip is damaged instead


@dataclass
class Verdict:
    """What became of many cases; `problems` say enough to make each of them again."""

    outcomes: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{dict(self.outcomes)}\n" + "\n".join(self.problems[:20])


def examine(name: str, specimens: Sequence[Specimen], seeds: range, folder: Path, *, trace: bool) -> Verdict:
    """Damages specimens of one format, once for each seed, and examines the results."""
    verdict = Verdict()
    for seed in seeds:
        files = damaged(name, specimens, seed)
        place = folder / f"{name}-{next(iter(files))}"
        place.mkdir(exist_ok=True)
        for file, content in files.items():
            (place / file).write_bytes(content)
        try:
            with within_time(), no_warnings():
                verdict.outcomes[_load_and_save(place / next(iter(files)), trace)] += 1
        except Exception:
            verdict.problems.append(f"{name}, seed {seed}: {traceback.format_exc(limit=-3)}")
    return verdict


def damaged(name: str, specimens: Sequence[Specimen], seed: int) -> Specimen:
    """A copy of one of the specimens with one of its files damaged."""
    rng = np.random.default_rng([crc32(name.encode()), seed])
    files = dict(specimens[rng.integers(len(specimens))])
    clip, *beside = files
    victim = beside[0] if beside and rng.random() < NEIGHBOUR_SHARE else clip
    files[victim] = mutate(files[victim], rng)
    return files


@contextmanager
def within_time(most: float = MOST_SECONDS) -> Iterator[None]:
    """Counts this process's own time: others may load the machine."""
    start = time.process_time()
    yield
    seconds = time.process_time() - start
    assert seconds < most, f"it took {seconds:.1f} s"


@contextmanager
def within_memory(most: int = MOST_BYTES) -> Iterator[None]:
    """Counts what Python and NumPy hold at once beyond what they held before."""
    tracemalloc.start()
    try:
        yield
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < most, f"it took {peak >> 20} MB"


def largest() -> int:
    """Bytes that this process held at its largest, where the system counts them."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


@contextmanager
def no_warnings() -> Iterator[None]:
    """A warning is a bug too; recorded rather than raised, so that no `except` can swallow it."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        yield
    assert not seen, f"{seen[0].category.__name__} in {seen[0].filename}:{seen[0].lineno}: {seen[0].message}"


def load_or_refuse(path: Path) -> Motion | None:
    """The file's motion, or None where it is refused as it should be: by one line that names the file."""
    try:
        return load_capture(path).motion
    except LoadError as error:
        message = str(error)
    assert str(path.parent) in message, f"{message!r} names no file"
    assert message.isprintable(), f"{message!r} is not one line"
    assert len(message) < 1000, f"{message!r} is no sentence"
    return None


def _load_and_save(path: Path, trace: bool) -> str:
    """What became of it: "refused", "loaded", or which format would not save it."""
    with within_memory() if trace else nullcontext():
        motion = load_or_refuse(path)
    if motion is None:
        return "refused"
    _check_sound(motion)
    for ending in (".bvh", ".glb"):
        saved = path.with_name("saved" + ending)
        try:
            save_motion(motion, saved)
        except FootfallError:
            return f"not saved as {ending}"
        again = load_capture(saved)
        _check_sound(again.motion)
        assert len(again.motion) + again.dropped == len(motion), f"{ending} lost frames"
        # not joint by joint: a BVH tells them branch by branch
        depths = [sorted(m.skeleton.tree.depth) for m in (motion, again.motion)]
        assert depths[0] == depths[1], f"{ending} lost joints"
    return "loaded"


def _check_sound(motion: Motion) -> None:
    skeleton = motion.skeleton
    arrays = [motion.root, motion.rotations, motion.positions, motion.orientations, motion.ends]
    arrays += [skeleton.offsets, skeleton.rest, skeleton.end_offsets, skeleton.rest_positions]
    arrays += [] if motion.translations is None else [motion.translations]
    for side in skeleton.sides:
        arrays += list(vars(skeleton.foot_points(side)).values())
    assert all(np.isfinite(array).all() for array in arrays), "an array is not finite"
    norms = np.linalg.norm(motion.rotations, axis=-1)
    assert ((norms > 0.5) & (norms < 2.0)).all(), "a rotation is far from a unit quaternion"
    assert 0 < motion.fps < np.inf
