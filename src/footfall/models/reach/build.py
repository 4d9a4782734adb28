"""A reach library from annotated examples, or from clips that show one reach each ([body] 5.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from footfall.align.generic_time import checked_keytimes
from footfall.errors import RequestError
from footfall.figure.example import Example
from footfall.figure.mirror import mirror
from footfall.figure.motion import Motion, checked_rate
from footfall.figure.skeleton import Skeleton
from footfall.models.movements.prepared import Prepared, prepare
from footfall.models.reach.cut import cut_reaches
from footfall.models.reach.model import ReachLibrary
from footfall.models.reach.pseudo import filled
from footfall.models.reach.reach_set import HANDS, KEYTIMES, POSTURES, ReachSet

FPS = 30.0  # Hz
RATES = (10.0, 240.0)
KIND = "reach"
OTHER = {"left": "right", "right": "left"}
PLAIN = 0.0  # what `touch` is of a reach with an open hand
STANDS = (None, None)  # both feet stay

Progress = Callable[[str, float], None]


def build_reach(
    source: Sequence[Motion] | Sequence[Example],
    *,
    names: Sequence[str] | None = None,
    fps: float = FPS,
    pseudo_examples: bool = True,
    seed: int = 0,
    progress: Progress | None = None,
) -> ReachLibrary:
    """A library of all reaches in `source`: a set for each hand, for both together, standing and sitting.

    Of `Example`s those of the kind "reach" are taken, with four keytimes (the hand sets out, arrives, leaves,
    is back); `arm` is -1 for the right, 1 for the left, 0 for both, `seat` over 0 means that one sits. Of
    `Motion`s each shows one reach. An arm without examples gets the other's mirrored. Without
    `pseudo_examples` weights are known at the examples only.
    """
    rate = checked_rate(fps)
    if not RATES[0] <= rate <= RATES[1]:
        raise RequestError(f"fps must be between {RATES[0]:g} and {RATES[1]:g}, not {rate:g}")
    examples = _examples(source, names)
    groups = _mirrored(_groups(examples, rate))
    sets: list[ReachSet] = []
    order = [(h, p) for p in POSTURES for h in HANDS if (h, p) in groups]
    for k, (hand, posture) in enumerate(order):

        def told(what: str, share: float, k: int = k, name: str = f"{hand} {posture}") -> None:
            if progress is not None:
                progress(f"{name}: {what}", (k + share) / len(order))

        own = ReachSet.of(hand, posture, groups[hand, posture])
        told(f"{len(own.examples)} reaches", 0.0)
        sets.append(filled(own, seed=seed, progress=told).set if pseudo_examples else own)
    return ReachLibrary(tuple(sets))


def _examples(source: object, names: Sequence[str] | None) -> list[Example]:
    if isinstance(source, str | Motion | Example) or not isinstance(source, Iterable):
        raise RequestError("a reach library is built from a list of motions or of examples")
    given = list(source)
    if not given:
        raise RequestError("a reach library needs examples or clips; none were given")
    if all(isinstance(one, Motion) for one in given):
        return cut_reaches(given, names)
    if not all(isinstance(one, Example) for one in given):
        raise RequestError("a reach library is built from motions or from examples, not from a mixture")
    found = [one for one in given if one.kind == KIND]
    if not found:
        kinds = ", ".join(sorted({one.kind or "none" for one in given}))
        raise RequestError(f"none of the examples is a {KIND}; their kinds are {kinds}")
    return found


Groups = dict[tuple[str, str], list[Prepared]]


def _groups(examples: Sequence[Example], fps: float) -> Groups:
    """Prepared examples by hand and posture. Of one hand the plain ones; other touches only where none is."""
    skeleton = examples[0].motion.skeleton
    checked_keytimes([e.keytimes for e in examples], [repr(e.name) for e in examples])
    if len(examples[0].keytimes) != KEYTIMES:
        raise RequestError("a reach has four keytimes: the hand sets out, arrives, leaves, is back")
    parted: dict[tuple[str, str], list[Example]] = {}
    for example in examples:
        if not example.motion.skeleton.same_bones(skeleton):
            raise RequestError(f"{example.name!r} is of another skeleton: retarget it first")
        parted.setdefault(_kind(example), []).append(example)
    groups: Groups = {}
    for key, members in parted.items():
        plain = [e for e in members if e.parameters.get("touch", PLAIN) == PLAIN]
        groups[key] = [_prepared(example, skeleton, fps) for example in plain or members]
    return groups


def _prepared(example: Example, skeleton: Skeleton, fps: float) -> Prepared:
    # one skeleton for all: rest pose and soles are the first one's
    return prepare(replace(example, motion=replace(example.motion, skeleton=skeleton)), STANDS, fps)


def _kind(example: Example) -> tuple[str, str]:
    arm = example.parameters.get("arm")
    if arm not in (-1.0, 0.0, 1.0):
        raise RequestError(
            f"{example.name!r} must tell its arm: -1 for the right, 1 for the left, 0 for both, not {arm}"
        )
    hand = {-1.0: "right", 1.0: "left", 0.0: "both"}[arm]
    return hand, "sitting" if example.parameters.get("seat", 0.0) > 0.0 else "standing"


def _mirrored(groups: Groups) -> Groups:
    """An arm without examples is the other's mirror image."""
    out = dict(groups)
    for (hand, posture), members in groups.items():
        if hand in OTHER and (OTHER[hand], posture) not in groups:
            # the plain mirror: a hand that lies still and its partner that reaches do change places
            out[OTHER[hand], posture] = [
                replace(example.mirrored(), motion=mirror(example.motion)) for example in members
            ]
    return out
