"""What the feet do in a movement, read from its contacts: which stand throughout, which leave and land
when.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float

from footfall.analysis.contacts import detect_contacts
from footfall.errors import RequestError
from footfall.figure.contacts import SIDES, Contacts, runs_of
from footfall.figure.example import Example
from footfall.geometry.decisions import MARGIN, clearly_less, first_least, nearest_cell
from footfall.models.movements.footing import Swing

BRIEF = 0.06  # s: a foot that is seen to stand no more for less than this stands
BESIDE = 0.08  # s: an inner keytime so near is the one that is meant
NEAR = 0.15  # s by which a foot may leave or land beside a keytime

Swings = tuple[Swing, Swing]
KNOWN: dict[str, Swings] = {"left": ((1, 2), None), "right": (None, (1, 2))}


def swings_of(kind: str, examples: Sequence[Example]) -> Swings:
    """Of all examples of a kind, which must agree; steps are known by their names."""
    four = all(len(e.keytimes) <= 4 for e in examples)
    known = KNOWN.get("left" if kind.startswith("left_") else "right") if four and _is_step(kind) else None
    if known is not None or (four and kind == "jump"):
        for example in examples:
            if len(example.keytimes) < 4:
                raise RequestError(
                    f"{example.name!r} has {len(example.keytimes)} keytimes; a {kind} needs four: start, "
                    f"when feet leave, when they land, end"
                )
        swings = known or ((1, 2), (1, 2))
        for example in examples:
            _refuse_misnamed(example, kind, swings)
        return swings
    found = [(_swing(e, "left"), _swing(e, "right")) for e in examples]
    for swings, example in zip(found, examples, strict=True):
        if swings != found[0]:
            raise RequestError(
                f"the feet of {example.name!r} do otherwise than those of {examples[0].name!r} "
                f"({_told(swings)}; {_told(found[0])}): examples of one kind must agree"
            )
    return found[0]


def _refuse_misnamed(example: Example, kind: str, swings: Swings) -> None:
    """A foot that is said to swing must be in the air for most of it, one that is said to stand must not."""
    motion = example.motion
    first, off, strike, last = (
        int(nearest_cell(example.keytimes[k] * motion.fps, 1.0)) for k in (0, 1, 2, -1)
    )
    off, strike = off - first, strike - first
    part = motion[first : last + 1]
    opinions = [detect_contacts(part)] if part.contacts is None else [part.contacts]
    for side, swing in zip(SIDES, swings, strict=True):
        if not _misnamed(opinions[0], side, swing, off, strike):
            continue
        if len(opinions) == 1:  # pinned contacts are but the firm part of what touches
            opinions.append(detect_contacts(part))
        if _misnamed(opinions[1], side, swing, off, strike):
            does = "stands" if swing is not None else "is in the air"
            raise RequestError(
                f"{example.name!r} is no {kind}: its {side} foot {does} between keytimes 2 and 3"
            )


def _misnamed(contacts: Contacts, side: str, swing: Swing, off: int, strike: int) -> bool:
    stands = contacts.stands(side)[off : strike + 1]
    return bool(len(stands)) and (stands.mean() > 0.5) != (swing is None)


def _is_step(kind: str) -> bool:
    return kind.startswith(("left_", "right_")) and kind.endswith("_step")


def _swing(example: Example, side: str) -> Swing:
    motion = example.motion
    contacts = motion.contacts if motion.contacts is not None else detect_contacts(motion)
    keys = np.array(example.keytimes)
    frames = np.arange(len(motion)) / motion.fps
    inside = (frames >= keys[0] - MARGIN) & (frames <= keys[-1] + MARGIN)
    brief = BRIEF * motion.fps
    air = [r for r in runs_of(~contacts.stands(side) & inside) if not clearly_less(r[1] - r[0], brief)]
    if not air:
        return None
    if len(air) > 1:
        raise RequestError(
            f"the {side} foot of {example.name!r} leaves the ground {len(air)} times: cut it into movements "
            f"in which each foot leaves it once"
        )
    # between the last frame that stands and the first that does not, and the other way round
    times = (np.array([air[0][0], air[0][1]]) - 0.5) / motion.fps
    at = [_keytime(keys, t) for t in times]
    if at[0] >= at[1] or clearly_less(NEAR, np.abs(keys[at] - times)).any():
        raise RequestError(
            f"the {side} foot of {example.name!r} leaves at {times[0]:.2f} s and lands at {times[1]:.2f} s, "
            f"but its keytimes are {', '.join(f'{k:.2f}' for k in keys)} s: two of them must be these moments"
        )
    return at[0], at[1]


def _keytime(keys: Float[np.ndarray, "keys"], time: float) -> int:
    """The keytime of a moment: the nearest, but an inner one that is near before the first or the last."""
    away = np.abs(keys - time)
    inner = 1 + int(first_least(away[1:-1])) if len(keys) > 2 else 0
    beside = len(keys) > 2 and clearly_less(float(away[inner]), BESIDE)
    return inner if beside else int(first_least(away))


def _told(swings: Swings) -> str:
    words = [
        f"{side} stands" if s is None else f"{side} leaves at keytime {s[0] + 1} and lands at {s[1] + 1}"
        for side, s in zip(SIDES, swings, strict=True)
    ]
    return ", ".join(words)


def family_of(swings: Swings) -> str | None:
    """A step where one foot swings, a jump where both leave and land together."""
    if (swings[0] is None) != (swings[1] is None):
        return "step"
    return "jump" if swings[0] is not None and swings[0] == swings[1] else None
