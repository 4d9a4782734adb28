"""What every performance promises of the body: no joint beyond its limits, no limb through another.

Ranges of single parameters cannot promise that, for they combine; so the finished motion is looked at, and
what would break the promise is refused.
"""

from __future__ import annotations

import numpy as np

from footfall.analysis.self_contact import self_contact
from footfall.errors import RequestError
from footfall.figure.example import Example
from footfall.figure.joint_limits import excess, limits_of
from footfall.geometry.decisions import first_greatest

ROUNDING = 1e-6  # rad
MILDER = "a smaller, slower or straighter one is possible"


def kept(example: Example) -> Example:
    """The example as it is, or a refusal that names what would be hurt."""
    motion = example.motion
    over = excess(limits_of(motion.skeleton), motion.rotations)
    frame, joint = np.unravel_index(int(first_greatest(over)), over.shape)
    if over.max() > ROUNDING:
        raise RequestError(
            f"this {example.kind} would bend {motion.skeleton.names[joint]} {np.degrees(over.max()):.1f} "
            f"degrees beyond its limit after {frame / motion.fps:.2f} s; {MILDER}"
        )
    touch = self_contact(motion)
    if touch.pair is not None and touch.depth_max_m > 0.0:
        raise RequestError(
            f"this {example.kind} would put {touch.pair[0]} {1000 * touch.depth_max_m:.1f} mm into "
            f"{touch.pair[1]}; {MILDER}"
        )
    return example
