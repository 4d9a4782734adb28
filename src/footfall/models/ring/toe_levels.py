"""Toes of a loop that never dig into the ground they leave: captured toes hardly bend."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from jaxtyping import Float

from footfall.adapt.toes import raised_toes
from footfall.figure.contacts import SIDES
from footfall.figure.motion import Motion

LEFT_BY = 0.7  # of a cycle after a strike: by then a foot is over the ground of its next one


def with_toes_up(around: Motion, soles: dict[str, Float[np.ndarray, "around"]], frames: int) -> Motion:
    """Three cycles at a ring's frames with their toes bent up; `soles` are the heights of the soles' middles,
    which at strikes are the ground's.
    """
    skeleton, rotations = around.skeleton, np.array(around.rotations)
    for half, side in enumerate(SIDES):
        if not skeleton.has(f"{side}_toe"):
            continue
        toe, foot = skeleton.joint(f"{side}_toe"), skeleton.joint(f"{side}_foot")
        if skeleton.parents[toe] != foot:
            continue
        # of each frame the last strike, or the next one once the foot is on its way down
        first = half * (frames // 2)
        number = np.floor((np.arange(len(around)) - first) / frames + 1.0 - LEFT_BY).astype(int)
        strikes = np.clip(
            first + frames * number, first, first + frames * ((len(around) - 1 - first) // frames)
        )
        levels = soles[side][strikes]
        free = np.ones(len(around), dtype=bool)
        turn = around.orientations[:, foot]
        rotations[:, toe] = raised_toes(
            skeleton, side, around.positions[:, foot], turn, rotations[:, toe], levels, free
        )
    return replace(around, rotations=rotations)
