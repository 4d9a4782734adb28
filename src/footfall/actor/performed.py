"""A performance in the precision in which it is told: the same bytes wherever it is performed.

Sines and sums differ between CPUs in their last digits. A performance is rounded once, where it becomes an
example; so everything that is built from performances starts from the same numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np
from jaxtyping import Float

from footfall.figure.example import Example
from footfall.figure.motion import Motion
from footfall.geometry.decisions import DECIMALS, PRECISION, rounded

# of a quaternion's parts: a metre from a joint that is about what roots are rounded to
TURN = PRECISION / 8.0


def performed(
    motion: Motion, keytimes: Iterable[float], parameters: Mapping[str, float], kind: str, name: str = ""
) -> Example:
    """Round a performance and make an example of it.

    Args:
        motion: what is performed.
        keytimes: s from its first frame.
        parameters: what it shows, m, s and rad by name.
        kind: of movement.
        name: of the take.

    Returns:
        The example; its root lies within 1e-9 m of the motion's, its rotations within 4e-10 rad.
    """
    told = replace(motion, root=rounded(motion.root), rotations=_rounded_turns(motion.rotations))
    return Example(
        told,
        tuple(round(float(t), DECIMALS) for t in keytimes),
        {name: round(float(value), DECIMALS) for name, value in parameters.items()},
        kind,
        name,
    )


def _rounded_turns(rotations: Float[np.ndarray, "frames joints 4"]) -> Float[np.ndarray, "frames joints 4"]:
    """Unit quaternions made of rounded parts; division and root give the same digits everywhere."""
    turns = rounded(rotations, TURN)
    w, x, y, z = np.moveaxis(turns, -1, 0)
    return turns / np.sqrt(w * w + x * x + y * y + z * z)[..., None]
