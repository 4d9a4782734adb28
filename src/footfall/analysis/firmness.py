"""Firm contacts: the frames of a contact in which heel or toe all but stands still.

A toe joint rolls over the tip before the foot leaves, and a heel settles after it has struck. Those frames
belong to the contact, but pinning them would stretch the leg: what segments a motion (0.6 m/s) is not what
pins it (0.15 m/s).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float

from footfall.analysis.contacts import GAP, Thresholds, clip_thresholds
from footfall.analysis.signals import mended, smoothed_speed
from footfall.figure.contacts import Contacts, runs_of
from footfall.figure.motion import Motion
from footfall.figure.soles import sole_places, toe_places

FIRM_SHARE = 0.20  # of the segmenting speed
STANDS_AGAIN = 0.15  # s
FIRM_LEVEL = 0.012  # of leg length over the resting level: a heel higher than this is on its way


@dataclass(frozen=True, eq=False)
class _Point:
    """One contact point of one foot: when it touches and how fast it moves."""

    touches: Bool[np.ndarray, "frames"]
    speed: Float[np.ndarray, "frames"]
    height: Float[np.ndarray, "frames"]

    def firm(self, limits: Thresholds, fps: float, leg: float) -> Bool[np.ndarray, "frames"]:
        """In each contact the stretches that are slow and low, or the slowest frame.

        The longest stays whatever its length; others where a foot shuffles and then stands again.
        """
        out = np.zeros_like(self.touches)
        slow = max(FIRM_SHARE * limits.segment, limits.tremble)
        for first, last in runs_of(self.touches):
            speed, height = self.speed[first:last], self.height[first:last]
            low = height < np.percentile(height, 25) + FIRM_LEVEL * leg
            stretches = runs_of(mended((speed < slow) & low, round(GAP * fps)))
            longest = max(stretches, key=lambda s: s[1] - s[0], default=(int(speed.argmin()),) * 2)
            for a, b in (longest, *(s for s in stretches if s[1] - s[0] >= STANDS_AGAIN * fps)):
                out[first + a : first + max(b, a + 1)] = True
        return out


def firm_contacts(motion: Motion, contacts: Contacts) -> Contacts:
    """The contacts without the frames in which their points still, or already, move."""
    limits = clip_thresholds(motion)
    heel, toe = np.array(contacts.heel), np.array(contacts.toe)
    for column, side in enumerate(("left", "right")):
        if side in motion.skeleton.sides:
            smooth = 0.6 * limits.smoothing
            places = sole_places(motion, side)[:, 0], toe_places(motion, side)
            for mask, place in zip((heel, toe), places, strict=True):
                speed = smoothed_speed(place, motion.fps, smooth)
                point = _Point(mask[:, column], speed, place[:, 1])
                mask[:, column] = point.firm(limits, motion.fps, motion.skeleton.leg_length(side))
    return Contacts(heel, toe)
