"""Toes of a loop that do what toes can and never dig into the ground they leave: captured ones hardly do."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from jaxtyping import Float

from footfall.adapt.foot_lock_bends import possible_toes
from footfall.adapt.toes import raised_toes
from footfall.figure.contacts import SIDES
from footfall.figure.motion import Motion
from footfall.geometry.easing import smooth

# of a cycle after a strike: from and until then a foot goes over to the ground of its next one, when that is
# lower, and when it is higher
DOWN, UP = (0.5, 0.7), (0.65, 0.9)


def with_toes_up(around: Motion, soles: dict[str, Float[np.ndarray, "around"]], frames: int) -> Motion:
    """Three cycles at a ring's frames with their toes bent up; `soles` are the heights of the soles' middles,
    which at strikes are the ground's.
    """
    around = possible_toes(around)
    skeleton, rotations = around.skeleton, np.array(around.rotations)
    for half, side in enumerate(SIDES):
        if not skeleton.has(f"{side}_toe"):
            continue
        toe, foot = skeleton.joint(f"{side}_toe"), skeleton.joint(f"{side}_foot")
        if skeleton.parents[toe] != foot:
            continue
        levels = _levels(soles[side], half * (frames // 2), frames)
        free = np.ones(len(around), dtype=bool)
        turn = around.orientations[:, foot]
        rotations[:, toe] = raised_toes(
            skeleton, side, around.positions[:, foot], turn, rotations[:, toe], levels, free
        )
    return replace(around, rotations=rotations)


def _levels(sole: Float[np.ndarray, "around"], first: int, frames: int) -> Float[np.ndarray, "around"]:
    """The ground under a foot: that of its last strike, on its way that of the next one; the lower counts.

    Strikes are at the frame `first` and every `frames` after it. Ground that changed all at once would bend
    toes all at once.
    """
    count = len(sole)
    last = (count - 1 - first) // frames  # strike
    since = (np.arange(count) - first) / frames
    number = np.floor(since).astype(int)
    before, after = (sole[first + frames * np.clip(number + k, 0, last)] for k in (0, 1))
    ways = [smooth((since - number - start) / (end - start)) for start, end in (DOWN, UP)]
    return np.min([before + way * (after - before) for way in ways], axis=0)
